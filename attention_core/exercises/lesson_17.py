"""Lesson 17: attend to long sequences."""

import numpy as np

from attention_core.exercises.checking.exercise import Exercise

__all__ = ["EXERCISES"]


def merge_blocks(m1, l1, o1, m2, l2, o2):
    m = max(m1, m2)
    fade1, fade2 = np.exp(m1 - m), np.exp(m2 - m)
    return m, l1 * fade1 + l2 * fade2, o1 * fade1 + o2 * fade2


def bytes_held():
    n, block, size = 4096, 64, 4
    return {"plain": n * n * size, "chunks": block * n * size, "tiles": block * block * size}


def tiles_needed(n, block):
    side = -(-n // block)
    return side * (side + 1) // 2


def cache_mask(n_new, n_cached):
    return np.tri(n_new, n_cached + n_new, k=n_cached, dtype=bool)


def _pieces():
    """Two blocks as the learner may get them: either may hold the higher peak."""
    return [
        (3.0, 2.0, np.array([10.0]), 3.0, 1.0, np.array([5.0])),
        (1.0, 1.5, np.array([4.0, 2.0]), 3.0, 1.25, np.array([1.0, 6.0])),
        (1000.0, 1.5, np.array([4.0, 2.0]), 1002.0, 1.25, np.array([1.0, 6.0])),
        (5.5, 1.75, np.array([7.3, -2.2, 3.1]), 2.25, 2.5, np.array([1.4, 4.7, -6.6])),
    ]


def _sizes():
    return [(8, 2), (8, 4), (8, 8), (13, 4), (15, 4), (3, 8), (64, 8), (1000, 3)]


def _lengths():
    return [(1, 4), (2, 3), (3, 0), (3, 5), (5, 2), (1, 0), (4, 4)]


def _not_rescaled(m1, l1, o1, m2, l2, o2):
    return max(m1, m2), l1 + l2, o1 + o2


def _only_the_sum(m1, l1, o1, m2, l2, o2):
    m, total, _ = merge_blocks(m1, l1, o1, m2, l2, o2)
    return m, total, o1 + o2


def _wrong_way(m1, l1, o1, m2, l2, o2):
    m = max(m1, m2)
    up1, up2 = np.exp(m - m1), np.exp(m - m2)
    return m, l1 * up1 + l2 * up2, o1 * up1 + o2 * up2


def _first_only(m1, l1, o1, m2, l2, o2):
    fade = np.exp(m1 - max(m1, m2))
    return max(m1, m2), l1 * fade + l2, o1 * fade + o2


def _normalised_first(m1, l1, o1, m2, l2, o2):
    m, total, _ = merge_blocks(m1, l1, o1, m2, l2, o2)
    return m, total, o1 / l1 + o2 / l2


def _divided(m1, l1, o1, m2, l2, o2):
    m, total, o = merge_blocks(m1, l1, o1, m2, l2, o2)
    return m, total, o / total


def _absolute(m1, l1, o1, m2, l2, o2):
    _, total, o = _no_maximum(m1, l1, o1, m2, l2, o2)
    return max(m1, m2), total, o


def _no_maximum(m1, l1, o1, m2, l2, o2):
    e1, e2 = np.exp(m1), np.exp(m2)
    return 0.0, l1 * e1 + l2 * e2, o1 * e1 + o2 * e2


MERGE_BLOCKS = Exercise(
    merge_blocks,
    stands_for=("read_block",),
    cases=_pieces,
    mistakes={
        "not_rescaled": _not_rescaled,
        "only_the_sum": _only_the_sum,
        "wrong_way": _wrong_way,
        "first_only": _first_only,
        "normalised_first": _normalised_first,
        "divided": _divided,
        "absolute": _absolute,
        "no_maximum": _no_maximum,
    },
)

BYTES_HELD = Exercise(
    bytes_held,
    mistakes={
        "numbers": {"plain": 4096**2, "chunks": 64 * 4096, "tiles": 64 * 64},
        "float64": {"plain": 8 * 4096**2, "chunks": 8 * 64 * 4096, "tiles": 8 * 64 * 64},
        "chunks_as_tiles": {"chunks": 4 * 64 * 64},
        "tiles_as_chunks": {"tiles": 4 * 64 * 4096},
        "one_row": {"plain": 4 * 4096},
    },
)

TILES_NEEDED = Exercise(
    tiles_needed,
    stands_for=("visible_pairs", "blockwise_cost"),
    cases=_sizes,
    mistakes={
        "all_tiles": lambda n, block: (-(-n // block)) ** 2,
        "half_of_all": lambda n, block: (-(-n // block)) ** 2 // 2,
        "no_diagonal": lambda n, block: -(-n // block) * (-(-n // block) - 1) // 2,
        "rounded_down": lambda n, block: (n // block) * (n // block + 1) // 2,
        "not_whole": lambda n, block: n / block * (n / block + 1) / 2,
        "pairs_of_tokens": lambda n, block: n * (n + 1) // 2,
    },
)

CACHE_MASK = Exercise(
    cache_mask,
    stands_for=("causal_mask",),
    is_mask=True,
    cases=_lengths,
    mistakes={
        "top_left": lambda n_new, n_cached: np.tri(n_new, n_cached + n_new, dtype=bool),
        "one_too_few": lambda n_new, n_cached: np.tri(
            n_new, n_cached + n_new, k=n_cached - 1, dtype=bool
        ),
        "one_too_many": lambda n_new, n_cached: np.tri(
            n_new, n_cached + n_new, k=n_cached + 1, dtype=bool
        ),
        "everything_open": lambda n_new, n_cached: np.ones((n_new, n_cached + n_new), dtype=bool),
        "upside_down": lambda n_new, n_cached: (
            ~np.tri(n_new, n_cached + n_new, k=n_cached, dtype=bool)
        ),
        "old_keys_only": lambda n_new, n_cached: np.ones((n_new, n_cached), dtype=bool),
    },
)

EXERCISES = (MERGE_BLOCKS, BYTES_HELD, TILES_NEEDED, CACHE_MASK)
