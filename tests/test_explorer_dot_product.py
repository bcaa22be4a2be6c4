"""Explorers of lesson 05: geometry against arithmetic, and who matches whom in the sentence."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attention_core.example import W_K, W_Q, hidden
from attention_core.explorers import dot_product_explorer, match_explorer
from attention_core.explorers.dot_product import ANGLES, LENGTHS
from tests import reference


def put(explorer, **settings):
    with explorer.together():
        for name, value in settings.items():
            explorer.controls[name].value = value
    return explorer


def test_the_dot_product_is_lengths_times_cosine():
    explorer = dot_product_explorer()
    for q, k, a, b in itertools.product(LENGTHS[::6], LENGTHS[::4], ANGLES[::24], ANGLES[::18]):
        put(explorer, q_length=q, k_length=k, q_angle=a, k_angle=b)
        wanted = q * k * math.cos(math.radians(a - b))
        assert explorer.result["dot"] == pytest.approx(wanted, abs=1e-9)
        frame = explorer.shown.frames
        by_hand = np.dot(frame["Q"].values[0], frame["K"].values[0])
        assert frame["S"].values[0][0] == pytest.approx(by_hand)
    put(explorer, q_length=0)
    assert explorer.result["cosine"] is None and "cosine ·" in repr(explorer)


def test_a_hand_moves_the_nearer_arrow_and_one_undo_takes_it_back():
    explorer = dot_product_explorer()
    drag = {"do": "drag", "name": "arrows", "x": 0.1, "y": 1.4, "grabbed": True}
    explorer._on_message(None, drag, [])
    explorer._on_message(None, {**drag, "x": -2.0, "y": 0.0, "grabbed": False}, [])
    assert_allclose(explorer.result["k"], [-2, 0], atol=1e-9)
    assert (explorer.controls["q_length"].value, explorer.controls["q_angle"].value) == (2, 30)
    explorer.undo()
    assert explorer.controls["k_angle"].value == 85


def test_at_a_right_angle_the_score_is_exactly_zero():
    for angle in ANGLES:
        explorer = put(
            dot_product_explorer(), q_length=2.25, q_angle=angle,
            k_length=2.75, k_angle=(angle + 90) % 360,
        )  # fmt: skip
        assert explorer.shown.frames["S"].values == [[0]]


def test_the_picture_names_what_it_shows():
    explorer = put(dot_product_explorer(), q_length=2, q_angle=0, k_length=1.5, k_angle=120)
    panels = explorer.shown.panels
    assert "the part of k along q is −0.75 long" in panels["arrows"]
    assert "sum −1.50" in panels["products"]


def test_scores_of_the_sentence_with_each_pair_of_matrices():
    explorer, x = match_explorer(), hidden().tolist()
    for name, (q, k) in {"two": (W_Q, W_K), "swapped": (W_K, W_Q), "shared": (W_Q, W_Q)}.items():
        put(explorer, matrices=name)
        queries, keys = reference.matmul(x, q.tolist()), reference.matmul(x, k.tolist())
        scores = [[reference.dot(a, b) for b in keys] for a in queries]
        assert_array_equal(explorer.result["S"], scores)
        marked = np.array(explorer.shown.frames["S"].marked)
        assert marked.any() == (name != "shared")
    assert_array_equal(explorer.result["L"], [[reference.dot(a, b) for b in x] for a in x])


def test_one_number_makes_street_look_for_animal():
    """What the lesson's answer says: −1 in W_Q at living, second column."""
    explorer = match_explorer()
    explorer.controls["WQ"].set_cell(1, 1, -1)
    assert_array_equal(explorer.result["S"][1], [1, -1, 0, 0])
    assert 1 in explorer.done
