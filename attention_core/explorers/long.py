"""Lesson 17: read the keys block by block, and see what is remembered and what it costs."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.blockwise.costs import blockwise_cost, plain_cost, visible_pairs
from attention_core.blockwise.running import online_steps, output_so_far, shifted_exponentials
from attention_core.drawing.numbers import number_text
from attention_core.drawing.svg import LINES, Canvas
from attention_core.explorers.base import Explorer
from attention_core.explorers.controls import Check, Choice, Slider
from attention_core.explorers.panel import Panel
from attention_core.language import Words, say
from attention_core.masks import causal_mask

LENGTHS, BLOCKS = (8, 16, 32), (4, 8, 16)
_D_K, _D_V = 3, 2
_QUARTERS = (1, 2, 3, 4)
_SIDE, _EDGE = 264, 30  # of the picture of tiles, and the room for its letters

_HEAD = (
    *("", "m", "e<sup>m<sub>old</sub> − m</sup>", "ℓ", "o<sub>1</sub>", "o<sub>2</sub>"),
    *("(o / ℓ)<sub>1</sub>", "(o / ℓ)<sub>2</sub>"),
)
_CELL = 'style="text-align:right;padding:2px 8px"'
_STEP = Words("blocks read", "已读的块")
_CAUSAL = Words("causal", "因果")
_TILES = Words(
    "Tiles of the score matrix: {done} read, {skipped} skipped for this query",
    "分数矩阵的小块：这个查询已读 {done} 块，跳过 {skipped} 块",
)
_BARS = Words("exp(score − m) of the keys read", "已读各键的 exp(分数 − m)")
_EXACT = Words("equal to attention", "与 attention 相等")
_PRODUCTS = Words("multiplications", "乘法次数")
_HELD = Words("numbers held at once", "同时保存的数")
_PLAIN = Words("plain", "直接计算")
_BLOCKWISE = Words("blockwise", "分块")
_SENTENCE = Words(
    "n = {n}, block {block}, query {query}: {done} of {needed} blocks read, {skipped} skipped; "
    "m = {m}, ℓ = {l}, o / ℓ = {o}, attention gives {exact}. "
    "Numbers held: {held} instead of {plain_held}; multiplications: {products} instead of "
    "{plain_products}.",
    "n = {n}，块长 {block}，查询 {query}：要读 {needed} 块，已读 {done} 块，跳过 {skipped} 块；"
    "m = {m}，ℓ = {l}，o / ℓ = {o}，attention 给出 {exact}。"
    "同时保存的数：{held} 个，直接计算要 {plain_held} 个；乘法：{products} 次，"
    "直接计算要 {plain_products} 次。",
)


def long_explorer(n=32, block=4, causal=False, seed=5):
    """Read the keys of one query block by block, until the exact output stands there.

    Parameters
    ----------
    n : int
        Tokens: 8, 16 or 32.
    block : int
        Queries and keys in a tile: 4, 8 or 16, at most n.
    causal : bool
    seed : int
        Of the random queries, keys and values.

    Returns
    -------
    Explorer
        `result` holds the states after each block (`peak`, `total`, `mix`, `outputs`), the
        exact `output`, the counts `done`, `needed` and `skipped`, and the two costs.
    """
    inputs = {length: _draw(seed, length) for length in LENGTHS}
    last = max(LENGTHS) // min(BLOCKS)
    return Explorer(
        controls={
            "n": Choice("n", LENGTHS, n),
            "block": Choice("b", BLOCKS, block),
            "causal": Check(say(_CAUSAL), causal),
            "quarter": Choice("i", _QUARTERS, 4, ["n/4", "n/2", "3n/4", "n"]),
            "step": Slider(say(_STEP), range(last + 1), 2),
        },
        views={"tiles": Panel(), "powers": Panel(), "running": Panel(), "costs": Panel()},
        compute=lambda n, **settings: _compute(*inputs[n], n=n, **settings),
        paint=_paint,
        sentence=_sentence,
        rows=[
            ["n", "block", "causal"],
            ["quarter", "step"],
            ["tiles", "powers"],
            ["running", "costs"],
        ],
        framed=("causal", "quarter", "step"),
    )


def _draw(seed, n):
    rng = np.random.default_rng(seed)
    q, k = 2 * rng.normal(size=(n, _D_K)), rng.normal(size=(n, _D_K))
    return q, k, rng.integers(0, 10, size=(n, _D_V))


def _compute(q, k, v, *, n, block, causal, quarter, step):
    block, query = min(block, n), quarter * n // 4 - 1
    mask = causal_mask(n) if causal else np.ones((n, n), bool)
    needed = int((visible_pairs(mask, block)[query // block] > 0).sum())
    row = slice(query, query + 1)
    steps = online_steps(q[row], k, v, mask[row], block=block)[: needed + 1]
    exact = attention_steps(q[row], k, v, mask[row])
    done = min(step, needed)
    read = exact.masked[:, : done * block]
    return {
        "n": n,
        "block": block,
        "query": query,
        "needed": needed,
        "skipped": n // block - needed,
        "done": done,
        "powers": shifted_exponentials(read, steps[done].maximum)[0] if done else read[0],
        "output": exact.output[0],
        "peak": np.array([state.maximum[0] for state in steps]),
        "fade": np.array([0.0, *map(_fade, steps, steps[1:])]),
        "total": np.array([state.denominator[0] for state in steps]),
        "mix": np.array([state.accumulator[0] for state in steps]),
        "outputs": np.array([output_so_far(state)[0] for state in steps]),
        "mask": mask,
        "plain": plain_cost(n, _D_K, _D_V),
        "blockwise": blockwise_cost(n, _D_K, _D_V, block, causal),
    }


def _fade(before, after):
    return shifted_exponentials(before.maximum[:, None], after.maximum)[0, 0]


def _paint(result, _):
    return {
        "tiles": _tiles_svg(**_only(result, "n block query needed skipped done mask")),
        "powers": _powers_svg(**_only(result, "n block needed done powers")),
        "running": _running_table(result),
        "costs": _cost_table(result),
    }


def _only(result, names):
    return {name: result[name] for name in names.split()}


def _tiles_svg(n, block, query, needed, skipped, done, mask):
    """Rows of tiles above are finished, the query's own is being read, hatched is the future."""
    title = say(_TILES, done=done, skipped=skipped)
    canvas = Canvas(_SIDE + _EDGE + 6, _SIDE + _EDGE + 6, title)
    side, band = _SIDE * block / n, query // block
    for i, row in enumerate(visible_pairs(mask, block) > 0):
        seen = int(row.sum())
        read = seen if i < band else done if i == band else 0
        left, top = _EDGE, _EDGE + i * side
        canvas.rect(left, top, read * side, side, fill=LINES[0], opacity=0.35 if i < band else 0.7)
        if seen < len(row):
            canvas.hatch(left + seen * side, top, (len(row) - seen) * side, side, gap=15)
    for line in range(n // block + 1):
        at = _EDGE + line * side
        canvas.line(_EDGE, at, _EDGE + _SIDE, at, opacity=0.5)
        canvas.line(at, _EDGE, at, _EDGE + _SIDE, opacity=0.5)
    if 0 < done <= needed:
        left, top = _EDGE + (done - 1) * side, _EDGE + band * side
        canvas.rect(left, top, side, side, ink=LINES[1], width=3)
    height = _SIDE / n
    canvas.rect(_EDGE, _EDGE + query * height, _SIDE, height, ink=LINES[2], width=1.5)
    canvas.symbol(_EDGE / 2, _EDGE + (query + 0.5) * height, "q_i", ink=LINES[2])
    canvas.symbol(_EDGE + _SIDE / 2, _EDGE / 2, "k_j, v_j")
    return str(canvas)


def _powers_svg(n, block, needed, done, powers):
    """One bar for each key that was read: when m grows, the bars before it fade."""
    canvas = Canvas(_SIDE + _EDGE + 40, _SIDE + _EDGE + 6, say(_BARS))
    width, floor = _SIDE / n, _EDGE + _SIDE
    for share in (0, 0.5, 1):
        y = floor - share * _SIDE
        canvas.line(_EDGE, y, _EDGE + _SIDE, y, opacity=0.3)
        canvas.text(_EDGE - 4, y, number_text(share, 1), size=11, anchor="end")
    for j, power in enumerate(powers):
        height, is_new = _SIDE * power, j >= (done - 1) * block
        ink = LINES[1] if is_new else LINES[0]
        canvas.rect(_EDGE + j * width + 0.5, floor - height, width - 1, height, fill=ink)
    if needed * block < n:
        canvas.hatch(
            _EDGE + needed * block * width, _EDGE, (n - needed * block) * width, _SIDE, gap=15
        )
    canvas.symbol(_EDGE + _SIDE / 2, _EDGE / 2, "exp(s_j − m)")
    return str(canvas)


def _running_table(result):
    """One line for each block that was read; the last line of all is the exact output."""
    lines = [_line(_HEAD, "th")]
    for t in range(1, result["done"] + 1):
        numbers = [result["peak"][t], result["fade"][t], result["total"][t]]
        numbers += [*result["mix"][t], *result["outputs"][t]]
        lines.append(_line([str(t), *(number_text(x, 3) for x in numbers)]))
    if result["done"] == result["needed"]:
        words = f'<td colspan="6" {_CELL}>{say(_EXACT)}</td>'
        exact = "".join(f"<td {_CELL}>{number_text(x, 3)}</td>" for x in result["output"])
        lines.append(f'<tr style="font-weight:600">{words}{exact}</tr>')
    return f"<table>{''.join(lines)}</table>"


def _cost_table(result):
    plain, blockwise = result["plain"], result["blockwise"]
    return (
        f"<table>{_line(['', say(_PLAIN), say(_BLOCKWISE)], 'th')}"
        f"{_line([say(_PRODUCTS), plain.multiplications, blockwise.multiplications])}"
        f"{_line([say(_HELD), plain.held, blockwise.held])}</table>"
    )


def _line(texts, tag="td"):
    cells = (f"<{tag} {_CELL}>{text}</{tag}>" for text in texts)
    return f"<tr>{''.join(cells)}</tr>"


def _sentence(result, _):
    done, plain, blockwise = result["done"], result["plain"], result["blockwise"]
    return say(
        _SENTENCE,
        **_only(result, "n block done needed skipped"),
        query=result["query"] + 1,
        m=number_text(result["peak"][done], 3),
        l=number_text(result["total"][done], 3),
        o=_vector(result["outputs"][done]),
        exact=_vector(result["output"]),
        held=blockwise.held,
        plain_held=plain.held,
        products=blockwise.multiplications,
        plain_products=plain.multiplications,
    )


def _vector(x):
    return f"({', '.join(number_text(entry, 3) for entry in x)})"
