"""The explorer of lesson 07 against softmax worked out slowly, along both axes."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_core.explorers import softmax_explorer
from attention_core.explorers.softmax import SHIFTS, TEMPERATURES, S, V
from tests import reference


def put(explorer, **settings):
    for name, value in settings.items():
        explorer.controls[name].value = value
    return explorer


@pytest.mark.parametrize("axis", [-1, 0])
def test_weights_and_output_at_every_temperature_and_shift(axis):
    explorer = put(softmax_explorer(), axis=axis)
    for c, t in itertools.product(SHIFTS, TEMPERATURES):
        put(explorer, c=c, T=t)
        logits = np.array(S) / t  # the shift must make no difference
        lines = logits if axis == -1 else logits.T
        wanted = np.array([reference.softmax(line.tolist()) for line in lines])
        wanted = wanted if axis == -1 else wanted.T
        assert_allclose(explorer.result["A"], wanted, atol=1e-12 * max(1, abs(c) / t))
        assert_allclose(explorer.result["O"], wanted @ V, atol=1e-9)


def test_only_the_wrong_axis_leaves_the_triangle():
    explorer = softmax_explorer()
    rng = np.random.default_rng(2)
    for _ in range(20):
        put(explorer, S=rng.normal(size=(2, 3)) * 10, T=float(rng.choice(TEMPERATURES)))
        assert_allclose(explorer.result["A"].sum(axis=-1), 1)
        assert (explorer.result["O"] <= np.max(V, axis=0) + 1e-12).all()
    put(explorer, S=S, T=1, axis=0)
    by_hand = 1 / (1 + math.e) + 1 / (1 + math.exp(-2)) + 1 / (1 + math.exp(-1.5))
    assert explorer.result["A"][0].sum() == pytest.approx(by_hand)
    assert explorer.shown.frames["A"].made == "Z[k,c]"


def test_the_start_in_words():
    text = repr(softmax_explorer())
    assert text.startswith("Query 1: scores [1, 2, 2.50], weights [0.12, 0.33, 0.55] with sum 1")
