"""Curves, histograms, bars, vectors and mixtures as SVG text, quick enough for a slider.

Each function takes arrays and gives a string; ink follows the page's theme. Symbols such as "d_k"
are written with a lowered k, tokens and numbers as they are. `title` is the alternative text.
"""

from attention_core.drawing.palette import LINES
from attention_core.drawing.svg.canvas import Canvas, data_uri, standalone
from attention_core.drawing.svg.charts import bars_svg, curves_svg, histogram_svg
from attention_core.drawing.svg.plane import mixture_svg, vectors_svg

__all__ = [
    "LINES", "Canvas", "bars_svg", "curves_svg", "data_uri", "histogram_svg", "mixture_svg",
    "standalone", "vectors_svg",
]  # fmt: skip
