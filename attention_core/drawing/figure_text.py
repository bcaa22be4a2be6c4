"""The text form of a figure: its numbers in an aligned table, for every reader and every test."""

import unicodedata

import numpy as np

from attention_core.drawing.numbers import number_text, short
from attention_core.language import Words, say

MATRIX = Words(en="{name} ({shape})", zh="{name}（{shape}）")
SIDES = Words(en=": rows {rows}, columns {cols}", zh="：行 {rows}，列 {cols}")
NAMES = {
    "weights": Words(en="weights", zh="权重"),
    "scores": Words(en="values", zh="数值"),
}
HIDDEN = Words(en="hidden cells: {cells}", zh="被遮住的单元：{cells}")
NOTHING = Words(en="nothing visible: every cell is hidden", zh="没有可见的单元：全部被遮住")
LARGEST = Words(en="largest in each row", zh="每行最大值")
CURVES = Words(en="curves over {x}", zh="随 {x} 变化的曲线")
HISTOGRAM = Words(en="histogram of {x}", zh="{x} 的直方图")
BARS = Words(en="bars", zh="条形图")
ARROWS = Words(en="arrows from the origin", zh="从原点出发的箭头")
POINTS = Words(en="points ({x}, {y})", zh="点（{x}，{y}）")
LENGTH, ANGLE = Words(en="length", zh="长度"), Words(en="angle", zh="角度")
COUNT, MEAN, SPREAD = (
    Words(en="count", zh="数量"),
    Words(en="mean", zh="均值"),
    Words(en="std", zh="标准差"),
)
PREDICTED = Words(en="predicted peak {peak}", zh="预测峰值 {peak}")


def width(text):
    """Columns that `text` takes in a fixed-width font: a Chinese character takes two."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def table(rows):
    """Rows of strings as right-aligned columns.

    Examples
    --------
    >>> print(table([["", "a"], ["猫", "0.50"]]))
           a
    猫  0.50
    """
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    padded = [
        [" " * (wide - width(cell)) + cell for cell, wide in zip(row, widths, strict=True)]
        for row in rows
    ]
    return "\n".join("  ".join(row).rstrip() for row in padded)


def log_places(x):
    """Where a logarithmic axis is marked: at its own sizes, 4, 16, 64 …, if they are few.

    Examples
    --------
    >>> log_places(np.array([1.0, 4.0, 16.0])), log_places(np.arange(100.0))
    ([1.0, 4.0, 16.0], None)
    """
    chosen = x[x > 0]
    return chosen[thin(len(chosen), 7)].tolist() if 0 < len(x) <= 16 else None


def thin(count, most=12):
    """At most about `most` of the indices 0 … count - 1, evenly spread, both ends among them."""
    return sorted(set(np.linspace(0, count - 1, min(count, most)).round().astype(int).tolist()))


def matrix_text(cells, values, hidden, rows, cols, symbols, kind):
    """One matrix in words: what it is, then its numbers (or, when it is large, each row's peak).

    Parameters
    ----------
    cells : list of list of str, or None where the matrix is too large for a table
    values, hidden : ndarray, shape (n_q, n_k)
    rows, cols : list of str
    symbols : (str, str), what the rows and the columns are
    kind : "weights" or "scores"
    """
    shape = f"{values.shape[0]} × {values.shape[1]}"
    sides = say(SIDES, rows=symbols[0], cols=symbols[1]) if all(symbols) else ""
    parts = [say(MATRIX, name=say(NAMES[kind]), shape=shape) + sides]
    if values.size and hidden.all():
        parts.append(say(NOTHING))
    elif hidden.any():
        parts.append(say(HIDDEN, cells=int(hidden.sum())))
    if cells is not None:
        marked = [
            [f"[{cell}]" if off else f"{cell} " for cell, off in zip(*pair, strict=True)]
            for pair in zip(cells, hidden, strict=True)
        ]
        body = [[name, *line] for name, line in zip(rows, marked, strict=True)]
        parts.append(table([["", *(f"{name} " for name in cols)], *body]))
    elif values.size and not hidden.all():
        parts.append(f"{say(LARGEST)}:\n{_peaks(values, hidden, rows, cols)}")
    return "\n".join(parts)


def _peaks(values, hidden, rows, cols):
    """For up to sixteen rows, the column and value of the largest visible cell."""
    visible = np.where(hidden, -np.inf, values)
    lines = []
    for i in thin(len(rows), 16):
        j = int(visible[i].argmax())
        lines.append([rows[i], "→", cols[j], number_text(visible[i, j])])
    return table(lines)


def curves_text(symbols, x, ys):
    """A table of curves: x down the side, thinned to a dozen rows, one column for each symbol."""
    body = [[short(x[i]), *(short(y[i]) for y in ys.values())] for i in thin(len(x))]
    return f"{say(CURVES, x=symbols[0])}: {symbols[1]}\n{table([[symbols[0], *ys], *body])}"


def histogram_text(x, samples, density):
    """For each set of samples its count, mean, spread and ends; for each prediction its peak."""
    head = ["", *map(say, (COUNT, MEAN, SPREAD)), "min", "max"]
    body = [
        [name, *map(short, (s.size, s.mean(), s.std(), s.min(), s.max()))]
        for name, s in samples.items()
    ]
    peaks = [
        f"{name} {say(PREDICTED, peak=short(np.max(y)))}".strip()
        for name, (_, y) in density.items()
    ]
    return "\n".join([say(HISTOGRAM, x=x), table([head, *body]), *peaks])


def bars_text(y, labels, series):
    """A table with one row for each bar and one column for each series."""
    body = [[labels[i], *(short(s[i]) for s in series.values())] for i in range(len(labels))]
    return f"{say(BARS)}: {y}\n{table([['', *series], *body])}"


def arrows_text(symbols, vectors, points):
    """For each vector its two numbers, its length and its angle; for each point its numbers."""
    head = ["", *symbols, say(LENGTH), say(ANGLE)]
    body = [
        [name, *map(short, v), short(np.hypot(*v)), short(np.degrees(np.arctan2(v[1], v[0]))) + "°"]
        for name, v in vectors.items()
    ]
    marks = [[name, *map(short, v), "", ""] for name, v in points.items()]
    return f"{say(ARROWS)}\n{table([head, *body, *marks])}"


def points_text(symbols, groups):
    """The points of each group, a dozen of them when there are more."""
    body = [
        [name if i == 0 else "", *map(short, group[i])]
        for name, group in groups.items()
        for i in thin(len(group))
    ]
    return f"{say(POINTS, x=symbols[0], y=symbols[1])}\n{table([['', *symbols], *body])}"
