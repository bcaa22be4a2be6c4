"""Curves, histograms and bars over axes, as SVG text."""

import numpy as np

from attention_core.drawing.figure_text import log_places
from attention_core.drawing.palette import LINES
from attention_core.drawing.svg.axes import Axes
from attention_core.drawing.svg.canvas import Canvas

DASHES = (None, "8 4", "3 3", "9 3 2 3", "14 4", "1 4")


def curves_svg(
    x, ys, *, symbols=("x", "y"), xlog=False, ylog=False, xlim=None, ylim=None, at=None, title="",
    width=480, height=280,
):  # fmt: skip
    """Curves over a shared x, told apart by colour and by dashes.

    Parameters
    ----------
    x : array_like, shape (n,)
    ys : dict of symbol -> array_like, shape (n,); NaN leaves a gap
    symbols : (str, str)
        What the axes stand for.
    xlog, ylog : bool
    xlim, ylim : (low, high), optional
        Fixed ends, so that the axes stay still while a control moves.
    at : float, optional
        A place on the x axis to mark, with a dot on every curve.
    title : str

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If a curve has another length than `x`.

    Examples
    --------
    >>> curves_svg([1, 4], {"√d_k": [1, 2]}, symbols=("d_k", "σ")).count("<polyline")
    1
    """
    x = np.asarray(x, dtype=float)
    ys = {name: np.asarray(y, dtype=float) for name, y in ys.items()}
    for name, y in ys.items():
        if y.shape != x.shape:
            raise ValueError(f"curves_svg: {name} is {y.shape} but x is {x.shape}")
    canvas = Canvas(width, height, title)
    every = np.concatenate([np.ravel(y) for y in ys.values()]) if ys else np.zeros(1)
    axes = Axes(
        canvas, xlim or _ends(x, xlog), ylim or _ends(every, ylog), symbols, xlog, ylog,
        xticks=log_places(x) if xlog else None,
    )  # fmt: skip
    if at is not None:
        axes.vertical(at)
    for k, y in enumerate(ys.values()):
        axes.curve(x, y, ink=LINES[k % len(LINES)], dash=DASHES[k % len(DASHES)])
        if at is not None and len(x):
            near = int(np.abs(x - at).argmin())
            axes.dot(x[near], y[near], LINES[k % len(LINES)])
    axes.legend(list(ys), DASHES)
    return str(canvas)


def histogram_svg(
    edges, heights, curve=None, *, symbols=("x", "p"), xlim=None, ylim=None, title="",
    width=480, height=280,
):  # fmt: skip
    """Blocks between `edges`, with the curve that theory predicts drawn over them.

    Parameters
    ----------
    edges : array_like, shape (n + 1,)
    heights : array_like, shape (n,)
        Densities or counts.
    curve : (x, y), optional
        Two array_like of one length.
    symbols, xlim, ylim, title : as for `curves_svg`

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there is not one more edge than there are heights.

    Examples
    --------
    >>> histogram_svg([0, 1, 2], [0.25, 0.75]).count("<polygon")
    1
    """
    edges, heights = np.asarray(edges, dtype=float), np.asarray(heights, dtype=float)
    if len(edges) != len(heights) + 1:
        raise ValueError(
            f"histogram_svg: {len(edges)} edges but {len(heights)} heights; one edge more is needed"
        )
    canvas = Canvas(width, height, title)
    top = max([heights.max(initial=0), *(np.max(curve[1]) for _ in range(curve is not None))])
    axes = Axes(canvas, xlim or (edges[0], edges[-1]), ylim or (0, 1.05 * top or 1), symbols)
    stairs_x = np.repeat(edges, 2)
    stairs_y = np.concatenate([[0], np.repeat(heights, 2), [0]])
    axes.area(stairs_x, stairs_y, LINES[0])
    if curve is not None:
        axes.curve(np.asarray(curve[0]), np.asarray(curve[1]), ink=LINES[1])
    return str(canvas)


def _ends(values, is_log):
    """The smallest and largest drawable value, never equal."""
    seen = values[np.isfinite(values) & ((values > 0) | (not is_log))]
    if not seen.size:
        return (1, 10) if is_log else (0, 1)
    low, high = float(seen.min()), float(seen.max())
    if low == high:
        return (low / 2, high * 2) if is_log else (low - 0.5, high + 0.5)
    return (low, high) if is_log else (low, high + 0.05 * (high - low))
