"""Softmax in pieces against the whole softmax, and the costs against plain counting."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attention_core import causal_mask
from attention_core.blockwise import costs as tile_costs
from attention_core.blockwise import running as online
from attention_core.blockwise.running import Running, online_steps, output_so_far
from tests.loops import for_each
from tests.planted import planted
from tests.reference import attention as slow_attention

N_Q, N_K, D_K, D_V = 5, 11, 3, 2


def qkv(seed=0):
    rng = np.random.default_rng(seed)
    shapes = (N_Q, D_K), (N_K, D_K), (N_K, D_V)
    return [3 * rng.normal(size=shape) for shape in shapes]


def each_state_knows_the_keys_so_far(module):
    q, k, v = qkv()
    for mask in (None, causal_mask(N_Q, N_K)):
        for block in (1, 4, N_K, 20):
            steps = module.online_steps(q, k, v, mask, block=block)
            assert len(steps) == 1 + math.ceil(N_K / block)
            for t, state in enumerate(steps[1:], start=1):
                read = min(t * block, N_K)
                seen = np.ones((N_Q, read), bool) if mask is None else mask[:, :read]
                expected, _ = slow_attention(
                    q.tolist(), k[:read].tolist(), v[:read].tolist(), seen.tolist()
                )
                assert_allclose(module.output_so_far(state), expected, rtol=1e-12, atol=1e-14)
                scores = np.where(seen, q @ k[:read].mT / math.sqrt(D_K), -np.inf)
                assert_allclose(state.maximum, scores.max(axis=1))
                assert (state.denominator <= read).all()


def huge_scores_do_not_overflow(module):
    q, k, v = qkv(1)
    end = module.online_steps(1e4 * q, k, v, block=2)[-1]
    best = (q @ k.mT).argmax(axis=1)  # the best key takes everything
    assert_allclose(module.output_so_far(end), v[best])


def a_query_that_sees_nothing_stays_empty(module):
    mask = np.zeros((N_Q, N_K), bool)
    mask[1, 7] = True
    end = module.online_steps(*qkv(2), mask, block=3)[-1]
    assert_array_equal(np.flatnonzero(end.denominator), [1])
    assert_array_equal(module.output_so_far(end)[[0, 2, 3, 4]], 0)


CHECKS = [
    each_state_knows_the_keys_so_far,
    huge_scores_do_not_overflow,
    a_query_that_sees_nothing_stays_empty,
]
MUTANTS = [
    ("running.denominator * rescale", "running.denominator", each_state_knows_the_keys_so_far),
    (
        "running.accumulator * rescale[..., None]",
        "running.accumulator",
        each_state_knows_the_keys_so_far,
    ),
    (
        "np.exp(running.maximum - level)",
        "np.exp(level - running.maximum)",
        huge_scores_do_not_overflow,
    ),
    (
        "np.where(np.isfinite(maximum), maximum, 0)",
        "maximum",
        a_query_that_sees_nothing_stays_empty,
    ),
    ("(denominator + (denominator == 0))", "denominator", a_query_that_sees_nothing_stays_empty),
    ("np.maximum(running.maximum, ", "np.maximum(0, ", each_state_knows_the_keys_so_far),
    ("slice(start, start + block)", "slice(start, -1)", each_state_knows_the_keys_so_far),
]


@for_each("check", CHECKS)
def test_online(check):
    check(online)


@for_each(("old", "new", "check"), MUTANTS)
def test_a_planted_mistake_is_noticed(old, new, check):
    with pytest.raises((AssertionError, RuntimeWarning, ValueError)):
        check(planted(online, old, new))


def test_leading_axes_are_carried_along():
    heads = [qkv(seed) for seed in (3, 4)]
    q, k, v = (np.stack(x) for x in zip(*heads, strict=True))
    together = output_so_far(online_steps(q, k, v, block=4)[-1])
    for h, inputs in enumerate(heads):
        assert_allclose(together[h], output_so_far(online_steps(*inputs, block=4)[-1]))


def test_nothing_read_is_zero():
    state = Running(np.array([-np.inf]), np.array([0.0]), np.zeros((1, 2)))
    assert_array_equal(output_so_far(state), [[0, 0]])


@for_each("block", [0, -1])
def test_a_block_holds_at_least_one_key(block):
    with pytest.raises(ValueError, match=r"^online_steps: block is"):
        online_steps(*qkv(), block=block)


def counted(n, block, causal):
    """Multiplications, by walking through all tiles and pairs."""
    products = 0
    for top in range(0, n, block):
        for left in range(0, n, block):
            pairs = [
                (i, j)
                for i in range(top, min(top + block, n))
                for j in range(left, min(left + block, n))
            ]
            if not causal or any(j <= i for i, j in pairs):
                products += len(pairs) * (D_K + D_V)
    return products


@for_each("causal", [False, True])
@for_each(("n", "block"), [(8, 2), (13, 4), (7, 7), (5, 9), (6, 1)])
def test_costs_are_those_of_a_walk_through_the_tiles(n, block, causal):
    cost = tile_costs.blockwise_cost(n, D_K, D_V, block, causal)
    assert cost.multiplications == counted(n, block, causal)
    rows = min(n, block)
    assert cost.held == rows * rows + rows * (1 + 1 + D_V)
    assert tile_costs.plain_cost(n, D_K, D_V) == (counted(n, n, False), n * n)


def test_visible_pairs_of_any_mask():
    mask = np.random.default_rng(5).random((5, 7)) < 0.5
    pairs = tile_costs.visible_pairs(mask, 3)
    assert pairs.shape == (2, 3)
    for i, j in np.ndindex(pairs.shape):
        assert pairs[i, j] == mask[3 * i : 3 * i + 3, 3 * j : 3 * j + 3].sum()


@for_each("wrong", [{"n": 0}, {"d_k": 0}, {"block": 0}])
def test_sizes_start_at_one(wrong):
    sizes = {"n": 4, "d_k": 3, "d_v": 2, "block": 2} | wrong
    with pytest.raises(ValueError, match=r"^blockwise_cost: .* must be at least 1"):
        tile_costs.blockwise_cost(**sizes)
