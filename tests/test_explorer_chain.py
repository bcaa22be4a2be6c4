"""The whole chain on screen: every step against the slow reference, and what each part moves."""

import math

import numpy as np
import pytest

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
