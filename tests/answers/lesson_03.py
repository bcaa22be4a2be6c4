"""Lesson 03: who does what."""

from fractions import Fraction

import numpy as np

from attention_core import attention, softmax


def scaled(q, k):
    return k @ q / np.sqrt(len(q))


def hidden_as(number):
    """Weights with a number in place of minus infinity."""
    return lambda q, k, m: softmax(np.where(np.isinf(m), number, scaled(q, k)))


def renormalised(q, k, m):
    weights = softmax(scaled(q, k)) * np.isfinite(m)
    return weights / weights.sum()


def plain(scores):
    powers = np.exp(scores)
    return powers / powers.sum()


def weights_in_a_loop(q, k, m):
    powers = []
    for key, allowed in zip(k, m, strict=True):
        score = sum(a * b for a, b in zip(q, key, strict=True)) / len(q) ** 0.5
        powers.append(np.exp(score) if allowed == 0 else 0.0)
    return [power / sum(powers) for power in powers]


def weights_of_the_allowed(q, k, m):
    weights = np.zeros(len(k))
    weights[m == 0] = softmax(scaled(q, k)[m == 0])
    return weights


def mixed_in_a_loop(q, k, v):
    output = np.zeros(v.shape[1])
    for share, value in zip(plain(scaled(q, k)), v, strict=True):
        output = output + share * value
    return output


def changing_the_mask(q, k, m):
    m += scaled(q, k)
    return softmax(m)


WRONG = {
    "row_by_hand": {
        "two wrong": {"alpha": [0.1, 0.3, 0.6], "o": [0, 6]},
        "squares": {"alpha": np.array([1, 4, 25]) / 30, "o": [0.27, 7.2]},
        "not a list": {"alpha": 0.125},
        "two weights": {"alpha": [0.125, 0.875]},
        "o swapped": {"o": [6, 1]},
        "o as a column": {"o": [[1], [6]]},
        "weights reversed": {"alpha": [0.625, 0.25, 0.125]},
        "rounded to one decimal": {"alpha": [0.1, 0.2, 0.6]},
        "in percent": {"alpha": [12.5, 25, 62.5]},
        "plain_mean: with everything else right": {"o": [8 / 3, 4.0]},
        "o of three numbers": {"o": [1, 1, 5]},
        "text": {"o": "[1, 6]"},
    },
    "who_moves": {
        "v_moves_weights: everything moves": dict.fromkeys(
            ["q_alpha", "k_alpha", "k_o", "v_alpha", "v_o"], True
        ),
        "nothing moves": dict.fromkeys(["q_alpha", "k_alpha", "k_o", "v_alpha", "v_o"], False),
        "all turned round": {
            "q_alpha": False,
            "k_alpha": False,
            "k_o": False,
            "v_alpha": True,
            "v_o": False,
        },
        "two wrong": {"q_alpha": False, "v_o": False},
        "words": {"q_alpha": "yes"},
        "a list": {"k_o": [True]},
        "two": {"k_o": 2},
        "v_moves_weights: as a number": {"v_alpha": 1},
        "NaN": {"v_o": float("nan")},
        "keys idle, values too": {"k_o": False, "v_o": False},
    },
    "row_weights": {
        "hidden as -20": hidden_as(-20),
        "hidden as -60": hidden_as(-60),
        "hidden as -100": hidden_as(-100),
        "-20 added": lambda q, k, m: softmax(scaled(q, k) + np.maximum(m, -20)),
        "-100 added": lambda q, k, m: softmax(scaled(q, k) + np.maximum(m, -100)),
        "-1e9 added": lambda q, k, m: softmax(scaled(q, k) + np.maximum(m, -1e9)),
        "below the smallest": lambda q, k, m: softmax(
            np.where(np.isinf(m), scaled(q, k).min() - 20, scaled(q, k))
        ),
        "masked afterwards, renormalised": renormalised,
        "NaN in place of infinity": lambda q, k, m: softmax(scaled(q, k)) + m * 0,
        "mask changed in place": changing_the_mask,
        "only the allowed": lambda q, k, m: softmax(scaled(q, k)[m == 0]),
        "hard choice": lambda q, k, m: (np.arange(len(k)) == (scaled(q, k) + m).argmax()) * 1.0,
        "signs dropped": lambda q, k, m: softmax(np.abs(scaled(q, k)) + m),
        "mask_forgotten: taken away": lambda q, k, m: softmax(
            scaled(q, k) - np.nan_to_num(m, neginf=0)
        ),
        "rounded": lambda q, k, m: softmax(scaled(q, k) + m).round(4),
        "without exponential": lambda q, k, m: (
            (scaled(q, k) * (m == 0)) / (scaled(q, k) * (m == 0)).sum()
        ),
        "mask_turned_round: in other words": lambda q, k, m: softmax(
            np.where(np.isinf(m), scaled(q, k), -np.inf)
        ),
    },
    "read_row": {
        "d_k itself": lambda q, k, v: softmax(k @ q / len(q)) @ v,
        "number of keys": lambda q, k, v: softmax(k @ q / np.sqrt(len(k))) @ v,
        "half of d_k": lambda q, k, v: softmax(k @ q / len(q) ** 1 / 2) @ v,
        "values reversed": lambda q, k, v: softmax(scaled(q, k)) @ v[::-1],
        "sum of the values": lambda q, k, v: v.sum(axis=0),
        "not added up": lambda q, k, v: softmax(scaled(q, k))[:, None] * v,
        "divided by the keys": lambda q, k, v: softmax(scaled(q, k)) @ v / len(k),
        "softmax twice": lambda q, k, v: softmax(softmax(scaled(q, k))) @ v,
        "rounded weights": lambda q, k, v: softmax(scaled(q, k)).round(2) @ v,
        "rounded": lambda q, k, v: (softmax(scaled(q, k)) @ v).round(2),
        "scores turned": lambda q, k, v: softmax(-scaled(q, k)) @ v,
        "two results": lambda q, k, v: (softmax(scaled(q, k)) @ v, softmax(scaled(q, k))),
        "one axis too many": lambda q, k, v: softmax(scaled(q, k))[None] @ v,
        "multiplied by the root": lambda q, k, v: softmax(k @ q * np.sqrt(len(q))) @ v,
        "best_match_only: by hand": lambda q, k, v: v[np.argmax([key @ q for key in k])],
    },
}
RIGHT = {
    "row_by_hand": {
        "fractions": {
            "alpha": [Fraction(1, 8), Fraction(2, 8), Fraction(5, 8)],
            "o": [1, 6],
        },
        "lists": {"alpha": [0.125, 0.25, 0.625], "o": (1.0, 6.0)},
        "through logarithms": {"alpha": softmax(np.log([1, 2, 5]))},
        "nearly": {"alpha": [0.1251, 0.25, 0.6249]},
    },
    "who_moves": {
        "numbers": {"q_alpha": 1, "k_alpha": 1, "k_o": 1, "v_alpha": 0, "v_o": 1},
        "NumPy's": {"q_alpha": np.True_, "v_alpha": np.bool_(False)},
        "comparisons": {"v_alpha": 1 > 2, "v_o": bool(1)},
    },
    "row_weights": {
        "in a loop": weights_in_a_loop,
        "only the allowed": weights_of_the_allowed,
        "plain": lambda q, k, m: plain(scaled(q, k) + m),
        "where": lambda q, k, m: softmax(np.where(m == 0, scaled(q, k), -np.inf)),
        "attention": lambda q, k, m: attention(q[None], k, k, m[None])[1][0],
        "query scaled": lambda q, k, m: softmax(k @ (q / np.sqrt(len(q))) + m),
    },
    "read_row": {
        "in a loop": mixed_in_a_loop,
        "as a list": lambda q, k, v: list(plain(scaled(q, k)) @ v),
        "values first": lambda q, k, v: v.T @ softmax(scaled(q, k)),
        "einsum": lambda q, k, v: np.einsum("j,jd->d", softmax(k.dot(q) * len(q) ** -0.5), v),
        "attention": lambda q, k, v: attention(q[None], k, v)[0][0],
    },
}
