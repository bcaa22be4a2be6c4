"""Lesson 05: likeness and learned match."""

import numpy as np

RING = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])


def lengths(x):
    return np.linalg.norm(x, axis=-1, keepdims=True)


def cosines_in_a_loop(q, k):
    return [
        [sum(a * b) / (sum(a * a) ** 0.5 * sum(b * b) ** 0.5)]
        if False
        else float(np.dot(a, b) / np.sqrt(np.dot(a, a) * np.dot(b, b)))
        for a in q
        for b in k
    ]


def pair_by_pair(q, k):
    result = np.empty((len(q), len(k)))
    for i, a in enumerate(q):
        for j, b in enumerate(k):
            result[i, j] = a @ b / (np.sqrt(a @ a) * np.sqrt(b @ b))
    return result


def in_place(q, k):
    q /= lengths(q)
    return q @ (k / lengths(k)).T


def in_place_x(x, w_q, w_k):
    x -= x.mean()
    return x @ w_q @ (x @ w_k).T


WRONG = {
    "dot_by_hand": {
        "sign": -4,
        "one product left out": -2,
        "minus_lost: as a float": 12.0,
        "text": "4",
        "a list": [4],
        "cosine of them": 0.233,
        "scaled": 4 / np.sqrt(3),
        "nearly": 4.5,
        "largest product": 6,
        "number of places": 3,
        "True": True,
        "not_added: as a list": [2, -4, 6],
    },
    "cosines": {
        "flat": cosines_in_a_loop,
        "signs dropped": lambda q, k: np.abs(pair_by_pair(q, k)),
        "no negative ones": lambda q, k: np.maximum(pair_by_pair(q, k), 0),
        "rounded": lambda q, k: pair_by_pair(q, k).round(2),
        "clipped at one half": lambda q, k: np.clip(pair_by_pair(q, k), -0.5, 1),
        "one length for all": lambda q, k: q @ k.T / (np.linalg.norm(q) * np.linalg.norm(k)),
        "sums for lengths": lambda q, k: (
            q @ k.T / (np.abs(q).sum(axis=1)[:, None] * np.abs(k).sum(axis=1))
        ),
        "largest entries for lengths": lambda q, k: (
            q @ k.T / (np.abs(q).max(axis=1)[:, None] * np.abs(k).max(axis=1))
        ),
        "a little added below": lambda q, k: q @ k.T / (lengths(q) * lengths(k).T + 0.01),
        "lengths added": lambda q, k: q @ k.T / (lengths(q) + lengths(k).T),
        "angles": lambda q, k: np.arccos(np.clip(pair_by_pair(q, k), -1, 1)),
        "squares": lambda q, k: pair_by_pair(q, k) ** 2,
        "queries with themselves": lambda q, k: pair_by_pair(q, q),
        "q changed in place": in_place,
        "first query only": lambda q, k: pair_by_pair(q[:1], k),
        "multiplied": lambda q, k: q @ k.T * lengths(q) * lengths(k).T,
        "means taken off": lambda q, k: pair_by_pair(
            q - q.mean(axis=1, keepdims=True) + 1e-9, k - k.mean(axis=1, keepdims=True) + 1e-9
        ),
        "only_queries: by norm": lambda q, k: (q / lengths(q)) @ k.T,
        "only_keys: by norm": lambda q, k: q @ (k / lengths(k)).T,
    },
    "learned_scores": {
        "x only once": lambda x, w_q, w_k: x @ (w_q @ w_k.T),
        "symmetric": lambda x, w_q, w_k: (x @ w_q @ (x @ w_k).T + (x @ w_k @ (x @ w_q).T)) / 2,
        "rounded": lambda x, w_q, w_k: (x @ w_q @ (x @ w_k).T).round(1),
        "truncated": lambda x, w_q, w_k: np.trunc(x @ w_q @ (x @ w_k).T),
        "x changed in place": in_place_x,
        "the future hidden": lambda x, w_q, w_k: np.tril(x @ w_q @ (x @ w_k).T),
        "diagonal only": lambda x, w_q, w_k: np.diag(np.diag(x @ w_q @ (x @ w_k).T)),
        "no diagonal": lambda x, w_q, w_k: x @ w_q @ (x @ w_k).T * (1 - np.eye(len(x))),
        "features by features": lambda x, w_q, w_k: (x @ w_q).T @ (x @ w_k),
        "normalised": lambda x, w_q, w_k: pair_by_pair(x @ w_q + 1e-9, x @ w_k + 1e-9),
        "keys reversed": lambda x, w_q, w_k: x @ w_q @ (x[::-1] @ w_k).T,
        "softmax": lambda x, w_q, w_k: np.exp(x @ w_q @ (x @ w_k).T),
        "scaled_early: by a power": lambda x, w_q, w_k: (
            x @ w_q @ (x @ w_k).T * w_k.shape[1] ** -0.5
        ),
    },
    "one_way": {
        "zeros": np.zeros((3, 3)),
        "ones": np.ones((3, 3)),
        "twice": 2 * RING,
        "minus": -RING,
        "one 1 too many": RING + np.diag([1, 0, 0]),
        "last row missing": RING[:2],
        "flat": RING.ravel(),
        "only the last": np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0]]),
        "two swap": np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]]),
        "nearly": RING + 0.01,
        "letters": [["0", "1", "0"], ["0", "0", "1"], ["1", "0", "0"]],
        "wrong_way: transposed": RING.T,
        "identity: as lists": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    },
}
RIGHT = {
    "dot_by_hand": {
        "a float": 4.0,
        "a product": np.dot([2, -1, 3], [1, 4, 2]),
        "a function": lambda: 2 - 4 + 6,
    },
    "cosines": {
        "pair by pair": pair_by_pair,
        "norms": lambda q, k: q @ k.T / (lengths(q) * lengths(k).T),
        "unit vectors": lambda q, k: (q / lengths(q)) @ (k / lengths(k)).T,
        "as lists": lambda q, k: pair_by_pair(q, k).tolist(),
        "outer": lambda q, k: (
            q @ k.T / np.outer(np.linalg.norm(q, axis=1), np.linalg.norm(k, axis=1))
        ),
    },
    "learned_scores": {
        "one matrix between": lambda x, w_q, w_k: x @ (w_q @ w_k.T) @ x.T,
        "inner": lambda x, w_q, w_k: np.inner(x @ w_q, x @ w_k),
        "einsum": lambda x, w_q, w_k: np.einsum("im,md,nd,jn->ij", x, w_q, w_k, x),
        "row by row": lambda x, w_q, w_k: [[(a @ w_q) @ (b @ w_k) for b in x] for a in x],
    },
    "one_way": {
        "lists": [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        "rolled": np.roll(np.eye(3), 1, axis=1),
        "rows of the identity": np.eye(3)[[1, 2, 0]],
        "tuples": ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
        "True and False": (np.roll(np.eye(3), 1, axis=1) > 0).astype(int),
    },
}
