"""Lesson 15's explorer against the model itself, on texts that learners type."""

import base64

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attention_core import use_language
from attention_core.explorers import search_explorer, trained_explorer
from attention_core.explorers.head_words import label_text
from attention_core.trained import Label, carried, load_model, reads

CHINESE = "小鸟离开了窝，它饿了。"


@pytest.fixture(scope="module")
def explorer():
    return trained_explorer()


@pytest.fixture(autouse=True)
def start_again(request):
    yield
    if "explorer" in request.fixturenames:
        request.getfixturevalue("explorer").reset()


def typed(explorer, name, text):
    explorer._on_message(None, {"do": "type", "name": name, "text": text}, [])


def on_screen(explorer, name):
    return np.array(explorer.pool[explorer.pictures[0]["frames"][name]]["v"], float)


@pytest.mark.parametrize("text", ["The dog was tired, so it slept.", CHINESE, "我爱 cats 😀"])
def test_a_typed_text_is_run_by_the_model(explorer, text):
    typed(explorer, "text", text)
    run = load_model().run(text)
    for place in ((8, 8), (2, 6), (11, 0)):
        explorer.controls["heads"].value = place
        assert explorer.note == ""
        assert_array_equal(explorer.result["A"], run.weights[place])
        assert_allclose(on_screen(explorer, "A"), run.weights[place], atol=1e-12)
        shares = explorer.pictures[0]["data"]["bars"]["series"][1]["v"]
        assert_allclose(shares, carried(run.weights[place], run.v[place]), atol=1e-12)
        q, k = run.q[place], run.k[place]
        assert_allclose(
            explorer.result["S"], q.astype(float) @ k.mT.astype(float), rtol=1e-3, atol=1e-3
        )


def test_the_wall_shows_all_maps(explorer):
    run = load_model().run(explorer.settings["text"])
    wall = explorer.pictures[0]["data"]["heads"]
    sent = np.frombuffer(base64.b64decode(wall["maps"]), np.uint8).reshape(12, 12, 16, 16)
    assert_allclose(sent / 255, run.weights, atol=0.5 / 255 + 1e-6)
    best = (sent[:, :, 10, 2] / 255).argmax()
    assert best == reads(run, "it", "animal").argmax() == 8 * 12 + 8
    assert wall["labels"][best] == "it → animal 0.55" and wall["kinds"][best] == "pair"
    assert wall["labels"][2 * 12 + 6].startswith("next token 0.99")


def test_labels_follow_the_text(explorer):
    typed(explorer, "text", CHINESE)
    labels = explorer.pictures[0]["data"]["heads"]["labels"]
    assert labels[8 * 12 + 8].startswith("它 → 鸟")
    assert not any("animal" in label for label in labels)


def test_tired_and_wide_side_by_side(explorer):
    model = load_model()
    first, second = (model.run(explorer.settings[name]) for name in ("text", "other"))
    assert_allclose(
        on_screen(explorer, "D"), second.weights[8, 8] - first.weights[8, 8], atol=1e-12
    )
    assert "tired / wide" in explorer.shown.frames["D"].rows
    typed(explorer, "other", CHINESE)
    assert explorer.shown.frames["D"].rows == ["<s>", "</s>"]
    assert explorer.shown.frames["B"].rows[6] == "它"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the text is empty"),
        ("\t \n", "the text is empty"),
        ("tired " * 60, "at most 40 tokens"),
        ("x" * 10**5, "at most 40 tokens"),
        ("😀😀", "knows none of these signs"),
    ],
)
def test_what_cannot_be_read_is_said_and_the_picture_stays(explorer, text, said):
    before = explorer.static_html()
    typed(explorer, "text", text)
    assert said in explorer.note and explorer.static_html() == before
    explorer.undo()
    assert explorer.note == "" and explorer.static_html() == before


def test_unknown_signs_and_html_are_shown_as_they_are(explorer):
    typed(explorer, "text", "<b>it</b> is 😀 ठ")
    label = explorer.shown.panels["label"]
    assert "does not know 😀 ठ." in label
    assert "<b>" not in explorer.static_html().replace("<b>Run", "")
    assert "&lt;" in explorer.static_html()


def test_reliability_stands_beside_the_chosen_head(explorer):
    label = explorer.shown.panels["label"]
    assert "pronoun → its noun English 0.18 (31%), Chinese 0.34 (69%)" in label
    explorer.controls["heads"].value = (11, 3)
    assert (
        "adjective → its noun English 0.21 (30%), Chinese 0.24 (35%)"
        in explorer.shown.panels["label"]
    )


def test_the_sentence_in_both_languages(explorer):
    assert explorer.sentence.endswith("it → animal 0.55. it reads mostly animal: 0.55.")
    use_language("zh")
    assert trained_explorer().sentence.endswith("it → animal 0.55。it 主要读 animal：0.55。")


def test_labels_in_words():
    tokens = ["▁it", "▁animal"]
    assert label_text(Label("pair", 0.553, 0, 1), tokens) == "it → animal 0.55"
    assert label_text(Label("next", 1.0), tokens) == "next token 1.00"
    assert label_text(Label("mixed", 0.1), tokens) == "no clear pattern"
    use_language("zh")
    assert label_text(Label("next", 0.985), tokens) == "后一个词元 0.98"


def test_the_line_of_changes_names_what_there_is_to_do_here():
    assert trained_explorer().spec["words"]["quietPlain"].startswith("Type a text")
    use_language("zh")
    assert search_explorer().spec["words"]["quietPlain"].startswith("输入一个问题")


def test_the_second_text_marks_the_same_tokens(explorer):
    """Not the same places: “tired” at 13 here stands at 3 there, “it” at 10 stands at 8."""
    typed(explorer, "other", "The very tired animal slept, it didn't cross.")
    first, second = explorer.shown.frames["A"].rows, explorer.shown.frames["B"].rows
    places = explorer.pool[explorer.pictures[0]["frames"]["B"]]["tokens"]
    for token, place in zip(second, places, strict=True):
        assert first[place] == token if place >= 0 else second.count(token) > first.count(token)
    assert [places[second.index(word)] for word in ("tired", "it")] == [13, 10]
    pairs = explorer.shown.frames["D"]
    assert [first[i] for i in pairs.tokens] == [row.split(" / ")[0] for row in pairs.rows]


def test_the_colours_of_a_small_difference_are_pale(explorer):
    typed(explorer, "other", CHINESE)  # shares start and end alone; they differ by 0.002 at most
    assert np.abs(explorer.result["D"]).max() < 0.01
    assert explorer.pictures[0]["scale"] == 0.5
    assert "no word" in explorer.shown.panels["both"] and "±0.5" in explorer.shown.panels["both"]
    explorer.controls["heads"].value = (11, 8)
    typed(explorer, "other", "The animal didn't cross the street because it was wide.")
    strongest = np.abs(explorer.result["D"]).max()
    assert explorer.pictures[0]["scale"] >= max(strongest, 0.5)
