"""Lesson 10: choose where Q and K/V come from."""

import numpy as np

from attention_core.attention import attention
from attention_core.exercises.checking.exercise import Exercise

__all__ = ["EXERCISES"]


def cross_read(x, y, w_q, w_k, w_v):
    return attention(x @ w_q, y @ w_k, y @ w_v)[0]


def cross_shapes():
    n_q, n_k, d_v = 3, 5, 2
    return {"weights": (n_q, n_k), "output": (n_q, d_v)}


def where_from():
    return {
        "self_q": "x",
        "self_k": "x",
        "self_v": "x",
        "cross_q": "decoder",
        "cross_k": "encoder",
        "cross_v": "encoder",
    }


def _reading_cases():
    rng = np.random.default_rng(10)

    def draw(*shape):
        return rng.normal(size=shape).round(1)

    small = (
        np.array([[1.0, 0.0], [0.0, 2.0]]),
        np.array([[1.0, 1.0], [0.0, 4.0]]),
        np.array([[1.0, 0.0], [1.0, 2.0]]),
        np.array([[2.0, 0.0], [0.0, 1.0]]),
        np.array([[0.0, 1.0], [3.0, 0.0]]),
    )
    return [
        small,
        (draw(7, 3), draw(2, 3), draw(3, 5), draw(3, 5), draw(3, 5)),
        (draw(5, 7), draw(3, 7), draw(7, 2), draw(7, 2), draw(7, 11)),
    ]


CROSS_READ = Exercise(
    cross_read,
    cases=_reading_cases,
    mistakes={
        "sides_swapped": lambda x, y, w_q, w_k, w_v: attention(y @ w_q, x @ w_k, x @ w_v)[0],
        "all_from_x": lambda x, y, w_q, w_k, w_v: attention(x @ w_q, x @ w_k, x @ w_v)[0],
        "values_from_x": lambda x, y, w_q, w_k, w_v: attention(x @ w_q, y @ w_k, x @ w_v)[0],
        "all_from_y": lambda x, y, w_q, w_k, w_v: attention(y @ w_q, y @ w_k, y @ w_v)[0],
        "w_q_and_w_k_swapped": lambda x, y, w_q, w_k, w_v: attention(x @ w_k, y @ w_q, y @ w_v)[0],
        "keys_mixed": lambda x, y, w_q, w_k, w_v: attention(x @ w_q, y @ w_k, y @ w_k)[0],
        "only_weights": lambda x, y, w_q, w_k, w_v: attention(x @ w_q, y @ w_k, y @ w_v)[1],
    },
)

CROSS_SHAPES = Exercise(
    cross_shapes,
    mistakes={
        "weights_turned": {"weights": (5, 3)},
        "square": {"weights": (3, 3)},
        "one_row_per_key": {"output": (5, 2)},
        "width_of_keys": {"output": (3, 5)},
    },
)

WHERE_FROM = Exercise(
    where_from,
    mistakes={
        "cross_turned_round": {"cross_q": "encoder", "cross_k": "decoder", "cross_v": "decoder"},
        "self_from_encoder": {"self_q": "encoder", "self_k": "encoder", "self_v": "encoder"},
        "cross_v_decoder": {"cross_v": "decoder"},
        "cross_k_decoder": {"cross_k": "decoder"},
        "cross_q_encoder": {"cross_q": "encoder"},
    },
)

EXERCISES = (WHERE_FROM, CROSS_SHAPES, CROSS_READ)
