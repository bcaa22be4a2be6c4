"""Lesson 06: what d_k does to the scores, and what dividing by its root does about it."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.drawing.numbers import number_text
from attention_core.drawing.svg import bars_svg, histogram_svg
from attention_core.explorers.base import Explorer
from attention_core.explorers.controls import Check, Slider
from attention_core.explorers.panel import Panel
from attention_core.language import Words, say
from attention_core.measures import entropy, jacobian_size, largest_weight, normal_density

SIZES = tuple(2**power for power in range(13))  # 1 … 4096
_N_Q, _N_K = 400, 16
_REACH = 20.0  # the scores that the picture shows; wider ones fall off its ends

_WORDS = {
    "std": Words("standard deviation of the scores", "分数的标准差"),
    "predicted": Words("predicted", "理论预测"),
    "outside": Words("scores beyond ±20", "超出 ±20 的分数"),
    "largest": Words("largest weight, mean", "最大权重（平均）"),
    "entropy": Words("entropy / ln 16, mean", "熵 / ln 16（平均）"),
    "saturated": Words("queries with a weight above 0.99", "权重超过 0.99 的查询"),
    "jacobian": Words("size of the softmax Jacobian, mean", "softmax 雅可比矩阵的大小（平均）"),
}
_HISTOGRAM = Words("Histogram of the scores with the predicted curve", "分数的直方图与理论曲线")
_BARS = Words("Weights of one query over 16 keys", "一个查询在 16 个键上的权重")
_SENTENCE = Words(
    "d_k = {d_k}, divided by {by}: standard deviation {std} (predicted {predicted}), "
    "largest weight {largest}, entropy / ln 16 {entropy}, Jacobian {jacobian}, "
    "saturated queries {saturated}.",
    "d_k = {d_k}，除以 {by}：标准差 {std}（理论 {predicted}），最大权重 {largest}，"
    "熵 / ln 16 为 {entropy}，雅可比矩阵 {jacobian}，饱和的查询 {saturated}。",
)


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
    vectors = {size: _draw(seed, size) for size in SIZES}

    def compute(d_k, scaled):
        q, k, v = vectors[d_k]
        steps = attention_steps(q, k, v, scale=None if scaled else 1.0)
        return _measure(steps, 1.0 if scaled else d_k**0.5)

    return Explorer(
        controls={"d_k": Slider("d_k", SIZES, d_k), "scaled": Check("÷ √d_k", scaled)},
        views={"histogram": Panel(), "weights": Panel(), "numbers": Panel()},
        compute=compute,
        paint=_paint,
        sentence=lambda result, settings: say(_SENTENCE, **_texts(result), **_division(settings)),
        rows=[["d_k", "scaled"], ["histogram", "weights"], ["numbers"]],
        framed=("d_k", "scaled"),
    )


def _draw(seed, d_k):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(_N_Q, d_k)), rng.normal(size=(_N_K, d_k)), np.zeros((_N_K, 1))


def _measure(steps, predicted):
    edges = np.linspace(-_REACH, _REACH, 41)
    counts, _ = np.histogram(steps.scaled, edges)
    largest = largest_weight(steps.weights)
    return {
        "edges": edges,
        "density": counts / steps.scaled.size / np.diff(edges),
        "outside": (np.abs(steps.scaled) > _REACH).mean(),
        "std": steps.scaled.std(),
        "predicted": predicted,
        "weights": steps.weights[0],
        "largest": largest.mean(),
        "entropy": entropy(steps.weights).mean() / np.log(_N_K),
        "saturated": (largest > 0.99).mean(),
        "jacobian": jacobian_size(steps.weights).mean(),
    }


def _paint(result, settings):
    x = np.linspace(-_REACH, _REACH, 161)
    return {
        "histogram": histogram_svg(
            result["edges"],
            result["density"],
            curve=(x, normal_density(x, result["predicted"])),
            symbols=("q·k / √d_k" if settings["scaled"] else "q·k", "p"),
            title=say(_HISTOGRAM),
        ),
        "weights": bars_svg(result["weights"], ylim=(0, 1.1), title=say(_BARS)),
        "numbers": _table(result),
    }


def _table(result):
    texts = _texts(result)
    lines = "".join(
        f'<tr><th style="text-align:left" scope="row">{say(words)}</th><td>{texts[name]}</td></tr>'
        for name, words in _WORDS.items()
    )
    return f"<table>{lines}</table>"


def _texts(result):
    texts = {name: number_text(result[name], 2) for name in _WORDS}
    for share in ("outside", "saturated"):
        texts[share] = f"{result[share]:.0%}"
    return texts


def _division(settings):
    return {"d_k": settings["d_k"], "by": "√d_k" if settings["scaled"] else "1"}
