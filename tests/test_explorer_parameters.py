"""The explorer of lesson 02: what is kept, what is made, and what a change reaches."""

import re

import numpy as np

from attention_core import example, use_language
from attention_core.explorers import parameters_explorer
from attention_core.explorers.parameters import KEPT, MADE, W2_K, W2_Q, W2_V
from tests import reference
from tests.loops import for_each


def at(sentence):
    explorer = parameters_explorer()
    explorer.controls["sentence"].value = sentence
    return explorer


def rows_that_moved(explorer):
    """For each matrix that is made, the numbers of the rows that are not those of the start."""
    begun = parameters_explorer().result
    return {
        name: [i for i, row in enumerate(x) if not np.allclose(row, begun[name][i])]
        for name, x in explorer.result.items()
    }


@for_each("sentence", ["tired", "wide", "first", "twice"])
def test_both_layers_are_those_of_the_slow_reference(sentence):
    explorer = at(sentence)
    given = {name: np.array(x).tolist() for name, x in explorer.settings.items()}
    x = given["X"]
    q, k, v = (reference.matmul(x, given[name]) for name in ("WQ", "WK", "WV"))
    o, a = reference.attention(q, k, v)
    back = reference.matmul(o, given["WO"])
    h = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(x, back, strict=True)]
    slow = {"Q": q, "K": k, "V": v, "A": a, "O": o, "H": h}
    slow |= {f"{y}2": reference.matmul(h, given[f"W{y}2"]) for y in "QKV"}
    assert slow.keys() == explorer.result.keys()
    for name, expected in slow.items():
        np.testing.assert_allclose(explorer.result[name], expected, atol=1e-12, err_msg=name)


def test_numbers_are_those_of_the_lesson():
    """Layer 1 is the running example; layer 2 is drawn as the lesson draws it."""
    rng = np.random.default_rng(0)
    for n in (4, 40, 400):
        rng.integers(0, 5, size=n)
    for ours, d in ((W2_Q, 2), (W2_K, 2), (W2_V, 3)):
        np.testing.assert_array_equal(ours, rng.integers(-2, 3, size=(5, d)))
    for name, expected in zip("QKV", example.qkv("wide"), strict=True):
        np.testing.assert_array_equal(at("wide").result[name], expected)


def test_another_word_leaves_every_parameter_to_the_bit():
    before, after = at("tired").settings, at("wide").settings
    for name in (*KEPT[1], *KEPT[2]):
        assert before[name].tobytes() == after[name].tobytes()


@for_each(
    ("sentence", "moved"),
    [
        ("wide", {"Q": [3], "K": [], "V": [], "A": [3], "O": [3], "H": [3], "Q2": [3]}),
        ("first", {"Q": [0], "K": [0], "V": [0], "H": [0, 1, 2, 3], "Q2": [0, 1, 2, 3]}),
    ],
)
def test_what_another_word_reaches(sentence, moved):
    found = rows_that_moved(at(sentence))
    assert {name: found[name] for name in moved} == moved


def test_matrices_of_layer_2_leave_layer_1_as_it_was():
    explorer = at("tired")
    explorer.controls["WV2"].set_cell(0, 0, 3)
    moved = rows_that_moved(explorer)
    assert [name for name, rows in moved.items() if rows] == ["V2"]


def test_a_parameter_is_felt_in_the_next_sentence_too():
    explorer = at("tired")
    explorer.controls["WQ"].set_cell(0, 1, 1)
    assert rows_that_moved(explorer)["Q"] == [0, 1, 2]
    explorer.controls["sentence"].value = "wide"
    assert explorer.result["Q"][0].tolist() == [0, 1]


@for_each(
    ("sentence", "words"),
    [("wide", "animal street it wide"), ("first", "wide street it tired"),
     ("twice", "it street it tired")],
)  # fmt: skip
def test_rows_are_named_by_their_words(sentence, words):
    frames = at(sentence).shown.frames
    for name in ("X", *MADE[1], *MADE[2]):
        assert frames[name].rows == words.split(), name


def test_counts_in_both_languages():
    use_language("zh")
    chinese = at("wide")
    use_language("en")
    english = at("wide")
    english.controls["WQ"].set_cell(4, 0, 2)
    assert re.findall(r"\d+", chinese.sentence) == ["85", "0", "104", "15"]
    assert re.findall(r"\d+", english.sentence)[:2] == ["1", "85"]
    assert "1 of 50 numbers" in english.shown.panels["counts"]
    assert "35 个数都与开始时相同" in chinese.shown.panels["counts"]
