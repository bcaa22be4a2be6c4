"""Lesson 13: break five common beliefs."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.words import Words

__all__ = ["EXERCISES", "QUESTIONS"]


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

    def case(n_q, n_k, d_v, kind):
        weights = rng.dirichlet(np.ones(n_k), size=n_q).round(2)
        v = rng.normal(size=(n_k, d_v)).round(1)
        output = weights @ v
        if kind == "other":
            output = output + 1
        if kind == "column":
            output = output + np.arange(d_v)
        if kind == "swapped":
            output = output[::-1]
        if kind == "mean":
            output = output + np.array([[1.0], [-1.0]] * (n_q // 2))
        return output, weights, v

    return [
        case(2, 3, 1, "right"),
        case(2, 3, 2, "other"),
        case(3, 3, 3, "right"),
        case(2, 5, 3, "mean"),
        case(2, 5, 3, "swapped"),
        case(3, 5, 7, "column"),
        case(5, 7, 3, "right"),
    ]


VERDICTS = Exercise(
    name="verdicts",
    lesson="13",
    claims=("C13.1", "C13.2", "C13.3", "C13.4", "C13.5"),
    solution=verdicts,
    mistakes=(
        Mistake(
            {"s1": True, "s2": False},
            Words(
                "W_Q is kept from sentence to sentence, Q is made anew each time: they are not of "
                "the same kind.",
                "W_Q 在句子之间保持不变，Q 每次重新算出：它们不是同一类东西。",
            ),
        ),
        Mistake(
            {"s3": True, "s4": False},
            Words(
                "The feature side is summed away: count the tokens on both sides of QKᵀ.",
                "特征那一维被加掉了：请数一数 QKᵀ 两边各有几个词元。",
            ),
        ),
        Mistake(
            {"s5": True, "s6": False},
            Words(
                "Think of the run in which all values were 7. The keys could say what they liked.",
                "想想所有的值都是 7 的那次运行：键是什么都没有关系。",
            ),
        ),
        Mistake(
            {"s7": True, "s8": True},
            Words(
                "Before and after the pass V was the same, to the last bit. The output is a new "
                "array.",
                "前向计算前后，V 一点没变。输出是一个新的数组。",
            ),
        ),
        Mistake(
            {"s9": False, "s10": False},
            Words(
                "Heads repeat each other only if their matrices are equal. Ours gave different "
                "weights.",
                "只有投影矩阵相同，各个头才会重复。我们的几个头给出的权重并不相同。",
            ),
        ),
    ),
    hints=(
        Words(
            "For each sentence, look for the experiment above that would have come out "
            "differently.",
            "对每一句，找出上面哪个实验的结果会因此不同。",
        ),
        Words(
            "The even-numbered sentences up to s6 are right.",
            "s6 以前，编号为偶数的句子都是对的。",
        ),
    ),
)

DIAGNOSIS = Exercise(
    name="diagnosis",
    lesson="13",
    solution=diagnosis,
    mistakes=(
        Mistake(
            {"p1": "wrong_scale", "p2": "no_scale"},
            Words(
                "p1 and p2 have changed places: one is too sharp, the other too flat.",
                "p1 和 p2 弄反了：一个太尖锐，一个太平缓。",
            ),
        ),
        Mistake(
            {"p4": "mask_forgotten", "p11": "mask_inverted"},
            Words(
                "p4 and p11 have changed places. An inverted mask hides the past; a forgotten one "
                "hides nothing.",
                "p4 和 p11 弄反了。掩码取反会挡住过去；忘了掩码则什么也没挡。",
            ),
        ),
        Mistake(
            {"p6": "values_added", "p10": "keys_returned"},
            Words(
                "p6 and p10 have changed places. Both have healthy weights; compare the outputs "
                "with K and with V.",
                "p6 和 p10 弄反了。两者的权重都健康，请拿输出去和 K、V 比一比。",
            ),
        ),
        Mistake(
            {"p7": "queries_as_keys", "p12": "scores_transposed"},
            Words(
                "p7 and p12 have changed places. Where queries serve as keys, every token finds "
                "itself very interesting.",
                "p7 和 p12 弄反了。拿查询当键时，每个词元都觉得自己最值得看。",
            ),
        ),
        Mistake(
            {"p3": "one_sum_for_all", "p8": "wrong_axis"},
            Words(
                "p3 and p8 have changed places: look at the sums of the columns, and at the sum of "
                "everything.",
                "p3 和 p8 弄反了：看看每一列的和，再看看全部的和。",
            ),
        ),
        Mistake(
            {"p5": "softmax_twice", "p9": "zero_for_infinity"},
            Words(
                "p5 and p9 have changed places. After a second softmax all the hidden places of a "
                "row have the same weight, and the largest weight is small.",
                "p5 和 p9 弄反了。做两次 softmax 后，最大的权重也变小了，整行趋于平均。",
            ),
        ),
    ),
    hints=(
        Words(
            "First the row sums, then the hidden places, then weights @ v against the output: "
            "three tests split the ward.",
            "先看每行之和，再看被屏蔽的位置，最后比较 weights @ v 和输出：三项检查就能分开病人。",
        ),
        Words(
            "If you are stuck with one, show its line in the explorer.",
            "如果卡在某个病人上，就在上面的控件里显示它的那一行。",
        ),
    ),
)

IS_MIXTURE = Exercise(
    name="is_mixture",
    lesson="13",
    claims=("C13.3", "C13.4"),
    solution=is_mixture,
    cases=_mixture_cases,
    mistakes=(
        Mistake(
            lambda output, weights, v: output.shape == (len(weights), v.shape[1]),
            Words(
                "Only the shape is compared. A wrong output may have the right shape.",
                "这里只比较了形状。错误的输出也可能形状正确。",
            ),
        ),
        Mistake(
            lambda output, weights, v: (
                output.shape == v.shape and bool(np.allclose(weights @ v, output))
            ),
            Words(
                "The output was asked to have the shape of v. There may be more or fewer queries "
                "than values.",
                "这里要求输出与 v 形状相同。查询的个数可以比值多，也可以比值少。",
            ),
        ),
        Mistake(
            lambda output, weights, v: bool(np.isclose((weights @ v).sum(), output.sum())),
            Words(
                "Only the totals are compared. Two wrong entries can make up for each other.",
                "这里只比较了总和。两处错误可能正好互相抵消。",
            ),
        ),
    ),
    hints=(
        Words(
            "Compute the mixture yourself and compare it with the output.",
            "自己算出混合的结果，再和输出比较。",
        ),
        Words(
            "Compare entry by entry, with a tolerance: np.allclose.",
            "逐项比较，并留出误差：np.allclose。",
        ),
    ),
)

EXERCISES = (VERDICTS, IS_MIXTURE, DIAGNOSIS)

QUESTIONS = (
    Question(
        key="13.1",
        text=Words(
            "The next sentence has 5 tokens instead of 3. Which arrays change their shape?",
            "下一句有 5 个词元，而不是 3 个。哪些数组的形状会变？",
        ),
        options=("W_Q", "Q", Words("both", "两者都变"), Words("neither", "都不变")),
        answer=1,
        why=Words(
            "W_Q is (d_model, d_k) for every sentence. Q has one row per token.",
            "W_Q 对每个句子都是 (d_model, d_k)。Q 则每个词元一行。",
        ),
    ),
    Question(
        key="13.2",
        text=Words(
            "Q and K are (4, 3). They become (4, 7). What is the shape of QKᵀ before and after?",
            "Q 和 K 是 (4, 3)，后来变成 (4, 7)。QKᵀ 的形状前后各是什么？",
        ),
        options=("(4, 3), (4, 7)", "(4, 4), (4, 4)", "(3, 3), (7, 7)"),
        answer=1,
        why=Words(
            "The feature side is summed away; token × token is left.",
            "特征那一维被加掉，剩下词元 × 词元。",
        ),
    ),
    Question(
        key="13.3",
        text=Words(
            "Every value is [7, 7]. The keys are random. What is the output?",
            "每个值都是 [7, 7]，键是随机的。输出是什么？",
        ),
        options=(
            "[7, 7]",
            Words("a mixture of the keys", "键的混合"),
            Words("something random", "随机的结果"),
        ),
        answer=0,
        why=Words(
            "Whatever the keys decide, only sevens can be handed over.",
            "无论键怎么决定，能交出去的只有 7。",
        ),
    ),
    Question(
        key="13.4",
        text=Words(
            "Two queries read five values of width 3. Can the output be an updated V?",
            "两个查询读取五个宽度为 3 的值。输出会是更新后的 V 吗？",
        ),
        options=(
            Words("Yes", "是"),
            Words("No: it has 2 rows, V has 5", "不是：它有 2 行，V 有 5 行"),
        ),
        answer=1,
        why=Words(
            "One row for each query. In self-attention the row counts agree, and that is all that "
            "makes them look alike.",
            "每个查询一行。自注意力里行数碰巧相同，才让两者看起来像。",
        ),
    ),
    Question(
        key="13.5",
        text=Words(
            "Multi-head attention computes the same thing several times and averages. If that "
            "were so, what would the weights of the heads look like?",
            "假如多头注意力只是把同样的计算重复几遍再平均，各个头的权重会是怎样？",
        ),
        options=(
            Words("All equal", "全都相同"),
            Words("All different", "各不相同"),
            Words("Transposed", "互为转置"),
        ),
        answer=0,
        why=Words(
            "The same computation gives the same weights. We can look whether they are the same.",
            "同样的计算给出同样的权重。是不是相同，看一看就知道。",
        ),
    ),
    Question(
        key="13.6",
        text=Words(
            "A patient's line reads `weights = softmax(scores, axis=-2)`. What is the symptom?",
            "某个病人的这一行是 `weights = softmax(scores, axis=-2)`。会有什么症状？",
        ),
        options=(
            Words("The rows do not sum to 1", "行的和不是 1"),
            Words("The future is visible", "看得见未来"),
            Words("The output has another shape", "输出的形状变了"),
        ),
        answer=0,
        why=Words(
            "Now the columns sum to 1. The shape is right, and nothing complains.",
            "现在是列的和为 1。形状没错，也不会报错。",
        ),
    ),
    Question(
        key="13.7",
        text=Words(
            "A patient's line reads `scores = np.where(allowed, scores, 0)`. What is the symptom?",
            "某个病人的这一行是 `scores = np.where(allowed, scores, 0)`。会有什么症状？",
        ),
        options=(
            Words("The rows do not sum to 1", "行的和不是 1"),
            Words("Hidden places get some weight", "被屏蔽的位置也有权重"),
            Words("None: 0 hides as well", "没有症状：0 也能屏蔽"),
        ),
        answer=1,
        why=Words(
            "e to the power 0 is 1, not 0. A score of 0 may even be the largest of the row.",
            "e 的 0 次方是 1，不是 0。分数 0 甚至可能是这一行里最大的。",
        ),
    ),
    Question(
        key="13.8",
        text=Words(
            "A patient's line reads `scores = k @ q.T`. For which input would you notice nothing?",
            "某个病人的这一行是 `scores = k @ q.T`。什么样的输入会让你什么也看不出来？",
        ),
        options=(
            Words("Q equal to K", "Q 等于 K"),
            Words("a very long sentence", "很长的句子"),
            Words("d_k = 1", "d_k = 1"),
        ),
        answer=0,
        why=Words(
            "With Q = K the scores are symmetric. That is why a test needs Q and K that differ.",
            "Q = K 时分数矩阵是对称的。所以测试要用不同的 Q 和 K。",
        ),
    ),
)
