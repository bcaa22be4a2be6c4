"""Lesson 18: put your attention to work."""

import numpy as np

from attention_core.exercises.checking.exercise import Exercise
from attention_core.softmax import softmax

__all__ = ["EXERCISES"]


def all_heads(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights


def count_hits(asked, offered, answers):
    cosines = asked @ offered.mT
    return int((cosines.argmax(axis=-1) == answers).sum())


def five_faults():
    return {
        "A": "k_returned",
        "B": "causal",
        "C": "heads_averaged",
        "D": "no_scale",
        "E": "q_k_exchanged",
    }


def _variant(*, scale=lambda q: np.sqrt(q.shape[-1]), axis=-1, shift=True):
    """The same lines with one of them done wrongly."""

    def attend(q, k, v):
        scores = q @ k.swapaxes(-1, -2) / scale(q)
        if shift:
            weights = softmax(scores, axis=axis)
        else:
            with np.errstate(all="ignore"):
                raised = np.exp(scores)
                weights = raised / raised.sum(axis=-1, keepdims=True)
        return weights @ v, weights

    return attend


def _heads_cases():
    rng = np.random.default_rng(18)

    def drawn(h, n_q, n_k, d_k, d_v):
        shapes = ((h, n_q, d_k), (h, n_k, d_k), (h, n_k, d_v))
        return tuple(rng.normal(size=shape).round(1) for shape in shapes)

    q, k, v = drawn(2, 3, 5, 3, 4)
    return [
        drawn(1, 2, 3, 2, 5),
        drawn(2, 3, 5, 3, 4),
        (q * [[[5000.0]], [[-900.0]]], k, v),
        drawn(3, 5, 2, 7, 1),
        drawn(12, 7, 7, 32, 32),
    ]


def _angles(*degrees):
    angles = np.deg2rad(np.array(degrees, float))
    return np.array([np.cos(angles), np.sin(angles)]).mT


def _unit(*degrees):
    return _angles(*degrees).round(4)


def _hits_cases():
    rng = np.random.default_rng(5)
    asked, offered = rng.normal(size=(7, 3)), rng.normal(size=(5, 3))
    asked, offered = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (asked, offered))
    close = _angles(40, 60, 60.02), _angles(20, 100)
    cases = [
        (_unit(0, 90), _unit(80, 10, 200), np.array([1, 0])),
        (_unit(5, 185), _unit(180, 90, 0), np.array([2, 2])),
        (_unit(185, 5), _unit(180, 90, 0), np.array([2, 2])),
        (_unit(10, 200), _unit(100, 190, 280), np.array([0, 1])),
        (_unit(0, 90, 45), _unit(80, 10), np.array([0, 0, 1])),
        (_unit(0, 100, 170), _unit(0, 180, 60, 90), np.array([3, 3, 1])),
        (_unit(20, 70, 110), _unit(0, 60, 120, 230), np.array([1, 2, 1])),
        (_angles(10, 20), _angles(90, 40, 39.98), np.array([2, 2])),
        (close[0], close[1], np.array([0, 0, 1])),
        (asked, offered, np.array([4, 0, 1, 1, 2, 3, 0])),
        (-asked, offered, (-asked @ offered.mT).argmax(axis=-1)),
    ]
    return sorted(cases, key=lambda case: sum(part.size for part in case))


ALL_HEADS = Exercise(
    all_heads,
    cases=_heads_cases,
    stands_for=("softmax", "attention", "attention_steps"),
    mistakes={
        "no_scale": _variant(scale=lambda q: 1.0),
        "d_k_itself": _variant(scale=lambda q: q.shape[-1]),
        "root_of_n": _variant(scale=lambda q: np.sqrt(q.shape[-2])),
        "over_columns": _variant(axis=-2),
        "over_heads": _variant(axis=0),
        "overflow": _variant(shift=False),
        "output_alone": lambda q, k, v: all_heads(q, k, v)[0],
        "averaged": lambda q, k, v: (
            np.broadcast_to(all_heads(q, k, v)[0].mean(axis=0), (*q.shape[:-1], v.shape[-1])),
            all_heads(q, k, v)[1],
        ),
    },
)

COUNT_HITS = Exercise(
    count_hits,
    cases=_hits_cases,
    mistakes={
        "share": lambda asked, offered, answers: count_hits(asked, offered, answers) / len(asked),
        "least_alike": lambda asked, offered, answers: int(
            ((asked @ offered.mT).argmin(axis=-1) == answers).sum()
        ),
        "own_number": lambda asked, offered, answers: int(
            ((asked @ offered.mT).argmax(axis=-1) == np.arange(len(asked))).sum()
        ),
        "any_positive": lambda asked, offered, answers: int(
            (np.take_along_axis(asked @ offered.mT, answers[:, None], axis=-1) > 0).sum()
        ),
        "the_numbers": lambda asked, offered, answers: (asked @ offered.mT).argmax(axis=-1),
    },
)

FIVE_FAULTS = Exercise(
    five_faults,
    mistakes={
        "a_exchanged": {"A": "q_k_exchanged"},
        "e_returned": {"E": "k_returned"},
        "b_no_scale": {"B": "no_scale"},
        "d_causal": {"D": "causal"},
        "c_no_scale": {"C": "no_scale"},
    },
)

EXERCISES = (ALL_HEADS, COUNT_HITS, FIVE_FAULTS)
