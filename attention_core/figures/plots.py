"""Curves, histograms and points as Pictures, each with its numbers as text."""

import numpy as np

from attention_core.drawing.figure_text import curves_text, histogram_text, log_places, points_text
from attention_core.drawing.numbers import short
from attention_core.drawing.palette import INK, LINES
from attention_core.figures.drawing import as_shipped, set_ticks, symbol
from attention_core.figures.plot_frame import DASHES, MARKS, finish, plot_page, same_length
from attention_core.figures.reading import drawable, reals
from attention_core.figures.wording import worded


@as_shipped
def curves(x, ys, *, symbols=("x", "y"), xlog=False, ylog=False, marks=False):
    """One or more curves over a shared x, told apart by colour and by dashes.

    Parameters
    ----------
    x : array_like, shape (n,)
    ys : dict of symbol -> array_like, shape (n,)
    symbols : (str, str)
        What the axes stand for; words of `words.toml`, or symbols: "d_k" gets a lowered k.
    xlog, ylog : bool
        Whether an axis is logarithmic.
    marks : bool
        Whether each point carries a mark.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If a curve has another length than `x`.

    Examples
    --------
    >>> curves([1, 4], {"√d_k": [1, 2]}, symbols=("d_k", "σ"))
    curves over d_k: σ
    d_k  √d_k
      1     1
      4     2
    """
    x, symbols = reals("curves", "x", x), [*map(worded, symbols)]
    ys = {worded(name): same_length(name, reals("curves", name, y), x) for name, y in ys.items()}
    picture, axes = plot_page(curves_text(symbols, x, ys), symbols)
    for k, (name, y) in enumerate(ys.items()):
        axes.plot(
            x, y, color=LINES[k % len(LINES)], linestyle=DASHES[k % len(DASHES)], linewidth=2,
            marker=MARKS[k % len(MARKS)] if marks else None, markersize=5, label=symbol(name)[0],
        )  # fmt: skip
    axes.set(xscale="log" if xlog else "linear", yscale="log" if ylog else "linear")
    places = log_places(x) if xlog else None
    if places is not None:
        set_ticks(axes.xaxis, places, [short(place) for place in places])
        axes.xaxis.set_ticks([], minor=True)
    return finish(picture, axes, len(ys) > 1 or "" not in ys)


@as_shipped
def histogram(samples, *, bins=40, density=None, symbols=("x", "p")):
    """How often each size occurs, with the curve that theory predicts.

    Parameters
    ----------
    samples : array_like of any shape, or dict of symbol -> array_like
    bins : int or increasing array_like of edges
    density : (x, y), two array_like of one length, or dict of symbol -> (x, y), optional
        Predicted density curves.
    symbols : (str, str)
        What the axes stand for.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is nothing to count.

    Examples
    --------
    >>> histogram([1.0, 2.0, 3.0], bins=3, symbols=("q·k", "p"))
    histogram of q·k
         count  mean    std  min  max
    q·k      3     2  0.816    1    3
    """
    samples = samples if isinstance(samples, dict) else {symbols[0]: samples}
    symbols = [*map(worded, symbols)]
    samples = {worded(name): drawable("histogram", name, s).ravel() for name, s in samples.items()}
    if not all(s.size for s in samples.values()):
        raise ValueError("histogram: there are no samples to count")
    density = {} if density is None else density if isinstance(density, dict) else {"": density}
    density = {worded(name): curve for name, curve in density.items()}
    picture, axes = plot_page(histogram_text(symbols[0], samples, density), symbols)
    edges = np.histogram_bin_edges(np.concatenate(list(samples.values())), bins)
    for k, (name, s) in enumerate(samples.items()):
        heights, _ = np.histogram(s, edges, density=True)
        colour = LINES[k % len(LINES)]
        axes.stairs(heights, edges, fill=True, color=colour, alpha=0.35)
        axes.stairs(heights, edges, color=colour, linewidth=1.2, label=symbol(name)[0])
    for k, (name, (x, y)) in enumerate(density.items()):
        axes.plot(x, y, color=INK, linestyle=DASHES[k % len(DASHES)], label=symbol(name)[0])
    axes.set_ylim(bottom=0)
    return finish(picture, axes, len(samples) > 1 or any(density))


@as_shipped
def points(groups, *, symbols=("x", "y"), xlog=False, ylog=False):
    """Clouds of points, told apart by colour and by mark.

    Parameters
    ----------
    groups : dict of symbol -> array_like, shape (m, 2)
    symbols : (str, str)
        What the axes stand for.
    xlog, ylog : bool
        Whether an axis is logarithmic.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If a group is not (m, 2).

    Examples
    --------
    >>> points({"h_1": [[0.0, 1.0], [2.0, 3.0]]})
    points (x, y)
          x  y
    h_1   0  1
          2  3
    """
    groups = {worded(name): drawable("points", name, g) for name, g in groups.items()}
    symbols = [*map(worded, symbols)]
    for name, g in groups.items():
        if g.ndim != 2 or g.shape[1] != 2:
            raise ValueError(f"points: {name} is {g.shape} but must be (m, 2)")
    picture, axes = plot_page(points_text(symbols, groups), symbols)
    for k, (name, g) in enumerate(groups.items()):
        axes.scatter(
            *g.T, s=28, color=LINES[k % len(LINES)], marker=MARKS[k % len(MARKS)], alpha=0.75,
            linewidths=0, label=symbol(name)[0],
        )  # fmt: skip
    axes.set(xscale="log" if xlog else "linear", yscale="log" if ylog else "linear")
    return finish(picture, axes, len(groups) > 1)
