"""Lesson 12: shapes of heads."""

import numpy as np

from attention_core import merge_heads as course_merge
from attention_core import split_heads as course_split


def whole_split(x, h):
    n, width = x.shape
    heads = np.zeros((h, n, width // h), int)
    for i in range(h):
        heads[i] = x[:, i * (width // h) : (i + 1) * (width // h)]
    return heads


def whole_merge(x):
    h, n, d = x.shape
    merged = np.zeros((n, h * d), int)
    for i in range(h):
        merged[:, i * d : (i + 1) * d] = x[i]
    return merged


def split_in_a_loop(x, h):
    d = x.shape[1] // h
    return [[[x[i, j * d + m] for m in range(d)] for i in range(len(x))] for j in range(h)]


def merge_in_a_loop(x):
    h, n, d = x.shape
    return [[x[j, i, m] for j in range(h) for m in range(d)] for i in range(n)]


def sizes(count):
    return lambda d_model, h, d_k, d_v: count(d_model, h, d_k, d_v)


WRONG = {
    "shapes_of_heads": {
        "scores of the model": {"scores": (30, 30)},
        "concat by heads": {"concat": (7, 5)},
        "head by tokens": {"head": (7, 7)},
        "with the heads": {"q_i": (5, 7, 6), "head": (5, 7, 6)},
        "d_head 5": {"q_i": (7, 5), "head": (7, 5)},
        "flat": {"concat": (210,)},
        "one number": {"q_i": 6},
        "text": {"q_i": "(7, 6)"},
        "concat with all scores": {"concat": (7, 35)},
        "two beliefs": {"q_i": (7, 30), "scores": (6, 6)},
        "average: as a list": {"concat": [7, 6]},
    },
    "split_heads": {
        "whole numbers": whole_split,
        "two heads always": lambda x, h: course_split(x, 2),
        "heads last": lambda x, h: course_split(x, h).transpose(1, 2, 0),
        "features first": lambda x, h: course_split(x, h).transpose(2, 1, 0),
        "tokens reversed": lambda x, h: course_split(x, h)[:, ::-1],
        "features reversed": lambda x, h: course_split(x, h)[..., ::-1],
        "the first head only": lambda x, h: course_split(x, h)[:1],
        "one head left out": lambda x, h: course_split(x, h)[:-1],
        "first head again": lambda x, h: np.repeat(course_split(x, h)[:1], h, axis=0),
        "a width of h": lambda x, h: x.reshape(len(x), -1, h).swapaxes(0, 1),
        "scaled": lambda x, h: course_split(x, h) / np.sqrt(x.shape[1] // h),
        "a list of columns": lambda x, h: [x[:, i] for i in range(h)],
        "flat": lambda x, h: x.ravel(),
        "every_hth: by steps": lambda x, h: np.array([x[:, i::h] for i in range(h)]),
        "reversed: in a list": lambda x, h: np.array(np.split(x, h, axis=1)[::-1]),
    },
    "merge_heads": {
        "whole numbers": whole_merge,
        "heads reversed": lambda x: course_merge(x[::-1]),
        "tokens reversed": lambda x: course_merge(x[:, ::-1]),
        "transposed": lambda x: course_merge(x).T,
        "flat": lambda x: x.ravel(),
        "first head only": lambda x: x[0],
        "summed": lambda x: x.sum(axis=0),
        "side by side, first again": lambda x: np.hstack([x[0]] * len(x)),
        "features reversed": lambda x: course_merge(x[..., ::-1]),
        "one head left out": lambda x: course_merge(x[:-1]),
        "as a list of heads": lambda x: [head.tolist() for head in x],
        "doubled": lambda x: np.hstack([course_merge(x)] * 2),
        "bare_reshape: flattened": lambda x: x.ravel().reshape(x.shape[1], -1),
        "below_one_another: by vstack": lambda x: np.vstack(list(x)),
    },
    "count_parameters": {
        "off by one when large": sizes(lambda m, h, k, v: 2 * h * m * (k + v) + (m > 100)),
        "off by one when very large": sizes(lambda m, h, k, v: 2 * h * m * (k + v) - (m > 10000)),
        "in millions": sizes(lambda m, h, k, v: 2 * h * m * (k + v) / 1e6),
        "with biases": sizes(lambda m, h, k, v: 2 * h * m * (k + v) + h * (2 * k + v) + m),
        "with a layer of norms": sizes(lambda m, h, k, v: 2 * h * m * (k + v) + 2 * m),
        "three matrices of d_v": sizes(lambda m, h, k, v: m * h * (k + 3 * v)),
        "W_O per head square": sizes(lambda m, h, k, v: m * h * (2 * k + v) + h * v * v),
        "rounded": sizes(lambda m, h, k, v: float(f"{2 * h * m * (k + v):.3g}")),
        "d_head from the model": sizes(lambda m, h, k, v: 4 * m * h * (m // h)),
        "in four parts": sizes(lambda m, h, k, v: (m * h * k, m * h * k, m * h * v, h * v * m)),
        "float32": sizes(lambda m, h, k, v: float(np.float32(2 * h * m * (k + v)) + np.float32(1))),
        "all_square: by powers": sizes(lambda m, h, k, v: 4 * m**2),
    },
}
RIGHT = {
    "shapes_of_heads": {
        "lists": {"q_i": [7, 6], "scores": [7, 7], "head": [7, 6], "concat": [7, 30]},
        "arrays": {"concat": np.array([7, 30])},
        "floats": {"q_i": (7, 30 / 5)},
        "capital keys": {"Q_i": (7, 6), "Scores": (7, 7), "Head": (7, 6), "Concat": (7, 30)},
    },
    "split_heads": {
        "in a loop": split_in_a_loop,
        "split and stacked": lambda x, h: np.stack(np.split(x, h, axis=1)),
        "transposed": lambda x, h: x.reshape(len(x), h, -1).transpose(1, 0, 2),
        "einops by hand": lambda x, h: x.T.reshape(h, -1, len(x)).swapaxes(1, 2),
        "the course's": lambda x, h: course_split(x, h),
    },
    "merge_heads": {
        "in a loop": merge_in_a_loop,
        "hstack": lambda x: np.hstack(list(x)),
        "concatenated": lambda x: np.concatenate(x, axis=-1),
        "transposed": lambda x: x.transpose(1, 0, 2).reshape(x.shape[1], -1),
        "the course's": lambda x: course_merge(x),
    },
    "count_parameters": {
        "matrix by matrix": sizes(
            lambda m, h, k, v: sum([m * h * k, m * h * k, m * h * v, h * v * m])
        ),
        "a float": sizes(lambda m, h, k, v: float(2 * m * h * (k + v))),
        "head by head": sizes(lambda m, h, k, v: sum(2 * m * k + 2 * m * v for _ in range(h))),
        "NumPy's": sizes(lambda m, h, k, v: np.int64(2) * m * h * (k + v)),
    },
}
