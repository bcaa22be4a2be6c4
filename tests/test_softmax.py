"""Softmax: laws, exact values, and what it says about bad scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from attention_core import softmax
from tests import reference
from tests.loops import for_each

moderate = st.floats(-50, 50)
matrices = arrays(float, (5, 7), elements=moderate)


@given(matrices)
def test_equals_the_formula(scores):
    expected = [reference.softmax(row) for row in scores.tolist()]
    assert_allclose(softmax(scores), expected, rtol=1e-12, atol=0)


@given(matrices, moderate)
def test_a_constant_shift_changes_nothing(scores, shift):
    assert_allclose(softmax(scores + shift), softmax(scores), rtol=1e-12, atol=1e-300)


@given(matrices, arrays(bool, (5, 7)))
def test_rows_sum_to_one_or_to_zero(scores, seen):
    weights = softmax(np.where(seen, scores, -np.inf))
    assert_allclose(weights.sum(axis=-1), seen.any(axis=-1).astype(float), rtol=1e-14)
    assert (weights[~seen] == 0).all()
    assert (weights[seen] > 0).all()


def test_who_has_nothing_to_choose_is_shown_no_minus_zero():
    assert str(softmax([-np.inf, -np.inf])) == "[0. 0.]"


@given(arrays(float, 7, elements=st.floats(allow_nan=False, allow_infinity=False)))
def test_any_finite_scores_give_weights(scores):
    """From the smallest to the largest double: never a warning, never NaN."""
    weights = softmax(scores)
    assert_allclose(weights.sum(), 1, rtol=1e-14)
    assert weights[scores.argmax()] == weights.max()


@given(matrices, st.permutations(range(7)))
def test_the_order_of_the_scores_only_orders_the_weights(scores, order):
    assert_allclose(softmax(scores[:, order]), softmax(scores)[:, order], rtol=1e-13)


@given(matrices)
def test_larger_scores_get_larger_weights(scores):
    weights = softmax(scores)
    steps = np.diff(np.take_along_axis(weights, scores.argsort(axis=-1), -1), axis=-1)
    assert (steps >= -1e-16).all()


@for_each("axis", [0, 1, 2, 3, -1, -2, -3, -4])
def test_every_axis(axis):
    scores = np.random.default_rng(0).normal(size=(2, 3, 5, 7))
    assert_allclose(softmax(scores, axis=axis).sum(axis=axis), 1, rtol=1e-14)
    expected = np.moveaxis(softmax(np.moveaxis(scores, axis, -1)), -1, axis)
    assert_allclose(softmax(scores, axis=axis), expected, rtol=1e-14)


def test_values_of_the_document():
    assert_allclose(softmax([1, 2]), [0.268941, 0.731059], atol=5e-7)
    assert_allclose(softmax([10, 20]), [4.54e-5, 0.999955], atol=5e-7)
    assert_array_equal(softmax([3.0, 3.0, 3.0, 3.0]), [0.25] * 4)
    assert_allclose(softmax([0.0, np.log(3.0)]), [0.25, 0.75], rtol=1e-15)


def test_nothing_gives_nothing():
    assert softmax([]).shape == (0,)
    assert softmax(np.ones((0, 7))).shape == (0, 7)
    assert softmax(np.ones((5, 0))).shape == (5, 0)


def test_subnormal_differences_survive():
    assert_array_equal(softmax([0.0, -745.0]) > 0, [True, True])
    assert_array_equal(softmax([0.0, -800.0]), [1, 0])


@for_each(
    ("scores", "sentence"),
    [
        ([[0, 1], [np.nan, 2]], "softmax: scores[1, 0] is nan; a score must be a number or -inf"),
        ([1, 1, np.inf], "softmax: scores[2] is inf; a score must be a number or -inf"),
        ([-np.inf, np.nan], "softmax: scores[1] is nan; a score must be a number or -inf"),
    ],
)
def test_what_is_no_score_is_named(scores, sentence):
    with pytest.raises(ValueError) as error:
        softmax(scores)
    assert str(error.value) == sentence


@for_each("scores", [[1j], ["a"], [None], [[1], [1, 2]], np.array(["2026"], "M8[Y]")])
def test_what_is_no_number_is_a_type_error(scores):
    with pytest.raises(TypeError, match=r"^softmax: scores must "):
        softmax(scores)


def test_an_axis_that_is_not_there_is_an_error():
    with pytest.raises(ValueError):
        softmax([1.0, 2.0], axis=1)
