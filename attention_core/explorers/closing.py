"""Lesson 14: your own attention beside the course's, on numbers that you choose."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.example import features, qkv, tokens
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Explorer,
    Frame,
    GuessRow,
    Matrix,
    Mission,
    Picture,
    Reading,
    mask_frame,
)
from attention_core.language import QUERY, Words, say

_YOURS = Words("your output.", "你的输出。")
_OURS = Words("the course's output.", "课程的输出。")
_DIFFERS = Words("Here your output differs.", "这里你的输出不同。")
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
_DRAW = Words(
    "Draw the row of “{last}” from memory: whom does it read?",
    "凭记忆画出“{last}”的那一行：它读谁？",
)
_NOWHERE = Words(
    "Let one row look nowhere: does your attention still give zeros?",
    "让某一行什么都看不到：你的注意力给出的还是零吗？",
)
_LARGE = Words(
    "Type a number above 1000 into $Q$: do both still agree?",
    "在 $Q$ 里输入一个大于 1000 的数：两者还一致吗？",
)


class Closing(Explorer):
    """Two outputs side by side, and where they differ."""

    def __init__(self, mine, *parts, **more):
        self.mine = mine
        super().__init__(*parts, **more)

    def compute(self, Q, K, V, M):
        steps = attention_steps(Q, K, V, M)
        mine = _try(self.mine, steps.output.shape, Q, K, V, M)
        return {"Z": steps.masked, "A": steps.weights, "O": steps.output, **mine}

    def picture(self, result, settings):
        mine, right = result["mine"], result["O"]
        shown = np.full(right.shape, np.nan) if mine is None else mine
        wrong = None if mine is None else ~np.isclose(mine, right)
        frames = {
            "M": mask_frame(settings["M"]),
            "Z": machine.masked_frame(result["Z"], settings["M"]),
            "A": machine.weights_frame(result["A"], settings["M"]),
            "O": Frame(right),
            "mine": Frame(shown, marked=wrong),
        }
        return Picture(frames, _verdict(result), facts={"root": "√2"})


def closing_explorer(mine=None):
    """Compare your own attention with the course's for any Q, K, V and mask.

    Parameters
    ----------
    mine : callable(q, k, v, allowed) -> output, optional
        Your function. What it raises is shown in words.

    Returns
    -------
    Explorer
        `result` holds A and O, `mine` (your output or None) and the `error` in words.
    """
    words, names = tokens(), features("v")
    q, k, v = qkv()
    allowed = machine.MASKS["causal"][0](4, 4)
    parts = {
        "mask": machine.mask_preset(),
        "Q": machine.matrix("Q", words, features("q"), q),
        "K": machine.matrix("K", words, features("k"), k, hide="r"),
        "V": machine.matrix("V", words, names, v, hide="r"),
        "M": machine.matrix("M", words, words, allowed, hide="r"),
        "Z": machine.matrix("Z", words, words, then="→", **machine.logits_of_qk()),
        "A": machine.matrix("A", words, words, hide="r", then="$·V$ →"),
        "O": machine.matrix("O", words, names, hide="r", about=say(_OURS), then="?"),
        "mine": Matrix("O", words, names, reads="r-", hide="r", about=say(_YOURS),
                       equation="?", row_axis=say(QUERY), col_axis=say(machine.DIMENSION),
                       words=say(_YOURS), mark=say(_DIFFERS)),
        "reading": Reading("A", values="V", output="O"),
    }  # fmt: skip
    return Closing(
        mine,
        parts,
        [["Q", "K", "V", "M", "reading"], ["calc"], ["Z", "A", "O", "mine"], ["changes"]],
        framed=("mask",),
        missions=(
            GuessRow(say(_DRAW, last=words[3]), row=3),
            Mission(say(_NOWHERE), lambda _, s: not s["M"].any(axis=1).all()),
            Mission(say(_LARGE), lambda _, s: np.abs(s["Q"]).max() > 1000),
        ),
        formula=machine.formula_map(parts),
        selected=("A", 3, 0),
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


def _verdict(result):
    right = machine.matrix_text(result["O"])
    if result["error"]:
        return result["error"]
    if result["mine"] is None:
        return say(_NOT_YET, o=right)
    if np.allclose(result["mine"], result["O"]):
        return say(_SAME, o=right)
    return say(_OTHER, mine=machine.matrix_text(result["mine"]), o=right)
