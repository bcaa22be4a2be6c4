"""Lesson 08: masks."""

import numpy as np

from attention_core import attention, causal_mask, padding_mask, softmax


def with_n(rule):
    """A mask from the places of query and key."""

    def answer(n):
        i, j = np.arange(n)[:, None], np.arange(n)
        return rule(i, j)

    return answer


def hidden_as(number):
    """Weights with a number in place of minus infinity; rows that see nothing are zero."""

    def answer(scaled, allowed):
        return softmax(np.where(allowed, scaled, number)) * allowed.any(axis=1, keepdims=True)

    return answer


def added(number):
    def answer(scaled, allowed):
        return softmax(scaled + np.where(allowed, 0, number)) * allowed.any(axis=1, keepdims=True)

    return answer


def one_maximum(scaled, allowed):
    scores = np.where(allowed, scaled, -np.inf)
    powers = np.exp(scores - scores[np.isfinite(scores)].max())
    total = powers.sum(axis=1, keepdims=True)
    return powers / np.where(total > 0, total, 1)


def maximum_of_all(scaled, allowed):
    powers = np.where(allowed, np.exp(scaled - scaled.max(axis=1, keepdims=True)), 0)
    total = powers.sum(axis=1, keepdims=True)
    return powers / np.where(total > 0, total, 1)


def no_maximum(scaled, allowed):
    powers = np.exp(scaled) * allowed
    total = powers.sum(axis=1, keepdims=True)
    return powers / np.where(total > 0, total, 1)


def renormalised_without_nan(scaled, allowed):
    weights = softmax(scaled) * allowed
    return np.nan_to_num(weights / weights.sum(axis=1, keepdims=True))


def nowhere_is_nan(scaled, allowed):
    scores = np.where(allowed, scaled, -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def nowhere_shares_alike(scaled, allowed):
    weights = softmax(np.where(allowed, scaled, -np.inf))
    weights[~allowed.any(axis=1)] = 1 / allowed.shape[1]
    return weights


def nowhere_sees_the_first(scaled, allowed):
    weights = softmax(np.where(allowed, scaled, -np.inf))
    weights[~allowed.any(axis=1), 0] = 1
    return weights


def in_place(scaled, allowed):
    scaled[~allowed] = -np.inf
    return softmax(scaled)


def row_by_row(scaled, allowed):
    weights = np.zeros(scaled.shape)
    for i, row in enumerate(scaled):
        if allowed[i].any():
            weights[i, allowed[i]] = softmax(row[allowed[i]])
    return weights


def by_hand(scaled, allowed):
    scores = np.where(allowed, scaled, -np.inf)
    largest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(largest), largest, 0))
    total = powers.sum(axis=1, keepdims=True)
    return powers / (total + (total == 0))


def painted_over(scaled, allowed):
    return np.nan_to_num(nowhere_is_nan(scaled, allowed))


def padded_in_a_loop(lengths, n_k):
    return [[[j < length for j in range(n_k)]] for length in lengths]


def from_the_longest(lengths, n_k):
    return np.arange(lengths.max()) < lengths[:, None, None]


def empty_sentence_sees_one(lengths, n_k):
    return np.arange(n_k) < np.maximum(lengths, 1)[:, None, None]


def share_in_a_loop(weights):
    total = 0
    for i, row in enumerate(weights):
        total += sum(row[i + 1 :])
    return total / len(weights)


def share_by(rule):
    """A share counted over the places where a rule of query and key holds."""

    def answer(weights):
        i, j = np.ogrid[: weights.shape[0], : weights.shape[1]]
        return (weights * rule(i, j)).sum(axis=1).mean()

    return answer


WRONG = {
    "no_future": {
        "everything": lambda n: np.ones((n, n), bool),
        "nothing": lambda n: np.zeros((n, n), bool),
        "one more": lambda n: np.tri(n, k=1, dtype=bool),
        "from the other corner": lambda n: np.tri(n, dtype=bool)[::-1],
        "mirrored": lambda n: np.tri(n, dtype=bool)[:, ::-1],
        "two back": with_n(lambda i, j: (j <= i) & (i - j < 3)),
        "first row open": with_n(lambda i, j: (j <= i) | (i == 0)),
        "last row open only": with_n(lambda i, j: (j <= i) & (i < len(i) - 1) | (i == j)),
        "checkerboard": with_n(lambda i, j: (i + j) % 2 == 0),
        "one row": lambda n: np.arange(n) <= n,
        "too wide": lambda n: np.tri(n, n + 1, dtype=bool),
        "numbers: whole": lambda n: np.tri(n, dtype=int),
        "words": lambda n: np.where(np.tri(n, dtype=bool), "True", "False"),
        "a batch": lambda n: np.tri(n, dtype=bool)[None],
        "only for three": lambda n: np.tri(3, dtype=bool),
        "future_marked: by triu": lambda n: np.triu(np.ones((n, n), bool), k=1),
        "upside_down: by triu": lambda n: np.triu(np.ones((n, n), bool)),
        "numbers: by tril": lambda n: np.tril(np.ones((n, n))),
    },
    "masked_weights": {
        **{f"hidden as {number:g}": hidden_as(number) for number in (-30, -100, -1e3, -1e6, -1e9)},
        **{f"{number:g} added": added(number) for number in (-30, -1e3, -1e9)},
        "below the smallest": lambda s, allowed: hidden_as(s.min() - 50)(s, allowed),
        "far below the smallest": lambda s, allowed: hidden_as(s.min() - 700)(s, allowed),
        "shifted": lambda s, allowed: (
            softmax(s * allowed - 50.0 * ~allowed) * allowed.any(axis=1, keepdims=True)
        ),
        "one maximum": one_maximum,
        "maximum over the hidden, too": maximum_of_all,
        "no maximum": no_maximum,
        "renormalised, NaN painted over": renormalised_without_nan,
        "NaN in a row that sees nothing": nowhere_is_nan,
        "a row that sees nothing shares alike": nowhere_shares_alike,
        "a row that sees nothing sees the first": nowhere_sees_the_first,
        "in place": in_place,
        "causal, whatever is allowed": lambda s, allowed: softmax(
            np.where(np.tri(*s.shape, dtype=bool), s, -np.inf)
        ),
        "the larger of both": lambda s, allowed: softmax(np.where(allowed, s, np.maximum(-s, -9))),
        "scaled again": lambda s, allowed: softmax(
            np.where(allowed, s / np.sqrt(s.shape[1]), -np.inf)
        ),
        "rounded": lambda s, allowed: softmax(np.where(allowed, s, -np.inf)).round(3),
        "a little everywhere": lambda s, allowed: softmax(np.where(allowed, s, -np.inf)) + 1e-12,
        "columns masked": lambda s, allowed: softmax(np.where(allowed.all(axis=0), s, -np.inf)),
        "turned_round: by not": lambda s, allowed: softmax(np.where(~allowed, s, -np.inf)),
        "mask_forgotten: by attention": lambda s, allowed: attention(
            s, np.eye(s.shape[1]), np.eye(s.shape[1]), scale=1.0
        )[1],
    },
    "hide_padding": {
        "sorted": lambda lengths, n_k: np.arange(n_k) < np.sort(lengths)[:, None, None],
        "as wide as the longest": from_the_longest,
        "an empty sentence sees one": empty_sentence_sees_one,
        "one too few": lambda lengths, n_k: np.arange(n_k) < lengths[:, None, None] - 1,
        "the shortest for all": lambda lengths, n_k: (
            np.arange(n_k) < np.full_like(lengths, lengths.min())[:, None, None]
        ),
        "the longest for all": lambda lengths, n_k: (
            np.arange(n_k) < np.full_like(lengths, lengths.max())[:, None, None]
        ),
        "only one place": lambda lengths, n_k: np.arange(n_k) == lengths[:, None, None],
        "square": lambda lengths, n_k: np.broadcast_to(
            np.arange(n_k) < lengths[:, None, None], (len(lengths), n_k, n_k)
        ),
        "numbers": lambda lengths, n_k: (np.arange(n_k) < lengths[:, None, None]) * 1,
        "added": lambda lengths, n_k: np.where(
            np.arange(n_k) < lengths[:, None, None], 0.0, -np.inf
        ),
        "one axis too many": lambda lengths, n_k: np.arange(n_k) < lengths[:, None, None, None],
        "everything": lambda lengths, n_k: np.ones((len(lengths), 1, n_k), bool),
        "the first sentence": lambda lengths, n_k: np.arange(n_k) < lengths[:1, None, None],
        "padding_marked: by not": lambda lengths, n_k: ~(np.arange(n_k) < lengths[:, None, None]),
    },
    "future_share": {
        "the largest row": lambda weights: np.triu(weights, k=1).sum(axis=1).max(),
        "the first row": lambda weights: np.triu(weights, k=1).sum(axis=1)[0],
        "the median": lambda weights: np.median(np.triu(weights, k=1).sum(axis=1)),
        "diagonal_counted: one minus the past": lambda weights: (
            1 - np.tril(weights, k=-1).sum(axis=1).mean()
        ),
        "past and present": lambda weights: np.tril(weights).sum(axis=1).mean(),
        "two places on": share_by(lambda i, j: j > i + 1),
        "from the bottom right": lambda weights: (
            np.triu(weights, k=1 + weights.shape[1] - len(weights)).sum(axis=1).mean()
        ),
        "divided by the keys": lambda weights: np.triu(weights, k=1).sum() / weights.shape[1],
        "without the last row": lambda weights: (
            np.triu(weights, k=1)[:-1].sum() / (max(len(weights) - 1, 1))
        ),
        "mean where there is some": lambda weights: np.triu(weights, k=1)[
            np.triu(np.ones(weights.shape), k=1) > 0
        ].mean(),
        "how many": lambda weights: (np.triu(weights, k=1) > 0).sum(axis=1).mean(),
        "rounded": lambda weights: np.triu(weights, k=1).sum(axis=1).mean().round(2),
        "a yes or no": lambda weights: bool(np.triu(weights, k=1).any()),
        "in percent": lambda weights: 100 * np.triu(weights, k=1).sum(axis=1).mean(),
        "one too many in a list": lambda weights: [np.triu(weights, k=1).sum(axis=1).mean()],
        "diagonal_counted: in a loop": share_by(lambda i, j: j >= i),
        "past: in a loop": share_by(lambda i, j: j < i),
    },
}
RIGHT = {
    "no_future": {
        "tri": lambda n: np.tri(n, dtype=bool),
        "tril": lambda n: np.tril(np.ones((n, n), bool)),
        "a list": lambda n: [[j <= i for j in range(n)] for i in range(n)],
        "not the future": lambda n: ~np.triu(np.ones((n, n), bool), k=1),
        "the course's": causal_mask,
    },
    "masked_weights": {
        "row by row": row_by_row,
        "by hand": by_hand,
        "NaN painted over at the end": painted_over,
        "an added mask": lambda s, allowed: softmax(s + np.where(allowed, 0, -np.inf)),
        "the smallest number there is": lambda s, allowed: hidden_as(-1.7e308)(s, allowed),
        "attention": lambda s, allowed: attention(
            s, np.eye(s.shape[1]), np.eye(s.shape[1]), allowed, scale=1.0
        )[1],
    },
    "hide_padding": {
        "in a loop": padded_in_a_loop,
        "expand_dims": lambda lengths, n_k: np.expand_dims(
            np.arange(n_k)[None] < lengths[:, None], axis=1
        ),
        "less": lambda lengths, n_k: np.less(np.arange(n_k), lengths.reshape(-1, 1, 1)),
        "the course's": padding_mask,
    },
    "future_share": {
        "in a loop": share_in_a_loop,
        "by the rule": share_by(lambda i, j: j > i),
        "the rest": lambda weights: 1 - np.tril(weights).sum(axis=1).mean(),
        "summed and divided": lambda weights: np.triu(weights, 1).sum() / len(weights),
        "whole float": lambda weights: float(np.triu(weights, 1).sum(axis=1).mean()),
    },
}
