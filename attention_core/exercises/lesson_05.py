"""Lesson 05: match with a dot product."""

import numpy as np

from attention_core.exercises.checking.cases import drawn
from attention_core.exercises.checking.exercise import Exercise

__all__ = ["EXERCISES"]


def dot_by_hand():
    q, k = np.array([2, -1, 3]), np.array([1, 4, 2])
    return int((q * k).sum())


def cosines(q, k):
    lengths_q = np.sqrt((q**2).sum(axis=-1, keepdims=True))
    lengths_k = np.sqrt((k**2).sum(axis=-1, keepdims=True))
    return q @ k.mT / (lengths_q * lengths_k.mT)


def learned_scores(x, w_q, w_k):
    q, k = x @ w_q, x @ w_k
    return q @ k.mT


def one_way():
    return np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])


DOT_BY_HAND = Exercise(
    dot_by_hand,
    mistakes={
        "minus_lost": 12,
        "not_added": np.array([2, -4, 6]),
        "summed_first": 28,
        "cosine": 4 / np.sqrt(14 * 21),
        "all_added": 11,
    },
)


def _cosine_cases():
    return [
        (np.array([[3.0, 4.0]]), np.array([[6.0, 8.0]])),
        (np.array([[0.3, -0.4], [-500.0, 0.0]]), np.array([[-0.01, 0.0], [60.0, 80.0]])),
        (np.array([[2.0, 0.0, 0.0]]), np.array([[0.0, 3.0, 0.0], [-5.0, 0.0, 0.0]])),
        (drawn(51, 3, 5), drawn(52, 2, 5)),
        (drawn(53, 3, 7), drawn(54, 3, 7)),
    ]


def _lengths(x, axis=-1):
    return np.sqrt((x**2).sum(axis=axis, keepdims=True))


COSINES = Exercise(
    cosines,
    cases=_cosine_cases,
    mistakes={
        "dot_products": lambda q, k: q @ k.mT,
        "only_queries": lambda q, k: q @ k.mT / _lengths(q),
        "only_keys": lambda q, k: q @ k.mT / _lengths(k).mT,
        "squared_lengths": lambda q, k: q @ k.mT / (_lengths(q) ** 2 * (_lengths(k) ** 2).mT),
        "scaled_instead": lambda q, k: q @ k.mT / np.sqrt(q.shape[-1]),
        "lengths_of_columns": lambda q, k: (q / _lengths(q, 0)) @ (k / _lengths(k, 0)).mT,
        "transposed": lambda q, k: cosines(q, k).mT,
    },
)


def _score_cases():
    return [
        (
            np.array([[1.0, 0.0], [0.0, 1.0]]),
            np.array([[2.0], [0.0]]),
            np.array([[0.0], [3.0]]),
        ),
        (
            np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]]),
            np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0], [3.0, 0.0, 1.0]]),
            np.array([[0.0, 1.0, 1.0], [2.0, 0.0, 1.0], [1.0, 1.0, 0.0]]),
        ),
        (drawn(55, 5, 3), drawn(56, 3, 2), drawn(57, 3, 2)),
        (drawn(61, 3, 3), drawn(62, 3, 5), drawn(63, 3, 5)),
        (drawn(58, 3, 7), drawn(59, 7, 5), drawn(60, 7, 5)),
    ]


LEARNED_SCORES = Exercise(
    learned_scores,
    stands_for=("attention_scores", "attention_steps"),
    cases=_score_cases,
    mistakes={
        "not_projected": lambda x, w_q, w_k: x @ x.mT,
        "w_q_twice": lambda x, w_q, w_k: (x @ w_q) @ (x @ w_q).mT,
        "w_k_twice": lambda x, w_q, w_k: (x @ w_k) @ (x @ w_k).mT,
        "transposed": lambda x, w_q, w_k: (x @ w_k) @ (x @ w_q).mT,
        "scaled_early": lambda x, w_q, w_k: (x @ w_q) @ (x @ w_k).mT / np.sqrt(w_q.shape[1]),
        "without_x": lambda x, w_q, w_k: w_q @ w_k.mT,
        "place_by_place": lambda x, w_q, w_k: (x @ w_q) * (x @ w_k),
    },
)

ONE_WAY = Exercise(
    one_way,
    mistakes={
        "wrong_way": np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]),
        "identity": np.eye(3),
        "both_others": np.ones((3, 3)) - np.eye(3),
        "ring_open": np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]]),
    },
)

EXERCISES = (DOT_BY_HAND, COSINES, LEARNED_SCORES, ONE_WAY)
