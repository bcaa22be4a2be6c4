"""The exercises: solutions pass, mistakes are named, nothing escapes, nothing is given away.

The first half goes through every exercise and prediction of the course. The second half tries
the framework itself on a toy exercise, with expectations written out by hand.
"""

import ast
import builtins
import json
import re
import subprocess
import sys
import warnings
from copy import deepcopy
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

import attention_core
from attention_core.exercises import check, hint, predict, progress, solution
from attention_core.exercises.checking import commands, lessons, results
from attention_core.exercises.checking.compare import altered, difference, same
from attention_core.exercises.checking.diagnose import (
    CORRECT,
    NOT_STARTED,
    NOT_YET,
    diagnose,
    planted,
)
from attention_core.exercises.checking.exercise import Exercise
from attention_core.exercises.checking.lessons import all_exercises, all_questions
from attention_core.exercises.checking.question import Question
from attention_core.exercises.checking.sentences import SENTENCES, as_written
from attention_core.exercises.checking.show import fold, number, show, show_pair
from attention_core.language import Words, use_language

EXERCISES = all_exercises()
QUESTIONS = all_questions()
LANGUAGES = ("en", "zh")

each_language = pytest.mark.parametrize("language", LANGUAGES)
each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.name)
each_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.key)
each_mistake = pytest.mark.parametrize(
    ("exercise", "index"),
    [
        pytest.param(exercise, index, id=f"{exercise.name}-{index}")
        for exercise in EXERCISES
        for index in range(len(exercise.mistakes))
    ],
)


@pytest.fixture(autouse=True)
def fresh_memory():
    """Every test starts like a restarted kernel."""
    results.forget()
    commands.forget_hints()
    yield
    results.forget()
    commands.forget_hints()


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


def words_of(exercise):
    """All texts of an exercise that a learner may see."""
    return [*exercise.hints, *(mistake.message for mistake in exercise.known_mistakes)]


def squeezed(text):
    """Text without spaces and line ends: where lines are folded does not matter."""
    return "".join(text.split())


def assert_clean(text):
    """A sentence, with nothing left over from formatting or from the machine."""
    assert text.strip(), "an empty text"
    assert not re.search(r"\{[a-z_!]+\}", text), text
    assert " object at 0x" not in text, text
    assert "Words(" not in text, text


# --- every exercise of the course ---------------------------------------------------------


def test_names_are_unique_and_lessons_match_their_files():
    """One name, one exercise; each stands in the file of its lesson."""
    names = [one.name for one in EXERCISES] + [one.key for one in QUESTIONS]
    assert len(names) == len(set(names))
    for lesson in lessons.lesson_numbers():
        assert re.fullmatch(r"\d\d", lesson)
        in_file, questions = lessons.of_lesson(lesson)
        assert in_file or questions
        assert all(one.lesson == lesson for one in (*in_file, *questions))


@each_exercise
def test_names_can_stand_in_code(exercise):
    """The name is a Python name; for a function it is the function's own."""
    assert exercise.name.isidentifier()
    if callable(exercise.solution):
        assert exercise.solution.__name__ == exercise.name


@each_exercise
@each_language
def test_solution_is_accepted(exercise, language, said):
    use_language(language)
    assert diagnose(exercise, exercise.solution) == (CORRECT, ())
    text = said(check, exercise.name, exercise.solution)
    assert text.startswith("✓") and text.count("\n") == 1
    assert_clean(text)


@each_exercise
@each_language
def test_untouched_stub_is_not_started(exercise, language, said):
    use_language(language)
    stubs = [..., None]
    if not exercise.wants_value:
        stubs += [lambda *arguments: ..., lambda *arguments: (..., ...)]
    texts = {said(check, exercise.name, stub) for stub in stubs}
    assert len(texts) == 1
    assert texts.pop().startswith("○")


def test_every_function_has_its_words_and_the_reverse():
    """One check for all lessons; every exercise names at least three mistakes."""
    assert lessons.complaints() == []
    assert [one.name for one in EXERCISES if len(one.mistakes) < 3] == []


def test_missing_and_left_over_words_are_named(monkeypatch):
    """Take a message, a hint, a language and a right option away: each is said."""
    table = deepcopy(lessons.tables("07"))
    mistakes = table["exercise"]["mix_values"]["mistakes"]
    mistakes["other"] = mistakes.pop("transposed")
    del table["exercise"]["safe_row"]["hints"][1:]
    del table["exercise"]["mixed_by_hand"]["hints"][0]["zh"]
    del table["question"][0]["options"][1]["right"]
    table["question"][1]["options"][0]["reply"] = {"en": "no"}
    table["exercise"]["mix"] = table["exercise"].pop("softmax_rows")
    monkeypatch.setattr(lessons, "tables", lambda lesson: table)
    monkeypatch.setattr(lessons, "lesson_numbers", lambda: ["07"])
    said = "\n".join(lessons.complaints())
    for part in (
        "lesson_07.toml: mix_values: no message for 'transposed'",
        "mix_values: no mistake 'other'",
        "safe_row: at least two hints",
        "mixed_by_hand: en and zh, or text for both",
        "question 07.1: one option has right = true",
        "question 07.2: en and zh, or text for both: {'en': 'no'}",
        "softmax_rows: no words for this exercise",
        "mix: words without an exercise",
    ):
        assert part in said
    assert said.count("\n") == 7


def test_no_chinese_in_the_code():
    """Words stand in TOML files."""
    folder = lessons.FOLDER
    files = [path for path in folder.rglob("*.py") if path.name != "prediction.py"]
    assert [path.name for path in files if re.search("[\u4e00-\u9fff]", path.read_text())] == []


def test_every_sentence_of_the_engine_is_used():
    code = "".join(path.read_text() for path in lessons.FOLDER.rglob("*.py"))
    assert [key for key in SENTENCES if f'"{key}"' not in code] == []


@each_mistake
@each_language
def test_planted_mistake_is_named(exercise, index, language, said):
    """Each mistake is rejected with its own message, and with no other."""
    use_language(language)
    text = said(check, exercise.name, planted(exercise, exercise.known_mistakes[index]))
    assert text.startswith("✗")
    messages = [squeezed(as_written(mistake.message)) for mistake in exercise.known_mistakes]
    assert [message for message in messages if message in squeezed(text)] == [messages[index]]
    assert_clean(text)


@each_exercise
def test_every_text_is_there_in_both_languages(exercise):
    for words in words_of(exercise):
        assert_clean(words.en)
        assert_clean(words.zh)
        assert not re.search("[\u4e00-\u9fff]", words.en), words.en
    spoken = [words for words in words_of(exercise) if re.search("[a-z]{3} [a-z]{2}", words.en)]
    assert all(re.search("[\u4e00-\u9fff]", words.zh) for words in spoken)
    messages = [mistake.message for mistake in exercise.known_mistakes]
    for texts in (*zip(*messages, strict=True), *zip(*exercise.hints, strict=True)):
        assert len(set(texts)) == len(texts), "two texts are the same"


@each_exercise
@each_language
def test_hints_go_step_by_step(exercise, language, said):
    """One more each time; the last is repeated and says so; none is the whole solution."""
    use_language(language)
    texts = [said(hint, exercise.name) for _ in range(len(exercise.hints) + 1)]
    for step, words in enumerate(exercise.hints):
        assert squeezed(as_written(words)) in squeezed(texts[step])
    assert texts[-1] == texts[-2] != texts[-3]
    assert f'solution("{exercise.name}")' in texts[-1]
    assert f'solution("{exercise.name}")' not in texts[0]
    assert all(squeezed(exercise.source()) not in squeezed(text) for text in texts)
    for text in texts:
        assert_clean(text)


@each_exercise
def test_solution_is_the_same_code_in_both_languages(exercise, said):
    shown = said(solution, exercise.name)
    use_language("zh")
    assert said(solution, exercise.name) == shown
    tree = ast.parse(shown)
    strings = [n for n in ast.walk(tree) if isinstance(n, ast.Expr) and _is_text(n.value)]
    assert not strings and "#" not in shown, "no docstrings and no comments: they are words"
    assert len(shown.splitlines()) <= 15, "a lesson's code cell has at most 15 lines"


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@each_exercise
def test_solution_shown_works_in_a_lesson(exercise):
    """What `solution` shows needs nothing but NumPy and the package's own names."""
    namespace = {"np": np, **{name: getattr(attention_core, name) for name in _public_names()}}
    exec(exercise.source(), namespace)
    assert diagnose(exercise, namespace[exercise.name]).state == CORRECT


def _public_names():
    return getattr(attention_core, "__all__", ())


@each_exercise
def test_cases_are_fixed_and_grow(exercise):
    """The same cases each time, the smallest first, and not only square ones."""
    cases = list(exercise.cases())
    assert same(tuple(cases), tuple(exercise.cases()), 0)
    sizes = [sum(np.size(x) for x in inputs if isinstance(x, np.ndarray)) for inputs in cases]
    assert sizes == sorted(sizes)
    shapes = [x.shape[-2:] for one in cases for x in one if np.ndim(x) >= 2]
    assert not shapes or any(rows != columns for rows, columns in shapes)


def silly_answers():
    """What learners and cats hand in."""

    class Unreadable:
        def __array__(self, *arguments, **options):
            raise RuntimeError("no")

        def __eq__(self, other):
            raise RuntimeError("no")

        def __repr__(self):
            raise RuntimeError("no")

        __hash__ = None
        __len__ = __iter__ = __repr__

    class BadText(Exception):
        def __str__(self):
            raise RuntimeError("no")

    def raising(*arguments):
        raise ValueError("{broken} 100% of \n the time")

    def leaving(*arguments):
        sys.exit(3)

    def bad_text(*arguments):
        raise BadText

    def endless(*arguments):
        return endless(*arguments)

    def shouting(*arguments):
        print("stdout")
        print("stderr", file=sys.stderr)
        warnings.warn("warning", stacklevel=1)
        return np.float64(1) / np.float64(0)

    def writing(*arguments):
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                argument[...] = 0
        return arguments[0] if arguments else 0

    async def later(*arguments):
        return 1

    loop = []
    loop.append(loop)
    values = ["", "text", b"bytes", 0, -1, 1e300, 1j, True, float("nan"), np.nan, np.inf, (), []]
    values += [{}, {"a": ...}, {1, 2}, [[1], [2, 3]], loop, object(), Unreadable(), Ellipsis, type]
    values += [np.zeros((0, 3)), np.zeros((40, 60)), np.array("x"), np.array([None, {}])]
    values += [np.ma.masked_array([1.0], [True]), np.datetime64("2020"), range(3), iter([1])]
    values += [(..., 1), "{name}", np.zeros(2, dtype="U3"), 10**400, np.array([1 + 1j])]
    functions = [lambda: 1, lambda a, b, c, d, e, f: 1, raising, leaving, bad_text, endless]
    functions += [shouting, writing, later, print, len, int, dict, np.add, Unreadable]
    functions += [lambda *a, value=value: value for value in values]
    functions += [lambda *a: (x for x in a), lambda *a: np.zeros((300, 300)), lambda *a: a]
    return values + functions


@each_exercise
@each_language
def test_check_never_raises(exercise, language, said):
    """Whatever is handed in: one message, never an error, never a word on stderr."""
    use_language(language)
    for answer in silly_answers():
        text = said(check, exercise.name, answer)
        assert text[0] in "○✗✓"
        assert exercise.name in text.splitlines()[0]
        assert "stdout" not in text
        assert len(text) < 4000
        assert_clean(text.replace("{broken}", "").replace("{name}", ""))


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


# --- the framework on a toy exercise ------------------------------------------------------


def double(x):
    return x * 2


TOY = Exercise(
    double,
    cases=lambda: [(np.array([[1.0, -2.0]]),), (np.array([[0.0, 1.0, 3.0], [5.0, 7.0, 9.0]]),)],
    mistakes={
        "added": lambda x: x + 2,
        "squared": lambda x: x**2,
        "transposed": lambda x: x.T * 2,
    },
    lesson="99",
    hints=(Words("one", "一"), Words("two", "二"), Words("three", "三")),
    messages={
        "added": Words("added", "加了"),
        "squared": Words("squared", "平方了"),
        "transposed": Words("transposed", "转置了"),
    },
)


def with_mistakes(exercise, **mistakes):
    """The exercise with other mistakes, whose messages are their keys."""
    messages = {key: Words(key, key) for key in mistakes}
    return replace(exercise, mistakes=mistakes, messages=messages)


def toy_value(solution, tolerance=1e-6, **mistakes):
    return with_mistakes(Exercise(solution, tolerance=tolerance, name="toy"), **mistakes)


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


def test_check_says_what_stands_here(toy, said):
    """The whole message, word for word, in both languages."""
    assert said(check, "double", lambda x: x + 2) == (
        "✗ double: not yet.\n"
        "  First difference at [0, 0]: expected 2, got 3.\n"
        "  Smallest input that fails:\n"
        "    x = [[ 1, -2]]\n"
        "  Expected:\n"
        "    [[ 2, -4]]\n"
        "  Got:\n"
        "    [[3, 0]]\n"
        "  Likely cause: added\n"
        '  hint("double") helps one step further.\n'
    )
    use_language("zh")
    assert said(check, "double", lambda x: x + 2) == (
        "✗ double：还不对。\n"
        "  第一个不同之处在 [0, 0]：应为 2，得到 3。\n"
        "  出错的最小输入：\n"
        "    x = [[ 1, -2]]\n"
        "  应为：\n"
        "    [[ 2, -4]]\n"
        "  得到：\n"
        "    [[3, 0]]\n"
        "  可能的原因：加了\n"
        '  hint("double") 会给出下一步提示。\n'
    )


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        (lambda: 1, "It is called with 1 argument: x."),
        (lambda x, y: 1, "It is called with 1 argument: x."),
        (np.ones(3), "Hand over the function itself"),
        (lambda x: None, "is a `return` missing?"),
        (lambda x: "2", "Wrong type: expected ndarray, got str."),
        (lambda x: (i for i in x), "Wrong type: expected ndarray, got generator."),
        (lambda x: x > 0, "Wrong type: expected numbers, got True and False."),
        (lambda x: x.sum(), "Wrong shape: expected (1, 2), got ()."),
        (lambda x: (x * 2)[..., None], "Wrong shape: expected (1, 2), got (1, 2, 1)."),
        (lambda x: x * [[2, np.nan]], "There is a NaN at [0, 1], where a number belongs."),
        (lambda x: 1 / 0, "It raised ZeroDivisionError: division by zero"),
        (lambda x: sys.exit(), "It raised SystemExit."),
        (lambda x: x.__imul__(2), "It changes its input `x`."),
        (lambda x: ... if len(x) > 1 else x * 2, "There is still a `...` in the answer."),
        (lambda x: x * 2 + 1e-5, "expected 2, got 2.00001."),
    ],
)
def test_every_fault_has_its_sentence(answer, part):
    verdict = diagnose(TOY, answer)
    assert verdict.state == NOT_YET
    assert part in "\n".join(verdict.lines)


def test_a_list_where_one_number_is_asked_for():
    said = difference(7, [7])
    assert said == "One single number is asked for; the answer has the shape (1,)."


def test_mistake_seen_only_on_the_larger_case():
    """A wrong result for the second input only: that input is shown, not the first."""
    lines = diagnose(TOY, lambda x: x * 2 if len(x) == 1 else x**2).lines
    assert lines[0] == "First difference at [0, 1]: expected 2, got 1."
    assert "    x = [[0, 1, 3]," in "\n".join(f"  {line}" for line in lines)
    assert lines[-1] == "Likely cause: squared"


def test_an_unknown_mistake_gets_no_cause():
    assert not any("Likely" in line for line in diagnose(TOY, lambda x: x * 3).lines)


def test_the_likeliest_mistake_explains_the_failing_case_and_most_others():
    """One that explains other cases only is no cause; of two that explain alike, the first."""

    def added(x):
        return x + 2

    def added_at_first(x):
        return x + 2 if len(x) == 1 else x * 0

    def elsewhere(x):
        return x * 0 if len(x) == 1 else x + 2

    exercise = with_mistakes(TOY, partly=added_at_first, wholly=added, again=added)
    assert diagnose(exercise, added).lines[-1] == "Likely cause: wholly"
    lines = diagnose(with_mistakes(TOY, elsewhere=elsewhere), added).lines
    assert not any("Likely" in line for line in lines)


def test_an_error_counts_as_a_known_mistake_only_with_the_same_text():
    def wrong(x):
        return x @ x

    exercise = with_mistakes(TOY, matmul=wrong)
    assert "Likely cause: matmul" in diagnose(exercise, lambda x: np.matmul(x, x)).lines
    assert "Likely cause: matmul" not in diagnose(exercise, lambda x: int("x")).lines


def test_lists_of_the_right_numbers_are_right():
    assert diagnose(TOY, lambda x: (x * 2).tolist()).state == CORRECT
    assert diagnose(TOY, lambda x: (x * 2).astype(np.float32)).state == CORRECT


def test_keyboard_interrupt_passes():
    def stopped(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        diagnose(TOY, stopped)


def test_learners_prints_and_warnings_are_dropped(toy, said):
    def noisy(x):
        builtins.print("noise")
        print("noise", file=sys.stderr)
        np.log(-x)
        warnings.warn("noise", stacklevel=1)
        return x * 2

    assert said(check, "double", noisy) == "✓ double: correct.\n"


def test_a_value_is_judged_without_giving_it_away():
    """Where a value is asked for, the right one never stands in the message."""
    exercise = toy_value((3, 2), swapped=(2, 3))
    assert diagnose(exercise, (3, 2)).state == CORRECT
    assert diagnose(exercise, [3, 2]).state == CORRECT
    assert diagnose(exercise, lambda: (3, 2)).state == CORRECT
    assert diagnose(exercise, (..., ...)).state == NOT_STARTED
    assert diagnose(exercise, (2, 3)).lines == ("At [0], 2 is not right.", "Likely cause: swapped")
    assert diagnose(exercise, (3, 2, 1)).lines == ("Expected 2 things, got 3.",)
    assert diagnose(exercise, len).lines == ("The answer here is a value, not a function.",)
    assert diagnose(toy_value(0.25), 0.5).lines == ("0.5 is not right.",)
    assert diagnose(toy_value("row"), "column").lines == ("'column' is not right.",)
    assert diagnose(toy_value("row"), " row").state == CORRECT


def test_tolerance_is_for_numbers_typed_by_hand():
    assert diagnose(toy_value(1 / 3, tolerance=0.01), 0.33).state == CORRECT
    assert diagnose(toy_value(1 / 3), 0.33).state == NOT_YET


def test_sorting_counts_what_is_right_and_finds_the_belief_behind():
    """A dictionary: how many are right, and a mistake shown by the entries that make it."""
    right = {"W_Q": "parameter", "W_K": "parameter", "Q": "activation", "K": "activation"}
    exercise = toy_value(right, both={"Q": "parameter", "K": "parameter"}, no={"Q": "no"})
    assert diagnose(exercise, dict(right)).state == CORRECT
    assert diagnose(exercise, dict.fromkeys(right, ...)).state == NOT_STARTED
    assert diagnose(exercise, {**right, "K": ...}).lines == ("Still missing: 'K'.",)
    missing = diagnose(exercise, {"W_Q": "parameter", "W_K": "parameter"}).lines
    assert missing == ("Still missing: 'Q', 'K'.",)
    assert diagnose(exercise, {**right, "V": 1}).lines == ("Not asked for: 'V'.",)
    wrong = dict.fromkeys(right, "parameter")
    assert diagnose(exercise, wrong).lines == ("2 of 4 are right.", "Likely cause: both")
    assert diagnose(exercise, {**right, "W_Q": "activation"}).lines == ("3 of 4 are right.",)


def test_results_of_several_parts():
    def both(x):
        return x, x + 1

    exercise = Exercise(both, lambda: [(np.array([1.0, 2.0]),)])
    assert diagnose(exercise, lambda x: [x, x + 1]).state == CORRECT
    assert diagnose(exercise, lambda x: x).state == NOT_YET
    lines = diagnose(exercise, lambda x: (x, x)).lines
    assert lines[0].startswith("In part 2 of the answer: First difference at [0]: expected 2")
    assert diagnose(exercise, lambda x: (x, x, x)).lines[0] == "Expected 2 things, got 3."


def test_unknown_names_are_answered_with_the_known_ones(toy, said):
    assert said(check, "doubel", 1) == (
        "There is no exercise called 'doubel'.\nDid you mean 'double'?\nLesson 99: double\n"
    )
    assert "Lesson 99: double" in said(hint, "zzz")
    assert "Lesson 99: double" in said(solution, "{x}")
    assert "in quotes" in said(check, double, "double")
    assert "99.1, 99.2" in said(predict, "99.7")
    assert "99.1, 99.2" in said(predict, 7)
    assert said(progress, "12") == "Lesson 12 has no exercises. These have some: 99\n"


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


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.array([[0.12345678, -1e-9]]), "[[0.1235,      0]]"),
        (np.array([True, False]), "[True, False]"),
        (np.array([-np.inf, np.nan, -0.0]), "[-inf, nan, 0]"),
        (np.array(1.50), "1.5"),
        (np.arange(8).reshape(2, 2, 2), "[[[0, 1],\n  [2, 3]],\n [[4, 5],\n  [6, 7]]]"),
        (np.zeros((0, 3)), "an array of shape (0, 3)"),
        ((2,), "(2,)"),
        ({"Q": 1.0}, "{'Q': 1}"),
        ("x" * 100, repr("x" * 57 + "...")),
        ((np.ones((2, 2)), 3), "([[1, 1],\n  [1, 1]],\n 3)"),
        (100000, "100000"),
        (1e300, "1e+300"),
        (0.0, "0"),
        (1 + 2j, "1+2j"),
        (object(), "object"),
    ],
)
def test_values_as_text(value, text):
    assert show(value) == text


def test_lines_are_folded_between_words_in_both_languages():
    """No line too long, no word cut, no line that starts with a closing mark."""
    english = "Each column sums to 1, not each row. " * 5
    chinese = "现在是每一列的和为 1，而不是每一行（axis=-1）。" * 5
    for text in (english, chinese):
        lines = fold(text, "  ", 40).split("\n")
        assert squeezed(" ".join(lines)) == squeezed(text)
        assert all(line.startswith("  ") and len(line.encode("gbk")) <= 42 for line in lines)
        assert not any(line.strip()[0] in "，。）" for line in lines)
    assert fold(english, "  ", 40).split() == english.split()
    assert fold("a\n    code", "") == "a\n    code"


def test_numbers_show_enough_decimals_to_differ():
    assert show_pair(1.0, 1.0 + 1e-9) == ("1", "1.000000001")
    assert number(-0.00004) == "0"


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (np.zeros(2), np.array([0, 1e-3])),
        (np.array([True, False]), np.array([1, 0])),
        (np.array([1, 0]), np.array([True, False])),
        (np.array([-np.inf, 0]), np.array([np.inf, 0])),
        (np.array([-np.inf, 0]), np.array([-1e9, 0])),
        (1.0, np.array([1.0])),
        (1.0, 1 + 1j),
        ("a", 1),
        ((1, "a"), (1, "b")),
        ((1, "a"), (1,)),
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, [("a", 1)]),
        ((np.ones(2), np.ones(3)), (np.ones(2), np.zeros(3))),
    ],
)
def test_different_values_differ(expected, got):
    assert not same(expected, got)
    assert difference(expected, got)
    assert difference(expected, expected) is None


def test_altered_looks_into_containers():
    before = ({"a": np.zeros(2)}, [np.ones(2)], None, object())
    assert not altered(before, before)
    assert altered(before, ({"a": np.ones(2)}, *before[1:]))
