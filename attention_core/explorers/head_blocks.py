"""Lesson 12's picture: Q, K and V are cut into heads, X is not; all to one scale."""

from attention_core.drawing.screen import LIGHT
from attention_core.drawing.svg import Canvas
from attention_core.language import Words, say

_SHEETS = 4  # drawn one behind the other; more are only counted
_SIDE, _LEAST = 76, 3  # pixels of the longest side, and of the shortest

_PICTURE = Words(
    "X {x}, whole, times W_Q, W_K and W_V {w} gives Q, K and V {x}, each cut into {h} heads "
    "{one}; scores and weights {maps}; A_i V_i {one}; Concat {x}, times W_O {w}, gives O {x}",
    "完整的 X {x} 乘 W_Q、W_K、W_V {w}，得到 Q、K、V {x}，各切成 {h} 个头 {one}；"
    "分数和权重 {maps}；A_i V_i {one}；Concat {x} 乘 W_O {w}，得到 O {x}",
)


def blocks_svg(result):
    """X, whole, on its way to O: every matrix as a block, all to one scale.

    What is cut is marked by lines, with the part of the first head in full colour.
    """
    n, d_model, h, d_head = (result[name] for name in ("n", "d_model", "h", "d_head"))
    x, w, one, maps = (n, d_model), (d_model, d_model), (h, n, d_head), (h, n, n)
    canvas = Canvas(680, 320, say(_PICTURE, x=x, w=w, h=h, one=one, maps=maps))
    for left, (name, shape, colour, cut) in zip(
        range(50, 680, 96),
        [("X", x, None, 1)]
        + [(f"W_{letter}", w, letter.lower(), 1) for letter in "QKV"]
        + [(letter, x, letter.lower(), h) for letter in "QKV"],
        strict=True,
    ):
        _block(canvas, left, 74, name, shape, result, colour, cut)
    for left, name, shape, colour, cut in (
        (64, "Q_i K_i\u200aᵀ", maps, None, 1),
        (182, "A_i", maps, "muted", 1),
        (292, "A_i V_i", one, "o", 1),
        (408, "Concat", x, "o", h),
        (514, "W_O", w, "o", 1),
        (620, "O", x, "o", 1),
    ):
        _block(canvas, left, 236, name, shape, result, colour, cut)
    for left, sign, y in (
        (98, "·", 74), (194, ",", 74), (290, ",", 74), (386, "=", 74), (482, ",", 74),
        (578, ",", 74), (129, "→", 236), (245, "→", 236), (350, "→", 236), (461, "·", 236),
        (567, "=", 236),
    ):  # fmt: skip
        canvas.text(left, y, sign, size=18)
    return str(canvas)


def _block(canvas, x, y, name, shape, result, colour, cut):
    """One matrix, or one behind the other for the heads; its name above, its shape below."""
    unit = _SIDE / max(result["n"], result["d_model"])
    tall, wide = (max(size * unit, _LEAST) for size in shape[-2:])
    sheets = min(shape[0], _SHEETS) if len(shape) == 3 else 1
    for sheet in reversed(range(sheets)):
        left, top = x - wide / 2 + 4 * sheet, y - tall / 2 - 4 * sheet
        canvas.rect(left, top, wide, tall, fill=_ink("page"))
        if colour:
            part = wide / cut
            canvas.rect(left, top, part, tall, fill=_ink(colour))
            canvas.rect(left + part, top, wide - part, tall, fill=_ink(colour), opacity=0.45)
        for k in range(1, cut):
            at = left + k * wide / cut
            canvas.line(at, top, at, top + tall, width=min(1, wide / cut / 4), ink=_ink("text"))
        canvas.rect(left, top, wide, tall, ink=_ink("text"))
    canvas.symbol(x, y - 62, name, size=15, bold=True)
    canvas.text(x, y + 52, str(shape), size=12)


def _ink(name):
    """A colour of the theme, or its light form where there is no theme."""
    return f"var(--{name}, {LIGHT[name]})"
