"""Lesson 13: break five common beliefs."""

import numpy as np

from attention_core.exercises.checking.exercise import Exercise

__all__ = ["EXERCISES"]


def verdicts():
    return {
        "s1": False,
        "s2": True,
        "s3": False,
        "s4": True,
        "s5": False,
        "s6": True,
        "s7": False,
        "s8": False,
        "s9": True,
        "s10": True,
    }


def diagnosis():
    return {
        "p1": "no_scale",
        "p2": "wrong_scale",
        "p3": "wrong_axis",
        "p4": "mask_inverted",
        "p5": "zero_for_infinity",
        "p6": "keys_returned",
        "p7": "scores_transposed",
        "p8": "one_sum_for_all",
        "p9": "softmax_twice",
        "p10": "values_added",
        "p11": "mask_forgotten",
        "p12": "queries_as_keys",
    }


def is_mixture(output, weights, v):
    return np.allclose(weights @ v, output)


def _mixture_cases():
    rng = np.random.default_rng(13)

    def case(n_q, n_k, d_v, change):
        weights = rng.dirichlet(np.ones(n_k), size=n_q).round(2)
        v = rng.normal(size=(n_k, d_v)).round(1)
        output = weights @ v
        change(output)
        return output, weights, v

    return [
        case(2, 3, 1, _unchanged),
        case(1, 3, 2, _cell((0, 1), -0.002)),
        case(2, 3, 2, _cell((0, 0), 5)),
        case(2, 4, 3, _unchanged),
        case(3, 3, 3, _last_digit),
        case(3, 3, 3, _cell((2, 2), -5)),
        case(2, 5, 3, _mirrored),
        case(2, 5, 3, _upside_down),
        case(3, 5, 5, _cell((1, 4), 0.002)),
        case(3, 5, 7, _moved_between_columns),
        case(5, 7, 3, _last_digit),
        case(5, 7, 3, _cell((0, 0), 0.005)),
        case(5, 7, 3, _cell((4, 2), -0.2)),
    ]


def _unchanged(output):
    pass


def _cell(place, step):
    """One cell is wrong, by this much."""

    def change(output):
        output[place] += step

    return change


def _last_digit(output):
    """As another order of adding up may give it."""
    output[...] = np.nextafter(output, 9)


def _mirrored(output):
    output[...] = output[:, ::-1].copy()


def _upside_down(output):
    output[...] = output[::-1].copy()


def _moved_between_columns(output):
    output += np.arange(output.shape[1]) - (output.shape[1] - 1) / 2


def _swapped(one, two):
    """Two variants that have changed places."""
    right = diagnosis()
    return {one: right[two], two: right[one]}


VERDICTS = Exercise(
    verdicts,
    mistakes={key: {key: not verdict} for key, verdict in verdicts().items()},
)

DIAGNOSIS = Exercise(
    diagnosis,
    mistakes={
        "p1_p2": _swapped("p1", "p2"),
        "p4_p11": _swapped("p4", "p11"),
        "p6_p10": _swapped("p6", "p10"),
        "p7_p12": _swapped("p7", "p12"),
        "p3_p8": _swapped("p3", "p8"),
        "p5_p9": _swapped("p5", "p9"),
        "p1_wrong_scale": {"p1": "wrong_scale"},
        "p2_no_scale": {"p2": "no_scale"},
        "p3_one_sum_for_all": {"p3": "one_sum_for_all"},
        "p8_wrong_axis": {"p8": "wrong_axis"},
        "p4_mask_forgotten": {"p4": "mask_forgotten"},
        "p11_mask_inverted": {"p11": "mask_inverted"},
        "p11_zero_for_infinity": {"p11": "zero_for_infinity"},
        "p5_mask_forgotten": {"p5": "mask_forgotten"},
        "p5_softmax_twice": {"p5": "softmax_twice"},
        "p9_zero_for_infinity": {"p9": "zero_for_infinity"},
        "p6_values_added": {"p6": "values_added"},
        "p10_keys_returned": {"p10": "keys_returned"},
        "p7_queries_as_keys": {"p7": "queries_as_keys"},
        "p12_scores_transposed": {"p12": "scores_transposed"},
    },
)

IS_MIXTURE = Exercise(
    is_mixture,
    cases=_mixture_cases,
    mistakes={
        "only_shape": lambda output, weights, v: output.shape == (len(weights), v.shape[1]),
        "shape_of_v": lambda output, weights, v: (
            output.shape == v.shape and bool(np.allclose(weights @ v, output))
        ),
        "only_totals": lambda output, weights, v: bool(
            np.isclose((weights @ v).sum(), output.sum())
        ),
        "to_the_last_bit": lambda output, weights, v: bool((weights @ v == output).all()),
        "mixture_itself": lambda output, weights, v: weights @ v,
        "one_for_each_entry": lambda output, weights, v: weights @ v == output,
    },
)

EXERCISES = (VERDICTS, IS_MIXTURE, DIAGNOSIS)
