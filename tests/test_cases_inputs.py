"""Faults that others met with what they passed in, and with what NumPy was told to raise."""

import doctest
import importlib
import pkgutil
from fractions import Fraction

import numpy as np
import pytest

import attention_core
from attention_core import (
    MultiHeadWeights,
    attention,
    attention_backward,
    attention_scores,
    attention_steps,
    blockwise_attention,
    causal_mask,
    init_multi_head,
    multi_head_attention,
    padding_mask,
    project,
    softmax,
)
from attention_core.figures import bars, curves, heatmap, histogram, points, table
from attention_core.gradients import softmax_backward, softmax_jacobian

RNG = np.random.default_rng(0)
Q, K, V = RNG.normal(size=(3, 7)), RNG.normal(size=(5, 7)), RNG.normal(size=(5, 2))
D_OUTPUT = RNG.normal(size=(3, 2))
TAKE_A_MASK = {
    "attention": lambda mask: attention(Q, K, V, mask),
    "attention_steps": lambda mask: attention_steps(Q, K, V, mask),
    "attention_backward": lambda mask: attention_backward(Q, K, V, D_OUTPUT, mask),
    "blockwise_attention": lambda mask: blockwise_attention(Q, K, V, mask=mask),
}
ZEROS_AND_ONES = {
    "tril": np.tril(np.ones((3, 5))),
    "one 1": np.eye(3, 5) * [1, 0, 0, 0, 0],
    "one 0": 1 - np.eye(3, 5) * [0, 0, 1, 0, 0],
    "only 1": np.ones((3, 5)),
    "float32": np.tril(np.ones((3, 5), np.float32)),
    "for a batch": np.tril(np.ones((2, 3, 5))),
}


# ---------------------------------------------------------------- masks of 0 and 1


@pytest.mark.parametrize("name", ZEROS_AND_ONES)
@pytest.mark.parametrize("take", TAKE_A_MASK)
def test_float_mask_of_zeros_and_ones_is_refused(take, name):
    with pytest.raises(ValueError, match=r"only 0 and 1, .* use mask\.astype\(bool\); .* mask - 1"):
        TAKE_A_MASK[take](ZEROS_AND_ONES[name])


@pytest.mark.parametrize("name", ZEROS_AND_ONES)
def test_mask_minus_1_is_what_adding_it_would_have_given(name):
    mask = ZEROS_AND_ONES[name]
    scores = Q @ K.mT / np.sqrt(7) + mask
    expected = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(attention(Q, K, V, mask - 1)[1], expected, rtol=1e-6)


@pytest.mark.parametrize(
    "mask",
    [
        np.zeros((3, 5)),
        -np.eye(3, 5),
        np.eye(3, 5) * 0.5,
        np.where(np.eye(3, 5) == 1, 1.0, 0.25),
        np.where(np.eye(3, 5) == 1, 1.0, -np.inf),
        np.zeros((3, 5)) + np.array([0, 1, 2, 0, 1]),
    ],
    ids=["nothing hidden", "-1", "1/2", "1/4 and 1", "1 and -inf", "0, 1, 2"],
)
def test_other_float_masks_are_added(mask):
    for take in TAKE_A_MASK.values():
        take(mask)


# ---------------------------------------------------------------- numbers that are no floats


def test_objects_that_are_numbers_are_read():
    """Fractions, whole numbers and floats in an array of Python objects."""
    halves = [[Fraction(1, 2), 1], [2.5, np.float32(0.25)]]
    as_objects, as_floats = np.array(halves, dtype=object), np.array(halves, dtype=float)
    np.testing.assert_array_equal(softmax(halves), softmax(as_floats))
    np.testing.assert_array_equal(attention_scores(as_objects, K[:, :2]), as_floats @ K[:, :2].mT)
    np.testing.assert_array_equal(project(as_objects, as_objects), as_floats @ as_floats)


NO_NUMBERS = {
    "None": (None, r"softmax: scores must hold real numbers, but scores\[0, 1\] is None"),
    "text": ("a", r"softmax: scores must hold real numbers, not <U\d+"),
    "complex": (1j, r"softmax: scores must hold real numbers, not complex128"),
    "a list": ([1], r"softmax: scores must be an array of numbers"),
    "a set": ({1}, r"softmax: scores must hold real numbers, but scores\[0, 1\] is \{1\}"),
}


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_what_is_no_number_is_named(name):
    entry, sentence = NO_NUMBERS[name]
    with pytest.raises(TypeError, match=sentence):
        softmax([[1, entry]])


def test_number_too_large_for_a_float_is_refused():
    with pytest.raises(ValueError, match="softmax: scores holds a number that is too large"):
        softmax([10**400, 1])


SCALES = {
    "too large": (10**400, ValueError, "scale holds a number that is too large for a float"),
    "complex": (np.complex128(1 + 2j), TypeError, "scale must hold real numbers, not complex128"),
    "Python's complex": (2j, TypeError, "scale must hold real numbers, not complex128"),
    "a span of time": (np.timedelta64(1), TypeError, "scale must hold real numbers, not timed"),
    "text": ("1", TypeError, "scale must be one number, not '1'"),
    "bytes": (b"1", TypeError, "scale must be one number, not b'1'"),
    "a list": ([1.0], TypeError, r"scale must be one number, not \[1.0\]"),
    "NaN": (float("nan"), ValueError, "scale is nan; it must be a finite number"),
    "infinity": (-np.inf, ValueError, "scale is -inf; it must be a finite number"),
}


@pytest.mark.parametrize("name", SCALES)
def test_scale_that_is_no_number_is_refused(name):
    scale, error, sentence = SCALES[name]
    with pytest.raises(error, match=sentence):
        attention(Q, K, V, scale=scale)


@pytest.mark.parametrize("half", [0.5, np.float32(0.5), Fraction(1, 2), np.array(0.5)])
def test_scale_may_be_any_real_number(half):
    expected = attention(Q, K, V, scale=0.5)[1]
    np.testing.assert_array_equal(attention(Q, K, V, scale=half)[1], expected)


@pytest.mark.parametrize("kind", [tuple, list, np.array])
def test_weights_of_heads_without_names_are_refused(kind):
    weights = init_multi_head(RNG, d_model=6, h=2)
    with pytest.raises(TypeError, match=r"weights is a \w+; use MultiHeadWeights\(w_q, w_k, w_v"):
        multi_head_attention(np.eye(6), kind(list(weights)), h=2)
    multi_head_attention(np.eye(6), MultiHeadWeights(*weights), h=2)


# ---------------------------------------------------------------- labels of any type


LABELS = {
    "numbers": (range(3), ["0", "1", "2"]),
    "bytes": ([b"a", "猫".encode(), b"\xff"], ["a", "猫", "\ufffd"]),
    "an array": (np.array([1.5, 2, 3]), ["1.5", "2.0", "3.0"]),
    "anything": ([None, True, Fraction(1, 2)], ["None", "True", "1/2"]),
    "pairs": ([(0, 1), (1, 2), (2, 3)], ["(0, 1)", "(1, 2)", "(2, 3)"]),
    "keys": ({"a": 1, "b": 2, "c": 3}.keys(), ["a", "b", "c"]),
    "one text": ("abc", ["a", "b", "c"]),
    "a generator": ((name for name in "abc"), ["a", "b", "c"]),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_of_any_type_become_text(name):
    given, expected = LABELS[name]
    lines = str(heatmap(np.eye(3), rows=given)).splitlines()[2:]
    assert [line.split("  ")[0].strip() for line in lines] == expected


# ---------------------------------------------------------------- np.seterr(all="raise")


def modules():
    """Every module of the package."""
    walked = pkgutil.walk_packages(attention_core.__path__, "attention_core.")
    return [importlib.import_module(found.name) for found in walked]


def test_no_example_of_the_package_meets_an_error_that_numpy_was_told_to_raise():
    """Every example in every docstring, run as by a reader who called np.seterr(all="raise")."""
    finder = doctest.DocTestFinder()
    runner = doctest.DocTestRunner(
        verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    told = []
    with np.errstate(all="raise"):
        for module in modules():
            for test in finder.find(module):
                runner.run(test, out=told.append)
    assert runner.tries > 300
    assert "".join(told) == ""


LARGE, TINY = 1e153, 1e-300
EXTREMES = {
    "tiny": TINY,
    "tiny and large": [TINY, 1.0, LARGE, -LARGE, 0.0, 1.0, TINY],
    "one row far below": np.array([[-700.0], [0], [700]]),
    "small floats": np.float32(1e-30),
}


@pytest.mark.parametrize("name", EXTREMES)
def test_extremes_raise_nothing_that_numpy_was_told_to_raise(name):
    by = EXTREMES[name]
    q, k, v = np.ones((3, 7)) * by, np.ones((3, 7)) * by, np.ones((3, 2))
    causal = np.tril(np.ones((3, 3), bool))
    hard = np.where(causal, 0.0, -1e308)
    weights = MultiHeadWeights(*np.full((4, 7, 7), TINY))
    for calls in (
        lambda: attention_scores(q, k),
        lambda: softmax(q),
        lambda: [
            attention(q, k, v, mask, scale=s) for mask in (None, causal) for s in (None, TINY)
        ],
        lambda: attention(q, k, v, hard),
        lambda: attention_backward(q, k, v, v, causal),
        lambda: [blockwise_attention(q, k, v, causal=c, block=2) for c in (False, True)],
        lambda: blockwise_attention(q, k, v, mask=hard),
        lambda: project(q, np.full((7, 7), TINY)),
        lambda: multi_head_attention(q, weights, h=7, mask=causal),
        lambda: heatmap(q, kind="scores"),
    ):
        expected, given = [], []
        for results, how in ((expected, "ignore"), (given, "raise")):
            with np.errstate(all=how):
                try:
                    results.append(calls())
                except ValueError as error:  # a sentence is an answer, too
                    results.append(str(error))
        assert repr(given) == repr(expected)


HUGE = 10**400  # no float holds it, and no array is as long
REFUSED = [
    (lambda: softmax_jacobian(0.5), ValueError, "weights is one number; it must have a last axis"),
    (lambda: softmax_backward(0.5, 1), ValueError, "weights is one number; it must have a last"),
    (lambda: softmax_jacobian([1e300, 1e300]), ValueError, r"jacobian\[0, 0\] is -inf"),
    (lambda: softmax_backward([1e200, 1], [1e200, 1]), ValueError, r"d_scores\[0\] is"),
    (lambda: causal_mask(HUGE), ValueError, "n_q is larger than any array"),
    (lambda: padding_mask([1], HUGE), ValueError, "n_k is larger than any array"),
    (lambda: init_multi_head(RNG, HUGE, HUGE), ValueError, "h is larger than any array"),
    (lambda: heatmap([[1j]]), TypeError, "the matrix must hold real numbers that a float"),
    (lambda: heatmap([["a"]]), TypeError, "the matrix must hold real numbers that a float"),
    (lambda: heatmap([[HUGE]]), TypeError, "must hold real numbers that a float can hold"),
    (lambda: bars([1j, 2]), TypeError, "α_j must hold real numbers that a float"),
    (lambda: bars([np.inf, 1]), ValueError, "α_j holds a number that is too large to be drawn"),
    (lambda: bars([1e308, -1e308]), ValueError, "α_j holds a number that is too large to be"),
    (lambda: histogram([1e308, -1e308]), ValueError, "too large to be drawn"),
    (lambda: histogram(["a"]), TypeError, "x must hold real numbers that a float"),
    (lambda: points({"h": [[np.inf, 1]]}), ValueError, "h holds a number that is too large"),
    (lambda: curves([1, 2], {"y": [1, 2j]}), TypeError, "y must hold real numbers"),
]


@pytest.mark.parametrize(("call", "kind", "sentence"), REFUSED)
def test_what_cannot_be_computed_or_drawn_is_refused_in_one_sentence(call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call()


def test_a_table_shows_what_is_no_number_as_it_is():
    assert str(HUGE) in str(table(A=[[HUGE, 1]]))
    assert "1j" in str(table(A=[[np.complex128(1j), 1]]))
