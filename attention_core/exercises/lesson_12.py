"""Lesson 12: follow the shapes through the heads."""

import numpy as np

from attention_core.exercises.checking.exercise import Exercise

__all__ = ["EXERCISES"]


def shapes_of_heads():
    n, d_model, h = 7, 30, 5
    d_head = d_model // h
    return {"q_i": (n, d_head), "scores": (n, n), "head": (n, d_head), "concat": (n, h * d_head)}


def split_heads(x, h):
    n, width = x.shape
    return x.reshape(n, h, width // h).swapaxes(0, 1)


def merge_heads(x):
    h, n, d_head = x.shape
    return x.swapaxes(0, 1).reshape(n, h * d_head)


def count_parameters(d_model, h, d_k, d_v):
    return 2 * d_model * h * d_k + 2 * d_model * h * d_v


def _labelled(n, width):
    """Entry [i, j] tells its token and its feature: 23 is feature 3 of token 2."""
    return 10 * np.arange(1, n + 1)[:, None] + np.arange(1, width + 1)


def _cut_cases():
    return [
        (_labelled(2, 4), 2),
        (_labelled(3, 4), 2),
        (_labelled(2, 8), 4),
        (_labelled(5, 6), 3),
        ((_labelled(4, 12) * 0.37 % 1).round(2), 4),
    ]


def _merge_cases():
    return [(split_heads(x, h),) for x, h in _cut_cases()]


def _count_cases():
    return [
        (2, 3, 5, 7),
        (13, 2, 11, 3),
        (1, 1, 1, 1),
        (7, 5, 3, 11),
        (512, 8, 64, 64),
        (12288, 96, 128, 127),
    ]


SHAPES_OF_HEADS = Exercise(
    shapes_of_heads,
    mistakes={
        "query_full_width": {"q_i": (7, 30)},
        "scores_keep_features": {"scores": (7, 6)},
        "features_by_features": {"scores": (6, 6)},
        "query_transposed": {"q_i": (6, 7)},
        "all_scores": {"scores": (5, 7, 7)},
        "head_full_width": {"head": (7, 30)},
        "below_one_another": {"concat": (35, 6)},
        "average": {"concat": (7, 6)},
    },
)

SPLIT_HEADS = Exercise(
    split_heads,
    stands_for=("split_heads",),
    cases=_cut_cases,
    mistakes={
        "bare_reshape": lambda x, h: x.reshape(h, len(x), -1),
        "two_axes": lambda x, h: x.reshape(h, -1),
        "tokens_shared": lambda x, h: (
            np.array(np.split(x, h)) if len(x) % h == 0 else x.reshape(h, -1)
        ),
        "head_axis_second": lambda x, h: x.reshape(len(x), h, -1),
        "every_hth": lambda x, h: x.reshape(len(x), -1, h).transpose(2, 0, 1),
        "tokens_and_features_swapped": lambda x, h: x.reshape(len(x), h, -1).transpose(1, 2, 0),
        "reversed": lambda x, h: x.reshape(len(x), h, -1).swapaxes(0, 1)[::-1],
    },
)

MERGE_HEADS = Exercise(
    merge_heads,
    stands_for=("merge_heads",),
    cases=_merge_cases,
    mistakes={
        "bare_reshape": lambda x: x.reshape(x.shape[1], -1),
        "interleaved": lambda x: x.transpose(1, 2, 0).reshape(x.shape[1], -1),
        "below_one_another": lambda x: x.reshape(-1, x.shape[-1]),
        "averaged": lambda x: x.mean(axis=0),
        "not_joined": lambda x: x.swapaxes(0, 1),
    },
)

COUNT_PARAMETERS = Exercise(
    count_parameters,
    cases=_count_cases,
    mistakes={
        "without_w_o": lambda d_model, h, d_k, d_v: d_model * h * (2 * d_k + d_v),
        "one_head": lambda d_model, h, d_k, d_v: 2 * d_model * d_k + 2 * d_model * d_v,
        "square_w_o": lambda d_model, h, d_k, d_v: (
            d_model * h * (2 * d_k + d_v) + d_model * d_model
        ),
        "all_square": lambda d_model, h, d_k, d_v: 4 * d_model * d_model,
        "full_width": lambda d_model, h, d_k, d_v: 4 * h * d_model * d_model,
        "three_d_k": lambda d_model, h, d_k, d_v: d_model * h * (3 * d_k + d_v),
    },
)

EXERCISES = (SHAPES_OF_HEADS, SPLIT_HEADS, MERGE_HEADS, COUNT_PARAMETERS)
