"""Lesson 04: read the score matrix."""

import numpy as np

from attention_core.exercises.checking.exercise import Exercise
from attention_core.softmax import softmax

__all__ = ["EXERCISES"]


def one_score():
    q_2, k_3 = np.array([3, -1]), np.array([4, 5])
    return q_2 @ k_3


def score_matrix(q, k):
    return q @ k.mT


def score_shape(n_q, n_k, d_k, d_v):
    return n_q, n_k


def could_be_weights():
    rows = [[2, -1, 0], [0.2, 0.3, 0.5], [0.5, 0.6, 0.7], [0, 1, 0], [1.2, -0.4, 0.2]]
    return [bool(min(row) >= 0 and abs(sum(row) - 1) < 1e-9) for row in rows]


def _integers(seed, *shape):
    return np.random.default_rng(seed).integers(-3, 4, size=shape).astype(float)


def _fractions(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).round(2)


def _score_cases():
    return [
        (np.array([[1.0, 2.0]]), np.array([[3.0, 0.0], [0.0, 5.0], [1.0, -1.0]])),
        (_integers(42, 7, 2), _integers(43, 3, 2)),
        (_integers(40, 2, 3), _integers(41, 5, 3)),
        (_fractions(46, 3, 3), _fractions(47, 5, 3)),
        (_fractions(44, 5, 7), _fractions(45, 2, 7)),
    ]


ONE_SCORE = Exercise(
    one_score,
    mistakes={
        "query_3": 20,
        "key_2": -3,
        "indices_swapped": 24,
        "crosswise": 11,
        "minus_lost": 17,
        "not_added": np.array([12, -5]),
        "scaled_early": 7 / np.sqrt(2),
    },
)

SCORE_MATRIX = Exercise(
    score_matrix,
    stands_for=("attention_scores", "attention_steps"),
    cases=_score_cases,
    mistakes={
        "transposed": lambda q, k: k @ q.mT,
        "no_transpose": lambda q, k: q @ k,
        "scaled_early": lambda q, k: q @ k.mT / np.sqrt(q.shape[-1]),
        "weights": lambda q, k: softmax(q @ k.mT),
        "not_summed": lambda q, k: q[:, None, :] * k[None, :, :],
        "queries_twice": lambda q, k: q @ q.mT,
        "summed_first": lambda q, k: q.sum(axis=-1)[:, None] * k.sum(axis=-1),
    },
)

SCORE_SHAPE = Exercise(
    score_shape,
    cases=lambda: [(3, 5, 2, 7), (11, 2, 64, 5), (1, 7, 3, 2), (100, 100, 64, 32)],
    mistakes={
        "shape_of_q": lambda n_q, n_k, d_k, d_v: (n_q, d_k),
        "rows_and_columns_swapped": lambda n_q, n_k, d_k, d_v: (n_k, n_q),
        "not_summed": lambda n_q, n_k, d_k, d_v: (n_q, n_k, d_k),
        "shape_of_output": lambda n_q, n_k, d_k, d_v: (n_q, d_v),
        "features_by_features": lambda n_q, n_k, d_k, d_v: (d_k, d_k),
    },
)

COULD_BE_WEIGHTS = Exercise(
    could_be_weights,
    mistakes={
        "third_row": [False, True, True, True, False],
        "negative_allowed": [True, True, False, True, True],
        "fourth_row": [False, True, False, False, False],
        "turned_round": [True, False, True, False, True],
    },
)

EXERCISES = (ONE_SCORE, SCORE_MATRIX, SCORE_SHAPE, COULD_BE_WEIGHTS)
