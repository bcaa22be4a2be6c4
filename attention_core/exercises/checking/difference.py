"""The one sentence that says how an answer differs from what was expected."""

from typing import Any

import numpy as np

from attention_core.exercises.checking.compare import (
    USUAL,
    Rule,
    close,
    same,
    same_kind,
    with_known_keys,
)
from attention_core.exercises.checking.sentences import tell
from attention_core.exercises.checking.show import show, show_pair, type_name
from attention_core.exercises.checking.values import (
    has_blank,
    is_blank,
    numeric,
    odd_one_out,
    same_word,
)

__all__ = ["difference"]

_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


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
    if same_word(expected, got):
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
    """Where words are to be sorted: one that is none of them; listed in an order of no meaning."""
    words = sorted({one for one in expected.values() if isinstance(one, str)})
    for key, word in got.items():
        if isinstance(word, str) and words and not any(same_word(one, word) for one in words):
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
    if not same_kind(numbers, array, rule):
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
    alike = close(numbers, array, rule)
    if alike.all():
        return None
    lost = np.argwhere(np.isnan(array) & ~alike)
    if len(lost) and numbers.ndim == 0:
        return tell("is_nan")
    if len(lost):
        return tell("not_a_number", index=lost[0].tolist())
    index = tuple(np.argwhere(~alike)[0].tolist())
    wanted, found = show_pair(numbers[index], array[index])
    if numbers.size == 1:
        return tell("different" if reveal else "wrong_value", expected=wanted, got=found)
    sentence = "first_difference" if reveal else "wrong_entry"
    return tell(sentence, index=list(index), expected=wanted, got=found)
