"""What stands in matrices, said in words: who reads whom, and all numbers in one line."""

import numpy as np

from attention_core.drawing.numbers import cell_text, weight_text
from attention_core.language import Words, say

_MOST = Words("{reader} reads mostly {source}: {weight}", "{reader} 主要读 {source}：{weight}")
_TIE = Words("{reader} reads {sources}: {weight} each", "{reader} 读 {sources}：各 {weight}")
_ALL = Words("{reader} reads all alike: {weight} each", "{reader} 平均地读：各 {weight}")
_NOTHING = Words("{reader} reads nothing", "{reader} 什么也没有读到")
_AND = Words(" and ", "和")


def reading_lines(weights, readers, sources):
    """Return for each reader what it reads mostly, in words.

    Examples
    --------
    >>> reading_lines(np.array([[0.2, 0.8]]), ["it"], ["animal", "street"])
    ['it reads mostly street: 0.80']
    """
    return [_reading(row, reader, sources) for row, reader in zip(weights, readers, strict=True)]


def _reading(row, reader, sources):
    top = row.max(initial=0)
    if top == 0:
        return say(_NOTHING, reader=reader)
    best = [source for w, source in zip(row, sources, strict=True) if top - w < 0.005]
    weight = weight_text(top)
    if len(best) == 1:
        return say(_MOST, reader=reader, source=best[0], weight=weight)
    if len(best) == len(row):
        return say(_ALL, reader=reader, weight=weight)
    listed = say(Words(", ", "、")).join(best[:-1]) + say(_AND) + best[-1]
    return say(_TIE, reader=reader, sources=listed, weight=weight)


def matrix_text(values, text=cell_text):
    """Return a matrix in one line: [1, 0; 0.33, 0.67]."""
    rows = (", ".join(text(x) for x in row) for row in np.atleast_2d(values))
    return f"[{'; '.join(rows)}]"
