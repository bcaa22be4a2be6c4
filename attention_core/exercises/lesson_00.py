"""Lesson 00: see the whole route at once."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words
from attention_core.masks import causal_mask

__all__ = ["EXERCISES", "QUESTIONS"]


def three_shapes():
    n_q, n_k, d_v = 4, 6, 3
    return {"scores": (n_q, n_k), "weights": (n_q, n_k), "output": (n_q, d_v)}


def read_values(weights, v):
    return weights @ v


def turn_mask(hidden):
    return ~hidden


def _reading_cases():
    rng = np.random.default_rng(0)
    return [
        (np.array([[0.25, 0.75]]), np.array([[8.0, 0.0], [0.0, 4.0]])),
        (np.array([[1.0, 0.0, 0.0], [0.2, 0.3, 0.5]]), np.array([[1.0, 0], [0, 2], [3, 1]])),
        (rng.dirichlet(np.ones(3), size=3).round(2), rng.normal(size=(3, 3)).round(1)),
        (rng.dirichlet(np.ones(3), size=5).round(2), rng.normal(size=(3, 2)).round(1)),
    ]


def _mask_cases():
    return [
        (np.array([[False, True]]),),
        (np.array([[False, True, True], [False, False, True]]),),
        (np.random.default_rng(2).random((3, 3)) < 0.5,),
        (np.random.default_rng(1).random((5, 3)) < 0.4,),
    ]


THREE_SHAPES = Exercise(
    name="three_shapes",
    lesson="00",
    claims=("C0.3",),
    solution=three_shapes,
    mistakes=(
        Mistake(
            {"scores": (4, 8)},
            Words(
                "The scores keep the feature side d_k here. The product Q Kᵀ sums it away: "
                "(4, 8) times (8, 6) leaves one number for each query and key.",
                "这里分数还留着特征维度 d_k。Q Kᵀ 会把它加掉：(4, 8) 乘 (8, 6)，"
                "每个查询和每个键之间只剩一个数。",
            ),
        ),
        Mistake(
            {"scores": (6, 4), "weights": (6, 4)},
            Words(
                "Rows and columns are swapped. A row belongs to a query that reads, a column to a "
                "key that is read.",
                "行和列弄反了。一行对应一个去读的查询，一列对应一个被读的键。",
            ),
        ),
        Mistake(
            {"output": (4, 8)},
            Words(
                "The output is as wide as a query here. It is made of values, so its width is d_v.",
                "这里输出的宽度和查询相同。输出是由值混合成的，所以宽度是 d_v。",
            ),
        ),
        Mistake(
            {"output": (6, 3)},
            Words(
                "The output has one row for each key here. Each query gets one answer, so it has "
                "n_q rows.",
                "这里输出是一行对应一个键。每个查询得到一个结果，所以应有 n_q 行。",
            ),
        ),
        Mistake(
            {"scores": (4, 4), "weights": (4, 4)},
            Words(
                "The keys were counted as the queries. Here six tokens are read by four.",
                "键的个数当成了查询的个数。这里是 4 个词元去读 6 个词元。",
            ),
        ),
    ),
    hints=(
        Words(
            "Scores and weights: one row for each query, one column for each key.",
            "分数和权重：一行对应一个查询，一列对应一个键。",
        ),
        Words(
            "Output = weights @ V: the keys' side is summed away, the width of V stays.",
            "输出 = 权重 @ V：键这一侧被加掉，留下 V 的宽度。",
        ),
    ),
)

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
            lambda weights, v: v @ weights,
            Words(
                "The factors stand in the wrong order. The weights come first: their columns meet "
                "the rows of v.",
                "相乘的顺序反了。权重在前：它的各列与 v 的各行相对应。",
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
        Mistake(
            lambda weights, v: weights @ v / len(v),
            Words(
                "The weighted sum was divided by the number of keys as well. The weights already "
                "sum to 1, so nothing is left to divide.",
                "加权和又除以了键的个数。权重之和已经是 1，不必再除。",
            ),
        ),
    ),
    hints=(
        Words(
            "Row i of the output is the sum of weights[i, j] times v[j] over all j.",
            "输出的第 i 行：对每个 j，用 weights[i, j] 乘 v[j]，再全部加起来。",
        ),
        Words(
            "(n_q, n_k) times (n_k, d_v) gives (n_q, d_v): one matrix product, written with @.",
            "(n_q, n_k) 乘 (n_k, d_v) 得 (n_q, d_v)：用 @ 做一次矩阵乘法就够了。",
        ),
    ),
)

TURN_MASK = Exercise(
    name="turn_mask",
    lesson="00",
    claims=("C0.2",),
    solution=turn_mask,
    cases=_mask_cases,
    mistakes=(
        Mistake(
            lambda hidden: hidden,
            Words(
                "Nothing was turned round: True still means hidden, so every query would read just "
                "what it must not.",
                "没有反过来：True 仍表示“屏蔽”，于是每个查询读到的恰恰是不该读的。",
            ),
        ),
        Mistake(
            lambda hidden: not hidden,
            Words(
                "Python's `not` wants one single True or False. For a whole array write ~hidden.",
                "Python 的 `not` 只认单个的 True 或 False。对整个数组要写 ~hidden。",
            ),
        ),
        Mistake(
            lambda hidden: 1 - hidden,
            Words(
                "The right places, but as integers 0 and 1. Masks here are Boolean: write ~hidden.",
                "位置对了，但结果是整数 0 和 1。这里的掩码要用布尔值：写 ~hidden。",
            ),
        ),
        Mistake(
            lambda hidden: np.where(hidden, -np.inf, 0.0),
            Words(
                "That is the matrix M of the formula, which would be right as well; the exercise "
                "asks for the Boolean form.",
                "这是公式里的矩阵 M，也说得通；但这里要的是布尔形式。",
            ),
        ),
        Mistake(
            lambda hidden: ~hidden.T,
            Words(
                "The mask is transposed. Its rows stay the queries, its columns the keys.",
                "掩码被转置了。行仍应是查询，列仍应是键。",
            ),
        ),
        Mistake(
            lambda hidden: causal_mask(*hidden.shape),
            Words(
                "That is a causal mask, whatever was handed in. Use `hidden`.",
                "不管传入什么，这里都返回因果掩码。应当用上 `hidden`。",
            ),
        ),
    ),
    hints=(
        Words(
            "Every True becomes False and every False becomes True.",
            "每个 True 变成 False，每个 False 变成 True。",
        ),
        Words("NumPy writes this 'not' as ~.", "NumPy 用 ~ 表示这个“非”。"),
    ),
)

EXERCISES = (THREE_SHAPES, READ_VALUES, TURN_MASK)

QUESTIONS = (
    Question(
        key="00.1",
        text=Words(
            "“The animal didn't cross the street because it was too tired.” From which token does "
            "this head take most for “it”?",
            "“The animal didn't cross the street because it was too tired.” "
            "这个头为“it”读取信息时，从哪个词元取得最多？",
        ),
        options=("it", "street", "animal", "tired"),
        answer=2,
        why=Words(
            "About two thirds of the reading go to “animal”. Nobody told the model that rule: "
            "the head's projections were learned in training.",
            "大约三分之二的份额给了“animal”。没有人把这条规则告诉模型：这个头的投影是训练得来的。",
        ),
    ),
    Question(
        key="00.2",
        text=Words(
            "Three places have the scores 2, 1, 0. The scores stay; only what stands at the three "
            "places (the values) is exchanged. What changes?",
            "三个位置的分数是 2、1、0。分数不变，只把三个位置上的内容（值）换掉。什么会变？",
        ),
        options=(
            Words("Weights and output.", "权重和输出都变。"),
            Words("Only the output.", "只有输出变。"),
            Words("Only the weights.", "只有权重变。"),
            Words("Nothing.", "都不变。"),
        ),
        answer=1,
        why=Words(
            "The weights are made of the scores alone. The values are what the weights mix, so "
            "other values give another output.",
            "权重只由分数得出，而权重混合的是各个值，所以换了值，输出就不同。",
        ),
    ),
    Question(
        key="00.3",
        text=Words(
            "With a causal mask a token may look at itself and at earlier ones. What is the output "
            "of token 1?",
            "加上因果掩码后，一个词元只能看自己和更早的词元。第 1 个词元的输出是什么？",
        ),
        options=(
            Words("The mean of v₁, v₂ and v₃", "v₁、v₂、v₃ 的平均"),
            Words("v₁ itself", "就是 v₁"),
            Words("Zero: it has nobody to read from", "零：没有谁可读"),
        ),
        answer=1,
        why=Words(
            "Its only choice is itself, so the whole share of 1 goes there, whatever the score: "
            "o₁ = 1 · v₁.",
            "它只能选自己，所以不管分数是多少，份额 1 全归自己：o₁ = 1 · v₁。",
        ),
    ),
    Question(
        key="00.4",
        text=Words(
            "n_q = 3 queries read n_k = 5 keys; d_k = 2 and d_v = 7. What shape do the weights "
            "have?",
            "n_q = 3 个查询去读 n_k = 5 个键；d_k = 2，d_v = 7。权重的形状是什么？",
        ),
        options=("(3, 2)", "(5, 3)", "(3, 5)", "(3, 7)"),
        answer=2,
        why=Words(
            "One weight for each pair of a query and a key: rows are queries, columns are keys. "
            "d_k is summed away in the dot products, and d_v comes in only with V.",
            "每一对查询和键有一个权重：行是查询，列是键。d_k 在点积中被加掉了，"
            "d_v 要到乘 V 时才出现。",
        ),
    ),
)
