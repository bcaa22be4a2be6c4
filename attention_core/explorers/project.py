"""Lesson 01: X, the three W and the Q, K, V they make: numbers, and blocks drawn to scale."""

import numpy as np

from attention_core.drawing.svg import Canvas
from attention_core.example import LAST, W_K, W_Q, W_V, features, hidden, tokens
from attention_core.explorers import machine
from attention_core.explorers.widgets import Explorer, Frame, Mission, Panel, Picture, Slider
from attention_core.explorers.widgets.typeset import formula
from attention_core.language import Words, say
from attention_core.projections import project

SIZES = {"n": (3, 4, 5), "d_model": (3, 5, 8), "d_k": (2, 3, 4), "d_v": (2, 3, 5)}
START = {"n": 4, "d_model": 5, "d_k": 2, "d_v": 3}  # the running example
ROW = 2  # the row of X that is followed in the blocks, counted from 0
COLOURS = {
    "Q": "var(--q, #1866d8)", "K": "var(--k, #b05600)", "V": "var(--v, #00573f)",
    "X": "var(--n, #4c5666)",
}  # fmt: skip
_UNIT, _GAP, _BETWEEN = 24, 30, 52
_CORNER = (_UNIT * SIZES["d_model"][-1] + _GAP + 42, _UNIT * SIZES["d_model"][-1] + _GAP + 26)
_SIZE = (
    _CORNER[0] + (2 * SIZES["d_k"][-1] + SIZES["d_v"][-1]) * _UNIT + 2 * _BETWEEN + 36,
    _CORNER[1] + SIZES["n"][-1] * _UNIT + 54,
)

_PICTURE = Words(
    "Blocks to scale: X {X}; above each product its W, W_Q {WQ}, W_K {WK}, W_V {WV}; "
    "Q {Q}, K {K}, V {V}. Row 3 of X and row 3 of Q, K and V are marked.",
    "按比例画出的方块：X {X}；每个乘积上方是对应的 W，W_Q {WQ}、W_K {WK}、W_V {WV}；"
    "Q {Q}、K {K}、V {V}。X 的第 3 行和 Q、K、V 的第 3 行涂成深色。",
)
_BLOCKS = Words(
    "one square for each number; dark: row 3 of $X$ and the rows it makes",
    "一个小格是一个数；深色：$X$ 的第 3 行，以及由它得出的各行",
)
_SENTENCE = Words(
    "X {X} times W_Q {WQ} gives Q {Q}; times W_K {WK} gives K {K}; times W_V {WV} gives V {V}.",
    "X {X} 乘 W_Q {WQ} 得 Q {Q}；乘 W_K {WK} 得 K {K}；乘 W_V {WV} 得 V {V}。",
)
_SUMMARY = Words(
    "{X}·{WQ} makes $Q$ and $K$ {Q}; {X}·{WV} makes $V$ {V}",
    "{X}·{WQ} 得 $Q$、$K$：{Q}；{X}·{WV} 得 $V$：{V}",
)
_ROW = Words("{row} alone makes its row of $Q$, whatever stands in the other rows.",
             "{row} 单独得出它在 $Q$ 里的那一行，与其他各行无关。")  # fmt: skip
_TALL = Words("Make $Q$, $K$ and $V$ taller, and no $W$.", "让 $Q$、$K$、$V$ 变高，而 $W$ 都不变。")
_WIDE = Words("Make $V$ wider, and neither $Q$ nor $K$.", "让 $V$ 变宽，而 $Q$ 和 $K$ 都不变。")
_HIDDEN = Words(
    "Make all three $W$ taller while $Q$, $K$ and $V$ keep their shapes.",
    "让三个 $W$ 都变高，而 $Q$、$K$、$V$ 的形状不变。",
)
_USUAL = Words(
    "Give $Q$, $K$ and $V$ one and the same shape, as is usual.",
    "让 $Q$、$K$、$V$ 形状全都相同，通常就是这样取的。",
)


class Project(Explorer):
    """The same X times three matrices; sliders change the four sizes."""

    def compute(self, n, d_model, d_k, d_v):
        x = _filled(np.vstack([hidden("tired"), hidden("wide")[3:]]), n, d_model, 1)
        w_q, w_k, w_v = (
            _filled(w, d_model, d, seed)
            for seed, (w, d) in enumerate(((W_Q, d_k), (W_K, d_k), (W_V, d_v)), start=2)
        )
        return {
            "X": x, "WQ": w_q, "WK": w_k, "WV": w_v,
            "Q": project(x, w_q), "K": project(x, w_k), "V": project(x, w_v),
        }  # fmt: skip

    def picture(self, result, settings):
        words, names = [*tokens("tired"), say(LAST["wide"])][: settings["n"]], _names("x", settings)
        asked = _names("q", settings)
        frames = {
            "X": Frame(result["X"], rows=words, cols=names),
            "WQ": Frame(result["WQ"], rows=names, cols=asked),
            "Q": Frame(result["Q"], rows=words, cols=asked),
        }
        texts = {name: str(array.shape) for name, array in result.items()}
        panels = {"blocks": _blocks(result, texts)}
        return Picture(frames, say(_SENTENCE, **texts), say(_SUMMARY, **texts), panels)


def project_explorer(n=4, d_model=5, d_k=2, d_v=3):
    """Change the four sizes and see which sides of the blocks move together.

    Parameters
    ----------
    n, d_model, d_k, d_v : int
        Where the sliders start; see `SIZES` for their settings.

    Returns
    -------
    Explorer
        `result` holds X, WQ, WK, WV, Q, K and V.
    """
    start = {"n": n, "d_model": d_model, "d_k": d_k, "d_v": d_v}
    words, names, asked = tokens(), features(), features("q")
    parts = {
        **{name: Slider(f"${name}$", SIZES[name], start[name]) for name in SIZES},
        "WQ": machine.matrix("WQ", names, asked),
        "X": machine.matrix("X", words, names, words=machine.say_open(_ROW)),
        "Q": machine.matrix("Q", words, asked),
        "blocks": Panel(say(_BLOCKS), height=_SIZE[1]),
    }
    return Project(
        parts,
        [["blocks", ["WQ", "X", "Q"]], ["calc"], ["changes"]],
        framed=tuple(SIZES),
        missions=(
            Mission(say(_TALL), lambda _, s: _grew(s) == {"n"}),
            Mission(say(_WIDE), lambda _, s: _grew(s) == {"d_v"}),
            Mission(say(_HIDDEN), lambda _, s: _grew(s) == {"d_model"}),
            Mission(say(_USUAL), lambda r, _: r["Q"].shape == r["V"].shape),
        ),
        formula=_map(),
        selected=("Q", ROW, 0),
    )


def _grew(settings):
    """Which sizes are larger than at the start; nothing where one is smaller."""
    if any(settings[name] < START[name] for name in SIZES):
        return set()
    return {name for name in SIZES if settings[name] > START[name]}


def _map():
    """Three products; the one whose numbers are shown has its symbols lit."""
    q, x, w_q = (machine.symbol(name) for name in ("Q", "X", "WQ"))
    rows = [f"{q} = {x} {w_q}"]
    rows += [f"{formula(name)} = {x} {formula(f'W_{name}')}" for name in "KV"]
    return "".join(f'<div class="main" style="font-size:24px">{row}</div>' for row in rows)


def _names(of, settings):
    """The names of the features of x or of a query; beyond the example, their numbers."""
    size = settings["d_model" if of == "x" else "d_k"]
    named = features(of)
    return [*named, *(str(i + 1) for i in range(len(named), size))][:size]


def _filled(example, rows, columns, seed):
    """The numbers of the example, with others behind them where there are more places."""
    drawn = np.random.default_rng(seed).integers(-2, 3, (8, 8)).astype(float)
    drawn[: example.shape[0], : example.shape[1]] = example
    return drawn[:rows, :columns]


def _blocks(result, texts):
    """X to the left, each W above its product: sides of the same size lie along each other."""
    n, d_model = result["X"].shape
    canvas = Canvas(*_SIZE, say(_PICTURE, **texts))
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
