"""Colours and labels of matrices: readable, symmetric, and never "-0.0"."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention_core.drawing.numbers import number_text
from attention_core.drawing.palette import (
    KINDS,
    cell_colours,
    colour_scale,
    dark_of,
    token_label,
)
from attention_core.drawing.screen import fill, ink, luminance, scale_end
from tests.loops import for_each

finite = st.floats(allow_nan=False, allow_infinity=False)
each_kind = pytest.mark.parametrize("kind", KINDS)
SHARES = np.linspace(0, 1, 257)


def contrast(one, other):
    """Contrast of two colours by the definition of WCAG 2, written out once more."""

    def light(colour):
        red, green, blue = (
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted([light(one), light(other)])
    return (high + 0.05) / (low + 0.05)


def sweep(kind):
    """Every colour of a kind, from the low end to the high end."""
    low, high = (0, 1) if kind == "weights" else (-3, 3)
    fills, inks = cell_colours([low + (high - low) * SHARES], kind)
    return fills[0], inks[0]


# --- numbers ---


@for_each(
    ("x", "text"),
    [
        (0, "0.00"),
        (-0.0, "0.00"),
        (-0.001, "0.00"),
        (-0.004999, "0.00"),
        (-0.006, "−0.01"),
        (1.758725, "1.76"),
        (-12.5, "−12.50"),
        (np.float32(0.1), "0.10"),
        (True, "1.00"),
        (np.inf, "∞"),
        (-np.inf, "−∞"),
        (np.nan, "·"),
    ],
)
def test_number_text(x, text):
    assert number_text(x) == text


@given(finite, st.integers(0, 6))
def test_a_number_reads_back_as_what_it_was(x, decimals):
    text = number_text(x, decimals)
    assert "-" not in text
    assert not re.fullmatch(r"−0(\.0*)?", text)
    assert float(text.replace("−", "-")) == pytest.approx(x, abs=0.500001 * 10**-decimals)


# --- scale ---


def no_dwarf(x):
    return x == 0 or not abs(x) < 1e-300


def test_weights_are_always_between_zero_and_one():
    assert colour_scale([[0.2, 0.3]], "weights") == (0.0, 1.0)
    assert colour_scale([[5.0]], "weights") == (0.0, 1.0)


# Numbers of the smallest kind carry no colour; see the next test.
@given(arrays(float, (3, 5), elements=st.floats(allow_subnormal=False).filter(no_dwarf)))
def test_scores_are_symmetric_around_zero(matrix):
    low, high = colour_scale(matrix, "scores")
    assert low == -high < 0 < high < np.inf
    known = np.abs(matrix[np.isfinite(matrix)])
    largest = known.max() if known.size else 0.0
    assert high == (scale_end(largest) if largest > 0 else 1)


@for_each("largest", [5e-324, 1e-310, 1e-307, 1.7e308])
def test_the_smallest_and_the_largest_scores_have_colours(largest):
    fills, _ = cell_colours([[-largest, 0.0, largest]], "scores")
    assert fills[0][1] == cell_colours([[0.0]], "scores")[0][0][0]
    if largest > 1e-307:
        assert fills[0] == cell_colours([[-1.0, 0.0, 1.0]], "scores")[0][0]


def test_hidden_cells_stay_out_of_the_scale():
    alone = cell_colours([[1.0, -2.0]], "scores")[0][0]
    beside = cell_colours([[1.0, -2.0, 99.0]], "scores", masked=[[False, False, True]])[0][0]
    assert beside[:2] == alone
    beside = cell_colours([[1.0, -2.0, -np.inf]], "scores")[0][0]
    assert beside[:2] == alone


def test_one_scale_for_several_matrices():
    small, large = [[1.0]], [[4.0]]
    scale = colour_scale(large, "scores")
    assert cell_colours(small, "scores", scale=scale) != cell_colours(small, "scores")
    assert cell_colours(large, "scores", scale=scale) == cell_colours(large, "scores")


@each_kind
def test_kinds(kind):
    assert kind in KINDS
    with pytest.raises(ValueError, match="palette: kind is 'wights'; it must be one of weights"):
        cell_colours([[0.0]], "wights")


# --- colours ---


PAGES = {"light": "#ffffff", "dark": "#111111"}


def seen(colour, theme):
    """A colour of a stored picture as it is in a theme; "none" shows the page."""
    if colour == "none":
        return PAGES[theme]
    return dark_of()[colour] if theme == "dark" else colour


@each_kind
def test_numbers_can_be_read_on_every_colour_in_both_themes(kind):
    for ground, text in zip(*sweep(kind), strict=True):
        for theme in PAGES:
            assert contrast(seen(ground, theme), seen(text, theme)) >= 4.5, ground


def test_a_number_on_nothing_can_be_read_and_nothing_is_the_page():
    fills, inks = cell_colours([[np.nan, -np.inf, 1, 0]], "weights", [[False, False, True, False]])
    assert set(fills[0]) == {"none"}
    assert all(contrast(seen(x, theme), PAGES[theme]) >= 4.5 for x in inks[0] for theme in PAGES)


@each_kind
def test_the_colours_are_those_of_the_explorers(kind):
    """To half a step of 64 of the scale, in both themes."""
    of = {"weights": "weight", "scores": "signed"}[kind]
    for step in range(1, 65):
        low = -1 if kind == "scores" else 1
        for sign in {low, 1}:
            share = sign * step / 64
            value = share if kind == "weights" else np.sinh(share * np.arcsinh(6)) / 2
            (ground,), (text,) = (found[0] for found in cell_colours([[value]], kind, None, (0, 3)))
            for theme in PAGES:
                assert seen(ground, theme) == fill(share, theme, of)
                assert seen(text, theme) == ink(share, theme, of)


def test_a_number_that_is_not_zero_is_not_the_page():
    for kind in KINDS:
        assert "none" not in cell_colours([[1e-9, 1.0]], kind)[0][0]


def test_more_weight_is_darker():
    light = [luminance(ground) for ground in sweep("weights")[0][1:]]
    assert (np.diff(light) <= 0).all() and light[0] > 0.9 and light[-1] < 0.1


def test_values_beyond_the_ends_take_the_end():
    fills = cell_colours([[-0.5, 0.0, 1.0, 1.5]], "weights")[0][0]
    assert fills[0] == fills[1]
    assert fills[2] == fills[3]


@each_kind
@given(matrix=arrays(float, (3, 5), elements=st.floats()), masked=arrays(bool, (3, 5)))
def test_any_matrix_has_colours(kind, matrix, masked):
    """Very large, very small, missing: six digits everywhere, and no warning."""
    before = matrix.tobytes(), masked.tobytes()
    for nested in cell_colours(matrix, kind, masked):
        assert [len(row) for row in nested] == [5, 5, 5]
        for row in nested:
            assert all(re.fullmatch("#[0-9a-f]{6}|none", colour) for colour in row)
    assert (matrix.tobytes(), masked.tobytes()) == before


@each_kind
def test_an_empty_matrix_has_no_colours(kind):
    assert cell_colours(np.ones((0, 5)), kind) == ([], [])
    assert cell_colours(np.ones((2, 0)), kind) == ([[], []], [[], []])


@for_each(
    ("colour", "value"),
    [("#000000", 0), ("#ffffff", 1), ("#ff0000", 0.2126), ("#00ff00", 0.7152), ("#0000ff", 0.0722)],
)
def test_luminance(colour, value):
    assert luminance(colour) == value


# --- labels ---


@for_each(
    ("token", "label"),
    [
        ("Ġthe", "the"),
        ("▁cat", "cat"),
        ("##ing", "ing"),
        ("the", "the"),
        ("##", "##"),
        ("Ġ", "Ġ"),
        ("词元", "词元"),
        ("C#", "C#"),
        (3, "3"),
        ("", ""),
    ],
)
def test_token_label(token, label):
    assert token_label(token) == label
