"""Lesson 05: who matches whom in a sentence is up to W_Q and W_K, not to likeness."""

import numpy as np

from attention_core.attention import attention_scores
from attention_core.example import W_K, W_Q, features, hidden, tokens
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Explorer,
    Frame,
    GuessCells,
    Matrix,
    Mission,
    Picture,
)
from attention_core.language import Words, say
from attention_core.projections import project

_MATRICES = Words("matrices", "矩阵")
_PRESETS = {
    "two": Words("$W_Q$ and $W_K$", "$W_Q$ 与 $W_K$"),
    "swapped": Words("exchanged", "对调"),
    "shared": Words("one for both", "合用一个"),
}
_LIKENESS = Words("how alike the $x$ are.", "$x$ 之间有多相像。")
_ALIKE = Words("{row} and {col}, as they are: $x·x$.", "{row} 与 {col} 本身：$x·x$。")
_UNEQUAL = Words("The score back is another.", "反过来的分数与它不同。")
_SYMMETRIC = Words("Every score equals the score back: symmetric", "每个分数都与反过来的相等：对称")
_ONE_WAY = Words(
    "Framed: the score back is another; {n} of 6 pairs", "红框：反过来的分数不同，6 对中有 {n} 对"
)
_MATCHES = Words("Scores S = {s}; likeness X Xᵀ = {raw}.", "分数 S = {s}；相似度 X Xᵀ = {raw}。")
_GUESS = Words(
    "Guess first: one matrix serves both, $W_K = W_Q$. Mark the cells of $S$ that will change.",
    "先猜：两者合用一个矩阵，$W_K = W_Q$。标出 $S$ 里会变的格子。",
)
_LOOKS = Words(
    "Change one number of $W_Q$ so that {street} finds {animal}, and nothing better.",
    "只改 $W_Q$ 里的一个数，让{street}找到{animal}，而且没有更匹配的。",
)
_BOTH_WAYS = Words("Make all scores equal to the scores back.", "让所有分数都与反过来的分数相等。")


class Match(Explorer):
    """X stays; Q = X W_Q and K = X W_K decide who matches whom."""

    def compute(self, X, WQ, WK):
        q, k = project(X, WQ), project(X, WK)
        return {"Q": q, "K": k, "S": attention_scores(q, k), "L": attention_scores(X, X)}

    def picture(self, result, settings):
        unequal = ~np.isclose(result["S"], result["S"].mT)
        frames = {name: Frame(result[name]) for name in ("Q", "K", "L")}
        frames["S"] = Frame(result["S"], marked=unequal)
        pairs = int(np.triu(unequal).sum())
        summary = say(_ONE_WAY, n=pairs) if pairs else say(_SYMMETRIC)
        texts = {"s": machine.matrix_text(result["S"]), "raw": machine.matrix_text(result["L"])}
        return Picture(frames, say(_MATCHES, **texts), summary)


def match_explorer():
    """Edit W_Q and W_K and see who matches whom, in a sentence whose likeness never changes.

    Returns
    -------
    Explorer
        `result` holds Q, K, the raw scores S and the products L of the x themselves.
    """
    words, names = tokens(), features()
    options = {
        "two": {"WQ": W_Q, "WK": W_K}, "swapped": {"WQ": W_K, "WK": W_Q},
        "shared": {"WQ": W_Q, "WK": W_Q},
    }  # fmt: skip
    axes = machine.KINDS["S"].axes
    parts = {
        "matrices": machine.named_values(_MATRICES, _PRESETS, options),
        "X": machine.matrix("X", words, names, hidden()),
        "WQ": machine.matrix("WQ", names, features("q"), W_Q),
        "WK": machine.matrix("WK", names, features("k"), W_K, hide="r"),
        "Q": machine.matrix("Q", words, features("q")),
        "K": machine.matrix("K", words, features("k"), hide="r"),
        "S": machine.matrix("S", words, words, mark=say(_UNEQUAL)),
        "L": Matrix("XX^T", words, words, made="X[r,k] X[c,k]", role="n", reads="--", hide="r",
                    sum="{me} = {x:r}·{x:c} = {X[r,k]·X[c,k]} = {=}", about=say(_LIKENESS),
                    words=machine.say_open(_ALIKE), row_axis=say(axes[0]), col_axis=say(axes[1])),
    }  # fmt: skip
    return Match(
        parts,
        [["X", "WQ", "WK"], ["calc"], ["Q", "K", "S", "L"], ["changes"]],
        framed=("matrices",),
        missions=(
            GuessCells(say(_GUESS), {"matrices": "shared"}, ("S",)),
            Mission(say(_LOOKS, street=words[1], animal=words[0]), _street_finds_animal),
            Mission(say(_BOTH_WAYS), lambda r, _: np.allclose(r["S"], r["S"].mT)),
        ),
        formula=machine.formula_map(("X", "Q", "K", "S")),
        selected=("S", 3, 0),
    )


def _street_finds_animal(result, settings):
    row = result["S"][1]
    is_one = (settings["WQ"] != W_Q).sum() == 1 and (settings["WK"] == W_K).all()
    return bool(is_one and row[0] > 0 and row.argmax() == 0 and (row == row[0]).sum() == 1)
