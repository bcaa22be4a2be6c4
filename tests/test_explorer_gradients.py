"""The explorer of lesson 16 against central differences and spelled-out arithmetic."""

import numpy as np
import pytest

from attention_core.drawing.numbers import cell_text
from attention_core.explorers import gradients_explorer
from attention_core.explorers.gradients import ETAS, RATES
from tests.reference import attention as slow_attention


def loss(settings, mask, scale):
    output, _ = slow_attention(
        settings["Q"].tolist(), settings["K"].tolist(), settings["V"].tolist(), mask.tolist(), scale
    )
    return float(((np.array(output) - settings["T"]) ** 2).sum() / 2)


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


@pytest.mark.parametrize("preset", ["none", "causal"])
@pytest.mark.parametrize("scaled", [True, False])
def test_gradients_are_those_of_the_loss(preset, scaled):
    explorer = gradients_explorer()
    explorer.controls["mask"].value = preset
    explorer.controls["scaled"].value = scaled
    explorer.controls["Q"].set_cell(1, 0, -1.5)
    settings = {name: explorer.controls[name].value for name in ("Q", "K", "V", "T")}
    scale = 2**-0.5 if scaled else 1.0
    for name, shown in (("Q", "dQ"), ("K", "dK"), ("V", "dV")):
        expected = central(settings, name, explorer.controls["M"].value, scale)
        np.testing.assert_allclose(explorer.result[shown], expected, atol=1e-7)


def test_a_step_does_what_it_says_and_can_be_undone():
    explorer = gradients_explorer()
    before, promised = explorer.result["loss"], explorer.result["loss_after"]
    start = {name: explorer.controls[name].value for name in "QKV"}
    explorer._on_message(None, {"do": "press", "name": "step"}, [])
    assert explorer.result["loss"] == pytest.approx(promised, abs=1e-12)
    assert promised < before
    assert explorer.history == [1, 0]
    explorer.undo()
    for name, value in start.items():
        np.testing.assert_array_equal(explorer.controls[name].value, value)


def test_gradients_inside_are_those_of_the_chain_rule():
    """dA by hand for one cell, dS from the Jacobian of one row."""
    explorer = gradients_explorer()
    result, v = explorer.result, explorer.controls["V"].value
    assert result["dA"][3, 1] == pytest.approx(result["dO"][3] @ v[1])
    a = result["A"][3]
    np.testing.assert_allclose(result["dS"][3], (np.diag(a) - np.outer(a, a)) @ result["dA"][3])


def test_the_curve_is_the_loss_after_a_step_with_every_learning_rate():
    explorer = gradients_explorer()
    explorer.controls["T"].set_cell(0, 0, 2)
    start = {name: explorer.controls[name].value for name in "QKVT"}
    gradients = {name: explorer.result["d" + name] for name in "QKV"}
    for eta, shown in list(zip(ETAS, explorer.result["curve"], strict=True))[::5]:
        stepped = {name: start[name] - eta * gradients[name] for name in "QKV"} | {"T": start["T"]}
        assert shown == pytest.approx(loss(stepped, np.ones((4, 4), bool), 2**-0.5))
    for rate in RATES:
        explorer.controls["rate"].value = rate
        assert (
            f"at η = {rate} it is {cell_text(explorer.result['loss_after'])}"
            in (explorer.shown.panels["curve"])
        )
        assert explorer.result["loss_after"] == explorer.result["curve"][ETAS.index(rate)]
