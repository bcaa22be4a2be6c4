"""Labelled tables of numbers: HTML in the explorers' colours, and the same as aligned text."""

from typing import NamedTuple

import numpy as np

from attention_core.drawing.figure_text import table as aligned
from attention_core.figures.table_cells import cells_of, largest_of
from attention_core.figures.table_html import page
from attention_core.figures.wording import worded

GLOSS = {
    "X": "hidden representations",
    "Q": "queries",
    "K": "keys",
    "V": "values",
    "S": "scores",
    "Z": "scaled scores",
    "M": "mask",
    "A": "weights",
    "O": "output",
    "H": "new hidden representations",
}


class Grid(NamedTuple):
    """One block of a table: a title, labels, and cells."""

    title: str
    gloss: str
    corner: str
    rows: list  # labels; empty where there are none
    cols: list
    cells: list  # rows of Cell
    roles: list  # for each row, the letter of its colours: q, k, v, o, a or n

    @property
    def heading(self):
        """What stands above the grid, in one line."""
        size = f"({len(self.cells)} × {len(self.cells[0])})" if self.gloss else ""
        parts = [self.title, self.gloss and f"· {self.gloss}", size]
        return " ".join(part for part in parts if part)


class Table:
    """What `table` shows: `print` and tests see its text, a notebook its HTML."""

    def __init__(self, grids):
        self.grids = grids

    def __repr__(self):
        return "\n\n".join(map(_text, self.grids))

    def _repr_html_(self):
        return page(self.grids)


def table(*what, rows=None, cols=None, corner="", kind=None, decimals=2, masked=None, **named):
    """Matrices, rows of numbers or single numbers, with names at their sides.

    Parameters
    ----------
    *what : array_like or dict
        One matrix without a name; or names that are no identifiers: ``{"q·k": 3}``.
    rows, cols : sequence, or dict of sequences by name, optional
        The labels. Words listed in `words.toml` appear in the reader's language. Default:
        1, 2, 3 … Where the sizes of matrices differ, labels go to those that they fit.
    corner : str, optional
        What the row labels are.
    kind : {"weights", "scores", "plain"}, optional
        Colours: a scale from 0 to 1, one around 0, or none. Default: by the name (A is weights,
        X Q K V S Z O W are scores, everything else plain).
    decimals : int
        Numbers that are whole stand without decimals, tiny ones as 4.5e−5.
    masked : array_like of bool, or dict of them by name, optional
        True where a query may not look: hatched.
    **named : array_like
        Matrices stand side by side; rows of numbers (1-D) below one another in one table; single
        numbers, shapes and words in a list.

    Returns
    -------
    Table

    Raises
    ------
    ValueError
        If labels fit no matrix, `kind` is unknown, or an array has more than two axes.

    Examples
    --------
    >>> table(A=[[1, 0], [0.25, 0.75]], rows=["cat", "dog"], cols=["cat", "dog"])
    A · weights (2 × 2)
          cat   dog
    cat     1     0
    dog  0.25  0.75
    >>> table(d_k=64, variance=63.97)
    d_k          64
    variance  63.97
    """
    if kind not in (None, "weights", "scores", "plain"):
        raise ValueError(f'table: kind is {kind!r} but must be "weights", "scores" or "plain"')
    things = {}
    for one in what:
        things.update(one if isinstance(one, dict) else {"": one})
    things.update(named)
    if not things:
        raise ValueError("table: there is nothing to show")
    groups = {0: {}, 1: {}, 2: {}}
    for name, value in things.items():
        groups[_axes(name, value)][name] = value
    style = _Style(kind, decimals, masked, largest_of(things.values()))
    grids = [_matrix(*item, rows, cols, corner, style) for item in groups[2].items()]
    if groups[1]:
        grids.append(_rows_below(groups[1], cols, corner, style))
    if groups[0]:
        grids.append(_list_of(groups[0], corner, style))
    _refuse_strays(grids, rows=rows, cols=cols)
    return Table(grids)


class _Style(NamedTuple):
    kind: str | None
    decimals: int
    masked: object
    largest: float  # the end of the scale around 0

    def of(self, name):
        """The kind of colours for something of this name, and the letter of its role."""
        name = next((letter for letter, gloss in GLOSS.items() if gloss == name), name)
        letter = name.removeprefix("W_").split("_")[0].rstrip("'′")
        role = {"α": "a"}.get(letter, letter.lower())
        known = letter.upper() in GLOSS or letter == "α" or name.startswith("W_")
        guess = ("weights" if role == "a" else "scores") if known else "plain"
        return self.kind or guess, role if role in "qkvoa" else "n"


def _axes(name, value):
    """0 for a number, a word or a shape; 1 for a row of numbers; 2 for a matrix."""
    axes = 0 if isinstance(value, tuple) else np.ndim(value)
    if axes > 2:
        raise ValueError(f"table: {name or 'the array'} has {axes} axes; show one matrix of it")
    return axes


def _matrix(name, matrix, rows, cols, corner, style):
    matrix = [list(row) for row in matrix]
    sizes = len(matrix), len(matrix[0]) if matrix else 0
    kind, role = style.of(name)
    hidden = style.masked.get(name) if isinstance(style.masked, dict) else style.masked
    return Grid(
        worded(name),
        worded(GLOSS[name]) if name in GLOSS else "",
        worded(corner),
        _labels(rows, name, sizes[0]),
        _labels(cols, name, sizes[1]),
        cells_of(matrix, kind, style.decimals, style.largest, hidden),
        [role] * sizes[0],
    )


def _rows_below(vectors, cols, corner, style):
    cells, roles = [], []
    for name, vector in vectors.items():
        kind, role = style.of(name)
        cells += cells_of([list(vector)], kind, style.decimals, style.largest, None)
        roles.append(role)
    names = [worded(name) for name in vectors]
    return Grid("", "", worded(corner), names, _labels(cols, "", len(cells[0])), cells, roles)


def _list_of(values, corner, style):
    cells = cells_of([[value] for value in values.values()], "plain", style.decimals, 1.0, None)
    names = [worded(name) for name in values]
    return Grid("", "", worded(corner), names, [], cells, ["n"] * len(cells))


def _labels(labels, name, size):
    """The labels of one axis: those given for this name, those that fit, or 1, 2, 3 …"""
    if isinstance(labels, dict):
        labels = labels.get(name)
    if labels is None or len(labels) != size:
        return [str(i + 1) for i in range(size)]
    return [worded(label) for label in labels]


def _refuse_strays(grids, **given):
    """Labels that fit nothing are a mistake."""
    for side, labels in given.items():
        for one in labels.values() if isinstance(labels, dict) else [labels]:
            sizes = [len(getattr(grid, side)) for grid in grids]
            if one is not None and len(one) not in sizes:
                raise ValueError(f"table: {len(one)} {side} labels but the sizes are {sizes}")


def _text(grid):
    """A grid as aligned text, with its heading and all its labels."""
    body = [
        [label, *(cell.text for cell in row)]
        for label, row in zip(grid.rows, grid.cells, strict=True)
    ]
    head = [[grid.corner, *grid.cols]] if grid.cols else []
    lines = [grid.heading] if grid.heading else []
    return "\n".join([*lines, aligned(head + body)])
