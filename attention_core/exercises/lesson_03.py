"""Lesson 03: give Q, K and V their jobs."""

import numpy as np

from attention_core.exercises.checking.cases import drawn
from attention_core.exercises.checking.exercise import Exercise
from attention_core.softmax import softmax

__all__ = ["EXERCISES"]


def row_by_hand():
    powers = np.array([1, 2, 5])
    alpha = powers / powers.sum()
    v = np.array([[8, 0], [0, 4], [0, 8]])
    return {"alpha": alpha, "o": alpha @ v}


def who_moves():
    return {
        "q_alpha": True,
        "k_alpha": True,
        "k_o": True,
        "v_alpha": False,
        "v_o": True,
    }


def row_weights(q, k, m):
    scaled = k @ q / np.sqrt(len(q))
    return softmax(scaled + m)


def read_row(q, k, v):
    alpha = softmax(k @ q / np.sqrt(len(q)))
    return alpha @ v


RIGHT = np.array([1, 2, 5]) / 8

ROW_BY_HAND = Exercise(
    row_by_hand,
    tolerance=1e-3,
    mistakes={
        "not_divided": {"alpha": np.array([1, 2, 5]), "o": np.array([8, 48])},
        "without_exp": {
            "alpha": np.log([1, 2, 5]) / np.log(10),
            "o": np.log([1, 2, 5]) / np.log(10) @ np.array([[8, 0], [0, 4], [0, 8]]),
        },
        "equal_shares": {"alpha": np.full(3, 1 / 3)},
        "scores_as_shares": {"alpha": np.log([1, 2, 5])},
        "plain_mean": {"alpha": RIGHT, "o": np.array([8, 12]) / 3},
        "plain_sum": {"alpha": RIGHT, "o": np.array([8, 12])},
        "only_v_3": {"alpha": RIGHT, "o": np.array([0, 8])},
    },
)

WHO_MOVES = Exercise(
    who_moves,
    mistakes={
        "jobs_exchanged": {"q_alpha": False, "k_alpha": False, "k_o": False, "v_alpha": True},
        "v_moves_weights": {"v_alpha": True},
        "values_idle": {"v_o": False},
        "keys_idle": {"k_o": False},
        "k_keeps_weights": {"k_alpha": False},
        "q_keeps_weights": {"q_alpha": False},
    },
)


def _weight_cases():
    inf = np.inf
    return [
        (np.array([1.0, 0.0, 2.0]), np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 1.0]]), np.zeros(2)),
        (
            np.array([0.7, 1.2]),
            np.vstack([drawn(42, 3, 2), [[4e9, 4e9]]]),
            np.array([0, 0, -inf, -inf]),
        ),
        (
            np.array([1.0, 0.0, 2.0]),
            np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 3.0, 2.0]]),
            np.array([0.0, 0.0, -inf]),
        ),
        (drawn(33, 3), drawn(34, 3, 3), np.array([-inf, 0, 0])),
        (
            np.array([6.0, 6.0, 6.0]),
            np.array([[0.0, 0.0, 0.0], [-6.0, -6.0, -5.0], [9.0, 9.0, 9.0]]),
            np.array([0.0, 0.0, -inf]),
        ),
        (drawn(31, 5), drawn(32, 7, 5), np.array([0, -inf, 0, 0, -inf, 0, 0])),
    ]


ROW_WEIGHTS = Exercise(
    row_weights,
    exact_zeros=True,
    cases=_weight_cases,
    mistakes={
        "no_scale": lambda q, k, m: softmax(k @ q + m),
        "d_k_itself": lambda q, k, m: softmax(k @ q / len(q) + m),
        "half_of_d_k": lambda q, k, m: softmax(k @ q / len(q) ** 1 / 2 + m),
        "number_of_keys": lambda q, k, m: softmax(k @ q / np.sqrt(len(k)) + m),
        "mask_forgotten": lambda q, k, m: softmax(k @ q / np.sqrt(len(q))),
        "mask_afterwards": lambda q, k, m: softmax(k @ q / np.sqrt(len(q))) * np.isfinite(m),
        "zero_for_infinity": lambda q, k, m: softmax(
            np.where(np.isinf(m), 0.0, k @ q / np.sqrt(len(q)))
        ),
        "mask_turned_round": lambda q, k, m: softmax(
            np.where(np.isinf(m), k @ q / np.sqrt(len(q)), -np.inf)
        ),
        "no_softmax": lambda q, k, m: k @ q / np.sqrt(len(q)) + m,
    },
)


def _reading_cases():
    return [
        (np.array([1.0, 0.0]), np.array([[2.0, 1.0], [0.0, 1.0]]), np.array([[10.0, 0], [0, 20]])),
        (
            np.array([1.0, 2.0, 0.0]),
            np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 1.0]]),
            np.array([[10.0, 0.0, 3.0, 1.0, 2.0], [0.0, 20.0, 1.0, 4.0, 0.0]]),
        ),
        (drawn(38, 3), drawn(39, 2, 3), drawn(40, 2, 5)),
        (drawn(44, 5), drawn(45, 3, 5), drawn(46, 3, 1)),
        (drawn(35, 5), drawn(36, 7, 5), drawn(37, 7, 3)),
    ]


READ_ROW = Exercise(
    read_row,
    stands_for=("attention", "attention_steps"),
    cases=_reading_cases,
    mistakes={
        "keys_mixed": lambda q, k, v: softmax(k @ q / np.sqrt(len(q))) @ k,
        "no_scale": lambda q, k, v: softmax(k @ q) @ v,
        "root_of_d_v": lambda q, k, v: softmax(k @ q / np.sqrt(v.shape[1])) @ v,
        "no_softmax": lambda q, k, v: k @ q / np.sqrt(len(q)) @ v,
        "best_match_only": lambda q, k, v: v[(k @ q).argmax()],
        "only_weights": lambda q, k, v: softmax(k @ q / np.sqrt(len(q))),
        "equal_shares": lambda q, k, v: v.mean(axis=0),
    },
)

EXERCISES = (ROW_BY_HAND, WHO_MOVES, ROW_WEIGHTS, READ_ROW)
