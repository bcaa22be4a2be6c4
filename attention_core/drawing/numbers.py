"""Numbers as text: one way to write them on the screen, in pictures and in tables."""

import numpy as np


def number_text(x, decimals=2):
    """Write a number the way the course shows it: a real minus, "−∞", never "-0.0".

    Examples
    --------
    >>> number_text(-0.5), number_text(-0.001), number_text(-np.inf), number_text(2)
    ('−0.50', '0.00', '−∞', '2.00')
    """
    x = float(x)
    if np.isnan(x):
        return "·"
    if np.isinf(x):
        return "∞" if x > 0 else "−∞"
    return f"{round(x, decimals) + 0.0:.{decimals}f}".replace("-", "−")


def short(x):
    """A number with three significant digits, a real minus sign and no negative zero.

    Examples
    --------
    >>> [short(x) for x in (0.26894, -2.0, 4096, 0.0000454, -0.0)]
    ['0.269', '−2', '4096', '4.54e−5', '0']
    """
    if not np.isfinite(x):
        return number_text(x)
    plain = f"{round(x):d}" if 1000 <= abs(x) < 1e6 else f"{x + 0.0:.3g}"
    return plain.replace("e+0", "e").replace("e+", "e").replace("e-0", "e-").replace("-", "−")
