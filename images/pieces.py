"""The pieces that the lessons' pictures are made of: matrices, blocks, tokens, arrows."""

import numpy as np

from attention_core.drawing.numbers import number_text
from attention_core.drawing.palette import FAINT, INK, ON_CHIP, ROLES, cell_colours
from attention_core.drawing.svg.canvas import Canvas

WIDTH = 720
Q, K, V, O, X, WEIGHTS = (ROLES[role] for role in "QKVOXA")  # noqa: E741
GAP = 2  # between two cells, as in the explorers


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
    fills, inks = cell_colours(values, kind, hidden, scale)
    for i, j in np.ndindex(n, m):
        left, top = x + j * wide, y + i * tall
        if fills[i][j] != "none":
            cell_at(canvas, left, top, wide, tall, fills[i][j])
        if hidden[i, j]:
            canvas.hatch(left + GAP, top + GAP, wide - 2 * GAP, tall - 2 * GAP)
        if numbers:
            text = (
                "−∞" if hidden[i, j] and kind == "scores" else number_text(values[i, j], decimals)
            )
            canvas.text(
                left + wide / 2, top + tall / 2, text, size=min(13, tall * 0.45), ink=inks[i][j]
            )
    _labels(canvas, x, y, cell, rows, cols)
    canvas.rect(x, y, m * wide, n * tall, ink=ink, width=2, radius=5)
    if marked is not None:
        canvas.rect(x + 1, y + marked * tall + 1, m * wide - 2, tall - 2, ink=K, width=3, radius=4)
    if name:
        above = y - 16 - 18 * bool(len(cols))
        plate(canvas, x + m * wide / 2, above, name, ink, size=15)
    return x + m * wide, y + n * tall / 2, y + n * tall


def cell_at(canvas, left, top, wide, tall, colour, opacity=None):
    """One cell of a matrix: a rounded square with a gap around it."""
    canvas.rect(
        left + GAP / 2, top + GAP / 2, wide - GAP, tall - GAP, fill=colour, opacity=opacity,
        radius=min(4, wide / 5),
    )  # fmt: skip


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
    for i, j in np.ndindex(n, m):
        strength = 0.75 if i == marked else 0.5 if solid else 0.22
        cell_at(canvas, x + j * unit, y + i * unit, unit, unit, colour, strength)
    canvas.rect(x, y, wide, tall, ink=colour, width=2.5 if solid else 1.8, radius=5)
    if name:
        plate(canvas, x + wide / 2, y + tall / 2, name, colour)
    if sides:
        canvas.symbol(x - 9, y + tall / 2, sides[0], size=14, anchor="end")
        canvas.symbol(x + wide / 2, y - 11, sides[1], size=14)


def plate(canvas, x, y, name, colour, size=17):
    """A symbol on a ground of its role's colour, as the titles of the explorers."""
    wide = 0.62 * size * len(name.replace("_", "")) + 12
    canvas.rect(x - wide / 2, y - 0.75 * size, wide, 1.5 * size, fill=colour, radius=6)
    canvas.symbol(x, y, name, size=size, ink=ON_CHIP, bold=True)


def panel(canvas, x, y, wide, tall):
    """A rounded frame around what belongs together."""
    canvas.rect(x, y, wide, tall, ink=FAINT, radius=12)


def token(canvas, x, y, text, colour=X, *, wide=64, tall=30, solid=False):
    """A token in a rounded box, centred on (x, y)."""
    canvas.rect(
        x - wide / 2, y - tall / 2, wide, tall, fill=colour if solid else "none", ink=colour,
        width=1.8, radius=7,
    )  # fmt: skip
    size = min(15, 1.7 * (wide - 6) / len(text))
    canvas.symbol(x, y, text, size=size, ink=ON_CHIP if solid else INK)


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
