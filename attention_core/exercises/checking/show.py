"""Arrays and other values as short, readable text, and sentences folded into lines.

Inputs are written so that they can be copied into a cell: plain minus signs, commas, brackets.
"""

import re
from decimal import Decimal
from numbers import Number
from typing import Any
from unicodedata import east_asian_width

import numpy as np

from attention_core.drawing.numbers import code_text
from attention_core.exercises.checking.sentences import tell

__all__ = ["fold", "show", "show_pair", "type_name"]

MOST_ENTRIES = 64


def type_name(value: Any) -> str:
    """The name of a value's type, as one would write it in code.

    Examples
    --------
    >>> type_name(np.ones(2)), type_name("text"), type_name((1, 2))
    ('ndarray', 'str', 'tuple')
    """
    return type(value).__name__


def _rows(array: np.ndarray, decimals: int) -> str:
    """Nested brackets as NumPy writes them, columns aligned."""
    texts = [code_text(x, decimals) for x in array.ravel()]
    width = max(map(len, texts), default=0) if array.ndim > 1 else 0
    texts = np.array([text.rjust(width) for text in texts], dtype=object).reshape(array.shape)

    def nested(part: Any, depth: int) -> str:
        if depth == array.ndim:
            return part
        inner = [nested(one, depth + 1) for one in part]
        last_axis = depth == array.ndim - 1
        gap = ", " if last_axis else ",\n" + " " * (depth + 1)
        return "[" + gap.join(inner) + "]"

    return nested(texts, 0) if array.ndim else texts.item()


def _show_array(array: np.ndarray, decimals: int) -> str:
    numeric = array.dtype.kind in "biufc"
    if array.size == 0 or array.size > MOST_ENTRIES or not numeric:
        return tell("shape_only", shape=array.shape)
    return _rows(array, decimals)


def show(value: Any, decimals: int = 4) -> str:
    """A value as text: numbers rounded, big arrays by their shape, anything odd by its type.

    Examples
    --------
    >>> print(show(np.array([[1.0, -0.25], [10, 0]])))
    [[    1, -0.25],
     [   10,     0]]
    >>> show((3, 2)), show(np.zeros((9, 9))), show(object())
    ('(3, 2)', 'an array of shape (9, 9)', 'object')
    """
    if value is None or value is ...:
        return "None" if value is None else "..."
    if isinstance(value, str):
        return repr(value) if len(value) <= 60 else repr(value[:57] + "...")
    if isinstance(value, Number | Decimal | np.generic):
        return code_text(value, decimals)
    if isinstance(value, np.ndarray):
        return _show_array(value, decimals)
    if isinstance(value, dict):
        return _joined("{", [f"{show(k)}: {show(v, decimals)}" for k, v in value.items()], "}")
    if isinstance(value, tuple):
        comma = "," if len(value) == 1 else ""
        return _joined("(", [show(one, decimals) for one in value], comma + ")")
    if isinstance(value, list):
        return _joined("[", [show(one, decimals) for one in value], "]")
    return type_name(value)


def _joined(opening: str, parts: list[str], closing: str) -> str:
    """Short parts on one line, long ones each on a line of its own."""
    if len(parts) > MOST_ENTRIES:
        parts = [*parts[:8], "..."]
    line = opening + ", ".join(parts) + closing
    if "\n" not in line and len(line) <= 70:
        return line
    return opening + ",\n ".join(part.replace("\n", "\n ") for part in parts) + closing


def show_pair(expected: Any, got: Any) -> tuple[str, str]:
    """Two values that differ, with as many decimals as it takes to see the difference.

    Examples
    --------
    >>> show_pair(0.5, 0.25)
    ('0.5', '0.25')
    >>> show_pair(0.5, 0.50001)
    ('0.5', '0.50001')
    """
    for decimals in (4, 8, 12, 17):
        texts = show(expected, decimals), show(got, decimals)
        if texts[0] != texts[1]:
            break
    return texts


# Where a line may end: at a space, or after a Chinese character and the marks that close it.
_HAN, _OPENS, _CLOSES = r"\u4e00-\u9fff", "（“《", "，。：；？！、）”》"
_PIECES = re.compile(
    rf"\s+|[{_OPENS}]*[{_HAN}][{_CLOSES}]*|[{_OPENS}]*[^\s{_HAN}{_OPENS}]+|[{_OPENS}]+"
)


def _columns(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def fold(text: str, indent: str = "", width: int = 80) -> str:
    """Sentences in lines of at most `width` columns; a Chinese character takes two.

    Printed text is otherwise cut in the middle of a word where the notebook's page ends.

    Examples
    --------
    >>> print(fold("one two three", "  ", width=9))
      one two
      three
    """
    lines = []
    for paragraph in text.split("\n"):
        line = indent
        for piece in _PIECES.findall(paragraph):
            if _columns(line + piece) > width and line.strip() and not piece.isspace():
                lines.append(line.rstrip())
                line = indent
            line += piece
        lines.append(line.rstrip())
    return "\n".join(lines)
