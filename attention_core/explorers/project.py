"""Lesson 01: X times the three W makes Q, K and V: numbers to edit, and sizes to change."""

import numpy as np

from attention_core.example import LAST, W_K, W_Q, W_V, features, hidden, tokens
from attention_core.explorers import machine
from attention_core.explorers.project_blocks import PICTURE, ROW, SIZES, blocks_svg
from attention_core.explorers.widgets import (
    Explorer,
    Frame,
    GuessCells,
    Mission,
    Panel,
    Picture,
    Slider,
)
from attention_core.explorers.widgets.typeset import formula
from attention_core.language import Words, say
from attention_core.projections import project

START = {"n": 4, "d_model": 5, "d_k": 2, "d_v": 3}  # the running example
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
_GUESS = Words(
    "Guess first: in $X$, “{it}” gets the feature {feeling}, too. "
    "Mark the cells of $Q$ that will change.",
    "先猜：$X$ 里的“{it}”多了特征“{feeling}”。标出 $Q$ 里会变的格子。",
)


class Project(Explorer):
    """The same X times three matrices; sliders change the four sizes."""

    def settle(self):
        """X and W_Q have the sizes of the sliders; numbers that are there already stay."""
        for name, sides in (("X", ("n", "d_model")), ("WQ", ("d_model", "d_k"))):
            part, shape = self.controls[name], tuple(self.controls[side].value for side in sides)
            if part.value.shape != shape:
                part.value = _resized(name, shape, part.value)

    def compute(self, X, WQ, n, d_model, d_k, d_v):
        w_k, w_v = _resized("WK", (d_model, d_k)), _resized("WV", (d_model, d_v))
        return {
            "X": X, "WQ": WQ, "WK": w_k, "WV": w_v,
            "Q": project(X, WQ), "K": project(X, w_k), "V": project(X, w_v),
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
        panels = {"blocks": blocks_svg(result, texts)}
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
        "WQ": machine.matrix("WQ", names, asked, W_Q, free=True),
        "X": machine.matrix("X", words, names, hidden(), free=True, words=machine.say_open(_ROW)),
        "Q": machine.matrix("Q", words, asked),
        "blocks": Panel(say(_BLOCKS), height=PICTURE[1]),
    }
    felt = hidden()
    felt[ROW, 3] = 1
    names_said = {"it": words[ROW], "feeling": names[3]}
    return Project(
        parts,
        [["blocks", ["WQ", "X", "Q"]], ["calc"], ["changes"]],
        missions=(
            GuessCells(say(_GUESS, **names_said), {"X": felt.tolist()}, ("Q",)),
            Mission(say(_TALL), lambda _, s: _grew(s) == {"n"}),
            Mission(say(_WIDE), lambda _, s: _grew(s) == {"d_v"}),
            Mission(say(_HIDDEN), lambda _, s: _grew(s) == {"d_model"}),
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


_EXAMPLE = {"X": np.vstack([hidden("tired"), hidden("wide")[3:]]), "WQ": W_Q, "WK": W_K, "WV": W_V}


def _resized(name, shape, kept=None):
    """A matrix of this size: the numbers kept, those of the example, others where both end."""
    drawn = np.random.default_rng(1 + list(_EXAMPLE).index(name)).integers(-2, 3, (8, 8)) + 0.0
    for known in (_EXAMPLE[name], kept):
        if known is not None:
            drawn[: known.shape[0], : known.shape[1]] = known
    return drawn[: shape[0], : shape[1]]
