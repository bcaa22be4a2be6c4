"""One cell of a table: its text, and how strongly it is coloured."""

import math
import sys
from typing import NamedTuple

import numpy as np

from attention_core.drawing import numbers
from attention_core.drawing.numbers import number_text
from attention_core.drawing.screen import STRONG, scale_end, signed_share
from attention_core.figures.wording import worded


class Cell(NamedTuple):
    """What a cell says, and its colour: a class and a share of it from 0 to 1."""

    text: str
    look: str = "plain"  # or "pos", "neg", "wt", "zero", "off"
    share: float = 0.0
    is_strong: bool = False


def largest_of(values):
    """The end of the scale around 0: 1, 2, 3, 5 or 10 times a power of ten.

    Examples
    --------
    >>> largest_of([[0.2, -3.5], "word"])
    5.0
    """
    flat = [x for value in values for x in np.ravel(np.array(value, dtype=object))]
    sizes = [abs(float(x)) for x in flat if _is_number(x) and np.isfinite(float(x))]
    return scale_end(max(sizes, default=0.0))


def cells_of(matrix, kind, decimals, largest, masked):
    """Rows of Cell for a list of rows of anything."""
    return [
        [
            _cell(x, kind, decimals, largest, masked is not None and bool(masked[i][j]))
            for j, x in enumerate(row)
        ]
        for i, row in enumerate(matrix)
    ]


def _cell(x, kind, decimals, largest, is_hidden):
    text = cell_text(x, decimals)
    if not _is_number(x):
        return Cell(text)
    x = float(x)
    if is_hidden or x == -np.inf:
        return Cell(text, "off")
    if kind == "plain" or not np.isfinite(x):
        return Cell(text)
    if x == 0:
        return Cell(text, "zero")
    if kind == "weights":
        share = min(max(x, 0.0), 1.0)
        return Cell(text, "wt", share, share >= STRONG["weight"])
    share = abs(float(signed_share(x, largest)))
    return Cell(text, "pos" if x > 0 else "neg", share, share >= STRONG["signed"])


def cell_text(x, decimals=2):
    """Whole numbers plain, others with `decimals`; tiny ones keep two digits; words translated.

    Examples
    --------
    >>> [cell_text(x) for x in (3, -0.5, 0.00012, 1e-12, 0.0, True, "d_k", (4, 2), -np.inf)]
    ['3', '−0.50', '1.2e−4', '1e−12', '0', 'yes', 'd_k', '(4, 2)', '−∞']
    """
    if isinstance(x, (bool, np.bool_)):
        return worded("yes" if x else "no")
    if not _is_number(x):
        return worded(str(x))
    x = float(x)
    if math.isfinite(x) and abs(x) < 1e9 and abs(x - round(x)) < 1e-9 and (x == 0 or round(x)):
        return f"{round(x)}".replace("-", "−")
    has_own = decimals != 2 and 0.5 * 10.0**-decimals <= abs(x) < 1e4
    return number_text(x, decimals) if has_own else numbers.cell_text(x)


def _is_number(x):
    """Whether x can be coloured and rounded: real, no truth value, not too large for a float."""
    if isinstance(x, int):
        return not isinstance(x, bool) and abs(x) <= sys.float_info.max
    return isinstance(x, (float, np.integer, np.floating))
