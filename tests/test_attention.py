"""Attention: the reference, the laws, and the worked example to all its digits."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from attention_core import (
    additive_mask,
    attention,
    attention_scores,
    attention_steps,
    causal_mask,
    padding_mask,
)
from tests.core_checks import D_K, D_V, N_K, N_Q, B, H, assert_attention, normal, qkv
from tests.loops import for_each

moderate = st.floats(-3, 3)
seeds = st.integers(0, 999)
row_masks = arrays(bool, (N_Q, N_K))


class Core:
    """The package as the shared assertions want it."""

    attention = staticmethod(attention)


# Lesson 09, the case worked by hand.
Q = K = np.array([[1.0, 0], [0, 1], [1, 1]])
V = np.array([[1.0, 0], [0, 2], [3, 1]])


@for_each("leading", [(), (B,), (B, H), (1, B, H)])
def test_shapes(leading):
    output, weights = attention(*qkv(*leading))
    assert output.shape == (*leading, N_Q, D_V)
    assert weights.shape == (*leading, N_Q, N_K)
    steps = attention_steps(*qkv(*leading))
    assert {x.shape for x in steps[:4]} == {(*leading, N_Q, N_K)}


@given(
    arrays(float, (N_Q, D_K), elements=moderate),
    arrays(float, (N_K, D_K), elements=moderate),
    arrays(float, (N_K, D_V), elements=moderate),
    row_masks,
)
def test_equals_the_slow_reference(q, k, v, mask):
    assert_attention(Core, q, k, v, mask)


@given(
    seeds,
    arrays(
        float, (N_Q, N_K), elements=st.floats(-9, 9).filter(lambda x: x != 1) | st.just(-np.inf)
    ),
)
def test_a_float_mask_equals_the_slow_reference(seed, mask):
    assert_attention(Core, *qkv(seed=seed), mask)


@given(seeds, arrays(bool, (B, H, N_Q, N_K)))
def test_masks_with_leading_axes_equal_the_slow_reference(seed, mask):
    assert_attention(Core, *qkv(B, H, seed=seed), mask)


@given(seeds, row_masks)
def test_rows_sum_to_one_or_to_zero(seed, mask):
    output, weights = attention(*qkv(seed=seed), mask)
    assert_allclose(weights.sum(axis=-1), mask.any(axis=-1).astype(float), rtol=1e-14)
    assert (weights[~mask] == 0).all()
    assert (output[~mask.any(axis=-1)] == 0).all()


@given(seeds, row_masks, st.permutations(range(N_K)))
def test_keys_and_values_may_come_in_any_order(seed, mask, order):
    q, k, v = qkv(seed=seed)
    output, weights = attention(q, k, v, mask)
    output_2, weights_2 = attention(q, k[order], v[order], mask[:, order])
    assert_allclose(output_2, output, rtol=1e-11, atol=1e-13)
    assert_allclose(weights_2, weights[:, order], rtol=1e-11, atol=1e-300)


@given(seeds, row_masks, st.permutations(range(N_Q)))
def test_queries_do_not_know_of_each_other(seed, mask, order):
    q, k, v = qkv(seed=seed)
    output, weights = attention(q, k, v, mask)
    output_2, weights_2 = attention(q[order], k, v, mask[order])
    assert_allclose(output_2, output[order], rtol=1e-11, atol=1e-13)
    assert_allclose(weights_2, weights[order], rtol=1e-11, atol=1e-300)


@given(seeds, st.integers(1, N_K - 1), st.floats(-1e30, 1e30))
def test_the_future_never_changes_the_past_by_one_bit(seed, t, value):
    q, k, v = qkv(n_q=N_K, seed=seed)
    before = attention_steps(q, k, v, causal_mask(N_K))
    for x in (q, k, v):
        x[t:] = value
    after = attention_steps(q, k, v, causal_mask(N_K))
    assert after.output[:t].tobytes() == before.output[:t].tobytes()
    assert after.weights[:t].tobytes() == before.weights[:t].tobytes()


@given(seeds, st.floats(-1e30, 1e30))
def test_padding_never_changes_a_sentence_by_one_bit(seed, value):
    q, k, v = qkv(B, seed=seed)
    mask = padding_mask([3, 5], N_K)
    before = attention(q, k, v, mask)
    for x in (k, v):
        x[0, 3:] = x[1, 5:] = value
    after = attention(q, k, v, mask)
    assert [x.tobytes() for x in after] == [x.tobytes() for x in before]


@given(seeds)
def test_hidden_keys_are_as_good_as_no_keys(seed):
    q, k, v = qkv(seed=seed)
    seen = np.array([True, False, True, True, False, False, True])
    output, weights = attention(q, k, v, np.tile(seen, (N_Q, 1)))
    output_2, weights_2 = attention(q, k[seen], v[seen])
    assert_allclose(output, output_2, rtol=1e-12, atol=1e-14)
    assert_allclose(weights[:, seen], weights_2, rtol=1e-12)


@given(seeds, moderate.filter(lambda constant: constant != 1))  # only ones: refused as Boolean
def test_a_constant_on_a_row_of_the_mask_changes_nothing(seed, constant):
    without = attention(*qkv(seed=seed))
    added = attention(*qkv(seed=seed), np.full((N_Q, N_K), constant))
    assert_allclose(added[1], without[1], rtol=1e-12)


@given(seeds, row_masks)
def test_the_output_stays_between_the_values(seed, mask):
    """A mixture with weights that sum to one is never outside of what is mixed."""
    mask[:, 0] = True
    q, k, v = qkv(seed=seed)
    output, _ = attention(q, k, v, mask)
    for i in range(N_Q):
        assert (output[i] <= v[mask[i]].max(axis=0) + 1e-12).all()
        assert (output[i] >= v[mask[i]].min(axis=0) - 1e-12).all()


@given(seeds, st.floats(-2, 2), st.floats(-2, 2))
def test_the_output_is_linear_in_the_values(seed, a, b):
    q, k, v = qkv(seed=seed)
    v_2 = normal(N_K, D_V, seed=seed + 7)
    mixed, _ = attention(q, k, a * v + b * v_2)
    parts = a * attention(q, k, v)[0] + b * attention(q, k, v_2)[0]
    assert_allclose(mixed, parts, rtol=1e-11, atol=1e-13)


def test_batched_equals_one_by_one():
    q, k, v = qkv(B, H)
    mask = np.random.default_rng(1).random((B, H, N_Q, N_K)) < 0.5
    output, weights = attention(q, k, v, mask)
    for at in np.ndindex(B, H):
        output_2, weights_2 = attention(q[at], k[at], v[at], mask[at])
        assert_allclose(output[at], output_2, rtol=1e-12, atol=1e-14)
        assert_allclose(weights[at], weights_2, rtol=1e-12)


def test_leading_axes_broadcast():
    q, k, v = qkv(B, H)
    output, _ = attention(q, k[0, 0], v[0, 0])
    expected = [[attention(q[b, h], k[0, 0], v[0, 0])[0] for h in range(H)] for b in range(B)]
    assert_allclose(output, expected, rtol=1e-12, atol=1e-14)
    mask = np.random.default_rng(1).random((B, 1, N_Q, N_K)) < 0.5
    output, weights = attention(*(x[0, 0] for x in (q, k, v)), mask)
    assert (output.shape, weights.shape) == ((B, 1, N_Q, D_V), (B, 1, N_Q, N_K))


def test_scale_multiplies_the_scores():
    q, k, v = qkv()
    steps = attention_steps(q, k, v, scale=0.25)
    assert_array_equal(steps.scaled, steps.scores * 0.25)
    assert_array_equal(attention(q, k, v, scale=D_K**-0.5)[0], attention(q, k, v)[0])
    assert_allclose(attention(q, k, v, scale=0)[1], 1 / N_K, rtol=1e-15)
    assert_array_equal(attention_steps(q, k, v, scale=np.float32(2)).scaled, 2 * steps.scores)


def test_one_path_for_the_formula_and_its_steps():
    q, k, v = qkv(B)
    mask = np.random.default_rng(1).random((N_Q, N_K)) < 0.5
    steps = attention_steps(q, k, v, mask)
    output, weights = attention(q, k, v, mask)
    assert_array_equal(output, steps.output)
    assert_array_equal(weights, steps.weights)
    assert_array_equal(attention_scores(q, k), steps.scores)
    assert steps._fields == ("scores", "scaled", "masked", "weights", "output")


# --- the worked example ---


def test_scores_of_the_worked_example():
    assert_array_equal(attention_scores(Q, K), [[1, 0, 1], [0, 1, 1], [1, 1, 2]])
    scaled = attention_steps(Q, K, V).scaled
    half = 0.707107
    expected = [[half, 0, half], [0, half, half], [half, half, 1.414214]]
    assert_allclose(scaled, expected, atol=5e-7)


def test_masked_scores_of_the_worked_example():
    masked = attention_steps(Q, K, V, causal_mask(3)).masked
    assert_array_equal(np.isneginf(masked), ~causal_mask(3))
    assert_allclose(masked[2], [0.707107, 0.707107, 1.414214], atol=5e-7)


def test_weights_of_the_worked_example():
    _, weights = attention(Q, K, V, causal_mask(3))
    expected = [[1, 0, 0], [0.330238, 0.669762, 0], [0.248255, 0.248255, 0.503490]]
    assert_allclose(weights, expected, atol=5e-7)
    assert_array_equal(weights.round(2), [[1, 0, 0], [0.33, 0.67, 0], [0.25, 0.25, 0.50]])


def test_output_of_the_worked_example():
    """The printed 1.75 comes from rounded weights; the exact value rounds to 1.76."""
    output, weights = attention(Q, K, V, causal_mask(3))
    expected = [[1, 0], [0.330238, 1.339523], [1.758725, 1.000000]]
    assert_allclose(output, expected, atol=1e-6)
    assert_allclose(output, [[1, 0], [0.33, 1.34], [1.75, 1.00]], atol=0.009)
    assert output.round(2)[2, 0] == 1.76
    assert (weights.round(2) @ V)[2, 0] == 1.75
    assert_allclose(output[2, 1], 1, rtol=1e-15)


def test_the_worked_example_by_its_closed_form():
    """With r = e^(1/√2): row 2 is 1, r over 1 + r; row 3 is r, r, r² over 2r + r²."""
    r = np.exp(0.5**0.5)
    _, weights = attention(Q, K, V, additive_mask(causal_mask(3)))
    assert_allclose(weights[1], [1 / (1 + r), r / (1 + r), 0], rtol=1e-14)
    assert_allclose(weights[2], [1 / (2 + r), 1 / (2 + r), r / (2 + r)], rtol=1e-14)


def test_contrasts_of_the_worked_example():
    output, _ = attention(Q, K, V)
    expected = [[1.604448, 0.796664], [1.401112, 1.203336], [1.758725, 1]]
    assert_allclose(output, expected, atol=1e-6)
    output, weights = attention(Q, K, V, causal_mask(3), scale=1)
    assert_allclose(weights[1], [0.268941, 0.731059, 0], atol=5e-7)
    assert_allclose(weights[2], [0.211942, 0.211942, 0.576117], atol=5e-7)
    assert_allclose(output[2], [1.940292, 1], atol=5e-7)
