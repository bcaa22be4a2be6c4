"""Lesson 01: projections."""

from fractions import Fraction

import numpy as np

from attention_core import project


def in_whole_numbers(x, w_q, w_k, w_v):
    return tuple((x @ w).astype(int) for w in (w_q, w_k, w_v))


def by_loops(x, w):
    product = np.zeros((len(x), w.shape[1]))
    for i in range(len(x)):
        for j in range(w.shape[1]):
            product[i, j] = sum(x[i, m] * w[m, j] for m in range(x.shape[1]))
    return product


def first_token(x, w_q, w_k, w_v):
    return x[:1] @ w_q, x[:1] @ w_k, x[:1] @ w_v


def normalised(x, w_q, w_k, w_v):
    return tuple(q / np.linalg.norm(q) for q in (x @ w_q, x @ w_k, x @ w_v))


WRONG = {
    "query_by_hand": {
        "one row too few": [1, 0],
        "second row once": [3, 1],
        "x added": [6, 4],
        "a minus sign": [-5, -2],
        "both numbers in one": 7,
        "in words": "[5, 2]",
        "a column": [[5], [2]],
        "nearly": [5, 2.01],
        "last_row_counted: as numbers": [10.0, 7.0],
        "a gap": [5, 2, 0],
        "one is text": [5, "2"],
    },
    "make_qkv": {
        "cut to whole numbers": in_whole_numbers,
        "rounded": lambda x, w_q, w_k, w_v: tuple((x @ w).round() for w in (w_q, w_k, w_v)),
        "the first token only": first_token,
        "normalised": normalised,
        "three copies of q": lambda x, w_q, w_k, w_v: (x @ w_q,) * 3,
        "keys_from_w_q: by a wrong turn": lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_q, x @ w_v),
        "order v, k, q": lambda x, w_q, w_k, w_v: (x @ w_v, x @ w_k, x @ w_q),
        "order k, q, v": lambda x, w_q, w_k, w_v: (x @ w_k, x @ w_q, x @ w_v),
        "values of the queries": lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_k, x @ w_q),
        "no negative numbers": lambda x, w_q, w_k, w_v: tuple(
            np.maximum(x @ w, 0) for w in (w_q, w_k, w_v)
        ),
        "transposed": lambda x, w_q, w_k, w_v: ((x @ w_q).T, (x @ w_k).T, (x @ w_v).T),
        "side by side": lambda x, w_q, w_k, w_v: x @ np.hstack([w_q, w_k, w_v]),
        "as a dictionary": lambda x, w_q, w_k, w_v: {"q": x @ w_q, "k": x @ w_k, "v": x @ w_v},
        "two of three": lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_k),
        "reversed tokens": lambda x, w_q, w_k, w_v: tuple(x[::-1] @ w for w in (w_q, w_k, w_v)),
        "one more token": lambda x, w_q, w_k, w_v: tuple(
            np.vstack([x @ w, np.zeros(w.shape[1])]) for w in (w_q, w_k, w_v)
        ),
    },
    "qkv_shapes": {
        "one size": lambda n, d_model, d_k, d_v: (n, d_k, d_v),
        "two shapes": lambda n, d_model, d_k, d_v: ((n, d_k), (n, d_v)),
        "v tall": lambda n, d_model, d_k, d_v: ((n, d_k), (n, d_k), (d_v, n)),
        "q as wide as x": lambda n, d_model, d_k, d_v: ((n, d_model), (n, d_k), (n, d_v)),
        "v as wide as x": lambda n, d_model, d_k, d_v: ((n, d_k), (n, d_k), (n, d_model)),
        "with d_model first": lambda n, d_model, d_k, d_v: ((d_model, d_k),) * 2 + ((n, d_v),),
        "one more axis": lambda n, d_model, d_k, d_v: ((1, n, d_k), (1, n, d_k), (1, n, d_v)),
        "halved": lambda n, d_model, d_k, d_v: ((n, d_k), (n, d_k), (n, d_v // 2)),
        "of the first case": lambda n, d_model, d_k, d_v: ((2, 5), (2, 5), (2, 7)),
        "as text": lambda n, d_model, d_k, d_v: (f"({n}, {d_k})",) * 2 + (f"({n}, {d_v})",),
    },
    "weight_shapes": {
        "all as W_K, list": [[24, 6], [24, 6], [24, 6.5]],
        "swapped order": ((24, 10), (24, 6), (24, 6)),
        "two shapes": ((24, 6), (24, 10)),
        "without d_model": ((6,), (6,), (10,)),
        "flat": (24, 6, 24, 6, 24, 10),
        "W_V transposed": ((24, 6), (24, 6), (10, 24)),
        "with the tokens": ((11, 24), (24, 6), (24, 10)),
        "words": ("(24, 6)", "(24, 6)", "(24, 10)"),
        "transposed: as lists": [[6, 24], [6, 24], [10, 24]],
        "w_v_as_w_k: as an array": np.array([[24, 6], [24, 6], [24, 6]]),
    },
}
RIGHT = {
    "query_by_hand": {
        "a list": [5, 2],
        "a tuple of floats": (5.0, 2.0),
        "fractions": [Fraction(5), Fraction(2)],
        "a function": lambda: np.array([5, 2]),
    },
    "make_qkv": {
        "a list": lambda x, w_q, w_k, w_v: [x @ w_q, x @ w_k, x @ w_v],
        "by loops": lambda x, w_q, w_k, w_v: tuple(by_loops(x, w) for w in (w_q, w_k, w_v)),
        "one product, cut": lambda x, w_q, w_k, w_v: tuple(
            np.split(
                x @ np.hstack([w_q, w_k, w_v]),
                [w_q.shape[1], w_q.shape[1] + w_k.shape[1]],
                axis=1,
            )
        ),
        "einsum": lambda x, *w: tuple(np.einsum("nm,md->nd", x, one) for one in w),
        "project": lambda x, *w: tuple(project(x, one) for one in w),
        "lists of lists": lambda x, *w: [(x @ one).tolist() for one in w],
    },
    "qkv_shapes": {
        "lists": lambda n, d_model, d_k, d_v: [[n, d_k], [n, d_k], [n, d_v]],
        "of zeros": lambda n, d_model, d_k, d_v: tuple(
            np.zeros((n, d)).shape for d in (d_k, d_k, d_v)
        ),
        "an array": lambda n, d_model, d_k, d_v: np.array([[n, d_k], [n, d_k], [n, d_v]]),
        "by matmul": lambda n, d_model, d_k, d_v: tuple(
            (np.ones((n, d_model)) @ np.ones((d_model, d))).shape for d in (d_k, d_k, d_v)
        ),
    },
    "weight_shapes": {
        "lists": [[24, 6], [24, 6], [24, 10]],
        "an array": np.array([[24, 6], [24, 6], [24, 10]]),
        "mixed": [(24, 6), [24, 6], np.array([24, 10])],
    },
}
