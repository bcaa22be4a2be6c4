"""Lesson 17: long sequences."""

from fractions import Fraction

import numpy as np

from attention_core import causal_mask


def merged(m, l1, o1, l2, o2):
    """The result, from two blocks that are relative to the same maximum already."""
    return m, l1 + l2, o1 + o2


def absolute(m1, l1, o1, m2, l2, o2):
    m = max(m1, m2)
    low, high = l1 * np.exp(m1) + l2 * np.exp(m2), o1 * np.exp(m1) + o2 * np.exp(m2)
    return m, low / np.exp(m), high / np.exp(m)


def by_branches(m1, l1, o1, m2, l2, o2):
    if m1 >= m2:
        fade = np.exp(m2 - m1)
        return merged(m1, l1, o1, l2 * fade, o2 * fade)
    return by_branches(m2, l2, o2, m1, l1, o1)


def one_sided(m1, l1, o1, m2, l2, o2):
    fade = np.exp(m1 - m2)
    return m2, l1 * fade + l2, o1 * fade + o2


def faded_by(fade):
    """The merging with another factor of a block."""

    def answer(m1, l1, o1, m2, l2, o2):
        m = max(m1, m2)
        return merged(m, l1 * fade(m1, m), o1 * fade(m1, m), l2 * fade(m2, m), o2 * fade(m2, m))

    return answer


def in_place(m1, l1, o1, m2, l2, o2):
    m = max(m1, m2)
    o1 *= np.exp(m1 - m)
    o1 += o2 * np.exp(m2 - m)
    return m, l1 * np.exp(m1 - m) + l2 * np.exp(m2 - m), o1


def stacked(m1, l1, o1, m2, l2, o2):
    peaks = np.array([m1, m2])
    powers = np.exp(peaks - peaks.max())
    return peaks.max(), powers @ [l1, l2], powers @ np.array([o1, o2])


def right(m1, l1, o1, m2, l2, o2):
    return faded_by(lambda one, m: np.exp(one - m))(m1, l1, o1, m2, l2, o2)


def tiles_in_a_loop(n, block):
    return sum(1 for i in range(0, n, block) for j in range(0, n, block) if j <= i)


def tiles_from_the_mask(n, block):
    if n > 200:
        side = (n + block - 1) // block
        return sum(range(side + 1))
    mask = np.tri(n)
    edges = range(0, n, block)
    return int(sum(mask[i : i + block, j : j + block].any() for i in edges for j in edges))


def cached_in_a_loop(n_new, n_cached):
    return [[j <= n_cached + i for j in range(n_cached + n_new)] for i in range(n_new)]


def beside_each_other(n_new, n_cached):
    return np.hstack([np.ones((n_new, n_cached), bool), np.tri(n_new, dtype=bool)])


WRONG = {
    "merge_blocks": {
        "the second is always higher": one_sided,
        "absolute: it overflows": absolute,
        "in place": in_place,
        "larger sum": lambda m1, l1, o1, m2, l2, o2: (max(m1, m2), max(l1, l2), o1 + o2),
        "maxima added": lambda *b: (b[0] + b[3], *right(*b)[1:]),
        "smaller maximum": lambda *b: (min(b[0], b[3]), *right(*b)[1:]),
        "mean": lambda *b: (right(*b)[0], right(*b)[1] / 2, right(*b)[2] / 2),
        "by powers of 2": faded_by(lambda one, m: 2 ** (one - m)),
        "by quotients": faded_by(lambda one, m: one / m),
        "half as fast": faded_by(lambda one, m: np.exp((one - m) / 2)),
        "without exponential": faded_by(lambda one, m: max(1 + one - m, 0)),
        "order l, m, o": lambda *b: (right(*b)[1], right(*b)[0], right(*b)[2]),
        "only the mixture": lambda *b: right(*b)[2],
        "first block only": lambda m1, l1, o1, m2, l2, o2: (m1, l1, o1),
        "higher block only": lambda *b: b[:3] if b[0] > b[3] else b[3:],
        "rounded": lambda *b: tuple(np.round(x, 2) for x in right(*b)),
        "whole numbers": lambda *b: (*right(*b)[:2], right(*b)[2].astype(int)),
        "divided: in one go": lambda *b: (*right(*b)[:2], right(*b)[2] / right(*b)[1]),
    },
    "bytes_held": {
        "kilobytes": {"plain": 65536, "chunks": 1024, "tiles": 16},
        "float16": {"plain": 2 * 4096**2, "chunks": 2 * 64 * 4096, "tiles": 2 * 64 * 64},
        "half of them": {"plain": 2 * 4096**2},
        "off by one": {"plain": 4 * 4096**2 + 1},
        "rounded": {"plain": 6.7e7},
        "number of chunks": {"chunks": 64},
        "numbers: tiles": {"tiles": 64 * 64},
        "text": {"tiles": "16384"},
        "one tile row": {"tiles": 4 * 64},
        "plain twice": {"chunks": 4 * 4096**2},
        "float64: only plain": {"plain": 8 * 4096**2},
        "a list": {"plain": [4 * 4096**2]},
    },
    "tiles_needed": {
        "by rounding": lambda n, block: round(n / block) * (round(n / block) + 1) // 2,
        "one side": lambda n, block: -(-n // block),
        "one too many on the side": lambda n, block: (n // block + 1) * (n // block + 2) // 2,
        "no_diagonal: sum to the last": lambda n, block: sum(range(-(-n // block))),
        "half, rounded up": lambda n, block: -(-((-(-n // block)) ** 2) // 2),
        "of the first": lambda n, block: 10,
        "tokens in the mask, divided": lambda n, block: n * (n + 1) / 2 / block**2,
        "rounded up at the end": lambda n, block: -(-n * (n + 1) // (2 * block * block)),
        "block below n only": lambda n, block: (
            0 if block > n else -(-n // block) * (-(-n // block) + 1) // 2
        ),
        "as text": lambda n, block: str(-(-n // block) * (-(-n // block) + 1) // 2),
        "a list": lambda n, block: [-(-n // block) * (-(-n // block) + 1) // 2],
        "all_tiles: in a loop": lambda n, block: sum(
            1 for i in range(0, n, block) for j in range(0, n, block)
        ),
        "no_diagonal: in a loop": lambda n, block: sum(
            1 for i in range(0, n, block) for j in range(0, i, block)
        ),
    },
    "cache_mask": {
        "only the new": lambda n_new, n_cached: np.tri(n_new, dtype=bool),
        "cache on the right": lambda n_new, n_cached: beside_each_other(n_new, n_cached)[:, ::-1],
        "cache after the new": lambda n_new, n_cached: np.hstack(
            [np.tri(n_new, dtype=bool), np.ones((n_new, n_cached), bool)]
        ),
        "the whole square": lambda n_new, n_cached: np.tri(n_cached + n_new, dtype=bool),
        "cache hidden": lambda n_new, n_cached: np.hstack(
            [np.zeros((n_new, n_cached), bool), np.tri(n_new, dtype=bool)]
        ),
        "numbers": lambda n_new, n_cached: np.tri(n_new, n_cached + n_new, k=n_cached),
        "added": lambda n_new, n_cached: np.where(beside_each_other(n_new, n_cached), 0.0, -np.inf),
        "transposed": lambda n_new, n_cached: beside_each_other(n_new, n_cached).T,
        "swapped": lambda n_new, n_cached: np.tri(n_cached, n_cached + n_new, k=n_new, dtype=bool),
        "only the cache": lambda n_new, n_cached: np.hstack(
            [np.ones((n_new, n_cached), bool), np.zeros((n_new, n_new), bool)]
        ),
        "each new one sees itself only": lambda n_new, n_cached: np.hstack(
            [np.ones((n_new, n_cached), bool), np.eye(n_new, dtype=bool)]
        ),
        "one row": lambda n_new, n_cached: np.ones(n_new + n_cached, bool),
        "shifted by the new": lambda n_new, n_cached: np.tri(
            n_new, n_cached + n_new, k=n_new, dtype=bool
        ),
        "top_left: by places": lambda n_new, n_cached: (
            np.arange(n_new)[:, None] >= np.arange(n_cached + n_new)
        ),
        "upside_down: by not": lambda n_new, n_cached: ~beside_each_other(n_new, n_cached),
    },
}
RIGHT = {
    "merge_blocks": {
        "by branches": by_branches,
        "stacked": stacked,
        "a list": lambda *b: list(right(*b)),
        "minimum subtracted last": faded_by(
            lambda one, m: 1 / np.exp(m - one) if m - one < 700 else 0
        ),
    },
    "bytes_held": {
        "floats": {"plain": 4.0 * 4096**2, "tiles": 16384.0},
        "of arrays": {"chunks": np.zeros((64, 4096), np.float32).nbytes},
        "fractions": {"tiles": Fraction(32768, 2)},
        "capital keys": {"Plain": 4 * 4096**2, "Chunks": 4 * 64 * 4096, "Tiles": 4 * 64 * 64},
    },
    "tiles_needed": {
        "in a loop": tiles_in_a_loop,
        "from the mask": tiles_from_the_mask,
        "a sum": lambda n, block: sum(range(1, -(-n // block) + 1)),
        "ceil": lambda n, block: int(np.ceil(n / block) * (np.ceil(n / block) + 1) / 2),
        "a float": lambda n, block: float(sum(range(1 + -(-n // block)))),
    },
    "cache_mask": {
        "in a loop": cached_in_a_loop,
        "beside each other": beside_each_other,
        "the course's": lambda n_new, n_cached: causal_mask(n_new, n_cached + n_new),
        "cut from the square": lambda n_new, n_cached: np.tri(n_cached + n_new, dtype=bool)[
            n_cached:
        ],
        "by places": lambda n_new, n_cached: (
            np.arange(n_cached, n_cached + n_new)[:, None] >= np.arange(n_cached + n_new)
        ),
    },
}
