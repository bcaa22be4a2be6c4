"""Lesson 06: what d_k does to the scores, and what dividing by its root does about it."""

import numpy as np

from attention_core.drawing.numbers import number_text
from attention_core.drawing.svg import curves_svg, histogram_svg
from attention_core.explorers import machine
from attention_core.explorers.scaling_measured import N_K, SIZES, measured
from attention_core.explorers.widgets import (
    Explorer,
    Frame,
    GuessRow,
    Matrix,
    Mission,
    Panel,
    Picture,
    Slider,
)
from attention_core.explorers.widgets.typeset import formula
from attention_core.language import KEY, QUERY, Words, say
from attention_core.measures import normal_density

_FIRST = 1  # the query whose cells are shown

_WORDS = {
    "std": Words("standard deviation of the scores", "分数的标准差"),
    "predicted": Words("predicted", "理论预测"),
    "largest": Words("largest weight, mean", "最大权重（平均）"),
    "entropy": Words("entropy / ln 6, mean", "熵 / ln 6（平均）"),
    "saturated": Words("queries with a weight above 0.99", "权重超过 0.99 的查询"),
    "jacobian": Words("size of the softmax Jacobian, mean", "softmax 雅可比矩阵的大小（平均）"),
}
_HISTOGRAM = Words(
    "Histogram of the scores from {low} to {high}, with the predicted curve: spread {std}",
    "分数的直方图，从 {low} 到 {high}，以及理论曲线：标准差 {std}",
)
_ABOUT = {
    "S": Words("the raw scores of the first query.", "第一个查询的原始分数。"),
    "J": Words(
        "the softmax Jacobian: how much each weight moves with each score.",
        "softmax 的雅可比矩阵：每个权重随每个分数变化多少。",
    ),
}
_SCORE = Words("The score of this query for key {j}.", "这个查询对键 {j} 的分数。")
_PASSED = Words(
    "Nudge the score of key {j}: the weight of key {i} moves {=} times as far. Near 0 nothing "
    "passes, and nothing is learned.",
    "把键 {j} 的分数动一点点，键 {i} 的权重就变化它的 {=} 倍。"
    "接近 0 就什么也传不过去，也就学不到东西。",
)
_GUESS = Words(
    "Guess first: the scores are divided by $√d_k$. Draw the row of weights.",
    "先猜：分数都除以 $√d_k$。画出这一行权重。",
)
_SWEEP = Words(
    "Mean largest weight over d_k: undivided {plain}, divided by √d_k {scaled}",
    "平均最大权重随 d_k 的变化：不除时 {plain}，除以 √d_k 时 {scaled}",
)
_LABELS = (
    Words("the scores of 400 queries", "400 个查询的分数"),
    Words("the largest weight, at every $d_k$", "每个 $d_k$ 下的最大权重"),
)
_SENTENCE = Words(
    "d_k = {d_k}, divided by {by}: standard deviation {std} (predicted {predicted}), "
    "largest weight {largest}, entropy / ln 6 {entropy}, Jacobian {jacobian}, "
    "saturated queries {saturated}.",
    "d_k = {d_k}，除以 {by}：标准差 {std}（理论 {predicted}），最大权重 {largest}，"
    "熵 / ln 6 为 {entropy}，雅可比矩阵 {jacobian}，饱和的查询 {saturated}。",
)
_SUMMARY = Words(
    "$d_k$ = {d_k}: the scores spread by {std}, the largest weight is {largest} on average",
    "$d_k$ = {d_k}：分数的标准差是 {std}，最大权重平均 {largest}",
)
_HALF = Words(
    "Undivided: find the smallest $d_k$ at which one key takes over half on average.",
    "不除：找出让一个键平均占走一半以上权重的最小的 $d_k$。",
)
_SATURATE = Words(
    "Drive more than half of the queries above 0.99.", "让一半以上的查询有一个权重超过 0.99。"
)
_TAME = Words(
    "Then divide at $d_k$ = 4096: how many are still above 0.99?",
    "再在 $d_k$ = 4096 时除以根号：还有多少在 0.99 以上？",
)


class Scaling(Explorer):
    """Random queries and keys: everything measured once for all sizes; the controls pick."""

    def __init__(self, measured, *parts, **more):
        self.measured = measured
        super().__init__(*parts, **more)

    def compute(self, d_k, scaled):
        sweep = {
            name: [self.measured[size, on]["largest"] for size in SIZES]
            for name, on in (("plain", False), ("scaled", True))
        }
        return {**self.measured[d_k, scaled], "sweep": sweep}

    def picture(self, result, settings):
        texts = _texts(result)
        scores = {"low": result["edges"][0], "high": result["edges"][-1]}
        ends = {name: machine.cell_text(x) for name, x in scores.items()}
        reach = np.linspace(result["edges"][0], result["edges"][-1], 161)
        symbol = "q·k / √d_k" if settings["scaled"] else "q·k"
        curves = {"q·k": result["sweep"]["plain"], "q·k / √d_k": result["sweep"]["scaled"]}
        sweep = {
            name: ", ".join(number_text(x) for x in values)
            for name, values in result["sweep"].items()
        }
        panels = {
            "histogram": histogram_svg(
                result["edges"], result["density"], symbols=(symbol, "p"),
                curve=(reach, normal_density(reach, result["predicted"])),
                title=say(_HISTOGRAM, std=texts["std"], **ends), width=330, height=250,
            ),
            "sweep": curves_svg(
                SIZES, curves, symbols=("d_k", ""), xlog=True, ylim=(0, 1.05),
                at=settings["d_k"], title=say(_SWEEP, **sweep), width=330, height=250,
            ),
            "numbers": _table(texts),
        }  # fmt: skip
        row = [f"q{_FIRST}"]
        frames = {name: Frame(result[name], rows=row) for name in ("S", "Z")}
        frames |= {
            "A": machine.weights_frame(result["A"], rows=row),
            "J": Frame(result["J"].round(2) + 0.0, explain=_DERIVATIVES),
        }
        facts = {"root": f"√{settings['d_k']}" if settings["scaled"] else "1"}
        by = {"d_k": settings["d_k"], "by": "√d_k" if settings["scaled"] else "1"}
        summary = say(_SUMMARY, d_k=settings["d_k"], std=texts["std"], largest=texts["largest"])
        return Picture(frames, say(_SENTENCE, **texts, **by), summary, panels, facts)


def scaling_explorer(d_k=64, scaled=False, seed=42):
    """Move d_k from 1 to 4096, with and without scaling, and watch softmax saturate.

    Queries and keys have independent entries of mean 0 and variance 1.

    Parameters
    ----------
    d_k : int
        Where the slider starts; a power of two from 1 to 4096.
    scaled : bool
        Whether the scores are divided by √d_k to begin with.
    seed : int
        Of the random queries and keys.
    """
    pair = {"row_axis": say(QUERY), "col_axis": say(KEY)}
    scores, sweep = (say(label) for label in _LABELS)
    parts = {
        "d_k": Slider("$d_k$", SIZES, d_k),
        "scaled": machine.scaling_check(scaled),
        "S": Matrix(
            "S", 1, N_K, about=say(_ABOUT["S"]), words=machine.say_open(_SCORE), then="→", **pair
        ),
        "Z": machine.matrix("Z", 1, N_K, **machine.scaled_only()),
        "A": machine.matrix("A", 1, N_K, then="→"),
        "J": Matrix(
            "J",
            N_K,
            N_K,
            made="A[k,r] A[k,c]",
            about=say(_ABOUT["J"]),
            words=machine.say_open(_PASSED),
            row_axis=say(KEY),
            col_axis=say(KEY),
        ),
        "histogram": Panel(scores, height=250),
        "sweep": Panel(sweep, height=250),
        "numbers": Panel(height=150),
    }
    return Scaling(
        measured(seed),
        parts,
        [["S", "Z", "A"], ["calc"], ["J", "histogram", "sweep", "numbers"], ["changes"]],
        framed=("d_k", "scaled"),
        missions=(
            GuessRow(say(_GUESS), row=0, change={"scaled": True}),
            Mission(say(_HALF), _is_first_half),
            Mission(say(_SATURATE), lambda r, _: r["saturated"] > 0.5),
            Mission(say(_TAME), lambda r, s: s["d_k"] == 4096 and s["scaled"]),
        ),
        formula=_formula(),
        selected=("J", 0, 0),
    )


def _formula():
    """α = softmax(q K^T / √d_k), and J is its derivative."""
    inner = f"{machine.symbol('S', 'q K^T')} / {formula('√d_k')}"
    logits = f'<span class="grp">{inner}{machine.brace("Z", 0, formula("z"))}</span>'
    row = f'<span class="grp">softmax({logits}){machine.brace("A", 1, formula("α"))}</span>'
    change = f"{machine.symbol('J')} = ∂{formula('α_i')} / ∂{formula('z_j')}"
    return f'<div class="main">{row}, {change}</div>'


def _is_first_half(result, settings):
    """The smallest size at which the largest weight passes one half, undivided."""
    first = next(d for d, w in zip(SIZES, result["sweep"]["plain"], strict=True) if w > 0.5)
    return settings["d_k"] == first and not settings["scaled"]


_DERIVATIVES = [
    [
        "{me} = {A[k,r]}·(1 − {A[k,r]}) = {=}" if i == j else "{me} = −{A[k,r]}·{A[k,c]} = {=}"
        for j in range(N_K)
    ]
    for i in range(N_K)
]


def _table(texts):
    lines = "".join(
        f'<tr><th style="text-align:left;font-weight:400" scope="row">{say(words)}</th>'
        f'<td style="padding-left:14px;text-align:right">{texts[name]}</td></tr>'
        for name, words in _WORDS.items()
    )
    return f"<table>{lines}</table>"


def _texts(result):
    texts = {name: number_text(result[name], 2) for name in _WORDS}
    return texts | {"saturated": f"{result['saturated']:.0%}"}
