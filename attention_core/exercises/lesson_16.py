"""Lesson 16: send gradients back through attention."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words

__all__ = ["EXERCISES", "QUESTIONS"]


def value_gradient(weights, d_output):
    return weights.T @ d_output


def through_softmax(weights, d_weights):
    total = (weights * d_weights).sum(axis=-1, keepdims=True)
    return weights * (d_weights - total)


def query_key_gradients(q, k, d_scaled):
    scale = 1 / np.sqrt(q.shape[-1])
    return d_scaled @ k * scale, d_scaled.T @ q * scale


def _root(q):
    return np.sqrt(q.shape[-1])


def _draw(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).round(1)


def _weights(seed, n_q, n_k):
    return np.random.default_rng(seed).dirichlet(np.ones(n_k), size=n_q).round(2)


def _value_cases():
    return [
        (np.array([[1.0, 0.0], [0.25, 0.75]]), np.array([[1.0], [4.0]])),
        (_weights(1, 3, 3), _draw(2, 3, 2)),
        (_weights(3, 5, 5), _draw(4, 5, 3)),
    ]


def _softmax_cases():
    return [
        (np.array([[0.25, 0.75]]), np.array([[4.0, 0.0]])),
        (_weights(1, 3, 3), _draw(2, 3, 3)),
        (_weights(3, 2, 5), _draw(4, 2, 5)),
    ]


def _pair_cases():
    return [
        (_draw(1, 2, 3), _draw(2, 2, 3), _draw(3, 2, 2)),
        (_draw(4, 3, 5), _draw(5, 3, 5), _draw(6, 3, 3)),
        (_draw(7, 3, 5), _draw(8, 7, 5), _draw(9, 3, 7)),
    ]


VALUE_GRADIENT = Exercise(
    name="value_gradient",
    lesson="16",
    claims=("C16.1",),
    solution=value_gradient,
    cases=_value_cases,
    mistakes=(
        Mistake(
            lambda weights, d_output: weights @ d_output,
            Words(
                "The weights are not transposed. Value j was read by every query i: add up over "
                "the queries, column by column.",
                "权重没有转置。第 j 个值被每个查询 i 读过：应当按列，对查询求和。",
            ),
        ),
        Mistake(
            lambda weights, d_output: d_output,
            Words(
                "The gradient was handed on unchanged. Each value gets the share with which it "
                "was read.",
                "梯度被原样传了下去。每个值应按它被读取的份额来分。",
            ),
        ),
        Mistake(
            lambda weights, d_output: weights.T @ d_output / len(weights),
            Words(
                "Averaged over the queries. Gradients add up; nothing is divided.",
                "这里对查询取了平均。梯度是相加的，不用除。",
            ),
        ),
        Mistake(
            lambda weights, d_output: weights.sum(axis=0)[:, None] * d_output,
            Words(
                "The share of each value was summed first and then multiplied. Each query brings "
                "its own gradient: weight first, then add.",
                "这里先把每个值的份额加起来再相乘。每个查询带来的梯度不同：要先加权，再求和。",
            ),
        ),
    ),
    hints=(
        Words(
            "Which queries read value j, and how much?",
            "哪些查询读了第 j 个值，各读了多少？",
        ),
        Words(
            "dV has one row per value: (n_k, n_q) times (n_q, d_v).",
            "dV 每个值一行：(n_k, n_q) 乘 (n_q, d_v)。",
        ),
    ),
)

THROUGH_SOFTMAX = Exercise(
    name="through_softmax",
    lesson="16",
    claims=("C16.2",),
    solution=through_softmax,
    cases=_softmax_cases,
    mistakes=(
        Mistake(
            lambda weights, d_weights: weights * d_weights,
            Words(
                "The row sum is missing. What one weight gains, the others lose: subtract Σ a·da "
                "in each row.",
                "缺了每行的和。一个权重得到的就是其他权重失去的：每一行要减去 Σ a·da。",
            ),
        ),
        Mistake(
            lambda weights, d_weights: weights * (1 - weights) * d_weights,
            Words(
                "That is the diagonal of the Jacobian only. Each score moves all weights of its "
                "row.",
                "这只是雅可比矩阵的对角线。每个分数会影响这一行的所有权重。",
            ),
        ),
        Mistake(
            lambda weights, d_weights: weights * (d_weights - (weights * d_weights).sum()),
            Words(
                "One sum for the whole matrix. Each row has a sum of its own: axis=-1, "
                "keepdims=True.",
                "这里整个矩阵共用一个和。每一行应当有自己的和：axis=-1, keepdims=True。",
            ),
        ),
        Mistake(
            lambda weights, d_weights: weights * (d_weights - (weights * d_weights).sum(axis=0)),
            Words(
                "The sum runs down the columns. A query shares out its weights along a row: "
                "axis=-1, keepdims=True.",
                "这里沿列求了和。一个查询的权重排成一行，应当沿行求和：axis=-1, keepdims=True。",
            ),
        ),
        Mistake(
            lambda weights, d_weights: weights * (d_weights - (weights * d_weights).sum(axis=-1)),
            Words(
                "keepdims=True is missing: without it the sums lie across the columns, and each "
                "row gets the sums of others.",
                "少了 keepdims=True：没有它，各行的和会横着排开，减到别的行上去。",
            ),
        ),
        Mistake(
            lambda weights, d_weights: (
                weights * (d_weights - d_weights.mean(axis=-1, keepdims=True))
            ),
            Words(
                "The plain mean of the gradients was subtracted. It must be their mean weighted "
                "by a.",
                "这里减去的是梯度的普通平均。应当是按 a 加权的平均。",
            ),
        ),
    ),
    hints=(
        Words(
            "A row of the result sums to 0.",
            "结果的每一行之和为 0。",
        ),
        Words(
            "First the sum over the row of weights * d_weights, then one line.",
            "先求这一行 weights * d_weights 的和，再写一行。",
        ),
        Words(
            "weights * (d_weights - total)",
            "写成 weights * (d_weights - total)",
        ),
    ),
)

QUERY_KEY = Exercise(
    name="query_key_gradients",
    lesson="16",
    claims=("C16.2", "C16.4"),
    solution=query_key_gradients,
    cases=_pair_cases,
    mistakes=(
        Mistake(
            lambda q, k, d_scaled: (d_scaled @ k, d_scaled.T @ q),
            Words(
                "The scale is missing. The scores were divided by √d_k, so their gradient is, too.",
                "缺了缩放。分数除以过 √d_k，它的梯度也要除。",
            ),
        ),
        Mistake(
            lambda q, k, d_scaled: (
                d_scaled.T @ q / np.sqrt(q.shape[-1]),
                d_scaled @ k / np.sqrt(q.shape[-1]),
            ),
            Words(
                "dq and dk have changed places. The gradient of a query is made of keys.",
                "dq 和 dk 弄反了。查询的梯度是由键组成的。",
            ),
        ),
        Mistake(
            lambda q, k, d_scaled: (d_scaled @ k / q.shape[-1], d_scaled.T @ q / q.shape[-1]),
            Words(
                "Divided by d_k instead of its root.",
                "这里除以了 d_k，而不是它的平方根。",
            ),
        ),
        Mistake(
            lambda q, k, d_scaled: (d_scaled @ k / len(q) ** 0.5, d_scaled.T @ q / len(q) ** 0.5),
            Words(
                "Divided by the root of the number of queries. d_k is the width of a query: "
                "q.shape[-1].",
                "这里除以了查询个数的平方根。d_k 是查询的宽度：q.shape[-1]。",
            ),
        ),
        Mistake(
            lambda q, k, d_scaled: (d_scaled @ k * _root(q), d_scaled.T @ q * _root(q)),
            Words(
                "Multiplied by √d_k. The scores were divided by it on the way forward, and so are "
                "the gradients on the way back.",
                "这里乘了 √d_k。前向计算时分数除以了它，回程时梯度同样要除。",
            ),
        ),
        Mistake(
            lambda q, k, d_scaled: (
                d_scaled @ k / np.sqrt(q.shape[-1]),
                d_scaled @ q / np.sqrt(q.shape[-1]),
            ),
            Words(
                "dq is right. For dk the matrix must be transposed: key j meets every query i.",
                "dq 是对的。求 dk 时矩阵要转置：第 j 个键遇到每个查询 i。",
            ),
        ),
    ),
    hints=(
        Words(
            "A score is q_i · k_j / √d_k: its derivative by q_i is k_j / √d_k.",
            "分数是 q_i · k_j / √d_k：对 q_i 求导得 k_j / √d_k。",
        ),
        Words(
            "For q add up over the keys, for k over the queries.",
            "对 q 要沿键求和，对 k 要沿查询求和。",
        ),
    ),
)

EXERCISES = (VALUE_GRADIENT, THROUGH_SOFTMAX, QUERY_KEY)

QUESTIONS = (
    Question(
        key="16.1",
        text=Words(
            "Value 1 is read with weights 1.0 and 0.25 by two queries, whose output gradients are "
            "1 and 4. Its gradient?",
            "两个查询读取了第 1 个值，权重是 1.0 和 0.25，输出的梯度是 1 和 4。"
            "这个值的梯度是多少？",
        ),
        options=(
            "1",
            "2",
            "5",
        ),
        answer=1,
        why=Words(
            "1·1 + 0.25·4 = 2. Every reader sends back its gradient, weighted as it read.",
            "1·1 + 0.25·4 = 2。每个读者按自己读的权重把梯度送回来。",
        ),
    ),
    Question(
        key="16.2",
        text=Words(
            "Add up the gradients of all the scores of one row. What is the sum?",
            "把某一行所有分数的梯度加起来，和是多少？",
        ),
        options=(
            "0",
            "1",
            Words("it depends", "不一定"),
        ),
        answer=0,
        why=Words(
            "Adding one number to all scores of a row changes no weight, so the gradients cancel.",
            "给整行分数加同一个数，权重不变，所以这些梯度互相抵消。",
        ),
    ),
    Question(
        key="16.3",
        text=Words(
            "Central differences with step 10⁻¹ or 10⁻⁵ or 10⁻¹²: which comes closest in double "
            "precision?",
            "双精度下，中心差分的步长取 10⁻¹、10⁻⁵ 还是 10⁻¹²，最准？",
        ),
        options=(
            "10⁻¹",
            "10⁻⁵",
            "10⁻¹²",
        ),
        answer=1,
        why=Words(
            "A large step measures too far from the point, a tiny one drowns in rounding.",
            "步长太大，量到的已不是这一点附近；步长太小，就淹没在舍入误差里。",
        ),
    ),
    Question(
        key="16.4",
        text=Words(
            "Key 3 is hidden from query 1 by the mask. Which gradient does that pair pass on?",
            "掩码让查询 1 看不见第 3 个键。这一对会传递多少梯度？",
        ),
        options=(
            Words("A small one", "很小"),
            Words("Exactly 0", "恰好是 0"),
            Words("NaN", "NaN"),
        ),
        answer=1,
        why=Words(
            "Its weight is exactly 0, and every term holds that weight as a factor.",
            "它的权重恰好是 0，而每一项都含有这个权重。",
        ),
    ),
)
