"""What the caller wants drawn, as floats, or one sentence that says what cannot be drawn."""

import numpy as np

LARGEST = 1e300  # above it, the ends of an axis would overflow


def reals(where, name, x):
    """Real numbers as floats; None becomes NaN.

    Examples
    --------
    >>> reals("heatmap", "the matrix", [[1, None]]).tolist()
    [[1.0, nan]]
    """
    array = np.asarray(x)
    if array.dtype.kind in "fiubO":
        try:
            return array.astype(float)
        except (TypeError, ValueError, OverflowError):
            pass  # an object that no float can hold
    raise TypeError(f"{where}: {name} must hold real numbers that a float can hold")


def drawable(where, name, x):
    """Floats that an axis has room for; NaN leaves a gap.

    Examples
    --------
    >>> drawable("bars", "α_j", [0.25, 0.75]).tolist()
    [0.25, 0.75]
    """
    array = reals(where, name, x)
    if (np.abs(array) > LARGEST).any():
        raise ValueError(f"{where}: {name} holds a number that is too large to be drawn")
    return array
