"""Lesson 00: what a first reader of the formula hands in."""

import numpy as np

from attention_core import causal_mask, softmax


def by_loops(weights, v):
    output = np.zeros((len(weights), v.shape[1]))
    for i, row in enumerate(weights):
        for share, value in zip(row, v, strict=True):
            output[i] += share * value
    return output


def loops_in_the_shape_of_v(weights, v):
    output = np.zeros_like(v)
    for i in range(min(len(weights), len(v))):
        output[i] = weights[i] @ v
    return output


def whole_numbers(weights, v):
    output = np.zeros((len(weights), v.shape[1]), int)
    for i, row in enumerate(weights):
        output[i] = row @ v
    return output


def turned_in_place(hidden):
    hidden ^= True
    return hidden


def see_themselves(hidden):
    allowed = ~hidden
    np.fill_diagonal(allowed, True)
    return allowed


def empty_rows_opened(hidden):
    allowed = ~hidden
    allowed[~allowed.any(axis=1)] = True
    return allowed


WRONG = {
    "three_shapes": {
        "every shape with d_k": {"scores": (4, 8), "weights": (4, 8), "output": (4, 8)},
        "scores_keep_features: with a list": {"scores": [4, 8]},
        "a shape in words": {"output": "(4, 3)"},
        "one number": {"scores": 24},
        "three sides": {"scores": (4, 6, 8)},
        "keys by features": {"scores": (6, 8), "weights": (6, 8)},
        "output of the size of the weights": {"output": (4, 6)},
        "output as wide as all": {"output": (4, 11)},
        "rows_and_columns_swapped: only the weights": {"weights": (6, 4)},
        "nearly": {"output": (4, 3.5)},
        "swapped output": {"output": (3, 4)},
    },
    "read_values": {
        "small shares dropped": lambda weights, v: np.where(weights < 0.05, 0, weights) @ v,
        "softmax once more": lambda weights, v: softmax(weights) @ v,
        "rounded shares": lambda weights, v: weights.round(1) @ v,
        "the two largest only": lambda weights, v: (
            np.where(weights >= np.sort(weights, axis=-1)[:, -2:-1], weights, 0) @ v
        ),
        "in the shape of v": loops_in_the_shape_of_v,
        "whole numbers": whole_numbers,
        "no negative values": lambda weights, v: weights @ np.maximum(v, 0),
        "no negative outputs": lambda weights, v: np.maximum(weights @ v, 0),
        "rounded": lambda weights, v: (weights @ v).round(2),
        "not added up": lambda weights, v: weights[:, :, None] * v,
        "last position left out": lambda weights, v: weights[:, :-1] @ v[:-1],
        "the weights": lambda weights, v: weights,
        "one query only": lambda weights, v: weights[0] @ v,
        "equal_shares: with ones": lambda weights, v: np.ones(weights.shape) / len(v) @ v,
    },
    "turn_mask": {
        "rows that see nothing are opened": empty_rows_opened,
        "tokens see themselves": see_themselves,
        "turned in place": turned_in_place,
        "only where something is hidden": lambda hidden: hidden ^ hidden.any(),
        "against the first row": lambda hidden: hidden != hidden[0],
        "against the first cell": lambda hidden: hidden != hidden[0, 0],
        "upside down": lambda hidden: hidden[::-1],
        "mirrored": lambda hidden: hidden[:, ::-1],
        "minus one": lambda hidden: ~hidden.astype(int),
        "one answer for all": lambda hidden: not hidden.any(),
        "one answer for each row": lambda hidden: ~hidden.any(axis=1),
        "nothing hidden": lambda hidden: np.ones(hidden.shape, bool),
        "not the future": lambda hidden: ~hidden & causal_mask(*hidden.shape),
        "words": lambda hidden: np.where(hidden, "False", "True"),
        "integers: as a product": lambda hidden: (~hidden) * 1,
    },
}
RIGHT = {
    "three_shapes": {
        "lists": {"scores": [4, 6], "weights": [4, 6], "output": [4, 3]},
        "arrays": {"scores": np.array([4, 6])},
        "capital keys": {"Scores": (4, 6), "Weights": (4, 6), "Output": (4, 3)},
        "floats": {"output": (4.0, 3.0)},
    },
    "read_values": {
        "by loops": by_loops,
        "einsum": lambda weights, v: np.einsum("ij,jd->id", weights, v),
        "row by row": lambda weights, v: np.array([row @ v for row in weights]),
        "as a list": lambda weights, v: (weights @ v).tolist(),
        "products added up": lambda weights, v: (weights[:, :, None] * v).sum(axis=1),
        "the other way round": lambda weights, v: (v.T @ weights.T).T,
    },
    "turn_mask": {
        "logical_not": np.logical_not,
        "equal to False": lambda hidden: hidden == False,  # noqa: E712
        "cell by cell": lambda hidden: [[not cell for cell in row] for row in hidden],
        "through numbers": lambda hidden: (1 - hidden).astype(bool),
        "where": lambda hidden: np.where(hidden, False, True),
    },
}
