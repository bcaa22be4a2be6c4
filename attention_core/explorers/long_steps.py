"""Lesson 17's explorer computes: one query, block by block, and the cost of a whole text."""

from functools import cache

import numpy as np

from attention_core.attention import attention_steps
from attention_core.blockwise.costs import Cost, blockwise_cost, visible_pairs
from attention_core.blockwise.running import online_steps
from attention_core.masks import causal_mask

WIDTH = 64  # d_k and d_v there
D_V = 2
_D_K, _SEED = 3, 5


@cache
def reading(n, block, causal, quarter):
    """The exact steps of one query, what is remembered after each block, and the values."""
    q, k, v = drawn(n)
    row = slice(quarter * n // 4 - 1, quarter * n // 4)
    mask = causal_mask(n)[row] if causal else None
    states = online_steps(q[row], k, v, mask, block=block)
    return attention_steps(q[row], k, v, mask), states, v


@cache
def blocks_to_read(n, block, causal, quarter):
    """How many blocks hold a key that this query may read; it is at the end of its quarter."""
    mask = causal_mask(n) if causal else np.ones((n, n), bool)
    query = quarter * n // 4 - 1
    return int((visible_pairs(mask[query : query + 1], block) > 0).sum())


def drawn(n):
    """Random queries, keys and values; the scores are far enough apart to see m grow."""
    rng = np.random.default_rng(_SEED)
    q, k = 2 * rng.normal(size=(n, _D_K)), rng.normal(size=(n, _D_K))
    return q, k, rng.integers(0, 10, size=(n, D_V)).astype(float)


def tiled_cost(n, block, causal):
    """The cost of the blockwise form, counted in tiles; those wholly in the future are skipped."""
    one, side = blockwise_cost(block, WIDTH, WIDTH, block), n // block
    tiles = side * (side + 1) // 2 if causal else side * side
    return Cost(tiles * one.multiplications, one.held)
