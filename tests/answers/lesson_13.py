"""Lesson 13: misconceptions."""

import numpy as np

NAMES = [f"s{i}" for i in range(1, 11)]


def close(output, weights, v, error):
    return bool(np.allclose(weights @ v, output, rtol=0, atol=error))


def in_a_loop(output, weights, v):
    for i in range(len(weights)):
        for j in range(v.shape[1]):
            mixture = sum(weights[i, m] * v[m, j] for m in range(len(v)))
            if abs(mixture - output[i, j]) > 1e-9:
                return False
    return True


def within(error):
    return lambda output, weights, v: close(output, weights, v, error)


WRONG = {
    "verdicts": {
        "all true": dict.fromkeys(NAMES, True),
        "all false": dict.fromkeys(NAMES, False),
        "two beliefs": {"s1": True, "s5": True},
        "all turned round": dict(
            zip(
                NAMES,
                [True, False, True, False, True, False, True, True, False, False],
                strict=True,
            )
        ),
        "words": {"s1": "wrong"},
        "s3 and s8": {"s3": True, "s8": True},
        "a number": {"s4": 4},
        "a list": {"s2": [True]},
        "s2 and s9": {"s2": False, "s9": False},
        "s7: as a number": {"s7": 1},
    },
    "is_mixture": {
        "first row only": lambda o, a, v: np.allclose((a @ v)[0], o[0]),
        "last row only": lambda o, a, v: np.allclose((a @ v)[-1], o[-1]),
        "first column only": lambda o, a, v: np.allclose((a @ v)[:, 0], o[:, 0]),
        "last column only": lambda o, a, v: np.allclose((a @ v)[:, -1], o[:, -1]),
        "one right row is enough": lambda o, a, v: bool(np.isclose(o, a @ v).all(1).any()),
        "one right cell is enough": lambda o, a, v: bool(np.isclose(o, a @ v).any()),
        "most cells": lambda o, a, v: bool(np.isclose(o, a @ v).mean() > 0.5),
        **{f"within {error:g}": within(error) for error in (0.3, 0.2, 0.1, 0.01, 0.004)},
        "no absolute values": lambda o, a, v: bool((o - a @ v).max() < 1e-6),
        "no absolute values, the other way": lambda o, a, v: bool((a @ v - o).max() < 1e-6),
        "sums of rows": lambda o, a, v: np.allclose((a @ v).sum(1), o.sum(1)),
        "sums of columns": lambda o, a, v: np.allclose((a @ v).sum(0), o.sum(0)),
        "only_totals: means": lambda o, a, v: np.isclose((a @ v).mean(), o.mean()),
        "norm below one half": lambda o, a, v: np.linalg.norm(a @ v - o) < 0.5,
        "mean difference": lambda o, a, v: bool(np.abs(a @ v - o).mean() < 0.01),
        "sorted": lambda o, a, v: np.allclose(np.sort((a @ v).ravel()), np.sort(o.ravel())),
        "only_shape: always": lambda o, a, v: True,
        "never": lambda o, a, v: False,
        "inside the values": lambda o, a, v: bool(
            ((o >= v.min(axis=0) - 1e-9) & (o <= v.max(axis=0) + 1e-9)).all()
        ),
        "rows sum to one": lambda o, a, v: bool(np.allclose(a.sum(axis=1), 1)),
        "within 10 percent": lambda o, a, v: np.allclose(a @ v, o, rtol=0.1),
        "rounded to one decimal": lambda o, a, v: bool(((a @ v).round(1) == o.round(1)).all()),
        "to_the_last_bit: array_equal": lambda o, a, v: np.array_equal(a @ v, o),
    },
    "diagnosis": {
        "all the same": {f"p{i}": "no_scale" for i in range(1, 13)},
        "with spaces": {"p1": "no scale"},
        "a word of its own": {"p3": "right"},
        "turned": {"p4": "zero_for_infinity"},
        "three wrong": {"p1": "wrong_scale", "p3": "softmax_twice", "p6": "values_added"},
        "p9_zero_for_infinity: in capitals": {"p9": "ZERO_FOR_INFINITY"},
        "a list": {"p1": ["no_scale"]},
        "p2 only": {"p2": "one_sum_for_all"},
    },
}
RIGHT = {
    "verdicts": {
        "numbers": dict(zip(NAMES, [0, 1, 0, 1, 0, 1, 0, 0, 1, 1], strict=True)),
        "capital keys": {
            key.upper(): value
            for key, value in zip(NAMES, [0, 1, 0, 1, 0, 1, 0, 0, 1, 1], strict=True)
        },
        "NumPy's": {"s1": np.False_, "s2": np.True_},
    },
    "is_mixture": {
        "in a loop": in_a_loop,
        **{f"within {error:g}": within(error) for error in (1e-3, 1e-6, 1e-12)},
        "a number": lambda o, a, v: int(np.allclose(a @ v, o)),
        "isclose": lambda o, a, v: np.isclose(a @ v, o).all(),
        "norm": lambda o, a, v: bool(np.linalg.norm(a @ v - o) < 1e-9),
        "rounded to many decimals": lambda o, a, v: bool((np.round(a @ v - o, 9) == 0).all()),
    },
    "diagnosis": {
        "capitals": {"p1": "No_Scale", "p12": "QUERIES_AS_KEYS"},
        "spaces around": {"p2": " wrong_scale "},
        "a line end": {"p6": "keys_returned\n"},
    },
}
