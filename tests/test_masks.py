"""Masks: who may look at whom, and what is said about masks that say it badly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

from attention_core import additive_mask, causal_mask, combine_masks, padding_mask
from tests.loops import for_each

sizes = st.integers(0, 9)


@given(sizes, sizes)
def test_causal_means_no_key_after_the_query(n_q, n_k):
    """Query i of n_q stands where key i + n_k - n_q stands."""
    expected = [[j <= i + n_k - n_q for j in range(n_k)] for i in range(n_q)]
    mask = causal_mask(n_q, n_k)
    assert_array_equal(mask, np.reshape(expected, (n_q, n_k)))
    assert mask.dtype == bool


@given(sizes)
def test_a_square_causal_mask_lets_row_i_see_i_plus_one(n):
    assert_array_equal(causal_mask(n).sum(axis=1), np.arange(1, n + 1))
    assert_array_equal(causal_mask(n), causal_mask(n, n))


@given(sizes, st.integers(0, 5))
def test_later_queries_see_the_last_rows_of_the_square(n, dropped):
    """What a model that remembers its keys computes: only the last queries."""
    n_q = max(n - dropped, 0)
    assert_array_equal(causal_mask(n_q, n), causal_mask(n)[n - n_q :])


@given(st.lists(st.integers(0, 7), max_size=5))
def test_padding_hides_the_last_keys(lengths):
    mask = padding_mask(lengths, 7)
    assert mask.shape == (len(lengths), 1, 7)
    assert mask.dtype == bool
    expected = [[[True] * length + [False] * (7 - length)] for length in lengths]
    assert_array_equal(mask, np.reshape(expected, mask.shape))


@given(arrays(bool, (2, 5, 7)), arrays(bool, (5, 7)), arrays(bool, (2, 1, 7)))
def test_combining_is_and(a, b, c):
    combined = combine_masks(a, None, b, c)
    for i, j, k in np.ndindex(2, 5, 7):
        assert combined[i, j, k] == (a[i, j, k] and b[j, k] and c[i, 0, k])
    assert_array_equal(combine_masks(c, b, a), combined)
    assert_array_equal(combine_masks(combined, combined), combined)


def test_combining_one_mask_gives_a_copy():
    mask = causal_mask(3)
    combined = combine_masks(mask)
    combined[...] = False
    assert_array_equal(mask, np.tri(3))


def test_combining_none_is_no_mask():
    assert combine_masks() is None
    assert combine_masks(None, None) is None


@given(arrays(bool, (2, 5, 7)))
def test_the_additive_form_is_zero_or_minus_infinity(mask):
    added = additive_mask(mask)
    assert added.dtype == np.float64
    assert_array_equal(added == 0, mask)
    assert_array_equal(added == -np.inf, ~mask)
    assert not np.signbit(added[mask]).any()


@for_each(
    ("call", "error", "sentence"),
    [
        (
            lambda: causal_mask(-1),
            ValueError,
            "causal_mask: n_q is -1; it must be at least 0",
        ),
        (
            lambda: causal_mask(3, 2.0),
            TypeError,
            "causal_mask: n_k must be a whole number, not 2.0",
        ),
        (
            lambda: causal_mask(True),
            TypeError,
            "causal_mask: n_q must be a whole number, not True",
        ),
        (
            lambda: padding_mask([2, 4], 3),
            ValueError,
            "padding_mask: lengths[1] is 4; it must lie between 0 and n_k = 3",
        ),
        (
            lambda: padding_mask([-1], 3),
            ValueError,
            "padding_mask: lengths[0] is -1; it must lie between 0 and n_k = 3",
        ),
        (
            lambda: padding_mask([2.0], 3),
            TypeError,
            "padding_mask: lengths must be whole numbers, not float64",
        ),
        (
            lambda: padding_mask([[True, True, False]], 3),
            ValueError,
            "padding_mask: lengths is (1, 3); it must have one axis, (B,)",
        ),
        (
            lambda: padding_mask(2, 3),
            ValueError,
            "padding_mask: lengths is (); it must have one axis, (B,)",
        ),
        (
            lambda: combine_masks(causal_mask(3), additive_mask(causal_mask(3))),
            TypeError,
            "combine_masks: a mask must be bool (True = may look), not float64",
        ),
        (
            lambda: combine_masks(causal_mask(3), causal_mask(2)),
            ValueError,
            "combine_masks: the sizes (3, 3) and (2, 2) do not fit together",
        ),
        (
            lambda: additive_mask([[1, 0]]),
            TypeError,
            "additive_mask: a mask must be bool (True = may look), not int64",
        ),
    ],
)
def test_errors_are_one_sentence(call, error, sentence):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == sentence
