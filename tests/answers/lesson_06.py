"""Lesson 06: the spread of scores."""

from fractions import Fraction

import numpy as np


def scaled(q, k, divisor):
    return q @ k.T / divisor


def in_place(q, k):
    q /= np.sqrt(q.shape[1])
    return q @ k.T


def by_loops(q, k):
    root = q.shape[1] ** 0.5
    return [[sum(x * y for x, y in zip(a, b, strict=True)) / root for b in k] for a in q]


def entry_by_entry(weights):
    n = len(weights)
    return [[weights[i] * ((i == j) - weights[j]) for j in range(n)] for i in range(n)]


def numerically(weights):
    """By small steps of the scores."""
    scores, step = np.log(weights + 1e-300), 1e-6
    columns = []
    for j in range(len(weights)):
        nudge = step * (np.arange(len(weights)) == j)
        up, down = np.exp(scores + nudge), np.exp(scores - nudge)
        columns.append((up / up.sum() - down / down.sum()) / (2 * step))
    return np.array(columns).T


def filled_diagonal(weights):
    jacobian = -np.outer(weights, weights)
    np.fill_diagonal(jacobian, weights * (1 - weights))
    return jacobian


WRONG = {
    "std_of_256": {
        "its square": 65536,
        "root of the root": 4,
        "log": 8,
        "reciprocal": 1 / 256,
        "zero": 0,
        "nearly": 15.9,
        "minus": -16,
        "text": "16",
        "a list": [16],
        "off by one": 17,
        "variance: as a float": 256.0,
    },
    "scaled_scores": {
        "root of 3": lambda q, k: scaled(q, k, np.sqrt(3)),
        "root of d_k less 1": lambda q, k: scaled(q, k, np.sqrt(max(q.shape[1] - 1, 1))),
        "whole numbers": lambda q, k: q @ k.T // np.sqrt(q.shape[1]),
        "root of the size": lambda q, k: scaled(q, k, np.sqrt(q.size)),
        "root rounded": lambda q, k: scaled(q, k, np.sqrt(q.shape[1]).round(2)),
        "root cut": lambda q, k: scaled(q, k, int(np.sqrt(q.shape[1]))),
        "d_k_itself: both divided": lambda q, k: scaled(
            q / np.sqrt(q.shape[1]), k / np.sqrt(q.shape[1]), 1
        ),
        "q changed in place": in_place,
        "spread of its own": lambda q, k: scaled(q, k, (q @ k.T).std() + 1e-9),
        "cosines": lambda q, k: scaled(
            q, k, np.outer(np.linalg.norm(q, axis=1), np.linalg.norm(k, axis=1))
        ),
        "fourth root": lambda q, k: scaled(q, k, q.shape[1] ** 0.25),
        "rounded": lambda q, k: scaled(q, k, np.sqrt(q.shape[1])).round(2),
        "softmax": lambda q, k: np.exp(scaled(q, k, np.sqrt(q.shape[1]))),
        "root of the features of two": lambda q, k: scaled(q, k, np.sqrt(2 * q.shape[1])),
        "logarithm": lambda q, k: scaled(q, k, np.log2(q.shape[1])),
        "signs dropped": lambda q, k: np.abs(scaled(q, k, np.sqrt(q.shape[1]))),
        "square": lambda q, k: scaled(q, q, np.sqrt(q.shape[1])),
        "transposed: in other words": lambda q, k: scaled(k, q, np.sqrt(k.shape[1])),
    },
    "row_jacobian": {
        "weights times one less": lambda weights: np.outer(weights, 1 - weights),
        "rows of the identity": lambda weights: np.eye(len(weights)) - weights,
        "without the first factor": lambda weights: (
            np.eye(len(weights)) - np.outer(weights, weights)
        ),
        "outer only": lambda weights: np.outer(weights, weights),
        "negative outer": lambda weights: -np.outer(weights, weights),
        "rounded": lambda weights: (np.diag(weights) - np.outer(weights, weights)).round(3),
        "transposed product": lambda weights: np.diag(weights) - weights * weights,
        "diagonal squared": lambda weights: np.diag(weights**2) - np.outer(weights, weights),
        "half": lambda weights: (np.diag(weights) - np.outer(weights, weights)) / 2,
        "largest only": lambda weights: np.diag(weights) - weights.max() ** 2,
        "upper half": lambda weights: np.triu(np.diag(weights) - np.outer(weights, weights)),
        "one number": lambda weights: (weights * (1 - weights)).sum(),
        "softmax first": lambda weights: numerically(np.exp(weights) / np.exp(weights).sum()),
        "diagonal_only: by eye": lambda weights: np.eye(len(weights)) * weights,
    },
}
RIGHT = {
    "std_of_256": {
        "a root": np.sqrt(256),
        "a power": 256**0.5,
        "a fraction": Fraction(32, 2),
        "whole": 16,
    },
    "scaled_scores": {
        "by loops": by_loops,
        "power": lambda q, k: q @ k.T * k.shape[1] ** -0.5,
        "queries scaled": lambda q, k: (q / np.sqrt(len(q[0]))) @ k.T,
        "both by the fourth root": lambda q, k: (
            (q / q.shape[1] ** 0.25) @ (k / k.shape[1] ** 0.25).T
        ),
        "einsum": lambda q, k: np.einsum("id,jd->ij", q, k) / np.sqrt(k.shape[-1]),
    },
    "row_jacobian": {
        "entry by entry": entry_by_entry,
        "filled diagonal": filled_diagonal,
        "identity": lambda weights: weights[:, None] * (np.eye(len(weights)) - weights),
        "transposed": lambda weights: (np.diag(weights) - np.outer(weights, weights)).T,
    },
}
