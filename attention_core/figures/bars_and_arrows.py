"""Bars with tokens under them and 2-D arrows as Pictures, each with its numbers as text."""

import numpy as np

from attention_core.drawing.figure_text import arrows_text, bars_text
from attention_core.drawing.numbers import short
from attention_core.drawing.palette import FAINT, INK, LINES, token_label
from attention_core.figures.drawing import as_shipped, label, set_ticks, symbol
from attention_core.figures.plot_frame import finish, plot_page, same_length
from attention_core.figures.reading import drawable
from attention_core.figures.wording import worded


@as_shipped
def bars(values, labels=None, *, symbols=("j", "α_j"), top=None):
    """One bar for each label, or one bar of each series for each label.

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
    series = {worded(name): drawable("bars", name, y) for name, y in series.items()}
    symbols = [*map(worded, symbols)]
    n = len(next(iter(series.values())))
    labels = (
        [str(i + 1) for i in range(n)]
        if labels is None
        else [token_label(worded(t)) for t in labels]
    )
    series = {name: same_length(name, y, labels) for name, y in series.items()}
    picture, axes = plot_page(bars_text(symbols[1], labels, series), symbols)
    thick = 0.8 / len(series)
    for k, (name, y) in enumerate(series.items()):
        places = np.arange(n) + (k - (len(series) - 1) / 2) * thick
        drawn = axes.bar(
            places, y, thick * 0.92, color=LINES[k % len(LINES)], label=symbol(name)[0]
        )
        if n * len(series) <= 16:
            for bar, value in zip(drawn, y, strict=True):
                _write_value(axes, bar, value)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.margins(y=0.12)
    if top is not None:
        axes.set_ylim(top=top)
    set_ticks(axes.xaxis, list(range(n)), labels)
    return finish(picture, axes, len(series) > 1)


@as_shipped
def arrows(vectors, points=None, *, symbols=("x_1", "x_2")):
    """2-D vectors from the origin on equal axes, such as a query and its keys.

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
    vectors = {worded(name): _pair(name, v) for name, v in vectors.items()}
    points = {worded(name): _pair(name, v) for name, v in (points or {}).items()}
    symbols = [*map(worded, symbols)]
    picture, axes = plot_page(arrows_text(symbols, vectors, points), symbols, size=(4, 4))
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
        axes.text(*away, text, fontproperties=font, color=INK, ha="center", va="center")
    return finish(picture, axes, False)


def _pair(name, v):
    v = drawable("arrows", name, v)
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
