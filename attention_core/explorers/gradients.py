"""Lesson 16: change an entry, see the three gradients move."""

import numpy as np

from attention_core.attention import attention_scores, attention_steps
from attention_core.explorers import spell
from attention_core.explorers.base import Explorer
from attention_core.explorers.chain import matrix_text, weight_cells
from attention_core.explorers.controls import Check
from attention_core.explorers.matrix_view import MatrixView, cells
from attention_core.explorers.presets import preset_choice, preset_masks
from attention_core.gradients import attention_backward, softmax_backward
from attention_core.language import FEATURE, KEY, QUERY, Words, say

Q = [[1, 0], [0, 2], [1, 1]]
K = [[1, 0], [0, 1], [2, 1]]
V = [[1, 0], [0, 2], [3, 1]]
D_OUTPUT = [[1, 0], [0, 1], [1, 1]]

_SENTENCE = Words(
    "Gradients: dV = {dv}; dQ = {dq}; dK = {dk}.", "梯度：dV = {dv}；dQ = {dq}；dK = {dk}。"
)


def gradients_explorer():
    """Edit Q, K, V and the gradient of the output; the gradients of Q, K and V follow."""
    tokens, features = ["1", "2", "3"], ["1", "2"]
    masks = preset_masks(3, 3)

    def vectors(title, value=None):
        mode = "read" if value is None else "edit"
        return MatrixView(title, tokens, features, value, mode=mode, col_axis=say(FEATURE))

    def pairs(title):
        return MatrixView(title, tokens, tokens, row_axis=say(QUERY), col_axis=say(KEY))

    return Explorer(
        controls={
            "Q": vectors("Q", Q),
            "K": vectors("K", K),
            "V": vectors("V", V),
            "dO": vectors("dO", D_OUTPUT),
            "preset": preset_choice("none", list(masks)),
            "scaled": Check("÷ √d_k", True),
        },
        views={
            "weights": pairs("A"),
            "d_weights": pairs("dA = dO Vᵀ"),
            "d_scores": pairs("dS"),
            "dv": vectors("dV = Aᵀ dO"),
            "dq": vectors("dQ"),
            "dk": vectors("dK"),
        },
        compute=lambda preset, **settings: _compute(masks[preset], **settings),
        paint=_paint,
        sentence=_sentence,
        rows=[
            ["preset", "scaled"],
            ["Q", "K", "V", "dO"],
            ["weights", "d_weights", "d_scores"],
            ["dv", "dq", "dk"],
            ["detail"],
        ],
        framed=("preset", "scaled"),
        explain=_explain,
    )


def _compute(mask, Q, K, V, dO, scaled):
    scale = None if scaled else 1.0
    steps = attention_steps(Q, K, V, mask, scale=scale)
    d_weights = attention_scores(dO, V)  # a weight is worth what its value does for the output
    dq, dk, dv = attention_backward(Q, K, V, dO, mask, scale=scale)
    return {
        "mask": mask,
        "weights": steps.weights,
        "d_weights": d_weights,
        "d_scores": softmax_backward(steps.weights, d_weights),
        "dq": dq,
        "dk": dk,
        "dv": dv,
    }


def _paint(result, _):
    hidden = ~result["mask"]
    return {
        "weights": weight_cells(result["weights"], result["mask"]),
        "d_weights": cells(result["d_weights"], masked=hidden),
        "d_scores": cells(result["d_scores"], masked=hidden),
        **{name: cells(result[name]) for name in ("dv", "dq", "dk")},
    }


def _explain(view, i, j, result, settings):
    at, a, da = spell.subscript(i, j), result["weights"], result["d_weights"]
    scale = 1 / np.sqrt(2) if settings["scaled"] else 1.0
    if view == "d_weights":
        names = f"dO{spell.subscript(i)} · v{spell.subscript(j)}"
        return spell.dot(f"dA{at}", settings["dO"][i], settings["V"][j], names=names)
    if view == "d_scores":
        total = (a[i] * da[i]).sum()
        return spell.through_softmax(f"dS{at}", a[i, j], da[i, j], total, result[view][i, j])
    if view == "dv":
        return spell.mixing(f"dV{at}", a[:, i], settings["dO"][:, j], result[view][i, j])
    if view == "dq":
        column = settings["K"][:, j] * scale
        return spell.mixing(f"dQ{at}", result["d_scores"][i], column, result[view][i, j])
    if view == "dk":
        column = settings["Q"][:, j] * scale
        return spell.mixing(f"dK{at}", result["d_scores"][:, i], column, result[view][i, j])
    return None


def _sentence(result, _):
    return say(_SENTENCE, **{name: matrix_text(result[name]) for name in ("dv", "dq", "dk")})
