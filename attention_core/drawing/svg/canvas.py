"""A small canvas that writes SVG: the course's drawings without a plotting library.

Ink is ``currentColor``, so a drawing put inside a page follows its light or dark theme;
`standalone` makes it a file that does so by itself. Coordinates are in pixels, y downwards.
"""

import re
from xml.sax.saxutils import escape

from attention_core.drawing.palette import INK, dark_of

THEME_INK = "currentColor"
FONT = "DejaVu Sans, Noto Sans, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif"


def number(x):
    """A coordinate with one decimal at most, so that a drawing is short and always the same.

    Examples
    --------
    >>> number(3.14159), number(-0.01), number(20.0)
    ('3.1', '0', '20')
    """
    return f"{round(float(x), 1) + 0.0:g}" if abs(x) < 1e5 else f"{float(x):.0f}"


def clean(text):
    """`text` fit for XML: its special characters escaped, its impossible ones replaced.

    Examples
    --------
    >>> clean("<s> & 猫")
    '&lt;s&gt; &amp; 猫'
    """
    possible = "".join(
        c if c >= " " and not 0xD800 <= ord(c) <= 0xDFFF and c not in "\ufffe\uffff" else "\ufffd"
        for c in str(text).replace("\n", "⏎").replace("\t", "⇥")
    )
    return escape(possible, {'"': "&quot;"})


class Canvas:
    """A drawing of `width` × `height` pixels, built shape by shape; ``str(canvas)`` is the SVG.

    Parameters
    ----------
    width, height : float
    title : str
        What the drawing shows, for readers who do not see it.

    Examples
    --------
    >>> canvas = Canvas(20, 10, title="q")
    >>> canvas.circle(5, 5, 2)
    >>> print(str(canvas).splitlines()[1:])
    ['<title>q</title>', '<circle cx="5" cy="5" r="2" fill="currentColor"/>', '</svg>']
    """

    def __init__(self, width, height, title=""):
        self.width, self.height, self.title = width, height, title
        self.shapes = []

    def __str__(self):
        size = f"{number(self.width)} {number(self.height)}"
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {size}" '
            f'width="{number(self.width)}" height="{number(self.height)}" '
            f'style="max-width:100%;height:auto" font-family="{FONT}">'
        )
        return "\n".join([head, f"<title>{clean(self.title)}</title>", *self.shapes, "</svg>"])

    def _add(self, name, _content=None, **attributes):
        """One element; attributes that are None are left out, "_" in a name stands for "-"."""
        written = ""
        for key, value in attributes.items():
            if value is not None:
                value = value if isinstance(value, str) else number(value)
                written += f' {key.replace("_", "-")}="{value}"'
        end = "/>" if _content is None else f">{_content}</{name}>"
        self.shapes.append(f"<{name}{written}{end}")

    def line(self, x1, y1, x2, y2, *, ink=THEME_INK, width=1, dash=None, opacity=None):
        """A straight line; `dash` such as "4 3"."""
        self._add(
            "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=ink, stroke_width=width,
            stroke_dasharray=dash, stroke_opacity=opacity and str(opacity),
        )  # fmt: skip

    def polyline(self, points, *, ink=THEME_INK, width=2, dash=None):
        """A line through `points`, a sequence of (x, y)."""
        self._add(
            "polyline", points=_path(points), fill="none", stroke=ink, stroke_width=width,
            stroke_dasharray=dash, stroke_linejoin="round",
        )  # fmt: skip

    def polygon(self, points, *, fill="none", ink=None, width=1, opacity=None):
        """A closed shape with the corners `points`."""
        self._add(
            "polygon", points=_path(points), fill=fill, stroke=ink,
            stroke_width=width if ink else None, fill_opacity=opacity and str(opacity),
        )  # fmt: skip

    def rect(
        self, x, y, w, h, *, fill="none", ink=None, width=1, radius=None, opacity=None, cell=None
    ):  # fmt: skip
        """A rectangle with its upper left corner at (x, y); `cell` as in `circle`."""
        self._add(
            "rect", x=x, y=y, width=w, height=h, rx=radius, fill=fill, stroke=ink,
            stroke_width=width if ink else None, fill_opacity=opacity and str(opacity),
            data_cell=cell,
        )  # fmt: skip

    def circle(self, x, y, r, *, fill=THEME_INK, ink=None, width=1, cell=None):
        """A disc, or with fill="none" a ring; `cell` such as "V 0 1" links it with a matrix."""
        self._add(
            "circle", cx=x, cy=y, r=r, fill=fill, stroke=ink, stroke_width=width if ink else None,
            data_cell=cell,
        )  # fmt: skip

    def arrow(self, x1, y1, x2, y2, *, ink=THEME_INK, width=2, head=9, dash=None):
        """A line from (x1, y1) with its head at (x2, y2)."""
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        if length == 0:
            return self.circle(x1, y1, width, fill=ink)
        head = min(head, length)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        bx, by = x2 - head * ux, y2 - head * uy
        self.line(x1, y1, bx, by, ink=ink, width=width, dash=dash)
        side = 0.42 * head
        self.polygon(
            [(x2, y2), (bx - side * uy, by + side * ux), (bx + side * uy, by - side * ux)], fill=ink
        )

    def hatch(self, x, y, w, h, *, ink=THEME_INK, gap=7, opacity=0.35):
        """Slanted lines that fill a rectangle: a cell that cannot be seen."""
        start = gap / 2
        while start < w + h:
            x1, y1 = (start, 0) if start <= w else (w, start - w)
            x2, y2 = (0, start) if start <= h else (start - h, h)
            self.line(x + x1, y + y1, x + x2, y + y2, ink=ink, opacity=opacity)
            start += gap

    def text(self, x, y, text, *, size=14, ink=THEME_INK, anchor="middle", bold=False, turn=None):
        """A token or a number, taken literally, centred on the height `y`."""
        self._write(x, y, clean(text), size, ink, anchor, bold, turn)

    def symbol(
        self, x, y, symbol, *, size=14, ink=THEME_INK, anchor="middle", bold=False, turn=None
    ):
        """A symbol: what follows an underscore is lowered, as in "d_k"."""
        self._write(x, y, _lowered(clean(symbol), size), size, ink, anchor, bold, turn)

    def _write(self, x, y, content, size, ink, anchor, bold, turn):
        # The baseline lies 0.35 em under the middle; no renderer disagrees about that.
        y = y + 0.35 * size
        self._add(
            "text", content, x=x, y=y, font_size=size, fill=ink,
            text_anchor=None if anchor == "start" else anchor,
            font_weight="bold" if bold else None,
            transform=f"rotate({turn} {number(x)} {number(y)})" if turn else None,
        )  # fmt: skip


def _path(points):
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def _lowered(text, size):
    """SVG text in which each "_k" is a subscript."""
    parts = re.split(r"_(\w+)", text)
    drop, small = number(0.22 * size), number(0.72 * size)
    written, is_low = parts[0], False
    for i, part in enumerate(parts[1:], start=1):
        if i % 2:
            written += f'<tspan dy="{drop}" font-size="{small}">{part}</tspan>'
            is_low = True
        elif part:
            written += f'<tspan dy="-{drop}">{part}</tspan>' if is_low else part
    return written


def standalone(svg):
    """The same drawing for a file or an ``<img>``: no ground, and colours that follow the theme.

    An image sees no theme but ``prefers-color-scheme``: the system's, or what the page's CSS sets
    as ``color-scheme`` of the ``<img>``. Each colour of the palette gives way to its partner then.

    Examples
    --------
    >>> print(standalone(Canvas(20, 10)).splitlines()[2])
    <style>@media (prefers-color-scheme: dark){svg{color:#8f9297}}</style>
    """
    head, rest = str(svg).split("</title>", 1)
    own = f'<svg color="{INK}" '
    attributes = r'\b(fill|stroke)="(#[0-9a-f]{6})"'
    rule = '[{key}="{colour}"]{{{key}:{dark}}}'
    style = dark_style(f"color:{dark_of()[INK]}", rest, attributes, rule)
    return f"{head.replace('<svg ', own, 1)}</title>\n{style}{rest}\n"


def dark_style(whole, text, written, rule):
    """A style sheet that gives every colour of a picture its partner on a dark page.

    Parameters
    ----------
    whole : str
        What holds for the picture as a whole, as CSS.
    text : str
        The SVG.
    written : str
        How a colour is written there: a pattern with the property and the colour.
    rule : str
        The CSS for it, with {key}, {colour} and {dark}.
    """
    pairs = sorted(set(re.findall(written, text)))
    rules = "".join(
        rule.format(key=key, colour=colour, dark=dark_of()[colour])
        for key, colour in pairs
        if colour in dark_of()
    )
    return f"<style>@media (prefers-color-scheme: dark){{svg{{{whole}}}{rules}}}</style>"
