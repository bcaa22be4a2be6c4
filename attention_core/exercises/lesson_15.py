"""Lesson 15: look inside trained models."""

import numpy as np

from attention_core.exercises.checking.exercise import Exercise
from attention_core.softmax import softmax
from attention_core.trained import head_weights, load_head

__all__ = ["EXERCISES"]


def previous_token_head(weights):
    shares = [np.diag(a, k=-1).mean() for a in weights]
    return int(np.argmax(shares))


def may_move(n, p, causal):
    return np.arange(n) >= p if causal else np.ones(n, bool)


def induction_target(ids, i):
    earlier = np.flatnonzero(ids[:i] == ids[i])
    return int(earlier[-1]) + 1 if len(earlier) else 0


def _stack(seed, n, order):
    """One head of each kind, in the given order, over faint noise."""
    kinds = {
        "next": 3 * np.eye(n, k=1),
        "previous": 3 * np.eye(n, k=-1),
        "own": 3 * np.eye(n),
        "first": 3 * np.eye(1, n).repeat(n, axis=0),
        "sharp": 9 * np.outer(np.eye(n)[0], np.eye(n)[n - 1]),
    }
    noise = np.random.default_rng(seed).normal(size=(len(order), n, n)).round(1) / 4
    return softmax(noise + [kinds[name] for name in order])


def _close(*shares, first_row=None):
    """Heads with these shares on the previous token; what is left stays on the token itself."""
    heads = [np.diag(one, k=-1) + np.diag([1.0, *(1 - np.array(one))]) for one in shares]
    if first_row:
        heads[-1][0] = first_row
    return np.array(heads)


def _stack_cases():
    layer = [head_weights(load_head("encoder", "tired", 0, h)) for h in range(12)]
    return [
        (_close([1.0, 0.4], [0.1, 0.5]),),
        (_close([0.5, 0.3], [0.1, 0.8]),),
        (_close([1.0, 1.0, 0.05], [0.6, 0.6, 0.6]),),
        (_close([0.9, 0.9, 0.1], [0.7, 0.7, 0.7]),),
        (_close([0.5, 0.5, 0.5], [0.4, 0.4, 0.4], first_row=[0, 0, 0, 1]),),
        (_stack(0, 3, ("own", "next", "previous", "first", "sharp")).round(2),),
        (_stack(2, 5, ("sharp", "first", "next", "previous", "own")),),
        (_stack(1, 7, ("previous", "sharp", "first", "own", "next"))[:, :5],),
        (np.array(layer),),
    ]


PREVIOUS_TOKEN_HEAD = Exercise(
    previous_token_head,
    cases=_stack_cases,
    mistakes={
        "next_token": lambda weights: int(np.argmax([np.diag(a, k=1).mean() for a in weights])),
        "itself": lambda weights: int(np.argmax([np.diag(a).mean() for a in weights])),
        "first_token": lambda weights: int(np.argmax([a[:, 0].mean() for a in weights])),
        "largest_weight": lambda weights: int(np.argmax([a.max() for a in weights])),
        "share_itself": lambda weights: max(float(np.diag(a, k=-1).mean()) for a in weights),
    },
)

MAY_MOVE = Exercise(
    may_move,
    cases=lambda: [(3, 1, True), (5, 2, False), (7, 6, True), (5, 0, True), (3, 2, False)],
    mistakes={
        "row_p_missing": lambda n, p, causal: np.arange(n) > p if causal else np.ones(n, bool),
        "turned_round": lambda n, p, causal: np.arange(n) <= p if causal else np.ones(n, bool),
        "only_row_p": lambda n, p, causal: np.arange(n) == p if causal else np.ones(n, bool),
        "mask_always": lambda n, p, causal: np.arange(n) >= p,
        "mask_never": lambda n, p, causal: np.ones(n, bool),
    },
)

INDUCTION_TARGET = Exercise(
    induction_target,
    cases=lambda: [
        (np.array([7, 7]), 1),
        (np.array([5, 7, 7]), 2),
        (np.array([5, 7, 2, 5]), 3),
        (np.array([3, 8, 6, 2, 7]), 3),
        (np.array([7, 7, 7, 2, 7]), 4),
        (np.array([6, 2, 6, 6, 6]), 0),
        (np.array([4, 9, 4, 1, 8, 4]), 5),
        (np.array([1, 3, 8, 3, 6, 3, 1]), 3),
    ],
    mistakes={
        "one_too_early": lambda ids, i: max(induction_target(ids, i) - 1, 0),
        "first_time": lambda ids, i: next((j + 1 for j in range(i) if ids[j] == ids[i]), 0),
        "found_itself": lambda ids, i: next(j + 1 for j in range(len(ids)) if ids[j] == ids[i]),
        "token_itself": lambda ids, i: int(ids[induction_target(ids, i)]),
        "new_token": lambda ids, i: next((j + 1 for j in range(i)[::-1] if ids[j] == ids[i]), i),
        "later_ones": lambda ids, i: (
            int(next((j for j in range(len(ids))[::-1] if j != i and ids[j] == ids[i]), -1)) + 1
        ),
    },
)

EXERCISES = (PREVIOUS_TOKEN_HEAD, INDUCTION_TARGET, MAY_MOVE)
