"""The pictures of lesson 17's explorer: fading bars, what is held, and the cost of long texts."""

from functools import lru_cache

from attention_core.drawing.numbers import number_text
from attention_core.drawing.svg import Canvas, curves_svg
from attention_core.explorers.widgets.typeset import typeset
from attention_core.language import Words, say

_WIDE, _TALL, _FLOOR, _SIDE = 420, 240, 206, 190

_BARS = Words(
    "exp(score − m) of the {count} keys read; the {new} of the last block are framed, "
    "dashed is the height that earlier ones had before it",
    "已读 {count} 个键的 exp(分数 − m)；最后一块的 {new} 个带框，虚线是前面各条在它之前的高度",
)
_HELD = Words(
    "Scores held: {plain} in the plain form, one tile of {tile} in the blockwise form",
    "保存的分数：直接计算 {plain} 个，分块计算只有一小块，{tile} 个",
)
_PLAIN = Words("plain", "直接计算")
_TILES = Words("blockwise", "分块")
_COUNT = Words("{n} scores", "{n} 个分数")
_COSTS = Words(
    "Numbers held for n = {first} … {last}; at n = {at}: plain {plain}, blockwise {tile}, "
    "keys and values {cache}",
    "n = {first} … {last} 时保存的数；n = {at} 处：直接计算 {plain}，分块 {tile}，键和值 {cache}",
)
_ROWS = (
    Words("multiplications", "乘法次数"),
    Words("scores, $m$, $ℓ$, $o$ held at once", "同时保存的分数、$m$、$ℓ$、$o$"),
)
_WRITING = Words("Writing {n} tokens one by one", "一个接一个写 {n} 个词元")
_CACHE = (Words("without a cache", "没有缓存"), Words("with a cache", "有缓存"))
_MADE = Words("keys made", "要算的键")
_KEPT = Words("numbers kept in $K$ and $V$", "$K$ 和 $V$ 里保存的数")


def bars_svg(powers, before, n, block, query, done, needed):
    """One bar for each key that was read: when m grows, the bars before it fade."""
    canvas = Canvas(_WIDE, _TALL, say(_BARS, count=len(powers), new=block))
    left, width, high = 34, (_WIDE - 44) / n, _FLOOR - 26
    for share in (0, 0.5, 1):
        y = _FLOOR - share * high
        canvas.line(left, y, left + n * width, y, opacity=0.3)
        canvas.text(left - 5, y, number_text(share, 1), size=12, anchor="end")
    for j, power in enumerate(powers):
        x, is_new = left + j * width + 1, j >= (done - 1) * block
        if not is_new:
            top = _FLOOR - high * before[j]
            canvas.polyline(
                [(x, _FLOOR), (x, top), (x + width - 2, top), (x + width - 2, _FLOOR)],
                ink="var(--muted)", width=1, dash="3 2",
            )  # fmt: skip
        ink = "var(--text)" if is_new else None
        canvas.rect(x, _FLOOR - high * power, width - 2, high * power, fill="var(--wt)", ink=ink)
    if needed * block < n:
        canvas.hatch(left + needed * block * width, 26, (n - needed * block) * width, high, gap=12)
    canvas.symbol(left + n * width / 2, 12, "exp(s_j − m)", size=15)
    for j in (1, n // 4, n // 2, 3 * n // 4, n):
        canvas.text(left + (j - 0.5) * width, _FLOOR + 14, str(j), size=12)
    return str(canvas)


def held_svg(n, block, query, done, needed, causal):
    """What each form holds at this moment: rows of scores pile up, or there is one tile."""
    band = query // block
    plain = block * n * band + block * block * done
    title = say(_HELD, plain=plain, tile=block * block)
    canvas = Canvas(_WIDE + 40, _TALL, title)
    side = _SIDE * block / n
    for left, name, count in ((6, _PLAIN, plain), (258, _TILES, block * block)):
        for line in range(n // block + 1):
            at = line * side
            canvas.line(left, 24 + at, left + _SIDE, 24 + at, opacity=0.35)
            canvas.line(left + at, 24, left + at, 24 + _SIDE, opacity=0.35)
        if causal:
            for row in range(n // block):
                hidden = (n // block - row - 1) * side
                if hidden and left > 6:
                    canvas.hatch(left + _SIDE - hidden, 24 + row * side, hidden, side, gap=12)
        canvas.symbol(left + _SIDE / 2, 11, say(name), size=14)
        canvas.text(left + _SIDE / 2, 227, say(_COUNT, n=count), size=14)
    if band:
        canvas.rect(6, 24, _SIDE, band * side, fill="var(--wt)", opacity=0.8)
    top = 24 + band * side
    canvas.rect(6, top, done * side, side, fill="var(--wt)", opacity=0.8)
    canvas.rect(
        258 + (done - 1) * side, top, side, side, fill="var(--wt)", ink="var(--text)", width=2
    )
    return str(canvas)


@lru_cache(100)
def costs_svg(lengths, at, block, width, spoken):
    """Numbers held as the text grows, both axes in powers; `spoken` is the language in use."""
    tile = block * block + block * (2 + width)
    held = {
        "n²": [n * n for n in lengths],
        "b² + b (2 + d_v)": [tile for _ in lengths],
        "n (d_k + d_v)": [2 * n * width for n in lengths],
    }
    title = say(
        _COSTS, first=lengths[0], last=lengths[-1], at=at, plain=at * at, tile=tile,
        cache=2 * at * width,
    )  # fmt: skip
    return curves_svg(
        lengths, held, symbols=("n", "N"), xlog=True, ylog=True, at=at, title=title, width=460,
        height=_TALL,
    )  # fmt: skip


def costs_table(n, plain, blockwise, width):
    """Both forms side by side, and writing with and without remembered keys and values."""
    first = counts_table(
        ["", say(_PLAIN), say(_TILES)],
        [say(_ROWS[0]), plain.multiplications, blockwise.multiplications],
        [say(_ROWS[1]), plain.held, blockwise.held],
    )
    second = counts_table(
        [say(_WRITING, n=n), *map(say, _CACHE)],
        [say(_MADE), n * (n + 1) // 2, n],
        [say(_KEPT), 0, 2 * n * width],
    )
    sizes = f"<p>{typeset('$d_k$ = $d_v$')} = {width}</p>"
    return f'<div style="width:540px">{first}{second}{sizes}</div>'


def counts_table(head, *rows):
    """Rows of words and of counts in groups of three digits, under a head."""
    lines = [_line(head, "th")] + [_line(row, "td") for row in rows]
    return f'<table style="margin:4px 0 10px">{"".join(lines)}</table>'


def _line(cells, tag):
    style = 'style="text-align:right;padding:2px 9px;font-variant-numeric:tabular-nums"'
    first, *rest = (
        f"{c:,}".replace(",", "\u2009") if isinstance(c, int) else typeset(c) for c in cells
    )
    left = f'<th scope="row" style="text-align:left;padding:2px 9px 2px 0">{first}</th>'
    return f"<tr>{left}{''.join(f'<{tag} {style}>{text}</{tag}>' for text in rest)}</tr>"
