"""Lesson 02: tell parameters from activations."""

import numpy as np

from attention_core.attention import attention
from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words

__all__ = ["EXERCISES", "QUESTIONS"]


def sorted_things():
    kept = ["w_q", "w_k", "w_v", "w_o", "b_q", "embedding_table"]
    made = ["x", "q", "k", "v", "scores", "attention_weights", "output", "kv_cache"]
    return {**dict.fromkeys(kept, "parameter"), **dict.fromkeys(made, "activation")}


def count_numbers(n, d_model, d_k, d_v, layers):
    width = 2 * d_k + d_v
    return layers * d_model * width, layers * n * width


def next_values(x, w_q, w_k, w_v, next_w_v):
    output, _ = attention(x @ w_q, x @ w_k, x @ w_v)
    hidden = x + output
    return hidden @ next_w_v


def _layer_case(seed, n, d_model, d_k, next_d_v):
    rng = np.random.default_rng(seed)
    shapes = [
        (n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_model), (d_model, next_d_v),
    ]  # fmt: skip
    return tuple(rng.integers(-2, 3, size=shape).astype(float) for shape in shapes)


def _layer_cases():
    return [_layer_case(1, 2, 3, 2, 5), _layer_case(2, 5, 3, 7, 2), _layer_case(3, 7, 5, 2, 3)]


def _output(x, w_q, w_k, w_v):
    return attention(x @ w_q, x @ w_k, x @ w_v)[0]


SORTED_THINGS = Exercise(
    name="sorted_things",
    lesson="02",
    claims=("C2.1",),
    solution=sorted_things,
    mistakes=(
        Mistake(
            {"w_q": "参数"},
            Words(
                'The words to write are "parameter" and "activation", in small letters.',
                '请写英文小写的 "parameter" 或 "activation"。',
            ),
        ),
        Mistake(
            {"q": "parameter"},
            Words(
                "Q, K and V are made by the parameters, but they are not parameters: another "
                "sentence gives other ones, and after the pass nobody keeps them.",
                "Q、K、V 是用参数算出来的，但自己不是参数：换一个句子就是另一组，"
                "前向计算结束后也不保存。",
            ),
        ),
        Mistake(
            {"w_q": "activation"},
            Words(
                "A W is learned in training and then kept: the same numbers serve every sentence.",
                "W 是训练学出来、之后一直保存的：读任何句子用的都是同样的数。",
            ),
        ),
        Mistake(
            {"scores": "parameter"},
            Words(
                "Scores are made of Q and K, anew for each sentence.",
                "分数由 Q 和 K 算出，每个句子都重新算。",
            ),
        ),
        Mistake(
            {"attention_weights": "parameter"},
            Words(
                "The name misleads: attention weights are not learned weights. They come out of a "
                "softmax, anew for each sentence.",
                "名字容易误导：注意力权重不是学出来的权重，"
                "而是 softmax 算出来的，每个句子都重新算。",
            ),
        ),
        Mistake(
            {"kv_cache": "parameter"},
            Words(
                "The cache does keep K and V for a while, but for this one text, and no training "
                "changes it. Kept longer, they are still activations.",
                "缓存确实会把 K 和 V 留一阵子，但只为眼前这段文本服务，训练也不会去改它。"
                "留得久一点，仍然是激活。",
            ),
        ),
        Mistake(
            {"embedding_table": "activation"},
            Words(
                "The row that is looked up depends on the sentence; the table itself is learned "
                "and kept.",
                "查到哪一行取决于句子；而这张表本身是学出来并保存下来的。",
            ),
        ),
        Mistake(
            {"b_q": "activation"},
            Words(
                "A bias is learned and kept like W_Q; it is added to every token alike.",
                "偏置和 W_Q 一样，是学出来并保存的，对每个词元都加同一个。",
            ),
        ),
        Mistake(
            {"w_o": "activation"},
            Words(
                "W_O is one more learned matrix: it mixes what the heads bring.",
                "W_O 也是一个学出来的矩阵，负责混合各个头的结果。",
            ),
        ),
        Mistake(
            {"x": "parameter"},
            Words(
                "X is what the sentence has become at the door of this layer: another sentence, "
                "another X.",
                "X 是句子走到这一层门口时的样子：句子不同，X 就不同。",
            ),
        ),
    ),
    hints=(
        Words(
            "Ask of each: would it be another one for another sentence? Then it is an activation.",
            "逐个问自己：换一个句子，它会变吗？会变就是激活。",
        ),
        Words(
            "And the other way round: would it be saved to a file after training? Then it is a "
            "parameter.",
            "反过来问：训练结束后，它会存进模型文件吗？会就是参数。",
        ),
        Words(
            "Six of the fourteen are parameters. One of the eight activations has a misleading "
            "name, and one is kept for a while.",
            "十四项里有六个参数。八个激活中，有一个名字容易误导，还有一个会保留一阵子。",
        ),
    ),
)

COUNT_NUMBERS = Exercise(
    name="count_numbers",
    lesson="02",
    claims=("C2.1", "C2.2", "C2.4"),
    solution=count_numbers,
    cases=lambda: [(3, 5, 2, 7, 1), (11, 5, 2, 7, 2), (13, 17, 3, 2, 5)],
    mistakes=(
        Mistake(
            lambda n, d_model, d_k, d_v, layers: (
                layers * n * d_model * (2 * d_k + d_v),
                layers * n * (2 * d_k + d_v),
            ),
            Words(
                "The parameters were counted once for each token. All tokens share the same W, so "
                "n does not enter.",
                "参数按词元各数了一遍。所有词元共用同一组 W，所以与 n 无关。",
            ),
        ),
        Mistake(
            lambda n, d_model, d_k, d_v, layers: (
                d_model * (2 * d_k + d_v),
                layers * n * (2 * d_k + d_v),
            ),
            Words(
                "The parameters of one layer only. Each layer has a W_Q, W_K and W_V of its own.",
                "只数了一层的参数。每一层都有自己的 W_Q、W_K、W_V。",
            ),
        ),
        Mistake(
            lambda n, d_model, d_k, d_v, layers: (
                d_model * (2 * d_k + d_v),
                n * (2 * d_k + d_v),
            ),
            Words(
                "Right for one layer. Each further layer keeps as much again, and makes as much "
                "again.",
                "只有一层时是对的。每多一层，就要再保存一份，也要再产生一份。",
            ),
        ),
        Mistake(
            lambda n, d_model, d_k, d_v, layers: (
                layers * d_model * (2 * d_k + d_v),
                n * (2 * d_k + d_v),
            ),
            Words(
                "Q, K and V were counted once, as if the next layer updated them. Each layer "
                "makes new ones.",
                "Q、K、V 只数了一次，好像下一层只是更新它们。其实每一层都会重新产生一组。",
            ),
        ),
        Mistake(
            lambda n, d_model, d_k, d_v, layers: (
                layers * d_model * (d_k + d_v),
                layers * n * (d_k + d_v),
            ),
            Words(
                "d_k counts twice: once for queries and once for keys.",
                "d_k 要算两次：查询一次，键一次。",
            ),
        ),
        Mistake(
            lambda n, d_model, d_k, d_v, layers: (
                layers * d_model * 3 * d_k,
                layers * n * 3 * d_k,
            ),
            Words(
                "W_V and V are d_v wide, which may differ from d_k.",
                "W_V 和 V 的宽度是 d_v，可能与 d_k 不同。",
            ),
        ),
        Mistake(
            lambda n, d_model, d_k, d_v, layers: (
                layers * n * (2 * d_k + d_v),
                layers * d_model * (2 * d_k + d_v),
            ),
            Words(
                "The two numbers are swapped: first what is kept, then what is made.",
                "两个数的顺序反了：先写保存的，再写产生的。",
            ),
        ),
    ),
    hints=(
        Words(
            "W_Q has d_model · d_k numbers, Q has n · d_k. Do the same for K and V.",
            "W_Q 有 d_model · d_k 个数，Q 有 n · d_k 个数。K 和 V 照样算。",
        ),
        Words(
            "One layer keeps d_model · (2 d_k + d_v) numbers, whatever n is.",
            "一层保存 d_model · (2 d_k + d_v) 个数，与 n 无关。",
        ),
        Words(
            "One layer makes n · (2 d_k + d_v). Then both times the number of layers.",
            "一层产生 n · (2 d_k + d_v) 个数。最后两者都乘以层数。",
        ),
    ),
)

NEXT_VALUES = Exercise(
    name="next_values",
    lesson="02",
    claims=("C2.4",),
    solution=next_values,
    cases=_layer_cases,
    mistakes=(
        Mistake(
            lambda x, w_q, w_k, w_v, next_w_v: x @ w_v @ next_w_v,
            Words(
                "The old V was multiplied by the new matrix. The next layer does not touch the "
                "old V: it starts from the new hidden representation.",
                "这里用旧的 V 去乘新矩阵。下一层根本不碰旧的 V，而是从新的隐藏表示出发。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k, w_v, next_w_v: x @ next_w_v,
            Words(
                "The next layer was given the old X. Its input is x plus the attention output.",
                "送进下一层的还是旧的 X。它的输入应当是 x 加上注意力的输出。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k, w_v, next_w_v: _output(x, w_q, w_k, w_v) @ next_w_v,
            Words(
                "The attention output went on alone. In this exercise x is added to it first.",
                "只把注意力的输出传了下去。本题要先加上 x。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k, w_v, next_w_v: (x + _output(x, w_q, w_k, w_v)) @ w_v,
            Words(
                "The right input met the old matrix. The next layer has a W_V of its own: "
                "next_w_v.",
                "输入对了，矩阵还是旧的。下一层有自己的 W_V：next_w_v。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k, w_v, next_w_v: x @ w_v,
            Words(
                "That is V of the first layer. The next layer computes its own.",
                "这是第一层的 V。下一层要计算自己的 V。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k, w_v, next_w_v: x + _output(x, w_q, w_k, w_v),
            Words(
                "That is the new hidden representation. One step is left: project it.",
                "这是新的隐藏表示，还差一步：对它做投影。",
            ),
        ),
    ),
    hints=(
        Words(
            "First run layer 1 to its end: q, k, v, then attention(q, k, v), which returns the "
            "output and the weights.",
            "先把第一层算完：q、k、v，再 attention(q, k, v)，它返回输出和权重。",
        ),
        Words(
            "The new hidden representation is x + output.",
            "新的隐藏表示是 x + output。",
        ),
        Words(
            "The values of the next layer are (x + output) @ next_w_v.",
            "下一层的值是 (x + output) @ next_w_v。",
        ),
    ),
)

EXERCISES = (SORTED_THINGS, COUNT_NUMBERS, NEXT_VALUES)

QUESTIONS = (
    Question(
        key="02.1",
        text=Words(
            "A trained model reads one sentence, then another. Which of these change?",
            "一个训练好的模型先读一个句子，再读另一个句子。下面哪些会变？",
        ),
        options=(
            "W_Q, W_K, W_V",
            "Q, K, V",
            Words("all six", "六个都变"),
            Words("none of them", "都不变"),
        ),
        answer=1,
        why=Words(
            "Reading changes no W: they were learned before and are only used. Q, K and V are "
            "made of the sentence, so another sentence gives other ones.",
            "读句子不会改变任何 W：它们是事先学好的，现在只是拿来用。"
            "Q、K、V 是由句子算出来的，句子不同，它们就不同。",
        ),
    ),
    Question(
        key="02.2",
        text=Words(
            "The sentence becomes ten times as long. How many parameters does the layer need now?",
            "句子变成原来的十倍长。这一层现在需要多少参数？",
        ),
        options=(
            Words("ten times as many", "原来的十倍"),
            Words("a hundred times as many", "原来的一百倍"),
            Words("as many as before", "和原来一样多"),
        ),
        answer=2,
        why=Words(
            "Every token goes through the same W_Q, W_K and W_V. More tokens make more rows in Q, "
            "K and V, not more parameters.",
            "每个词元都经过同一组 W_Q、W_K、W_V。词元多了，Q、K、V 的行数增加，参数并不增加。",
        ),
    ),
    Question(
        key="02.3",
        text=Words(
            "The same token stands twice in the sentence, and both times x is the same. What about "
            "its queries?",
            "同一个词元在句子里出现两次，两处的 x 相同。两处的查询呢？",
        ),
        options=(
            Words("They are equal.", "相等。"),
            Words("They differ: the neighbours differ.", "不相等，因为左右的词不同。"),
            Words("They differ: the positions differ.", "不相等，因为位置不同。"),
        ),
        answer=0,
        why=Words(
            "q_i = x_i W_Q has room for nothing else: no neighbour and no position enters. If "
            "positions are to count, they must already be in x.",
            "q_i = x_i W_Q 里容不下别的东西：既没有相邻的词，也没有位置。"
            "要让位置起作用，就得先把它放进 x。",
        ),
    ),
    Question(
        key="02.4",
        text=Words(
            "Layer 2 runs. What happens to the V of layer 1?",
            "第 2 层开始计算。第 1 层的 V 会怎样？",
        ),
        options=(
            Words("It is updated.", "被更新。"),
            Words("It is added to the new V.", "加到新的 V 上。"),
            Words(
                "Nothing; layer 2 makes a V of its own.", "什么也不会发生，第 2 层自己产生一个 V。"
            ),
        ),
        answer=2,
        why=Words(
            "Layer 2 gets the new hidden representation and multiplies it by its own W_V. The old "
            "V has done its work inside the output and is not read again.",
            "第 2 层拿到新的隐藏表示，乘上自己的 W_V。"
            "旧的 V 已经在输出里发挥完作用，不会再被读取。",
        ),
    ),
    Question(
        key="02.5",
        text=Words(
            "One token of the sentence is replaced; there is no mask. In which rows do the queries "
            "change, in layer 1 and in layer 2?",
            "句子里换掉一个词元，没有掩码。第 1 层和第 2 层的查询各有哪些行会变？",
        ),
        options=(
            Words("in its own row, in both layers", "两层都只有它自己那一行"),
            Words(
                "layer 1: its own row; layer 2: every row", "第 1 层：它自己那一行；第 2 层：每一行"
            ),
            Words("in every row, in both layers", "两层都是每一行"),
        ),
        answer=1,
        why=Words(
            "Layer 1 projects each token by itself. Its attention then mixes the values of all "
            "tokens into every output, so in layer 2 every row starts from something new.",
            "第 1 层逐个词元做投影，互不影响。随后的注意力把所有词元的值混进了每个输出，"
            "所以到第 2 层，每一行的起点都变了。",
        ),
    ),
)
