"""Lesson 02: tell parameters from activations."""

import numpy as np

from attention_core.attention import attention
from attention_core.exercises.checking.exercise import Exercise

__all__ = ["EXERCISES"]


def sorted_things():
    kept = ["w_q", "w_k", "w_v", "w_o", "b_q", "embedding_table"]
    made = ["x", "q", "k", "v", "scores", "attention_weights", "output", "kv_cache"]
    return {**dict.fromkeys(kept, "parameter"), **dict.fromkeys(made, "activation")}


def count_numbers(n, d_model, d_k, d_v, layers):
    width = 2 * d_k + d_v
    return layers * d_model * width, layers * n * width


def next_values(x, w_q, w_k, w_v, next_w_v):
    output, _ = attention(x @ w_q, x @ w_k, x @ w_v)
    hidden = x + output
    return hidden @ next_w_v


def _layer_case(seed, n, d_model, d_k, next_d_v, step=1.0):
    rng = np.random.default_rng(seed)
    shapes = [
        (n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_model), (d_model, next_d_v),
    ]  # fmt: skip
    return tuple(rng.integers(-2, 3, size=shape) * step for shape in shapes)


def _layer_cases():
    return [
        _layer_case(1, 2, 3, 2, 5),
        _layer_case(2, 5, 3, 7, 2, step=0.3),
        _layer_case(3, 7, 5, 2, 3),
        _layer_case(4, 3, 5, 5, 7, step=0.7),
    ]


def _output(x, w_q, w_k, w_v):
    return attention(x @ w_q, x @ w_k, x @ w_v)[0]


SORTED_THINGS = Exercise(
    sorted_things,
    mistakes={
        "q_parameter": {"q": "parameter"},
        "w_q_activation": {"w_q": "activation"},
        "scores_parameter": {"scores": "parameter"},
        "attention_weights_parameter": {"attention_weights": "parameter"},
        "kv_cache_parameter": {"kv_cache": "parameter"},
        "embedding_table_activation": {"embedding_table": "activation"},
        "b_q_activation": {"b_q": "activation"},
        "w_o_activation": {"w_o": "activation"},
        "x_parameter": {"x": "parameter"},
    },
)

COUNT_NUMBERS = Exercise(
    count_numbers,
    cases=lambda: [
        (3, 5, 2, 7, 1),
        (11, 5, 2, 7, 2),
        (13, 17, 3, 2, 5),
        (1, 1, 1, 1, 1),
        (2, 3, 7, 7, 3),
        (2048, 12288, 128, 96, 97),
    ],
    mistakes={
        "times_tokens": lambda n, d_model, d_k, d_v, layers: (
            layers * n * d_model * (2 * d_k + d_v),
            layers * n * (2 * d_k + d_v),
        ),
        "one_layer_of_parameters": lambda n, d_model, d_k, d_v, layers: (
            d_model * (2 * d_k + d_v),
            layers * n * (2 * d_k + d_v),
        ),
        "one_layer": lambda n, d_model, d_k, d_v, layers: (
            d_model * (2 * d_k + d_v),
            n * (2 * d_k + d_v),
        ),
        "made_once": lambda n, d_model, d_k, d_v, layers: (
            layers * d_model * (2 * d_k + d_v),
            n * (2 * d_k + d_v),
        ),
        "d_k_once": lambda n, d_model, d_k, d_v, layers: (
            layers * d_model * (d_k + d_v),
            layers * n * (d_k + d_v),
        ),
        "d_v_as_d_k": lambda n, d_model, d_k, d_v, layers: (
            layers * d_model * 3 * d_k,
            layers * n * 3 * d_k,
        ),
        "swapped": lambda n, d_model, d_k, d_v, layers: (
            layers * n * (2 * d_k + d_v),
            layers * d_model * (2 * d_k + d_v),
        ),
    },
)

NEXT_VALUES = Exercise(
    next_values,
    cases=_layer_cases,
    mistakes={
        "old_values": lambda x, w_q, w_k, w_v, next_w_v: x @ w_v @ next_w_v,
        "old_x": lambda x, w_q, w_k, w_v, next_w_v: x @ next_w_v,
        "without_x": lambda x, w_q, w_k, w_v, next_w_v: _output(x, w_q, w_k, w_v) @ next_w_v,
        "old_matrix": lambda x, w_q, w_k, w_v, next_w_v: (x + _output(x, w_q, w_k, w_v)) @ w_v,
        "first_layer": lambda x, w_q, w_k, w_v, next_w_v: x @ w_v,
        "not_projected": lambda x, w_q, w_k, w_v, next_w_v: x + _output(x, w_q, w_k, w_v),
    },
)

EXERCISES = (SORTED_THINGS, COUNT_NUMBERS, NEXT_VALUES)
