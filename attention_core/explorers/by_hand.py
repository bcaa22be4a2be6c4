"""Lesson 09: the five steps by hand, in three worked examples and for any numbers typed in."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.drawing.numbers import number_text
from attention_core.example import qkv, tokens
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Board,
    Explorer,
    Frame,
    GuessRow,
    Mission,
    Picture,
    Reading,
    mask_frame,
)
from attention_core.language import Words, say

# The worked case of lesson 09, and an example in which no two sizes are equal.
EXAMPLES = {
    "first": (
        [[1, 0], [0, 1], [1, 1]],
        [[1, 0], [0, 1], [1, 1]],
        [[1, 0], [0, 2], [3, 1]],
    ),
    "second": (
        [[1, 0, 2], [0, 1, 1]],
        [[1, 1, 0], [0, 2, 1], [2, 0, 1], [1, 0, 0]],
        [[1, 0, 2, 0, 1], [0, 3, 1, 1, 0], [2, 1, 0, 0, 4], [1, 0, 0, 5, 2]],
    ),
    "sentence": qkv(),
}
_START_MASK = {"first": "causal", "second": "none", "sentence": "none"}
_EXAMPLE = Words("example", "例子")
_NAMES = {
    "first": Words("first: $Q = K$", "第一个：$Q = K$"),
    "second": Words("second: $Q ≠ K$", "第二个：$Q ≠ K$"),
    "sentence": Words("the sentence", "那句话"),
}
_STEPS = {
    "S": Words("1 · Scores", "第 1 步 · 分数"),
    "Z": Words("2, 3 · Scaling and mask", "第 2、3 步 · 缩放和掩码"),
    "A": Words("4 · Softmax", "第 4 步 · softmax"),
    "O": Words("5 · Mix the values", "第 5 步 · 聚合值"),
}
_QUERY, _KEY = Words("query {i}", "查询 {i}"), Words("key {i}", "键 {i}")
_SENTENCE = Words("Weights A = {a}; output O = {o}.", "权重 A = {a}；输出 O = {o}。")
_DRAW = Words(
    "Draw the weights of query 2 first: which keys may it see, and which fits better?",
    "先画出查询 2 的权重：它能看到哪些键，哪个更匹配？",
)
_ONLY = Words(
    "Make query 3 read key 1 with a weight of 0.99 or more, without touching the mask.",
    "不动掩码，让查询 3 读键 1 的权重达到 0.99 以上。",
)
_EVEN = Words(
    "Second example: make one query read all four keys alike.",
    "第二个例子：让某个查询平均地读四个键。",
)


class ByHand(Explorer):
    """One example at a time; its sizes are those of its matrices."""

    def settle(self):
        """The mask has the size of the example on screen."""
        size = len(self.controls["Q"].value), len(self.controls["K"].value)
        if self.controls["M"].value.shape != size:
            name = self.controls["example"].matching(self.settings)
            make = machine.MASKS[_START_MASK.get(name, "none")][0]
            self.controls["M"].value = make(*size)

    def compute(self, Q, K, V, M, scaled):
        steps = attention_steps(Q, K, V, M, scale=None if scaled else 1.0)
        return {"S": steps.scores, "Z": steps.masked, "A": steps.weights, "O": steps.output}

    def picture(self, result, settings):
        queries, keys = _labels(settings)
        width = {name: _numbers(settings[name].shape[1]) for name in "QKV"}
        allowed, pairs = settings["M"], {"rows": queries, "cols": keys}
        frames = {
            "Q": Frame(settings["Q"], rows=queries, cols=width["Q"]),
            "K": Frame(settings["K"], rows=keys, cols=width["K"]),
            "V": Frame(settings["V"], rows=keys, cols=width["V"]),
            "M": mask_frame(allowed, **pairs),
            "S": Frame(result["S"], **pairs),
            "Z": machine.masked_frame(
                result["Z"], allowed, title=machine.logits_title(settings["scaled"]), **pairs
            ),
            "A": machine.weights_frame(result["A"], allowed, **pairs),
            "O": Frame(result["O"], rows=queries, cols=width["V"]),
        }
        sentence = say(
            _SENTENCE,
            a=machine.matrix_text(result["A"], _four),
            o=machine.matrix_text(result["O"], _four),
        )
        root = f"√{settings['Q'].shape[1]}" if settings["scaled"] else "1"
        named = [_named(_QUERY, queries), _named(_KEY, keys)]
        lines = machine.reading_lines(result["A"], *named)
        return Picture(frames, sentence, lines, facts={"root": root})


def by_hand_explorer(example="first"):
    """Follow the five steps for numbers that the learner types, each cell written out.

    Parameters
    ----------
    example : {"first", "second", "sentence"}
        The one to begin with: the worked case of lesson 09 (Q = K, causal mask), one with Q ≠ K,
        n_q = 2, n_k = 4, d_k = 3, d_v = 5, or the running example.

    Returns
    -------
    Explorer

    Raises
    ------
    ValueError
        For any other example.
    """
    if example not in EXAMPLES:
        names = ", ".join(f'"{name}"' for name in EXAMPLES)
        raise ValueError(f"by_hand_explorer: example is {example!r}; it must be one of {names}")
    q, k, v = (np.array(x, float) for x in EXAMPLES[example])
    n_q, n_k = len(q), len(k)
    options = {
        name: dict(zip("QKV", (np.array(x, float) for x in arrays), strict=True))
        for name, arrays in EXAMPLES.items()
    }
    mask = machine.MASKS[_START_MASK[example]][0](n_q, n_k)
    parts = {
        "example": machine.named_values(_EXAMPLE, _NAMES, options),
        "mask": machine.mask_preset(),
        "scaled": machine.scaling_check(),
        "Q": machine.matrix("Q", n_q, q.shape[1], q, free=True),
        "K": machine.matrix("K", n_k, k.shape[1], k, free=True),
        "V": machine.matrix("V", n_k, v.shape[1], v, free=True),
        "S": machine.matrix("S", n_q, n_k, then="+"),
        "M": machine.matrix("M", n_q, n_k, mask, free=True, hide="r", then="="),
        "Z": machine.matrix("Z", n_q, n_k, hide="r", then="→"),
        "A": machine.matrix("A", n_q, n_k, then="$·V$ →"),
        "O": machine.matrix("O", n_q, v.shape[1], hide="r"),
        "reading": Reading("A", values="V", output="O"),
        "board": Board({name: say(text) for name, text in _STEPS.items()}),
    }
    return ByHand(
        parts,
        [["Q", "K", "V", "reading"], ["calc"], ["S", "M", "Z", "A", "O"], ["board"], ["changes"]],
        framed=("mask", "scaled"),
        missions=(
            GuessRow(say(_DRAW), row=1),
            Mission(say(_ONLY), _reads_only_the_first),
            Mission(say(_EVEN), _reads_all_alike),
        ),
        formula=machine.formula_map(parts),
        selected=("A", n_q - 1, 0),
    )


def _reads_only_the_first(result, settings):
    weights = result["A"]
    return bool(len(weights) > 2 and weights[2, 0] >= 0.99 and settings["M"][2].all())


def _reads_all_alike(result, settings):
    weights = result["A"]
    is_second = weights.shape == (2, 4) and settings["M"].all()
    return bool(is_second and (np.ptp(weights, axis=1) < 0.005).any())


def _labels(settings):
    """Names of queries and keys: the tokens of the sentence, else numbers."""
    n_q, n_k = len(settings["Q"]), len(settings["K"])
    if settings["example"] == "sentence" or (n_q, n_k) == (4, 4):
        return tokens(), tokens()
    return _numbers(n_q), _numbers(n_k)


def _numbers(n):
    return [str(i + 1) for i in range(n)]


def _named(word, labels):
    return [say(word, i=label) if label.isdigit() else label for label in labels]


def _four(x):
    return number_text(x, 4)
