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
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ft2font import FT2Font  # noqa: E402
from matplotlib.style import context  # noqa: E402

CSS_DPI = 96  # a figure of 5 inches is 480 CSS pixels wide ...
SHARPNESS = 1.5  # ... and its png finer than that, for screens with small pixels

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

    Parameters
    ----------
    width, height : float
        Size in inches of 96 CSS pixels.
    text : str
        What the picture shows, as text: the repr, the alternative text, the regression value.
    """

    def __init__(self, width, height, text):
        super().__init__(figsize=(width, height), dpi=CSS_DPI, layout="constrained")
        self.set_facecolor("white")
        self.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
        self.text = text

    def __repr__(self):
        return self.text

    __str__ = __repr__

    @as_shipped
    def png(self):
        """The picture as an opaque png, finer than its size on the page.

        Returns
        -------
        bytes
        """
        dpi = self.dpi
        canvas = FigureCanvasAgg(self)
        try:
            self.dpi = CSS_DPI * SHARPNESS
            canvas.draw()
            pixels = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
        finally:
            self.dpi = dpi
        # A palette of 256 colours is exact to the eye and a third of the size.
        file = io.BytesIO()
        pixels.quantize(256, dither=Image.Dither.NONE).save(file, "png", optimize=True)
        return file.getvalue()

    def _repr_mimebundle_(self, include=None, exclude=None):
        width, height = (round(side * CSS_DPI) for side in self.get_size_inches())
        look = {"width": width, "height": height, "alt": self.text.split("\n")[0]}
        return {"text/plain": self.text, "image/png": self.png()}, {"image/png": look}


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
