"""Lesson 16: gradients."""

import numpy as np


def loops_in_the_shape_of_d_output(weights, d_output):
    dv = np.zeros_like(d_output)
    for i in range(len(weights)):
        for j in range(min(len(dv), weights.shape[1])):
            dv[j] += weights[i, j] * d_output[i]
    return dv


def by_loops(weights, d_output):
    dv = np.zeros((weights.shape[1], d_output.shape[1]))
    for share, gradient in zip(weights, d_output, strict=True):
        dv += np.outer(share, gradient)
    return dv


def by_jacobians(weights, d_weights):
    rows = []
    for a, da in zip(weights, d_weights, strict=True):
        rows.append((np.diag(a) - np.outer(a, a)) @ da)
    return rows


def softmax_back(weights, d_weights, total):
    return weights * (d_weights - total)


def in_place(weights, d_weights):
    d_weights -= (weights * d_weights).sum(axis=-1, keepdims=True)
    return weights * d_weights


def root(q):
    return np.sqrt(q.shape[-1])


def pair_by_loops(q, k, d_scaled):
    dq, dk = np.zeros(q.shape), np.zeros(k.shape)
    for i in range(len(q)):
        for j in range(len(k)):
            dq[i] += d_scaled[i, j] * k[j] / root(q)
            dk[j] += d_scaled[i, j] * q[i] / root(q)
    return dq, dk


def same_shapes(q, k, d_scaled):
    dk = np.zeros_like(q)
    for i in range(len(q)):
        for j in range(min(len(q), len(k))):
            dk[j] += d_scaled[i, j] * q[i] / root(q)
    return d_scaled @ k / root(q), dk


WRONG = {
    "value_gradient": {
        "in the shape of d_output": loops_in_the_shape_of_d_output,
        "summed over the queries": lambda a, g: g.sum(axis=0),
        "largest share only": lambda a, g: (a == a.max(axis=1, keepdims=True)).T @ g,
        "shares even": lambda a, g: np.full(a.shape, 1 / a.shape[1]).T @ g,
        "signs dropped": lambda a, g: a.T @ np.abs(g),
        "rounded": lambda a, g: (a.T @ g).round(2),
        "squared shares": lambda a, g: (a**2).T @ g,
        "normalised": lambda a, g: a.T @ g / a.sum(axis=0)[:, None],
        "minus": lambda a, g: -a.T @ g,
        "first query only": lambda a, g: np.outer(a[0], g[0]),
        "last query left out": lambda a, g: a[:-1].T @ g[:-1],
        "transposed": lambda a, g: (a.T @ g).T,
        "queries reversed": lambda a, g: a[::-1].T @ g,
        "divided by the keys": lambda a, g: a.T @ g / a.shape[1],
        "whole numbers": lambda a, g: (a.T @ g).astype(int),
        "averaged: by mean": lambda a, g: np.array(
            [(a[:, j, None] * g).mean(0) for j in range(a.shape[1])]
        ),
    },
    "through_softmax": {
        "over_columns: kept as a row": lambda a, g: softmax_back(
            a, g, (a * g).sum(0, keepdims=True)
        ),
        "total without weights": lambda a, g: softmax_back(a, g, g.sum(-1, keepdims=True)),
        "largest gradient": lambda a, g: softmax_back(a, g, g.max(-1, keepdims=True)),
        "plus": lambda a, g: a * (g + (a * g).sum(-1, keepdims=True)),
        "minus": lambda a, g: -softmax_back(a, g, (a * g).sum(-1, keepdims=True)),
        "not multiplied": lambda a, g: g - (a * g).sum(-1, keepdims=True),
        "handed on": lambda a, g: g,
        "total of the first row": lambda a, g: softmax_back(a, g, (a[0] * g[0]).sum()),
        "mean in place of sum": lambda a, g: softmax_back(a, g, (a * g).mean(-1, keepdims=True)),
        "squared weights": lambda a, g: a**2 * (g - (a * g).sum(-1, keepdims=True)),
        "only one minus": lambda a, g: a * (1 - a) * (g - (a * g).sum(-1, keepdims=True)),
        "in place": in_place,
        "rounded": lambda a, g: softmax_back(a, g, (a * g).sum(-1, keepdims=True)).round(2),
        "signs dropped": lambda a, g: np.abs(softmax_back(a, g, (a * g).sum(-1, keepdims=True))),
        "whole numbers": lambda a, g: softmax_back(a, g, (a * g).sum(-1, keepdims=True)).astype(
            int
        ),
        "no_row_sum: row by row": lambda a, g: [x * y for x, y in zip(a, g, strict=True)],
        "diagonal_only: by jacobian": lambda a, g: a * g - a * a * g,
    },
    "query_key_gradients": {
        "in the shape of q": same_shapes,
        "root of the queries": lambda q, k, g: (g @ k / root(q), g.T @ q / np.sqrt(len(q))),
        "dk without scale": lambda q, k, g: (g @ k / root(q), g.T @ q),
        "dq without scale": lambda q, k, g: (g @ k, g.T @ q / root(q)),
        "keys for dk": lambda q, k, g: (g @ k / root(q), g.T @ (g @ k) / root(q)),
        "queries for dq": lambda q, k, g: (g @ g.T @ q / root(q), g.T @ q / root(q)),
        "minus": lambda q, k, g: (-g @ k / root(q), -g.T @ q / root(q)),
        "only dq": lambda q, k, g: g @ k / root(q),
        "twice dq": lambda q, k, g: (g @ k / root(q),) * 2,
        "d_k_itself: scaled twice": lambda q, k, g: (g @ k / root(q) ** 2, g.T @ q / root(q) ** 2),
        "half of d_k": lambda q, k, g: (g @ k / (q.shape[1] / 2), g.T @ q / (q.shape[1] / 2)),
        "number of keys": lambda q, k, g: (g @ k / np.sqrt(len(k)), g.T @ q / np.sqrt(len(k))),
        "rounded": lambda q, k, g: ((g @ k / root(q)).round(2), (g.T @ q / root(q)).round(2)),
        "signs dropped": lambda q, k, g: (np.abs(g @ k / root(q)), np.abs(g.T @ q / root(q))),
        "first query only": lambda q, k, g: (g @ k / root(q), np.outer(g[0], q[0]) / root(q)),
        "as a dictionary": lambda q, k, g: {"dq": g @ k / root(q), "dk": g.T @ q / root(q)},
        "swapped: by loops": lambda *arguments: pair_by_loops(*arguments)[::-1],
        "no_scale: by loops": lambda q, k, g: tuple(
            part * root(q) for part in pair_by_loops(q, k, g)
        ),
    },
}
RIGHT = {
    "value_gradient": {
        "by loops": by_loops,
        "einsum": lambda a, g: np.einsum("ij,id->jd", a, g),
        "key by key": lambda a, g: [(a[:, j, None] * g).sum(axis=0) for j in range(a.shape[1])],
        "transposed twice": lambda a, g: (g.T @ a).T,
    },
    "through_softmax": {
        "by jacobians": by_jacobians,
        "einsum": lambda a, g: a * (g - np.einsum("ij,ij->i", a, g)[:, None]),
        "multiplied out": lambda a, g: a * g - a * (a * g).sum(axis=1)[:, None],
        "from differences": lambda a, g: (
            a * (a[:, None, :] * (g[:, :, None] - g[:, None, :])).sum(axis=2)
        ),
    },
    "query_key_gradients": {
        "by loops": pair_by_loops,
        "a list": lambda q, k, g: [g @ k / root(q), g.T @ q / root(q)],
        "scaled first": lambda q, k, g: ((g / root(q)) @ k, (g / root(q)).T @ q),
        "einsum": lambda q, k, g: (
            np.einsum("ij,jd->id", g, k) * k.shape[1] ** -0.5,
            np.einsum("ij,id->jd", g, q) * k.shape[1] ** -0.5,
        ),
    },
}
