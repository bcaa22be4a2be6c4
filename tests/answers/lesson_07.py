"""Lesson 07: softmax."""

from fractions import Fraction

import numpy as np

from attention_core import attention, softmax

ROW = np.array([1003, 1001, 1002])


def shifted_by(pick):
    """Softmax that subtracts something else than each row's maximum."""

    def answer(scores):
        powers = np.exp(scores - pick(scores))
        return powers / powers.sum(axis=-1, keepdims=True)

    return answer


def whole_numbers(scores):
    weights = np.zeros(scores.shape, int)
    for i, row in enumerate(scores):
        weights[i] = softmax(row)
    return weights


def in_place(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


def row_by_row(scores):
    rows = []
    for row in scores:
        powers = [np.exp(score - max(row)) for score in row]
        rows.append([power / sum(powers) for power in powers])
    return rows


def transposed_twice(scores):
    powers = np.exp(scores.T - scores.max(axis=1))
    return (powers / powers.sum(axis=0)).T


def through_logarithms(scores):
    largest = scores.max(axis=1, keepdims=True)
    total = np.log(np.exp(scores - largest).sum(axis=1, keepdims=True)) + largest
    return np.exp(scores - total)


def clipped(scores):
    powers = np.exp(np.clip(scores, -700, 700))
    return powers / powers.sum(axis=-1, keepdims=True)


def with_a_little_below(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / (powers.sum(axis=-1, keepdims=True) + 1e-3)


def mixed_by(weights_of):
    return lambda scores, v: weights_of(scores) @ v


def loops_of_v(scores, v):
    output = np.zeros_like(v)
    for i in range(min(len(scores), len(v))):
        output[i] = softmax(scores[i]) @ v
    return output


def whole_outputs(scores, v):
    output = np.zeros((len(scores), v.shape[1]), int)
    for i, row in enumerate(scores):
        output[i] = softmax(row) @ v
    return output


def mixed_in_a_loop(scores, v):
    output = np.zeros((len(scores), v.shape[1]))
    for i, row in enumerate(scores):
        for share, value in zip(softmax(row), v, strict=True):
            output[i] += share * value
    return output


WRONG = {
    "safe_row": {
        "sorted": [0, -1, -2],
        "from the next": [2, -1, 1],
        "not_shifted: as a list": [1003, 1001, 1002],
        "too far down": ROW - 3000.0,
        "still too large": ROW - 100.0,
        "halved": ROW / 2,
        "logarithms": np.log(ROW),
        "standardised": (ROW - ROW.mean()) / ROW.std(),
        "two numbers": [0, -2],
        "a matrix": [[0, -2, -1]],
        "off by one": [0, -2, -2],
        "a number": 1003,
        "text": "0, -2, -1",
        "signs dropped": [0, 2, 1.5],
        "weights: rounded": [0.66524096, 0.09003057, 0.24472847],
    },
    "softmax_rows": {
        "minus the mean": shifted_by(lambda s: s.mean(axis=-1, keepdims=True)),
        "minus the median": shifted_by(lambda s: np.median(s, axis=-1, keepdims=True)),
        "minus the minimum": shifted_by(lambda s: s.min(axis=-1, keepdims=True)),
        "minus the first": shifted_by(lambda s: s[:, :1]),
        "minus the last": shifted_by(lambda s: s[:, -1:]),
        "minus the middle": shifted_by(lambda s: (s.max(1) + s.min(1))[:, None] / 2),
        "minus the largest size": shifted_by(lambda s: np.abs(s).max(axis=-1, keepdims=True)),
        "minus 1000": shifted_by(lambda s: 1000),
        "minus each column's maximum": shifted_by(lambda s: s.max(axis=0)),
        "minus the sum": shifted_by(lambda s: s.sum(axis=-1, keepdims=True)),
        "divided by 1000": shifted_by(lambda s: s - s / 1000),
        "clipped": clipped,
        "a little below": with_a_little_below,
        "whole numbers": whole_numbers,
        "in place": in_place,
        "NaN painted over": lambda s: np.nan_to_num(shifted_by(lambda s: 0)(s)),
        "powers of 2": lambda s: softmax(s * np.log(2)),
        "hard maximum": lambda s: (s == s.max(axis=-1, keepdims=True)) * 1.0,
        "rounded": lambda s: softmax(s).round(3),
        "small ones dropped": lambda s: np.where(softmax(s) < 1e-3, 0, softmax(s)),
        "twice": lambda s: softmax(softmax(s)),
        "signs turned": lambda s: softmax(-s),
        "logarithms": lambda s: np.log(softmax(s) + 1e-12),
        "first row only": lambda s: softmax(s[:1]),
        "first row for all": lambda s: np.repeat(softmax(s[:1]), len(s), axis=0),
        "squares": lambda s: s**2 / (s**2).sum(axis=-1, keepdims=True),
        "without_maximum: by powers of e": lambda s: np.e**s / (np.e**s).sum(1, keepdims=True),
        "over_columns: by axis": lambda s: softmax(s, axis=0),
    },
    "mixed_by_hand": {
        "v_1 alone": [1, 0],
        "largest of each": [3, 2],
        "second left out": [1.7, 0.5],
        "weights themselves": [0.2, 0.3, 0.5],
        "swapped": [1.1, 1.7],
        "one number": 1.7,
        "a column": [[1.7], [1.1]],
        "rounded": [2, 1],
        "nearly": [1.7, 1.12],
        "text": ["1.7", "1.1"],
        "product of all": [0, 0],
        "plain_mean: rounded": [1.3333, 1],
    },
    "mix_values": {
        "no maximum": mixed_by(shifted_by(lambda s: 0)),
        "minus the mean": mixed_by(shifted_by(lambda s: s.mean(1, keepdims=True))),
        "one maximum": mixed_by(shifted_by(lambda s: s.max())),
        "minus the first": mixed_by(shifted_by(lambda s: s[:, :1])),
        "in the shape of v": loops_of_v,
        "whole numbers": whole_outputs,
        "scaled once more": lambda s, v: softmax(s / np.sqrt(s.shape[1])) @ v,
        "softmax twice": lambda s, v: softmax(softmax(s)) @ v,
        "values shared out, too": lambda s, v: softmax(s) @ softmax(v),
        "softmax afterwards": lambda s, v: softmax(s @ v),
        "divided by the keys": lambda s, v: softmax(s) @ v / len(v),
        "rounded weights": lambda s, v: softmax(s).round(2) @ v,
        "values reversed": lambda s, v: softmax(s) @ v[::-1],
        "first query only": lambda s, v: softmax(s[:1]) @ v,
        "both": lambda s, v: (softmax(s) @ v, softmax(s)),
        "sum of the values": lambda s, v: np.ones(s.shape) @ v,
        "no negative values": lambda s, v: softmax(s) @ np.maximum(v, 0),
        "rounded": lambda s, v: (softmax(s) @ v).round(2),
        "equal_shares: by ones": lambda s, v: np.ones(s.shape) @ v / len(v),
    },
}
RIGHT = {
    "safe_row": {
        "minus the mean": [1, -1, 0],
        "minus the minimum": [2, 0, 1],
        "minus 1000": [3.0, 1.0, 2.0],
        "far, but safe": ROW - 1600,
        "a tuple": (0, -2, -1),
        "fractions": [Fraction(1, 2), Fraction(-3, 2), Fraction(-1, 2)],
    },
    "softmax_rows": {
        "row by row": row_by_row,
        "transposed twice": transposed_twice,
        "through logarithms": through_logarithms,
        "a function of the course": softmax,
        "with a bit less than the maximum": shifted_by(lambda s: s.max(1, keepdims=True) - 5),
        "as a list": lambda s: shifted_by(lambda s: s.max(1)[:, None])(s).tolist(),
    },
    "mixed_by_hand": {
        "a list": [1.7, 1.1],
        "fractions": [Fraction(17, 10), Fraction(11, 10)],
        "products": 0.2 * np.array([1, 0]) + 0.3 * np.array([0, 2]) + 0.5 * np.array([3, 1]),
        "a tuple": (1.7, 1.1),
    },
    "mix_values": {
        "in a loop": mixed_in_a_loop,
        "einsum": lambda s, v: np.einsum("ij,jd->id", softmax(s), v),
        "by hand": mixed_by(shifted_by(lambda s: s.max(1, keepdims=True))),
        "divided at the end": lambda s, v: (
            (np.exp(s - s.max(1, keepdims=True)) @ v)
            / np.exp(s - s.max(1, keepdims=True)).sum(1, keepdims=True)
        ),
        "attention": lambda s, v: attention(s, np.eye(s.shape[1]), v, scale=1.0)[0],
    },
}
