"""Lesson 07: from scores to weights to a point inside the triangle of the values."""

import numpy as np

from attention_core.drawing.numbers import number_text
from attention_core.drawing.svg import bars_svg, triangle_svg
from attention_core.explorers import spell
from attention_core.explorers.base import Explorer
from attention_core.explorers.chain import matrix_text
from attention_core.explorers.controls import Choice, Slider
from attention_core.explorers.matrix_view import MatrixView, cells
from attention_core.explorers.panel import Panel
from attention_core.language import FEATURE, KEY, QUERY, Words, say
from attention_core.projections import project
from attention_core.softmax import softmax

SCORES = np.array([[1.0, 2.0, 2.5], [2.0, 0.0, 1.0]])  # the sliders move the first row
V = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]])
LEVELS = [k / 2 for k in range(-10, 11)]
SHIFTS = [-1000, -100, -10, -1, 0, 1, 10, 100, 1000]
TEMPERATURES = [0.1, 0.25, 0.5, 1, 2, 4, 10]
REACH = 2.7  # also weights along the wrong axis stay in the picture

_AXIS = Words("softmax along", "softmax 的方向")
_ALONG = {-1: Words("axis=−1, rows", "axis=−1，按行"), 0: Words("axis=0, columns", "axis=0，按列")}
_BARS = Words("the weights of query 1: {a}", "查询 1 的权重：{a}")
_POINT = Words("o_1 = {o} in the triangle of v_1, v_2, v_3", "o_1 = {o}，与 v_1、v_2、v_3 的三角形")
_SENTENCE = Words(
    "Query 1: scores {s}, weights {a} with sum {total}, output o_1 = {o}.",
    "查询 1：分数 {s}，权重 {a}，权重之和 {total}，输出 o_1 = {o}。",
)


def softmax_explorer():
    """Move three scores: the weights share out 1, and the output moves inside a triangle.

    Returns
    -------
    Explorer
        `result` holds the scores, the logits (S + c) / T, the weights and the output.
    """
    queries, keys = ["q₁", "q₂"], ["k₁", "k₂", "k₃"]
    pairs = {"row_axis": say(QUERY), "col_axis": say(KEY)}
    controls = {
        f"s{j + 1}": Slider(f"S₁{sub}", LEVELS, SCORES[0, j], [number_text(x, 1) for x in LEVELS])
        for j, sub in enumerate("₁₂₃")
    }
    controls["c"] = Slider("+ c", SHIFTS, 0, [number_text(x, 0) for x in SHIFTS])
    controls["T"] = Slider("÷ T", TEMPERATURES, 1)
    controls["axis"] = Choice(say(_AXIS), list(_ALONG), -1, [say(text) for text in _ALONG.values()])
    views = {
        "logits": MatrixView("(S + c) / T", queries, keys, **pairs),
        "weights": MatrixView("A = softmax((S + c) / T)", queries, keys, **pairs),
        "output": MatrixView("O = A V", ["o₁", "o₂"], ["1", "2"], col_axis=say(FEATURE)),
        "bars": Panel(),
        "triangle": Panel(),
    }
    return Explorer(
        controls=controls,
        views=views,
        compute=_compute,
        paint=_paint,
        sentence=_sentence,
        rows=[
            ["s1", "s2", "s3"],
            ["c", "T", "axis"],
            ["logits", "weights", "output"],
            ["detail"],
            ["bars", "triangle"],
        ],
        framed=("axis",),
        explain=_explain,
    )


def _compute(s1, s2, s3, c, T, axis):
    scores = np.array([[s1, s2, s3], SCORES[1]])
    logits = (scores + c) / T
    weights = softmax(logits, axis=axis)
    return {"scores": scores, "logits": logits, "weights": weights, "output": project(weights, V)}


def _paint(result, settings):
    logits, weights, output = (result[name] for name in ("logits", "weights", "output"))
    corners = {f"v_{j + 1}": v for j, v in enumerate(V)}
    return {
        "logits": cells(logits, texts=[[_plain(x) for x in row] for row in logits]),
        "weights": cells(
            weights,
            "weights",
            decimals=3,
            notes=[number_text(row.sum(), 3) for row in weights],
            note_title="Σ",
        ),
        "output": cells(output, decimals=3),
        "bars": bars_svg(
            weights[0],
            ["k₁", "k₂", "k₃"],
            symbols=("", "α_1j"),
            ylim=(0, 1.1),
            title=say(_BARS, a=matrix_text(weights[0], 3)),
            width=300,
            height=260,
        ),
        "triangle": triangle_svg(
            corners,
            output[0],
            weights=weights[0],
            reach=REACH,
            name="o_1",
            title=say(_POINT, o=matrix_text(output[0], 3)),
        ),
    }


def _explain(view, i, j, result, settings):
    at = spell.subscript(i, j)
    if view == "logits":
        return _logit(result["scores"][i, j], settings["c"], settings["T"], result["logits"][i, j])
    if view == "weights":
        weight = result["weights"][i, j]
        if settings["axis"] == -1:
            return spell.sharing(f"A{at}", result["logits"][i], j, weight)
        return spell.sharing(f"A{at}", result["logits"][:, j], i, weight)
    return spell.mixing(f"O{at}", result["weights"][i], V[:, j], result["output"][i, j])


def _logit(score, c, temperature, logit):
    """(2 + 10) / 0.5 = 24"""
    score, c, logit = map(_plain, (score, c, logit))
    c = f"({c})" if c.startswith("−") else c
    return f"({score} + {c}) / {temperature} = {logit}"


def _plain(x):
    """As few digits as the number needs: 1, 2.5, −1000."""
    return f"{x:g}".replace("-", "−")


def _sentence(result, settings):
    first = {name: matrix_text(result[name][0]) for name in ("scores", "weights", "output")}
    total = number_text(result["weights"][0].sum())
    return say(_SENTENCE, s=first["scores"], a=first["weights"], o=first["output"], total=total)
