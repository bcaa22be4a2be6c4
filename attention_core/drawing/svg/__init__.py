"""Curves, histograms, bars, vectors and a mixing triangle as SVG text, quick enough for a slider.

Each function takes arrays and gives a string; ink follows the page's theme. Symbols such as "d_k"
are written with a lowered k, tokens and numbers as they are. `title` is the alternative text.
"""

import numpy as np

from attention_core.drawing.figure_text import log_places
from attention_core.drawing.numbers import short
from attention_core.drawing.palette import LINES, token_label
from attention_core.drawing.svg.axes import Axes
from attention_core.drawing.svg.canvas import Canvas, data_uri, standalone

__all__ = [
    "LINES", "Canvas", "bars_svg", "curves_svg", "data_uri", "histogram_svg", "standalone",
    "triangle_svg", "vectors_svg",
]  # fmt: skip

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


def bars_svg(
    values, labels=None, *, symbols=("j", "α_j"), ylim=None, title="", width=480, height=240
):
    """One bar for each label with its value over it; the largest is drawn in full colour.

    Parameters
    ----------
    values : array_like, shape (n,)
    labels : sequence of n str, optional
        Tokens or symbols; repeated ones keep their own bars. Default: 1, 2, 3 …
    symbols, ylim, title : as for `curves_svg`

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there are more or fewer labels than bars.

    Examples
    --------
    >>> "0.75" in bars_svg([0.25, 0.75], ["the", "cat"], ylim=(0, 1))
    True
    """
    values = np.asarray(values, dtype=float)
    labels = [str(j + 1) for j in range(len(values))] if labels is None else list(labels)
    if len(labels) != len(values):
        raise ValueError(f"bars_svg: {len(labels)} labels but {len(values)} bars")
    canvas = Canvas(width, height, title)
    low, high = min(values.min(initial=0), 0), max(values.max(initial=0), 0)
    room = 0.1 * (high - low)
    ylim = ylim or (low - room * (low < 0), (high + room) or 1)
    axes = Axes(canvas, (-0.5, max(len(values), 1) - 0.5), ylim, symbols, xticks=())
    for j, (value, token) in enumerate(zip(values, labels, strict=True)):
        axes.bar(j, value, LINES[0], short(value), token_label(str(token)))
    return str(canvas)


def vectors_svg(vectors, *, reach=None, between=None, title="", size=320):
    """2-D arrows from the origin, such as a query and its keys, with the angle between two.

    Parameters
    ----------
    vectors : dict of symbol -> array_like, shape (2,)
    reach : float, optional
        Where the axes end; default a little beyond the longest vector.
    between : (symbol, symbol), optional
        The two vectors whose angle is drawn and written in degrees.
    title : str

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If a vector does not have two numbers.

    Examples
    --------
    >>> "90°" in vectors_svg({"q": [1, 0], "k": [0, 1]}, between=("q", "k"))
    True
    """
    vectors = {name: np.asarray(v, dtype=float) for name, v in vectors.items()}
    for name, v in vectors.items():
        if v.shape != (2,):
            raise ValueError(f"vectors_svg: {name} is {v.shape} but must be (2,)")
    canvas = Canvas(size, size, title)
    reach = reach or 1.15 * max((np.abs(v).max() for v in vectors.values()), default=1) or 1
    axes = Axes(canvas, (-reach, reach), (-reach, reach), ("", ""), crossed=True)
    if between is not None:
        axes.angle(*(vectors[name] for name in between))
    for k, (name, v) in enumerate(vectors.items()):
        axes.arrow(v, LINES[k % len(LINES)], name)
    return str(canvas)


def triangle_svg(corners, point, *, weights=None, reach=None, name="o", title="", size=320):
    """A mixture of three vectors as a point inside their triangle.

    Parameters
    ----------
    corners : dict of symbol -> array_like, shape (2,)
        The vectors that are mixed, such as v_1, v_2, v_3 (any number of them is drawn).
    point : array_like, shape (2,)
        The mixture.
    weights : array_like, optional
        One for each corner: the thicker the line to the point, the larger the weight;
        a weight of exactly zero draws no line.
    reach : float, optional
        Half a side of the picture, around the middle of the corners; default: room for them.
    name : str
        The symbol of the point.
    title : str

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there are more or fewer weights than corners.

    Examples
    --------
    >>> corners = {"v_1": [0, 0], "v_2": [4, 0], "v_3": [2, 3]}
    >>> triangle_svg(corners, [2, 1], weights=[0.5, 0.5, 0.0]).count("stroke-dasharray")
    2
    """
    places = np.array([*corners.values()], dtype=float)
    if weights is not None and len(weights) != len(places):
        raise ValueError(f"triangle_svg: {len(weights)} weights but {len(places)} corners")
    canvas = Canvas(size, size, title)
    middle = (places.max(axis=0) + places.min(axis=0)) / 2
    reach = reach or 0.6 * np.ptp(places, axis=0).max() or 1
    ends = [(m - reach, m + reach) for m in middle]
    axes = Axes(canvas, *ends, ("", ""), bare=True)
    canvas.polygon([axes.at(p) for p in places], fill=LINES[0], ink="currentColor", opacity=0.12)
    for k, place in enumerate(places):
        share = 1 / len(places) if weights is None else float(weights[k])
        if share > 0:
            canvas.line(
                *axes.at(place), *axes.at(point), ink=LINES[1], width=1 + 5 * share, dash="2 3"
            )
    for symbol, place in zip(corners, places, strict=True):
        axes.named_dot(place, symbol, LINES[0], middle)
    axes.named_dot(point, name, LINES[1], None)
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
