"""Lesson 14: your own attention beside the course's, on numbers that you choose."""

from html import escape

import numpy as np

from attention_core.attention import attention
from attention_core.explorers.base import Explorer
from attention_core.explorers.chain import matrix_text
from attention_core.explorers.controls import Choice
from attention_core.explorers.matrix_view import MatrixView, cells
from attention_core.explorers.panel import Panel
from attention_core.language import FEATURE, Words, say
from attention_core.masks import causal_mask

Q = [[1, 0], [2, 1], [0, 3]]
K = [[1, 0], [0, 1], [1, 1]]
V = [[1, 0], [0, 2], [3, 1]]

_MASK = Words("mask", "掩码")
_NONE, _CAUSAL = Words("none", "无"), Words("causal", "因果")
_YOURS, _OURS = Words("O, yours", "你的 O"), Words("O, the course's", "课程的 O")
_NOT_YET = Words(
    "Your attention returns nothing yet; the right output is {o}.",
    "你的注意力还没有返回结果；正确的输出是 {o}。",
)
_SAME = Words("Both agree: output {o}.", "两者一致：输出 {o}。")
_OTHER = Words(
    "They differ (red frames): yours {mine}, the right output {o}.",
    "两者不同（见红框）：你的输出是 {mine}，正确的输出是 {o}。",
)
_SHAPE = Words(
    "Your output has the shape {mine}, it must be {right}.",
    "你的输出形状是 {mine}，应当是 {right}。",
)
_ERROR = Words("Your attention stops: {error}", "你的注意力中断了：{error}")


def closing_explorer(mine=None):
    """Compare your own attention with the course's for any Q, K, V.

    Parameters
    ----------
    mine : callable(q, k, v, allowed) -> output, optional
        Your function. What it raises is shown in words.
    """
    rows, features = ["1", "2", "3"], ["1", "2"]

    def vectors(title, value=None):
        mode = "read" if value is None else "edit"
        return MatrixView(title, rows, features, value, mode=mode, col_axis=say(FEATURE))

    def compute(Q, K, V, mask):
        allowed = causal_mask(3) if mask == "causal" else np.ones((3, 3), bool)
        right, _ = attention(Q, K, V, allowed)
        return {"right": right, **_try(mine, right.shape, Q, K, V, allowed)}

    return Explorer(
        controls={
            "Q": vectors("Q", Q),
            "K": vectors("K", K),
            "V": vectors("V", V),
            "mask": Choice(say(_MASK), ["none", "causal"], "causal", [say(_NONE), say(_CAUSAL)]),
        },
        views={
            "mine": vectors(say(_YOURS)),
            "right": vectors(say(_OURS)),
            "verdict": Panel(live=True),
        },
        compute=compute,
        paint=_paint,
        sentence=lambda result, settings: _verdict(result),
        rows=[["mask"], ["Q", "K", "V"], ["mine", "right"], ["verdict"]],
        framed=("mask",),
    )


def _try(mine, shape, *arguments):
    """Run the learner's function on copies; what goes wrong becomes part of the result."""
    if mine is None:
        return {"mine": None, "error": None}
    try:
        got = mine(*(x.copy() for x in arguments))
        if got is None or got is ...:
            return {"mine": None, "error": None}
        got = np.asarray(got, dtype=float)
    except Exception as error:
        return {"mine": None, "error": say(_ERROR, error=str(error) or type(error).__name__)}
    if got.shape != shape:
        return {"mine": None, "error": say(_SHAPE, mine=got.shape, right=shape)}
    return {"mine": got, "error": None}


def _paint(result, _):
    mine, right = result["mine"], result["right"]
    shown = np.full(right.shape, np.nan) if mine is None else mine
    wrong = np.zeros(right.shape, bool) if mine is None else ~np.isclose(mine, right)
    return {
        "mine": cells(shown, outlined=wrong),
        "right": cells(right),
        "verdict": f"<p>{escape(_verdict(result))}</p>",
    }


def _verdict(result):
    right = matrix_text(result["right"])
    if result["error"]:
        return result["error"]
    if result["mine"] is None:
        return say(_NOT_YET, o=right)
    if np.allclose(result["mine"], result["right"]):
        return say(_SAME, o=right)
    return say(_OTHER, mine=matrix_text(result["mine"]), o=right)
