"""Lesson 06: divide by the square root of d_k."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words

__all__ = ["EXERCISES", "QUESTIONS"]


def scaled_scores(q, k):
    d_k = q.shape[-1]
    return q @ k.T / np.sqrt(d_k)


def std_of_256():
    return np.sqrt(256)


def row_jacobian(weights):
    return np.diag(weights) - np.outer(weights, weights)


def _numbers(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).round(1)


def _score_cases():
    return [
        (np.array([[1.0, 2.0, 3.0]]), np.array([[2.0, 0.0, 1.0], [1.0, 1.0, 5.0]])),
        (_numbers(1, 2, 7), _numbers(2, 3, 7)),
        (_numbers(3, 5, 11), _numbers(4, 2, 11)),
    ]


def _jacobian_cases():
    return [
        (np.array([0.25, 0.75]),),
        (np.array([0.2, 0.3, 0.5]),),
        (np.array([0.1, 0.2, 0.05, 0.6, 0.05]),),
    ]


SCALED_SCORES = Exercise(
    name="scaled_scores",
    lesson="06",
    claims=("C6.1", "C6.2"),
    solution=scaled_scores,
    cases=_score_cases,
    mistakes=(
        Mistake(
            lambda q, k: q @ k.T,
            Words(
                "These are the raw scores; the division is missing. Their spread grows with d_k.",
                "这是原始分数，还没有除。它们的离散程度会随 d_k 变大。",
            ),
        ),
        Mistake(
            lambda q, k: q @ k / np.sqrt(q.shape[-1]),
            Words(
                "The columns of the second factor must be keys, but k holds them as rows. "
                "Transpose it: k.T.",
                "第二个因子的各列应当是键，而 k 里一行是一个键。要先转置：k.T。",
            ),
        ),
        Mistake(
            lambda q, k: q @ k.T / q.shape[-1] ** 1 / 2,
            Words(
                "d_k ** 1 / 2 is read as (d_k ** 1) / 2, so this divides by d_k and by 2. Write "
                "d_k ** 0.5 or np.sqrt(d_k).",
                "d_k ** 1 / 2 会被当成 (d_k ** 1) / 2，于是除以了 d_k 又除以 2。"
                "请写 d_k ** 0.5 或 np.sqrt(d_k)。",
            ),
        ),
        Mistake(
            lambda q, k: q @ k.T / q.shape[-1],
            Words(
                "Divided by d_k itself. The variance grows like d_k, so the standard deviation "
                "grows like its root: divide by the root.",
                "这里除以了 d_k 本身。方差随 d_k 增长，标准差随它的平方根增长，所以要除以平方根。",
            ),
        ),
        Mistake(
            lambda q, k: q @ k.T / np.sqrt(len(k)),
            Words(
                "Divided by the root of the number of keys. What is summed are the d_k products of "
                "one dot product: take the last size of q.",
                "这里除以了键的个数的平方根。点积相加的是 d_k 个乘积，应当取 q 最后一轴的大小。",
            ),
        ),
        Mistake(
            lambda q, k: q @ k.T / np.sqrt(len(q)),
            Words(
                "Divided by the root of the number of queries: q.shape[0]. The size of a query is "
                "q.shape[-1].",
                "这里除以了查询个数的平方根，也就是 q.shape[0]。一个查询的大小是 q.shape[-1]。",
            ),
        ),
        Mistake(
            lambda q, k: q @ k.T * np.sqrt(q.shape[-1]),
            Words(
                "Multiplied by the root instead of divided: the scores now spread even more.",
                "这里乘了平方根，而不是除：分数反而更分散了。",
            ),
        ),
        Mistake(
            lambda q, k: k @ q.T / np.sqrt(q.shape[-1]),
            Words(
                "The scale is right, but the matrix is transposed: rows belong to queries, so q "
                "comes first.",
                "缩放是对的，但矩阵转置了：行属于查询，所以 q 要写在前面。",
            ),
        ),
    ),
    hints=(
        Words(
            "First all dot products as one matrix (n_q, n_k), then divide every entry by the same "
            "number.",
            "先把所有点积写成一个 (n_q, n_k) 的矩阵，再让每个数都除以同一个数。",
        ),
        Words(
            "d_k is the size of one query: the last number in q.shape.",
            "d_k 是一个查询的大小，也就是 q.shape 的最后一个数。",
        ),
        Words("q @ k.T / np.sqrt(d_k)", "写成 q @ k.T / np.sqrt(d_k)。"),
    ),
)

STD_OF_256 = Exercise(
    name="std_of_256",
    lesson="06",
    claims=("C6.2",),
    solution=std_of_256,
    mistakes=(
        Mistake(
            256,
            Words(
                "That is the variance. The standard deviation is its square root.",
                "这是方差。标准差是它的平方根。",
            ),
        ),
        Mistake(
            1,
            Words(
                "That is the value after scaling. Asked is the raw score.",
                "这是缩放之后的值。这里问的是原始分数。",
            ),
        ),
        Mistake(
            128,
            Words(
                "Half of 256 is not its root. Which number times itself gives 256?",
                "256 的一半不是它的平方根。哪个数乘以自己等于 256？",
            ),
        ),
        Mistake(
            1 / 16,
            Words(
                "That is the factor that undoes the growth, 1/√d_k. Asked is the growth.",
                "这是抵消增长的系数 1/√d_k。这里问的是增长到多少。",
            ),
        ),
    ),
    hints=(
        Words(
            "Each of the 256 products adds a variance of 1.",
            "256 个乘积，每个给方差加上 1。",
        ),
        Words(
            "Variance 256; now take the square root.",
            "方差是 256，再开平方。",
        ),
    ),
)

ROW_JACOBIAN = Exercise(
    name="row_jacobian",
    lesson="06",
    claims=("C6.4",),
    solution=row_jacobian,
    cases=_jacobian_cases,
    mistakes=(
        Mistake(
            lambda weights: np.diag(weights),
            Words(
                "Only the diagonal term. Raising one score also takes from all the others: "
                "subtract α_i α_j everywhere.",
                "只写了对角项。一个分数变大，会同时从其他位置拿走权重：每个位置都要减去 α_i α_j。",
            ),
        ),
        Mistake(
            lambda weights: weights * (1 - weights),
            Words(
                "These are the entries of the diagonal only, in one row. Each score moves every "
                "weight, so the answer is a square matrix.",
                "这只是对角线上的各项，排成了一行。每个分数都会牵动每个权重，所以答案是一个方阵。",
            ),
        ),
        Mistake(
            lambda weights: np.diag(weights * (1 - weights)),
            Words(
                "The diagonal is right, but the other entries are 0. There the entry is −α_i α_j.",
                "对角线是对的，但其余位置都成了 0，那里应当是 −α_i α_j。",
            ),
        ),
        Mistake(
            lambda weights: np.outer(weights, weights) - np.diag(weights),
            Words(
                "All signs are turned round. A higher score must raise its own weight: the "
                "diagonal is positive.",
                "符号全反了。分数变大，它自己的权重应当变大：对角线是正的。",
            ),
        ),
        Mistake(
            lambda weights: np.diag(weights) - weights @ weights,
            Words(
                "weights @ weights is one number, the sum of squares. np.outer makes the matrix of "
                "all products α_i α_j.",
                "weights @ weights 只是一个数（平方和）。np.outer 才给出所有乘积 α_i α_j 的矩阵。",
            ),
        ),
        Mistake(
            lambda weights: np.diag(weights) + np.outer(weights, weights),
            Words(
                "The product is added, but it must be subtracted: what one weight gains, the "
                "others lose, so each row sums to 0.",
                "这里加上了乘积，应当是减去：一个权重的所得就是其他权重的所失，每行之和为 0。",
            ),
        ),
    ),
    hints=(
        Words(
            "Entry (i, j) is α_i (1 − α_i) where i = j, and −α_i α_j elsewhere.",
            "第 (i, j) 项：i = j 时是 α_i (1 − α_i)，否则是 −α_i α_j。",
        ),
        Words(
            "A matrix with α on the diagonal, minus the matrix of all products.",
            "一个以 α 为对角线的矩阵，减去所有乘积组成的矩阵。",
        ),
        Words(
            "np.diag(weights) minus np.outer(weights, weights)",
            "用 np.diag(weights) 减去 np.outer(weights, weights)。",
        ),
    ),
)

EXERCISES = (STD_OF_256, SCALED_SCORES, ROW_JACOBIAN)

QUESTIONS = (
    Question(
        key="06.1",
        text=Words(
            "Each product q_i·k_i has variance 1. A dot product adds 64 independent ones. What is "
            "its standard deviation?",
            "每个乘积 q_i·k_i 的方差是 1。一个点积把 64 个独立的乘积加起来，它的标准差是多少？",
        ),
        options=("1", "8", "64"),
        answer=1,
        why=Words(
            "Variances of independent terms add up: 64. The standard deviation is the root, 8.",
            "独立项的方差可以相加，得 64。标准差是它的平方根，等于 8。",
        ),
    ),
    Question(
        key="06.2",
        text=Words(
            "softmax([1, 2]) is about [0.27, 0.73]. Both scores become ten times as large. What "
            "happens to the weights?",
            "softmax([1, 2]) 约等于 [0.27, 0.73]。两个分数都变成十倍，权重会怎样？",
        ),
        options=(
            Words("They stay the same: the ratio is the same", "不变，因为比例没变"),
            Words("They move a little towards the second", "稍微偏向第二个"),
            Words("The second takes practically everything", "几乎全部归第二个"),
        ),
        answer=2,
        why=Words(
            "Softmax looks at differences, not ratios. The difference grows from 1 to 10, and e "
            "to the power 10 is about 22 000.",
            "softmax 看的是差，不是比例。差从 1 变成了 10，而 e 的 10 次方约为 22 000。",
        ),
    ),
    Question(
        key="06.3",
        text=Words(
            "Why not divide by d_k itself, to be on the safe side?",
            "为了更保险，为什么不直接除以 d_k？",
        ),
        options=(
            Words("The scores would become almost equal", "分数会变得几乎一样"),
            Words("The scores would still spread too far", "分数仍然太分散"),
            Words("It makes no difference", "没有区别"),
        ),
        answer=0,
        why=Words(
            "The standard deviation would be 1/√d_k: the larger d_k, the closer all scores lie, "
            "and each query starts by sharing its weights out almost evenly.",
            "标准差会变成 1/√d_k：d_k 越大，分数靠得越近，一开始每个查询的权重就几乎是均分。",
        ),
    ),
    Question(
        key="06.4",
        text=Words(
            "A row of weights is [0, 0, 1]. Its first score grows a little. What happens to the "
            "weights?",
            "某一行权重是 [0, 0, 1]，它的第一个分数稍微变大。权重会怎样？",
        ),
        options=(
            Words("The first weight grows as much", "第一个权重也同样变大"),
            Words("Practically nothing", "几乎不变"),
            Words("They become even", "变得平均"),
        ),
        answer=1,
        why=Words(
            "Every entry of the Jacobian is α_i (1 − α_i) or −α_i α_j, and each of these holds a "
            "factor 0 here. The row is saturated: its scores get no gradient.",
            "雅可比矩阵的每一项是 α_i (1 − α_i) 或 −α_i α_j，在这里都含有一个为 0 的因子。"
            "这一行已经饱和，它的分数得不到梯度。",
        ),
    ),
)
