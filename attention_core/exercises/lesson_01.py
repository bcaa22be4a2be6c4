"""Lesson 01: turn hidden states into Q, K, V."""

import numpy as np

from attention_core.exercises.checking.exercise import Exercise

__all__ = ["EXERCISES"]


def query_by_hand():
    x = np.array([1, 2, 0])
    w_q = np.array([[1, 0], [2, 1], [5, 5]])
    return x @ w_q


def make_qkv(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_k, x @ w_v


def qkv_shapes(n, d_model, d_k, d_v):
    return (n, d_k), (n, d_k), (n, d_v)


def weight_shapes():
    d_model, d_k, d_v = 24, 6, 10
    return (d_model, d_k), (d_model, d_k), (d_model, d_v)


def _case(seed, n, d_model, d_k, d_v, step=1.0):
    rng = np.random.default_rng(seed)
    shapes = (n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v)
    return tuple(rng.integers(-3, 4, size=shape) * step for shape in shapes)


def _projection_cases():
    return [
        _case(10, 1, 3, 2, 2),
        _case(30, 7, 3, 2, 5, step=0.5),
        _case(50, 3, 2, 5, 11, step=0.7),
        _case(40, 4, 4, 4, 4, step=0.3),
        _case(20, 2, 5, 3, 7),
    ]


QUERY_BY_HAND = Exercise(
    query_by_hand,
    mistakes={
        "rows_unweighed": np.array([8, 6]),
        "last_row_counted": np.array([10, 7]),
        "across_columns": np.array([1, 6, 0]),
        "not_added": np.array([[1, 0], [4, 2], [0, 0]]),
        "reversed": np.array([2, 5]),
    },
)

MAKE_QKV = Exercise(
    make_qkv,
    stands_for=("project",),
    cases=_projection_cases,
    mistakes={
        "transposed_weights": lambda x, *weights: tuple(x @ w.mT for w in weights),
        "weights_first": lambda x, *weights: tuple(w @ x for w in weights),
        "k_and_v_swapped": lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_v, x @ w_k),
        "keys_from_w_q": lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_q, x @ w_v),
        "values_not_projected": lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_k, x),
        "scaled_early": lambda x, w_q, w_k, w_v: (
            *(x @ w / np.sqrt(w.shape[1]) for w in (w_q, w_k)),
            x @ w_v,
        ),
        "only_queries": lambda x, w_q, w_k, w_v: x @ w_q,
    },
)

QKV_SHAPES = Exercise(
    qkv_shapes,
    cases=lambda: [(2, 3, 5, 7), (11, 7, 2, 3), (100, 512, 64, 64)],
    mistakes={
        "values_as_keys": lambda n, d_model, d_k, d_v: ((n, d_k), (n, d_k), (n, d_k)),
        "keys_as_values": lambda n, d_model, d_k, d_v: ((n, d_k), (n, d_v), (n, d_v)),
        "shapes_of_w": lambda n, d_model, d_k, d_v: (
            (d_model, d_k),
            (d_model, d_k),
            (d_model, d_v),
        ),
        "rows_and_columns_swapped": lambda n, d_model, d_k, d_v: ((d_k, n), (d_k, n), (d_v, n)),
        "shape_of_x": lambda n, d_model, d_k, d_v: ((n, d_model), (n, d_model), (n, d_model)),
    },
)

WEIGHT_SHAPES = Exercise(
    weight_shapes,
    mistakes={
        "transposed": ((6, 24), (6, 24), (10, 24)),
        "shapes_of_qkv": ((11, 6), (11, 6), (11, 10)),
        "w_v_as_w_k": ((24, 6), (24, 6), (24, 6)),
        "w_q_square": ((24, 24), (24, 6), (24, 10)),
    },
)

EXERCISES = (QUERY_BY_HAND, MAKE_QKV, QKV_SHAPES, WEIGHT_SHAPES)
