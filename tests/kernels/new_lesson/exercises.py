"""Lesson NN: who reads the first token."""

import numpy as np

from attention_core.exercises.checking.exercise import Exercise

__all__ = ["EXERCISES"]


def NAME_task(weights):
    return weights[:, 0]


def _cases():
    rng = np.random.default_rng(3)
    return [(rng.dirichlet(np.ones(k), size=n).round(2),) for n, k in ((2, 3), (3, 2), (5, 4))]


TASK = Exercise(
    NAME_task,
    cases=_cases,
    mistakes={
        "first_row": lambda weights: weights[0],
        "last_column": lambda weights: weights[:, -1],
        "added_up": lambda weights: weights[:, 0].sum(),
    },
)
EXERCISES = (TASK,)
