"""The explorer of lesson 16 against central differences and spelled-out arithmetic."""

import numpy as np
import pytest

from attention_core.explorers import gradients_explorer
from tests.reference import attention as slow_attention


def loss(settings, mask, scale):
    output, _ = slow_attention(
        settings["Q"].tolist(), settings["K"].tolist(), settings["V"].tolist(), mask.tolist(), scale
    )
    return float((np.array(output) * settings["dO"]).sum())


def central(settings, name, mask, scale, step=1e-5):
    gradient = np.zeros_like(settings[name])
    for index in np.ndindex(gradient.shape):
        sides = []
        for sign in (1, -1):
            moved = {n: x.copy() for n, x in settings.items()}
            moved[name][index] += sign * step
            sides.append(loss(moved, mask, scale))
        gradient[index] = (sides[0] - sides[1]) / (2 * step)
    return gradient


@pytest.mark.parametrize("preset", ["none", "causal", "padding", "window"])
@pytest.mark.parametrize("scaled", [True, False])
def test_gradients_are_those_of_the_loss(preset, scaled):
    explorer = gradients_explorer()
    explorer.controls["preset"].value = preset
    explorer.controls["scaled"].value = scaled
    explorer.controls["Q"].set_cell(1, 0, -1.5)
    settings = {name: explorer.controls[name].value for name in ("Q", "K", "V", "dO")}
    scale = 2**-0.5 if scaled else 1.0
    for name, shown in (("Q", "dq"), ("K", "dk"), ("V", "dv")):
        expected = central(settings, name, explorer.result["mask"], scale)
        np.testing.assert_allclose(explorer.result[shown], expected, atol=1e-7)


@pytest.mark.parametrize("view", ["d_weights", "d_scores", "dq", "dk", "dv"])
def test_the_arithmetic_ends_with_the_number_in_the_cell(view):
    explorer = gradients_explorer()
    explorer.controls["preset"].value = "causal"
    explorer.views[view].selected = [2, 0]
    said = explorer.detail.frames[0].split("=")[-1].split("<")[0].strip().replace("−", "-")
    assert float(said) == pytest.approx(explorer.result[view][2, 0], abs=1e-4)
