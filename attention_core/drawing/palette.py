"""Colours of stored pictures, from the explorers' own; and the labels of their matrices.

A stored picture lands on a page that it does not know, light or dark. So every colour here has a
partner for the dark page (`dark_of`; files of SVG switch by themselves), and each of the two is
still seen on the other page (`screen.on_both`). Zero has no colour: the page shows through.
"""

from functools import cache

import numpy as np

from attention_core.drawing.screen import DARK, LIGHT, fill, ink, on_both, scale_end, signed_share

_NAMES = ("q", "k", "v", "o", "n", "a", "text")
_INKS = {name: (on_both(LIGHT[name]), on_both(DARK[name], "dark")) for name in _NAMES}

# What wears one of these is Q, K, V, O, X or A, and nothing else.
ROLES = {letter: _INKS[name][0] for letter, name in zip("QKVOXA", _NAMES, strict=False)}
INK = _INKS["text"][0]
ON_CHIP = "#ffffff"  # text on a ground of full colour
FAINT = "#868b94"  # lines that help; at least 3:1 on both pages
# Curves, bars, heads: told apart by colour-blind readers, and at least 3:1 on white and on black.
LINES = ("#0072b2", "#d55e00", "#009e73", "#b8669a", "#8a6d00", "#5b6bd6")

KINDS = ("weights", "scores")
_MARKERS = ("Ġ", "▁", "##")
_STEPS = 64  # colours from 0 to the end of a scale


def colour_scale(matrix, kind):
    """The numbers at the two ends of the colours: 0 and 1 for weights, a round ±end for scores.

    Examples
    --------
    >>> colour_scale([[1.0, -2.5, -np.inf]], "scores")
    (-3.0, 3.0)
    """
    if kind not in KINDS:
        raise ValueError(f"palette: kind is {kind!r}; it must be one of {', '.join(KINDS)}")
    if kind == "weights":
        return 0.0, 1.0
    matrix = np.asarray(matrix, dtype=float)
    finite = np.abs(matrix[np.isfinite(matrix)])
    largest = float(finite.max()) if finite.size else 0.0
    end = scale_end(largest if largest > np.finfo(float).tiny else 0.0)
    return -end, end


def cell_colours(matrix, kind, masked=None, scale=None):
    """A background for every cell, and an ink for its number, as in the explorers.

    Parameters
    ----------
    matrix : array_like, shape (rows, columns)
    kind : {"weights", "scores"}
        Weights: 0 … 1, always. Scores: symmetric around 0.
    masked : ndarray of bool, optional
        Cells that carry no value; they have no background and stay out of the scale.
    scale : (low, high), optional
        One scale for several matrices; default: `colour_scale` of this one.

    Returns
    -------
    fills, inks : nested lists of "#rrggbb"
        A fill is "none" where the page shows through: zero, masked, missing.

    Examples
    --------
    >>> cell_colours([[0.0, 1.0]], "weights")
    ([['none', '#111a2d']], [['#5e636b', '#ffffff']])
    """
    matrix = np.asarray(matrix, dtype=float)
    masked = np.zeros(matrix.shape, bool) if masked is None else np.asarray(masked, bool)
    shown = np.where(masked, np.nan, matrix)
    _, high = colour_scale(shown, kind) if scale is None else scale
    known = np.where(np.isfinite(shown), shown, 0.0)
    share = signed_share(known, high) if kind == "scores" else np.clip(known, 0, 1)
    steps = np.rint(share * _STEPS).astype(int)
    # A small number is not zero.
    steps = np.where((steps == 0) & (known != 0) & (share != 0), np.sign(share).astype(int), steps)
    return tuple(_fills(kind, "light")[:, part][steps + _STEPS].tolist() for part in (0, 1))


def token_label(token):
    """A token without the marks that word-piece tokenisers put on it.

    Examples
    --------
    >>> token_label("Ġthe"), token_label("▁cat"), token_label("##ing"), token_label(3)
    ('the', 'cat', 'ing', '3')
    """
    text = str(token)
    for marker in _MARKERS:
        text = text.removeprefix(marker)
    return text or str(token)


@cache
def _fills(kind, theme):
    """The fill and the ink of every step from −_STEPS to _STEPS; step 0 is the page itself."""
    colours = {"weights": "weight", "scores": "signed"}[kind]
    table = []
    for step in range(-_STEPS, _STEPS + 1):
        share = step / _STEPS
        table.append((fill(share, theme, colours), ink(share, theme, colours)))
    table[_STEPS] = "none", _INKS["text"][theme == "dark"]
    return np.array(table)


@cache
def dark_of():
    """From each colour of a picture to the one that takes its place on a dark page.

    Examples
    --------
    >>> dark_of()["#000000"]
    '#ffffff'
    """
    partners = {}
    for kind in KINDS:
        light, dark = (_fills(kind, theme)[:, 0].tolist() for theme in ("light", "dark"))
        partners |= dict(zip(light, dark, strict=True))
    del partners["none"]
    partners |= dict(_INKS.values()) | {"#000000": "#ffffff", ON_CHIP: "#000000"}
    # Lines have their lightness moved, so that a text in their colour is read on either page.
    return partners | {line: on_both(line, "light", 4.5) for line in LINES}
