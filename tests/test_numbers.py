"""Numbers as text and text as numbers, apart from every view."""

import math
import re

import hypothesis.strategies as st
import pytest
from hypothesis import given

from attention_core import use_language
from attention_core.drawing.numbers import (
    LONGEST,
    REASONS,
    apart,
    cell_text,
    number_text,
    parse,
    short,
    weight_text,
    whole,
)

anything = st.floats(allow_nan=False, allow_infinity=False)
# text -> number, or the reason why it is none
TYPED = {
    "1": 1, "-2": -2, "−2.5": -2.5, "+3": 3, ".5": 0.5, "5.": 5, "1e6": 1e6, "−1e−05": -1e-5,
    "1E+3": 1000, "  7  ": 7, "-0": 0, "007": 7, "1e308": 1e308, "1e-400": 0,
    "": "empty", "  ": "empty", "1,5": "comma", "−1,5": "comma", "1,5,2": "word", "0x10": "word",
    "1_000": "word", "abc": "word", "nan": "word", "NaN": "word", "inf": "word", "−∞": "word",
    "∞": "word", "1e999": "huge", "−1e999": "huge", "1 000": "word", "１": "word", "٣": "word",
    "1e": "word", "e5": "word", "--1": "word", "1.2.3": "word", "½": "word", "2/3": "word",
    "-": "word", ".": "word", "1\n2": "word", "1；": "word",
}  # fmt: skip


def read(text):
    """The number that a text shows; "−∞" and the rest as floats."""
    return float(text.replace("−", "-").replace("∞", "inf"))


@given(anything)
def test_no_text_says_minus_zero_and_none_is_cut(x):
    for text in (cell_text(x), whole(x), number_text(x), short(x)):
        assert not re.fullmatch(r"[-−]0*\.?0*", text), text
        assert "-" not in text
    assert len(cell_text(x)) <= LONGEST


@given(anything)
def test_a_cell_shows_its_number_to_half_a_step(x):
    shown = read(cell_text(x))
    if math.isinf(shown):  # 1.797e308 rounds to 1.8e308, which is past the largest float
        assert abs(x) > 1.7e308
    elif 0.005 <= abs(x) < 99:
        assert abs(shown - x) <= 0.005 + 1e-12
    else:
        assert abs(shown - x) <= abs(x) * 0.51  # −1e300: one digit and all of the exponent


@given(anything)
def test_a_whole_number_text_is_read_back_exactly(x):
    assert parse(whole(x)) == x
    assert len(whole(x)) <= 25


@given(anything, anything)
def test_two_numbers_are_told_apart(x, y):
    old, new = apart(x, y)
    assert (old == new) == (x == y)


def test_the_numbers_of_the_issue():
    assert cell_text(-1234567) == "−1.23e6"
    assert len(cell_text(1e308)) <= LONGEST and whole(1e308) == "1e308"
    assert cell_text(2.6) == "2.60" and cell_text(3.0) == "3"
    assert apart(0.7032, 0.7034) == ("0.7032", "0.7034")
    assert [cell_text(x) for x in (-math.inf, math.inf, math.nan, -1e-320)] == [
        "−∞", "∞", "·", "−1e−320",
    ]  # fmt: skip


def test_a_weight_is_one_or_zero_only_if_it_is():
    shown = {0: "0", 1: "1", 1 - 1e-9: "1.00", 1e-9: "0.00", 0.705: "0.70", 0.5: "0.50"}
    assert {w: weight_text(w) for w in shown} == shown


def verdict(text):
    """The number, or the name of the reason."""
    try:
        return parse(text)
    except ValueError as error:
        return next(n for n, w in REASONS.items() if str(error) == w.en.format(text=text.strip()))


def test_what_can_be_typed_and_why_not():
    wrong = {text: verdict(text) for text, wanted in TYPED.items() if verdict(text) != wanted}
    assert not wrong
    assert math.copysign(1, parse("-0")) == 1


def test_the_reason_is_said_in_the_language_in_use():
    use_language("zh")
    with pytest.raises(ValueError, match="小数点请写成点"):
        parse("1,5")
