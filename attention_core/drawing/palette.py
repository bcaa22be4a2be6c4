"""Colours and labels of matrices: the same on screen, in pictures and in the static form.

Nothing here knows matplotlib or widgets: numbers in, text and "#rrggbb" out.
"""

import numpy as np

from attention_core.drawing.screen import LIGHT

# From light to dark in one hue, even in lightness; a weight of 0 is nearly white.
_WEIGHTS = [(247, 251, 255), (222, 235, 247), (198, 219, 239), (158, 202, 225), (107, 174, 214),
            (66, 146, 198), (33, 113, 181), (8, 81, 156), (8, 48, 107)]  # fmt: skip
# Negative orange, zero nearly white, positive violet: distinct for colour-blind readers too.
_SCORES = [(127, 59, 8), (179, 88, 6), (224, 130, 20), (253, 184, 99), (254, 224, 182),
           (247, 247, 247), (216, 218, 235), (178, 171, 210), (128, 115, 172), (84, 39, 136),
           (45, 0, 75)]  # fmt: skip

# What wears one of these is Q, K, V, O or X, and nothing else.
ROLES = {"Q": LIGHT["q"], "K": LIGHT["k"], "V": LIGHT["v"], "O": LIGHT["o"], "X": LIGHT["n"]}
# Curves, bars, heads: told apart by colour-blind readers, and at least 3:1 on white and on black.
LINES = ("#0072b2", "#d55e00", "#009e73", "#b8669a", "#8a6d00", "#5b6bd6")
INK, PAPER, FAINT, EMPTY = "#222222", "#ffffff", "#c8c8c8", "#f0f0f0"
HIDDEN, HATCHING = "#eeeeee", "#bdbdbd"  # a cell that cannot be seen

KINDS = ("weights", "scores")
_MARKERS = ("Ġ", "▁", "##")


def colour_scale(matrix, kind):
    """The numbers at the two ends of the colours: 0 and 1 for weights, ±largest for scores.

    Examples
    --------
    >>> colour_scale([[1.0, -3.0, -np.inf]], "scores")
    (-3.0, 3.0)
    """
    if kind not in KINDS:
        raise ValueError(f"palette: kind is {kind!r}; it must be one of {', '.join(KINDS)}")
    if kind == "weights":
        return 0.0, 1.0
    matrix = np.asarray(matrix, dtype=float)
    finite = np.abs(matrix[np.isfinite(matrix)])
    largest = float(finite.max()) if finite.size else 0.0
    tiny = np.finfo(float).tiny  # below it halves of numbers vanish, and colours with them
    return (-largest, largest) if largest > tiny else (-1.0, 1.0)


def cell_colours(matrix, kind, masked=None, scale=None):
    """A background for every cell, and black or white for its number.

    Parameters
    ----------
    matrix : array_like, shape (rows, columns)
    kind : {"weights", "scores"}
        Weights: 0 … 1, always. Scores: symmetric around 0.
    masked : ndarray of bool, optional
        Cells that carry no value; they keep the colour of "nothing" and stay out of the scale.
    scale : (low, high), optional
        One scale for several matrices; default: `colour_scale` of this one.

    Returns
    -------
    fills, inks : nested lists of "#rrggbb"

    Examples
    --------
    >>> cell_colours([[0.0, 1.0]], "weights")
    ([['#f7fbff', '#08306b']], [['#000000', '#ffffff']])
    """
    matrix = np.asarray(matrix, dtype=float)
    masked = np.zeros(matrix.shape, bool) if masked is None else np.asarray(masked, bool)
    shown = np.where(masked, np.nan, matrix)
    low, high = colour_scale(shown, kind) if scale is None else scale
    fills, inks = _TABLES[kind]
    finite = np.isfinite(shown)
    # Halves first: the difference of two very large numbers would overflow.
    share = (np.where(finite, shown, low) / 2 - low / 2) / (high / 2 - low / 2)
    steps = np.where(finite, np.rint(np.clip(share, 0, 1) * _STEPS).astype(int), _STEPS + 1)
    return fills[steps].tolist(), inks[steps].tolist()


def ink_on(fill):
    """Black or white, whichever is read better on this background.

    Examples
    --------
    >>> ink_on("#08306b"), ink_on("#f7fbff")
    ('#ffffff', '#000000')
    """
    light = luminance(fill)
    return "#000000" if (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) else "#ffffff"


def luminance(colour):
    """Relative luminance of "#rrggbb" as defined for text contrast (0 black … 1 white).

    Examples
    --------
    >>> luminance("#ffffff")
    1.0
    """
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return round(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2], 6)


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


def _blend(colours, share):
    """The colour a share (0 … 1) of the way along the list."""
    place = min(max(share, 0.0), 1.0) * (len(colours) - 1)
    left = min(int(place), len(colours) - 2)
    rest = place - left
    mixed = (
        round(a + (b - a) * rest) for a, b in zip(colours[left], colours[left + 1], strict=True)
    )
    return "#" + "".join(f"{c:02x}" for c in mixed)


def _table(colours):
    """The colours at evenly spaced values, with "nothing" at the end, and an ink for each."""
    fills = [_blend(colours, i / _STEPS) for i in range(_STEPS + 1)] + [EMPTY]
    return np.array(fills), np.array([ink_on(fill) for fill in fills])


_STEPS = 200
_TABLES = {"weights": _table(_WEIGHTS), "scores": _table(_SCORES)}
