"""Lesson 10: choose where Q and K/V come from."""

import numpy as np

from attention_core.attention import attention
from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words

__all__ = ["EXERCISES", "QUESTIONS"]


def cross_read(y, x, w_q, w_k, w_v):
    return attention(y @ w_q, x @ w_k, x @ w_v)[0]


def cross_shapes():
    n_q, n_k, d_v = 3, 5, 2
    return {"weights": (n_q, n_k), "output": (n_q, d_v)}


def where_from():
    return {
        "self_q": "x",
        "self_k": "x",
        "self_v": "x",
        "cross_q": "decoder",
        "cross_k": "encoder",
        "cross_v": "encoder",
    }


def _reading_cases():
    rng = np.random.default_rng(10)

    def draw(*shape):
        return rng.normal(size=shape).round(1)

    small = (
        np.array([[1.0, 0.0], [0.0, 2.0]]),
        np.array([[1.0, 1.0], [0.0, 4.0]]),
        np.array([[1.0, 0.0], [1.0, 2.0]]),
        np.array([[2.0, 0.0], [0.0, 1.0]]),
        np.array([[0.0, 1.0], [3.0, 0.0]]),
    )
    return [
        small,
        (draw(7, 3), draw(2, 3), draw(3, 5), draw(3, 5), draw(3, 5)),
        (draw(5, 7), draw(3, 7), draw(7, 2), draw(7, 2), draw(7, 11)),
    ]


CROSS_READ = Exercise(
    name="cross_read",
    lesson="10",
    claims=("C10.2",),
    solution=cross_read,
    cases=_reading_cases,
    mistakes=(
        Mistake(
            lambda y, x, w_q, w_k, w_v: attention(x @ w_q, y @ w_k, y @ w_v)[0],
            Words(
                "The sides are swapped: here the encoder asks and the decoder answers. One output "
                "row per row of y is wanted, so Q comes from y.",
                "两边对调了：变成编码器在问、解码器在答。要的是 y 的每一行对应一行输出，"
                "所以 Q 应来自 y。",
            ),
        ),
        Mistake(
            lambda y, x, w_q, w_k, w_v: attention(y @ w_q, y @ w_k, y @ w_v)[0],
            Words(
                "Everything comes from y: that is self-attention. The content must be read from "
                "x, so K and V come from x.",
                "全部来自 y，这是自注意力。内容要从 x 读取，所以 K 和 V 应来自 x。",
            ),
        ),
        Mistake(
            lambda y, x, w_q, w_k, w_v: attention(y @ w_q, x @ w_k, y @ w_v)[0],
            Words(
                "The keys come from x, but the values from y. Key j only leads to value j: both "
                "belong to the side that is read.",
                "键来自 x，值却来自 y。第 j 个键只能引到第 j 个值：两者都属于被读的那一边。",
            ),
        ),
        Mistake(
            lambda y, x, w_q, w_k, w_v: attention(x @ w_q, x @ w_k, x @ w_v)[0],
            Words(
                "Everything comes from x, and y is not used: that is the encoder's own "
                "self-attention.",
                "全部来自 x，y 没有用上：这是编码器自己的自注意力。",
            ),
        ),
        Mistake(
            lambda y, x, w_q, w_k, w_v: attention(y @ w_k, x @ w_q, x @ w_v)[0],
            Words(
                "The sources are right, but W_Q and W_K have changed places: y must go through "
                "W_Q, x through W_K.",
                "来源是对的，但 W_Q 和 W_K 用反了：y 要乘 W_Q，x 要乘 W_K。",
            ),
        ),
        Mistake(
            lambda y, x, w_q, w_k, w_v: attention(y @ w_q, x @ w_k, x @ w_k)[0],
            Words(
                "What is handed over are the keys. Keys only find the place; the content is "
                "x @ w_v.",
                "这里交出去的是键。键只用来找位置，内容是 x @ w_v。",
            ),
        ),
        Mistake(
            lambda y, x, w_q, w_k, w_v: attention(y @ w_q, x @ w_k, x @ w_v)[1],
            Words(
                "These are the weights. Asked is the output, the first of the two things that "
                "attention returns.",
                "这是权重。要的是输出，也就是 attention 返回的两样东西中的第一样。",
            ),
        ),
    ),
    hints=(
        Words("Who asks? Who is read? Answer that for y and for x.", "谁在问，谁被读？先分清。"),
        Words(
            "Q = y @ w_q; K and V come from x, each through its own matrix.",
            "Q = y @ w_q；K 和 V 都来自 x，各乘自己的矩阵。",
        ),
        Words(
            "attention(q, k, v) returns the output first, then the weights.",
            "attention(q, k, v) 先返回输出，再返回权重。",
        ),
    ),
)

CROSS_SHAPES = Exercise(
    name="cross_shapes",
    lesson="10",
    claims=("C10.2",),
    solution=cross_shapes,
    mistakes=(
        Mistake(
            {"weights": (5, 3)},
            Words(
                "The weights are turned round: rows belong to queries, columns to keys.",
                "权重的行列反了：行属于查询，列属于键。",
            ),
        ),
        Mistake(
            {"weights": (3, 3)},
            Words(
                "A square would be self-attention. Here the keys come from the other, longer side.",
                "方阵是自注意力才有的形状。这里的键来自另一边，那边更长。",
            ),
        ),
        Mistake(
            {"output": (5, 2)},
            Words(
                "One output row per query, not per key: the decoder has 3 tokens.",
                "每个查询一行输出，而不是每个键一行：解码器有 3 个词元。",
            ),
        ),
        Mistake(
            {"output": (3, 5)},
            Words(
                "The output has the width of a value, d_v, not the number of keys.",
                "输出的宽度是值的宽度 d_v，不是键的个数。",
            ),
        ),
    ),
    hints=(
        Words("Rows: who asks. Columns of the weights: who is read.", "行：谁在问；列：谁被读。"),
        Words(
            "(n_q, n_k) times (n_k, d_v) gives (n_q, d_v).",
            "(n_q, n_k) 乘 (n_k, d_v) 得 (n_q, d_v)。",
        ),
    ),
)

WHERE_FROM = Exercise(
    name="where_from",
    lesson="10",
    claims=("C10.1", "C10.2"),
    solution=where_from,
    mistakes=(
        Mistake(
            {"cross_q": "encoder", "cross_k": "decoder", "cross_v": "decoder"},
            Words(
                "Cross-attention is turned round: the decoder asks, the encoder is read.",
                "交叉注意力弄反了：解码器在问，编码器被读。",
            ),
        ),
        Mistake(
            {"self_q": "encoder", "self_k": "encoder", "self_v": "encoder"},
            Words(
                "Self-attention stands in encoders and in decoders. All three come from its one "
                "sequence, called x here.",
                "编码器和解码器里都有自注意力。三者都来自它唯一的那个序列，这里叫 x。",
            ),
        ),
        Mistake(
            {"cross_v": "decoder"},
            Words(
                "Keys and values come in pairs: key j finds the place, value j is what stands "
                "there. Both come from one side.",
                "键和值是成对的：第 j 个键用来找位置，第 j 个值就是那里的内容。两者来自同一边。",
            ),
        ),
        Mistake(
            {"cross_k": "decoder"},
            Words(
                "A key from the decoder cannot say where to read in the encoder. Keys belong to "
                "the side that is read.",
                "来自解码器的键无法指出该读编码器的哪里。键属于被读的那一边。",
            ),
        ),
        Mistake(
            {"cross_q": "encoder"},
            Words(
                "If the encoder also asks, this is its self-attention. The question comes from "
                "the decoder.",
                "如果提问的也是编码器，那就是它的自注意力。提问的应当是解码器。",
            ),
        ),
    ),
    hints=(
        Words(
            "In self-attention there is only one sequence, x.",
            "自注意力里只有一个序列 x。",
        ),
        Words(
            "In cross-attention the side that needs something asks; the other side has keys and "
            "values.",
            "交叉注意力里，需要信息的一边提问，另一边提供键和值。",
        ),
    ),
)

EXERCISES = (WHERE_FROM, CROSS_SHAPES, CROSS_READ)

QUESTIONS = (
    Question(
        key="10.1",
        text=Words(
            "The decoder has 3 tokens, the encoder 4. Q comes from the decoder, K and V from the "
            "encoder. Which shape do the weights have?",
            "解码器有 3 个词元，编码器有 4 个。Q 来自解码器，K 和 V 来自编码器。权重是什么形状？",
        ),
        options=("(3, 3)", "(3, 4)", "(4, 3)", "(4, 4)"),
        answer=1,
        why=Words(
            "One row per query, one column per key: (3, 4). The output then has 3 rows.",
            "每个查询一行，每个键一列：(3, 4)。于是输出有 3 行。",
        ),
    ),
    Question(
        key="10.2",
        text=Words(
            "By mistake Q is taken from the encoder, K and V from the decoder. What will you see?",
            "不小心让 Q 来自编码器，K 和 V 来自解码器。你会看到什么？",
        ),
        options=(
            Words("An error", "报错"),
            Words("The same output", "同样的输出"),
            Words(
                "No error, but an output with another number of rows", "不报错，但输出的行数变了"
            ),
        ),
        answer=2,
        why=Words(
            "All sizes still fit, so nothing complains. The only sign is the shape: one output "
            "row for each encoder token.",
            "所有大小仍然对得上，所以不会报错。唯一的迹象是形状：编码器的每个词元对应一行输出。",
        ),
    ),
    Question(
        key="10.3",
        text=Words(
            "The encoder's tokens are shuffled, keys and values together. What happens to the "
            "output?",
            "把编码器的词元打乱，键和值一起换位置。输出会怎样？",
        ),
        options=(
            Words("It stays the same", "不变"),
            Words("Its rows are shuffled", "各行跟着打乱"),
            Words("It becomes another one", "变成另一个结果"),
        ),
        answer=0,
        why=Words(
            "Each query forms the same weighted sum, only in another order. Attention itself "
            "knows no positions.",
            "每个查询做的是同样的加权和，只是顺序不同。注意力本身不知道位置。",
        ),
    ),
)
