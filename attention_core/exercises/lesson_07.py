"""Lesson 07: turn scores into routing weights."""

import numpy as np

from attention_core.exercises.checking.cases import drawn
from attention_core.exercises.checking.exercise import Exercise
from attention_core.softmax import softmax

__all__ = ["EXERCISES"]


def softmax_rows(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exps = np.exp(shifted)
    return exps / exps.sum(axis=-1, keepdims=True)


def mix_values(scores, v):
    weights = softmax(scores)
    return weights @ v


def safe_row():
    row = np.array([1003, 1001, 1002])
    return row - row.max()


def mixed_by_hand():
    weights = np.array([0.2, 0.3, 0.5])
    v = np.array([[1, 0], [0, 2], [3, 1]])
    return weights @ v


def _score_cases():
    return [
        (np.array([[1.0, 2.0]]),),
        (np.array([[2.0, 0.0, 1.0], [0.0, 3.0, -1.0]]),),
        (np.array([[1000.0, 1001.0], [0.0, 2.0], [-1001.0, -1000.0]]),),
        (np.array([[1000.0, -1000.0, -1000.0], [-1000.0, 1000.0, 999.0], [-900.0, 0.0, 900.0]]),),
        (drawn(7, 5, 3),),
        (np.array([[0.0, -9.0, 2.0, -4.0], [-8.0, 0.5, 0.0, 7.0], *drawn(9, 3, 4)]),),
    ]


def _mixing_cases():
    return [
        (np.array([[2.0, 0.0, 1.0]]), np.array([[10.0], [20.0], [30.0]])),
        (np.array([[1000.0, 1001.0], [-1000.0, -999.0], [-800.0, 800.0]]), drawn(5, 2, 1)),
        (np.array([[2.0, 0.0, 1.0], [0.0, 3.0, -1.0]]), np.array([[1.0, 0], [0, 2], [3, 1]])),
        (drawn(1, 3, 3), drawn(2, 3, 2)),
        (drawn(3, 5, 2), drawn(4, 2, 3)),
        (drawn(6, 2, 5), drawn(8, 5, 7)),
    ]


def powers(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


def shares(powers):
    return powers / powers.sum(axis=-1, keepdims=True)


SOFTMAX_ROWS = Exercise(
    softmax_rows,
    stands_for=("softmax",),
    cases=_score_cases,
    mistakes={
        "over_columns": lambda scores: softmax_rows(scores.mT).mT,
        "over_everything": lambda scores: softmax_rows(scores.ravel()).reshape(scores.shape),
        "without_exp": lambda scores: shares(scores),
        "without_division": lambda scores: powers(scores),
        "without_maximum": lambda scores: shares(np.exp(scores)),
        "one_maximum": lambda scores: shares(np.exp(scores - scores.max())),
        "without_keepdims": lambda scores: powers(scores) / powers(scores).sum(axis=-1),
    },
)

MIX_VALUES = Exercise(
    mix_values,
    stands_for=("attention",),
    cases=_mixing_cases,
    mistakes={
        "scores_mixed": lambda scores, v: softmax(scores) @ scores.mT,
        "place_by_place": lambda scores, v: softmax(scores) * v,
        "no_softmax": lambda scores, v: scores @ v,
        "over_columns": lambda scores, v: softmax(scores, axis=0) @ v,
        "largest_only": lambda scores, v: v[scores.argmax(axis=-1)],
        "equal_shares": lambda scores, v: np.repeat(
            v.mean(axis=0, keepdims=True), len(scores), axis=0
        ),
        "only_weights": lambda scores, v: softmax(scores),
        "transposed": lambda scores, v: softmax(scores).mT @ v,
    },
)


def _safe_and_shifted(row):
    """Any number may be subtracted that keeps every exponential within reach."""
    return np.shape(row) == (3,) and np.allclose(np.diff(row), [-2, 1]) and np.abs(row).max() < 700


SAFE_ROW = Exercise(
    safe_row,
    also_right=_safe_and_shifted,
    mistakes={
        "not_shifted": np.array([1003, 1001, 1002]),
        "only_the_largest": np.array([0, 1001, 1002]),
        "weights": softmax([1003, 1001, 1002]),
        "divided": np.array([1003, 1001, 1002]) / 1003,
        "turned_round": np.array([0, 2, 1]),
    },
)

MIXED_BY_HAND = Exercise(
    mixed_by_hand,
    tolerance=1e-3,
    mistakes={
        "plain_mean": np.array([4, 3]) / 3,
        "only_v_3": np.array([3, 1]),
        "divided_again": np.array([1.7, 1.1]) / 3,
        "without_weights": np.array([4, 3]),
        "reversed": np.array([1.1, 0.8]),
    },
)

EXERCISES = (SAFE_ROW, SOFTMAX_ROWS, MIXED_BY_HAND, MIX_VALUES)
