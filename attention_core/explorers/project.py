"""Lesson 01: X, the three W and the Q, K, V they make, as blocks drawn to scale."""

import numpy as np

from attention_core.drawing.svg import Canvas
from attention_core.explorers.base import Explorer
from attention_core.explorers.controls import Slider
from attention_core.explorers.panel import Panel
from attention_core.language import Words, say
from attention_core.projections import project

SIZES = {"n": (2, 3, 5, 7), "d_model": (4, 8, 12), "d_k": (2, 3, 5), "d_v": (2, 3, 5)}
ROW = 1  # the row of X that is followed, counted from 0
COLOURS = {"Q": "#0072b2", "K": "#d55e00", "V": "#00825f", "X": "#7a8594"}
_UNIT, _GAP, _BETWEEN = 16, 30, 52
_CORNER = (_UNIT * SIZES["d_model"][-1] + _GAP + 42, _UNIT * SIZES["d_model"][-1] + _GAP + 26)

_PICTURE = Words(
    "Blocks to scale: X {x}; above each product its W, W_Q {w_q}, W_K {w_k}, W_V {w_v}; "
    "Q {q}, K {k}, V {v}. Row 2 of X and row 2 of Q, K and V are marked.",
    "按比例画出的方块：X {x}；每个乘积上方是对应的 W，W_Q {w_q}、W_K {w_k}、W_V {w_v}；"
    "Q {q}、K {k}、V {v}。X 的第 2 行和 Q、K、V 的第 2 行涂成深色。",
)
_ASK = Words("Say the shapes of Q, K and V first, then open", "先说出 Q、K、V 的形状，再打开看")
_SENTENCE = Words(
    "X {x} times W_Q {w_q} gives Q {q}; times W_K {w_k} gives K {k}; times W_V {w_v} gives V {v}.",
    "X {x} 乘 W_Q {w_q} 得 Q {q}；乘 W_K {w_k} 得 K {k}；乘 W_V {w_v} 得 V {v}。",
)


def project_explorer(n=5, d_model=8, d_k=3, d_v=5):
    """Change the four sizes and see which sides of the blocks move together.

    Parameters
    ----------
    n, d_model, d_k, d_v : int
        Where the sliders start; see `SIZES` for their settings.

    Returns
    -------
    Explorer
        `result` holds x, w_q, w_k, w_v, q, k, v, and q_row: what row 2 of X makes alone.
    """
    start = {"n": n, "d_model": d_model, "d_k": d_k, "d_v": d_v}
    rng = np.random.default_rng(1)
    largest = [SIZES[name][-1] for name in SIZES]
    drawn = {
        "x": rng.normal(size=largest[:2]),
        **{name: rng.normal(size=(largest[1], largest[2])) for name in ("w_q", "w_k")},
        "w_v": rng.normal(size=(largest[1], largest[3])),
    }
    return Explorer(
        controls={name: Slider(name, SIZES[name], start[name]) for name in SIZES},
        views={"blocks": Panel(), "shapes": Panel()},
        compute=lambda **sizes: _compute(drawn, **sizes),
        paint=lambda result, _: {"blocks": _blocks(result), "shapes": _shapes(result)},
        sentence=lambda result, _: say(_SENTENCE, **_shape_texts(result)),
        rows=[["n", "d_model"], ["d_k", "d_v"], ["blocks"], ["shapes"]],
        framed=tuple(SIZES),
    )


def _compute(drawn, n, d_model, d_k, d_v):
    x = drawn["x"][:n, :d_model]
    w_q, w_k = (drawn[name][:d_model, :d_k] for name in ("w_q", "w_k"))
    w_v = drawn["w_v"][:d_model, :d_v]
    return {
        "x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v,
        "q": project(x, w_q), "k": project(x, w_k), "v": project(x, w_v),
        "q_row": project(x[ROW : ROW + 1], w_q),
    }  # fmt: skip


def _shape_texts(result):
    return {name: str(array.shape) for name, array in result.items()}


def _shapes(result):
    """The three products with their shapes, folded: a new setting folds them again."""
    texts = _shape_texts(result)
    lines = "".join(
        f"<p>X {texts['x']} · W_{name} {texts[f'w_{name.lower()}']} → "
        f"<b>{name} {texts[name.lower()]}</b></p>"
        for name in "QKV"
    )
    return f'<details><summary style="cursor:pointer">{say(_ASK)}</summary>{lines}</details>'


def _blocks(result):
    """X to the left, each W above its product: sides of the same size lie along each other."""
    n, d_model = result["x"].shape
    widest = 2 * SIZES["d_k"][-1] + SIZES["d_v"][-1]
    canvas = Canvas(
        _CORNER[0] + widest * _UNIT + 2 * _BETWEEN + 36,
        _CORNER[1] + SIZES["n"][-1] * _UNIT + 54,
        say(_PICTURE, **_shape_texts(result)),
    )
    _input(canvas, n, d_model)
    left = _CORNER[0]
    for name, side in (("Q", "d_k"), ("K", "d_k"), ("V", "d_v")):
        wide = result[name.lower()].shape[1]
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
        canvas.rect(x, y + row * _UNIT, wide, _UNIT, fill=colour, opacity=0.7)
    canvas.polyline(_snake(x, y, wide, tall, rows), ink=colour, width=0.7)
    canvas.polyline([(a, b) for b, a in _snake(y, x, tall, wide, columns)], ink=colour, width=0.7)
    canvas.rect(x, y, wide, tall, ink=colour, width=2.5 if kept else 1.6)
    if kept:
        _plate(canvas, x + wide / 2, y + tall / 2, f"W_{name}", colour, room=wide - 4)
    else:
        _plate(canvas, x + wide / 2, y + tall + 38, name, colour)


def _plate(canvas, x, y, symbol, colour, room=np.inf):
    """A symbol on white, legible on every ground; the plate is no wider than there is room."""
    wide = min(60 if len(symbol) > 3 else 10 + 10 * len(symbol), room)
    canvas.rect(x - wide / 2, y - 11, wide, 22, fill="#ffffff", radius=4)
    ink = "#4d5762" if colour == COLOURS["X"] else colour  # a grey dark enough for letters
    canvas.symbol(x, y, symbol, ink=ink, bold=True)


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
