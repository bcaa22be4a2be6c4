"""Lesson 06: what d_k does to the scores, and what dividing by its root does about it."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.drawing.numbers import number_text
from attention_core.drawing.svg import bars_svg, curves_svg, histogram_svg
from attention_core.explorers import machine
from attention_core.explorers.widgets import Explorer, Mission, Panel, Picture, Slider
from attention_core.language import Words, say
from attention_core.measures import entropy, jacobian_size, largest_weight, normal_density

SIZES = tuple(2**power for power in range(13))  # 1 … 4096
_N_Q, _N_K = 400, 16
_SPREADS = 4.0  # standard deviations that the picture of the scores shows to either side

_WORDS = {
    "std": Words("standard deviation of the scores", "分数的标准差"),
    "predicted": Words("predicted", "理论预测"),
    "largest": Words("largest weight, mean", "最大权重（平均）"),
    "entropy": Words("entropy / ln 16, mean", "熵 / ln 16（平均）"),
    "saturated": Words("queries with a weight above 0.99", "权重超过 0.99 的查询"),
    "jacobian": Words("size of the softmax Jacobian, mean", "softmax 雅可比矩阵的大小（平均）"),
}
_HISTOGRAM = Words(
    "Histogram of the scores from {low} to {high}, with the predicted curve: spread {std}",
    "分数的直方图，从 {low} 到 {high}，以及理论曲线：标准差 {std}",
)
_BARS = Words(
    "Weights of one query over 16 keys, the largest {largest}",
    "一个查询在 16 个键上的权重，最大的是 {largest}",
)
_SWEEP = Words(
    "Mean largest weight over d_k: undivided {plain}, divided by √d_k {scaled}",
    "平均最大权重随 d_k 的变化：不除时 {plain}，除以 √d_k 时 {scaled}",
)
_LABELS = (
    Words("the scores of 400 queries", "400 个查询的分数"),
    Words("the weights of one query", "一个查询的权重"),
    Words("the largest weight, at every $d_k$", "每个 $d_k$ 下的最大权重"),
)
_SENTENCE = Words(
    "d_k = {d_k}, divided by {by}: standard deviation {std} (predicted {predicted}), "
    "largest weight {largest}, entropy / ln 16 {entropy}, Jacobian {jacobian}, "
    "saturated queries {saturated}.",
    "d_k = {d_k}，除以 {by}：标准差 {std}（理论 {predicted}），最大权重 {largest}，"
    "熵 / ln 16 为 {entropy}，雅可比矩阵 {jacobian}，饱和的查询 {saturated}。",
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
    """Everything measured once for all sizes; the controls pick."""

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
            "weights": bars_svg(
                result["weights"], ylim=(0, 1.1), width=330, height=250,
                title=say(_BARS, largest=number_text(result["weights"].max())),
            ),
            "sweep": curves_svg(
                SIZES, curves, symbols=("d_k", ""), xlog=True, ylim=(0, 1.05),
                at=settings["d_k"], title=say(_SWEEP, **sweep), width=330, height=250,
            ),
            "numbers": _table(texts),
        }  # fmt: skip
        by = {"d_k": settings["d_k"], "by": "√d_k" if settings["scaled"] else "1"}
        summary = say(_SUMMARY, d_k=settings["d_k"], std=texts["std"], largest=texts["largest"])
        return Picture({}, say(_SENTENCE, **texts, **by), summary, panels)


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
    measured = {}
    for size in SIZES:
        q, k, v = _draw(seed, size)
        for on in (False, True):
            steps = attention_steps(q, k, v, scale=None if on else 1.0)
            measured[size, on] = _measure(steps, 1.0 if on else size**0.5)
    scores, weights, sweep = (say(label) for label in _LABELS)
    parts = {
        "d_k": Slider("$d_k$", SIZES, d_k),
        "scaled": machine.scaling_check(scaled),
        "histogram": Panel(scores, height=250),
        "weights": Panel(weights, height=250),
        "sweep": Panel(sweep, height=250),
        "numbers": Panel(height=150),
    }
    return Scaling(
        measured,
        parts,
        [["histogram", "weights", "sweep"], ["numbers", "changes"], ["calc"]],
        framed=("d_k", "scaled"),
        missions=(
            Mission(say(_HALF), lambda r, s: s["d_k"] == 8 and not s["scaled"]),
            Mission(say(_SATURATE), lambda r, _: r["saturated"] > 0.5),
            Mission(say(_TAME), lambda r, s: s["d_k"] == 4096 and s["scaled"]),
        ),
        formula=machine.formula_map(()),
    )


def _draw(seed, d_k):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(_N_Q, d_k)), rng.normal(size=(_N_K, d_k)), np.zeros((_N_K, 1))


def _measure(steps, predicted):
    reach = _SPREADS * predicted
    edges = np.linspace(-reach, reach, 41)
    counts, _ = np.histogram(steps.scaled, edges)
    largest = largest_weight(steps.weights)
    return {
        "edges": edges,
        "density": counts / steps.scaled.size / np.diff(edges),
        "std": steps.scaled.std(),
        "predicted": predicted,
        "weights": steps.weights[0],
        "largest": largest.mean(),
        "entropy": entropy(steps.weights).mean() / np.log(_N_K),
        "saturated": (largest > 0.99).mean(),
        "jacobian": jacobian_size(steps.weights).mean(),
    }


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
