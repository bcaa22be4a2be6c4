"""Lesson 07's picture: values as points, and the outputs that lie between them."""

from itertools import combinations

import numpy as np

from attention_core.drawing.svg import mixture_svg
from attention_core.example import tokens
from attention_core.explorers import machine
from attention_core.language import Words, say

_ALT = Words(
    "The values of {values} as points; the outputs lie at {o}. {where}",
    "{values}的值画成点；输出位于 {o}。{where}",
)
_INSIDE = Words("All lie inside the triangle.", "全部在三角形内。")
_OUTSIDE = Words("Outside the triangle: {names}.", "在三角形外：{names}。")


def plane_svg(values, outputs, weights, chosen):
    """The values as points, the outputs among them, and what one reader mixes."""
    words = tokens()
    out = outside(values, outputs)
    names = say(Words(", ", "、")).join(f"o_{i + 1}" for i in np.flatnonzero(out))
    title = say(
        _ALT, values=say(Words(", ", "、")).join(words), o=machine.matrix_text(outputs),
        where=say(_OUTSIDE, names=names) if any(out) else say(_INSIDE),
    )  # fmt: skip
    return mixture_svg(
        values,
        outputs,
        weights,
        labels=words,
        chosen=chosen,
        title=title,
        size=300,
    )


def outside(values, outputs):
    """Which outputs lie in no triangle of three values: no shares of 1 can put them there."""
    triangles = list(combinations([tuple(v) for v in values], 3))
    return [not any(_inside(triangle, point) for triangle in triangles) for point in outputs]


def _inside(triangle, point):
    """Whether a point lies on no outer side of a triangle's edges; a flat one holds nothing."""
    a, b, c = triangle
    area = _turn(a, b, c)
    if abs(area) < 1e-12:
        return False
    return all(_turn(p, q, point) / area >= -1e-9 for p, q in ((a, b), (b, c), (c, a)))


def _turn(a, b, c):
    """Twice the signed area of the triangle a, b, c: positive where the way turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
