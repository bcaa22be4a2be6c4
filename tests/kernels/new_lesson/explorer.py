"""Lesson NN: the weights of any queries and keys."""

from attention_core.attention import attention_steps
from attention_core.example import qkv, tokens
from attention_core.explorers import machine
from attention_core.explorers.widgets import Explorer, Frame, Picture
from attention_core.language import Words, say

_SENTENCE = Words("Weights A = {a}.", "权重 A = {a}。")


class CamelExplorer(Explorer):
    """Queries and keys, and the weights that they make."""

    def compute(self, Q, K):
        steps = attention_steps(Q, K, K)
        return {"S": steps.scores, "A": steps.weights}

    def picture(self, result, settings):
        frames = {"S": Frame(result["S"]), "A": machine.weights_frame(result["A"])}
        return Picture(frames, say(_SENTENCE, a=machine.matrix_text(result["A"])))


def NAME_explorer():
    """Change queries and keys, and see the weights follow.

    Returns
    -------
    Explorer
        `result` holds S and A.
    """
    words = tokens()
    q, k, _ = qkv()
    parts = {
        "Q": machine.matrix("Q", words, 2, q),
        "K": machine.matrix("K", words, 2, k),
        "S": machine.matrix("S", words, words),
        "A": machine.matrix("A", words, words, made="S[r,*]"),
    }
    return CamelExplorer(parts, [["Q", "K"], ["calc"], ["S", "A"]])
