"""The colours of the screen: roles, scales and contrast, in the light and the dark theme.

Views send shares of a scale, never colours; the style sheet of the explorers is filled from
`TOKENS`, so that what is measured here is what is seen.
"""

import math
from functools import cache

import numpy as np

LIGHT = {
    "page": "#ffffff", "text": "#1b1f26", "muted": "#5d6674", "quiet": "#646d7a",
    "line": "#d9dde3", "soft": "#f4f6f8",
    "q": "#1866d8", "k": "#b05600", "v": "#00573f", "o": "#7f2292", "n": "#4c5666",
    "a": "#111a2d", "on-chip": "#ffffff",
    "pos1": "#00d4f3", "pos2": "#002b32", "neg1": "#ff8a84", "neg2": "#720015", "wt": "#111a2d",
    "ink-weak": "#000000", "ink-strong": "#ffffff",
    "new": "#ffd84a", "new-edge": "#7a5c00", "tag": "#ffe9a3", "tag-ink": "#4d3a00",
    "error": "#b3122b", "ring": "#1976d2",
}  # fmt: skip
DARK = {
    "page": "#111111", "text": "#e8ebf0", "muted": "#a3abb8", "quiet": "#8b93a1",
    "line": "#33383f", "soft": "#191b1e",
    "q": "#64a4f5", "k": "#f08c34", "v": "#63d8a0", "o": "#e6b5ff", "n": "#b5bece",
    "a": "#c7d4ef", "on-chip": "#0b0d10",
    "pos1": "#036279", "pos2": "#05b5c4", "neg1": "#9b0c28", "neg2": "#ff918b", "wt": "#c7d4ef",
    "ink-weak": "#ffffff", "ink-strong": "#000000",
    "new": "#ffd84a", "new-edge": "#ffd84a", "tag": "#4a3d0c", "tag-ink": "#ffe79b",
    "error": "#ff918b", "ring": "#2196f3",
}  # fmt: skip
TOKENS = {"light": LIGHT, "dark": DARK}
ROLES = ("q", "k", "v", "o", "n", "a")
STRONG = {"signed": 0.70, "weight": 0.56}  # from this share on, numbers take the strong ink

_TO_LMS = np.array([[0.4122214708, 0.5363325363, 0.0514459929],
                    [0.2119034982, 0.6806995451, 0.1073969566],
                    [0.0883024619, 0.2817188376, 0.6299787005]])  # fmt: skip
_TO_LAB = np.array([[0.2104542553, 0.7936177850, -0.0040720468],
                    [1.9779984951, -2.4285922050, 0.4505937099],
                    [0.0259040371, 0.7827717662, -0.8086757660]])  # fmt: skip


def scale_end(largest):
    """Return the end of the signed scale: 1, 2, 3, 5 or 10 times a power of ten.

    Examples
    --------
    >>> scale_end(2.12), scale_end(0), scale_end(70)
    (3.0, 1.0, 100.0)
    """
    if not 0 < largest < math.inf:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    ends = (power * step for step in (1, 2, 3, 5, 10))
    fits = (end for end in ends if largest * (1 - 1e-9) <= end < math.inf)
    return next(fits, float(largest))


def signed_share(values, end):
    """Return how strongly each value is coloured, −1 … 1: asinh, so that 0.04 is still seen.

    Examples
    --------
    >>> signed_share([0, -3, 3], 3).round(2).tolist()
    [0.0, -1.0, 1.0]
    """
    values = np.clip(np.asarray(values, dtype=float), -end, end)
    # Halves of the scale first: twice a number near the largest would overflow.
    return np.arcsinh(values * min(2.0, 1e300 / end)) / np.arcsinh(end * min(2.0, 1e300 / end))


def fill(share, theme="light", kind="signed"):
    """Return the background of a cell as "#rrggbb".

    Examples
    --------
    >>> fill(0), fill(1), fill(-1, "dark"), fill(1, kind="weight")
    ('#ffffff', '#002b32', '#ff918b', '#111a2d')
    """
    tokens, t = TOKENS[theme], abs(float(share))
    page = _oklab(tokens["page"])
    if kind == "weight":
        return _hex(t * _oklab(tokens["wt"]) + (1 - t) * page)
    sign = "neg" if share < 0 else "pos"
    near, far = _oklab(tokens[sign + "1"]), _oklab(tokens[sign + "2"])
    return _hex(t * (t * far + (1 - t) * near) + (1 - t) * (t * near + (1 - t) * page))


def on_both(colour, theme="light", least=3.1):
    """Return the colour in the lightness nearest to its own that is seen in either theme.

    A stored picture cannot be sure which page it lands on: what is at least `least` : 1 on the
    other theme's page is at most 18.9 / `least` : 1 on its own (white on #111111 is 18.9 : 1), so
    no colour reaches 4.5 : 1 on both, and none here falls below 3.1 on either.

    Examples
    --------
    >>> on_both("#b05600"), on_both("#00573f")
    ('#b05600', '#266f56')
    """
    other = TOKENS["dark" if theme == "light" else "light"]["page"]
    lab, step = _oklab(colour), np.array([0.004 if theme == "light" else -0.004, 0, 0])
    while contrast(colour, other) < least:
        lab = lab + step
        colour = _hex(lab)
    return colour


def ink(share, theme="light", kind="signed"):
    """Return the colour of the number in such a cell.

    Examples
    --------
    >>> ink(0.2), ink(-0.9)
    ('#000000', '#ffffff')
    """
    return TOKENS[theme]["ink-strong" if abs(share) >= STRONG[kind] else "ink-weak"]


def contrast(one, other):
    """Return the contrast ratio of two colours, 1 … 21.

    Examples
    --------
    >>> contrast("#ffffff", "#000000")
    21.0
    """
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    """Return the relative luminance of "#rrggbb", 0 black … 1 white.

    Examples
    --------
    >>> luminance("#ffffff")
    1.0
    """
    return round(float(_linear(colour) @ [0.2126, 0.7152, 0.0722]), 6)


def tokens_css():
    """Return the tokens as CSS custom properties, switched by the theme of JupyterLab."""
    blocks = []
    for theme, tokens in TOKENS.items():
        own = {**tokens, "page": f"var(--jp-layout-color0, {tokens['page']})"}
        own["ring"] = f"var(--jp-brand-color1, {tokens['ring']})"
        where = ".attn" if theme == "light" else 'body[data-jp-theme-light="false"] .attn'
        lines = " ".join(f"--{name}: {value};" for name, value in own.items())
        blocks.append(f"{where} {{ {lines} }}")
    return "\n".join(blocks)


def _linear(colour):
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


@cache
def _oklab(colour):
    return _TO_LAB @ np.cbrt(_TO_LMS @ _linear(colour))


def _hex(lab):
    linear = np.linalg.solve(_TO_LMS, np.linalg.solve(_TO_LAB, lab) ** 3).clip(0, 1)
    channels = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(float(c) * 255):02x}" for c in channels)
