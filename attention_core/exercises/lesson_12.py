"""Lesson 12: follow the shapes through the heads."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words

__all__ = ["EXERCISES", "QUESTIONS"]


def shapes_of_heads():
    n, d_model, h = 7, 30, 5
    d_head = d_model // h
    return {"q_i": (n, d_head), "scores": (n, n), "head": (n, d_head), "concat": (n, h * d_head)}


def split_heads(x, h):
    n, width = x.shape
    return x.reshape(n, h, width // h).swapaxes(0, 1)


def merge_heads(x):
    h, n, d_head = x.shape
    return x.swapaxes(0, 1).reshape(n, h * d_head)


def count_parameters(d_model, h, d_k, d_v):
    return 2 * d_model * h * d_k + 2 * d_model * h * d_v


def _labelled(n, width):
    """Entry [i, j] tells its token and its feature: 23 is feature 3 of token 2."""
    return 10 * np.arange(1, n + 1)[:, None] + np.arange(1, width + 1)


def _cut_cases():
    return [
        (_labelled(2, 4), 2),
        (_labelled(3, 4), 2),
        (_labelled(2, 8), 4),
        (_labelled(5, 6), 3),
    ]


def _merge_cases():
    return [(split_heads(x, h),) for x, h in _cut_cases()]


def _count_cases():
    return [(2, 3, 5, 7), (13, 2, 11, 3), (512, 8, 64, 64)]


SHAPES_OF_HEADS = Exercise(
    name="shapes_of_heads",
    lesson="12",
    claims=("C12.1",),
    solution=shapes_of_heads,
    mistakes=(
        Mistake(
            {"q_i": (7, 30)},
            Words(
                "A query in a head is as wide as the model here. The width is shared out: "
                "d_head = d_model / h.",
                "这里一个头的查询和整个模型一样宽。宽度是平分的：d_head = d_model / h。",
            ),
        ),
        Mistake(
            {"scores": (7, 6)},
            Words(
                "The scores keep the feature side here. Q_i K_iᵀ sums it away: token by token.",
                "这里的分数还留着特征维度。Q_i K_iᵀ 对特征求和，只剩词元对词元。",
            ),
        ),
        Mistake(
            {"scores": (6, 6)},
            Words(
                "Feature by feature: that would be Q_iᵀ K_i. Q_i K_iᵀ compares tokens.",
                "这是特征对特征，那是 Q_iᵀ K_i 的形状。Q_i K_iᵀ 比较的是词元。",
            ),
        ),
        Mistake(
            {"q_i": (6, 7)},
            Words(
                "Rows and columns have changed places: one row for each token.",
                "行和列弄反了：每个词元一行。",
            ),
        ),
        Mistake(
            {"scores": (5, 7, 7)},
            Words(
                "That is the score matrices of all the heads. Asked is one head.",
                "这是所有头的分数矩阵。问的是一个头。",
            ),
        ),
        Mistake(
            {"head": (7, 30)},
            Words(
                "That is all heads side by side. One head brings d_head numbers for each token.",
                "这是所有头并排之后的大小。一个头给每个词元带来 d_head 个数。",
            ),
        ),
        Mistake(
            {"concat": (35, 6)},
            Words(
                "The heads were put below one another. The number of tokens stays n; each token "
                "gets wider.",
                "这里把各头上下摞起来了。词元的个数仍是 n，是每个词元变宽。",
            ),
        ),
        Mistake(
            {"concat": (7, 6)},
            Words(
                "That is the size of an average. Concatenation keeps every head: h * d_head.",
                "这是取平均的大小。拼接会保留每个头：宽度是 h * d_head。",
            ),
        ),
    ),
    hints=(
        Words("Begin with d_head: 30 features for 5 heads.", "先求 d_head：30 个特征分给 5 个头。"),
        Words(
            "The scores compare tokens with tokens; no feature is left in their shape.",
            "分数是词元与词元之间的比较，形状里没有特征。",
        ),
        Words(
            "q_i and head have the same shape; concat is as wide as the model again.",
            "q_i 和 head 的形状相同；concat 又和模型一样宽。",
        ),
    ),
)

SPLIT_HEADS = Exercise(
    name="split_heads",
    lesson="12",
    claims=("C12.1", "C12.3"),
    solution=split_heads,
    cases=_cut_cases,
    mistakes=(
        Mistake(
            lambda x, h: x.reshape(h, len(x), -1),
            Words(
                "The shape is right, but reshape alone cuts across tokens: row 1 of head 1 must be "
                "the first features of token 1, row 2 those of token 2. First reshape to "
                "(n, h, d_head), then exchange the first two axes.",
                "形状对，但只用 reshape 会把词元切碎：头 1 的第 1 行应是词元 1 的前几个特征，"
                "第 2 行应是词元 2 的。先 reshape 成 (n, h, d_head)，再交换前两个轴。",
            ),
        ),
        Mistake(
            lambda x, h: x.reshape(h, -1),
            Words(
                "Two axes, but three are needed: heads, tokens, features of one head.",
                "只有两个轴，而需要三个：头、词元、一个头的特征。",
            ),
        ),
        Mistake(
            lambda x, h: np.array(np.split(x, h)) if len(x) % h == 0 else x.reshape(h, -1),
            Words(
                "The tokens were shared out among the heads. Every head sees every token; what is "
                "cut is the width.",
                "这里把词元分给了各个头。每个头都要看到所有词元，要切的是宽度。",
            ),
        ),
        Mistake(
            lambda x, h: x.reshape(len(x), h, -1),
            Words(
                "The pieces are right, but the head axis comes second. The heads must come first: "
                "one step is missing.",
                "切得对，但头的轴排在第二。头的轴要在最前面：还差一步。",
            ),
        ),
        Mistake(
            lambda x, h: x.reshape(len(x), -1, h).transpose(2, 0, 1),
            Words(
                "The width was cut into (d_head, h), so each head takes every h-th feature. The "
                "features of one head lie side by side: (h, d_head).",
                "宽度被切成了 (d_head, h)，于是每个头隔 h 个取一个特征。"
                "一个头的特征是挨在一起的：(h, d_head)。",
            ),
        ),
        Mistake(
            lambda x, h: x.reshape(len(x), h, -1).transpose(1, 2, 0),
            Words(
                "Tokens and features changed places inside each head. Exchange only the first two "
                "axes.",
                "每个头里的词元和特征对调了。只交换前两个轴。",
            ),
        ),
        Mistake(
            lambda x, h: x.reshape(len(x), h, -1).swapaxes(0, 1)[::-1],
            Words(
                "The heads come in reverse order: head 1 has the first features.",
                "头的顺序反了：头 1 拿的是最前面的特征。",
            ),
        ),
    ),
    hints=(
        Words(
            "Only the width is cut. reshape can do that: (n, width) to (n, h, d_head).",
            "要切的只是宽度。reshape 就能做到：(n, width) 变成 (n, h, d_head)。",
        ),
        Words(
            "Then the heads have to come first: exchange the axes 0 and 1.",
            "然后让头排到最前面：交换第 0 轴和第 1 轴。",
        ),
        Words(
            "x.reshape(n, h, width // h).swapaxes(0, 1)",
            "写成 x.reshape(n, h, width // h).swapaxes(0, 1)",
        ),
    ),
)

MERGE_HEADS = Exercise(
    name="merge_heads",
    lesson="12",
    claims=("C12.1",),
    solution=merge_heads,
    cases=_merge_cases,
    mistakes=(
        Mistake(
            lambda x: x.reshape(x.shape[1], -1),
            Words(
                "The shape is right, but head 1 alone fills the first rows, so tokens are mixed "
                "up. Exchange the first two axes before the reshape.",
                "形状对，但头 1 独占了前面几行，词元全乱了。要先交换前两个轴，再 reshape。",
            ),
        ),
        Mistake(
            lambda x: x.transpose(1, 2, 0).reshape(x.shape[1], -1),
            Words(
                "The features of the heads were interleaved: 11, 13, 12, 14. All features of head "
                "1 come first.",
                "各头的特征被交错排列了，例如 11、13、12、14。应当先放完头 1 的全部特征。",
            ),
        ),
        Mistake(
            lambda x: x.reshape(-1, x.shape[-1]),
            Words(
                "The heads lie below one another: too many rows. There are n tokens, and each gets "
                "wider.",
                "各头被上下摞起来，行数太多了。词元只有 n 个，要变宽的是每一行。",
            ),
        ),
        Mistake(
            lambda x: x.mean(axis=0),
            Words(
                "This is the average of the heads. Concatenation keeps every number.",
                "这是各头的平均。拼接会保留每一个数。",
            ),
        ),
        Mistake(
            lambda x: x.swapaxes(0, 1),
            Words(
                "The axes are in the right order; now make one axis of the last two.",
                "轴的次序对了；再把最后两个轴并成一个。",
            ),
        ),
    ),
    hints=(
        Words(
            "It is the way back: what did cutting do last? Undo that first.",
            "这是往回走：切的时候最后一步做了什么？先把它倒回去。",
        ),
        Words(
            "After swapaxes(0, 1) the shape is (n, h, d_head); the last two become one.",
            "swapaxes(0, 1) 之后形状是 (n, h, d_head)；再把后两个轴合成一个。",
        ),
    ),
)

COUNT_PARAMETERS = Exercise(
    name="count_parameters",
    lesson="12",
    claims=("C12.1",),
    solution=count_parameters,
    cases=_count_cases,
    mistakes=(
        Mistake(
            lambda d_model, h, d_k, d_v: d_model * h * (2 * d_k + d_v),
            Words(
                "W_O is missing. It has a row for each of the h * d_v joined features.",
                "少了 W_O。拼接后的 h * d_v 个特征，每个对应它的一行。",
            ),
        ),
        Mistake(
            lambda d_model, h, d_k, d_v: 2 * d_model * d_k + 2 * d_model * d_v,
            Words(
                "These are the parameters of one head. Each of the h heads has its own.",
                "这只是一个头的参数。h 个头各有一份。",
            ),
        ),
        Mistake(
            lambda d_model, h, d_k, d_v: d_model * h * (2 * d_k + d_v) + d_model * d_model,
            Words(
                "W_O was taken as (d_model, d_model). It takes in what the heads bring: "
                "(h * d_v, d_model).",
                "这里把 W_O 当成了 (d_model, d_model)。它的输入是各头的结果：(h * d_v, d_model)。",
            ),
        ),
        Mistake(
            lambda d_model, h, d_k, d_v: 4 * d_model * d_model,
            Words(
                "That holds only if h * d_k = h * d_v = d_model. Use the sizes that are given.",
                "只有 h * d_k = h * d_v = d_model 时才是这样。请用给定的大小。",
            ),
        ),
        Mistake(
            lambda d_model, h, d_k, d_v: 4 * h * d_model * d_model,
            Words(
                "Every head got matrices of full width here. A head has d_k or d_v columns.",
                "这里每个头的矩阵都取了整个宽度。一个头只有 d_k 列或 d_v 列。",
            ),
        ),
        Mistake(
            lambda d_model, h, d_k, d_v: d_model * h * (3 * d_k + d_v),
            Words(
                "One matrix has the wrong width: only W_Q and W_K have d_k, W_V and W_O have d_v.",
                "有一个矩阵的宽度不对：只有 W_Q 和 W_K 用 d_k，W_V 和 W_O 用 d_v。",
            ),
        ),
    ),
    hints=(
        Words(
            "Write down the four shapes: W_Q, W_K, W_V, W_O, with all heads side by side.",
            "先写出四个矩阵的形状：W_Q、W_K、W_V、W_O，所有头并排在一起。",
        ),
        Words(
            "W_Q and W_K are (d_model, h * d_k), W_V is (d_model, h * d_v), W_O is its mirror "
            "image (h * d_v, d_model).",
            "W_Q、W_K 是 (d_model, h * d_k)，W_V 是 (d_model, h * d_v)，W_O 反过来是 "
            "(h * d_v, d_model)。",
        ),
    ),
)

EXERCISES = (SHAPES_OF_HEADS, SPLIT_HEADS, MERGE_HEADS, COUNT_PARAMETERS)

QUESTIONS = (
    Question(
        key="12.1",
        text=Words(
            "100 tokens, d_model = 512, 8 heads. What is the shape of the scores in one head?",
            "100 个词元，d_model = 512，8 个头。一个头的分数是什么形状？",
        ),
        options=("(100, 64)", "(64, 64)", "(100, 100)"),
        answer=2,
        why=Words(
            "(100, 64) times (64, 100): the feature side is summed away, in every head.",
            "(100, 64) 乘 (64, 100)：特征维度在求和时消失，每个头都如此。",
        ),
    ),
    Question(
        key="12.2",
        text=Words(
            "Q has shape (3, 4): three tokens, two heads. Somebody writes `Q.reshape(2, 3, 2)`. "
            "The shape is right. What about the numbers?",
            "Q 的形状是 (3, 4)：三个词元，两个头。有人写了 `Q.reshape(2, 3, 2)`。"
            "形状是对的，数呢？",
        ),
        options=(
            Words("Right: it is the same data", "对：数据是一样的"),
            Words("Wrong: the rows are no longer tokens", "不对：一行不再是一个词元"),
            Words("Wrong: the two heads are exchanged", "不对：两个头对调了"),
        ),
        answer=1,
        why=Words(
            "reshape fills row after row in reading order, so the second row of head 1 is still "
            "token 1.",
            "reshape 按阅读顺序一行一行地填，于是头 1 的第二行仍然是词元 1。",
        ),
    ),
    Question(
        key="12.3",
        text=Words(
            "Eight heads instead of one, d_model stays 512. What happens to the number of "
            "parameters?",
            "一个头改成八个头，d_model 仍是 512。参数的个数会怎样？",
        ),
        options=(
            Words("Eight times as many", "变成八倍"),
            Words("It stays the same", "不变"),
            Words("An eighth", "变成八分之一"),
        ),
        answer=1,
        why=Words(
            "Eight heads are eight times as many, but each is only an eighth as wide.",
            "头的个数是八倍，但每个头的宽度只有八分之一。",
        ),
    ),
    Question(
        key="12.4",
        text=Words(
            "Now from 8 heads to 16, with n and d_model unchanged. What doubles?",
            "再把头从 8 个增加到 16 个，n 和 d_model 不变。什么会翻倍？",
        ),
        options=(
            Words("The multiplications", "乘法次数"),
            Words("The parameters", "参数个数"),
            Words("The attention weights", "注意力权重的个数"),
        ),
        answer=2,
        why=Words(
            "There is one map of n × n for each head. The dot products in it have half as many "
            "terms, so the multiplications stay.",
            "每个头有一张 n × n 的图。图里的点积只有一半的项，所以乘法总数不变。",
        ),
    ),
)
