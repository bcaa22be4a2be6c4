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


def _fading(fade1, fade2, maximum=max):
    """The merging with other factors, made of m1, m2 and their maximum."""

    def merged(m1, l1, o1, m2, l2, o2):
        one, two = fade1(m1, max(m1, m2)), fade2(m2, max(m1, m2))
        return maximum(m1, m2), l1 * one + l2 * two, o1 * one + o2 * two

    return merged


def _falling(one, m):
    return np.exp(one - m)


def _absolute(one, m):
    return np.exp(one)


def _kept(one, m):
    return 1.0


def _mixture(change):
    """The merging right, but for the mixture: change(total, o, l1, o1, l2, o2)."""

    def merged(m1, l1, o1, m2, l2, o2):
        m, total, o = merge_blocks(m1, l1, o1, m2, l2, o2)
        return m, total, change(total, o, l1, o1, l2, o2)

    return merged


MERGE_BLOCKS = Exercise(
    merge_blocks,
    stands_for=("read_block",),
    cases=_pieces,
    mistakes={
        "not_rescaled": _fading(_kept, _kept),
        "only_the_sum": _mixture(lambda total, o, l1, o1, l2, o2: o1 + o2),
        "wrong_way": _fading(lambda one, m: np.exp(m - one), lambda one, m: np.exp(m - one)),
        "first_only": _fading(_falling, _kept),
        "normalised_first": _mixture(lambda total, o, l1, o1, l2, o2: o1 / l1 + o2 / l2),
        "divided": _mixture(lambda total, o, l1, o1, l2, o2: o / total),
        "absolute": _fading(_absolute, _absolute),
        "no_maximum": _fading(_absolute, _absolute, maximum=lambda m1, m2: 0.0),
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
