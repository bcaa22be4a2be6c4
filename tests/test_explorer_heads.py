"""Lesson 11's explorer: each arrangement of the heads against heads computed one by one."""

import numpy as np
from numpy.testing import assert_allclose

from attention_core.example import HEADS, W_O, hidden
from attention_core.explorers import heads_explorer
from tests import reference
from tests.loops import for_each

# What stands in place 0 and place 1, and whether the rows of W_O have moved along.
PLACES = {
    "different": ((0, 1), False),
    "alike": ((0, 0), False),
    "exchanged": ((1, 0), False),
    "with_rows": ((1, 0), True),
}


def by_hand(places, moved):
    """Weights and output from the slow loop, one head after the other."""
    x, blocks = hidden(), [W_O[:3], W_O[3:] / 2][:: -1 if moved else 1]
    heads = [map(np.array, reference.attention(*(x @ w for w in HEADS[i]))) for i in places]
    heads = [tuple(head) for head in heads]
    output = sum(o @ block for (o, _), block in zip(heads, blocks, strict=True))
    return output, [a for _, a in heads]


@for_each("name", PLACES)
def test_each_arrangement_is_computed_head_by_head(name):
    explorer = heads_explorer()
    explorer.controls["heads"].value = name
    output, (first, second) = by_hand(*PLACES[name])
    assert_allclose(explorer.result["O"], output)
    assert_allclose(explorer.result["A0"], first)
    assert_allclose(explorer.result["A1"], second)
    assert_allclose(explorer.result["mean"], (first + second) / 2)


def test_only_the_rows_of_w_o_bring_the_output_back():
    explorer = heads_explorer()
    start = explorer.result["O"].copy()
    explorer.controls["heads"].value = "exchanged"
    assert not np.allclose(explorer.result["O"], start)
    explorer.controls["heads"].value = "with_rows"
    assert_allclose(explorer.result["O"], start)
