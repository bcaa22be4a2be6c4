"""Axes on a `Canvas`: from data to pixels, ticks at round numbers, and the marks of a plot."""

import math

from attention_core.drawing.numbers import short
from attention_core.drawing.palette import LINES
from attention_core.drawing.svg.canvas import THEME_INK

LEFT, RIGHT, ABOVE, BELOW = 52, 16, 34, 40


def nice_ticks(low, high, about=5):
    """Round numbers from `low` to `high`, a step of 1, 2 or 5 times a power of ten apart.

    Examples
    --------
    >>> nice_ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    if not high > low:
        return [low]
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 12) + 0.0 for k in range(first, last + 1)]


def log_ticks(low, high):
    """Powers of ten, or of two or four where fewer than two decades are shown.

    Examples
    --------
    >>> log_ticks(1, 4096), log_ticks(4, 64)
    ([1.0, 10.0, 100.0, 1000.0], [4.0, 8.0, 16.0, 32.0, 64.0])
    """
    base = 10.0 if high / low >= 100 else 2.0
    first = math.ceil(math.log(low, base) - 1e-9)
    last = math.floor(math.log(high, base) + 1e-9)
    step = max(1, (last - first) // 6)
    return [base**k for k in range(first, last + 1, step)]


class Axes:
    """The frame of a plot on `canvas`; draws itself when made.

    Parameters
    ----------
    canvas : Canvas
    xlim, ylim : (low, high)
    symbols : (str, str)
    xlog, ylog : bool
    xticks : sequence of float, optional
    crossed : bool
        Axes through the origin, for vectors.
    bare : bool
        No axes at all.
    """

    def __init__(
        self, canvas, xlim, ylim, symbols, xlog=False, ylog=False, *, xticks=None, crossed=False,
        bare=False,
    ):  # fmt: skip
        self.canvas, self.logs = canvas, (xlog, ylog)
        self.low = self._scaled(xlim[0], 0), self._scaled(ylim[0], 1)
        self.high = self._scaled(xlim[1], 0), self._scaled(ylim[1], 1)
        edge = 12 if crossed or bare else None
        self.left, self.right = edge or LEFT, canvas.width - (edge or RIGHT)
        self.top, self.bottom = edge or ABOVE, canvas.height - (edge or BELOW)
        if crossed:
            self._cross(nice_ticks(*xlim, about=6))
        elif not bare:
            self._frame(xlim, ylim, symbols, xticks)

    def _scaled(self, value, axis):
        if not self.logs[axis]:
            return float(value)
        return math.log10(value) if value > 0 else math.nan

    def at(self, point):
        """The pixel of a point (x, y)."""
        shares = [
            (self._scaled(value, k) - self.low[k]) / (self.high[k] - self.low[k] or 1)
            for k, value in enumerate(point)
        ]
        return (
            self.left + shares[0] * (self.right - self.left),
            self.bottom - shares[1] * (self.bottom - self.top),
        )

    def _frame(self, xlim, ylim, symbols, xticks):
        ticks = [
            log_ticks(*ends) if is_log else nice_ticks(*ends)
            for ends, is_log in zip((xlim, ylim), self.logs, strict=True)
        ]
        for x in ticks[0] if xticks is None else xticks:
            px, _ = self.at((x, ylim[0]))
            self.canvas.line(px, self.bottom, px, self.bottom + 4)
            self.canvas.text(px, self.bottom + 14, short(x), size=12)
        for y in ticks[1]:
            _, py = self.at((xlim[0], y))
            self.canvas.line(self.left, py, self.right, py, opacity=0.15)
            self.canvas.text(self.left - 7, py, short(y), size=12, anchor="end")
        self.canvas.line(self.left, self.bottom, self.right, self.bottom)
        self.canvas.symbol(self.right, self.bottom + 30, symbols[0], anchor="end")
        self.canvas.symbol(self.left - 44, self.top - 18, symbols[1], anchor="start")

    def _cross(self, ticks):
        x0, y0 = self.at((0, 0))
        self.canvas.line(self.left, y0, self.right, y0, opacity=0.4)
        self.canvas.line(x0, self.bottom, x0, self.top, opacity=0.4)
        for value in ticks:
            if value:
                px, py = self.at((value, value))
                self.canvas.line(px, y0 - 3, px, y0 + 3, opacity=0.4)
                self.canvas.line(x0 - 3, py, x0 + 3, py, opacity=0.4)
                self.canvas.text(px, y0 + 13, short(value), size=11)

    def curve(self, x, y, *, ink, dash=None):
        """A line through (x, y), broken where a value cannot be drawn, kept inside the frame."""
        runs = [[]]
        for point in zip(x, y, strict=True):
            px, py = self.at(point)
            inside = self.left - 1 <= px <= self.right + 1
            if inside and math.isfinite(py):
                runs[-1].append((px, min(max(py, self.top - 2), self.bottom + 2)))
            else:
                runs.append([])
        for run in runs:
            if run:
                self.canvas.polyline(run, ink=ink, dash=dash)

    def area(self, x, y, ink):
        """The filled shape under (x, y)."""
        places = [self.at(point) for point in zip(x, y, strict=True)]
        inside = [(min(max(px, self.left), self.right), max(py, self.top)) for px, py in places]
        self.canvas.polygon(inside, fill=ink, ink=ink, opacity=0.35)

    def vertical(self, x):
        """A dashed line at `x`."""
        px, _ = self.at((x, 1))
        self.canvas.line(px, self.top, px, self.bottom, dash="4 4", opacity=0.6)

    def dot(self, x, y, ink):
        """A dot at (x, y), if it can be drawn."""
        px, py = self.at((x, y))
        if math.isfinite(px) and math.isfinite(py):
            self.canvas.circle(px, py, 4.5, fill=ink)

    def named_dot(self, point, name, ink, away_from, cell=None):
        """A dot with its name above or below it, on the side away from another point."""
        px, py = self.at(point)
        self.canvas.circle(px, py, 6, fill=ink, cell=cell)
        side = -1 if py <= self.at(away_from)[1] else 1
        self.canvas.symbol(px, py + 18 * side, name, size=14, ink=ink)

    def small_dot(self, point, radius, ink, cell=None):
        """A dot without a name."""
        self.canvas.circle(*self.at(point), radius, fill=ink, cell=cell)

    def beside(self, point, name, ink):
        """A symbol on the right of a point."""
        px, py = self.at(point)
        self.canvas.symbol(px + 11, py, name, size=16, ink=ink, anchor="start")

    def angle(self, first, second):
        """An arc between two vectors and the angle in degrees."""
        start, end = (math.atan2(v[1], v[0]) for v in (first, second))
        turn = math.remainder(end - start, 2 * math.pi)
        x0, y0 = self.at((0, 0))
        arc = [start + turn * k / 24 for k in range(25)]
        self.canvas.polyline([(x0 + 34 * math.cos(a), y0 - 34 * math.sin(a)) for a in arc],
                             ink=THEME_INK, width=1.5)  # fmt: skip
        # Between the arrows where there is room, else beside the first one.
        middle = start + (turn / 2 if abs(turn) > 0.5 else -math.copysign(0.45, turn))
        self.canvas.text(
            x0 + 54 * math.cos(middle), y0 - 54 * math.sin(middle),
            f"{abs(math.degrees(turn)):.0f}°", size=13,
        )  # fmt: skip

    def legend(self, names, dashes):
        """A short line and the symbol of each curve, in a row above the frame."""
        x = self.right
        for k, name in reversed(list(enumerate(names))):
            x -= 9 * len(name.replace("_", "")) + 8
            self.canvas.symbol(x, self.top - 18, name, size=13, anchor="start")
            x -= 32
            self.canvas.line(
                x, self.top - 18, x + 26, self.top - 18, ink=LINES[k % len(LINES)], width=2.5,
                dash=dashes[k % len(dashes)],
            )  # fmt: skip
            x -= 10
