"""Lesson 00: see the whole route at once."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.words import Words

__all__ = ["EXERCISES", "QUESTIONS"]


def read_values(weights, v):
    return weights @ v


def _reading_cases():
    rng = np.random.default_rng(0)
    return [
        (np.array([[0.25, 0.75]]), np.array([[8.0, 0.0], [0.0, 4.0]])),
        (np.array([[1.0, 0.0, 0.0], [0.2, 0.3, 0.5]]), np.array([[1.0, 0], [0, 2], [3, 1]])),
        (rng.dirichlet(np.ones(3), size=3).round(2), rng.normal(size=(3, 3)).round(1)),
        (rng.dirichlet(np.ones(3), size=5).round(2), rng.normal(size=(3, 2)).round(1)),
    ]


READ_VALUES = Exercise(
    name="read_values",
    lesson="00",
    claims=("C0.1", "C0.3"),
    solution=read_values,
    cases=_reading_cases,
    mistakes=(
        Mistake(
            lambda weights, v: weights.T @ v,
            Words(
                "The weights are transposed. Row i of the weights belongs to query i, and its "
                "entries meet the rows of v.",
                "权重被转置了。权重的第 i 行属于第 i 个查询，这一行的各项要与 v 的各行相对应。",
            ),
        ),
        Mistake(
            lambda weights, v: v[weights.argmax(axis=-1)],
            Words(
                "Only the position with the largest weight was read. The others count too, each "
                "with its share.",
                "这里只读了权重最大的那个位置。其他位置也要按各自的份额计入。",
            ),
        ),
        Mistake(
            lambda weights, v: np.repeat(v.mean(axis=0, keepdims=True), len(weights), axis=0),
            Words(
                "Every position got the same share. The weights say how much each one counts.",
                "这里每个位置的份额都一样。每个位置占多少，要由权重决定。",
            ),
        ),
        Mistake(
            lambda weights, v: weights @ v[::-1],
            Words(
                "The values stand in the opposite order: weight j belongs to value j.",
                "值的顺序反了：第 j 个权重对应第 j 个值。",
            ),
        ),
    ),
    hints=(
        Words(
            "Row i of the output is the sum of weights[i, j] times v[j] over all j.",
            "输出的第 i 行，是所有 weights[i, j] 乘 v[j] 之和。",
        ),
        Words(
            "(n_q, n_k) times (n_k, d_v) gives (n_q, d_v): one matrix product.",
            "(n_q, n_k) 乘 (n_k, d_v) 得 (n_q, d_v)：一次矩阵乘法就够了。",
        ),
    ),
)

EXERCISES = (READ_VALUES,)

QUESTIONS = (
    Question(
        key="00.1",
        text=Words(
            "The scores stay as they are; only the values V change. What happens?",
            "注意力分数保持不变，只改变值 V。会发生什么？",
        ),
        options=(
            Words("Weights and output both change.", "权重和输出都变。"),
            Words("The weights stay, the output changes.", "权重不变，输出变。"),
            Words("Neither changes.", "都不变。"),
        ),
        answer=1,
        why=Words(
            "The weights come from Q and K alone. V is what they let through, so other values "
            "give another output.",
            "权重只由 Q 和 K 得出。V 是按权重被取走的内容，所以换了值，输出就不同。",
        ),
    ),
)
