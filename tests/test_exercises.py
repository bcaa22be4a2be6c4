"""The predictions: nothing is given away, every option gets its verdict, progress is kept."""

import functools
import json
import re
import subprocess
import sys
from importlib import import_module

import pytest

from attention_core.exercises import check, hint, predict, progress
from attention_core.exercises.checking import commands, results
from attention_core.exercises.checking.lessons import all_questions
from attention_core.exercises.checking.question import Question
from attention_core.exercises.checking.sentences import as_written
from attention_core.language import Words, use_language
from tests.hearing import TOY, double
from tests.loops import for_each

QUESTIONS = all_questions()
LANGUAGES = ("en", "zh")


def forget_all():
    """As after a restart of the kernel."""
    results.forget()
    commands.forget_hints()


@pytest.fixture(autouse=True)
def fresh_memory():
    forget_all()
    yield
    forget_all()


def each(name, values):
    """A loop that tries every value in a fresh memory."""

    def decorate(test):
        @functools.wraps(test)
        def alone(**arguments):
            forget_all()
            test(**arguments)

        return for_each(name, values)(alone)

    return decorate


each_question, each_language = each("question", QUESTIONS), each("language", LANGUAGES)


@pytest.fixture
def said(capsys):
    """What a command printed; nothing may ever reach stderr."""

    def run(command, *arguments):
        capsys.readouterr()
        command(*arguments)
        printed = capsys.readouterr()
        assert printed.err == ""
        return printed.out

    return run


def assert_clean(text):
    """A sentence, with nothing left over from formatting or from the machine."""
    assert text.strip(), "an empty text"
    assert not re.search(r"\{[a-z_!]+\}", text), text
    assert " object at 0x" not in text, text
    assert "Words(" not in text, text


# --- every prediction of the course -------------------------------------------------------


def sent(view):
    """Everything that goes to the browser, and everything that is stored in the notebook."""
    bundle, _ = view._repr_mimebundle_()
    return json.dumps([view.get_state(), bundle], default=str, ensure_ascii=False)


@each_question
def test_one_option_is_right(question):
    assert re.fullmatch(r"\d\d\.\d+", question.key)
    assert len(question.options) >= 2
    assert 0 <= question.answer < len(question.options)
    for texts in _texts(question):
        assert len(set(texts[2:])) == len(question.options), "two options are the same"
        for text in texts:
            assert_clean(text)


def _texts(question):
    """Question, explanation and options, once for each language."""
    return zip(question.text, question.why, *question.options, strict=True)


@each_question
def test_question_and_explanation_are_in_both_languages(question):
    for words in (question.text, question.why):
        assert re.search("[\u4e00-\u9fff]", words.zh)
        assert not re.search("[\u4e00-\u9fff]", words.en)


@each_question
@each_language
def test_nothing_is_revealed_before_an_answer(question, language):
    use_language(language)
    before = sent(predict(question.key))
    assert as_written(question.why) not in before
    view = predict(question.key)
    assert (view.state, view.verdict, view.choice) == ("open", "", -1)
    # The state is the same whichever option is right: nothing in it can depend on the answer.
    other = Question(
        question.key,
        question.text,
        question.options,
        (question.answer + 1) % len(question.options),
        Words("-", "-"),
    )
    from attention_core.exercises.prediction import Prediction

    assert _comparable(Prediction(other)) == _comparable(view)


def _comparable(view):
    return {key: value for key, value in view.get_state().items() if key != "layout"}


@each_question
@each_language
def test_every_option_gets_its_verdict(question, language):
    use_language(language)
    view = predict(question.key)
    for choice in [*range(len(question.options)), question.answer]:
        view.choice = choice
        assert view.state == ("right" if choice == question.answer else "wrong")
        assert as_written(question.why) in view.verdict
        assert view.verdict[0] == ("✓" if choice == question.answer else "✗")
        assert_clean(view.verdict)


@each_question
@each_language
def test_prediction_can_be_read_without_a_kernel(question, language):
    """Beside the widget: text and HTML with the question and all options, the same each time."""
    use_language(language)
    bundle, _ = predict(question.key)._repr_mimebundle_()
    again, _ = predict(question.key)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    for kind in ("text/plain", "text/html"):
        assert bundle[kind] == again[kind]
        assert_clean(bundle[kind])
    for text in map(as_written, (question.text, *question.options)):
        assert text in bundle["text/plain"]
    assert bundle["text/html"].count("<li>") == len(question.options)


# --- a toy question and a toy exercise -------------------------------------------------------


@pytest.fixture
def toy(monkeypatch):
    """Put the toy exercise and a toy question in the place of a lesson 99."""
    one, two, a, b = (Words(text, text) for text in ("1", "2", "`a`", "b"))
    questions = (
        Question("99.1", Words("Q?", "问？"), (one, two), 0, Words("why {x}", "因为 {x}")),
        Question("99.2", Words("R <b>?", "问 <b>？"), (a, b), 1, Words("so", "所以")),
    )
    for name in ("lessons", "commands", "progress", "predict"):
        module = import_module(f"attention_core.exercises.checking.{name}")
        for known, replacement in (
            ("lesson_numbers", lambda: ["99"]),
            ("of_lesson", lambda n: ((TOY,), questions) if n == "99" else ((), ())),
        ):
            if hasattr(module, known):
                monkeypatch.setattr(module, known, replacement)
    return questions


def test_unknown_predictions_are_answered_with_the_known_ones(toy, said):
    assert "99.1, 99.2" in said(predict, "99.7")
    assert "99.1, 99.2" in said(predict, 7)


def test_progress_follows_the_kernel(toy, said):
    check("double", double)
    hint("double")
    view = predict("99.1")
    view.choice = 1
    assert said(progress, "99") == (
        "Lesson 99: 1 of 1 exercises correct, 0 of 2 predictions right.\n"
        "  double  ✓ correct\n"
        "  99.1    ✗ not right yet\n"
        "  99.2    ○ not answered\n"
    )
    view.choice = 0
    view.choice = 1
    check("double", lambda x: x)
    use_language("zh")
    assert said(progress, 99) == (
        "第 99 课：练习 1 题，做对 0 题；预测 2 题，答对 1 题。\n"
        "  double  ✗ 还不对\n"
        "  99.1    ✓ 答对了\n"
        "  99.2    ○ 还没回答\n"
    )


def test_two_predictions_are_independent(toy):
    first, second = predict("99.1"), predict("99.1")
    first.choice = 0
    assert (first.state, second.state) == ("right", "open")
    assert first.verdict == "✓ Right: A. why {x}"
    first.choice = 7
    assert first.state == "right"


def test_prediction_speaks_the_language_it_was_made_in(toy):
    use_language("zh")
    view = predict("99.1")
    use_language("en")
    view.choice = 1
    assert view.verdict == "✗ 不是 B。因为 {x}现在可以再选一次。"
    assert (view.lang, view.text) == ("zh-CN", "问？")


def test_prediction_in_html_is_text_not_markup(toy):
    html = predict("99.2")._repr_mimebundle_()[0]["text/html"]
    assert "R &lt;b&gt;?" in html
    assert "<li><code>a</code></li>" in html


def test_importing_the_exercises_makes_no_widget():
    """Only `predict` needs the widget libraries."""
    code = "import sys, attention_core.exercises; print('ipywidgets' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
