"""Lesson 02: parameters and activations."""

import numpy as np

from attention_core.attention import attention

KEPT = ["w_q", "w_k", "w_v", "w_o", "b_q", "embedding_table"]
MADE = ["x", "q", "k", "v", "scores", "attention_weights", "output", "kv_cache"]


def sizes(count):
    return lambda n, d_model, d_k, d_v, layers: count(n, d_model, 2 * d_k + d_v, layers)


def hidden(x, w_q, w_k, w_v):
    return x + attention(x @ w_q, x @ w_k, x @ w_v)[0]


def by_hand(x, w_q, w_k, w_v, next_w_v):
    scores = x @ w_q @ (x @ w_k).T / np.sqrt(w_q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return (x + weights @ (x @ w_v)) @ next_w_v


def one_after_another(x, w_q, w_k, w_v, next_w_v):
    output, _ = attention(x @ w_q, x @ w_k, x @ w_v)
    return x @ next_w_v + output @ next_w_v


def counted(n, d_model, d_k, d_v, layers):
    kept = sum(d_model * width for _ in range(layers) for width in (d_k, d_k, d_v))
    made = sum(n * width for _ in range(layers) for width in (d_k, d_k, d_v))
    return kept, made


def without_scale(x, w_q, w_k, w_v, next_w_v):
    return (x + attention(x @ w_q, x @ w_k, x @ w_v, scale=1.0)[0]) @ next_w_v


def scaled_by_d_model(x, w_q, w_k, w_v, next_w_v):
    scale = x.shape[1] ** -0.5
    return (x + attention(x @ w_q, x @ w_k, x @ w_v, scale=scale)[0]) @ next_w_v


def masked(x, w_q, w_k, w_v, next_w_v):
    allowed = np.tri(len(x), dtype=bool)
    return (x + attention(x @ w_q, x @ w_k, x @ w_v, allowed)[0]) @ next_w_v


def changed_in_place(x, w_q, w_k, w_v, next_w_v):
    x += attention(x @ w_q, x @ w_k, x @ w_v)[0]
    return x @ next_w_v


WRONG = {
    "sorted_things": {
        "everything a parameter": dict.fromkeys(KEPT + MADE, "parameter"),
        "everything an activation": dict.fromkeys(KEPT + MADE, "activation"),
        "turned round": {**dict.fromkeys(KEPT, "activation"), **dict.fromkeys(MADE, "parameter")},
        "weights are weights": {"attention_weights": "weight"},
        "in Chinese": {"q": "\u6fc0\u6d3b"},
        "a letter": {"x": "a"},
        "cut short": {"x": "activ"},
        "misspelt": {"w_o": "paramter"},
        "True": {"w_q": True},
        "q_parameter: all three": dict.fromkeys("qkv", "parameter"),
        "two beliefs": {"scores": "parameter", "w_o": "activation"},
    },
    "count_numbers": {
        "one number": sizes(lambda n, d, width, layers: layers * d * width + layers * n * width),
        "only the made": sizes(lambda n, d, width, layers: layers * n * width),
        "one off": sizes(lambda n, d, width, layers: (layers * d * width + 1, layers * n * width)),
        "one off when large": sizes(
            lambda n, d, width, layers: (layers * d * width - (d > 100), layers * n * width)
        ),
        "off by one made": sizes(
            lambda n, d, width, layers: (layers * d * width, layers * n * width - (n > 100))
        ),
        "rounded": sizes(
            lambda n, d, width, layers: (float(f"{layers * d * width:.3g}"), layers * n * width)
        ),
        "n squared": sizes(
            lambda n, d, width, layers: (layers * d * width, layers * n * n * width)
        ),
        "layers added": sizes(lambda n, d, width, layers: (layers + d * width, layers + n * width)),
        "layers of powers": sizes(lambda n, d, width, layers: ((d * width) ** layers, n * width)),
        "d_v twice": lambda n, d_model, d_k, d_v, layers: (
            layers * d_model * (d_k + 2 * d_v),
            layers * n * (d_k + 2 * d_v),
        ),
        "with W_O": lambda n, d_model, d_k, d_v, layers: (
            layers * d_model * (2 * d_k + 2 * d_v),
            layers * n * (2 * d_k + d_v),
        ),
        "swapped: as a list": sizes(
            lambda n, d, width, layers: [layers * n * width, layers * d * width]
        ),
    },
    "next_values": {
        "no scale": without_scale,
        "scaled by d_model": scaled_by_d_model,
        "with a mask": masked,
        "x changed in place": changed_in_place,
        "cut to whole numbers": lambda x, *w: np.trunc(hidden(x, *w[:3]) @ w[3]),
        "output taken away": lambda x, *w: (2 * x - hidden(x, *w[:3])) @ w[3],
        "twice x": lambda x, *w: (x + hidden(x, *w[:3])) @ w[3],
        "keys for values": lambda x, w_q, w_k, w_v, n: (
            (x + (attention(x @ w_q, x @ w_k, x)[0])) @ n
        ),
        "queries and keys swapped": lambda x, w_q, w_k, w_v, n: hidden(x, w_k, w_q, w_v) @ n,
        "layer normalised": lambda x, *w: (
            (hidden(x, *w[:3]) - hidden(x, *w[:3]).mean(axis=1, keepdims=True)) @ w[3]
        ),
        "the first token": lambda x, *w: (hidden(x, *w[:3]) @ w[3])[:1],
        "not_projected: with the weights": lambda x, *w: hidden(x, *w[:3]),
    },
}
RIGHT = {
    "sorted_things": {
        "capitals": {
            **dict.fromkeys(KEPT, "Parameter"),
            **dict.fromkeys(MADE, "ACTIVATION"),
        },
        "plurals": {**dict.fromkeys(KEPT, "parameters"), **dict.fromkeys(MADE, "activations")},
        "spaces": {"w_q": " parameter ", "q": "activation\n"},
    },
    "count_numbers": {
        "by loops": counted,
        "a list": sizes(lambda n, d, width, layers: [layers * d * width, layers * n * width]),
        "an array": sizes(lambda n, d, width, layers: np.array([d * width, n * width]) * layers),
        "from arrays": lambda n, d_model, d_k, d_v, layers: (
            layers * (2 * np.zeros((d_model, d_k)).size + d_model * d_v),
            layers * (2 * n * d_k + n * d_v),
        ),
    },
    "next_values": {
        "by hand": by_hand,
        "one after another": one_after_another,
        "as a list": lambda x, *w: (hidden(x, *w[:3]) @ w[3]).tolist(),
        "einsum": lambda x, *w: np.einsum("nm,md->nd", hidden(x, *w[:3]), w[3]),
    },
}
