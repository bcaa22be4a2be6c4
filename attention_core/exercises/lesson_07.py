"""Lesson 07: turn scores into routing weights."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words
from attention_core.softmax import softmax

__all__ = ["EXERCISES", "QUESTIONS"]


def softmax_rows(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exps = np.exp(shifted)
    return exps / exps.sum(axis=-1, keepdims=True)


def mix_values(scores, v):
    weights = softmax(scores)
    return weights @ v


def safe_row():
    row = np.array([1003, 1001, 1002])
    return row - row.max()


def mixed_by_hand():
    weights = np.array([0.2, 0.3, 0.5])
    v = np.array([[1, 0], [0, 2], [3, 1]])
    return weights @ v


def _scores(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).round(1)


def _score_cases():
    return [
        (np.array([[1.0, 2.0]]),),
        (np.array([[2.0, 0.0, 1.0], [0.0, 3.0, -1.0]]),),
        (np.array([[1000.0, 1001.0], [0.0, 2.0], [-1001.0, -1000.0]]),),
        (_scores(7, 5, 3),),
    ]


def _mixing_cases():
    return [
        (np.array([[2.0, 0.0, 1.0]]), np.array([[10.0], [20.0], [30.0]])),
        (np.array([[2.0, 0.0, 1.0], [0.0, 3.0, -1.0]]), np.array([[1.0, 0], [0, 2], [3, 1]])),
        (_scores(1, 3, 3), _scores(2, 3, 2)),
        (_scores(3, 5, 2), _scores(4, 2, 3)),
    ]


def _over_columns(scores):
    return softmax_rows(scores.T).T


def _over_everything(scores):
    exps = np.exp(scores - scores.max())
    return exps / exps.sum()


def _without_exp(scores):
    return scores / scores.sum(axis=-1, keepdims=True)


def _without_division(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


def _without_maximum(scores):
    exps = np.exp(scores)
    return exps / exps.sum(axis=-1, keepdims=True)


def _one_maximum(scores):
    exps = np.exp(scores - scores.max())
    return exps / exps.sum(axis=-1, keepdims=True)


def _without_keepdims(scores):
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1)


SOFTMAX_ROWS = Exercise(
    name="softmax_rows",
    lesson="07",
    claims=("C7.1", "C7.2"),
    solution=softmax_rows,
    cases=_score_cases,
    mistakes=(
        Mistake(
            _over_columns,
            Words(
                "Each column sums to 1, not each row. A row belongs to one query, so the maximum "
                "and the sum must run along the last axis: axis=-1.",
                "现在是每一列的和为 1，而不是每一行。一行对应一个查询，"
                "所以取最大值和求和都要沿最后一个轴：axis=-1。",
            ),
        ),
        Mistake(
            _over_everything,
            Words(
                "All entries together sum to 1. Every query shares out its own 1, so the sum needs "
                "axis=-1.",
                "现在是整个矩阵的和为 1。每个查询都要各自分配一份 1，所以求和时要写 axis=-1。",
            ),
        ),
        Mistake(
            _without_exp,
            Words(
                "The scores were divided by their sum, but without the exponential. Scores may be "
                "negative or add up to 0; e to a power is always positive.",
                "这里把分数直接除以它们的和，漏掉了指数函数。分数可以是负的，"
                "和也可能为 0；取了指数才总是正数。",
            ),
        ),
        Mistake(
            _without_division,
            Words(
                "These are the exponentials, not yet shares: divide each row by its sum.",
                "这还只是指数值，不是份额：每一行还要除以这一行的和。",
            ),
        ),
        Mistake(
            _without_maximum,
            Words(
                "Right for small scores, but e to the power 1000 overflows to inf, and inf / inf "
                "is NaN. Subtract the row's maximum first; the weights stay the same.",
                "分数小的时候是对的，但 e 的 1000 次方会溢出为 inf，而 inf / inf 就是 NaN。"
                "先减去这一行的最大值，权重不会变。",
            ),
        ),
        Mistake(
            _one_maximum,
            Words(
                "One maximum was subtracted from the whole matrix. A row far below it becomes all "
                "zeros, and 0 / 0 is NaN. Take the maximum of each row.",
                "这里整个矩阵只减了同一个最大值。离它很远的一行会全部变成 0，而 0 / 0 是 NaN。"
                "请每一行减去自己的最大值。",
            ),
        ),
        Mistake(
            _without_keepdims,
            Words(
                "The sums came out as a flat array, so NumPy lines them up with the columns "
                "instead of the rows. keepdims=True keeps them as a column.",
                "求出的和变成了一维数组，NumPy 会把它和列对齐，而不是和行对齐。"
                "加上 keepdims=True，让它保持为一列。",
            ),
        ),
    ),
    hints=(
        Words(
            "Three steps for each row: subtract its maximum, take the exponential, divide by the "
            "sum.",
            "每一行做三步：减去这一行的最大值，取指数，再除以总和。",
        ),
        Words(
            "scores.max(axis=-1, keepdims=True) has shape (n_q, 1), so subtracting it works row "
            "by row.",
            "scores.max(axis=-1, keepdims=True) 的形状是 (n_q, 1)，减去它就是逐行相减。",
        ),
        Words(
            "With exps = np.exp(...), the last line is exps / exps.sum(axis=-1, keepdims=True).",
            "先令 exps = np.exp(...)，最后一行写 exps / exps.sum(axis=-1, keepdims=True)。",
        ),
    ),
)

MIX_VALUES = Exercise(
    name="mix_values",
    lesson="07",
    claims=("C7.3",),
    solution=mix_values,
    cases=_mixing_cases,
    mistakes=(
        Mistake(
            lambda scores, v: softmax(scores) @ scores.T,
            Words(
                "The weights were multiplied by the scores. Scores only say how much to read; what "
                "is read are the values: weights @ v.",
                "这里用权重去乘了分数。分数只决定读多少，真正被读取的是值：weights @ v。",
            ),
        ),
        Mistake(
            lambda scores, v: softmax(scores) * v,
            Words(
                "`*` multiplies entry by entry and adds nothing up. A mixture is a matrix product: "
                "weights @ v.",
                "`*` 是逐项相乘，没有求和。混合要用矩阵乘法：weights @ v。",
            ),
        ),
        Mistake(
            lambda scores, v: scores @ v,
            Words(
                "The raw scores were used as weights. They need softmax first, so that each row "
                "is positive and sums to 1.",
                "这里直接拿原始分数当权重。要先做 softmax，每一行才都是正数且和为 1。",
            ),
        ),
        Mistake(
            lambda scores, v: softmax(scores, axis=0) @ v,
            Words(
                "The softmax ran down the columns, so a query's weights do not sum to 1. Use the "
                "last axis.",
                "softmax 沿列做了，一个查询的权重之和就不是 1。应当沿最后一个轴。",
            ),
        ),
        Mistake(
            lambda scores, v: v[scores.argmax(axis=-1)],
            Words(
                "Only the value with the largest score was taken. Attention mixes all the values; "
                "the largest score just gets the largest share.",
                "这里只取了分数最大的那个值。注意力会混合所有的值，分数最大的只是占的份额最大。",
            ),
        ),
        Mistake(
            lambda scores, v: np.repeat(v.mean(axis=0, keepdims=True), len(scores), axis=0),
            Words(
                "Every value got the same share. Use the weights that softmax makes of the scores.",
                "这里每个值的份额都一样。应当用 softmax 从分数得到的权重。",
            ),
        ),
        Mistake(
            lambda scores, v: softmax(scores),
            Words(
                "These are the weights. One step is left: mix the values with them.",
                "这是权重，还差一步：用它们去混合各个值。",
            ),
        ),
        Mistake(
            lambda scores, v: softmax(scores).T @ v,
            Words(
                "The weights are transposed. Rows of the weights are queries, columns are keys, "
                "and it is the keys that must meet the rows of v.",
                "权重被转置了。权重的行是查询、列是键，应当由键这一侧去对应 v 的各行。",
            ),
        ),
    ),
    hints=(
        Words(
            "First weights, then the mixture: row i of the result is the sum of weights[i, j] "
            "times v[j] over all j.",
            "先求权重，再混合：结果的第 i 行是所有 weights[i, j] 乘 v[j] 之和。",
        ),
        Words(
            "(n_q, n_k) times (n_k, d_v) gives (n_q, d_v): one matrix product does all the sums.",
            "(n_q, n_k) 乘 (n_k, d_v) 得 (n_q, d_v)：一次矩阵乘法就完成了所有求和。",
        ),
        Words("softmax(scores) @ v", "softmax(scores) @ v"),
    ),
)

SAFE_ROW = Exercise(
    name="safe_row",
    lesson="07",
    claims=("C7.2",),
    solution=safe_row,
    mistakes=(
        Mistake(
            np.array([2, 0, 1]),
            Words(
                "The smallest score was subtracted. The weights are right, but the largest number "
                "must become 0: then no exponential can overflow.",
                "这里减去的是最小的分数。权重没错，但应当让最大的数变成 0，这样指数才不会溢出。",
            ),
        ),
        Mistake(
            np.array([1, -1, 0]),
            Words(
                "The mean was subtracted. The weights are right, but the largest number must "
                "become 0.",
                "这里减去的是平均值。权重没错，但应当让最大的数变成 0。",
            ),
        ),
        Mistake(
            np.array([1003, 1001, 1002]) / 1003,
            Words(
                "Dividing changes the differences between the scores, and only differences count. "
                "Subtract instead.",
                "相除会改变分数之间的差，而 softmax 只看差。应当用减法。",
            ),
        ),
        Mistake(
            np.array([0, 2, 1]),
            Words(
                "The signs are turned round: that gives the largest score the smallest weight. "
                "Take row - maximum, not maximum - row.",
                "符号反了：这样分数最大的反而权重最小。应当用“这一行减最大值”，而不是反过来。",
            ),
        ),
    ),
    hints=(
        Words(
            "Adding the same number to a whole row changes no weight. Which number brings the "
            "largest score to 0?",
            "给整行加上同一个数，权重不变。加上哪个数能让最大的分数变成 0？",
        ),
        Words("Subtract 1003 from each of the three.", "三个数都减去 1003。"),
    ),
)

MIXED_BY_HAND = Exercise(
    name="mixed_by_hand",
    lesson="07",
    claims=("C7.3",),
    solution=mixed_by_hand,
    tolerance=1e-3,
    mistakes=(
        Mistake(
            np.array([4, 3]) / 3,
            Words(
                "That is the plain mean of the three values. Let each count by its own weight.",
                "这是三个值的普通平均。应当让每个值按自己的权重计入。",
            ),
        ),
        Mistake(
            np.array([3, 1]),
            Words(
                "That is v_3 alone, the value with the largest weight. The other two still count "
                "for 0.2 and 0.3.",
                "这只是权重最大的 v_3。另外两个值仍各占 0.2 和 0.3。",
            ),
        ),
        Mistake(
            np.array([1.7, 1.1]) / 3,
            Words(
                "The weighted sum was divided by 3 as well. The weights already sum to 1, so "
                "nothing is left to divide.",
                "加权求和之后又除以了 3。权重之和已经是 1，不必再除。",
            ),
        ),
        Mistake(
            np.array([4, 3]),
            Words(
                "That is v_1 + v_2 + v_3, without the weights.",
                "这是 v_1 + v_2 + v_3，没有乘上权重。",
            ),
        ),
        Mistake(
            np.array([1.1, 0.8]),
            Words(
                "The weights are in the wrong order: 0.2 belongs to v_1 and 0.5 to v_3.",
                "权重的顺序反了：0.2 属于 v_1，0.5 属于 v_3。",
            ),
        ),
    ),
    hints=(
        Words(
            "0.2 v_1 + 0.3 v_2 + 0.5 v_3: work out the first component, then the second.",
            "0.2 v_1 + 0.3 v_2 + 0.5 v_3：先算第一个分量，再算第二个。",
        ),
        Words(
            "First component: 0.2 · 1 + 0.3 · 0 + 0.5 · 3.",
            "第一个分量：0.2 · 1 + 0.3 · 0 + 0.5 · 3。",
        ),
    ),
)

EXERCISES = (SAFE_ROW, SOFTMAX_ROWS, MIXED_BY_HAND, MIX_VALUES)

QUESTIONS = (
    Question(
        key="07.1",
        text=Words(
            "One score of a row is larger than another by 1. How many times as large is its "
            "weight?",
            "同一行里，一个分数比另一个大 1。它的权重是另一个的几倍？",
        ),
        options=(
            Words("2 times", "2 倍"),
            Words("e times, about 2.7", "e 倍，约 2.7 倍"),
            Words("10 times", "10 倍"),
            Words("That depends on the other scores.", "要看其他的分数。"),
        ),
        answer=1,
        why=Words(
            "Both weights are divided by the same sum, so in their ratio it cancels and e¹ is "
            "left. The other scores decide how much there is to share, not this ratio.",
            "两个权重除以的是同一个总和，一比就约掉了，只剩下 e¹。"
            "其他分数影响的是还剩多少可分，不影响这个比值。",
        ),
    ),
    Question(
        key="07.2",
        text=Words(
            "The scores have 2 rows (queries) and 3 columns (keys). After `softmax(scores, "
            "axis=0)`, what sums to 1?",
            "分数矩阵有 2 行（查询）、3 列（键）。执行 `softmax(scores, axis=0)` 之后，"
            "什么的和是 1？",
        ),
        options=(
            Words("each row", "每一行"),
            Words("each column", "每一列"),
            Words("the whole matrix", "整个矩阵"),
        ),
        answer=1,
        why=Words(
            "Axis 0 runs down the columns, so the three columns sum to 1 and the two rows, in "
            "general, do not. Attention needs each query's row to sum to 1: the last axis.",
            "轴 0 是沿列向下的方向，所以三列的和各为 1，两行的和一般都不是 1。"
            "注意力要求每个查询所在的行和为 1，也就是沿最后一个轴。",
        ),
    ),
    Question(
        key="07.3",
        text=Words(
            "Every score of one row grows by 100. What happens to the weights of this row?",
            "某一行的每个分数都加上 100。这一行的权重会怎样？",
        ),
        options=(
            Words("All of them grow.", "全都变大。"),
            Words("The largest one takes nearly everything.", "最大的那个几乎独占全部。"),
            Words("They do not change.", "不变。"),
            Words("They become equal.", "变得一样大。"),
        ),
        answer=2,
        why=Words(
            "All exponentials are multiplied by the same e¹⁰⁰, above and below the fraction bar, "
            "and it cancels: only the differences between scores count. (Multiplying the scores "
            "would sharpen the weights; adding does not.)",
            "分子和分母里的每个指数都乘上了同一个 e¹⁰⁰，正好约掉：softmax 只看分数之间的差。"
            "（把分数乘以一个大于 1 的数才会使权重更集中，相加不会。）",
        ),
    ),
    Question(
        key="07.4",
        text=Words(
            "The first components of v_1, v_2, v_3 are 1, 0 and 3. Can the first component of "
            "the output be 4?",
            "v_1、v_2、v_3 的第一个分量分别是 1、0、3。输出的第一个分量可能是 4 吗？",
        ),
        options=(
            Words("Yes, if the score of v_3 is large enough.", "可能，只要 v_3 的分数足够大。"),
            Words("Yes, if some scores are negative.", "可能，只要有些分数是负的。"),
            Words("No, it always lies between 0 and 3.", "不可能，它总在 0 和 3 之间。"),
        ),
        answer=2,
        why=Words(
            "The weights are positive and sum to 1, so the output is a weighted mean: it stays "
            "inside the triangle of v_1, v_2, v_3. A huge score only brings it close to v_3.",
            "权重都是正数，和为 1，所以输出是加权平均，总落在 v_1、v_2、v_3 围成的三角形里。"
            "分数再大，也只是让输出靠近 v_3。",
        ),
    ),
)
