"""Is it the same value?"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from attention_core.exercises.checking.values import numeric, same_word

__all__ = ["USUAL", "Rule", "altered", "close", "same", "same_kind", "with_known_keys"]


class Rule(NamedTuple):
    """When numbers count as equal: how close; zeros exactly; True and False, not 1 and 0."""

    tolerance: float = 1e-6
    exact_zeros: bool = False
    is_mask: bool = False


USUAL = Rule()


def same(expected: Any, got: Any, rule: Rule = USUAL) -> bool:
    """Whether two values agree: same structure, same shapes, numbers close (NaN equals NaN).

    Examples
    --------
    >>> same((3, 2), [3, 2]), same(np.ones(2), np.ones((2, 1))), same("a", " A "), same(1, True)
    (True, False, True, False)
    """
    if isinstance(expected, str) or isinstance(got, str):
        both = isinstance(expected, str) and isinstance(got, str)
        return both and same_word(expected, got)
    if isinstance(expected, dict) or isinstance(got, dict):
        if not (isinstance(expected, dict) and isinstance(got, dict)):
            return False
        got = with_known_keys(expected, got)
        return expected.keys() == got.keys() and all(
            same(expected[key], got[key], rule) for key in expected
        )
    x, y = numeric(expected), numeric(got)
    if x is not None and y is not None:
        return x.shape == y.shape and same_kind(x, y, rule) and bool(close(x, y, rule).all())
    if isinstance(expected, tuple | list) and isinstance(got, tuple | list):
        pairs = zip(expected, got, strict=False)
        return len(expected) == len(got) and all(same(one, other, rule) for one, other in pairs)
    return expected is got


def same_kind(expected: np.ndarray, got: np.ndarray, rule: Rule) -> bool:
    """Numbers for numbers; for True and False also 1 and 0, but in a mask they mean other things.

    A number is added to the scores, so that 1 hides nothing.
    """
    if expected.dtype.kind == "b" and got.dtype.kind in "iuf":
        return not rule.is_mask and bool(np.isin(got, (0, 1)).all())
    return expected.dtype.kind == "b" or got.dtype.kind != "b"


def close(expected: np.ndarray, got: np.ndarray, rule: Rule) -> np.ndarray:
    """Entry by entry: whether two arrays of one shape agree; whole numbers agree exactly."""
    whole = expected.dtype.kind in "iu"
    if whole and got.dtype.kind in "iu":
        return np.equal(expected, got)
    relative = 0 if whole else rule.tolerance
    with np.errstate(all="ignore"):
        close = np.isclose(got, expected, rtol=relative, atol=rule.tolerance, equal_nan=True)
    return close & ((expected != 0) | (got == 0)) if rule.exact_zeros else close


def with_known_keys(expected: Mapping, got: Mapping) -> dict:
    """A dictionary under the keys that are asked for, whatever its capitals.

    Examples
    --------
    >>> with_known_keys({"w_q": 1}, {"W_Q": 2, "other": 3})
    {'w_q': 2, 'other': 3}
    """
    known = {str(key).casefold(): key for key in expected}
    return {
        key if key in expected else known.get(str(key).strip().casefold(), key): value
        for key, value in got.items()
    }


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
    return isinstance(before, np.ndarray) and not same(before, after, Rule(tolerance=0))
