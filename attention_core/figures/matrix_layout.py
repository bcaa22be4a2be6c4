"""How large the cells of a page of matrices are, and which labels there is room for."""

from typing import NamedTuple

import numpy as np

from attention_core.drawing.figure_text import thin, width

PAGE = 9.2  # inches: as wide as a notebook's output
PANELS_ACROSS = 4
NUMBERED = 10  # rows or columns; a larger matrix shows colours only
CELL, SMALLEST_NUMBERED = 0.56, 0.40  # width in inches
CHARACTER = 0.085  # width in inches of a label's character


class Matrix(NamedTuple):
    """One matrix, ready to be drawn."""

    values: np.ndarray  # (n_q, n_k)
    hidden: np.ndarray  # (n_q, n_k), True where a cell is hatched
    rows: list
    cols: list
    cells: list  # (n_q, n_k) strings


class Layout(NamedTuple):
    """How many panels on a page, and the size of their cells in inches."""

    down: int
    across: int
    cell_width: float
    cell_height: float
    numbered: bool


def layout_of(matrices):
    """The layout of one page for all the matrices."""
    across = min(len(matrices), PANELS_ACROSS)
    n_q = max(m.values.shape[0] for m in matrices)
    n_k = max(m.values.shape[1] for m in matrices)
    room = (PAGE - 0.6 * across) / max(1, across * n_k)
    numbered = room >= SMALLEST_NUMBERED and max(n_q, n_k) <= NUMBERED
    wide = min(room, CELL if numbered else 0.3)
    tall = 0.4 if numbered else wide if n_k <= 3 * n_q else min(0.3, 3 / n_q)
    return Layout(-(-len(matrices) // across), across, wide, tall, numbered)


def page_size(matrices, titles, layout):
    """Width and height in inches."""
    beside = 0.45 + max(CHARACTER * width(name) for m in matrices for name in [*m.rows, ""])
    above = 0.35 + 0.25 * any(titles) + max(_height_of_labels(m, layout) for m in matrices)
    n_q = max(m.values.shape[0] for m in matrices)
    n_k = max(m.values.shape[1] for m in matrices)
    bar = 0 if layout.numbered else 0.7
    return (
        max(1.6, layout.across * (n_k * layout.cell_width + beside) + bar),
        max(1.2, layout.down * (n_q * layout.cell_height + above)),
    )


def is_upright(m, layout):
    """Whether the column labels are too long to lie flat."""
    return any(CHARACTER * width(name) > layout.cell_width for name in m.cols)


def _height_of_labels(m, layout):
    if not is_upright(m, layout):
        return 0.2
    return max(CHARACTER * width(name) for name in m.cols)


def shown(count):
    """The indices of the labels there is room for."""
    return list(range(count)) if count <= 32 else thin(count, 9)
