"""Lesson 04: every score is a row of Q times a column of Kᵀ."""

import numpy as np

from attention_core.attention import attention_scores
from attention_core.example import features, qkv, tokens
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

_NUMBERS = Words("numbers", "数")
_NAMES = (Words("of the sentence", "那句话的"), Words("3 queries, 4 keys", "3 个查询、4 个键"))
_SENTENCE = Words("All scores: S = {s}.", "全部分数：S = {s}。")
_BEST = Words("{query} fits {key} best: {score}", "{query} 与 {key} 最匹配：{score}")
_ABOUT = Words("one key in each column: K, turned.", "每一列是一个键：K 的转置。")
_CELL = Words("The key of {col}, dimension {i}.", "{col} 的键，第 {i} 维。")
_GUESS = Words(
    "Guess first: the key of {street} changes. Mark the cells of $S$ that will change.",
    "先猜：{street}的键变了。标出 $S$ 里会变的格子。",
)
_ONE_WAY = Words(
    "{last} finds {first} with 3, {first} finds {last} with 0. Give {first} a score for {last}, "
    "too.",
    "{last}对{first}的分数是 3，{first}对{last}却是 0。让{first}对{last}的分数也大于 0。",
)
_SHAPES = Words(
    "Choose the numbers with 3 queries and 4 keys: which side is summed away?",
    "选 3 个查询、4 个键的那组数：哪条边被求和消掉了？",
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
        lines = [
            say(_BEST, query=query, key=keys[row.argmax()], score=machine.cell_text(row.max()))
            for query, row in zip(queries, result["S"], strict=True)
        ]
        return Picture(frames, say(_SENTENCE, s=machine.matrix_text(result["S"])), lines)


def scores_explorer():
    """Pick a cell of S = QKᵀ, and see the row of Q, the column of Kᵀ and the arithmetic.

    Returns
    -------
    Explorer
        `result` holds S; the controls are Q and KT, the transpose of K.
    """
    q, k, _ = qkv()
    words = tokens()
    parts = {
        "numbers": Preset(
            say(_NUMBERS),
            {"sentence": {"Q": q, "KT": k.mT}, "sizes": {"Q": Q, "KT": np.array(K, float).mT}},
            [say(name) for name in _NAMES],
        ),
        "Q": machine.matrix("Q", words, features("q"), q, free=True),
        "KT": Matrix(
            "K^T", features("k"), words, k.mT, free=True, role="k", reads="-s",
            row_axis=say(machine.DIMENSION), col_axis=say(KEY), about=say(_ABOUT),
            words=machine.say_open(_CELL),
        ),
        "S": machine.matrix("S", words, words, made="Q[r,k] KT[k,c]",
                            sum="{me} = {q:r}·{k:c} = {Q[r,k]·KT[k,c]} = {=}"),
    }  # fmt: skip
    new_street = np.array(k)
    new_street[1] = [-1, 1]
    return Scores(
        parts,
        [["say"], [["KT", "Q", "S"], "changes"], ["calc"]],
        framed=("numbers",),
        missions=(
            GuessCells(say(_GUESS, street=words[1]), {"KT": new_street.mT.tolist()}, ("S",)),
            Mission(
                say(_ONE_WAY, first=words[0], last=words[3]),
                lambda r, s: r["S"].shape == (4, 4) and r["S"][0, 3] > 0,
            ),
            Mission(say(_SHAPES), lambda _, s: s["numbers"] == "sizes"),
        ),
        formula=machine.formula_map(("Q", "KT", "S")),
        selected=("S", 3, 0),
    )


def _labels(settings):
    """Names of queries and keys: the tokens of the sentence, else numbers."""
    n_q, n_k = len(settings["Q"]), settings["KT"].shape[1]
    if (n_q, n_k) == (4, 4):
        return tokens(), tokens()
    return ([f"{say(word)} {i + 1}" for i in range(n)] for word, n in ((QUERY, n_q), (KEY, n_k)))


def _dimensions(n):
    return [str(i + 1) for i in range(n)]
