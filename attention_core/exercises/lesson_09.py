"""Lesson 09: work it out by hand."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words
from attention_core.masks import causal_mask
from attention_core.softmax import softmax

__all__ = ["EXERCISES", "QUESTIONS"]


def one_output():
    weights = softmax(np.array([0, 3]) / np.sqrt(9))
    return weights @ np.array([[10, 0], [0, 100]])


def five_steps(q, k, v, allowed):
    scores = q @ k.T
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
    name="one_output",
    lesson="09",
    claims=("C9.1", "C9.2"),
    solution=one_output,
    tolerance=7e-4,
    mistakes=(
        Mistake(
            np.array([0.27, 0.73]) @ _VALUES,
            Words(
                "The weights were rounded to two decimals before they met the values 10 and 100. "
                "Keep their digits and round last.",
                "权重先舍成了两位小数，再去乘 10 和 100。中间应保留数位，最后才舍入。",
            ),
        ),
        Mistake(
            _wrong_output([0, 3]),
            Words(
                "The scores went into softmax without scaling. Divide by √9 = 3 first.",
                "分数没有缩放就进了 softmax。应先除以 √9 = 3。",
            ),
        ),
        Mistake(
            _wrong_output([0, 3 / 4.5]),
            Words(
                "The scores were divided by 4.5, half of d_k. The root of 9 is 3.",
                "分数除以了 4.5，那是 d_k 的一半。9 的平方根是 3。",
            ),
        ),
        Mistake(
            _wrong_output([0, 3 / 9]),
            Words(
                "The scores were divided by d_k itself. Divide by its square root, 3.",
                "分数除以了 d_k 本身。应除以它的平方根 3。",
            ),
        ),
        Mistake(
            _wrong_output([0, 3 / np.sqrt(2)]),
            Words(
                "The scores were divided by √2: that is the width of a value. The scale comes from "
                "d_k = 9.",
                "分数除以了 √2，2 是值的维度。缩放用的是 d_k = 9。",
            ),
        ),
        Mistake(
            _wrong_output([1, 0]),
            Words(
                "The two weights are exchanged: the larger score belongs to the second key.",
                "两个权重对调了：第二个键的分数更大。",
            ),
        ),
        Mistake(
            softmax(np.array([0, 1])),
            Words(
                "These are the two weights. One step is left: mix the values with them.",
                "这是两个权重，还差一步：用它们去混合值。",
            ),
        ),
        Mistake(
            np.array([0.25, 0.75]) @ _VALUES,
            Words(
                "Check the exponentials: e⁰ = 1 and e¹ ≈ 2.718. With 3 in place of e the shares "
                "come out as a quarter and three quarters.",
                "检查一下指数：e⁰ = 1，e¹ ≈ 2.718。把 e 当成 3，份额才会变成四分之一和四分之三。",
            ),
        ),
    ),
    hints=(
        Words(
            "Scaled scores: 0 / 3 = 0 and 3 / 3 = 1.",
            "缩放后的分数：0 / 3 = 0，3 / 3 = 1。",
        ),
        Words(
            "Weights: 1 / (1 + e) and e / (1 + e). Keep four decimals of them.",
            "权重：1 / (1 + e) 和 e / (1 + e)，先留四位小数。",
        ),
        Words(
            "The output has two components: [10 / (1 + e), 100 e / (1 + e)].",
            "输出有两个分量：[10 / (1 + e), 100 e / (1 + e)]。",
        ),
    ),
)


def _variant(
    *,
    scores=lambda q, k: q @ k.T,
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
        case(2, 5, 3, 4),
        case(3, 5, 7, 2),
    ]


FIVE_STEPS = Exercise(
    name="five_steps",
    lesson="09",
    claims=("C9.1",),
    solution=five_steps,
    cases=_step_cases,
    mistakes=(
        Mistake(
            _variant(divisor=lambda q, k, v: 1),
            Words(
                "The scaling is missing: divide the scores by the square root of d_k.",
                "漏了缩放：分数要除以 d_k 的平方根。",
            ),
        ),
        Mistake(
            _variant(divisor=lambda q, k, v: q.shape[-1] ** 1 / 2),
            Words(
                "d_k ** 1 / 2 is half of d_k: Python takes the power first. Write "
                "np.sqrt(d_k) or d_k ** 0.5.",
                "d_k ** 1 / 2 是 d_k 的一半：Python 先算乘方。应写 np.sqrt(d_k) 或 d_k ** 0.5。",
            ),
        ),
        Mistake(
            _variant(divisor=lambda q, k, v: np.sqrt(v.shape[-1])),
            Words(
                "The scale was taken from d_v, the width of the values. It belongs to the dot "
                "products: d_k, the width of q and k.",
                "缩放用了值的维度 d_v。它是针对点积的，应当用 q 和 k 的维度 d_k。",
            ),
        ),
        Mistake(
            _variant(divisor=lambda q, k, v: np.sqrt(len(k))),
            Words(
                "The scale was taken from the number of keys. It belongs to the length of the dot "
                "products: d_k, the last axis of q.",
                "缩放用了键的个数。它取决于点积的长度，也就是 q 最后一个轴的大小 d_k。",
            ),
        ),
        Mistake(
            _variant(divisor=lambda q, k, v: q.shape[-1]),
            Words(
                "The scores were divided by d_k itself. It is the square root that keeps their "
                "spread near 1.",
                "分数除以了 d_k 本身。能让分数的标准差保持在 1 左右的是它的平方根。",
            ),
        ),
        Mistake(
            _variant(scores=lambda q, k: k @ q.T),
            Words(
                "Queries and keys are exchanged in the scores. Rows must be queries: q @ k.T.",
                "分数里查询和键写反了。行应当是查询：q @ k.T。",
            ),
        ),
        Mistake(
            _variant(hide=lambda allowed, scaled: np.where(allowed, -np.inf, scaled)),
            Words(
                "The mask is upside down: what may be seen became −∞. True means: may look.",
                "掩码反了：可以看的位置变成了 −∞。True 表示可以看。",
            ),
        ),
        Mistake(
            _variant(hide=lambda allowed, scaled: np.where(allowed, scaled, 0)),
            Words(
                "Hidden places were filled with 0, but e⁰ = 1 is still a share. Only −∞ gives a "
                "weight of 0.",
                "被屏蔽的位置填了 0，可 e⁰ = 1，照样分到份额。填 −∞ 权重才是 0。",
            ),
        ),
        Mistake(
            _variant(hide=lambda allowed, scaled: np.where(allowed, scaled, -1e9)),
            Words(
                "Hidden places were filled with a large negative number. The weights come out "
                "right here, but the step asks for −∞: -np.inf.",
                "被屏蔽的位置填了一个很大的负数。这里算出的权重没错，但这一步要的是 −∞：-np.inf。",
            ),
        ),
        Mistake(
            _masked_in_place,
            Words(
                "−∞ stands in the scaled scores, too. Written into `masked`, it also went into "
                "`scaled`, if both names mean one array. np.where makes a new one.",
                "缩放后的分数里也出现了 −∞。如果两个名字指的是同一个数组，写进 `masked` 就等于"
                "写进 `scaled`。np.where 会生成新的数组。",
            ),
        ),
        Mistake(
            _masked_too_late,
            Words(
                "The mask came after softmax, so the remaining weights no longer sum to 1. Put −∞ "
                "into the scaled scores first.",
                "掩码加在了 softmax 之后，剩下的权重之和不再是 1。应先在缩放后的分数里填 −∞。",
            ),
        ),
        Mistake(
            _variant(share=lambda masked: softmax(masked, axis=0)),
            Words(
                "The softmax ran down the columns. Each query shares out its own 1: the last axis.",
                "softmax 沿列做了。每个查询各自分配一份 1，应沿最后一个轴。",
            ),
        ),
        Mistake(
            _variant(mix=lambda weights, k, v: weights @ k),
            Words(
                "The keys were mixed. Keys are for matching; what is handed over are the values: "
                "weights @ v.",
                "这里混合的是键。键只用于匹配，真正被取走的是值：weights @ v。",
            ),
        ),
    ),
    hints=(
        Words(
            "One line for each step: q @ k.T, divide, np.where, softmax, @ v.",
            "每步一行：q @ k.T，相除，np.where，softmax，@ v。",
        ),
        Words(
            "d_k is the last size of q: q.shape[-1]. Hidden places become -np.inf.",
            "d_k 是 q 最后一个轴的大小：q.shape[-1]。被屏蔽的位置变成 -np.inf。",
        ),
        Words(
            "masked = np.where(allowed, scaled, -np.inf)",
            "masked = np.where(allowed, scaled, -np.inf)",
        ),
    ),
)


def _rounding_cases():
    def row(*scores):
        return softmax(np.array(scores) / np.sqrt(2))

    rng = np.random.default_rng(4)
    three = np.array([row(0.3, 1.1, 0.2), row(1, 1, 2)])
    return [
        (row(1, 1, 2)[None], np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]]), 2),
        (three, np.array([[10.44, 0.16], [20.34, 2.5], [3.74, 51.43]]), 1),
        (softmax(rng.normal(size=(2, 5))), rng.normal(size=(5, 3)) * 20, 3),
    ]


ROUNDED_OUTPUT = Exercise(
    name="rounded_output",
    lesson="09",
    claims=("C9.2",),
    solution=rounded_output,
    cases=_rounding_cases,
    mistakes=(
        Mistake(
            lambda weights, v, decimals: (weights.round(decimals) @ v).round(decimals),
            Words(
                "The weights were rounded before the product, and the values magnify that error. "
                "Multiply first, round once, at the end.",
                "乘之前就舍入了权重，误差又被值放大。应先相乘，最后只舍入一次。",
            ),
        ),
        Mistake(
            lambda weights, v, decimals: weights.round(decimals) @ v,
            Words(
                "Only the weights were rounded, not the output. The output is what should have "
                "these decimals.",
                "只舍入了权重，没有舍入输出。要保留这些小数位的是输出。",
            ),
        ),
        Mistake(
            lambda weights, v, decimals: weights @ v,
            Words(
                "The right numbers, but not rounded yet.",
                "数是对的，但还没有舍入。",
            ),
        ),
        Mistake(
            lambda weights, v, decimals: np.floor(weights @ v * 10**decimals) / 10**decimals,
            Words(
                "The digits were cut off, not rounded: 1.7587 becomes 1.75 that way.",
                "这是直接截断，不是四舍五入：这样 1.7587 会变成 1.75。",
            ),
        ),
        Mistake(
            lambda weights, v, decimals: round(weights @ v, decimals),
            Words(
                "Python's own round takes one number, not an array. Write "
                "(weights @ v).round(decimals).",
                "Python 自带的 round 只接受单个数，不接受数组。写 (weights @ v).round(decimals)。",
            ),
        ),
        Mistake(
            lambda weights, v, decimals: (weights @ v).round(2),
            Words(
                "Always two decimals here. Use the argument `decimals`.",
                "这里总是保留两位小数。应当用参数 `decimals`。",
            ),
        ),
        Mistake(
            lambda weights, v, decimals: (weights @ v.round(decimals)).round(decimals),
            Words(
                "The values were rounded before the product. Leave them as they are and round the "
                "output.",
                "乘之前就舍入了值。值应保持原样，最后再舍入输出。",
            ),
        ),
    ),
    hints=(
        Words("Two operations. Which one must come last?", "两个运算，哪一个必须放在最后？"),
        Words(
            "(weights @ v) is the output; .round(decimals) rounds every entry.",
            "(weights @ v) 是输出；.round(decimals) 会把每一项舍入。",
        ),
    ),
)

EXERCISES = (ONE_OUTPUT, FIVE_STEPS, ROUNDED_OUTPUT)

QUESTIONS = (
    Question(
        key="09.1",
        text=Words(
            "The masked scores are [0.707, −∞, −∞], [0, 0.707, −∞] and [0.707, 0.707, 1.414]. "
            "Which row of weights can you write down without a calculator?",
            "加掩码后的分数是 [0.707, −∞, −∞]、[0, 0.707, −∞] 和 [0.707, 0.707, 1.414]。"
            "哪一行权重不用计算器就能写出来？",
        ),
        options=(
            Words("Row 1", "第 1 行"),
            Words("Row 2", "第 2 行"),
            Words("Row 3", "第 3 行"),
            Words("None", "都不行"),
        ),
        answer=0,
        why=Words(
            "Only one place is left, and the shares sum to 1: [1, 0, 0]. The score 0.707 itself "
            "does not matter.",
            "只剩一个位置，而份额之和为 1，所以是 [1, 0, 0]。分数 0.707 本身无关紧要。",
        ),
    ),
    Question(
        key="09.2",
        text=Words(
            "The exact weights of row 3 are 0.2483, 0.2483, 0.5035; on paper they became 0.25, "
            "0.25, 0.50. The first components of the values are 1, 0, 3. Which rounding cost most?",
            "第 3 行精确的权重是 0.2483、0.2483、0.5035，纸上写成了 0.25、0.25、0.50。"
            "各个值的第一个分量是 1、0、3。哪一处舍入影响最大？",
        ),
        options=(
            "0.2483 → 0.25 (· 1)",
            "0.2483 → 0.25 (· 0)",
            "0.5035 → 0.50 (· 3)",
        ),
        answer=2,
        why=Words(
            "It loses 0.0035, and the value 3 makes that 0.0105. The first one gives back 0.0017, "
            "the second is multiplied by 0. Together 0.0087 are missing.",
            "这里少了 0.0035，乘上值 3 就少了 0.0105；第一处多出 0.0017，第二处乘的是 0。"
            "合起来少了 0.0087。",
        ),
    ),
    Question(
        key="09.3",
        text=Words(
            "After `O = attention(Q, K, V, mask)[0]`, what has happened to V?",
            "执行 `O = attention(Q, K, V, mask)[0]` 之后，V 变成了什么样？",
        ),
        options=(
            Words("V holds the same numbers as O.", "V 里的数和 O 一样。"),
            Words("Only its first row was written anew.", "只有第一行被重新写过。"),
            Words("Nothing: every bit is as before.", "没有变：每一个比特都和原来一样。"),
        ),
        answer=2,
        why=Words(
            "V is read, never written. The output is a new representation in an array of its own; "
            "the next layer makes its own V from it.",
            "V 只被读取，不会被改写。输出是新的表示，放在自己的数组里；下一层会从它另算自己的 V。",
        ),
    ),
    Question(
        key="09.4",
        text=Words(
            "In this example, Q = K. Somebody writes `K @ Q.T` in place of `Q @ K.T`. What shows "
            "the slip?",
            "这个例子里 Q = K。有人把 `Q @ K.T` 写成了 `K @ Q.T`。从哪里能看出这个错误？",
        ),
        options=(
            Words("The rows of A no longer sum to 1.", "A 的各行之和不再是 1。"),
            Words("The output has another shape.", "输出的形状变了。"),
            Words("Nothing shows it.", "哪里都看不出来。"),
        ),
        answer=2,
        why=Words(
            "With Q = K the score matrix is symmetric: both products are the same numbers. Only "
            "an example with Q ≠ K, and best with n_q ≠ n_k, can tell them apart.",
            "Q = K 时分数矩阵是对称的，两种写法得到同样的数。只有 Q ≠ K，"
            "最好还有 n_q ≠ n_k 的例子，才能把它们区分开。",
        ),
    ),
)
