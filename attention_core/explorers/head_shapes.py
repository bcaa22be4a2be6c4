"""Lesson 12: every shape on the way through the heads, and what each step costs."""

import math

import numpy as np

from attention_core.explorers.head_blocks import blocks_svg
from attention_core.explorers.long_pictures import counts_table
from attention_core.explorers.widgets import (
    Choice,
    Explorer,
    Frame,
    GuessCells,
    Matrix,
    Mission,
    Panel,
    Picture,
    Slider,
)
from attention_core.language import Words, say
from attention_core.measures import head_steps

LENGTHS = (1, 2, 5, 10, 50, 100, 200, 500, 1000, 2000)
WIDTHS = (64, 384, 512, 576, 768, 1024)  # what published models have
MOST_HEADS = 64

_COLUMNS = (
    Words("step", "步骤"),
    Words("shape", "形状"),
    Words("parameters", "参数"),
    Words("multiplications", "乘法次数"),
)
_STEPS = ("Q, K, V", "QᵢKᵢᵀ", "Aᵢ", "AᵢVᵢ", "O")
_COUNTS = (Words("kept", "参数"), Words("products", "乘法"), Words("made", "得数"))
_ABOUT = Words(
    "for each step: parameters kept, multiplications done, numbers made.",
    "每一步：保存的参数、做的乘法、得到的数各有多少。",
)
_HOW_MANY = Words("how many", "各有多少")
_STEP_AXIS, _COUNT_AXIS = Words("step", "步骤"), Words("count", "数目")
_GUESS = Words(
    "Guess first: 16 heads instead of 8. Mark the counts that change.",
    "先猜：8 个头换成 16 个。标出会变的数目。",
)
_TOTAL = Words("total", "合计")
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
            "weights": h * n * n, "counts": _counts(steps),
        }  # fmt: skip

    def picture(self, result, settings):
        totals = ("parameters", "multiplications", "weights")
        sentence = say(_SENTENCE, **{**result, **{t: f"{result[t]:,}" for t in totals}})
        share = round(100 * result["inside"] / result["multiplications"])
        summary = say(_SUMMARY, share=share, **result)
        panels = {"blocks": blocks_svg(result), "table": _table(result)}
        frames = {"N": Frame(result["counts"], explain=_products(result))}
        return Picture(frames, sentence, summary, panels)


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
            "N": Matrix(
                "N",
                _STEPS,
                [say(words) for words in _COUNTS],
                sum="{me} = {=}",
                reads="--",
                equation=say(_HOW_MANY),
                about=say(_ABOUT),
                words=say(_ABOUT),
                row_axis=say(_STEP_AXIS),
                col_axis=say(_COUNT_AXIS),
            ),
            "table": Panel(height=270),
        },
        [["blocks", "N", "table"], ["calc"], ["changes"]],
        framed=("n",),
        missions=(
            GuessCells(say(_GUESS), {"h": 16}, ("N",)),
            Mission(say(_NINE), lambda r, _: r["h"] == 9),
            Mission(
                say(_MAPS), lambda r, _: r["weights"] > r["parameters"] and not _is_mostly_inside(r)
            ),
            Mission(say(_LONG), lambda r, _: _is_mostly_inside(r)),
        ),
        selected=("N", 3, 1),
    )


def _counts(steps):
    """Parameters, multiplications and numbers made by each step that computes something."""
    made = {step.name: step for step in steps if step.parameters or step.multiplications}
    made["A_i"] = next(step for step in steps if step.name == "A_i")
    order = ("Q, K, V", "Q_i K_iᵀ", "A_i", "head_i = A_i V_i", "O = Concat W_O")
    sizes = [math.prod(made[name].shape) for name in order]
    sizes[0] *= 3  # Q, K and V are of one shape
    return np.array(
        [
            [made[name].parameters, made[name].multiplications, size]
            for name, size in zip(order, sizes, strict=True)
        ],
        float,
    )


def _products(result):
    """Each count as the product of the sizes that make it, with all its digits."""
    n, d, h, one = (result[name] for name in ("n", "d_model", "h", "d_head"))
    factors = (
        ((3, d, d), (3, n, d, d), (3, n, d)),
        ((), (h, n, one, n), (h, n, n)),
        ((), (), (h, n, n)),
        ((), (h, n, n, one), (h, n, one)),
        ((d, d), (n, d, d), (n, d)),
    )
    return [
        [
            f"{{me}} = {'·'.join(map(str, sizes))} = {count:,.0f}".replace(",", "\u2009")
            if sizes else "{me} = 0"
            for sizes, count in zip(row, counts, strict=True)
        ]
        for row, counts in zip(factors, result["counts"], strict=True)
    ]  # fmt: skip


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
