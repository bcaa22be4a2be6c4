"""Lesson 16: send gradients back through attention."""

import numpy as np

from attention_core.exercises.checking.cases import drawn
from attention_core.exercises.checking.exercise import Exercise

__all__ = ["EXERCISES"]


def value_gradient(weights, d_output):
    return weights.mT @ d_output


def through_softmax(weights, d_weights):
    total = (weights * d_weights).sum(axis=-1, keepdims=True)
    return weights * (d_weights - total)


def query_key_gradients(q, k, d_scaled):
    scale = 1 / np.sqrt(q.shape[-1])
    return d_scaled @ k * scale, d_scaled.mT @ q * scale


def _root(q):
    return np.sqrt(q.shape[-1])


def _weights(seed, n_q, n_k):
    weights = np.random.default_rng(seed).dirichlet(np.ones(n_k), size=n_q).round(2)
    weights[:, -1] = 1 - weights[:, :-1].sum(axis=1)
    return weights


def _value_cases():
    return [
        (np.array([[1.0, 0.0], [0.25, 0.75]]), np.array([[1.0], [4.0]])),
        (_weights(1, 3, 3), drawn(2, 3, 2)),
        (np.random.default_rng(5).dirichlet(np.ones(7), size=3), drawn(6, 3, 5)),
        (_weights(3, 5, 5), drawn(4, 5, 3)),
    ]


def _softmax_cases():
    return [
        (np.array([[0.25, 0.75]]), np.array([[4.0, 0.0]])),
        (
            np.array([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]),
            np.array([[1.0, -2.0, 3.0], [0.0, 4.0, -1.0]]),
        ),
        (_weights(1, 3, 3), drawn(2, 3, 3)),
        (_weights(3, 2, 5), drawn(4, 2, 5)),
        (_weights(5, 7, 3), drawn(6, 7, 3)),
    ]


def _pair_cases():
    return [
        (drawn(1, 2, 3), drawn(2, 2, 3), drawn(3, 2, 2)),
        (drawn(10, 5, 4), drawn(11, 2, 4), drawn(12, 5, 2)),
        (drawn(4, 3, 5), drawn(5, 3, 5), drawn(6, 3, 3)),
        (drawn(7, 3, 5), drawn(8, 7, 5), drawn(9, 3, 7)),
    ]


VALUE_GRADIENT = Exercise(
    value_gradient,
    stands_for=("attention_backward",),
    cases=_value_cases,
    mistakes={
        "not_transposed": lambda weights, d_output: weights @ d_output,
        "handed_on": lambda weights, d_output: d_output,
        "averaged": lambda weights, d_output: weights.mT @ d_output / len(weights),
        "shares_summed_first": lambda weights, d_output: weights.sum(axis=0)[:, None] * d_output,
    },
)

THROUGH_SOFTMAX = Exercise(
    through_softmax,
    stands_for=("attention_backward", "softmax_backward"),
    cases=_softmax_cases,
    mistakes={
        "no_row_sum": lambda weights, d_weights: weights * d_weights,
        "diagonal_only": lambda weights, d_weights: weights * (1 - weights) * d_weights,
        "one_sum_for_all": lambda weights, d_weights: (
            weights * (d_weights - (weights * d_weights).sum())
        ),
        "over_columns": lambda weights, d_weights: (
            weights * (d_weights - (weights * d_weights).sum(axis=0))
        ),
        "without_keepdims": lambda weights, d_weights: (
            weights * (d_weights - (weights * d_weights).sum(axis=-1))
        ),
        "plain_mean": lambda weights, d_weights: (
            weights * (d_weights - d_weights.mean(axis=-1, keepdims=True))
        ),
    },
)

QUERY_KEY = Exercise(
    query_key_gradients,
    stands_for=("attention_backward",),
    cases=_pair_cases,
    mistakes={
        "no_scale": lambda q, k, d_scaled: (d_scaled @ k, d_scaled.mT @ q),
        "swapped": lambda q, k, d_scaled: (
            d_scaled.mT @ q / np.sqrt(q.shape[-1]),
            d_scaled @ k / np.sqrt(q.shape[-1]),
        ),
        "d_k_itself": lambda q, k, d_scaled: (
            d_scaled @ k / q.shape[-1],
            d_scaled.mT @ q / q.shape[-1],
        ),
        "number_of_queries": lambda q, k, d_scaled: (
            d_scaled @ k / len(q) ** 0.5,
            d_scaled.mT @ q / len(q) ** 0.5,
        ),
        "multiplied": lambda q, k, d_scaled: (d_scaled @ k * _root(q), d_scaled.mT @ q * _root(q)),
        "not_transposed": lambda q, k, d_scaled: (
            d_scaled @ k / np.sqrt(q.shape[-1]),
            d_scaled @ q / np.sqrt(q.shape[-1]),
        ),
    },
)

EXERCISES = (VALUE_GRADIENT, THROUGH_SOFTMAX, QUERY_KEY)
