"""Lesson 04: read the score matrix."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words
from attention_core.softmax import softmax

__all__ = ["EXERCISES", "QUESTIONS"]


def one_score():
    q_2, k_3 = np.array([3, -1]), np.array([4, 5])
    return q_2 @ k_3


def score_matrix(q, k):
    return q @ k.T


def score_shape(n_q, n_k, d_k, d_v):
    return n_q, n_k


def could_be_weights():
    rows = [[2, -1, 0], [0.2, 0.3, 0.5], [0.5, 0.6, 0.7], [0, 1, 0], [1.2, -0.4, 0.2]]
    return [bool(min(row) >= 0 and abs(sum(row) - 1) < 1e-9) for row in rows]


def _integers(seed, *shape):
    return np.random.default_rng(seed).integers(-3, 4, size=shape).astype(float)


def _score_cases():
    return [
        (np.array([[1.0, 2.0]]), np.array([[3.0, 0.0], [0.0, 5.0], [1.0, -1.0]])),
        (_integers(42, 7, 2), _integers(43, 3, 2)),
        (_integers(40, 2, 3), _integers(41, 5, 3)),
    ]


def _without_transpose(q, k):
    return q @ k


def _without_sum(q, k):
    return q[:, None, :] * k[None, :, :]


ONE_SCORE = Exercise(
    name="one_score",
    lesson="04",
    claims=("C4.2",),
    solution=one_score,
    mistakes=(
        Mistake(
            20,
            Words(
                "That is query 3 with key 3. The first index of S_23 is the query: take q_2.",
                "这是查询 3 和键 3。S_23 的第一个下标是查询，应当取 q_2。",
            ),
        ),
        Mistake(
            -3,
            Words(
                "That is query 2 with key 2. The second index of S_23 is the key: take k_3.",
                "这是查询 2 和键 2。S_23 的第二个下标是键，应当取 k_3。",
            ),
        ),
        Mistake(
            24,
            Words(
                "The indices are swapped: that is S_32, query 3 with key 2.",
                "下标反了：这是 S_32，即查询 3 和键 2。",
            ),
        ),
        Mistake(
            11,
            Words(
                "The numbers were paired crosswise. First meets first, second meets second.",
                "配对交叉了。应当第一个对第一个，第二个对第二个。",
            ),
        ),
        Mistake(
            17,
            Words(
                "A minus sign was lost: the second product is −1·5.",
                "漏了负号：第二个乘积是 −1·5。",
            ),
        ),
        Mistake(
            np.array([12, -5]),
            Words(
                "These are the two products. Add them: a score is one number.",
                "这是两个乘积，还要相加：一个分数是一个数。",
            ),
        ),
        Mistake(
            7 / np.sqrt(2),
            Words(
                "The score was divided by √d_k already. That is a later step, lesson 06.",
                "这里已经除以了 √d_k。那是后面的一步，见第 06 课。",
            ),
        ),
    ),
    hints=(
        Words(
            "S_23 belongs to query 2 and key 3: q_2 and k_3.",
            "S_23 属于查询 2 和键 3：取 q_2 和 k_3。",
        ),
        Words("[3, −1] and [4, 5]: 3·4 + (−1)·5.", "[3, −1] 和 [4, 5]：3·4 + (−1)·5。"),
    ),
)

SCORE_MATRIX = Exercise(
    name="score_matrix",
    lesson="04",
    claims=("C4.1", "C4.2"),
    solution=score_matrix,
    cases=_score_cases,
    mistakes=(
        Mistake(
            lambda q, k: k @ q.T,
            Words(
                "Transposed: that is K Qᵀ, one row for each key. Rows must be the queries that "
                "read: q @ k.T.",
                "转置了：这是 K Qᵀ，一个键一行。行应当是发起读取的查询：q @ k.T。",
            ),
        ),
        Mistake(
            _without_transpose,
            Words(
                "The transpose is missing. The features must meet: the last side of q with the "
                "first side of k.T.",
                "漏了转置。应当让特征相接：q 的最后一条边对 k.T 的第一条边。",
            ),
        ),
        Mistake(
            lambda q, k: q @ k.T / np.sqrt(q.shape[-1]),
            Words(
                "These scores are already divided by √d_k. Here the raw ones are asked for; "
                "scaling is the next step.",
                "这里已经除以了 √d_k。本题要原始分数，缩放是下一步。",
            ),
        ),
        Mistake(
            lambda q, k: softmax(q @ k.T),
            Words(
                "These are weights: softmax has been applied. Before it they are scores.",
                "这是权重：已经做过 softmax 了。softmax 之前才叫分数。",
            ),
        ),
        Mistake(
            _without_sum,
            Words(
                "These are the single products, (n_q, n_k, d_k). Sum over the feature side, the "
                "last one.",
                "这是逐项的乘积，形状 (n_q, n_k, d_k)。还要沿特征这条边（最后一个轴）求和。",
            ),
        ),
        Mistake(
            lambda q, k: q @ q.T,
            Words(
                "The queries were compared with themselves. Compare them with the keys: k.",
                "这里是查询和查询自己比。应当和键 k 比。",
            ),
        ),
        Mistake(
            lambda q, k: q.sum(axis=-1)[:, None] * k.sum(axis=-1),
            Words(
                "The features were summed first and multiplied afterwards. Multiply feature by "
                "feature, then sum.",
                "这里先把特征相加再相乘。应当先逐个特征相乘，再求和。",
            ),
        ),
    ),
    hints=(
        Words(
            "Entry [i, j] is the dot product of row i of q and row j of k.",
            "第 [i, j] 个数，是 q 的第 i 行与 k 的第 j 行的点积。",
        ),
        Words(
            "(n_q, d_k) times (d_k, n_k): turn k so that its feature side comes first.",
            "(n_q, d_k) 乘 (d_k, n_k)：把 k 转过来，让特征那条边在前。",
        ),
        Words("q @ something; k.T is k transposed.", "写成 q @ 某个矩阵；k.T 就是 k 的转置。"),
    ),
)

SCORE_SHAPE = Exercise(
    name="score_shape",
    lesson="04",
    claims=("C4.1",),
    solution=score_shape,
    cases=lambda: [(3, 5, 2, 7), (11, 2, 64, 5), (100, 100, 64, 32)],
    mistakes=(
        Mistake(
            lambda n_q, n_k, d_k, d_v: (n_q, d_k),
            Words(
                "That is the shape of Q. The feature side d_k is summed away in the product.",
                "这是 Q 的形状。特征那条边 d_k 在乘积里被求和消掉了。",
            ),
        ),
        Mistake(
            lambda n_q, n_k, d_k, d_v: (n_k, n_q),
            Words(
                "Rows and columns are swapped: rows are queries, columns are keys.",
                "行和列反了：行是查询，列是键。",
            ),
        ),
        Mistake(
            lambda n_q, n_k, d_k, d_v: (n_q, n_k, d_k),
            Words(
                "Those are the single products. Summing over the d_k features removes that side.",
                "这是逐项乘积的形状。对 d_k 个特征求和之后，这条边就没有了。",
            ),
        ),
        Mistake(
            lambda n_q, n_k, d_k, d_v: (n_q, d_v),
            Words(
                "That is the shape of the output. The values are not part of the scores.",
                "这是输出的形状。分数里还没有值的事。",
            ),
        ),
        Mistake(
            lambda n_q, n_k, d_k, d_v: (d_k, d_k),
            Words(
                "That is QᵀK, features by features. Tokens must be left, so K is transposed, not "
                "Q.",
                "这是 QᵀK，特征对特征。剩下的应当是词元，所以要转置的是 K，不是 Q。",
            ),
        ),
    ),
    hints=(
        Words(
            "Q is (n_q, d_k), Kᵀ is (d_k, n_k). Which side do they share?",
            "Q 是 (n_q, d_k)，Kᵀ 是 (d_k, n_k)。它们共有哪条边？",
        ),
        Words(
            "The shared side vanishes; the two outer ones are left, in their order.",
            "共有的那条边消失，剩下外侧两条，顺序不变。",
        ),
    ),
)

COULD_BE_WEIGHTS = Exercise(
    name="could_be_weights",
    lesson="04",
    claims=("C4.3",),
    solution=could_be_weights,
    mistakes=(
        Mistake(
            [False, True, True, True, False],
            Words(
                "The third row is not negative, but it sums to more than 1: scores.",
                "第三行没有负数，但和大于 1，所以是分数。",
            ),
        ),
        Mistake(
            [True, True, False, True, True],
            Words(
                "Summing to 1 is not enough: a weight is never negative.",
                "和为 1 还不够：权重不会是负数。",
            ),
        ),
        Mistake(
            [False, True, False, False, False],
            Words(
                "The fourth row is possible: 0 and 1 are allowed, the sum is 1.",
                "第四行是可以的：0 和 1 都允许，和正好是 1。",
            ),
        ),
        Mistake(
            [True, False, True, False, True],
            Words(
                "All five are turned round: True where the row could be weights.",
                "五个全反了：可能是权重的才填 True。",
            ),
        ),
    ),
    hints=(
        Words(
            "Weights of one query: none negative, sum 1. Check both for each row.",
            "一个查询的权重：都不为负，和为 1。每一行两条都要查。",
        ),
        Words(
            "Two of the five rows pass. Two have a negative number, one sums to 1.8.",
            "五行里有两行符合。有两行出现负数，有一行的和是 1.8。",
        ),
    ),
)

EXERCISES = (ONE_SCORE, SCORE_MATRIX, SCORE_SHAPE, COULD_BE_WEIGHTS)

QUESTIONS = (
    Question(
        key="04.1",
        text=Words(
            "Three queries, four keys, all with 2 features: Q is (3, 2), K is (4, 2). What is the "
            "shape of `Q @ K.T`?",
            "三个查询、四个键，特征都是 2 个：Q 是 (3, 2)，K 是 (4, 2)。`Q @ K.T` 的形状是什么？",
        ),
        options=("(3, 2)", "(3, 4)", "(4, 3)", "(2, 2)"),
        answer=1,
        why=Words(
            "(3, 2) times (2, 4): the sides of 2 meet and vanish. One row for each query, one "
            "column for each key.",
            "(3, 2) 乘 (2, 4)：两条长为 2 的边相接后消失。每个查询一行，每个键一列。",
        ),
    ),
    Question(
        key="04.2",
        text=Words(
            "Queries and keys grow from 2 features to 200; there are still 3 queries and 4 keys. "
            "How does the score matrix grow?",
            "查询和键从 2 个特征增加到 200 个，仍是 3 个查询、4 个键。分数矩阵会变大多少？",
        ),
        options=(
            Words("100 times as many entries", "项数变成 100 倍"),
            Words("10,000 times as many entries", "项数变成 10000 倍"),
            Words("not at all", "完全不变"),
        ),
        answer=2,
        why=Words(
            "Every score is a sum over the features, however many there are: one number for each "
            "pair of tokens. More features change the numbers, not how many there are.",
            "每个分数都是对特征求和，特征再多，一对词元也只得一个数。"
            "特征增多会改变数值，不会改变个数。",
        ),
    ),
    Question(
        key="04.3",
        text=Words(
            "Only the key k_3 changes. Where does the score matrix change?",
            "只有键 k_3 变了。分数矩阵的哪里会变？",
        ),
        options=(
            Words("in row 3", "第 3 行"),
            Words("in column 3", "第 3 列"),
            Words("in one entry", "只有一项"),
            Words("everywhere", "到处都变"),
        ),
        answer=1,
        why=Words(
            "Every query meets k_3 exactly once, in column 3. A column shows how one key looks to "
            "all queries.",
            "每个查询都恰好和 k_3 比一次，结果都在第 3 列。一列就是一个键在所有查询眼中的样子。",
        ),
    ),
    Question(
        key="04.4",
        text=Words(
            "An entry of QKᵀ is −2. Is something wrong?",
            "QKᵀ 里有一项是 −2。是不是算错了？",
        ),
        options=(
            Words("Yes: nobody can read a negative amount.", "是：读取的量不可能为负。"),
            Words("No: a score may be any number.", "不是：分数可以是任何数。"),
            Words("Yes: it should lie between −1 and 1.", "是：它应当在 −1 到 1 之间。"),
        ),
        answer=1,
        why=Words(
            "A score only ranks matches: below zero means query and key stand more than a "
            "right angle apart. Amounts to read are the weights, and those come out of the "
            "softmax.",
            "分数只用来比较匹配程度：小于零说明查询和键的夹角超过 90°。"
            "要读的量是权重，那是 softmax 之后的事。",
        ),
    ),
)
