"""The explorers of lesson 05: two vectors to turn, and the matrices that decide what matches."""

import itertools
import math
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_core import use_language
from attention_core.explorers import dot_product_explorer, match_explorer
from tests import reference

W_Q = [[4, 0], [1, -1], [0, 2]]
W_K = [[0, 1], [1, 0], [-1, 0]]
S = [[0, 4, -4], [-1, 1, -1], [2, 0, 0]]  # worked out by hand


def put(explorer, **settings):
    for name, value in settings.items():
        explorer.controls[name].value = value
    return explorer


# Two vectors.


def test_the_dot_product_at_all_extremes():
    explorer = dot_product_explorer()
    lengths, angles = (0, 0.25, 3), (0, 85, 180, 355)
    for q, a, k, b in itertools.product(lengths, angles, lengths, angles):
        put(explorer, q_length=q, q_angle=a, k_length=k, k_angle=b)
        assert explorer.message.frames == [""]
        wanted = q * k * math.cos(math.radians(a - b))
        assert math.isclose(explorer.result["dot"], wanted, abs_tol=1e-12)
        if q and k:
            assert math.isclose(explorer.result["cosine"], wanted / (q * k), abs_tol=1e-12)
        else:
            assert explorer.result["cosine"] is None


@pytest.mark.parametrize(
    ("angle", "dot"), [(30, 3), (90, 1.5), (120, 0), (300, 0), (210, -3), (150, -1.5)]
)
def test_exact_values(angle, dot):
    explorer = put(dot_product_explorer(), k_angle=angle)
    assert_allclose(explorer.result["dot"], dot, atol=1e-12)
    lines = _lines(explorer)
    assert [line.rsplit(" = ", 1)[1] for line in lines[:2]] == [str(dot).replace("-", "−")] * 2


def _lines(explorer):
    return re.findall("<p>(.*?)</p>", explorer.views["numbers"].frames[0])


def test_both_ways_to_the_number_are_spelled_out():
    first, second, _ = _lines(put(dot_product_explorer(), k_angle=150))
    assert first == "q · k = q₁k₁ + q₂k₂ = 1.7321·(−1.299) + 1·0.75 = −1.5"
    assert second == "q · k = |q| |k| cos θ = 2 · 1.5 · (−0.5) = −1.5"


def test_a_vector_without_length_has_no_angle():
    explorer = put(dot_product_explorer(), k_length=0)
    assert "no direction" in _lines(explorer)[1] and "cosine ·" in repr(explorer)
    assert "°" not in explorer.views["picture"].frames[0]
    put(explorer, k_length=1)
    assert "60°" in explorer.views["picture"].frames[0]


def test_turning_both_changes_nothing():
    before = dot_product_explorer()
    after = put(dot_product_explorer(), q_angle=30 + 155, k_angle=90 + 155)
    assert_allclose(before.result["dot"], after.result["dot"])
    assert not np.allclose(before.result["q"], after.result["q"])


def test_dragging_moves_the_arrow_that_was_grabbed():
    explorer = dot_product_explorer()  # q ends at (1.73, 1), k at (0, 1.5)
    pad = explorer.views["picture"]
    pad.hand = [0, 0.1, 1.4]
    pad.hand = [1, -1.0, -1.0]
    assert explorer.controls["k_angle"].value == 225
    assert explorer.controls["k_length"].value == 1.5
    assert (explorer.controls["q_angle"].value, explorer.controls["q_length"].value) == (30, 2)
    pad.hand = [1, 1.73, 1.0]  # over the other arrow, but still holding k
    assert explorer.controls["k_angle"].value == 30
    pad.hand = [0, 1.7, 1.1]
    pad.hand = [1, 9.0, -0.01]  # far outside, a hair below the axis
    assert (explorer.controls["k_angle"].value, explorer.controls["k_length"].value) == (30, 2)
    assert (explorer.controls["q_angle"].value, explorer.controls["q_length"].value) == (0, 3)


def test_text_form_in_both_languages():
    english = repr(put(dot_product_explorer(), k_angle=210))
    use_language("zh")
    chinese = repr(put(dot_product_explorer(), k_angle=210))
    assert english == "q = [1.73, 1.00], k = [−1.30, −0.75]: dot product −3, cosine −1."
    assert "点积 −3，余弦 −1" in chinese


def test_the_sliders_refuse_what_they_cannot_show():
    with pytest.raises(Exception, match="not one of its settings"):
        put(dot_product_explorer(), q_angle=7)


# Three tokens and two matrices.


def scores_by_hand(x, w_q, w_k):
    q, k = reference.matmul(x, w_q), reference.matmul(x, w_k)
    return [[reference.dot(a, b) for b in k] for a in q]


def test_the_presets():
    explorer = match_explorer()
    assert_allclose(explorer.result["scores"], S)
    assert_allclose(explorer.result["raw"], np.eye(3))
    put(explorer, preset="swapped")
    assert_allclose(explorer.result["scores"], np.transpose(S))
    put(explorer, preset="shared")
    assert_allclose(explorer.result["scores"], scores_by_hand(np.eye(3).tolist(), W_Q, W_Q))


def test_scores_at_all_extremes():
    explorer = match_explorer()
    wide = [np.zeros((3, 2)), np.full((3, 2), -30.0), np.arange(6).reshape(3, 2) - 2.0]
    for x in (np.eye(3), np.zeros((3, 3)), np.arange(9).reshape(3, 3) - 30.0):
        for w_q, w_k in itertools.product(wide, wide):
            put(explorer, X=x, W_Q=w_q, W_K=w_k)
            assert explorer.message.frames == [""]
            wanted = scores_by_hand(x.tolist(), w_q.tolist(), w_k.tolist())
            assert_allclose(explorer.result["scores"], wanted)
            assert_allclose(explorer.result["raw"], reference.matmul(x.tolist(), x.T.tolist()))


def outlined(explorer):
    frame = explorer.views["scores"].frames[explorer._frame_number()]
    return np.array(frame["outlined"])


def test_frames_mark_what_is_not_symmetric():
    explorer = match_explorer()
    assert_allclose(outlined(explorer), ~np.eye(3, dtype=bool))
    assert "3 of 3 pairs" in repr(explorer)
    put(explorer, preset="shared")
    assert not outlined(explorer).any() and "symmetric" in repr(explorer)
    put(explorer, preset="two")
    changed = np.array(W_K, dtype=float)
    changed[0, 0] = -0.25  # now animal gives it −1·1 − 0.25·1
    put(explorer, W_K=changed)
    assert explorer.controls["preset"].value == "yours"
    assert_allclose(
        explorer.result["scores"], scores_by_hand(np.eye(3).tolist(), W_Q, changed.tolist())
    )


def test_editing_leaves_the_preset_and_x_keeps_it():
    explorer = match_explorer("shared")
    explorer.controls["W_Q"].set_cell(2, 0, 5)
    assert explorer.controls["preset"].value == "yours"
    assert not np.allclose(explorer.result["scores"], explorer.result["scores"].T)
    explorer = match_explorer("shared")
    explorer.controls["X"].set_cell(0, 1, 2)
    assert explorer.controls["preset"].value == "shared"
    assert "symmetric" in repr(explorer)


def test_arithmetic_of_selected_cells():
    explorer = match_explorer()
    explorer.views["scores"].selected = [1, 0]
    assert "S₂₁ = q₂ · k₁ = 1·0 + (−1·1) = −1" in explorer.detail.frames[0]
    explorer.views["raw"].selected = [0, 2]
    assert "(X Xᵀ)₁₃ = x₁ · x₃ = 1·0 + 0·0 + 0·1 = 0" in explorer.detail.frames[0]
    explorer.views["k"].selected = [2, 0]
    assert "K₃₁ = (X W_K)₃₁ = 0·0 + 0·1 + 1·(−1) = −1" in explorer.detail.frames[0]


def test_languages_and_two_instances():
    first, second = match_explorer(), match_explorer()
    put(first, preset="swapped")
    assert_allclose(second.result["scores"], S)
    use_language("zh")
    assert "3 对中有 3 对" in repr(match_explorer()) and "对称" in repr(match_explorer("shared"))


def test_an_error_is_shown_in_words():
    explorer = match_explorer()
    put(explorer, W_Q=np.full((3, 2), 1e200), X=np.full((3, 3), 1e200))
    assert explorer.message.frames[0] and "Traceback" not in explorer.message.frames[0]
