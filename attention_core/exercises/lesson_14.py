"""Lesson 14: close the loop: all of attention from an empty cell, and a review."""

from dataclasses import replace

import numpy as np

from attention_core.attention import attention
from attention_core.exercises.checking.exercise import Exercise
from attention_core.exercises.lesson_07 import SOFTMAX_ROWS, powers, shares
from attention_core.softmax import softmax

__all__ = ["EXERCISES"]


def my_softmax(scores):
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


def my_attention(q, k, v, allowed):
    scores = np.where(allowed, q @ k.mT / np.sqrt(q.shape[-1]), -np.inf)
    largest = scores.max(axis=-1, keepdims=True, initial=-1e300)
    exps = np.exp(scores - largest)
    total = exps.sum(axis=-1, keepdims=True)
    return exps / np.where(total > 0, total, 1) @ v


def my_heads(x, w_q, w_k, w_v, w_o, h):
    q, k, v = (np.split(x @ w, h, axis=-1) for w in (w_q, w_k, w_v))
    heads = [attention(*one_head)[0] for one_head in zip(q, k, v, strict=True)]
    return np.concatenate(heads, axis=-1) @ w_o


def _draw(rng, *shape):
    return rng.normal(size=shape).round(1)


def _attention_cases():
    rng = np.random.default_rng(14)
    causal = np.tri(3, dtype=bool)
    first = (
        np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]]),
        np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]]),
        causal,
    )
    extremes = (
        np.array([[1.0], [2.0], [-1.0], [0.0]]),
        np.array([[-40.0], [800.0], [-3.0]]),
        np.array([[1.0], [2.0], [4.0]]),
        np.array([[1, 0, 1], [1, 1, 0], [1, 1, 1], [0, 0, 0]], dtype=bool),
    )
    low = (
        np.array([[1.0, 2.0], [-3.0, 1.0]]),
        np.array([[-3e9, 0.0], [5.0, 1.0], [2.0, 6.0]]),
        np.array([[1.0, 5.0, 0.5], [2.0, -1.0, 3.0], [0.0, 1.0, 2.5]]),
        np.array([[True, False, False], [False, True, True]]),
    )
    one_query = (
        np.array([[2.0, 1.0]]),
        np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]),
        np.array([[10.0], [20.0], [30.0]]),
        np.array([[True, True, False]]),
    )
    return [
        one_query,
        extremes,
        low,
        first,
        (_draw(rng, 3, 5), _draw(rng, 3, 5), _draw(rng, 3, 5), causal),
        (_draw(rng, 2, 5), _draw(rng, 7, 5), _draw(rng, 7, 3), np.tri(2, 7, 5, dtype=bool)),
    ]


def _layer_cases():
    rng = np.random.default_rng(15)

    def case(n, d_model, h, d_k, d_v):
        widths = h * d_k, h * d_k, h * d_v
        shapes = ((n, d_model), *((d_model, width) for width in widths), (h * d_v, d_model))
        return (*(_draw(rng, *shape) for shape in shapes), h)

    sizes = (2, 4, 2, 2, 2), (2, 5, 2, 3, 1), (3, 6, 2, 3, 3), (5, 4, 3, 2, 5)
    return [case(*one) for one in sizes]


def _with(scores_of, weights_of=softmax):
    def wrong(q, k, v, allowed):
        return weights_of(scores_of(q, k, allowed)) @ v

    return wrong


def _scaled(q, k):
    return q @ k.mT / np.sqrt(q.shape[-1])


def _layer(
    split=lambda y, h: np.split(y, h, axis=-1),
    join=lambda heads, w_o: np.concatenate(heads, axis=-1) @ w_o,
    scale=lambda w_q: None,
):
    """Several heads with one step done wrongly."""

    def layer(x, w_q, w_k, w_v, w_o, h):
        parts = zip(*(split(x @ w, h) for w in (w_q, w_k, w_v)), strict=True)
        return join([attention(*part, scale=scale(w_q))[0] for part in parts], w_o)

    return layer


MY_SOFTMAX = replace(SOFTMAX_ROWS, solution=my_softmax, name="my_softmax")

MY_ATTENTION = Exercise(
    my_attention,
    stands_for=("attention", "attention_steps"),
    cases=_attention_cases,
    mistakes={
        "no_scale": _with(lambda q, k, allowed: np.where(allowed, q @ k.mT, -np.inf)),
        "half_of_d_k": _with(
            lambda q, k, allowed: np.where(allowed, q @ k.mT / q.shape[-1] ** 1 / 2, -np.inf)
        ),
        "number_of_keys": _with(
            lambda q, k, allowed: np.where(allowed, q @ k.mT / np.sqrt(len(k)), -np.inf)
        ),
        "mask_forgotten": _with(lambda q, k, allowed: _scaled(q, k)),
        "mask_turned_round": _with(lambda q, k, allowed: np.where(allowed, -np.inf, _scaled(q, k))),
        "zero_for_infinity": _with(lambda q, k, allowed: np.where(allowed, _scaled(q, k), 0)),
        "mask_afterwards": lambda q, k, v, allowed: (softmax(_scaled(q, k)) * allowed) @ v,
        "renormalised": lambda q, k, v, allowed: shares(softmax(_scaled(q, k)) * allowed) @ v,
        "large_number": _with(lambda q, k, allowed: np.where(allowed, _scaled(q, k), -1e9)),
        "nowhere_is_nan": lambda q, k, v, allowed: (
            shares(powers(np.where(allowed, _scaled(q, k), -np.inf))) @ v
        ),
        "two_steps_missing": _with(lambda q, k, allowed: q @ k.mT),
        "transposed": _with(lambda q, k, allowed: np.where(allowed, _scaled(k, q), -np.inf)),
        "both_results": attention,
        "keys_mixed": lambda q, k, v, allowed: my_attention(q, k, k, allowed),
        "over_columns": _with(
            lambda q, k, allowed: np.where(allowed, _scaled(q, k), -np.inf),
            lambda scores: softmax(scores, axis=0),
        ),
    },
)

MY_HEADS = Exercise(
    my_heads,
    stands_for=("multi_head_attention",),
    cases=_layer_cases,
    mistakes={
        "bare_reshape": _layer(split=lambda y, h: y.reshape(h, len(y), -1)),
        "without_w_o": _layer(join=lambda heads, w_o: np.concatenate(heads, axis=-1)),
        "averaged": _layer(
            join=lambda heads, w_o: sum(heads) / len(heads) @ w_o[: len(w_o) // len(heads)]
        ),
        "below_one_another": _layer(join=lambda heads, w_o: np.concatenate(heads) @ w_o),
        "one_wide_head": _layer(split=lambda y, h: [y]),
        "full_scale": _layer(scale=lambda w_q: w_q.shape[1] ** -0.5),
    },
)

EXERCISES = (MY_SOFTMAX, MY_ATTENTION, MY_HEADS)
