"""Explorers of lessons 04 and 10 against products worked out by hand and the slow reference."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from attention_core.example import CROSS, hidden, translation
from attention_core.explorers import cross_explorer, scores_explorer
from tests import reference


def test_the_scores_of_the_sentence_are_those_of_the_table():
    explorer = scores_explorer()
    explorer.controls["numbers"].value = "sentence"
    assert_array_equal(
        explorer.result["S"], [[0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0], [3, -1, 1, 0]]
    )


def test_three_queries_and_four_keys_worked_out_by_hand():
    explorer = scores_explorer()
    assert_array_equal(explorer.result["S"], [[1, 0, 3, 2], [5, 6, 9, 1], [2, 4, 2, -2]])
    assert explorer.shown.frames["S"].cols == ["k₁", "k₂", "k₃", "k₄"]
    explorer.controls["KT"].set_cell(1, 2, 10)  # the second entry of key 3
    assert explorer.controls["numbers"].value == "yours"
    assert_array_equal(explorer.result["S"], [[1, 0, 3, 2], [5, 6, 36, 1], [2, 4, 20, -2]])
    assert explorer.shown.summary[1] == "query 2 fits key 3 best: 36"


def test_the_side_that_asks_decides_the_rows_and_the_side_that_is_read_the_columns():
    explorer = cross_explorer()
    x, y = translation()[1], hidden()
    explorer.controls["Y"].set_cell(1, 4, 0.7)
    y[1, 4] = 0.7
    for sources, q_side, k_side in (("cross", x, y), ("self", x, x), ("swapped", y, x)):
        explorer.controls["sources"].value = sources
        q, k, v = (
            reference.matmul(side.tolist(), w.tolist())
            for side, w in zip((q_side, k_side, k_side), CROSS, strict=True)
        )
        output, weights = reference.attention(q, k, v)
        assert explorer.result["A"].shape == (len(q_side), len(k_side))
        assert_allclose(explorer.result["A"], weights, atol=1e-12)
        assert_allclose(explorer.result["O"], output, atol=1e-12)
        frame = explorer.shown.frames["A"]
        assert (len(frame.rows), len(frame.cols)) == (len(q_side), len(k_side))


def test_shapes_differ_wherever_they_may():
    result = cross_explorer().result
    assert [np.shape(result[name]) for name in ("Q", "K", "V", "A", "O")] == [
        (3, 3), (4, 3), (4, 2), (3, 4), (3, 2),
    ]  # fmt: skip
