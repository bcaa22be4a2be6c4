"""The whole chain on screen: every step against the slow reference, and what each part moves."""

import math

import numpy as np
import pytest

from attention_core import use_language
from attention_core.explorers import overview_explorer
from attention_core.explorers.chain import chain_explorer
from tests import reference

Q = [[1.0, 0.5, -2.0], [0.0, 3.0, 1.0]]
K = [[1.0, 2.0, 0.0], [-1.0, 0.5, 1.0], [0.25, 0.0, 4.0], [2.0, -1.0, 1.0], [0.0, 1.0, 0.0]]
V = [[1.0, 7.0], [0.0, -2.0], [3.0, 1.0], [5.0, 0.5], [-4.0, 2.0]]
ALLOWED = {  # by hand, for two queries and five keys
    "none": [[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]],
    "causal": [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]],
    "padding": [[1, 1, 1, 1, 0], [1, 1, 1, 1, 0]],
    "causal+padding": [[1, 1, 1, 1, 0], [1, 1, 1, 1, 0]],
    "window": [[0, 0, 1, 1, 0], [0, 0, 0, 1, 1]],
}


def expected(q, k, v, allowed, scaled=True):
    mask = [[bool(may) for may in row] for row in allowed]
    scale = 1 / math.sqrt(len(q[0])) if scaled else 1.0
    return reference.attention(q, k, v, mask, scale)


def shown(view, number):
    return np.array(
        [[math.nan if x is None else x for x in row] for row in view.frames[number]["values"]]
    )


@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("preset", ALLOWED)
def test_every_mask_and_scaling_against_the_reference(preset, scaled):
    explorer = chain_explorer(Q, K, V)
    explorer.controls["preset"].value = preset
    explorer.controls["scaled"].value = scaled
    output, weights = expected(Q, K, V, ALLOWED[preset], scaled)
    np.testing.assert_allclose(explorer.result["output"], output, atol=1e-12)
    np.testing.assert_allclose(explorer.result["weights"], weights, atol=1e-12)
    np.testing.assert_array_equal(explorer.result["mask"], np.array(ALLOWED[preset], bool))
    number = explorer._frame_number()  # what the browser picks is what was computed
    np.testing.assert_allclose(shown(explorer.views["weights"], number), weights, atol=1e-8)
    np.testing.assert_allclose(shown(explorer.views["output"], number), output, atol=1e-8)


def test_v_moves_the_output_alone_and_k_moves_the_weights():
    explorer = overview_explorer()
    before = explorer.result
    explorer.controls["V"].set_cell(2, 0, 30)
    after = explorer.result
    np.testing.assert_array_equal(after["weights"], before["weights"])
    assert not np.allclose(after["output"], before["output"])
    explorer.controls["K"].set_cell(2, 0, 4)
    changed = explorer.result["scores"] != after["scores"]
    assert changed.any(axis=0).tolist() == [False, False, True]  # one key, one column
    assert not np.allclose(explorer.result["weights"], after["weights"])


def test_a_clicked_mask_is_kept_and_named_yours():
    explorer = chain_explorer(Q, K, V, preset="causal")
    explorer.controls["mask"].set_cell(1, 0, False)
    assert explorer.controls["preset"].value == "yours"
    allowed = [[1, 1, 1, 1, 0], [0, 1, 1, 1, 1]]
    np.testing.assert_allclose(
        explorer.result["weights"], expected(Q, K, V, allowed)[1], atol=1e-12
    )
    explorer.controls["preset"].value = "none"
    assert explorer.controls["mask"].value.all()


def test_a_row_that_sees_nothing_says_so():
    explorer = overview_explorer()
    explorer.controls["mask"].value = np.array([[0, 0, 0], [1, 1, 0], [1, 1, 1]], bool)
    np.testing.assert_array_equal(explorer.result["output"][0], [0, 0])
    frame = explorer.views["weights"].frames[explorer._frame_number()]
    assert frame["notes"] == ["sees nothing", "1.00", "1.00"]
    assert frame["hatched"][0] == [True, True, True]


def test_arithmetic_of_selected_cells():
    explorer = chain_explorer(Q, K, V)
    said = {}
    for name, view in explorer.views.items():
        view.selected = [1, 0]
        said[name] = explorer.detail.frames[0]
    assert "q₂ · k₁ = 0·1 + 3·2 + 1·0 = 6" in said["scores"]
    assert "6 / √3 = 3.4641" in said["scaled_scores"]
    assert "3.4641 + 0 = 3.4641" in said["masked"]
    assert "e^3.4641 / (e^3.4641 + e^1.4434 + e^2.3094 + e^−1.1547 + e^1.7321)" in said["weights"]
    assert f"{explorer.result['output'][1, 0]:.4f}" in said["output"]


def test_text_form_in_both_languages():
    assert repr(overview_explorer()).startswith("Weights A = [0.40, 0.20, 0.40; 0.20, 0.40, 0.40;")
    use_language("zh")
    assert repr(overview_explorer()).endswith("输出 O = [1.60, 0.80; 1.40, 1.20; 1.76, 1.00]。")


def test_numbers_too_large_are_answered_in_words():
    explorer = overview_explorer()
    explorer.controls["Q"].set_cell(0, 0, 1e200)
    explorer.controls["K"].set_cell(0, 0, 1e200)
    assert "These settings do not work" in explorer.message.frames[0]
    explorer.reset()
    assert explorer.message.frames[0] == ""


def test_dot_products_of_whole_numbers_are_shown_as_whole_numbers():
    frame = overview_explorer().views["scores"].frames[0]
    assert frame["texts"] == [["1", "0", "1"], ["0", "1", "1"], ["1", "1", "2"]]
