"""Lesson 09: attention by hand."""

from fractions import Fraction

import numpy as np

from attention_core import attention_steps, softmax

SHARES = np.array([1, np.e]) / (1 + np.e)


def steps(q, k, v, allowed):
    scores = q @ k.T
    scaled = scores / np.sqrt(q.shape[-1])
    masked = np.where(allowed, scaled, -np.inf)
    weights = softmax(masked)
    return [scores, scaled, masked, weights, weights @ v]


def with_step(place, change):
    """The five steps, one of them handed on changed; the others are right."""

    def answer(*inputs):
        five = steps(*inputs)
        five[place] = change(*five)
        return tuple(five)

    return answer


def in_the_mask(change):
    """The five steps with another mask."""
    return lambda q, k, v, allowed: tuple(steps(q, k, v, change(allowed)))


def masked_in_place(q, k, v, allowed):
    scores = q @ k.T
    scaled = scores / np.sqrt(q.shape[-1])
    scaled[~allowed] = -np.inf
    return scores, scaled, scaled, softmax(scaled), softmax(scaled) @ v


def by_hand(q, k, v, allowed):
    scores = np.array([[float(np.dot(a, b)) for b in k] for a in q])
    scaled = scores / q.shape[1] ** 0.5
    masked = scaled.copy()
    masked[~allowed] = -np.inf
    powers = np.exp(masked)
    weights = powers / powers.sum(axis=1, keepdims=True)
    return scores, scaled, masked, weights, weights @ v


def added(q, k, v, allowed):
    scores = q @ k.T
    scaled = scores * q.shape[1] ** -0.5
    masked = scaled + np.where(allowed, 0, -np.inf)
    weights = softmax(masked)
    return scores, scaled, masked, weights, np.einsum("ij,jd->id", weights, v)


def rounded(weights, v, decimals):
    return np.array([[float(f"{x:.{decimals}f}") for x in row] for row in weights @ v])


def exact(weights, v, decimals):
    return np.around(np.einsum("ij,jd->id", weights, v), decimals)


WRONG = {
    "one_output": {
        "half and half": [5, 50],
        "one decimal": [2.7, 73.1],
        "one more off": [2.65, 73.11],
        "swapped": [73.106, 2.689],
        "second key only": [0, 100],
        "sum": 75.8,
        "percent": [26.89, 73.11],
        "without softmax": [0, 300],
        "with d_k 3": SHARES**2 @ [[10, 0], [0, 100]],
        "text": "[2.689, 73.106]",
        "a column": [[2.689], [73.106]],
        "only_weights: rounded": [0.2689, 0.7311],
        "no_scale: rounded": [0.474, 95.257],
    },
    "five_steps": {
        "causal, whatever is allowed": lambda q, k, v, allowed: tuple(
            steps(q, k, v, np.tri(*allowed.shape, allowed.shape[1] - len(allowed), dtype=bool))
        ),
        "the diagonal hidden": in_the_mask(
            lambda allowed: allowed & ~np.eye(*allowed.shape, dtype=bool)
        ),
        "the first key always open": in_the_mask(
            lambda allowed: allowed | (np.arange(allowed.shape[1]) == 0)
        ),
        "masked_in_place: once more": masked_in_place,
        "hidden as -50": with_step(2, lambda s, z, m, a, o: np.maximum(m, -50)),
        "hidden as NaN": with_step(2, lambda s, z, m, a, o: np.where(np.isinf(m), np.nan, m)),
        "a little weight hidden": with_step(3, lambda s, z, m, a, o: a + 1e-9),
        "weights rounded": with_step(3, lambda s, z, m, a, o: a.round(2)),
        "output rounded": with_step(4, lambda s, z, m, a, o: o.round(2)),
        "whole outputs": with_step(4, lambda s, z, m, a, o: o.astype(int)),
        "scores scaled already": with_step(0, lambda s, z, m, a, o: z),
        "scaled not scaled": with_step(1, lambda s, z, m, a, o: s),
        "weights not normalised": with_step(3, lambda s, z, m, a, o: np.exp(m)),
        "weights for the output": with_step(4, lambda s, z, m, a, o: a),
        "output left out": lambda *inputs: tuple(steps(*inputs)[:4]),
        "only the output": lambda *inputs: steps(*inputs)[4],
        "reversed order": lambda *inputs: tuple(steps(*inputs)[::-1]),
        "softmax twice": with_step(3, lambda s, z, m, a, o: softmax(a)),
        "divided by d_v": with_step(1, lambda s, z, m, a, o: s / o.shape[1]),
        "mask_turned_round: by not": in_the_mask(np.logical_not),
    },
    "rounded_output": {
        "twice": lambda a, v, d: (a @ v).round(d + 1).round(d),
        "values twice": lambda a, v, d: (a @ v.round(d + 1)).round(d),
        "one decimal more": lambda a, v, d: (a @ v).round(d + 1),
        "one decimal less": lambda a, v, d: (a @ v).round(d - 1),
        "rounded up": lambda a, v, d: np.ceil((a @ v) * 10**d) / 10**d,
        "cut towards zero": lambda a, v, d: np.trunc((a @ v) * 10**d) / 10**d,
        "weights with one more": lambda a, v, d: (a.round(d + 1) @ v).round(d),
        "weights with two more": lambda a, v, d: (a.round(d + 2) @ v).round(d),
        "in whole numbers": lambda a, v, d: (a @ v * 10**d).round(),
        "as text": lambda a, v, d: [[f"{x:.{d}f}" for x in row] for row in a @ v],
        "products rounded": lambda a, v, d: (a[:, :, None] * v).round(d).sum(axis=1),
        "first row only": lambda a, v, d: (a[:1] @ v).round(d),
        "always three": lambda a, v, d: (a @ v).round(3),
        "significant digits": lambda a, v, d: np.array(
            [[float(f"{x:.{d}g}") for x in row] for row in a @ v]
        ),
        "half up by adding": lambda a, v, d: np.floor((a @ v) * 10**d + 0.6) / 10**d,
        "cut_off: by floor": lambda a, v, d: ((a @ v) // 10.0**-d) * 10.0**-d,
    },
}
RIGHT = {
    "one_output": {
        "two decimals": [2.69, 73.11],
        "many decimals": [2.689414, 73.105858],
        "from e": SHARES @ [[10, 0], [0, 100]],
        "fractions": [Fraction(2689, 1000), Fraction(73106, 1000)],
        "a tuple": (2.689, 73.106),
    },
    "five_steps": {
        "by hand": by_hand,
        "added": added,
        "a list": lambda *inputs: steps(*inputs),
        "the course's": lambda q, k, v, allowed: tuple(attention_steps(q, k, v, allowed)),
        "lists of lists": lambda *inputs: [step.tolist() for step in steps(*inputs)],
    },
    "rounded_output": {
        "number by number": rounded,
        "around": exact,
        "row by row": lambda a, v, d: np.array([np.round(row @ v, d) for row in a]),
        "as a list": lambda a, v, d: np.round(a @ v, decimals=d).tolist(),
    },
}
