"""Lesson 00's explorer against the slow reference, and what each part of it moves."""

import math

import numpy as np
import pytest

from attention_core import use_language
from attention_core.example import hidden, tokens
from attention_core.explorers import overview_explorer
from tests import reference

CHANGED = {"X": (1, 3, 2.5), "WQ": (3, 1, -0.75), "WK": (0, 1, 1.5), "WV": (2, 2, 4.0)}


def expected(explorer):
    """Weights and outputs by the reference, from the controls alone."""
    X, WQ, WK, WV, M = (explorer.controls[n].value.tolist() for n in ("X", "WQ", "WK", "WV", "M"))
    q, k, v = (reference.matmul(X, w) for w in (WQ, WK, WV))
    scale = 1 / math.sqrt(2) if explorer.controls["scaled"].value else 1.0
    return reference.attention(q, k, v, M, scale)


@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("mask", ["none", "causal"])
@pytest.mark.parametrize("word", ["tired", "wide"])
def test_every_setting_against_the_reference_also_after_edits(word, mask, scaled):
    explorer = overview_explorer()
    for name, value in {"word": word, "mask": mask, "scaled": scaled}.items():
        explorer.controls[name].value = value
    for name, edit in {None: None, **CHANGED}.items():
        if name:
            explorer.controls[name].set_cell(*edit)
        output, weights = expected(explorer)
        np.testing.assert_allclose(explorer.result["O"], output, atol=1e-12)
        np.testing.assert_allclose(explorer.result["A"], weights, atol=1e-12)


def test_the_last_word_changes_row_four_of_x_and_no_parameter():
    explorer = overview_explorer()
    before = {name: part.value for name, part in explorer.controls.items()}
    explorer.controls["word"].value = "wide"
    for name in ("WQ", "WK", "WV", "M"):
        assert explorer.controls[name].value is before[name]
    np.testing.assert_array_equal(explorer.controls["X"].value, hidden("wide"))
    assert explorer.shown.frames["A"].rows == tokens("wide")


def test_a_preset_never_lies():
    """Causal, then a cell clicked by hand, then none: the name always fits the mask."""
    explorer = overview_explorer()
    explorer.controls["mask"].value = "causal"
    explorer.controls["M"].set_cell(0, 3, True)
    assert explorer.controls["mask"].value == "yours"
    explorer.controls["M"].set_cell(0, 3, False)
    assert explorer.controls["mask"].value == "causal"
    explorer.controls["mask"].value = "none"
    assert explorer.controls["M"].value.all()


def test_the_sentence_in_both_languages():
    assert repr(overview_explorer()).endswith("tired reads mostly animal: 0.70.")
    use_language("zh")
    assert repr(overview_explorer()).endswith("累 主要读 动物：0.70。")


def test_numbers_too_large_are_answered_in_words_and_start_again_clears_them():
    explorer = overview_explorer()
    explorer.controls["X"].set_cell(0, 0, 1e200)
    explorer.controls["WQ"].set_cell(0, 0, 1e200)
    assert "These settings do not work" in explorer.note
    explorer.reset()
    assert explorer.note == ""
