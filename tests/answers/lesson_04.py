"""Lesson 04: the score matrix."""

from fractions import Fraction

import numpy as np

from attention_core import attention_scores, softmax


def whole_numbers(q, k):
    scores = np.zeros((len(q), len(k)), int)
    for i in range(len(q)):
        for j in range(len(k)):
            scores[i, j] = q[i] @ k[j]
    return scores


def by_loops(q, k):
    scores = np.zeros((len(q), len(k)))
    for i in range(len(q)):
        for j in range(len(k)):
            for m in range(q.shape[1]):
                scores[i, j] += q[i, m] * k[j, m]
    return scores


def square(q, k):
    scores = np.zeros((len(q), len(q)))
    for i in range(len(q)):
        for j in range(min(len(q), len(k))):
            scores[i, j] = q[i] @ k[j]
    return scores


def last_feature_forgotten(q, k):
    return q[:, :-1] @ k[:, :-1].T


def changed_in_place(q, k):
    q *= 1.0
    q += 0.0
    q[0] = q[0] * 2
    return q @ k.T


WRONG = {
    "one_score": {
        "all wrong": 0,
        "sign": -7,
        "first products": 12,
        "squared": 49,
        "a list": [7],
        "text": "7",
        "nearly": 7.001,
        "off by one": 8,
        "true": True,
        "pair": (2, 3),
        "weights": 1 / 7,
        "indices_swapped: as a float": 24.0,
    },
    "score_matrix": {
        "whole numbers": whole_numbers,
        "truncated": lambda q, k: np.trunc(q @ k.T),
        "square": square,
        "last feature forgotten": last_feature_forgotten,
        "changed in place": changed_in_place,
        "keys with themselves": lambda q, k: k @ k.T,
        "flat": lambda q, k: (q @ k.T).ravel(),
        "rounded": lambda q, k: (q @ k.T).round(1),
        "no negative scores": lambda q, k: np.maximum(q @ k.T, 0),
        "signs dropped": lambda q, k: np.abs(q @ k.T),
        "cosines": lambda q, k: (
            q @ k.T / np.linalg.norm(q, axis=1)[:, None] / (np.linalg.norm(k, axis=1) + 1e-300)
        ),
        "first query only": lambda q, k: q[:1] @ k.T,
        "keys reversed": lambda q, k: q @ k[::-1].T,
        "queries reversed": lambda q, k: q[::-1] @ k.T,
        "a reshape for the transpose": lambda q, k: q @ k.reshape(k.shape[::-1]),
        "distances": lambda q, k: ((q[:, None] - k[None]) ** 2).sum(axis=-1),
        "features by features": lambda q, k: q[: len(k)].T @ k[: len(q)],
        "weights: by rows": lambda q, k: np.array([softmax(row) for row in q @ k.T]),
        "scaled_early: by d_k": lambda q, k: q @ k.T * q.shape[1] ** -0.5,
    },
    "score_shape": {
        "smaller first": lambda n_q, n_k, d_k, d_v: (min(n_q, n_k), max(n_q, n_k)),
        "larger first": lambda n_q, n_k, d_k, d_v: (max(n_q, n_k), min(n_q, n_k)),
        "square of queries": lambda n_q, n_k, d_k, d_v: (n_q, n_q),
        "square of keys": lambda n_q, n_k, d_k, d_v: (n_k, n_k),
        "number of scores": lambda n_q, n_k, d_k, d_v: n_q * n_k,
        "shape of K": lambda n_q, n_k, d_k, d_v: (n_k, d_k),
        "shape of K transposed": lambda n_q, n_k, d_k, d_v: (d_k, n_k),
        "shape of V": lambda n_q, n_k, d_k, d_v: (n_k, d_v),
        "one row": lambda n_q, n_k, d_k, d_v: (n_k,),
        "text": lambda n_q, n_k, d_k, d_v: f"({n_q}, {n_k})",
        "an array of that shape": lambda n_q, n_k, d_k, d_v: np.ones((n_q, n_k)),
        "one too many": lambda n_q, n_k, d_k, d_v: (n_q, n_k + (n_k == 100)),
    },
    "could_be_weights": {
        "all": [True] * 5,
        "none": [False] * 5,
        "first row too": [True, True, False, True, False],
        "last row too": [False, True, False, True, True],
        "only the fourth": [False, False, False, True, False],
        "third in place of fourth": [False, True, True, False, False],
        "four answers": [False, True, False, True],
        "words": ["no", "yes", "no", "yes", "no"],
        "indices": [1, 3],
        "sums": [1, 1, 1.8, 1, 0],
        "turned_round: in numbers": [1, 0, 1, 0, 1],
        "a set of words": "False True False True False",
    },
}
RIGHT = {
    "one_score": {
        "a float": 7.0,
        "NumPy's": np.array([3, -1]) @ np.array([4, 5]),
        "a fraction": Fraction(14, 2),
    },
    "score_matrix": {
        "by loops": by_loops,
        "inner": np.inner,
        "einsum": lambda q, k: np.einsum("im,jm->ij", q, k),
        "products added up": lambda q, k: (q[:, None] * k).sum(axis=-1),
        "lists": lambda q, k: [[float(a @ b) for b in k] for a in q],
        "transposed twice": lambda q, k: (k @ q.T).T,
        "the course's": attention_scores,
    },
    "score_shape": {
        "a list": lambda n_q, n_k, d_k, d_v: [n_q, n_k],
        "of zeros": lambda n_q, n_k, d_k, d_v: (np.zeros((n_q, d_k)) @ np.zeros((d_k, n_k))).shape,
        "an array": lambda n_q, n_k, d_k, d_v: np.array([n_q, n_k]),
    },
    "could_be_weights": {
        "numbers": [0, 1, 0, 1, 0],
        "a tuple": (False, True, False, True, False),
        "an array": np.array([False, True, False, True, False]),
    },
}
