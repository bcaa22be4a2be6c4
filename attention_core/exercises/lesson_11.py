"""Lesson 11: run several heads at once."""

import numpy as np

from attention_core.attention import attention
from attention_core.exercises.checking.exercise import Exercise

__all__ = ["EXERCISES"]


def one_head(x, w_q, w_k, w_v, h, i):
    d_head = w_q.shape[1] // h
    mine = slice(i * d_head, (i + 1) * d_head)
    return attention(x @ w_q[:, mine], x @ w_k[:, mine], x @ w_v[:, mine])[0]


def join_heads(heads, w_o):
    return np.concatenate(heads, axis=-1) @ w_o


def reorder_heads(w_q, w_k, w_v, w_o, order):
    columns = np.arange(len(w_o)).reshape(len(order), -1)
    moved = columns[order].ravel()
    return w_q[:, moved], w_k[:, moved], w_v[:, moved], w_o[moved]


def _draw(seed, *shapes):
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(size=shape).round(1) for shape in shapes)


def _head_cases():
    return [
        (*_draw(1, (2, 3), (3, 4), (3, 4), (3, 4)), 2, 1),
        (*_draw(2, (3, 5), (5, 4), (5, 4), (5, 4)), 2, 0),
        (*_draw(4, (3, 5), (5, 6), (5, 6), (5, 6)), 2, 1),
        (*_draw(3, (5, 7), (7, 6), (7, 6), (7, 6)), 3, 1),
        (*_draw(9, (5, 7), (7, 6), (7, 6), (7, 6)), 3, 2),
        (*_draw(10, (2, 4), (4, 20), (4, 20), (4, 20)), 4, 0),
    ]


def _join_cases():
    return [
        (np.array([[[1, 2]], [[3, 4]]]), np.array([[1, 0, 1], [0, 1, 0], [2, 0, 0], [0, 0, 1]])),
        _draw(5, (2, 3, 2), (4, 5)),
        _draw(10, (3, 3, 3), (9, 2)),
        _draw(6, (3, 2, 5), (15, 7)),
    ]


def _order_cases():
    whole = np.arange(20).reshape(5, 4)
    first = (whole, -whole, 2 * whole, whole.mT, np.array([1, 0]))
    return [
        first,
        (*_draw(7, (7, 6), (7, 6), (7, 6), (6, 7)), np.array([2, 0, 1])),
        (*_draw(8, (13, 12), (13, 12), (13, 12), (12, 13)), np.array([1, 3, 0, 2])),
    ]


def _mine(w, h, i):
    return slice(i * w.shape[1] // h, (i + 1) * w.shape[1] // h)


def _both_by(columns, scale=lambda w, h: None):
    """Output and weights of a head made of the columns that columns(w, h, i) names."""

    def head(x, w_q, w_k, w_v, h, i):
        parts = (x @ w[:, columns(w, h, i)] for w in (w_q, w_k, w_v))
        return attention(*parts, scale=scale(w_q, h))

    return head


def _head_by(columns, scale=lambda w, h: None):
    return lambda *inputs: _both_by(columns, scale)(*inputs)[0]


def _all(w, h, i):
    return slice(None)


def _moving(three, last):
    """The matrices after three(w, moved, order) and last(w_o, moved, order)."""

    def reordered(w_q, w_k, w_v, w_o, order):
        moved = np.arange(len(w_o)).reshape(len(order), -1)[order].ravel()
        return *(three(w, moved, order) for w in (w_q, w_k, w_v)), last(w_o, moved, order)

    return reordered


def _columns(w, moved, order):
    return w[:, moved]


ONE_HEAD = Exercise(
    one_head,
    stands_for=("multi_head_attention",),
    cases=_head_cases,
    mistakes={
        "always_first": _head_by(lambda w, h, i: _mine(w, h, 0)),
        "starts_at_i": _head_by(lambda w, h, i: slice(i, i + w.shape[1] // h)),
        "every_hth": _head_by(lambda w, h, i: slice(i, None, h)),
        "full_scale": _head_by(_mine, scale=lambda w, h: w.shape[1] ** -0.5),
        "no_scale": _head_by(_mine, scale=lambda w, h: 1.0),
        "both_results": _both_by(_mine),
        "full_width": _head_by(_all),
        "cut_afterwards": lambda x, w_q, w_k, w_v, h, i: _head_by(_all)(x, w_q, w_k, w_v, h, i)[
            :, _mine(w_v, h, i)
        ],
        "keys_mixed": lambda x, w_q, w_k, w_v, h, i: one_head(x, w_q, w_k, w_k, h, i),
        "only_weights": lambda *inputs: _both_by(_mine)(*inputs)[1],
    },
)

JOIN_HEADS = Exercise(
    join_heads,
    cases=_join_cases,
    mistakes={
        "averaged": lambda heads, w_o: np.mean(heads, axis=0),
        "without_w_o": lambda heads, w_o: np.concatenate(heads, axis=-1),
        "below_one_another": lambda heads, w_o: np.concatenate(heads, axis=0) @ w_o,
        "bare_reshape": lambda heads, w_o: np.reshape(heads, (np.shape(heads)[1], -1)) @ w_o,
        "reversed": lambda heads, w_o: np.concatenate(heads[::-1], axis=-1) @ w_o,
        "divided_by_heads": lambda heads, w_o: np.concatenate(heads, axis=-1) @ w_o / len(heads),
        "interleaved": lambda heads, w_o: np.stack(heads, -1).reshape(len(heads[0]), -1) @ w_o,
    },
)

REORDER_HEADS = Exercise(
    reorder_heads,
    cases=_order_cases,
    mistakes={
        "keep_w_o": _moving(_columns, lambda w_o, moved, order: w_o),
        "columns_of_w_o": _moving(_columns, _columns),
        "single_columns": _moving(
            lambda w, moved, order: w[:, order], lambda w_o, moved, order: w_o[order]
        ),
        "values_only": lambda w_q, w_k, *rest: (w_q, w_k, *reorder_heads(w_q, w_k, *rest)[2:]),
        "back_again": _moving(_columns, lambda w_o, moved, order: w_o[np.argsort(moved)]),
        "other_way": lambda *inputs: reorder_heads(*inputs[:4], np.argsort(inputs[4])),
    },
)

EXERCISES = (ONE_HEAD, JOIN_HEADS, REORDER_HEADS)
