"""Curves, histograms, bars, arrows and points as Pictures, each with its numbers as text."""

import numpy as np
from matplotlib.ticker import FixedLocator

from attention_core.drawing import (
    FAINT,
    INK,
    LATIN_FONT,
    Picture,
    font_of,
    label,
    set_ticks,
    symbol,
)
from attention_core.figure_text import (
    arrows_text,
    bars_text,
    curves_text,
    histogram_text,
    points_text,
    short,
    thin,
)  # fmt: skip
from attention_core.palette import token_label
from attention_core.svg import LINES

DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)))
MARKS = "osD^vP"
WIDTH, HEIGHT = 5.2, 3.2


def curves(x, ys, *, symbols=("x", "y"), xlog=False, ylog=False, marks=False):
    """Draw one or more curves over a shared x, told apart by colour and by dashes.

    Parameters
    ----------
    x : array_like, shape (n,)
    ys : dict of symbol -> array_like, shape (n,)
    symbols : (str, str)
        What the axes stand for; "d_k" becomes d with a lowered k.
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
    x = np.asarray(x, dtype=float)
    ys = {name: _same_length(name, y, x) for name, y in ys.items()}
    picture, axes = _page(curves_text(symbols, x, ys), symbols)
    for k, (name, y) in enumerate(ys.items()):
        axes.plot(
            x, y, color=LINES[k % len(LINES)], linestyle=DASHES[k % len(DASHES)], linewidth=2,
            marker=MARKS[k % len(MARKS)] if marks else None, markersize=5, label=symbol(name)[0],
        )  # fmt: skip
    axes.set(xscale="log" if xlog else "linear", yscale="log" if ylog else "linear")
    if xlog and len(x) <= 16:
        # Such an axis is a list of chosen sizes, 4, 16, 64 …: show those, not powers of ten.
        places = x[thin(len(x), 7)].tolist()
        set_ticks(axes.xaxis, places, [short(place) for place in places])
        axes.xaxis.set_ticks([], minor=True)
    return _finish(picture, axes, len(ys) > 1 or "" not in ys)


def histogram(samples, *, bins=40, density=None, symbols=("x", "p")):
    """Draw how often each size occurs, with the curve that theory predicts.

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
    samples = {name: np.asarray(s, dtype=float).ravel() for name, s in samples.items()}
    if not all(s.size for s in samples.values()):
        raise ValueError("histogram: there are no samples to count")
    density = {} if density is None else density if isinstance(density, dict) else {"": density}
    picture, axes = _page(histogram_text(symbols[0], samples, density), symbols)
    edges = np.histogram_bin_edges(np.concatenate(list(samples.values())), bins)
    for k, (name, s) in enumerate(samples.items()):
        heights, _ = np.histogram(s, edges, density=True)
        colour = LINES[k % len(LINES)]
        axes.stairs(heights, edges, fill=True, color=colour, alpha=0.35)
        axes.stairs(heights, edges, color=colour, linewidth=1.2, label=symbol(name)[0])
    for k, (name, (x, y)) in enumerate(density.items()):
        axes.plot(x, y, color=INK, linestyle=DASHES[k % len(DASHES)], label=symbol(name)[0])
    axes.set_ylim(bottom=0)
    return _finish(picture, axes, len(samples) > 1 or any(density))


def bars(values, labels=None, *, symbols=("j", "α_j"), top=None):
    """Draw one bar for each label, or one bar of each series for each label.

    Parameters
    ----------
    values : array_like, shape (n,), or dict of symbol -> array_like, shape (n,)
    labels : sequence of n str, optional
        Tokens or symbols; repeated ones keep their own bars. Default: 1, 2, 3 …
    symbols : (str, str)
        What the axes stand for.
    top : float, optional
        Upper end of the vertical axis, such as 1 for weights.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there are more or fewer labels than bars.

    Examples
    --------
    >>> bars([0.25, 0.75], ["the", "the"])
    bars: α_j
         α_j
    the  0.25
    the  0.75
    """
    series = values if isinstance(values, dict) else {symbols[1]: values}
    series = {name: np.asarray(y, dtype=float) for name, y in series.items()}
    n = len(next(iter(series.values())))
    labels = [str(i + 1) for i in range(n)] if labels is None else [token_label(t) for t in labels]
    series = {name: _same_length(name, y, labels) for name, y in series.items()}
    picture, axes = _page(bars_text(symbols[1], labels, series), symbols)
    thick = 0.8 / len(series)
    for k, (name, y) in enumerate(series.items()):
        places = np.arange(n) + (k - (len(series) - 1) / 2) * thick
        drawn = axes.bar(places, y, thick * 0.92, color=LINES[k], label=symbol(name)[0])
        if n * len(series) <= 16:
            for bar, value in zip(drawn, y, strict=True):
                _write_value(axes, bar, value)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.margins(y=0.12)
    if top is not None:
        axes.set_ylim(top=top)
    set_ticks(axes.xaxis, list(range(n)), labels)
    return _finish(picture, axes, len(series) > 1)


def arrows(vectors, points=None, *, symbols=("x_1", "x_2")):
    """Draw 2-D vectors from the origin on equal axes, such as a query and its keys.

    Parameters
    ----------
    vectors : dict of symbol -> array_like, shape (2,)
    points : dict of symbol -> array_like, shape (2,), optional
        Marked places without an arrow.
    symbols : (str, str)
        What the axes stand for.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If a vector does not have two numbers.

    Examples
    --------
    >>> arrows({"q": [1, 0], "k_1": [1, 1]})
    arrows from the origin
         x_1  x_2  length  angle
    q      1    0       1     0°
    k_1    1    1    1.41    45°
    """
    vectors = {name: _pair(name, v) for name, v in vectors.items()}
    points = {name: _pair(name, v) for name, v in (points or {}).items()}
    picture, axes = _page(arrows_text(symbols, vectors, points), symbols, size=(4, 4))
    reach = 1.2 * max((np.abs(v).max() for v in [*vectors.values(), *points.values()]), default=1)
    axes.set(xlim=(-reach or -1, reach or 1), ylim=(-reach or -1, reach or 1), aspect="equal")
    axes.axhline(0, color=FAINT, linewidth=1)
    axes.axvline(0, color=FAINT, linewidth=1)
    for k, (name, v) in enumerate({**vectors, **points}.items()):
        colour = LINES[k % len(LINES)]
        if name in vectors:
            tip = {
                "arrowstyle": "-|>",
                "color": colour,
                "linewidth": 2,
                "shrinkA": 0,
                "shrinkB": 0,
                "mutation_scale": 12,
            }
            axes.annotate("", xy=v, xytext=(0, 0), arrowprops=tip)
        else:
            axes.plot(*v, "o", color=colour, markersize=7)
        text, font = symbol(name, 12)
        away = v + 0.07 * reach * (v / (np.hypot(*v) or 1))
        axes.text(*away, text, fontproperties=font, color=colour, ha="center", va="center")
    return _finish(picture, axes, False)


def points(groups, *, symbols=("x", "y"), xlog=False, ylog=False):
    """Draw clouds of points, told apart by colour and by mark.

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
    groups = {name: np.asarray(g, dtype=float) for name, g in groups.items()}
    for name, g in groups.items():
        if g.ndim != 2 or g.shape[1] != 2:
            raise ValueError(f"points: {name} is {g.shape} but must be (m, 2)")
    picture, axes = _page(points_text(symbols, groups), symbols)
    for k, (name, g) in enumerate(groups.items()):
        axes.scatter(
            *g.T, s=28, color=LINES[k % len(LINES)], marker=MARKS[k % len(MARKS)], alpha=0.75,
            linewidths=0, label=symbol(name)[0],
        )  # fmt: skip
    axes.set(xscale="log" if xlog else "linear", yscale="log" if ylog else "linear")
    return _finish(picture, axes, len(groups) > 1)


def _same_length(name, y, x):
    y = np.asarray(y, dtype=float)
    if y.shape != (len(x),):
        raise ValueError(f"{name} is {y.shape} but there are {len(x)} places along the axis")
    return y


def _pair(name, v):
    v = np.asarray(v, dtype=float)
    if v.shape != (2,):
        raise ValueError(f"arrows: {name} is {v.shape} but must be (2,)")
    return v


def _write_value(axes, bar, value):
    text, font = label(short(value), 8)
    above = value >= 0
    axes.annotate(
        text, (bar.get_x() + bar.get_width() / 2, value), (0, 2 if above else -2),
        textcoords="offset points", ha="center", va="bottom" if above else "top",
        fontproperties=font, color=INK,
    )  # fmt: skip


def _page(text, symbols, size=(WIDTH, HEIGHT)):
    picture = Picture(*size, text)
    axes = picture.add_subplot()
    axes.set_facecolor("white")
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(INK)
    for set_label, name in ((axes.set_xlabel, symbols[0]), (axes.set_ylabel, symbols[1])):
        drawable, font = symbol(name)
        set_label(drawable, fontproperties=font, color=INK)
    axes.yaxis.label.set(rotation=0, ha="right", va="center")
    return picture, axes


def _finish(picture, axes, with_legend):
    """Fonts and inks that do not depend on the reader's settings, and a legend of symbols."""
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_tick_params(which="both", color=INK, labelcolor=INK)
        if not isinstance(axis.get_major_locator(), FixedLocator):
            axis.set_tick_params(which="both", labelsize=9, labelfontfamily="DejaVu Sans")
    if with_legend:
        legend = axes.legend(prop=font_of(LATIN_FONT, 10), frameon=False, labelcolor=INK)
        legend.set_zorder(10)
    return picture
