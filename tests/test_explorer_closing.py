"""The explorer of lesson 14 judges the learner's own function."""

import numpy as np
import pytest

from attention_core import attention
from attention_core.explorers import closing_explorer


def right(q, k, v, allowed):
    return attention(q, k, v, allowed)[0]


def test_without_a_function_it_says_not_yet():
    for mine in (None, lambda q, k, v, allowed: ...):
        assert "nothing yet" in repr(closing_explorer(mine))


def test_the_right_function_agrees_everywhere():
    explorer = closing_explorer(right)
    for mask in ("none", "causal"):
        explorer.controls["mask"].value = mask
        explorer.controls["Q"].set_cell(1, 0, -7.0)
        assert repr(explorer).startswith("Both agree")


def test_wrong_entries_are_framed():
    def unscaled(q, k, v, allowed):
        return attention(q, k, v, allowed, scale=1.0)[0]

    explorer = closing_explorer(unscaled)
    assert repr(explorer).startswith("They differ")
    framed = np.array(explorer.shown.frames["mine"].marked)
    assert not framed[:3].any()  # one key, or queries that are zero or meet equal scores
    assert framed[3].any()


@pytest.mark.parametrize(
    ("mine", "words"),
    [
        (lambda q, k, v, allowed: 1 / 0, "division by zero"),
        (lambda q, k, v, allowed: v[:1], "(1, 3)"),
        (lambda q, k, v: v, "positional argument"),
        (lambda q, k, v, allowed: "text", "stops"),
    ],
)
def test_what_goes_wrong_is_said_in_words(mine, words):
    explorer = closing_explorer(mine)
    assert words in repr(explorer)
    assert explorer.note == ""


def test_a_function_that_writes_into_its_inputs_does_not_hurt():
    def writes(q, k, v, allowed):
        q[:] = 0
        return v

    explorer = closing_explorer(writes)
    assert explorer.controls["Q"].value.any()
