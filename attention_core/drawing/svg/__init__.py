"""Curves, histograms and mixtures as SVG text, quick enough for a slider.

Each function takes arrays and gives a string; ink follows the page's theme. Symbols such as "d_k"
are written with a lowered k, tokens and numbers as they are. `title` is the alternative text.
"""

from attention_core.drawing.palette import LINES
from attention_core.drawing.svg.canvas import Canvas, standalone
from attention_core.drawing.svg.charts import curves_svg, histogram_svg
from attention_core.drawing.svg.plane import mixture_svg

__all__ = [
    "LINES", "Canvas", "curves_svg", "histogram_svg", "mixture_svg",
    "standalone",
]  # fmt: skip
