"""The explorer of lesson 02: what is kept, what is made, and what a change reaches."""

import re

import numpy as np

from attention_core import use_language
from attention_core.explorers import parameters_explorer
from attention_core.explorers.parameters import KEPT, MADE, SENTENCES
from tests import reference
from tests.loops import for_each

EVERY = [(sentence, weights) for sentence in (0, 1) for weights in (0, 1, 2)]


def at(sentence, weights):
    explorer = parameters_explorer()
    explorer.controls["sentence"].value = sentence
    explorer.controls["weights"].value = weights
    return explorer


def html(explorer):
    number = explorer._frame_number()
    return [explorer.views[f"layer_{layer}"].frames[number] for layer in (1, 2)]


@for_each("settings", EVERY)
def test_both_layers_are_those_of_the_slow_reference(settings):
    layers = at(*settings).result["layers"]
    x = layers[0]["x"].tolist()
    for layer in layers:
        np.testing.assert_allclose(layer["x"], x, atol=1e-9)
        q, k, v = (reference.matmul(x, layer[role].tolist()) for role in KEPT)
        for name, slow in (("q", q), ("k", k), ("v", v)):
            np.testing.assert_allclose(layer[name], slow, atol=1e-9)
        output, _ = reference.attention(q, k, v)
        x = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(x, output, strict=True)]


def test_the_same_word_has_the_same_vector_and_others_have_not():
    first, second = (at(number, 0).result["layers"][0]["x"] for number in (0, 1))
    rows = dict(zip(SENTENCES[0] + SENTENCES[1], np.vstack([first, second]).tolist(), strict=True))
    for words, x in zip(SENTENCES, (first, second), strict=True):
        assert [rows[word] for word in words] == x.tolist()
    assert len({tuple(row) for row in rows.values()}) == len(rows) == 6


@for_each(
    ("settings", "kept_changed", "made_changed"),
    [
        ((0, 0), 0, 0),
        ((1, 0), 0, 3 * 10 + 50),  # layer 1: three new words; layer 2: everything
        ((0, 1), 40, 50 + 50),
        ((0, 2), 40, 50),  # layer 1 does not notice
        ((1, 2), 40, 3 * 10 + 50),
    ],
)
def test_what_a_change_reaches(settings, kept_changed, made_changed):
    result = at(*settings).result
    assert (result["kept"], result["made"]) == (80, 100)
    assert (result["kept_changed"], result["made_changed"]) == (kept_changed, made_changed)


def test_changed_weights_of_layer_2_leave_layer_1_as_it_was():
    layer = at(0, 2).result["layers"][0]
    assert not any(layer["changed"][name].any() for name in (*KEPT, *MADE))


def test_changes_can_be_seen_in_the_digits_shown():
    """A red frame around a number that looks the same would only confuse."""
    start, other = (at(sentence, 0).result["layers"][1] for sentence in (0, 1))
    for name in MADE:
        assert (start[name].round(1) != other[name].round(1)).all(), name


@for_each("settings", EVERY)
def test_frames_and_verdicts_follow_the_numbers(settings):
    explorer = at(*settings)
    for layer, page in zip(explorer.result["layers"], html(explorer), strict=True):
        expected = sum(int(layer["changed"][name].sum()) for name in (*KEPT, *MADE))
        assert page.count("#d62728") == expected
        assert page.count("unchanged") == sum(
            not layer["changed"][name].any() for name in (*KEPT, *MADE)
        )
        assert page.count("<table") == 7


def test_rows_are_named_by_their_words():
    labels = re.findall(r'<th scope="row"[^>]*>(\w+)</th>', html(at(1, 0))[0])
    assert labels == [*SENTENCES[1]] * 4  # X, Q, K, V; rows of a W are no tokens


def test_text_form_in_both_languages():
    use_language("zh")
    chinese = at(1, 2)
    use_language("en")
    assert re.findall(r"\d+", repr(at(1, 2)))[-4:] == ["80", "40", "100", "80"]
    assert re.findall(r"\d+", repr(chinese))[-4:] == ["80", "40", "100", "80"]
    assert "it was the wide street" in repr(chinese) and "改动第 2 层的 W" in repr(chinese)
