"""A figure's SVG made small, named, and following the theme of the page it stands on."""

import re

from attention_core.drawing.palette import DARK_OF
from attention_core.drawing.svg.canvas import clean, dark_rules

_CELL = r'<path d="[^"]+" clip-path="[^"]+" style="fill: [#\w]+"/>'
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
    svg = re.sub(rf"(?:{_CELL}){{2,}}", _together, svg)
    head, rest = svg.split(">", 1)
    head = head.replace("<svg ", '<svg role="img" ', 1)
    return f"{head}><title>{clean(title)}</title>{dark_rules(_rules(rest))}{rest}"


def _rules(text):
    """One for black, which matplotlib leaves out, and one for each colour that has a partner."""
    yield f"svg{{fill:{DARK_OF['#000000']}}}"
    for key, colour in sorted(set(re.findall(r"\b(fill|stroke): (#[0-9a-f]{6})", text))):
        if colour in DARK_OF:
            yield f'[style*="{key}: {colour}"]{{{key}:{DARK_OF[colour]}!important}}'


def _short(path):
    """The coordinates of a path with two decimals at most."""
    return " ".join(re.sub(r"-?\d+\.\d+", _rounded, path[0]).split())


def _rounded(number):
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _together(run):
    """Cells of one colour as one path; those without a colour are left out."""
    of_look = {}
    for path, look in re.findall(r'd="([^"]+)" (clip[^/]+)/>', run[0]):
        if "none" not in look:
            of_look.setdefault(look, []).append(path)
    return "".join(f'<path d="{" ".join(paths)}" {look}/>' for look, paths in of_look.items())
