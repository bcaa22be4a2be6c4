"""What every figure of the course is made of: a Picture that carries its numbers, and the fonts.

Nothing here uses pyplot, so a picture is shown once, no backend is chosen and no rcParams change.
"""

import io
import logging
import re
from functools import cache, wraps
from pathlib import Path

import numpy as np
from PIL import Image

from attention_core.drawing.palette import INK
from attention_core.figures.theme import following_the_theme


def _import_quietly():
    """Import matplotlib's font manager without its first-run message about building a cache."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        import matplotlib.font_manager as font_manager
    finally:
        logger.setLevel(level)
    return font_manager


font_manager = _import_quietly()

import matplotlib as mpl  # noqa: E402  (after the quiet import)
from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402
from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ft2font import FT2Font  # noqa: E402
from matplotlib.style import context  # noqa: E402

CSS_DPI = 96  # a figure of 5 inches is 480 CSS pixels wide ...
SHARPNESS = 1.25  # ... and its png finer than that, for screens with small pixels

SVG_METADATA = ("Creator", "Date", "Format", "Type")  # none of it is kept

LATIN_FONT = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
CHINESE_FONT = Path(__file__).with_name("fonts") / "course_cjk.otf"


def as_shipped(draw):
    """A function that draws with matplotlib's own settings, whatever the reader has set."""

    @wraps(draw)
    def drawn(*args, **kwargs):
        with context("default"):
            return draw(*args, **kwargs)

    return drawn


class Picture(Figure):
    """A matplotlib Figure whose text form is its numbers, so that everyone can read it.

    A notebook keeps it twice, without a ground: as SVG, whose colours follow the theme, for
    JupyterLab, exports and pages; and as PNG for whoever shows no SVG (JupyterLab before a
    notebook is trusted, some code hosts). Not as HTML, though only an ``<img alt>`` in HTML would
    carry alternative text: JupyterLab and nbconvert read none from an output's metadata, where it
    stands for other readers. But HTML is preferred to pictures everywhere, and hosts that clean it
    take the addresses that begin with ``data:`` away, and the figure with them.

    Parameters
    ----------
    width, height : float
        Size in inches of 96 CSS pixels.
    text : str
        What the picture shows, as text: the repr, the alternative text, the regression value.
    """

    def __init__(self, width, height, text):
        super().__init__(figsize=(width, height), dpi=CSS_DPI, layout="constrained")
        self.set_facecolor("none")
        self.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
        self.text = text
        self.matrices = []  # the axes whose cells a PNG shows on white, as the scale begins there

    def __repr__(self):
        return self.text

    __str__ = __repr__

    @as_shipped
    def png(self):
        """The picture on a transparent ground, finer than its size on the page.

        Returns
        -------
        bytes
        """
        dpi = self.dpi
        canvas = FigureCanvasAgg(self)
        try:
            for axes in self.matrices:
                axes.set_facecolor("white")
            self.dpi = CSS_DPI * SHARPNESS
            canvas.draw()
            pixels = Image.fromarray(np.asarray(canvas.buffer_rgba()))
        finally:
            self.dpi = dpi
            for axes in self.matrices:
                axes.set_facecolor("none")
        # A palette of 256 colours is exact to the eye and a third of the size.
        file = io.BytesIO()
        method = Image.Quantize.FASTOCTREE  # the one that keeps transparency
        pixels.quantize(256, method, dither=Image.Dither.NONE).save(file, "png", optimize=True)
        return file.getvalue()

    @as_shipped
    def svg(self):
        """The picture in colours that follow the theme; letters are drawn, no font is needed.

        Returns
        -------
        str
        """
        file, dpi = io.StringIO(), self.dpi
        with mpl.rc_context({"svg.hashsalt": "course", "svg.fonttype": "path"}):
            FigureCanvasSVG(self).print_svg(file, metadata=dict.fromkeys(SVG_METADATA))
        self.dpi = dpi
        return following_the_theme(file.getvalue(), self.text.split("\n")[0])

    def _repr_mimebundle_(self, include=None, exclude=None):
        width, height = (round(side * CSS_DPI) for side in self.get_size_inches())
        alt = self.text.split("\n")[0]
        look = {"width": width, "height": height, "alt": alt}
        forms = {"text/plain": self.text, "image/svg+xml": self.svg(), "image/png": self.png()}
        return forms, {"image/svg+xml": {"alt": alt}, "image/png": look}


@cache
def _characters(path):
    """The code points that the font file at `path` can draw."""
    return frozenset(FT2Font(str(path)).get_charmap())


def label(text, size=10):
    """A text and the font that draws it without a missing glyph.

    A Latin font where it suffices, else the bundled Chinese one; a character that neither
    has becomes an empty box.

    Returns
    -------
    (str, FontProperties)

    Examples
    --------
    >>> label("猫")[1].get_file().endswith("course_cjk.otf")
    True
    """
    fonts = (LATIN_FONT, CHINESE_FONT)
    path = next((font for font in fonts if set(map(ord, text)) <= _characters(font)), fonts[1])
    drawable = "".join(c if ord(c) in _characters(path) else "□" for c in text)
    return drawable, font_of(path, size)


def font_of(path, size):
    """The font of a file, by its path: nothing has to be installed."""
    return font_manager.FontProperties(fname=str(path), size=size, math_fontfamily="dejavusans")


def symbol(text, size=11):
    """A symbol such as "d_k" with what follows "_" lowered, and its font.

    Returns
    -------
    (str, FontProperties)

    Examples
    --------
    >>> symbol("√d_k")[0]
    '√d$_{\\\\mathdefault{k}}$'
    """
    lowered = re.sub(r"_(\w+)", r"$_{\\mathdefault{\1}}$", text.replace("$", ""))
    return lowered, label(text, size)[1]


def set_ticks(axis, positions, texts, size=9, **style):
    """Put `texts` at `positions` along an axis, each in a font that has its glyphs."""
    labels = [label(text, size) for text in texts]
    axis.set_ticks(positions, [drawable for drawable, _ in labels])
    axis.set_tick_params(length=0)
    for tick, (_, font) in zip(axis.get_major_ticks(), labels, strict=True):
        for place in (tick.label1, tick.label2):
            place.set(fontproperties=font, parse_math=False, color=INK, **style)
