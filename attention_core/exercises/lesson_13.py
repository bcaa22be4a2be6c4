"""Lesson 13: break five common beliefs."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words

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
        if kind == "rounded":
            output = output + 1e-12
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
        case(5, 7, 3, "rounded"),
    ]


def _belief(key, en, zh):
    """The wrong verdict on one sentence."""
    return Mistake({key: not verdicts()[key]}, Words(en, zh))


def _mistaken(patient, name, en, zh):
    """One patient taken for another."""
    return Mistake({patient: name}, Words(en, zh))


def _swapped(one, two, en, zh):
    """Two patients that have changed places."""
    right = diagnosis()
    return Mistake({one: right[two], two: right[one]}, Words(en, zh))


VERDICTS = Exercise(
    name="verdicts",
    lesson="13",
    claims=("C13.1", "C13.2", "C13.3", "C13.4", "C13.5"),
    solution=verdicts,
    mistakes=(
        _belief(
            "s1",
            "s1: W_Q was the same for both sentences, Q was not. Can they be of the same kind?",
            "s1：两个句子用的是同一个 W_Q，Q 却不同。它们会是同一类对象吗？",
        ),
        _belief(
            "s2",
            "s2: the short and the long sentence each had a Q of their own. Where did it come "
            "from?",
            "s2：短句和长句各有自己的 Q。它是从哪里来的？",
        ),
        _belief(
            "s3",
            "s3: d_k went from 3 to 7. What happened to the shape of QKᵀ?",
            "s3：d_k 从 3 变成 7 时，QKᵀ 的形状变了吗？",
        ),
        _belief(
            "s4",
            "s4: what do the rows of QKᵀ stand for, and what its columns? Count them.",
            "s4：QKᵀ 的行代表什么？列又代表什么？数一数。",
        ),
        _belief(
            "s5",
            "s5: in the run with the sevens the keys were random. Was there anything of them in "
            "the output?",
            "s5：在值全是 7 的那次运行里，键是随机的。输出里有键的影子吗？",
        ),
        _belief(
            "s6",
            "s6: however the keys share out the weight, a mixture of sevens is seven.",
            "s6：无论键怎样分配权重，几个 7 混合起来还是 7。",
        ),
        _belief(
            "s7",
            "s7: we compared V before and after, number by number.",
            "s7：我们逐个数比较过前后的 V。",
        ),
        _belief(
            "s8",
            "s8: two queries read five values. How many rows did the output have?",
            "s8：两个查询读了五个值。输出有几行？",
        ),
        _belief(
            "s9",
            "s9: two heads of one layer read the same x and had different weights. What must "
            "differ between them?",
            "s9：同一层的两个头读的是同一个 x，权重却不同。它们之间一定有什么不一样？",
        ),
        _belief(
            "s10",
            "s10: the second head got the matrices of the first. What did np.array_equal say?",
            "s10：让第二个头用第一个头的矩阵时，np.array_equal 给出了什么？",
        ),
    ),
    hints=(
        Words(
            "For each sentence, look for the experiment above that would have come out "
            "differently.",
            "对每一句，想一想：如果说反了，上面哪个实验的结果会不一样？",
        ),
        Words(
            "From s1 to s6, the even-numbered sentences are right and the odd-numbered are wrong.",
            "从 s1 到 s6，编号为偶数的句子是对的，奇数的是错的。",
        ),
    ),
)

DIAGNOSIS = Exercise(
    name="diagnosis",
    lesson="13",
    solution=diagnosis,
    mistakes=(
        _swapped(
            "p1",
            "p2",
            "p1 and p2 have changed places: one is too sharp, the other too flat.",
            "p1 和 p2 弄反了：一个太尖锐，一个太平缓。",
        ),
        _swapped(
            "p4",
            "p11",
            "p4 and p11 have changed places. An inverted mask hides the past; a forgotten one "
            "hides nothing.",
            "p4 和 p11 弄反了。掩码取反会挡住过去；忘了掩码则什么也没挡。",
        ),
        _swapped(
            "p6",
            "p10",
            "p6 and p10 have changed places. Both have healthy weights. From which output can you "
            "subtract the healthy one, and v is left?",
            "p6 和 p10 弄反了。两者的权重都健康。哪一个的输出减去健康的输出，正好剩下 v？",
        ),
        _swapped(
            "p7",
            "p12",
            "p7 and p12 have changed places. With queries as keys, the scores are symmetric.",
            "p7 和 p12 弄反了。拿查询当键时，分数矩阵是对称的。",
        ),
        _swapped(
            "p3",
            "p8",
            "p3 and p8 have changed places: look at the sums of the columns, and at the sum of "
            "everything.",
            "p3 和 p8 弄反了：看看每一列的和，再看看全部的和。",
        ),
        _swapped(
            "p5",
            "p9",
            "p5 and p9 have changed places. After a second softmax the whole row is nearly even: "
            "no weight is more than e times another.",
            "p5 和 p9 弄反了。做两次 softmax 后，整行趋于平均：任何两个权重之比都不超过 e。",
        ),
        _mistaken(
            "p1",
            "wrong_scale",
            "p1 is sharper than the healthy one. Dividing by too much makes weights flatter.",
            "p1 比健康的更尖锐。除得太多，权重只会更平缓。",
        ),
        _mistaken(
            "p2",
            "no_scale",
            "p2 is flatter than the healthy one. Without scaling, weights get sharper.",
            "p2 比健康的更平缓。不缩放，权重只会更尖锐。",
        ),
        _mistaken(
            "p3",
            "one_sum_for_all",
            "p3: the sum of all the weights is 4, not 1. Add up the columns one by one.",
            "p3：所有权重之和是 4，不是 1。把每一列分别加起来看看。",
        ),
        _mistaken(
            "p8",
            "wrong_axis",
            "p8: neither the rows nor the columns sum to 1. What is the sum of everything?",
            "p8：行和、列和都不是 1。全部加起来是多少？",
        ),
        _mistaken(
            "p4",
            "mask_forgotten",
            "p4 does hide something. Which places have no weight at all, the past or the future?",
            "p4 确实挡住了一些位置。完全没有权重的是过去，还是未来？",
        ),
        _mistaken(
            "p11",
            "mask_inverted",
            "p11 hides nothing: past and future both have weight.",
            "p11 什么也没挡：过去和未来都有权重。",
        ),
        _mistaken(
            "p11",
            "zero_for_infinity",
            "p11: if hidden scores were 0, all the hidden places of a row would have equal weight. "
            "Here they differ.",
            "p11：如果被屏蔽的分数都是 0，同一行里被屏蔽的位置权重会相等。这里并不相等。",
        ),
        _mistaken(
            "p5",
            "mask_forgotten",
            "p5: within a row, all the hidden places have the same weight. So they have the same "
            "score. Which one?",
            "p5：同一行里，被屏蔽的位置权重都相等，所以它们的分数也相等。是多少呢？",
        ),
        _mistaken(
            "p5",
            "softmax_twice",
            "p5: the last row, where nothing is hidden, is healthy. A second softmax would change "
            "it, too.",
            "p5：最后一行没有位置被屏蔽，权重是健康的。做两次 softmax 的话，这一行也会变。",
        ),
        _mistaken(
            "p9",
            "zero_for_infinity",
            "p9: even the last row is not healthy, although nothing is hidden there.",
            "p9：最后一行没有位置被屏蔽，权重却也不健康。",
        ),
        _mistaken(
            "p6",
            "values_added",
            "p6: subtract the healthy output. Is v what is left?",
            "p6：用它的输出减去健康的输出，剩下的是 v 吗？",
        ),
        _mistaken(
            "p10",
            "keys_returned",
            "p10: compare its output with weights @ k.",
            "p10：把它的输出和 weights @ k 比一比。",
        ),
        _mistaken(
            "p7",
            "queries_as_keys",
            "p7: would its weights change if you changed k? Try it with examine.",
            "p7：改动 k，它的权重会变吗？用 examine 试一试。",
        ),
        _mistaken(
            "p12",
            "scores_transposed",
            "p12: would its weights change if you changed k? Try it with examine.",
            "p12：改动 k，它的权重会变吗？用 examine 试一试。",
        ),
    ),
    hints=(
        Words(
            "First the row sums, then the hidden places, then weights @ v against the output: "
            "three tests find eight of the twelve.",
            "先看每行之和，再看被屏蔽的位置，最后比较 weights @ v 和输出：三项检查能找出"
            "十二个中的八个。",
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
        Mistake(
            lambda output, weights, v: bool((weights @ v == output).all()),
            Words(
                "Compared to the last bit. The same sum in another order may differ in the last "
                "digit: allow a small tolerance.",
                "这里要求一位不差。同样的和换个次序来加，末位就可能不同：要留出一点误差。",
            ),
        ),
        Mistake(
            lambda output, weights, v: weights @ v,
            Words(
                "This is the mixture itself. Asked is whether the output equals it: True or False.",
                "这是混合的结果本身。要回答的是输出是否与它相等：True 或 False。",
            ),
        ),
        Mistake(
            lambda output, weights, v: weights @ v == output,
            Words(
                "That is one answer for each entry. Asked is a single True or False.",
                "这里每个数都有一个回答。要的是一个 True 或 False。",
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
            "特征维度在求和时消失，剩下词元 × 词元。",
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
