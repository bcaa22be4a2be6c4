"""A figure's SVG made small, named, and following the theme of the page it stands on."""

import re

from attention_core.drawing.palette import dark_of
from attention_core.drawing.svg.canvas import clean, dark_style

_CELL = r'<path d="[^"]+" clip-path="[^"]+" style="fill: [#\w]+"/>'
_FOUR_CORNERS = re.compile(
    r"M (\S+) (\S+) L (\S+) (\S+) L (\S+) (\S+) L (\S+) (\S+)(?: L \1 \2)? z"
)
_COLOURED = r"\b(fill|stroke): (#[0-9a-f]{6})"
_DARK = '[style*="{key}: {colour}"]{{{key}:{dark}!important}}'
# From what matplotlib writes and nobody sees to what is left of it.
_LESS = (
    (r"(?s)<!--.*?-->|<metadata>.*?</metadata>", ""),
    (r">\s+<", "><"),
    (r'<g id="[\w.]+_\d+"/>', ""),
    (r'<g id="[\w.]+_\d+">', "<g>"),
)


def following_the_theme(svg, title):
    """Matplotlib's SVG with a title, without what nobody sees, and with rules for a dark page.

    Examples
    --------
    >>> drawn = '<?xml?><svg id="1"><!-- a --><path style="fill: #0072b2"/></svg>'
    >>> print(following_the_theme(drawn, "a < b"))  # doctest: +NORMALIZE_WHITESPACE
    <svg role="img" id="1"><title>a &lt; b</title><style>@media (prefers-color-scheme:
    dark){svg{fill:#ffffff}[style*="fill: #0072b2"]{fill:#2182c3!important}}</style><path
    style="fill: #0072b2"/></svg>
    """
    svg = svg[svg.index("<svg") :].strip()
    for much, little in _LESS:
        svg = re.sub(much, little, svg)
    svg = re.sub(r'(?<= d=")[^"]+', _short, svg)
    svg = re.sub(r"\b(DejaVuSans|NotoSans\w*)-(?=[\w-]+\")", lambda font: font[1][0] + "-", svg)
    svg = re.sub(rf"(?:{_CELL}){{2,}}", _together, svg)
    head, rest = svg.split(">", 1)
    head = head.replace("<svg ", '<svg role="img" ', 1)
    # Matplotlib writes colours in styles, and leaves black out.
    style = dark_style(f"fill:{dark_of()['#000000']}", rest, _COLOURED, _DARK)
    return f"{head}><title>{clean(title)}</title>{style}{rest}"


def _short(path):
    """The coordinates of a path with two decimals at most, and rectangles by their sides."""
    rounded = " ".join(re.sub(r"-?\d+\.\d+", _rounded, path[0]).split())
    return _FOUR_CORNERS.sub(_by_sides, rounded)


def _by_sides(corners):
    """A rectangle as two horizontal and two vertical lines; anything else as it was."""
    x0, y0, x1, y1, x2, y2, x3, y3 = corners.groups()
    if (y0, x1, y2, x3) == (y1, x2, y3, x0):
        return f"M{x0} {y0}H{x1}V{y2}H{x0}z"
    if (x0, y1, x2, y3) == (x1, y2, x3, y0):
        return f"M{x0} {y0}V{y1}H{x2}V{y0}z"
    return corners[0]


def _rounded(number):
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _together(run):
    """Cells of one colour as one path, which no axes cut; those without a colour are left out."""
    of_look = {}
    for path, look in re.findall(r'd="([^"]+)" clip-path="[^"]+" (style[^/]+)/>', run[0]):
        if "none" not in look:
            of_look.setdefault(look, []).append(path)
    return "".join(f'<path d="{"".join(paths)}" {look}/>' for look, paths in of_look.items())
