"""Lesson 00: see the whole route at once."""

import numpy as np

from attention_core.exercises.checking.exercise import Exercise
from attention_core.masks import causal_mask

__all__ = ["EXERCISES"]


def three_shapes():
    n_q, n_k, d_v = 4, 6, 3
    return {"scores": (n_q, n_k), "weights": (n_q, n_k), "output": (n_q, d_v)}


def read_values(weights, v):
    return weights @ v


def turn_mask(hidden):
    return ~hidden


def _reading_cases():
    rng = np.random.default_rng(0)
    return [
        (np.array([[0.25, 0.75]]), np.array([[8.0, 0.0], [0.0, 4.0]])),
        (np.array([[1.0, 0.0, 0.0], [0.2, 0.3, 0.5]]), np.array([[1.0, 0], [0, 2], [3, 1]])),
        (rng.dirichlet(np.ones(3), size=3).round(2), rng.normal(size=(3, 3)).round(1)),
        (rng.dirichlet(np.ones(3), size=5).round(2), rng.normal(size=(3, 2)).round(1)),
        (rng.dirichlet([5, 0.1, 3, 2, 0.5], size=2), rng.normal(size=(5, 7)).round(1)),
    ]


def _mask_cases():
    return [
        (np.array([[False, True]]),),
        (np.array([[True, True], [False, False]]),),
        (np.array([[False, True, True], [False, False, True]]),),
        (np.random.default_rng(2).random((3, 3)) < 0.5,),
        (np.zeros((2, 5), dtype=bool),),
        (np.random.default_rng(1).random((5, 3)) < 0.4,),
        (np.random.default_rng(3).random((3, 7)) < 0.6,),
    ]


THREE_SHAPES = Exercise(
    three_shapes,
    mistakes={
        "scores_keep_features": {"scores": (4, 8)},
        "rows_and_columns_swapped": {"scores": (6, 4), "weights": (6, 4)},
        "width_of_a_query": {"output": (4, 8)},
        "one_row_per_key": {"output": (6, 3)},
        "keys_counted_as_queries": {"scores": (4, 4), "weights": (4, 4)},
    },
)

READ_VALUES = Exercise(
    read_values,
    cases=_reading_cases,
    mistakes={
        "weights_transposed": lambda weights, v: weights.mT @ v,
        "values_first": lambda weights, v: v @ weights,
        "largest_only": lambda weights, v: v[weights.argmax(axis=-1)],
        "equal_shares": lambda weights, v: np.repeat(
            v.mean(axis=0, keepdims=True), len(weights), axis=0
        ),
        "values_reversed": lambda weights, v: weights @ v[::-1],
        "divided_by_keys": lambda weights, v: weights @ v / len(v),
    },
)

TURN_MASK = Exercise(
    turn_mask,
    is_mask=True,
    cases=_mask_cases,
    mistakes={
        "not_turned": lambda hidden: hidden,
        "python_not": lambda hidden: not hidden,
        "integers": lambda hidden: 1 - hidden,
        "added_mask": lambda hidden: np.where(hidden, -np.inf, 0.0),
        "transposed": lambda hidden: ~hidden.mT,
        "causal_instead": lambda hidden: causal_mask(*hidden.shape),
    },
)

EXERCISES = (THREE_SHAPES, READ_VALUES, TURN_MASK)
