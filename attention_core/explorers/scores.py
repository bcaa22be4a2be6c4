"""Lesson 04: every score is a row of Q times a column of Kᵀ."""

import numpy as np

from attention_core.attention import attention_scores
from attention_core.example import qkv, tokens
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Explorer,
    Frame,
    GuessCells,
    Matrix,
    Mission,
    Picture,
    Preset,
)
from attention_core.language import KEY, QUERY, Words, say

# No two of n_q = 3, n_k = 4, d_k = 2 are equal.
Q = [[1, 0], [2, 3], [0, 2]]
K = [[1, 1], [0, 2], [3, 1], [2, -1]]
_LOW = "₁₂₃₄₅₆₇₈₉"

_NUMBERS = Words("numbers", "数")
_NAMES = (Words("3 queries, 4 keys", "3 个查询、4 个键"), Words("of the sentence", "那句话的"))
_SENTENCE = Words("All scores: S = {s}.", "全部分数：S = {s}。")
_BEST = Words("{query} fits {key} best: {score}", "{query} 与 {key} 最匹配：{score}")
_ABOUT = Words("one key in each column: K, turned.", "每一列是一个键：K 的转置。")
_CELL = Words("The key of {col}, dimension {i}.", "{col} 的键，第 {i} 维。")
_GUESS = Words(
    "Guess first: key 2 becomes (−1, −2). Mark the cells of $S$ that will change.",
    "先猜：键 2 变成 (−1, −2)。标出 $S$ 里会变的格子。",
)
_ZERO = Words(
    "Make $S_11$ zero without a zero in $q_1$ or $k_1$.",
    "让 $S_11$ 等于 0，而 $q_1$ 和 $k_1$ 里没有 0。",
)
_NEGATIVE = Words(
    "Make column 2 of $S$ all negative by changing one key.",
    "只改一个键，让 $S$ 的第 2 列全变成负数。",
)
_ONE_WAY = Words(
    "Choose the numbers of the sentence: is $S_14$ the same as $S_41$?",
    "选那句话的数：$S_14$ 和 $S_41$ 相同吗？",
)


class Scores(Explorer):
    """Q, the turned K above, and the product in the corner."""

    def compute(self, Q, KT):
        return {"S": attention_scores(Q, KT.mT)}

    def picture(self, result, settings):
        queries, keys = _labels(settings)
        d_k = _dimensions(settings["Q"].shape[1])
        frames = {
            "Q": Frame(settings["Q"], rows=queries, cols=d_k),
            "KT": Frame(settings["KT"], rows=d_k, cols=keys),
            "S": Frame(result["S"], rows=queries, cols=keys),
        }
        said = [_said(QUERY, queries), _said(KEY, keys)]
        lines = [
            say(_BEST, query=query, key=said[1][row.argmax()], score=machine.cell_text(row.max()))
            for query, row in zip(said[0], result["S"], strict=True)
        ]
        return Picture(frames, say(_SENTENCE, s=machine.matrix_text(result["S"])), lines)


def scores_explorer():
    """Pick a cell of S = QKᵀ, and see the row of Q, the column of Kᵀ and the arithmetic.

    Returns
    -------
    Explorer
        `result` holds S; the controls are Q and KT, the transpose of K.
    """
    q, k = np.array(Q, float), np.array(K, float)
    of_the_sentence = {"Q": qkv()[0], "KT": qkv()[1].mT}
    parts = {
        "numbers": Preset(
            say(_NUMBERS),
            {"sizes": {"Q": q, "KT": k.mT}, "sentence": of_the_sentence},
            [say(name) for name in _NAMES],
        ),
        "Q": machine.matrix("Q", len(q), 2, q, free=True),
        "KT": Matrix(
            "K^T", 2, len(k), k.mT, free=True, role="k", reads="-s",
            row_axis=say(machine.DIMENSION), col_axis=say(KEY), about=say(_ABOUT),
            words=machine.say_open(_CELL),
        ),
        "S": machine.matrix("S", len(q), len(k), made="Q[r,k] KT[k,c]",
                            sum="{me} = {q:r}·{k:c} = {Q[r,k]·KT[k,c]} = {=}"),
    }  # fmt: skip
    away = np.array(k)
    away[1] = [-1, -2]  # points away from all three queries
    return Scores(
        parts,
        [["say"], [["KT", "Q", "S"]], ["calc"], ["changes"]],
        framed=("numbers",),
        missions=(
            GuessCells(say(_GUESS), {"KT": away.mT.tolist()}, ("S",)),
            Mission(say(_ZERO), _is_zero_by_balance),
            Mission(say(_NEGATIVE), _is_negative),
            Mission(say(_ONE_WAY), lambda _, s: s["numbers"] == "sentence"),
        ),
        formula=machine.formula_map(("Q", "KT", "S")),
        selected=("S", 1, 2),
    )


def _is_zero_by_balance(result, settings):
    """Products that cancel: the score is zero, none of its factors is."""
    return bool(result["S"][0, 0] == 0 and settings["Q"][0].all() and settings["KT"][:, 0].all())


def _is_negative(result, settings):
    """All queries point away from key 2 of the three and four."""
    return bool(result["S"].shape == (3, 4) and (result["S"][:, 1] < 0).all())


def _labels(settings):
    """Names of queries and keys: the tokens of the sentence, else numbers."""
    n_q, n_k = len(settings["Q"]), settings["KT"].shape[1]
    if (n_q, n_k) == (4, 4):
        return tokens(), tokens()
    return [f"q{_LOW[i]}" for i in range(n_q)], [f"k{_LOW[i]}" for i in range(n_k)]


def _said(word, labels):
    """The labels in a sentence: "query 2" for q₂, a token as it is."""
    return [
        f"{say(word)} {_LOW.index(label[1]) + 1}" if label[-1] in _LOW else label
        for label in labels
    ]


def _dimensions(n):
    return [str(i + 1) for i in range(n)]
