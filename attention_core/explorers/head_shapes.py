"""Lesson 12: every shape on the way through the heads, and what each step costs."""

from attention_core.drawing.screen import LIGHT
from attention_core.drawing.svg import Canvas
from attention_core.explorers.long_pictures import counts_table
from attention_core.explorers.widgets import Choice, Explorer, Mission, Panel, Picture, Slider
from attention_core.language import Words, say
from attention_core.measures import head_steps

LENGTHS = (1, 2, 5, 10, 50, 100, 200, 500, 1000, 2000)
WIDTHS = (64, 384, 512, 576, 768, 1024)  # what published models have
MOST_HEADS = 64
_SHEETS = 4  # drawn one behind the other; more are only counted
_SIDE, _LEAST = 76, 3  # pixels of the longest side, and of the shortest

_COLUMNS = (
    Words("step", "步骤"),
    Words("shape", "形状"),
    Words("parameters", "参数"),
    Words("multiplications", "乘法次数"),
)
_TOTAL = Words("total", "合计")
_PICTURE = Words(
    "X {x}, whole, times W_Q, W_K and W_V {w} gives Q, K and V {x}, each cut into {h} heads "
    "{one}; scores and weights {maps}; A_i V_i {one}; Concat {x}, times W_O {w}, gives O {x}",
    "完整的 X {x} 乘 W_Q、W_K、W_V {w}，得到 Q、K、V {x}，各切成 {h} 个头 {one}；"
    "分数和权重 {maps}；A_i V_i {one}；Concat {x} 乘 W_O {w}，得到 O {x}",
)
_SENTENCE = Words(
    "n = {n}, d_model = {d_model}, h = {h}: d_head = {d_head}. In each head: Q_i, K_i, V_i "
    "({n}, {d_head}), scores ({n}, {n}), head_i ({n}, {d_head}); Concat ({n}, {d_model}). "
    "Parameters {parameters}, multiplications {multiplications}, attention weights {weights}.",
    "n = {n}，d_model = {d_model}，h = {h}：d_head = {d_head}。每个头：Q_i、K_i、V_i "
    "({n}, {d_head})，分数 ({n}, {n})，head_i ({n}, {d_head})；Concat ({n}, {d_model})。"
    "参数 {parameters} 个，乘法 {multiplications} 次，注意力权重 {weights} 个。",
)
_SUMMARY = Words(
    "$h$ = {h}: heads {d_head} wide do {share}% of the multiplications",
    "$h$ = {h}：每个头宽 {d_head}，各头共占全部乘法的 {share}%",
)
_NINE = Words("Find a width that nine heads can share.", "找一个能平分给九个头的宽度。")
_MAPS = Words(
    "Give all maps together more weights than the layer has parameters, while the projections "
    "still take most of the multiplications.",
    "让所有权重图里的权重总数超过这一层的参数个数，同时大部分乘法仍然花在投影上。",
)
_LONG = Words(
    "Make the text so long that the heads take most of the multiplications.",
    "把文本加长，直到大部分乘法都花在各个头里。",
)


def legal_heads(d_model):
    """The numbers of heads that share a width without a rest.

    Examples
    --------
    >>> legal_heads(576)
    [1, 2, 3, 4, 6, 8, 9, 12, 16, 18, 24, 32, 36, 48, 64]
    """
    return [h for h in range(1, MOST_HEADS + 1) if d_model % h == 0]


class HeadShapes(Explorer):
    """n tokens, d_model features, h heads: shapes and counts, no numbers of a layer."""

    def settle(self):
        """Only heads that share the width without a rest are offered."""
        h = self.controls["h"]
        legal = legal_heads(self.controls["d_model"].value)
        h.closed = [place for place, heads in enumerate(h.values) if heads not in legal]

    def compute(self, n, d_model, h):
        steps = head_steps(n, d_model, h)
        made = {step.name: step for step in steps}
        inside = made["Q_i K_iᵀ"].multiplications + made["head_i = A_i V_i"].multiplications
        return {
            "n": n, "d_model": d_model, "h": h, "steps": steps, "inside": inside,
            "d_head": made["Q_i, K_i, V_i"].shape[-1],
            "parameters": sum(step.parameters for step in steps),
            "multiplications": sum(step.multiplications for step in steps),
            "weights": h * n * n,
        }  # fmt: skip

    def picture(self, result, settings):
        totals = ("parameters", "multiplications", "weights")
        sentence = say(_SENTENCE, **{**result, **{t: f"{result[t]:,}" for t in totals}})
        share = round(100 * result["inside"] / result["multiplications"])
        summary = say(_SUMMARY, share=share, **result)
        panels = {"blocks": blocks_svg(result), "table": _table(result)}
        return Picture({}, sentence, summary, panels)


def head_shapes_explorer(n=100, d_model=512, h=8):
    """Change n, d_model and h: shapes, parameters and multiplications follow.

    Only numbers of heads that divide d_model are offered.

    Parameters
    ----------
    n, d_model, h : int
        Where the controls start; see `LENGTHS`, `WIDTHS` and `legal_heads`.

    Returns
    -------
    Explorer
        `result` holds the steps of `head_steps`, d_head, the multiplications `inside` the heads,
        and the totals parameters, multiplications and weights.
    """
    heads = sorted({h for width in WIDTHS for h in legal_heads(width)})
    return HeadShapes(
        {
            "n": Slider("$n$", LENGTHS, n),
            "d_model": Choice("$d_model$", WIDTHS, d_model),
            "h": Choice("$h$", heads, h),
            "blocks": Panel(height=330),
            "table": Panel(height=270),
        },
        [["blocks", "table"], ["changes"]],
        framed=("n",),
        missions=(
            Mission(say(_NINE), lambda r, _: r["h"] == 9),
            Mission(
                say(_MAPS), lambda r, _: r["weights"] > r["parameters"] and not _is_mostly_inside(r)
            ),
            Mission(say(_LONG), lambda r, _: _is_mostly_inside(r)),
        ),
    )


def _is_mostly_inside(result):
    return 2 * result["inside"] > result["multiplications"]


def _table(result):
    lines = [
        [f"${s.name.replace('ᵀ', '^T')}$", str(s.shape), s.parameters, s.multiplications]
        for s in result["steps"]
    ]
    total = [say(_TOTAL), "", result["parameters"], result["multiplications"]]
    table = counts_table([say(words) for words in _COLUMNS], *lines, total)
    return table.replace("head_i", 'head<sub style="line-height:0">i</sub>')


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
