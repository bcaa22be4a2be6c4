"""Lesson 10: self-attention and cross-attention."""

import numpy as np

from attention_core import attention, softmax


def by_hand(x, y, w_q, w_k, w_v):
    scores = (x @ w_q) @ (y @ w_k).T / np.sqrt(w_q.shape[1])
    return softmax(scores) @ (y @ w_v)


def mixed_before(x, y, w_q, w_k, w_v):
    weights = attention(x @ w_q, y @ w_k, y)[1]
    return (weights @ y) @ w_v


def scaled_by(size):
    def answer(x, y, w_q, w_k, w_v):
        return attention(x @ w_q, y @ w_k, y @ w_v, scale=size(x, y, w_q, w_v) ** -0.5)[0]

    return answer


def row_by_row(x, y, w_q, w_k, w_v):
    keys, values = y @ w_k, y @ w_v
    return [softmax(keys @ (one @ w_q) / np.sqrt(keys.shape[1])) @ values for one in x]


WRONG = {
    "where_from": {
        "everything x": dict.fromkeys(
            ["self_q", "self_k", "self_v", "cross_q", "cross_k", "cross_v"], "x"
        ),
        "everything from the decoder": {
            "self_q": "decoder",
            "self_k": "decoder",
            "self_v": "decoder",
            "cross_k": "decoder",
            "cross_v": "decoder",
        },
        "both of them": {"cross_k": "encoder and decoder"},
        "the letter y": {"cross_q": "y"},
        "self and cross swapped": {
            "self_q": "decoder",
            "self_k": "encoder",
            "self_v": "encoder",
            "cross_q": "x",
            "cross_k": "x",
            "cross_v": "x",
        },
        "misspelt": {"cross_k": "encodr"},
        "a list": {"self_q": ["x"]},
        "only the values of x": {"self_q": "decoder"},
        "two wrong": {"self_v": "encoder", "cross_q": "x"},
        "output": {"cross_v": "output"},
        "cross_k_decoder: in capitals": {"cross_k": "Decoder"},
    },
    "cross_shapes": {
        "both square": {"weights": (5, 5), "output": (5, 2)},
        "with d_v": {"weights": (3, 2)},
        "output turned": {"output": (2, 3)},
        "all together": {"weights": (8, 8)},
        "one number": {"weights": 15},
        "words": {"weights": "3 x 5"},
        "three sides": {"output": (3, 5, 2)},
        "weights and output swapped": {"weights": (3, 2), "output": (3, 5)},
        "one too many": {"output": (4, 2)},
        "output of the encoder, turned": {"output": (2, 5)},
        "weights_turned: as a list": {"weights": [5, 3]},
    },
    "cross_read": {
        "scaled by d_v": scaled_by(lambda x, y, w_q, w_v: w_v.shape[1]),
        "scaled by d_model": scaled_by(lambda x, y, w_q, w_v: x.shape[1]),
        "scaled by the keys": scaled_by(lambda x, y, w_q, w_v: len(y)),
        "not scaled": scaled_by(lambda x, y, w_q, w_v: 1.0),
        "values of y itself": lambda x, y, w_q, w_k, w_v: attention(x @ w_q, y @ w_k, y)[0],
        "x added": lambda x, y, w_q, w_k, w_v: (
            by_hand(x, y, w_q, w_k, w_v) + (x @ w_v if x.shape[0] else 0)
        ),
        "both sides together": lambda x, y, w_q, w_k, w_v: attention(
            x @ w_q, np.vstack([x, y]) @ w_k, np.vstack([x, y]) @ w_v
        )[0],
        "masked": lambda x, y, w_q, w_k, w_v: attention(
            x @ w_q, y @ w_k, y @ w_v, np.tri(len(x), len(y), dtype=bool)
        )[0],
        "values reversed": lambda x, y, w_q, w_k, w_v: attention(x @ w_q, y @ w_k, y[::-1] @ w_v)[
            0
        ],
        "two results": lambda x, y, w_q, w_k, w_v: attention(x @ w_q, y @ w_k, y @ w_v),
        "rounded": lambda *inputs: by_hand(*inputs).round(2),
        "first query only": lambda x, *rest: by_hand(x[:1], *rest),
        "hard choice": lambda x, y, w_q, w_k, w_v: (y @ w_v)[
            (x @ w_q @ (y @ w_k).T).argmax(axis=1)
        ],
        "mean of the encoder": lambda x, y, w_q, w_k, w_v: np.repeat(
            (y @ w_v).mean(axis=0, keepdims=True), len(x), axis=0
        ),
        "sides_swapped: by arguments": lambda x, y, *weights: by_hand(y, x, *weights),
        "all_from_x: by arguments": lambda x, y, *weights: by_hand(x, x, *weights),
    },
}
RIGHT = {
    "where_from": {
        "X": {"self_q": "X", "self_k": "X", "self_v": "X"},
        "capitals": {"cross_q": "Decoder", "cross_k": "ENCODER", "cross_v": "Encoder"},
        "plurals": {"cross_q": "decoders", "cross_k": "encoders"},
        "spaces": {"self_q": " x"},
    },
    "cross_shapes": {
        "lists": {"weights": [3, 5], "output": [3, 2]},
        "arrays": {"weights": np.array([3, 5])},
        "of arrays": {"weights": np.ones((3, 5)).shape, "output": np.ones((3, 2)).shape},
    },
    "cross_read": {
        "by hand": by_hand,
        "values mixed before": mixed_before,
        "row by row": row_by_row,
        "as a list": lambda *inputs: by_hand(*inputs).tolist(),
    },
}
