"""Vectors and mixtures in the plane, as SVG text."""

from itertools import combinations

import numpy as np

from attention_core.drawing.svg.axes import Axes
from attention_core.drawing.svg.canvas import Canvas

# The colours of the roles as the page's theme has them.
VALUE_INK, OUTPUT_INK = "var(--v, #00573f)", "var(--o, #7f2292)"
WEIGHT_INK = "var(--a, #111a2d)"


def mixture_svg(values, outputs, weights, *, labels=None, chosen=-1, title="", size=320):
    """Mixtures of values as points: inside the triangle of the values as long as shares add to 1.

    Parameters
    ----------
    values : array_like, shape (n_k, 2)
    outputs : array_like, shape (n_q, 2)
        The mixtures, one for each reader.
    weights : array_like, shape (n_k,)
        Of the chosen reader: the wider the line to its output, the larger the weight; a weight
        of exactly zero draws no line.
    labels : sequence of n_k str, optional
        What the values are called; default v_1, v_2, …
    chosen : int
        The reader whose lines are drawn.
    title : str

    Returns
    -------
    str
        Points carry `data-cell`, so that an explorer can link them with rows of V and O.

    Raises
    ------
    ValueError
        If there are more or fewer weights than values.

    Examples
    --------
    >>> mixture_svg([[0, 0], [4, 0], [2, 3]], [[2, 0]], [0.5, 0.5, 0.0]).count("stroke-dasharray")
    2
    """
    values, outputs = (np.asarray(points, dtype=float) for points in (values, outputs))
    if len(weights) != len(values):
        raise ValueError(f"mixture_svg: {len(weights)} weights but {len(values)} values")
    canvas = Canvas(size, size, title)
    axes = Axes(canvas, *_box(values, outputs), ("", ""), bare=True)
    # The shape that some points span is the union of the triangles of any three of them.
    for corners in combinations(values, 3):
        canvas.polygon([axes.at(p) for p in corners], fill=VALUE_INK, opacity=0.1)
    chosen = chosen % len(outputs)
    for value, share in zip(values, weights, strict=True):
        if share > 0:
            canvas.line(
                *axes.at(value), *axes.at(outputs[chosen]), ink=WEIGHT_INK,
                width=1 + 5 * float(share), dash="2 3",
            )  # fmt: skip
    middle = (values.max(axis=0) + values.min(axis=0)) / 2
    for k, value in enumerate(values):
        name = f"v_{k + 1}" if labels is None else labels[k]
        axes.named_dot(value, name, VALUE_INK, middle, cell=f"V {k} 0")
    for i in np.argsort(np.arange(len(outputs)) == chosen):  # the chosen one last, on top
        axes.small_dot(outputs[i], 7 if i == chosen else 4, OUTPUT_INK, cell=f"O {i} 0")
    axes.beside(outputs[chosen], f"o_{chosen + 1}", OUTPUT_INK)
    return str(canvas)


def _box(values, outputs):
    """Room for the values and some around them; more only where an output lies outside."""
    middle = (values.max(axis=0) + values.min(axis=0)) / 2
    points = np.vstack([values, outputs])
    points = points[np.isfinite(points).all(axis=1)]
    reach = 0.75 * np.ptp(values, axis=0).max()
    reach = max(reach, 1.1 * np.abs(points - middle).max(initial=0.0)) or 1
    return [(m - reach, m + reach) for m in middle]
