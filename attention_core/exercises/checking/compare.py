"""Is it the same value? And if not: the one sentence that says how it differs."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from attention_core.exercises.checking.sentences import tell
from attention_core.exercises.checking.show import show, show_pair, type_name
from attention_core.exercises.checking.values import has_blank, is_blank, numeric, odd_one_out
from attention_core.exercises.checking.values import same_word as same_words

__all__ = ["Rule", "altered", "difference", "same", "with_known_keys"]

_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


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
        return both and same_words(expected, got)
    if isinstance(expected, dict) or isinstance(got, dict):
        if not (isinstance(expected, dict) and isinstance(got, dict)):
            return False
        got = with_known_keys(expected, got)
        return expected.keys() == got.keys() and all(
            same(expected[key], got[key], rule) for key in expected
        )
    x, y = numeric(expected), numeric(got)
    if x is not None and y is not None:
        return x.shape == y.shape and _same_kind(x, y, rule) and bool(_close(x, y, rule).all())
    if isinstance(expected, tuple | list) and isinstance(got, tuple | list):
        pairs = zip(expected, got, strict=False)
        return len(expected) == len(got) and all(same(one, other, rule) for one, other in pairs)
    return expected is got


def _same_kind(expected: np.ndarray, got: np.ndarray, rule: Rule) -> bool:
    """Numbers for numbers; for True and False also 1 and 0, but in a mask they mean other things.

    A number is added to the scores, so that 1 hides nothing.
    """
    if expected.dtype.kind == "b" and got.dtype.kind in "iuf":
        return not rule.is_mask and bool(np.isin(got, (0, 1)).all())
    return expected.dtype.kind == "b" or got.dtype.kind != "b"


def _close(expected: np.ndarray, got: np.ndarray, rule: Rule) -> np.ndarray:
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


def difference(expected: Any, got: Any, rule: Rule = USUAL, *, reveal: bool = True) -> str | None:
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
        return _dict_difference(expected, got, rule)
    if has_blank(got):
        return tell("blank_inside")
    if isinstance(expected, str):
        return _text_difference(expected, got, reveal)
    numbers = numeric(expected)
    if isinstance(expected, tuple | list) and (numbers is None or numbers.ndim > 1):
        return _parts_difference(expected, got, rule, reveal)
    return _number_difference(expected, numbers, got, rule, reveal)


def _count(value: Any) -> int:
    """How many things a result holds; a single number is one thing."""
    return 1 if isinstance(value, np.ndarray) and value.ndim == 0 else len(value)


def _text_difference(expected: str, got: Any, reveal: bool) -> str | None:
    if not isinstance(got, str):
        return tell("wrong_type", expected="str", got=type_name(got))
    if same_words(expected, got):
        return None
    key = "different" if reveal else "wrong_value"
    return tell(key, expected=show(expected), got=show(got))


def _dict_difference(expected: dict, got: Any, rule: Rule) -> str | None:
    if not isinstance(got, dict):
        return tell("wrong_type", expected="dict", got=type_name(got))
    got = with_known_keys(expected, got)
    missing = [show(key) for key in expected if key not in got or is_blank(got[key])]
    if missing:
        return tell("missing_key", keys=", ".join(missing))
    extra = [show(key) for key in got if key not in expected]
    if extra:
        return tell("unknown_key", keys=", ".join(extra))
    return _unknown_word(expected, got) or _wrong_entry(expected, got, rule)


def _unknown_word(expected: dict, got: dict) -> str | None:
    """Where words are to be sorted: one that is none of them."""
    words = list(dict.fromkeys(one for one in expected.values() if isinstance(one, str)))
    for key, word in got.items():
        if isinstance(word, str) and words and not any(same_words(one, word) for one in words):
            listed = ", ".join(map(show, words))
            return tell("unknown_word", key=show(key), got=show(word), choices=listed)
    return None


def _wrong_entry(expected: dict, got: dict, rule: Rule) -> str | None:
    """How many entries are right, and what is wrong with the first that is not."""
    wrong = [key for key in expected if not same(expected[key], got[key], rule)]
    if not wrong:
        return None
    rest = difference(expected[wrong[0]], got[wrong[0]], rule, reveal=False)
    total = len(expected)
    return tell("score", right=total - len(wrong), total=total, key=show(wrong[0]), rest=rest)


def _parts_difference(expected: tuple | list, got: Any, rule: Rule, reveal: bool) -> str | None:
    if not isinstance(got, tuple | list | np.ndarray):
        return tell("wrong_type", expected=type_name(expected), got=type_name(got))
    if _count(got) != len(expected):
        return tell("wrong_count", expected=len(expected), got=_count(got))
    for index, (one, other) in enumerate(zip(expected, got, strict=True)):
        sentence = difference(one, other, rule, reveal=reveal)
        if sentence:
            return tell("in_part", index=index + 1, rest=sentence)
    return None


def _number_difference(
    expected: Any, numbers: np.ndarray | None, got: Any, rule: Rule, reveal: bool
) -> str | None:
    array = numeric(got)
    if numbers is None or array is None:
        return _not_numbers(expected, got)
    if array.shape != numbers.shape and isinstance(expected, tuple):
        return tell("wrong_count", expected=len(expected), got=_count(array))
    if array.shape != numbers.shape and numbers.shape == ():
        return tell("wants_one_number", got=array.shape)
    if array.shape != numbers.shape:
        return tell("wrong_shape", expected=numbers.shape, got=array.shape)
    if not _same_kind(numbers, array, rule):
        return tell("wants_booleans" if numbers.dtype.kind == "b" else "wants_numbers")
    if array.dtype.kind == "c" and numbers.dtype.kind != "c":
        return tell("wrong_type", expected=_KINDS[numbers.dtype.kind], got="complex")
    return _entry_difference(numbers, array, rule, reveal)


def _not_numbers(expected: Any, got: Any) -> str:
    """Numbers were asked for: what stands there instead, and where."""
    if isinstance(got, tuple | list):
        odd = odd_one_out(got)
        if odd is None:
            return tell("ragged")
        place, thing = odd
        return tell("odd_one_out", index=list(place), got=show(thing), kind=type_name(thing))
    if np.ndim(expected) == 0:
        wanted = _KINDS[np.asarray(expected).dtype.kind]
    else:
        wanted = type_name(expected)
    return tell("wrong_type", expected=wanted, got=type_name(got))


def _entry_difference(
    numbers: np.ndarray, array: np.ndarray, rule: Rule, reveal: bool
) -> str | None:
    close = _close(numbers, array, rule)
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
    sentence = "first_difference" if reveal else "wrong_entry"
    return tell(sentence, index=list(index), expected=wanted, got=found)
