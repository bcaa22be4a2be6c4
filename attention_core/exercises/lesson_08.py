"""Lesson 08: hide the future."""

import numpy as np

from attention_core.exercises.checking.cases import drawn
from attention_core.exercises.checking.exercise import Exercise
from attention_core.masks import causal_mask
from attention_core.softmax import softmax

__all__ = ["EXERCISES"]


def no_future(n):
    i = np.arange(n)
    return i[:, None] >= i


def masked_weights(scaled, allowed):
    return softmax(np.where(allowed, scaled, -np.inf))


def hide_padding(lengths, n_k):
    j = np.arange(n_k)
    return j < lengths[:, None, None]


def future_share(weights):
    future = np.triu(weights, k=1)
    return future.sum(axis=-1).mean()


NO_FUTURE = Exercise(
    no_future,
    stands_for=("causal_mask",),
    is_mask=True,
    cases=lambda: [(1,), (2,), (3,), (5,), (8,)],
    mistakes={
        "future_marked": lambda n: np.arange(n)[:, None] < np.arange(n),
        "no_diagonal": lambda n: np.arange(n)[:, None] > np.arange(n),
        "upside_down": lambda n: np.arange(n)[:, None] <= np.arange(n),
        "added_mask": lambda n: np.where(causal_mask(n), 0.0, -np.inf),
        "numbers": lambda n: np.tri(n),
        "only_itself": lambda n: np.eye(n, dtype=bool),
    },
)


def _masking_cases():
    wide = np.array([[True, True, False, True, False], [False, True, True, True, True]])
    return [
        (np.array([[2.0, 1.0, 3.0]]), np.array([[True, True, False]])),
        (np.array([[0.0, 1.0, 2000.0]]), np.array([[True, True, False]])),
        (np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[False, False], [True, True]])),
        (np.array([[1.0, 4.0, 2.0], [0.0, 3.0, 1.0]]), causal_mask(2, 3)),
        (
            np.array([[-40.0, -41.0, 5.0], [-2000.0, 3.0, -2001.0]]),
            np.array([[True, True, False], [True, False, True]]),
        ),
        (
            np.array([[-4e9, 5.0], [0.0, 4e9], [1000.0, -1000.0], [7.0, 7.0]]),
            np.array([[True, False], [True, False], [True, True], [False, False]]),
        ),
        (drawn(8, 2, 5), wide),
        (drawn(9, 7, 3), np.random.default_rng(10).random((7, 3)) < 0.5),
    ]


def _renormalised(scaled, allowed):
    kept = softmax(scaled) * allowed
    return kept / kept.sum(axis=-1, keepdims=True)


MASKED_WEIGHTS = Exercise(
    masked_weights,
    stands_for=("attention", "attention_steps"),
    exact_zeros=True,
    cases=_masking_cases,
    mistakes={
        "turned_round": lambda scaled, allowed: softmax(np.where(allowed, -np.inf, scaled)),
        "zero_for_infinity": lambda scaled, allowed: softmax(scaled * allowed),
        "mask_afterwards": lambda scaled, allowed: softmax(scaled) * allowed,
        "renormalised": _renormalised,
        "large_number": lambda scaled, allowed: softmax(np.where(allowed, scaled, -1e9)),
        "large_number_added": lambda scaled, allowed: softmax(scaled + np.where(allowed, 0, -1e9)),
        "infinity_times_zero": lambda scaled, allowed: softmax(scaled + (1 - allowed) * -np.inf),
        "mask_forgotten": lambda scaled, allowed: softmax(scaled),
        "mask_added_as_numbers": lambda scaled, allowed: softmax(scaled + allowed),
        "softmax_twice": lambda scaled, allowed: softmax(
            softmax(np.where(allowed, scaled, -np.inf))
        ),
        "over_columns": lambda scaled, allowed: softmax(np.where(allowed, scaled, -np.inf), axis=0),
    },
)

HIDE_PADDING = Exercise(
    hide_padding,
    stands_for=("padding_mask",),
    is_mask=True,
    cases=lambda: [
        (np.array([2]), 3),
        (np.array([1, 3]), 4),
        (np.array([0, 2, 5]), 5),
        (np.array([4, 1, 0, 3, 6]), 7),
    ],
    mistakes={
        "queries_hidden": lambda lengths, n_k: (np.arange(n_k) < lengths[:, None])[:, :, None],
        "padding_marked": lambda lengths, n_k: np.arange(n_k) >= lengths[:, None, None],
        "one_too_many": lambda lengths, n_k: np.arange(n_k) <= lengths[:, None, None],
        "last_keys": lambda lengths, n_k: np.arange(n_k) >= n_k - lengths[:, None, None],
        "lengths_in_a_row": lambda lengths, n_k: np.arange(n_k) < lengths,
        "no_query_axis": lambda lengths, n_k: np.arange(n_k) < lengths[:, None],
    },
)


def _leaking_cases():
    sizes = (2, 2), (2, 3), (3, 5), (4, 4), (5, 11)
    return [(softmax(drawn(n, n, n_k)),) for n, n_k in sizes]


FUTURE_SHARE = Exercise(
    future_share,
    cases=_leaking_cases,
    mistakes={
        "diagonal_counted": lambda weights: np.triu(weights).sum(axis=-1).mean(),
        "past": lambda weights: np.tril(weights, k=-1).sum(axis=-1).mean(),
        "not_averaged": lambda weights: np.triu(weights, k=1).sum(axis=-1),
        "summed": lambda weights: np.triu(weights, k=1).sum(),
        "mean_over_cells": lambda weights: np.triu(weights, k=1).mean(),
        "square_only": lambda weights: np.triu(weights[:, : len(weights)], k=1).sum(axis=-1).mean(),
        "next_only": lambda weights: np.diagonal(weights, offset=1).mean(),
    },
)

EXERCISES = (NO_FUTURE, MASKED_WEIGHTS, HIDE_PADDING, FUTURE_SHARE)
