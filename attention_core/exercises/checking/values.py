"""What an answer is made of: numbers, words, blanks."""

from decimal import Decimal
from numbers import Number
from typing import Any

import numpy as np

__all__ = ["has_blank", "is_blank", "numeric", "odd_one_out", "same_word", "size"]


def numeric(value: Any) -> np.ndarray | None:
    """The value as an array of numbers or Booleans, or None when it is not one.

    Examples
    --------
    >>> from fractions import Fraction
    >>> numeric([Fraction(1, 8), 1]), numeric((True, False)), numeric("7"), numeric([[1], [2, 3]])
    (array([0.125, 1.   ]), array([ True, False]), None, None)
    """
    if isinstance(value, str | bytes | dict | set) or value is None or value is ...:
        return None
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O":  # fractions, whole numbers of more than 64 bits
            array = np.array([_number(x) for x in array.ravel()]).reshape(array.shape)
    except Exception:
        return None
    return array if array.dtype.kind in "biufc" else None


def _number(x: Any) -> float:
    if not isinstance(x, Number | Decimal):
        raise TypeError
    try:
        return float(x)
    except OverflowError:
        return np.inf if x > 0 else -np.inf


def size(value: Any) -> int:
    """How many numbers a value holds; 0 where it is not made of numbers.

    Examples
    --------
    >>> size(np.ones((2, 3))), size(1.5), size("text")
    (6, 1, 0)
    """
    array = numeric(value)
    return 0 if array is None else array.size


def is_blank(value: Any) -> bool:
    """Whether nothing has been filled in: ``...``, or a container of nothing but ``...``.

    Examples
    --------
    >>> is_blank(...), is_blank((..., ...)), is_blank({"a": None}), is_blank((1, ...))
    (True, True, True, False)
    """
    if isinstance(value, dict):
        return bool(value) and all(one is None or is_blank(one) for one in value.values())
    if isinstance(value, tuple | list):
        return bool(value) and all(is_blank(one) for one in value)
    return value is ...


def has_blank(value: Any) -> bool:
    """Whether something has not been filled in yet."""
    parts = value.values() if isinstance(value, dict) else value
    if isinstance(value, tuple | list | dict):
        return any(has_blank(one) for one in parts)
    return value is ...


def odd_one_out(value: Any, place: tuple = ()) -> tuple[tuple, Any] | None:
    """Where the first thing stands in nested lists that is no number, and the thing itself.

    Examples
    --------
    >>> odd_one_out([[1, 2], [3, "x"]])
    ((1, 1), 'x')
    >>> odd_one_out([[1, 2], [3]]) is None
    True
    """
    if isinstance(value, tuple | list):
        found = (odd_one_out(one, (*place, index)) for index, one in enumerate(value))
        return next((one for one in found if one), None)
    return None if numeric(value) is not None else (place, value)


def same_word(a: str, b: str) -> bool:
    """Whether two words are the same but for spaces around, capitals and a plural.

    Examples
    --------
    >>> same_word("parameter", " Parameters"), same_word("no_scale", "no scale")
    (True, False)
    """
    return _singular(a) == _singular(b)


def _singular(word: str) -> str:
    word = word.strip().casefold()
    return word.removesuffix("ies") + "y" if word.endswith("ies") else word.removesuffix("s")
