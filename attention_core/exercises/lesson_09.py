"""Lesson 09: work it out by hand."""

import numpy as np

from attention_core.exercises.checking.exercise import Exercise
from attention_core.masks import causal_mask
from attention_core.softmax import softmax

__all__ = ["EXERCISES"]


def one_output():
    weights = softmax(np.array([0, 3]) / np.sqrt(9))
    return weights @ np.array([[10, 0], [0, 100]])


def five_steps(q, k, v, allowed):
    scores = q @ k.mT
    scaled = scores / np.sqrt(q.shape[-1])
    masked = np.where(allowed, scaled, -np.inf)
    weights = softmax(masked)
    output = weights @ v
    return scores, scaled, masked, weights, output


def rounded_output(weights, v, decimals):
    return (weights @ v).round(decimals)


_VALUES = np.array([[10, 0], [0, 100]])


def _wrong_output(scores):
    return softmax(np.array(scores)) @ _VALUES


ONE_OUTPUT = Exercise(
    one_output,
    tolerance=7e-4,
    mistakes={
        "rounded_weights": np.array([0.27, 0.73]) @ _VALUES,
        "no_scale": _wrong_output([0, 3]),
        "half_of_d_k": _wrong_output([0, 3 / 4.5]),
        "d_k_itself": _wrong_output([0, 3 / 9]),
        "root_of_d_v": _wrong_output([0, 3 / np.sqrt(2)]),
        "exchanged": _wrong_output([1, 0]),
        "only_weights": softmax(np.array([0, 1])),
        "three_for_e": np.array([0.25, 0.75]) @ _VALUES,
    },
)


def _variant(
    *,
    scores=lambda q, k: q @ k.mT,
    divisor=lambda q, k, v: np.sqrt(q.shape[-1]),
    hide=lambda allowed, scaled: np.where(allowed, scaled, -np.inf),
    share=softmax,
    mix=lambda weights, k, v: weights @ v,
):
    """The five steps with one of them done wrongly."""

    def steps(q, k, v, allowed):
        raw = scores(q, k)
        scaled = raw / divisor(q, k, v)
        masked = hide(allowed, scaled)
        weights = share(masked)
        return raw, scaled, masked, weights, mix(weights, k, v)

    return steps


def _masked_too_late(q, k, v, allowed):
    scores, scaled, *_ = five_steps(q, k, v, allowed)
    weights = softmax(scaled) * allowed
    return scores, scaled, scaled, weights, weights @ v


def _masked_in_place(q, k, v, allowed):
    scores, _, masked, weights, output = five_steps(q, k, v, allowed)
    return scores, masked, masked, weights, output


def _step_cases():
    rng = np.random.default_rng(9)

    def case(n_q, n_k, d_k, d_v):
        q, k, v = (rng.integers(-2, 4, size=s) for s in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))
        return q, k, v, causal_mask(n_q, n_k)

    two = np.array([[2, 0, 1], [0, 1, 1]]), np.array([[1, 1, 0], [0, 2, 1]])
    document = np.array([[1, 0], [0, 1], [1, 1]])
    return [
        (*two, np.array([[4], [-2]]), causal_mask(2)),
        (document, document, np.array([[1, 0], [0, 2], [3, 1]]), causal_mask(3)),
        (
            rng.normal(size=(4, 2)).round(1),
            rng.normal(size=(3, 2)).round(1),
            rng.normal(size=(3, 1)).round(1),
            np.array([[1, 0, 1], [0, 1, 1], [0, 1, 0], [1, 1, 1]], dtype=bool),
        ),
        case(2, 5, 3, 4),
        case(3, 5, 7, 2),
    ]


FIVE_STEPS = Exercise(
    five_steps,
    stands_for=("attention_steps", "attention"),
    exact_zeros=True,
    cases=_step_cases,
    mistakes={
        "no_scale": _variant(divisor=lambda q, k, v: 1),
        "half_of_d_k": _variant(divisor=lambda q, k, v: q.shape[-1] ** 1 / 2),
        "root_of_d_v": _variant(divisor=lambda q, k, v: np.sqrt(v.shape[-1])),
        "number_of_keys": _variant(divisor=lambda q, k, v: np.sqrt(len(k))),
        "d_k_itself": _variant(divisor=lambda q, k, v: q.shape[-1]),
        "transposed": _variant(scores=lambda q, k: k @ q.mT),
        "mask_turned_round": _variant(
            hide=lambda allowed, scaled: np.where(allowed, -np.inf, scaled)
        ),
        "zero_for_infinity": _variant(hide=lambda allowed, scaled: np.where(allowed, scaled, 0)),
        "large_number": _variant(hide=lambda allowed, scaled: np.where(allowed, scaled, -1e9)),
        "masked_in_place": _masked_in_place,
        "mask_afterwards": _masked_too_late,
        "over_columns": _variant(share=lambda masked: softmax(masked, axis=0)),
        "keys_mixed": _variant(mix=lambda weights, k, v: weights @ k),
    },
)


def _rounding_cases():
    def row(*scores):
        return softmax(np.array(scores) / np.sqrt(2))

    rng = np.random.default_rng(4)
    three = np.array([row(0.3, 1.1, 0.2), row(1, 1, 2)])
    return [
        (np.array([[0.5, 0.5]]), np.array([[0.1049, 20.26], [0.0049, 3.14]]), 1),
        (row(1, 1, 2)[None], np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]]), 2),
        (three, np.array([[10.44, 0.16], [20.34, 2.5], [3.74, 51.43]]), 1),
        (softmax(rng.normal(size=(2, 5))), rng.normal(size=(5, 3)) * 20, 3),
        (softmax(rng.normal(size=(3, 5))), rng.normal(size=(5, 7)) * 20, 4),
    ]


ROUNDED_OUTPUT = Exercise(
    rounded_output,
    cases=_rounding_cases,
    mistakes={
        "rounded_twice": lambda weights, v, decimals: (weights.round(decimals) @ v).round(decimals),
        "only_weights_rounded": lambda weights, v, decimals: weights.round(decimals) @ v,
        "not_rounded": lambda weights, v, decimals: weights @ v,
        "cut_off": lambda weights, v, decimals: np.floor(weights @ v * 10**decimals) / 10**decimals,
        "python_round": lambda weights, v, decimals: round(weights @ v, decimals),
        "always_two": lambda weights, v, decimals: (weights @ v).round(2),
        "values_rounded": lambda weights, v, decimals: (weights @ v.round(decimals)).round(
            decimals
        ),
    },
)

EXERCISES = (ONE_OUTPUT, FIVE_STEPS, ROUNDED_OUTPUT)
