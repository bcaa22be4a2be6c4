"""Lesson 01's picture: X, the three W and Q, K, V as blocks drawn to one scale."""

import numpy as np

from attention_core.drawing.svg import Canvas
from attention_core.language import Words, say

SIZES = {"n": (3, 4, 5), "d_model": (3, 5, 8), "d_k": (2, 3, 4), "d_v": (2, 3, 5)}
ROW = 2  # the row of X that is followed, counted from 0
COLOURS = {
    "Q": "var(--q, #1866d8)", "K": "var(--k, #b05600)", "V": "var(--v, #00573f)",
    "X": "var(--n, #4c5666)",
}  # fmt: skip
_UNIT, _GAP, _BETWEEN = 18, 28, 52
_CORNER = (_UNIT * SIZES["d_model"][-1] + _GAP + 42, _UNIT * SIZES["d_model"][-1] + _GAP + 26)
PICTURE = (
    _CORNER[0] + (2 * SIZES["d_k"][-1] + SIZES["d_v"][-1]) * _UNIT + 2 * _BETWEEN + 36,
    _CORNER[1] + SIZES["n"][-1] * _UNIT + 54,
)

_PICTURE = Words(
    "Blocks to scale: X {X}; above each product its W, W_Q {WQ}, W_K {WK}, W_V {WV}; "
    "Q {Q}, K {K}, V {V}. Row 3 of X and row 3 of Q, K and V are marked.",
    "按比例画出的方块：X {X}；每个乘积上方是对应的 W，W_Q {WQ}、W_K {WK}、W_V {WV}；"
    "Q {Q}、K {K}、V {V}。X 的第 3 行和 Q、K、V 的第 3 行涂成深色。",
)


def blocks_svg(result, texts):
    """X to the left, each W above its product: sides of the same size lie along each other."""
    n, d_model = result["X"].shape
    canvas = Canvas(*PICTURE, say(_PICTURE, **texts))
    _input(canvas, n, d_model)
    left = _CORNER[0]
    for name, side in (("Q", "d_k"), ("K", "d_k"), ("V", "d_v")):
        wide = result[name].shape[1]
        _product(canvas, left, n, d_model, wide, name, side)
        left += wide * _UNIT + _BETWEEN
    return str(canvas)


def _input(canvas, n, d_model):
    x, y = _CORNER[0] - _GAP - d_model * _UNIT, _CORNER[1]
    _block(canvas, x, y, n, d_model, "X", row=ROW)
    canvas.symbol(x - 12, y + n * _UNIT / 2, "n")
    canvas.symbol(x + d_model * _UNIT / 2, y + n * _UNIT + 14, "d_model")
    _turn(canvas, d_model)


def _product(canvas, x, n, d_model, wide, name, side):
    """A W, and under it the product, with the side that both share."""
    y, middle = _CORNER[1], x + wide * _UNIT / 2
    above = y - _GAP - d_model * _UNIT
    _block(canvas, x, above, d_model, wide, name, kept=True)
    canvas.symbol(middle, above - 13, side)
    canvas.arrow(middle, y - _GAP + 5, middle, y - 5, ink=COLOURS[name])
    _block(canvas, x, y, n, wide, name, row=ROW)
    canvas.symbol(x + wide * _UNIT + 13, y + n * _UNIT / 2, "n")
    canvas.symbol(middle, y + n * _UNIT + 14, side)


def _block(canvas, x, y, rows, columns, name, *, row=None, kept=False):
    """An empty matrix to scale: one square for each number, one row filled."""
    wide, tall, colour = columns * _UNIT, rows * _UNIT, COLOURS[name]
    canvas.rect(x, y, wide, tall, fill=colour, opacity=0.45 if kept else 0.15)
    if row is not None:
        canvas.rect(
            x,
            y + row * _UNIT,
            wide,
            _UNIT,
            fill=colour,
            opacity=0.7,
            cell=f"{name} {row} 0" if name in "XQ" else None,
        )
    canvas.polyline(_snake(x, y, wide, tall, rows), ink=colour, width=0.7)
    canvas.polyline([(a, b) for b, a in _snake(y, x, tall, wide, columns)], ink=colour, width=0.7)
    canvas.rect(x, y, wide, tall, ink=colour, width=2.5 if kept else 1.6)
    if kept:
        _plate(canvas, x + wide / 2, y + tall / 2, f"W_{name}", colour, room=wide - 4)
    else:
        _plate(canvas, x + wide / 2, y + tall + 38, name, colour)


def _plate(canvas, x, y, symbol, colour, room=np.inf):
    """A symbol on the page's colour; the plate is no wider than there is room."""
    wide = min(60 if len(symbol) > 3 else 10 + 10 * len(symbol), room)
    canvas.rect(x - wide / 2, y - 11, wide, 22, fill="var(--page, #ffffff)", radius=4)
    canvas.symbol(x, y, symbol, ink=colour, bold=True)


def _snake(x, y, wide, tall, parts):
    """One line to and fro that draws all the lines between the rows of a block."""
    points = []
    for i in range(1, parts):
        ends = [(x, y + i * tall / parts), (x + wide, y + i * tall / parts)]
        points += ends if i % 2 else ends[::-1]
    return points


def _turn(canvas, d_model):
    """Quarter circles from the upper side of X to the left side of W_Q: both are d_model long."""
    x0, y0 = _CORNER
    for k in range(0, d_model + 1):
        angles = np.linspace(0, np.pi / 2, 10)
        radius = _GAP + k * _UNIT
        points = [(x0 - radius * np.cos(a), y0 - radius * np.sin(a)) for a in angles]
        outer = k in (0, d_model)
        canvas.polyline(points, ink=COLOURS["X"], width=1.3 if outer else 0.4, dash="4 3")
    middle = (_GAP + d_model * _UNIT / 2) * np.sqrt(0.5)
    _plate(canvas, x0 - middle, y0 - middle, "d_model", COLOURS["X"])
