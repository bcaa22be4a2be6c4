"""Lesson 15: what trained heads do."""

import numpy as np


def share(weights, rows, columns):
    return weights[:, rows, columns]


def by(pick):
    """The head where something picked from the shares on the previous token is largest."""

    def answer(weights):
        rows = np.arange(1, weights.shape[1])
        return int(np.argmax([pick(head[rows, rows - 1]) for head in weights]))

    return answer


def wrapped_round(weights):
    rows = np.arange(weights.shape[1])
    return weights[:, rows, rows - 1].mean(axis=1).argmax()


def row_1_left_out(weights):
    rows = np.arange(2, weights.shape[1])
    return weights[:, rows, rows - 1].sum(axis=1).argmax() if len(rows) else 0


def last_row_left_out(weights):
    rows = np.arange(1, max(weights.shape[1] - 1, 2))
    return weights[:, rows, rows - 1].sum(axis=1).argmax()


def most_rows_won(weights):
    rows = np.arange(1, weights.shape[1])
    winners = weights[:, rows, rows - 1].argmax(axis=0)
    return int(np.bincount(winners).argmax())


def how_often_largest(weights):
    rows = np.arange(1, weights.shape[1])
    return int((weights[:, 1:].argmax(axis=2) == rows - 1).sum(axis=1).argmax())


def in_a_loop(weights):
    best, most = 0, -1.0
    for index, head in enumerate(weights):
        total = 0.0
        for i in range(1, len(head)):
            total += head[i, i - 1]
        if total > most:
            best, most = index, total
    return best


def search(ids, i, places, found=lambda j: j + 1, none=0):
    return next((found(j) for j in places if ids[j] == ids[i]), none)


def backwards(i):
    return range(i - 1, -1, -1)


def right_target(ids, i):
    return search(ids, i, backwards(i))


def all_earlier(ids, i):
    earlier = np.flatnonzero(ids[:i] == ids[i])
    return int(earlier[-1]) + 1 if len(earlier) else 0


def by_list(ids, i):
    before = list(ids[:i])[::-1]
    return i - before.index(ids[i]) if ids[i] in before else 0


WRONG = {
    "previous_token_head": {
        "wrapped round": wrapped_round,
        "minimum": by(np.min),
        "maximum": by(np.max),
        "median": by(np.median),
        "row 1 left out": row_1_left_out,
        "last row left out": last_row_left_out,
        "last row only": by(lambda shares: shares[-1]),
        "first row only": by(lambda shares: shares[0]),
        "product": by(np.prod),
        "squares": by(lambda shares: (shares**2).sum()),
        "rounded": by(lambda shares: shares.round(0).mean()),
        "counted from 1": lambda weights: by(np.mean)(weights) + 1,
        "smallest": lambda weights: int(
            np.argmin([np.diag(head, k=-1).mean() for head in weights])
        ),
        "how often it is the largest": how_often_largest,
        "most rows won": most_rows_won,
        "two places back": lambda weights: int(
            np.argmax([np.diag(head, k=-2).sum() for head in weights])
        ),
        "all that is earlier": lambda weights: int(
            np.argmax([np.tril(head, k=-1).sum() for head in weights])
        ),
        "of all heads together": lambda weights: int(np.diag(weights.mean(0), k=-1).argmax()),
        "next_token: in a loop": lambda weights: max(
            range(len(weights)), key=lambda one: np.diag(weights[one], k=1).mean()
        ),
    },
    "induction_target": {
        "not the place before": lambda ids, i: search(ids, i, range(i - 2, -1, -1)),
        "not where it ends at i": lambda ids, i: next(
            (j + 1 for j in backwards(i) if ids[j] == ids[i] and j + 1 < i), 0
        ),
        "first place left out": lambda ids, i: search(ids, i, range(i - 1, 0, -1)),
        "minus one if none": lambda ids, i: search(ids, i, backwards(i), none=-1),
        "two places after": lambda ids, i: search(ids, i, backwards(i), found=lambda j: j + 2),
        "distance": lambda ids, i: search(ids, i, backwards(i), found=lambda j: i - j),
        "always the first": lambda ids, i: 0,
        "always the previous": lambda ids, i: max(i - 1, 0),
        "what followed": lambda ids, i: search(
            ids, i, backwards(i), found=lambda j: int(ids[min(j + 1, len(ids) - 1)])
        ),
        "how many": lambda ids, i: int((ids[:i] == ids[i]).sum()),
        "a list of places": lambda ids, i: [int(j) + 1 for j in np.flatnonzero(ids[:i] == ids[i])],
        "of the previous token": lambda ids, i: search(
            ids, max(i - 1, 0), backwards(max(i - 1, 0))
        ),
        "None if none": lambda ids, i: search(ids, i, backwards(i), none=None),
        "first_time: by index": lambda ids, i: (
            list(ids).index(ids[i]) + 1 if ids[i] in ids[:i] else 0
        ),
    },
    "may_move": {
        "only later ones": lambda n, p, causal: np.arange(n) > p if causal else np.arange(n) != p,
        "all but p": lambda n, p, causal: np.arange(n) != p,
        "only p": lambda n, p, causal: np.arange(n) == p,
        "the others round": lambda n, p, causal: np.ones(n, bool) if causal else np.arange(n) >= p,
        "neighbours": lambda n, p, causal: np.abs(np.arange(n) - p) <= 1,
        "the last one": lambda n, p, causal: np.arange(n) == n - 1,
        "one longer": lambda n, p, causal: np.arange(n + 1) >= p,
        "how many": lambda n, p, causal: n - p if causal else n,
        "indices": lambda n, p, causal: list(range(p, n)) if causal else list(range(n)),
        "none": lambda n, p, causal: np.zeros(n, bool),
        "words": lambda n, p, causal: ["yes"] * n,
        "without p 0": lambda n, p, causal: (
            np.arange(n) >= max(p, 1) if causal else np.ones(n, bool)
        ),
        "never the last": lambda n, p, causal: (np.arange(n) >= p) & (np.arange(n) < max(n - 1, 1)),
        "mask_always: as a list": lambda n, p, causal: [i >= p for i in range(n)],
        "mask_never: as a list": lambda n, p, causal: [True] * n,
    },
}
RIGHT = {
    "previous_token_head": {
        "in a loop": in_a_loop,
        "sums": by(np.sum),
        "by places": by(np.mean),
        "NumPy's number": lambda weights: np.diagonal(weights, -1, 1, 2).mean(axis=-1).argmax(),
        "sorted": lambda weights: sorted(
            range(len(weights)), key=lambda one: np.trace(weights[one], offset=-1)
        )[-1],
    },
    "induction_target": {
        "search": right_target,
        "all earlier ones": all_earlier,
        "by list": by_list,
        "largest": lambda ids, i: max([j + 1 for j in range(i) if ids[j] == ids[i]], default=0),
    },
    "may_move": {
        "a list": lambda n, p, causal: [not causal or i >= p for i in range(n)],
        "numbers": lambda n, p, causal: [int(not causal or i >= p) for i in range(n)],
        "a column of the mask": lambda n, p, causal: (
            np.tri(n, dtype=bool)[:, p] if causal else np.ones(n, bool)
        ),
        "or": lambda n, p, causal: (np.arange(n) >= p) | (not causal),
        "a tuple": lambda n, p, causal: tuple(i >= p or not causal for i in range(n)),
    },
}
