"""The widget that asks a question, and what is said where there is no such question."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from attention_core.exercises import predict
from attention_core.exercises.checking.lessons import all_questions, find_question
from attention_core.exercises.checking.question import Question
from attention_core.exercises.predictions import answers
from attention_core.exercises.predictions.answers import choices, was_shown
from attention_core.exercises.predictions.lab_extension import write_extension
from attention_core.exercises.predictions.prediction import Prediction
from attention_core.exercises.results.memory import forget
from attention_core.language import Words, use_language

QUESTIONS = all_questions()
LANGUAGES = ("en", "zh")
each_language = pytest.mark.parametrize("language", LANGUAGES)
PREDICTIONS = Path(answers.__file__).parent

TOY = Question(
    key="99.1",
    text=Words("R <b>?", "问 <b>？"),
    options=tuple(Words(text, text) for text in ("`a`", "b", "c")),
    answer=0,
    why=Words("why {x}", "因为 {x}。"),
    replies=(None, Words("No b.", "不是乙。"), Words("No c.", "不是丙。")),
)


@pytest.fixture(autouse=True)
def fresh_memory():
    """Every test starts like a restarted kernel."""
    forget()
    yield
    forget()
    use_language("en")


# --- the widget -----------------------------------------------------------------------------


def test_the_words_of_a_verdict():
    view = Prediction(TOY)
    view.choice = 2
    assert view.verdict == "✗ Not C. No c. Choose again."
    view.choice = 1
    assert view.verdict == "✗ Not B either. No b. why {x}"
    view.choice = 0
    assert view.verdict == "✓ Right: A. why {x}"
    view.choice = 7
    assert view.state == "right"
    assert choices(TOY) == [2, 1, 0]


def test_a_prediction_speaks_the_language_it_was_made_in():
    use_language("zh")
    view = Prediction(TOY)
    use_language("en")
    view.choice = 1
    assert view.verdict == "✗ 不是 B。不是乙。再选一次吧。"
    assert (view.lang, view.text) == ("zh-CN", "问 <b>？")


def test_html_is_text_not_markup():
    html = Prediction(TOY)._repr_mimebundle_()[0]["text/html"]
    assert "R &lt;b&gt;?" in html
    assert "<b>A</b>&ensp;<code>a</code>" in html


def test_run_again_a_prediction_keeps_its_answer():
    """The choice, the verdict and the lifted veil are there again; the first try is not lost."""
    first = Prediction(TOY)
    first.choice = 1
    again = Prediction(TOY)
    for name in ("choice", "state", "verdict", "answers", "lifted"):
        assert getattr(again, name) == getattr(first, name)
    assert (again.choice, again.state, again.lifted) == (1, "wrong", True)
    again.choice = 0
    assert choices(TOY) == [1, 0]
    use_language("zh")
    assert Prediction(TOY).verdict == "✓ 答对了，选 A。因为 {x}。"


def test_options_in_another_order_keep_the_answer():
    Prediction(TOY).choice = 1
    turned = replace(TOY, options=TOY.options[::-1], answer=2, replies=TOY.replies[::-1])
    assert Prediction(turned).choice == 1
    reworded = replace(TOY, options=(TOY.options[0], Words("new", "new"), TOY.options[2]))
    assert Prediction(reworded).choice == -1


def test_an_answer_lifts_the_veil_and_so_does_show():
    view = Prediction(TOY)
    view.lifted = True
    assert (view.choice, view.state) == (-1, "open")
    assert was_shown(TOY) and Prediction(TOY).lifted
    forget()
    view = Prediction(TOY)
    view.choice = 2
    assert view.lifted and not was_shown(TOY)


# --- what is said when there is no such question ----------------------------------------------


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("7.1", "There is no prediction '7.1'; did you mean predict(\"07.1\")?"),
        (7.1, 'There is no prediction 7.1; did you mean predict("07.1")?'),
        ("07.99", "There is no prediction '07.99'; this lesson has 07.1 to 07.4."),
        ("07", "There is no prediction '07'; this lesson has 07.1 to 07.4."),
        (None, 'The number of a prediction comes in quotes, lessons 00 to {}: predict("07.1").'),
        (len, 'The number of a prediction comes in quotes, lessons 00 to {}: predict("07.1").'),
        ("42.1", 'The number of a prediction comes in quotes, lessons 00 to {}: predict("07.1").'),
        ([7], 'The number of a prediction comes in quotes, lessons 00 to {}: predict("07.1").'),
        ("{x}", 'The number of a prediction comes in quotes, lessons 00 to {}: predict("07.1").'),
    ],
)
def test_one_sentence_for_a_number_that_is_not_there(key, sentence, capsys):
    assert predict(key) is None
    said = " ".join(capsys.readouterr().out.split())
    assert said == sentence.replace("{}", QUESTIONS[-1].lesson)


def test_without_a_number_one_sentence(capsys):
    assert predict() is None
    assert capsys.readouterr().out.count("\n") == 1


def test_a_question_is_found_by_its_number():
    assert predict("07.1").text == find_question("07.1").text.en


def test_the_extension_is_one_script_with_the_veil_in_it(tmp_path):
    """Written twice it is the same; a changed script gets another name, the old one goes."""
    write_extension(tmp_path)
    folder = tmp_path / "labextensions/attention-veil"
    (folder / "static/veil.old.js").write_text("old")
    write_extension(tmp_path)
    package = json.loads((folder / "package.json").read_text("utf-8"))
    (script,) = (folder / "static").iterdir()
    assert package["jupyterlab"]["_build"]["load"] == f"static/{script.name}"
    text = script.read_text("utf-8")
    assert (PREDICTIONS / "veil.js").read_text("utf-8") in text
    assert text.startswith("(() => {") and text.endswith("})();\n"), "it defines nothing else"
