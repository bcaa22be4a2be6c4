"""What the caller passed, as an array of real numbers, or one sentence that says what is none."""

from numbers import Real

import numpy as np


def real_numbers(where, name, x):
    """An array of floats, integers or Booleans; Python's other numbers become floats.

    Raises
    ------
    TypeError, ValueError
        If an entry is no real number, or too large for a float.

    Examples
    --------
    >>> from fractions import Fraction
    >>> real_numbers("softmax", "scores", [Fraction(1, 4), 2])
    array([0.25, 2.  ])
    """
    refuse_hidden_entries(where, name, x)
    try:
        array = np.asarray(x)
    except ValueError as error:
        raise TypeError(f"{where}: {name} must be an array of numbers ({error})") from None
    if array.dtype == object:
        array = _from_objects(where, name, array)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{where}: {name} must hold real numbers, not {array.dtype}")
    return array


def refuse_hidden_entries(where, name, x):
    """Refuse a masked array whose hidden numbers would silently be taken for data."""
    if hasattr(x, "filled") and np.any(getattr(x, "mask", False)):
        raise TypeError(
            f"{where}: {name} is a masked array with hidden entries; fill them "
            f"({name}.filled(0)) and hide keys with a mask"
        )


def _from_objects(where, name, array):
    for index, x in np.ndenumerate(array):
        if not isinstance(x, Real):
            place = f"{name}[{', '.join(map(str, index))}]" if index else "it"
            raise TypeError(f"{where}: {name} must hold real numbers, but {place} is {x!r}")
    try:
        return array.astype(float)
    except OverflowError:
        raise ValueError(f"{where}: {name} holds a number that is too large for a float") from None
