"""Faults that people have met in attention code, each with its smallest input and right answer.

Every test is named after the kind of fault. All numbers were worked out by hand or taken from
what the right and the wrong recipe give; warnings are errors here as everywhere.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_core
from attention_core import (
    MultiHeadWeights,
    additive_mask,
    attention,
    attention_scores,
    attention_steps,
    causal_mask,
    combine_masks,
    init_multi_head,
    merge_heads,
    multi_head_attention,
    padding_mask,
    project,
    softmax,
    split_heads,
)
from tests.core_checks import head_weights, normal, qkv
from tests.loops import for_each

T, F = True, False
EYE = np.eye(4)


def weights_for(scores, mask=None):
    """Attention weights for scores of our choice: one-hot keys, no scaling."""
    scores = np.atleast_2d(np.asarray(scores, float))
    n_k = scores.shape[-1]
    return attention(scores, np.eye(n_k), np.eye(n_k), mask, scale=1)[1]


def test_zero_by_zero_in_an_empty_row():
    """One query that may see nothing must not turn everything into NaN."""
    zeros = np.zeros((2, 2))
    output, weights = attention(zeros, zeros, [[1, 2], [3, 4]], np.array([[T, T], [F, F]]))
    assert_array_equal(weights, [[0.5, 0.5], [0, 0]])
    assert_array_equal(output, [[2, 3], [0, 0]])


def test_overflow_without_shift():
    expected = [0.0320586033, 0.0871443187, 0.2368828181, 0.6439142599]
    got = softmax([[0, 1, 2, 3], [10000, 10001, 10002, 10003]])
    assert_allclose(got, [expected] * 2, atol=5e-11)
    assert_allclose(
        softmax([1000, 1001, 1002]), [0.0900305732, 0.2447284711, 0.6652409558], atol=5e-11
    )


def test_shift_that_is_not_the_true_maximum():
    assert_array_equal(softmax([-10000, -10000]), [0.5, 0.5])
    assert_array_equal(softmax([-20000, -10000]), [0, 1])


def test_infinity_minus_infinity():
    assert_array_equal(softmax([-np.inf, -np.inf, -np.inf]), [0, 0, 0])
    assert_array_equal(softmax([0, -np.inf, 0]), [0.5, 0, 0.5])


def test_plus_infinity_and_the_sign_of_the_fill():
    """A mask filled with +∞ would give all weight to what it hides: it is refused by name."""
    with pytest.raises(ValueError, match=r"softmax: scores\[2\] is inf"):
        softmax([1, 1, np.inf])
    with pytest.raises(ValueError, match=r"attention: mask\[0, 1\] is inf"):
        weights_for([1, 1], np.array([[0, np.inf]]))
    assert_array_equal(weights_for([0, 5], additive_mask([[T, F]])), [[1, 0]])


def test_silent_axis_error():
    scores = np.array([[1.0, 2], [3, 5]])
    expected = [[0.2689414214, 0.7310585786], [0.1192029220, 0.8807970780]]
    assert_allclose(softmax(scores), expected, atol=5e-11)
    assert_allclose(weights_for(scores), expected, atol=5e-11)
    over_queries = [[0.11920292, 0.04742587], [0.88079708, 0.95257413]]
    assert_allclose(softmax(scores, axis=0), over_queries, atol=5e-9)


@for_each("leading", [(), (1,), (1, 2)])
def test_axis_counted_from_the_front(leading):
    _, weights = attention(*qkv(*leading, n_q=2, n_k=3))
    assert weights.shape == (*leading, 2, 3)
    assert_allclose(weights.sum(-1), 1, rtol=1e-15)
    assert_allclose(softmax(normal(*leading, 2, 3)).sum(-1), 1, rtol=1e-15)


def test_mask_polarity():
    q = k = np.array([[1.0, 0], [0, 1], [1, 1]])
    output, weights = attention(q, k, [[1, 10], [2, 20], [3, 30]], np.tri(3, dtype=bool))
    expected = [[1, 0, 0], [0.33023845, 0.66976155, 0], [0.24825508, 0.24825508, 0.50348984]]
    assert_allclose(weights, expected, atol=5e-9)
    expected = [[1, 10], [1.66976155, 16.69761549], [2.25523477, 22.55234765]]
    assert_allclose(output, expected, atol=5e-9)


def test_zero_is_not_minus_infinity():
    weights = weights_for([2, 1, 3], np.array([[T, T, F]]))
    assert_allclose(weights, [[0.73105858, 0.26894142, 0]], atol=5e-9)


def test_order_of_mask_and_normalisation():
    assert_array_equal(weights_for([0, 0, 0], np.array([[T, T, F]])), [[0.5, 0.5, 0]])


def test_double_normalisation_leaks_the_future():
    _, weights = attention(*qkv(n_q=3, n_k=3), causal_mask(3))
    assert_array_equal(weights[0], [1, 0, 0])


def test_zero_times_infinity():
    assert_array_equal(additive_mask([T, F]), [0, -np.inf])


@for_each("dtype", [np.float16, np.float32, np.float64])
def test_sentinel_ignores_dtype(dtype):
    q, k, v = (x.astype(dtype) for x in qkv(n_q=7))
    for mask in (causal_mask(7), additive_mask(causal_mask(7))):
        output, weights = attention(q, k, v, mask)
        assert np.isfinite(output).all()
        assert np.isfinite(weights).all()
        assert (weights[~causal_mask(7)] == 0).all()


def test_a_float_mask_of_the_lowest_number():
    """Other people's additive masks: the lowest float64 on float32 scores gives no warning."""
    q, k, v = (x.astype(np.float32) for x in qkv(n_q=7))
    mask = np.where(causal_mask(7), 0, np.finfo(np.float64).min)
    _, weights = attention(q, k, v, mask)
    assert (weights[~causal_mask(7)] == 0).all()


def test_adding_sentinels():
    """Masks combine by AND first; what is hidden twice is hidden once."""
    both = combine_masks(causal_mask(3), padding_mask([2], 3))
    expected = [[[0, -np.inf, -np.inf], [0, 0, -np.inf], [0, 0, -np.inf]]]
    assert_array_equal(additive_mask(both), expected)
    with pytest.raises(TypeError, match="combine_masks: a mask must be bool"):
        combine_masks(additive_mask(causal_mask(3)), additive_mask(causal_mask(3)))
    summed = additive_mask(causal_mask(3)) + additive_mask(padding_mask([2], 3))
    assert_array_equal(summed, additive_mask(both))


def test_integer_arithmetic():
    weights = softmax(np.array([1, 2, 3]))
    assert weights.dtype == np.float64
    assert_allclose(weights, [0.09003057, 0.24472847, 0.66524096], atol=5e-9)
    rows = np.array([[100, 100]], dtype=np.int8)  # as int8 the product wraps around to 32
    assert_allclose(attention_steps(rows, rows, rows).scaled, [[14142.1356]], atol=5e-5)
    assert_array_equal(project(rows, rows.mT), [[20000]])
    assert_array_equal(attention(rows, rows, rows)[0], [[100, 100]])


def test_in_place_modification():
    """Nothing is written into what was handed over, and read-only arrays will do."""
    q, k, v = qkv(2)
    x, weights = normal(2, 5, 17), head_weights(attention_core)
    mask, added = np.ones((5, 7), bool), np.zeros((5, 7))
    lengths = np.array([3, 7])
    given = [q, k, v, x, *weights, mask, added, lengths]
    before = [one.tobytes() for one in given]
    for one in given:
        one.flags.writeable = False
    softmax(q), attention(q, k, v, mask), attention_steps(q, k, v, added), attention_scores(q, k)
    padding_mask(lengths, 7), combine_masks(mask, mask), combine_masks(mask), additive_mask(mask)
    project(x, weights.w_q), merge_heads(split_heads(k, 11))
    multi_head_attention(x, weights, 3, context=x, mask=np.ones((5, 5), bool))
    assert [one.tobytes() for one in given] == before


def test_off_by_one_on_the_diagonal():
    assert_array_equal(causal_mask(3), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    assert_array_equal(causal_mask(11).sum(axis=1), np.arange(1, 12))


def test_alignment_of_a_mask_that_is_not_square():
    assert_array_equal(causal_mask(2, 5), [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]])
    assert "bottom-right" in causal_mask.__doc__


PADDED = attention(
    np.zeros((1, 4, 2)), np.zeros((1, 4, 2)), np.ones((1, 4, 2)), padding_mask([2], 4)
)


def test_mask_on_the_wrong_axis():
    _, weights = PADDED
    assert_array_equal(weights[0, :2], [[0.5, 0.5, 0, 0]] * 2)


def test_key_mask_is_not_a_query_mask():
    """Rows of padding queries keep their weights, and the documentation says so."""
    _, weights = PADDED
    assert_array_equal(weights[0, 2:], [[0.5, 0.5, 0, 0]] * 2)
    assert "a padding query still gets weights" in padding_mask.__doc__


def test_tile_or_repeat():
    """Two sentences of different length, two heads: each head gets its own sentence's mask."""
    x, weights = normal(2, 2, 4), MultiHeadWeights(EYE, EYE, EYE, EYE)
    mask = padding_mask([2, 1], 2)
    output, a = multi_head_attention(x, weights, 2, mask=mask)
    assert (a[0] > 0).all()
    assert_array_equal(a[1], [[[1, 0], [1, 0]]] * 2)
    for b in range(2):
        alone = multi_head_attention(x[b : b + 1], weights, 2, mask=mask[b : b + 1])
        assert_allclose(output[b], alone[0][0], rtol=1e-14)
        assert_allclose(a[b], alone[1][0], rtol=1e-14)


def test_square_assumption():
    x, context = np.zeros((1, 2, 4)), np.zeros((1, 3, 4))
    mask = np.array([[[T, T, F], [T, F, F]]])
    weights = MultiHeadWeights(EYE, EYE, EYE, EYE)
    output, a = multi_head_attention(x, weights, 2, context=context, mask=mask)
    assert output.shape == (1, 2, 4)
    assert_array_equal(a, [[[[0.5, 0.5, 0], [1, 0, 0]]] * 2])


def test_scale_of_the_model_width():
    """d_model 8, two heads of 4; the products are 4, 0 and 2 in each head."""
    x = np.zeros((1, 8))
    x[0, [0, 4]] = 1
    context = np.zeros((3, 8))
    context[0, [0, 4]], context[2, [0, 4]] = 4, 2
    eye = np.eye(8)
    _, a = multi_head_attention(x, MultiHeadWeights(eye, eye, eye, eye), 2, context=context)
    assert_allclose(a, [[[0.66524096, 0.09003057, 0.24472847]]] * 2, atol=5e-9)
    root_8 = softmax(np.array([4, 0, 2]) / 8**0.5)
    assert_allclose(root_8, [0.57597535, 0.14002925, 0.28399541], atol=5e-9)
    assert_allclose(weights_for([4, 0, 2]), [[0.86681333, 0.01587624, 0.11731043]], atol=5e-9)


@for_each("d_k", [1, 4, 16, 64, 1024])
def test_hard_coded_scale(d_k):
    ones = np.ones((1, d_k))
    assert_array_equal(attention_steps(ones, ones, ones).scaled, [[d_k**0.5]])


def test_reshape_without_transpose_in_split():
    x = np.arange(8).reshape(1, 2, 4)
    assert_array_equal(split_heads(x, 2), [[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]])


def test_reshape_without_transpose_in_merge():
    x = np.arange(12).reshape(1, 3, 4)
    assert_array_equal(merge_heads(split_heads(x, 2)), x)
    heads = np.arange(12).reshape(2, 3, 2)
    assert_array_equal(merge_heads(heads), [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11]])


def test_order_of_projection_and_split():
    w_q = EYE[[3, 1, 2, 0]]  # swaps features 0 and 3
    assert_array_equal(split_heads(project([[1, 2, 3, 4]], w_q), 2), [[[4, 2]], [[3, 1]]])
    steps = multi_head_attention(np.eye(4), MultiHeadWeights(w_q, EYE, EYE, EYE), 2)
    expected = softmax(np.stack([w_q[:, :2] @ EYE[:, :2].mT, w_q[:, 2:] @ EYE[:, 2:].mT]) / 2**0.5)
    assert_allclose(steps[1], expected, rtol=1e-14)


def test_message_of_a_width_that_heads_do_not_divide():
    with pytest.raises(ValueError, match=r"split_heads: .*\b5\b.*\b2\b"):
        split_heads(np.ones((3, 5)), h=2)
    with pytest.raises(ValueError, match=r"init_multi_head: .*\b5\b.*\b2\b"):
        init_multi_head(np.random.default_rng(0), 5, 2)


@for_each("h", [8, 0, -1])
def test_degenerate_head_count(h):
    with pytest.raises(ValueError, match=rf"split_heads: .*h is {h}"):
        split_heads(np.ones((3, 4)), h)
    with pytest.raises(ValueError, match=rf"init_multi_head: .*h is {h}"):
        init_multi_head(np.random.default_rng(0), 4, h)
    with pytest.raises(ValueError, match=rf"split_heads: .*h is {h}"):
        multi_head_attention(np.ones((3, 4)), MultiHeadWeights(EYE, EYE, EYE, EYE), h)


def test_values_of_another_width():
    q, k = np.ones((1, 4)), np.array([[1.0, 1, 1, 1], [0, 0, 0, 0]])
    output, _ = attention(q, k, [[10, 0], [0, 10]])
    assert output.shape == (1, 2)
    assert_allclose(output, [[8.80797078, 1.19202922]], atol=5e-9)
    weights = init_multi_head(np.random.default_rng(0), 7, 2, d_k=3, d_v=5)
    output, a = multi_head_attention(normal(11, 7), weights, 2)
    assert (output.shape, a.shape) == ((11, 7), (2, 11, 11))


def test_padding_changes_nothing():
    q = np.eye(2)
    k, v = np.array([[1.0, 0], [0, 1], [9, 9]]), np.array([[1.0, 2], [3, 4], [100, 100]])
    expected = [[1.66047690, 2.66047690], [2.33952310, 3.33952310]]
    output, _ = attention(q[None], k[None], v[None], padding_mask([2], 3))
    assert_allclose(output[0], expected, atol=5e-9)
    assert_array_equal(output[0], attention(q, k[:2], v[:2])[0])
    assert attention(q, k, v)[0].min() > 99


@for_each("shape", [(1, 1, 4), (1, 4), (2, 1, 4), (1, 1, 1, 4)])
def test_a_length_of_one_keeps_its_axis(shape):
    leading = shape[:-2]
    v = np.broadcast_to([[7.0, -2, 5]], (*leading, 1, 3))
    output, weights = attention(np.ones(shape), np.ones(shape), v)
    assert_array_equal(weights, np.ones((*leading, 1, 1)))
    assert_array_equal(output, v)
    assert weights.shape == (*leading, 1, 1)


@for_each(("b", "h", "n"), [(1, 2, 3), (2, 1, 3), (2, 2, 1), (1, 1, 1)])
def test_one_head_one_sentence_one_token_keep_their_axes(b, h, n):
    weights = MultiHeadWeights(EYE, EYE, EYE, EYE)
    output, a = multi_head_attention(np.ones((b, n, 4)), weights, h)
    assert (output.shape, a.shape) == ((b, n, 4), (b, h, n, n))


def test_division_by_zero_at_the_end_of_a_control():
    """Temperature is 1/scale here: very cold is the limit, and an infinite scale is refused."""
    scores = np.array([[1.0, 2, 2]])
    assert_allclose(softmax(scores / 1e-3), [[0, 0.5, 0.5]], atol=0)
    _, weights = attention(scores, np.eye(3), np.eye(3), scale=1 / 1e-3)
    assert_allclose(weights, [[0, 0.5, 0.5]], atol=0)
    for scale in (np.inf, -np.inf, np.nan):
        with pytest.raises(ValueError, match="attention: scale is"):
            attention(scores, np.eye(3), np.eye(3), scale=scale)


@for_each("dtype", [np.float32, np.float64])
def test_returned_weights_are_those_that_mixed_the_values(dtype):
    """No dropout here; what is shown is what was used, and it sums to one (or to zero)."""
    q, k, v = (x.astype(dtype) for x in qkv(2, 3))
    mask = np.ones((5, 7), bool)
    mask[2] = False
    output, weights = attention(q, k, v, mask)
    assert ((weights >= 0) & (weights <= 1)).all()
    assert_allclose(weights.sum(-1), np.broadcast_to(mask.any(-1), (2, 3, 5)), atol=1e-6)
    assert_array_equal(weights @ v, output)


def test_silent_averaging_over_heads():
    """Head 0 looks at itself, head 1 at the other token; the mean would be one half everywhere."""
    x = np.eye(2) * 99
    swap = np.eye(2)[::-1]
    weights = MultiHeadWeights(
        np.hstack([np.eye(2), swap]),
        np.hstack([np.eye(2), np.eye(2)]),
        np.hstack([np.eye(2), np.eye(2)]),
        np.vstack([np.eye(2), np.eye(2)]),
    )
    _, a = multi_head_attention(x, weights, 2)
    assert_array_equal(a, [np.eye(2), swap])


def test_global_side_effect():
    """Nobody's own random numbers change; weights come from the generator that was given."""
    before = np.random.get_state()  # noqa: NPY002
    weights = init_multi_head(np.random.default_rng(0), 6, 2)
    multi_head_attention(np.ones((3, 6)), weights, 2, mask=causal_mask(3))
    after = np.random.get_state()  # noqa: NPY002
    assert_array_equal(before[1], after[1])
    assert before[2:] == after[2:]
