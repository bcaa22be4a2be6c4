"""How a page of matrices is painted; `figures` says what is on it."""

from itertools import pairwise

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PolyCollection
from matplotlib.colors import ListedColormap, Normalize

from attention_core.drawing.figure_text import matrix_text, width
from attention_core.drawing.numbers import short
from attention_core.drawing.palette import FAINT, INK, cell_colours, colour_scale
from attention_core.figures.drawing import Picture, label, set_ticks, symbol
from attention_core.figures.matrix_layout import is_upright, layout_of, page_size, shown

COLOURS = 1025  # steps from one end of a scale to the other; the middle one is zero
BAR = 41  # steps of the scale beside a page of large matrices
GAP = 0.04  # of a cell, between numbered cells
TABLED = 16, 300  # rows or columns, and cells in all; larger ones are summarised in the text form


def draw_matrices(matrices, titles, kind, symbols):
    """A Picture of `matrices` side by side, on one colour scale.

    Parameters
    ----------
    matrices : list of Matrix
    titles : list of str
    kind : "weights" or "scores"
    symbols : (str, str), what the rows and the columns are

    Returns
    -------
    Picture
    """
    layout = layout_of(matrices)
    figure = Picture(*page_size(matrices, titles, layout), _text(matrices, titles, kind, symbols))
    grid = _panels(figure, matrices, layout)
    figure.matrices.extend(grid)
    norm, colours = _scale(matrices, kind)
    for m, title, axes in zip(matrices, titles, grid, strict=True):
        _paint(axes, m, layout, norm, colours)
        _label_axes(axes, m, layout, title)
        if layout.numbered:
            _, inks = cell_colours(m.values, kind, m.hidden, (norm.vmin, norm.vmax))
            _write_numbers(axes, m, inks, layout)
    _name_sides(grid, layout, symbols)
    if not layout.numbered:
        _colour_bar(figure, grid, norm, colours)
    return figure


def _text(matrices, titles, kind, symbols):
    side = max(size for m in matrices for size in m.values.shape)
    is_small = side <= TABLED[0] and sum(m.values.size for m in matrices) <= TABLED[1]
    return "\n\n".join(
        (f"{title}\n" if title else "")
        + matrix_text(
            m.cells if is_small else None, m.values, m.hidden, m.rows, m.cols, symbols, kind
        )
        for m, title in zip(matrices, titles, strict=True)
    )


def _panels(figure, matrices, layout):
    """One axes for each matrix, row by row; the places left over stay empty."""
    shares = [
        max(1, *(m.values.shape[1] for m in matrices[i :: layout.across]))
        for i in range(layout.across)
    ]
    grid = figure.subplots(layout.down, layout.across, squeeze=False, width_ratios=shares).ravel()
    for axes in grid[len(matrices) :]:
        axes.set_axis_off()
    return grid[: len(matrices)]


def _scale(matrices, kind):
    """The norm and the colour map that all panels share, taken from the palette."""
    seen = np.concatenate([m.values[~m.hidden] for m in matrices])
    low, high = colour_scale(seen, kind)
    fills, _ = cell_colours(np.linspace(low, high, COLOURS)[None], kind, scale=(low, high))
    return Normalize(low, high), ListedColormap(fills[0]).with_extremes(bad="none")


def _paint(axes, m, layout, norm, colours):
    """Cells on the bare page, and hatching where nothing can be seen."""
    n_q, n_k = m.values.shape
    axes.set_facecolor("none")
    axes.set_aspect(layout.cell_height / layout.cell_width)
    axes.set(xlim=(-0.5, max(n_k, 1) - 0.5), ylim=(max(n_q, 1) - 0.5, -0.5))
    half = 0.5 - GAP * layout.numbered
    corners = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    seen = np.ma.masked_array(m.values, m.hidden).ravel()
    cells = PolyCollection(
        [corners + np.array([j, i]) for i, j in np.ndindex(n_q, n_k)],
        array=seen, norm=norm, cmap=colours, linewidth=0, antialiased=layout.numbered,
    )  # fmt: skip
    hatched = PolyCollection(
        [corners + np.array([j, i]) for i, j in np.argwhere(m.hidden)],
        facecolor="none", edgecolor=FAINT, hatch="//", linewidth=0,
    )  # fmt: skip
    axes.add_collection(cells, autolim=False)
    axes.add_collection(hatched, autolim=False)
    axes.spines[:].set(visible=True, color=FAINT, linewidth=1)


def _label_axes(axes, m, layout, title):
    upright = 90 if is_upright(m, layout) else 0
    for axis, labels, turn in ((axes.yaxis, m.rows, 0), (axes.xaxis, m.cols, upright)):
        places = shown(len(labels))
        set_ticks(axis, places, [labels[i] for i in places], rotation=turn)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_anchor("N")
    drawable, font = symbol(title)
    axes.set_title(drawable, fontproperties=font, color=INK)


def _name_sides(panels, layout, symbols):
    """What rows and columns are, said once: at the left and at the top of the page."""
    rows, cols = symbol(symbols[0]), symbol(symbols[1])
    for axes in panels[:: layout.across]:
        axes.set_ylabel(
            rows[0], fontproperties=rows[1], color=INK, rotation=0, ha="right", va="center"
        )
    for axes in panels[: layout.across]:
        axes.set_xlabel(cols[0], fontproperties=cols[1], color=INK)


def _write_numbers(axes, m, inks, layout):
    """One Text for each cell, in the ink that its colour can carry."""
    longest = max((width(cell) for row in m.cells for cell in row), default=1)
    size = min(10, 72 * 0.9 * layout.cell_width / (0.64 * longest))
    for i, j in np.ndindex(m.values.shape):
        text, font = label(m.cells[i][j], size)
        axes.text(
            j, i, text, fontproperties=font, color=inks[i][j],
            ha="center", va="center", parse_math=False,
        )  # fmt: skip


def _colour_bar(figure, panels, norm, colours):
    """The scale, where the cells carry no numbers."""
    bar = figure.colorbar(ScalarMappable(norm, colours), ax=list(panels), shrink=0.7, pad=0.02)
    ends = [norm.vmin, (norm.vmin + norm.vmax) / 2, norm.vmax]
    set_ticks(bar.ax.yaxis, ends, [short(end) for end in ends])
    bar.ax.set_facecolor("none")
    bar.solids.remove()  # it would be an image, and images do not follow the theme
    edges = np.linspace(norm.vmin, norm.vmax, 1 + BAR)
    steps = [[(0, low), (1, low), (1, high), (0, high)] for low, high in pairwise(edges)]
    middles = (edges[1:] + edges[:-1]) / 2
    bar.ax.add_collection(
        PolyCollection(steps, array=middles, norm=norm, cmap=colours, edgecolor="face"),
        autolim=False,
    )
    bar.outline.set(color=FAINT, linewidth=1)
