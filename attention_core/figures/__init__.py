"""Arrays in, matplotlib Figure out: the one place for the colours and labels of pictures.

Every figure is a `Picture`: drawn without pyplot, and with its numbers as text beside it
(`print(figure)`). Its words stand in `words.toml` and follow the reader's language. Matrices are
drawn here, curves and the like in `plots` and `bars_and_arrows`, which this module passes on.
"""

import numpy as np

from attention_core.drawing.numbers import number_text, short
from attention_core.drawing.palette import token_label
from attention_core.figures.bars_and_arrows import arrows, bars
from attention_core.figures.drawing import as_shipped
from attention_core.figures.matrix_drawing import draw_matrices
from attention_core.figures.matrix_layout import Matrix
from attention_core.figures.plots import curves, histogram, points
from attention_core.figures.reading import reals
from attention_core.figures.tables import table
from attention_core.figures.wording import worded

__all__ = ["arrows", "bars", "curves", "heatmap", "heatmaps", "histogram", "points", "table"]

SIDES = ("query", "key")  # what the rows and the columns of a matrix are
KINDS = ("weights", "scores")
LIKE_MINUS_INFINITY = -1e6  # −1e9 and its like stand for −∞ in other people's code


def heatmap(matrix, rows=None, cols=None, *, kind="weights", masked=None, symbols=SIDES):
    """One matrix as a table of numbers on colours: row 0 on top, one row for each query.

    Parameters
    ----------
    matrix : array_like, shape (n_q, n_k)
        Weights, or scores, or any matrix of numbers; ``-inf`` and NaN are hidden cells.
    rows, cols : sequence of str, optional
        The n_q and n_k labels, tokens or symbols; repeated ones are fine. Default: 1, 2, 3 …
    kind : "weights" or "scores"
        Weights go from 0 to 1 on a fixed scale; scores on a scale centred on 0.
    masked : array_like of bool, shape (n_q, n_k), optional
        True where the query may *not* look: hatched, and left out of the colour range.
    symbols : (str, str)
        What a row and a column stand for.

    Returns
    -------
    Picture
        Its text is the table of its numbers; hidden cells stand in brackets.

    Raises
    ------
    ValueError
        If the matrix is not 2-D, the labels do not fit, `kind` is unknown, or `masked` has
        another shape.
    TypeError
        If `masked` is not Boolean.

    Examples
    --------
    >>> heatmap([[1.0, 0.0], [0.25, 0.75]], ["the", "cat"], ["the", "cat"])
    weights (2 × 2): rows query, columns key
           the    cat
    the  1.00   0.00
    cat  0.25   0.75
    """
    rows, cols = (None if labels is None else [list(labels)] for labels in (rows, cols))
    return heatmaps([matrix], rows, cols, kind=kind, masked=masked, symbols=symbols)


@as_shipped
def heatmaps(
    stack,
    rows=None,
    cols=None,
    *,
    titles=None,
    kind="weights",
    masked=None,
    symbols=("query", "key"),
):
    """Several matrices side by side on one colour scale, such as the heads of a layer.

    Parameters
    ----------
    stack : array_like, shape (h, n_q, n_k), or a sequence of matrices of any shapes
    rows, cols : sequence of str, optional
        Labels for all the matrices alike; or one sequence of labels for each matrix.
    titles : sequence of h symbols, optional
    kind, symbols : as for `heatmap`
    masked : array_like of bool, shape (n_q, n_k) or (h, n_q, n_k), or one for each matrix, optional

    Returns
    -------
    Picture

    Raises
    ------
    ValueError, TypeError
        As `heatmap`.

    Examples
    --------
    >>> heatmaps(np.eye(2)[None], titles=["h_1"])
    h_1
    weights (2 × 2): rows query, columns key
          1      2
    1  1.00   0.00
    2  0.00   1.00
    """
    if kind not in KINDS:
        raise ValueError(f'heatmap: kind is {kind!r} but must be "weights" or "scores"')
    count = len(stack)
    if count == 0:
        raise ValueError("heatmaps: there are no matrices to draw")
    parts = zip(
        stack,
        _for_each(rows, count, lambda labels: not isinstance(labels[0], (list, tuple, np.ndarray))),
        _for_each(cols, count, lambda labels: not isinstance(labels[0], (list, tuple, np.ndarray))),
        _for_each(masked, count, lambda hidden: np.ndim(hidden[0]) == 1),
        strict=True,
    )
    maps = [_read(*part, kind) for part in parts]
    titles = [""] * count if titles is None else list(titles)
    if len(titles) != count:
        raise ValueError(f"heatmaps: {len(titles)} titles but {count} matrices")
    return draw_matrices(maps, [*map(worded, titles)], kind, [*map(worded, symbols)])


def _for_each(argument, count, is_shared):
    """One argument for each of `count` matrices, whether one was given or one each."""
    if argument is None or len(argument) == 0 or is_shared(argument):
        return [argument] * count
    return list(argument)


def _read(matrix, rows, cols, masked, kind):
    """One matrix with its labels and its mask, checked."""
    values = reals("heatmap", "the matrix", matrix)
    if values.ndim != 2:
        raise ValueError(f"heatmap: the matrix is {values.shape} but must have two axes (n_q, n_k)")
    hidden = ~np.isfinite(values) | (values <= LIKE_MINUS_INFINITY)
    if masked is not None:
        masked = np.asarray(masked)
        if masked.dtype != bool:
            raise TypeError(f"heatmap: masked is {masked.dtype} but must be bool, True = hidden")
        if masked.shape != values.shape:
            raise ValueError(f"heatmap: masked is {masked.shape} but the matrix is {values.shape}")
        hidden = hidden | masked
    labels = [
        _labels(name, given, size)
        for name, given, size in zip(("rows", "cols"), (rows, cols), values.shape, strict=True)
    ]
    return Matrix(values, hidden, *labels, _cells(values, hidden, kind))


def _labels(name, labels, size):
    """The labels of one axis, or 1, 2, 3 …; repeated tokens stay separate."""
    if labels is None:
        return [str(i + 1) for i in range(size)]
    if len(labels) != size:
        raise ValueError(f"heatmap: {len(labels)} {name} labels but the matrix has {size} {name}")
    return [_visible(token_label(worded(_text(token)))) for token in labels]


def _text(token):
    """A label of any type as text; a token stays one."""
    if isinstance(token, bytes):
        return token.decode("utf-8", "replace")
    return token if isinstance(token, str) else str(token)


def _visible(token):
    """A token without the space before it; one of white space only is shown as its sign."""
    return token.strip(" ").replace("\n", "⏎").replace("\t", "⇥") or "␣"


def _cells(values, hidden, kind):
    """The text of every cell: whole scores without decimals, hidden scores as −∞."""
    seen = values[~hidden]
    decimals = 0 if kind == "scores" and np.array_equal(seen, seen.round()) else 2
    return [
        [_cell(x, off, kind, decimals) for x, off in zip(*pair, strict=True)]
        for pair in zip(values.tolist(), hidden.tolist(), strict=True)
    ]


def _cell(x, is_hidden, kind, decimals):
    if np.isnan(x):
        return number_text(x)
    if np.isfinite(x) and x <= LIKE_MINUS_INFINITY:
        return short(x)
    return number_text(-np.inf if is_hidden and kind == "scores" else x, decimals)
