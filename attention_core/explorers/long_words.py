"""Lesson 17's explorer in words: the arithmetic of its cells, its summary and its sentence."""

from attention_core.drawing.numbers import cell_text
from attention_core.explorers import machine
from attention_core.explorers.widgets.typeset import formula
from attention_core.language import Words, say

_SENTENCE = Words(
    "n = {n}, block {block}, query {query}: {done} of {needed} blocks read, {skipped} skipped; "
    "m = {m}, ℓ = {l}, o / ℓ = {o}, attention gives {exact}. A text of {text} tokens: "
    "{held} numbers held instead of {plain_held}, {products} multiplications instead of "
    "{plain_products}.",
    "n = {n}，块长 {block}，查询 {query}：要读 {needed} 块，已读 {done} 块，跳过 {skipped} 块；"
    "m = {m}，ℓ = {l}，o / ℓ = {o}，attention 给出 {exact}。{text} 个词元的文本："
    "同时保存 {held} 个数，直接计算要 {plain_held} 个；乘法 {products} 次，"
    "直接计算要 {plain_products} 次。",
)
_READING = Words(
    "Block {done} of {needed}: $m$ stays, what was summed keeps its size",
    "第 {done} 块，共 {needed} 块：$m$ 不变，之前的和保持原样",
)
_FADING = Words(
    "Block {done} of {needed}: $m$ grows, what was summed shrinks to {rescale} of itself",
    "第 {done} 块，共 {needed} 块：$m$ 变大，之前的和缩到原来的 {rescale} 倍",
)
_EXACT = Words(
    "All {needed} blocks read: $o$ / $ℓ$ = {o} is exactly what attention gives",
    "{needed} 块都读完了：$o$ / $ℓ$ = {o}，与 attention 的结果完全相等",
)


def power(score, maximum):
    """The HTML of e to the power of a difference."""
    return f"{formula('e')}<sup>{score} − {maximum}</sup>"


def _number(x):
    text = cell_text(x)
    return f"({text})" if text.startswith("−") else text


def _terms(numbers, join=", "):
    return join.join(cell_text(x) for x in numbers)


def powers(result):
    """For each exponential of this block, what it is computed from."""
    maximum = _number(result["m"][0, 0])
    return [[f"{{me}} = {power(cell_text(s), maximum)} = {{=}}" for s in result["S"][0]]]


def maximum(result):
    """The old maximum and the scores of this block."""
    return f"{{me}} = max({{mold[r,c]}}, {_terms(result['S'][0])}) = {{=}}"


def total(result):
    """The old sum, rescaled, and the exponentials of this block."""
    return f"{{me}} = {{lold[r,c]}}·{{rescale[r,c]}} + {_terms(result['P'][0], ' + ')} = {{=}}"


def mixture(result):
    """The old mixture, rescaled, and the values of this block."""
    rescale = cell_text(result["rescale"][0, 0])
    return [
        f"{{me}} = {cell_text(old)}·{rescale} + {{P[r,k]·VT[c,k]}} = {{=}}"
        for old in result["oold"][0]
    ]


def divided(result):
    """The mixture over the sum."""
    fraction = machine.fraction("{o[r,c]}", cell_text(result["l"][0, 0]))
    return [f"{{me}} = {fraction} = {{=}}" for _ in range(result["o"].shape[1])]


def summary(result):
    """What the last block did to what was summed."""
    texts = {"done": result["done"], "needed": result["needed"]}
    rescale = result["rescale"][0, 0]
    if result["done"] == result["needed"]:
        return say(_EXACT, o=machine.matrix_text(result["O"]), **texts)
    return say(_READING if rescale == 1 else _FADING, rescale=cell_text(rescale), **texts)


def sentence(result, settings):
    """All numbers in one plain sentence."""
    plain, blockwise = result["plain"], result["blockwise"]
    counts = {name: result[name] for name in ("n", "block", "done", "needed", "skipped")}
    return say(
        _SENTENCE,
        **counts,
        query=result["query"] + 1,
        m=cell_text(result["m"][0, 0]),
        l=cell_text(result["l"][0, 0]),
        o=machine.matrix_text(result["O"]),
        exact=machine.matrix_text(result["exact"]),
        text=settings["text"],
        held=blockwise.held,
        plain_held=plain.held,
        products=blockwise.multiplications,
        plain_products=plain.multiplications,
    )
