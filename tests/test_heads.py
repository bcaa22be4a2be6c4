"""Heads: cut, attend, lay side by side, mix; against one head after another."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes
from numpy.testing import assert_allclose, assert_array_equal

import attention_core
from attention_core import (
    MultiHeadWeights,
    attention,
    causal_mask,
    init_multi_head,
    merge_heads,
    multi_head_attention,
    padding_mask,
    project,
    split_heads,
)
from tests import reference
from tests.core_checks import (
    D_K,
    D_MODEL,
    D_V,
    N_K,
    N_Q,
    B,
    H,
    as_lists,
    head_weights,
    normal,
    random_mask,
)
from tests.loops import for_each

seeds = st.integers(0, 999)
WEIGHTS = head_weights(attention_core)


@given(array_shapes(min_dims=3, max_dims=5, max_side=5))
def test_splitting_undoes_merging(shape):
    heads = np.arange(np.prod(shape)).reshape(shape)
    assert_array_equal(split_heads(merge_heads(heads), shape[-3]), heads)


@given(array_shapes(min_dims=1, max_dims=3, max_side=5), st.integers(1, 5), st.integers(1, 5))
def test_merging_undoes_splitting(shape, h, d_head):
    x = np.arange(np.prod(shape) * h * d_head).reshape(*shape, h * d_head)
    assert split_heads(x, h).shape == (*shape[:-1], h, shape[-1], d_head)
    assert_array_equal(merge_heads(split_heads(x, h)), x)


def test_each_head_is_a_slice_of_every_token():
    x = normal(B, N_Q, H * 11)
    for i in range(H):
        assert_array_equal(split_heads(x, H)[:, i], x[:, :, 11 * i : 11 * (i + 1)])


def test_heads_may_be_lists_and_keep_their_type():
    assert split_heads([[0, 1, 2, 3]], 2).tolist() == [[[0, 1]], [[2, 3]]]
    assert split_heads(np.ones((2, 4), np.float32), 2).dtype == np.float32
    assert merge_heads(np.ones((2, 3, 4), np.float16)).dtype == np.float16


@for_each("kind", ["none", "shared", "per sentence", "padding", "float"])
def test_equals_the_slow_reference(kind):
    x, context = normal(B, N_Q, D_MODEL), normal(B, N_K, D_MODEL)
    mask = {
        "none": None,
        "shared": random_mask(N_Q, N_K),
        "per sentence": random_mask(B, N_Q, N_K),
        "padding": padding_mask([5, 3], N_K),
        "float": normal(B, N_Q, N_K),
    }[kind]
    output, weights = multi_head_attention(x, WEIGHTS, H, context=context, mask=mask)
    assert output.shape == (B, N_Q, D_MODEL)
    assert weights.shape == (B, H, N_Q, N_K)
    for b in range(B):
        own = mask if mask is None or mask.ndim == 2 else mask[b]
        expected = reference.multi_head_attention(
            *as_lists(x[b]), as_lists(*WEIGHTS), H, *as_lists(context[b], own)
        )
        assert_allclose(output[b], expected[0], rtol=1e-11, atol=1e-13)
        assert_allclose(weights[b], expected[1], rtol=1e-11, atol=1e-13)


def test_any_leading_axes():
    x = normal(2, 3, N_Q, D_MODEL)
    mask = random_mask(2, 3, N_Q, N_Q)
    output, weights = multi_head_attention(x, WEIGHTS, H, mask=mask)
    assert weights.shape == (2, 3, H, N_Q, N_Q)
    for at in np.ndindex(2, 3):
        alone = multi_head_attention(x[at], WEIGHTS, H, mask=mask[at])
        assert_allclose(output[at], alone[0], rtol=1e-12, atol=1e-14)
        assert_allclose(weights[at], alone[1], rtol=1e-12)


@given(seeds)
def test_one_head_is_attention_between_projections(seed):
    x, weights = normal(N_Q, D_MODEL, seed=seed), head_weights(attention_core, h=1, seed=seed)
    output, a = multi_head_attention(x, weights, 1)
    one, a_1 = attention(x @ weights.w_q, x @ weights.w_k, x @ weights.w_v)
    assert_allclose(output, one @ weights.w_o, rtol=1e-11, atol=1e-13)
    assert_allclose(a, a_1[None], rtol=1e-12)


@given(seeds)
def test_identical_heads_do_what_one_head_does(seed):
    """h copies side by side, each with an h-th of W_O: parallel is not yet different."""
    x, one = normal(N_Q, D_MODEL, seed=seed), head_weights(attention_core, h=1, seed=seed)
    copies = MultiHeadWeights(
        *(np.tile(w, (1, H)) for w in one[:3]), w_o=np.tile(one.w_o, (H, 1)) / H
    )
    output, a = multi_head_attention(x, copies, H)
    expected, a_1 = multi_head_attention(x, one, 1)
    assert_allclose(output, expected, rtol=1e-11, atol=1e-13)
    assert_allclose(a, np.tile(a_1, (H, 1, 1)), rtol=1e-12)


@given(seeds, st.permutations(range(H)))
def test_heads_have_no_order(seed, order):
    """Move the heads' columns and the rows of W_O along: the same output."""
    x, weights = normal(N_Q, D_MODEL, seed=seed), head_weights(attention_core, seed=seed)

    def move(w, d):
        return np.concatenate([w[..., i * d : (i + 1) * d] for i in order], axis=-1)

    moved = MultiHeadWeights(
        move(weights.w_q, D_K),
        move(weights.w_k, D_K),
        move(weights.w_v, D_V),
        move(weights.w_o.mT, D_V).mT,
    )
    output, a = multi_head_attention(x, weights, H)
    output_2, a_2 = multi_head_attention(x, moved, H)
    assert_allclose(output_2, output, rtol=1e-11, atol=1e-13)
    assert_allclose(a_2, a[list(order)], rtol=1e-12)


@given(seeds, st.permutations(range(N_Q)))
def test_without_a_mask_the_order_of_the_tokens_is_unknown(seed, order):
    x = normal(N_Q, D_MODEL, seed=seed)
    output, _ = multi_head_attention(x, WEIGHTS, H)
    assert_allclose(
        multi_head_attention(x[order], WEIGHTS, H)[0], output[order], rtol=1e-10, atol=1e-12
    )


@given(seeds, st.integers(1, N_Q - 1), st.sampled_from([1e30, -1e30, 0.0]))
def test_the_future_never_changes_the_past(seed, t, value):
    x = normal(N_Q, D_MODEL, seed=seed)
    before = multi_head_attention(x, WEIGHTS, H, mask=causal_mask(N_Q))
    x[t:] = value
    after = multi_head_attention(x, WEIGHTS, H, mask=causal_mask(N_Q))
    assert_array_equal(after[0][:t], before[0][:t])
    assert_array_equal(after[1][:, :t], before[1][:, :t])


def test_context_of_itself_is_self_attention():
    x = normal(N_Q, D_MODEL)
    for got, want in zip(
        multi_head_attention(x, WEIGHTS, H, context=x),
        multi_head_attention(x, WEIGHTS, H),
        strict=True,
    ):
        assert_array_equal(got, want)


def test_one_sentence_may_read_a_batch_of_contexts():
    x, context = normal(N_Q, D_MODEL), normal(B, N_K, D_MODEL)
    output, weights = multi_head_attention(x, WEIGHTS, H, context=context)
    assert (output.shape, weights.shape) == ((B, N_Q, D_MODEL), (B, H, N_Q, N_K))
    for b in range(B):
        alone = multi_head_attention(x, WEIGHTS, H, context=context[b])
        assert_allclose(output[b], alone[0], rtol=1e-12, atol=1e-14)


def test_projecting_is_one_product_for_every_token():
    x, w = normal(B, N_Q, D_MODEL), normal(D_MODEL, D_K)
    for at in np.ndindex(B, N_Q):
        expected = reference.matmul([x[at].tolist()], w.tolist())[0]
        assert_allclose(project(x, w)[at], expected, rtol=1e-12, atol=1e-14)


def test_new_weights_have_the_promised_sizes():
    weights = init_multi_head(np.random.default_rng(0), D_MODEL, H, d_k=D_K, d_v=D_V)
    shapes = [(D_MODEL, H * D_K), (D_MODEL, H * D_K), (D_MODEL, H * D_V), (H * D_V, D_MODEL)]
    assert [w.shape for w in weights] == shapes
    assert weights._fields == ("w_q", "w_k", "w_v", "w_o")
    only_d_k = init_multi_head(np.random.default_rng(0), 12, 3, d_k=5)
    assert [w.shape for w in only_d_k] == [(12, 15), (12, 15), (12, 12), (12, 12)]
    output, _ = multi_head_attention(normal(N_Q, D_MODEL), weights, H)
    assert output.shape == (N_Q, D_MODEL)


def test_the_same_seed_draws_the_same_weights():
    first, again, other = (init_multi_head(np.random.default_rng(s), 6, 2) for s in (1, 1, 2))
    assert_array_equal(np.stack(first), np.stack(again))
    assert not np.array_equal(np.stack(first), np.stack(other))


@for_each(
    ("call", "error", "sentence"),
    [
        (
            lambda: split_heads(np.ones((3, 5)), 2),
            ValueError,
            "split_heads: the width is 5 and h is 2: h must divide the width",
        ),
        (
            lambda: split_heads(np.ones((3, 4)), 8),
            ValueError,
            "split_heads: the width is 4 and h is 8: h must divide the width",
        ),
        (
            lambda: split_heads(np.ones((3, 4)), 0),
            ValueError,
            "split_heads: h is 0; it must be at least 1",
        ),
        (
            lambda: split_heads(np.ones((3, 4)), 2.0),
            TypeError,
            "split_heads: h must be a whole number, not 2.0",
        ),
        (
            lambda: split_heads(np.ones(4), 2),
            ValueError,
            "split_heads: x is (4,); it needs at least two axes (n, d)",
        ),
        (
            lambda: merge_heads(np.ones((3, 4))),
            ValueError,
            "merge_heads: x is (3, 4); it needs three axes (h, n, d_head)",
        ),
        (
            lambda: project(np.ones((5, 3)), np.ones((4, 7))),
            ValueError,
            "project: x is (5, 3) but w is (4, 7): the last size of x must be the first size of w",
        ),
        (
            lambda: multi_head_attention(np.ones((5, 3)), WEIGHTS, H),
            ValueError,
            "project: x is (5, 3) but w is (17, 33): "
            "the last size of x must be the first size of w",
        ),
        (
            lambda: init_multi_head(np.random.default_rng(0), 17, 3),
            ValueError,
            "init_multi_head: d_model is 17 and h is 3: h must divide d_model",
        ),
        (
            lambda: init_multi_head(np.random.default_rng(0), 17, 3, d_k=0, d_v=1),
            ValueError,
            "init_multi_head: d_k is 0; it must be at least 1",
        ),
    ],
)
def test_errors_are_one_sentence(call, error, sentence):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == sentence
