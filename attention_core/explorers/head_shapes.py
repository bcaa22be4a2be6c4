"""Lesson 12: every shape on the way through the heads, and what each step costs."""

import re
from html import escape

from attention_core.drawing.svg import LINES, Canvas
from attention_core.explorers.base import Explorer
from attention_core.explorers.controls import Slider
from attention_core.explorers.panel import Panel
from attention_core.language import Words, say
from attention_core.measures import head_steps

LENGTHS = (1, 2, 5, 10, 50, 100, 200, 500, 1000, 2000)
WIDTHS = (64, 384, 512, 576, 768, 1024)  # what published models have
MOST_HEADS = 64
_MOST_SHEETS = 8
_SIDE = 120  # pixels of the longest side

_COLUMNS = (
    Words("step", "步骤"),
    Words("shape", "形状"),
    Words("parameters", "参数"),
    Words("multiplications", "乘法次数"),
)
_TOTAL = Words("total", "合计")
_PICTURE = Words(
    "X {x}, cut into {h} slices, {heads}; scores {scores}; joined again, {x}",
    "X {x}，切成 {h} 片，{heads}；分数 {scores}；再拼回 {x}",
)
_SENTENCE = Words(
    "n = {n}, d_model = {d_model}, h = {h}: d_head = {d_head}. In each head: Q_i, K_i, V_i "
    "({n}, {d_head}), scores ({n}, {n}), head_i ({n}, {d_head}); Concat ({n}, {d_model}). "
    "Parameters {parameters}, multiplications {multiplications}, attention weights {weights}.",
    "n = {n}，d_model = {d_model}，h = {h}：d_head = {d_head}。每个头：Q_i、K_i、V_i "
    "({n}, {d_head})，分数 ({n}, {n})，head_i ({n}, {d_head})；Concat ({n}, {d_model})。"
    "参数 {parameters} 个，乘法 {multiplications} 次，注意力权重 {weights} 个。",
)


class HeadSlider(Slider):
    """A slider that offers only numbers of heads that divide the width another one shows.

    Parameters
    ----------
    d_model : Slider
        The width; when it moves, the offer changes, and an h that no longer divides goes down
        to the nearest one that does.
    value : int
        Where it starts.
    """

    def __init__(self, d_model, value):
        super().__init__("h", legal_heads(d_model.value), value)
        d_model.observe(lambda change: self._offer(legal_heads(change["new"])), "value")

    def _offer(self, values):
        nearest = max(h for h in values if h <= self.value)
        with self.hold_sync():  # one message: the browser never sees an index without an option
            self.values, self.options = values, [str(h) for h in values]
            self.index = values.index(nearest)
            self.value = nearest


def legal_heads(d_model):
    """The numbers of heads that share a width without a rest.

    Examples
    --------
    >>> legal_heads(576)
    [1, 2, 3, 4, 6, 8, 9, 12, 16, 18, 24, 32, 36, 48, 64]
    """
    return [h for h in range(1, MOST_HEADS + 1) if d_model % h == 0]


def head_shapes_explorer(n=100, d_model=512, h=8):
    """Change n, d_model and h: shapes, parameters and multiplications follow.

    Only numbers of heads that divide d_model are offered.

    Parameters
    ----------
    n, d_model, h : int
        Where the sliders start; see `LENGTHS`, `WIDTHS` and `legal_heads`.

    Returns
    -------
    Explorer
        `result` holds the steps of `head_steps`, d_head, and the totals parameters,
        multiplications and weights.
    """
    width = Slider("d_model", WIDTHS, d_model)
    return Explorer(
        controls={
            "n": Slider("n", LENGTHS, n),
            "d_model": width,
            "h": HeadSlider(width, h),
        },
        views={"picture": Panel(), "table": Panel()},
        compute=_compute,
        paint=lambda result, _: {"picture": _picture(result), "table": _table(result)},
        sentence=_sentence,
        rows=[["n", "d_model", "h"], ["picture"], ["table"]],
        framed=("n",),
    )


def _compute(n, d_model, h):
    steps = head_steps(n, d_model, h)
    by_name = {step.name: step for step in steps}
    return {
        "n": n,
        "d_model": d_model,
        "h": h,
        "d_head": by_name["Q_i, K_i, V_i"].shape[-1],
        "steps": steps,
        "parameters": sum(step.parameters for step in steps),
        "multiplications": sum(step.multiplications for step in steps),
        "weights": h * n * n,
    }


def whole(number):
    """A large number in groups of three digits.

    Examples
    --------
    >>> whole(1048576) == "1\\u2009048\\u2009576"
    True
    """
    return f"{number:,}".replace(",", "\u2009")


def _sentence(result, _):
    totals = {name: whole(result[name]) for name in ("parameters", "multiplications", "weights")}
    return say(_SENTENCE, **{**result, **totals})


def _table(result):
    def row(cells, tag="td"):
        first, *rest = cells
        name = re.sub("_([A-Za-z])", r"<sub>\1</sub>", escape(first))
        left = f'<th scope="row" style="text-align:left">{name}</th>'
        style = 'style="text-align:right;padding:1px 0 1px 22px;font-variant-numeric:tabular-nums"'
        return f"<tr>{left}{''.join(f'<{tag} {style}>{escape(c)}</{tag}>' for c in rest)}</tr>"

    def count(number):
        return whole(number) if number else "–"

    lines = [
        row([s.name, str(s.shape), count(s.parameters), count(s.multiplications)])
        for s in result["steps"]
    ]
    head = row([say(words) for words in _COLUMNS], "th")
    total = row([say(_TOTAL), "", whole(result["parameters"]), whole(result["multiplications"])])
    return f"<table><thead>{head}</thead><tbody>{''.join(lines)}{total}</tbody></table>"


def _picture(result):
    """X in slices, the sheets of the heads, their score matrices, and the slices joined again."""
    n, d_model, h = result["n"], result["d_model"], result["h"]
    unit = _SIDE / max(n, d_model)
    tall, wide = max(n * unit, 3), max(d_model * unit, 3)
    slim, square = max(wide / h, 3), max(n * unit, 3)
    middle = 42 + _SIDE / 2
    title = say(
        _PICTURE, x=(n, d_model), h=h, heads=(h, n, result["d_head"]), scores=(h, n, n)
    )  # fmt: skip
    canvas = Canvas(720, 252, title)
    shapes = (
        (72, wide, False, (n, d_model), "(n, d_model)"),
        (244, slim, True, (h, n, result["d_head"]), "(h, n, d_head)"),
        (440, square, True, (h, n, n), "(h, n, n)"),
        (646, wide, False, (n, d_model), "(n, d_model)"),
    )
    for x, across, stacked, shape, symbol in shapes:
        if stacked:
            _sheets(canvas, x, middle, across, tall, h)
        else:
            _slices(canvas, x, middle, across, tall, h)
        canvas.text(x, 206, str(shape), size=14, bold=True)
        canvas.symbol(x, 230, symbol, size=13)
    for x1, x2, name in ((138, 178, "Q, K, V"), (310, 350, "QKᵀ"), (536, 576, "A V")):
        canvas.arrow(x1, middle, x2, middle)
        canvas.symbol((x1 + x2) / 2, middle - 16, name, size=13)
    return str(canvas)


def _slices(canvas, x, y, wide, tall, h):
    """One matrix with its columns coloured head by head."""
    for k in range(h):
        left = x - wide / 2 + k * wide / h
        canvas.rect(left, y - tall / 2, wide / h, tall, fill=LINES[k % 4])
    canvas.rect(x - wide / 2, y - tall / 2, wide, tall, ink="currentColor")


def _sheets(canvas, x, y, wide, tall, h):
    """One sheet for each head, one behind the other; more than eight are only named."""
    shown = min(h, _MOST_SHEETS)
    shifts = [6 * (k - (shown - 1) / 2) for k in range(shown)]
    for k, shift in reversed([*enumerate(shifts)]):
        left, top = x - wide / 2 + shift, y - tall / 2 - shift
        canvas.rect(left, top, wide, tall, fill=LINES[k % 4], ink="#ffffff", width=1.2)
    if h > shown:
        left, top = x - wide / 2 + shifts[-1], y - tall / 2 - shifts[-1]
        canvas.text(left + wide + 6, top + 7, f"× {h}", size=13, anchor="start")
