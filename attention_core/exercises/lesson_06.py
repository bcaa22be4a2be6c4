"""Lesson 06: divide by the square root of d_k."""

import numpy as np

from attention_core.exercises.checking.cases import drawn
from attention_core.exercises.checking.exercise import Exercise

__all__ = ["EXERCISES"]


def scaled_scores(q, k):
    d_k = q.shape[-1]
    return q @ k.mT / np.sqrt(d_k)


def std_of_256():
    return np.sqrt(256)


def row_jacobian(weights):
    return np.diag(weights) - np.outer(weights, weights)


def _score_cases():
    return [
        (np.array([[1.0, 2.0, 3.0]]), np.array([[2.0, 0.0, 1.0], [1.0, 1.0, 5.0]])),
        (drawn(5, 4, 4), drawn(6, 4, 4)),
        (drawn(1, 2, 7), drawn(2, 3, 7)),
        (drawn(3, 5, 11), drawn(4, 2, 11)),
    ]


def _jacobian_cases():
    return [
        (np.array([0.25, 0.75]),),
        (np.array([0.2, 0.3, 0.5]),),
        (np.array([0.0, 1.0, 0.0]),),
        (np.array([0.1, 0.2, 0.05, 0.6, 0.05]),),
        (np.random.default_rng(7).dirichlet(np.ones(7)),),
    ]


SCALED_SCORES = Exercise(
    scaled_scores,
    stands_for=("attention_scores", "attention_steps"),
    cases=_score_cases,
    mistakes={
        "no_scale": lambda q, k: q @ k.mT,
        "no_transpose": lambda q, k: q @ k / np.sqrt(q.shape[-1]),
        "half_of_d_k": lambda q, k: q @ k.mT / q.shape[-1] ** 1 / 2,
        "d_k_itself": lambda q, k: q @ k.mT / q.shape[-1],
        "number_of_keys": lambda q, k: q @ k.mT / np.sqrt(len(k)),
        "number_of_queries": lambda q, k: q @ k.mT / np.sqrt(len(q)),
        "multiplied": lambda q, k: q @ k.mT * np.sqrt(q.shape[-1]),
        "transposed": lambda q, k: k @ q.mT / np.sqrt(q.shape[-1]),
    },
)

STD_OF_256 = Exercise(
    std_of_256,
    mistakes={
        "variance": 256,
        "scaled": 1,
        "half": 128,
        "undone": 1 / 16,
    },
)

ROW_JACOBIAN = Exercise(
    row_jacobian,
    stands_for=("softmax_jacobian",),
    cases=_jacobian_cases,
    mistakes={
        "diagonal_only": lambda weights: np.diag(weights),
        "one_row": lambda weights: weights * (1 - weights),
        "no_other_entries": lambda weights: np.diag(weights * (1 - weights)),
        "signs_turned": lambda weights: np.outer(weights, weights) - np.diag(weights),
        "dot_for_outer": lambda weights: np.diag(weights) - weights @ weights,
        "plus_for_minus": lambda weights: np.diag(weights) + np.outer(weights, weights),
    },
)

EXERCISES = (STD_OF_256, SCALED_SCORES, ROW_JACOBIAN)
