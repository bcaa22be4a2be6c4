"""Is it the same value? And if not: the one sentence that says how it differs."""

from numbers import Number
from typing import Any

import numpy as np

from attention_core.exercises.checking.sentences import tell
from attention_core.exercises.checking.show import show, show_pair, type_name

__all__ = ["altered", "difference", "is_blank", "same", "size"]


_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


def _numeric(value: Any) -> np.ndarray | None:
    """The value as an array of numbers or Booleans, or None when it is not one."""
    if isinstance(value, str | bytes | dict | set) or value is None or value is ...:
        return None
    try:
        array = np.asarray(value)
    except Exception:
        return None
    return array if array.dtype.kind in "biufc" else None


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


def _has_blank(value: Any) -> bool:
    parts = value.values() if isinstance(value, dict) else value
    if isinstance(value, tuple | list | dict):
        return any(_has_blank(one) for one in parts)
    return value is ...


def same(a: Any, b: Any, tolerance: float = 1e-6) -> bool:
    """Whether two values agree: same structure, same shapes, numbers close (NaN equals NaN).

    Examples
    --------
    >>> same((3, 2), [3, 2]), same(np.ones(2), np.ones((2, 1))), same("a", " a "), same(1, True)
    (True, False, True, False)
    """
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and a.strip() == b.strip()
    if isinstance(a, dict) or isinstance(b, dict):
        both = isinstance(a, dict) and isinstance(b, dict)
        return both and a.keys() == b.keys() and all(same(a[k], b[k], tolerance) for k in a)
    x, y = _numeric(a), _numeric(b)
    if x is not None and y is not None:
        return _same_numbers(x, y, tolerance)
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(map(lambda p, q: same(p, q, tolerance), a, b))
    return a is b


def _same_numbers(x: np.ndarray, y: np.ndarray, tolerance: float) -> bool:
    if x.shape != y.shape or (x.dtype.kind == "b") != (y.dtype.kind == "b"):
        return False
    with np.errstate(all="ignore"):
        return bool(np.isclose(y, x, rtol=tolerance, atol=tolerance, equal_nan=True).all())


def altered(before: Any, after: Any) -> bool:
    """Whether an input holds other numbers than before; what holds no numbers never counts.

    Examples
    --------
    >>> altered(np.zeros(2), np.ones(2)), altered((1, None), (1, None))
    (True, False)
    """
    if isinstance(before, dict):
        before, after = list(before.items()), list(after.items())
    if isinstance(before, tuple | list):
        return len(before) != len(after) or any(map(altered, before, after))
    return isinstance(before, np.ndarray) and not same(before, after, 0)


def size(value: Any) -> int:
    """How many numbers a value holds; 0 where it is not made of numbers.

    Examples
    --------
    >>> size(np.ones((2, 3))), size(1.5), size("text")
    (6, 1, 0)
    """
    array = _numeric(value)
    return 0 if array is None else array.size


def difference(
    expected: Any, got: Any, tolerance: float = 1e-6, *, reveal: bool = True
) -> str | None:
    """The sentence that says how `got` differs from `expected`, or None when it does not.

    Without `reveal` it names the wrong entries of `got`, but not what belongs there.

    Examples
    --------
    >>> difference(np.zeros((2, 3)), np.zeros((3, 2)))
    'Wrong shape: expected (2, 3), got (3, 2).'
    >>> difference(0.5, 0.25), difference(0.5, 0.25, reveal=False)
    ('Expected 0.5, got 0.25.', '0.25 is not right.')
    >>> difference(0.5, 0.5) is None
    True
    """
    if got is None:
        return tell("returned_none")
    if isinstance(expected, dict):
        return _dict_difference(expected, got, tolerance)
    if _has_blank(got):
        return tell("blank_inside")
    if isinstance(expected, str):
        return _text_difference(expected, got, reveal)
    numbers = _numeric(expected)
    if isinstance(expected, tuple | list) and (numbers is None or numbers.ndim > 1):
        return _parts_difference(expected, got, tolerance, reveal)
    return _number_difference(expected, numbers, got, tolerance, reveal)


def _count(value: Any) -> int:
    """How many things a result holds; a single number is one thing."""
    return 1 if isinstance(value, np.ndarray) and value.ndim == 0 else len(value)


def _text_difference(expected: str, got: Any, reveal: bool) -> str | None:
    if not isinstance(got, str):
        return tell("wrong_type", expected="str", got=type_name(got))
    if same(expected, got):
        return None
    return tell("different" if reveal else "wrong_value", expected=show(expected), got=show(got))


def _dict_difference(expected: dict, got: Any, tolerance: float) -> str | None:
    if not isinstance(got, dict):
        return tell("wrong_type", expected="dict", got=type_name(got))
    missing = [show(key) for key in expected if key not in got or is_blank(got[key])]
    if missing:
        return tell("missing_key", keys=", ".join(missing))
    extra = [show(key) for key in got if key not in expected]
    if extra:
        return tell("unknown_key", keys=", ".join(extra))
    right = sum(same(expected[key], got[key], tolerance) for key in expected)
    return None if right == len(expected) else tell("score", right=right, total=len(expected))


def _parts_difference(
    expected: tuple | list, got: Any, tolerance: float, reveal: bool
) -> str | None:
    if not isinstance(got, tuple | list | np.ndarray):
        return tell("wrong_type", expected=type_name(expected), got=type_name(got))
    if _count(got) != len(expected):
        return tell("wrong_count", expected=len(expected), got=_count(got))
    for index, (one, other) in enumerate(zip(expected, got, strict=True)):
        sentence = difference(one, other, tolerance, reveal=reveal)
        if sentence:
            return tell("in_part", index=index + 1, rest=sentence)
    return None


def _number_difference(
    expected: Any, numbers: np.ndarray | None, got: Any, tolerance: float, reveal: bool
) -> str | None:
    array = _numeric(got)
    if numbers is None or array is None:
        wanted = _wanted_type(expected)
        return tell("wrong_type", expected=wanted, got=type_name(got))
    if array.shape != numbers.shape and isinstance(expected, tuple):
        return tell("wrong_count", expected=len(expected), got=_count(array))
    if array.shape != numbers.shape and numbers.shape == ():
        return tell("wants_one_number", got=array.shape)
    if array.shape != numbers.shape:
        return tell("wrong_shape", expected=numbers.shape, got=array.shape)
    if array.dtype.kind != "b" and numbers.dtype.kind == "b":
        return tell("wants_booleans")
    if array.dtype.kind == "b" and numbers.dtype.kind != "b":
        return tell("wants_numbers")
    if array.dtype.kind == "c" and numbers.dtype.kind != "c":
        return tell("wrong_type", expected=_KINDS[numbers.dtype.kind], got="complex")
    return _entry_difference(numbers, array, tolerance, reveal)


def _wanted_type(expected: Any) -> str:
    if isinstance(expected, Number) or np.ndim(expected) == 0:
        return _KINDS[np.asarray(expected).dtype.kind]
    return type_name(expected)


def _entry_difference(
    numbers: np.ndarray, array: np.ndarray, tolerance: float, reveal: bool
) -> str | None:
    with np.errstate(all="ignore"):
        close = np.isclose(array, numbers, rtol=tolerance, atol=tolerance, equal_nan=True)
    if close.all():
        return None
    lost = np.argwhere(np.isnan(array) & ~close)
    if len(lost) and numbers.ndim == 0:
        return tell("is_nan")
    if len(lost):
        return tell("not_a_number", index=lost[0].tolist())
    index = tuple(np.argwhere(~close)[0].tolist())
    wanted, found = show_pair(numbers[index], array[index])
    if numbers.size == 1:
        return tell("different" if reveal else "wrong_value", expected=wanted, got=found)
    words = "first_difference" if reveal else "wrong_entry"
    return tell(words, index=list(index), expected=wanted, got=found)
