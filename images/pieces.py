"""The pieces that the lessons' pictures are made of: matrices, blocks, tokens, arrows."""

import numpy as np

from attention_core.drawing.numbers import number_text
from attention_core.drawing.palette import INK, PAPER, ROLES
from attention_core.drawing.screen import LIGHT, fill, scale_end, signed_share
from attention_core.drawing.screen import ink as ink_on
from attention_core.drawing.svg.canvas import Canvas

WIDTH = 720
Q, K, V, O, X = (ROLES[role] for role in "QKVOX")  # noqa: E741
WEIGHTS = LIGHT["wt"]  # a weight of 1


def page(height, title):
    """An empty picture as wide as a lesson."""
    return Canvas(WIDTH, height, title)


def matrix(
    canvas, x, y, values, name="", *, kind="scores", cell=(44, 30), decimals=2, hidden=None,
    rows=(), cols=(), ink=INK, marked=None, scale=None, numbers=True,
):  # fmt: skip
    """A matrix of numbers on colours with its upper left corner at (x, y); name above it.

    Returns the right edge, the middle and the bottom: where an arrow may start.
    """
    values = np.asarray(values, dtype=float)
    n, m = values.shape
    wide, tall = cell
    hidden = ~np.isfinite(values) if hidden is None else hidden | ~np.isfinite(values)
    shares, colours = _shares(np.where(hidden, 0.0, values), kind, scale)
    for i, j in np.ndindex(n, m):
        left, top = x + j * wide, y + i * tall
        background = fill(shares[i, j], kind=colours)
        canvas.rect(left, top, wide, tall, fill=background, ink=PAPER, width=1.5)
        if hidden[i, j]:
            canvas.hatch(left + 1, top + 1, wide - 2, tall - 2)
        if numbers:
            text = (
                "−∞" if hidden[i, j] and kind == "scores" else number_text(values[i, j], decimals)
            )
            canvas.text(
                left + wide / 2, top + tall / 2, text, size=min(13, tall * 0.45),
                ink=INK if hidden[i, j] else ink_on(shares[i, j], kind=colours),
            )  # fmt: skip
    _labels(canvas, x, y, cell, rows, cols)
    canvas.rect(x, y, m * wide, n * tall, ink=ink, width=2)
    if marked is not None:
        canvas.rect(x + 1, y + marked * tall + 1, m * wide - 2, tall - 2, ink=K, width=3)
    above = y - 14 - 18 * bool(len(cols))
    canvas.symbol(x + m * wide / 2, above, name, size=17, ink=ink, bold=True)
    return x + m * wide, y + n * tall / 2, y + n * tall


def _shares(values, kind, scale):
    """How strongly each cell is coloured, as in the explorers, and on which of their scales."""
    if kind == "weights":
        return values, "weight"
    end = scale_end(np.abs(values).max()) if scale is None else scale[1]
    return signed_share(values, end), "signed"


def _labels(canvas, x, y, cell, rows, cols):
    for i, token in enumerate(rows):
        canvas.text(x - 7, y + (i + 0.5) * cell[1], token, size=13, anchor="end")
    for j, token in enumerate(cols):
        canvas.text(x + (j + 0.5) * cell[0], y - 11, token, size=13)


def block(canvas, x, y, n, m, colour, name="", *, unit=16, marked=None, solid=False, sides=None):
    """An n × m block of empty cells drawn to scale, with its name in the middle.

    `sides` are the symbols of the left and the upper side.
    """
    wide, tall = m * unit, n * unit
    canvas.rect(x, y, wide, tall, fill=colour, opacity=0.55 if solid else 0.18)
    if marked is not None:
        canvas.rect(x, y + marked * unit, wide, unit, fill=colour, opacity=0.75)
    for i in range(1, n):
        canvas.line(x, y + i * unit, x + wide, y + i * unit, ink=PAPER, width=1.5)
    for j in range(1, m):
        canvas.line(x + j * unit, y, x + j * unit, y + tall, ink=PAPER, width=1.5)
    canvas.rect(x, y, wide, tall, ink=colour, width=2.5 if solid else 1.8)
    if name:
        plate(canvas, x + wide / 2, y + tall / 2, name, colour)
    if sides:
        canvas.symbol(x - 9, y + tall / 2, sides[0], size=14, anchor="end")
        canvas.symbol(x + wide / 2, y - 11, sides[1], size=14)


def plate(canvas, x, y, name, colour, size=17):
    """A symbol on a small white plate, legible on any colour."""
    wide = 0.62 * size * len(name.replace("_", "")) + 12
    canvas.rect(x - wide / 2, y - 0.75 * size, wide, 1.5 * size, fill=PAPER, radius=5)
    canvas.symbol(x, y, name, size=size, ink=colour, bold=True)


def token(canvas, x, y, text, colour=X, *, wide=64, tall=30, solid=False):
    """A token in a rounded box, centred on (x, y)."""
    canvas.rect(
        x - wide / 2, y - tall / 2, wide, tall, fill=colour if solid else PAPER, ink=colour,
        width=1.8, radius=7,
    )  # fmt: skip
    canvas.symbol(x, y, text, size=15, ink=PAPER if solid else INK)


def arrow(canvas, x1, y1, x2, y2, name="", *, colour=INK, width=2, dash=None, size=15):
    """An arrow with a symbol above its middle."""
    canvas.arrow(x1, y1, x2, y2, ink=colour, width=width, dash=dash, head=10)
    if name:
        canvas.symbol((x1 + x2) / 2, (y1 + y2) / 2 - 14, name, size=size, ink=colour)


def curve_between(canvas, x1, y1, x2, y2, colour, width, bend):
    """A smooth line from one point to another, bent upwards by `bend`."""
    shares = np.linspace(0, 1, 25)
    canvas.polyline(
        [
            (x1 + (x2 - x1) * t, y1 + (y2 - y1) * t - bend * 4 * t * (1 - t))
            for t in shares.tolist()
        ],
        ink=colour, width=width,
    )  # fmt: skip
