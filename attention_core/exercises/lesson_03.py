"""Lesson 03: give Q, K and V their jobs."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words
from attention_core.softmax import softmax

__all__ = ["EXERCISES", "QUESTIONS"]


def row_by_hand():
    powers = np.array([1, 2, 5])
    alpha = powers / powers.sum()
    v = np.array([[8, 0], [0, 4], [0, 8]])
    return {"alpha": alpha, "o": alpha @ v}


def who_moves():
    return {
        "q_alpha": True,
        "k_alpha": True,
        "k_o": True,
        "v_alpha": False,
        "v_o": True,
    }


def row_weights(q, k, m):
    scaled = k @ q / np.sqrt(len(q))
    return softmax(scaled + m)


def read_row(q, k, v):
    alpha = softmax(k @ q / np.sqrt(len(q)))
    return alpha @ v


RIGHT = np.array([1, 2, 5]) / 8

ROW_BY_HAND = Exercise(
    name="row_by_hand",
    lesson="03",
    claims=("C3.1", "C3.2"),
    solution=row_by_hand,
    tolerance=1e-3,
    mistakes=(
        Mistake(
            {"alpha": np.array([1, 2, 5]), "o": np.array([8, 48])},
            Words(
                "These are the powers e^0, e^ln 2, e^ln 5. They become shares when each is "
                "divided by their sum, 8.",
                "这是三个指数值 e^0、e^ln 2、e^ln 5。各除以它们的和 8，才是份额。",
            ),
        ),
        Mistake(
            {
                "alpha": np.log([1, 2, 5]) / np.log(10),
                "o": np.log([1, 2, 5]) / np.log(10) @ np.array([[8, 0], [0, 4], [0, 8]]),
            },
            Words(
                "The scores were divided by their sum. Softmax takes the exponential first, and "
                "e^ln 2 is simply 2.",
                "这里把分数直接除以它们的和。softmax 要先取指数，而 e^ln 2 就是 2。",
            ),
        ),
        Mistake(
            {"alpha": np.full(3, 1 / 3)},
            Words(
                "Every key got the same share. A larger score takes a larger one.",
                "这里每个键的份额都一样。分数越高，份额应当越大。",
            ),
        ),
        Mistake(
            {"alpha": np.log([1, 2, 5])},
            Words(
                "These are the scores themselves. Shares come from their exponentials, and e^ln 2 "
                "is simply 2.",
                "这是分数本身。份额要由它们的指数得出，而 e^ln 2 就是 2。",
            ),
        ),
        Mistake(
            {"alpha": RIGHT, "o": np.array([8, 12]) / 3},
            Words(
                "The weights are right, but o is the plain mean of the values. Let each value "
                "count by its own weight.",
                "权重对了，但 o 是三个值的普通平均。应当让每个值按自己的权重计入。",
            ),
        ),
        Mistake(
            {"alpha": RIGHT, "o": np.array([8, 12])},
            Words(
                "The weights are right, but o adds up the values without them.",
                "权重对了，但 o 只是把值加起来，没有乘上权重。",
            ),
        ),
        Mistake(
            {"alpha": RIGHT, "o": np.array([0, 8])},
            Words(
                "The weights are right, but o is only v_3. The other two values have a share of "
                "the output, too.",
                "权重对了，但 o 只取了 v_3。另外两个值在输出里也有自己的份额。",
            ),
        ),
    ),
    hints=(
        Words(
            "Softmax: take e to the power of each score, then divide by the sum of the three. "
            "e^ln 5 is 5.",
            "softmax：先对每个分数取指数，再除以三者之和。e^ln 5 就是 5。",
        ),
        Words(
            "The powers are 1, 2 and 5, their sum is 8. Then o is 1/8 of v_1, 2/8 of v_2 and 5/8 "
            "of v_3, added up.",
            "指数值是 1、2、5，和为 8。于是 o 是 v_1 的 1/8、v_2 的 2/8、v_3 的 5/8 相加。",
        ),
        Words(
            "o = [8/8, 2/8 · 4 + 5/8 · 8].",
            "o = [8/8, 2/8 · 4 + 5/8 · 8]。",
        ),
    ),
)

WHO_MOVES = Exercise(
    name="who_moves",
    lesson="03",
    claims=("C3.2",),
    solution=who_moves,
    mistakes=(
        Mistake(
            {"q_alpha": False, "k_alpha": False, "k_o": False, "v_alpha": True},
            Words(
                "The jobs are exchanged: Q and K make the weights, V is what the weights mix.",
                "职责弄反了：Q 和 K 产生权重，V 才是被权重混合的内容。",
            ),
        ),
        Mistake(
            {"v_alpha": True},
            Words(
                "The formula of the weights holds q and k, and no v: new values move no weight.",
                "权重的公式里只有 q 和 k，没有 v：换了值，权重一个也不动。",
            ),
        ),
        Mistake(
            {"v_o": False},
            Words(
                "The values are what the output is made of. Change them, and it changes, even "
                "though the weights stay.",
                "输出正是由值混合而成的。值变了，权重虽然不变，输出也要变。",
            ),
        ),
        Mistake(
            {"k_o": False},
            Words(
                "Keys are not handed over, but they decide the shares. Other shares of the same "
                "values make another output.",
                "键虽然不会被交出去，却决定了份额。同样的值，份额变了，输出也就变了。",
            ),
        ),
        Mistake(
            {"k_alpha": False},
            Words(
                "Each score is a query times a key. Another key gives other scores and so other "
                "weights.",
                "每个分数都是查询乘键。键变了，分数就变，权重也随之改变。",
            ),
        ),
        Mistake(
            {"q_alpha": False},
            Words(
                "A query asks the question: another question finds other matches, so its weights "
                "change.",
                "查询就是提问：换一个问题，匹配的对象就不同，权重也会变。",
            ),
        ),
    ),
    hints=(
        Words(
            "Read the two formulas once more. Which letters stand in α, and which in o?",
            "再读一遍那两个公式。α 里有哪些字母？o 里呢？",
        ),
        Words(
            "α holds q and k. o holds α and v; so whatever moves α moves o as well.",
            "α 里有 q 和 k；o 里有 α 和 v。所以凡是让 α 变的，也会让 o 变。",
        ),
    ),
)


def _draw(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).round(1)


def _weight_cases():
    inf = np.inf
    return [
        (np.array([1.0, 0.0, 2.0]), np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 1.0]]), np.zeros(2)),
        (
            np.array([1.0, 0.0, 2.0]),
            np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 3.0, 2.0]]),
            np.array([0.0, 0.0, -inf]),
        ),
        (_draw(33, 3), _draw(34, 3, 3), np.array([-inf, 0, 0])),
        (_draw(31, 5), _draw(32, 7, 5), np.array([0, -inf, 0, 0, -inf, 0, 0])),
    ]


def _turned(m):
    return np.where(np.isinf(m), 0.0, -np.inf)


def _turned_round(q, k, m):
    scaled = k @ q / np.sqrt(len(q))
    return softmax(scaled + _turned(m)) if np.isinf(m).any() else np.zeros(len(k))


def _mask_afterwards(q, k, m):
    return softmax(k @ q / np.sqrt(len(q))) * np.isfinite(m)


def _mask_of_zero(q, k, m):
    return softmax(np.where(np.isinf(m), 0.0, k @ q / np.sqrt(len(q))))


ROW_WEIGHTS = Exercise(
    name="row_weights",
    lesson="03",
    claims=("C3.1",),
    solution=row_weights,
    cases=_weight_cases,
    mistakes=(
        Mistake(
            lambda q, k, m: softmax(k @ q + m),
            Words(
                "The division by √d_k is missing. d_k is the length of q.",
                "漏掉了除以 √d_k。d_k 就是 q 的长度。",
            ),
        ),
        Mistake(
            lambda q, k, m: softmax(k @ q / len(q) + m),
            Words(
                "The scores were divided by d_k itself; the formula takes its root.",
                "这里除以了 d_k 本身；公式里是它的平方根。",
            ),
        ),
        Mistake(
            lambda q, k, m: softmax(k @ q / len(q) ** 1 / 2 + m),
            Words(
                "In Python, `d ** 1 / 2` is d divided by 2, because the power comes first. Use "
                "np.sqrt or ** 0.5.",
                "在 Python 里先算乘方，`d ** 1 / 2` 就是 d 除以 2。请用 np.sqrt 或 ** 0.5。",
            ),
        ),
        Mistake(
            lambda q, k, m: softmax(k @ q / np.sqrt(len(k)) + m),
            Words(
                "The root was taken of the number of keys. It belongs to d_k, the length of one "
                "key.",
                "这里开的是键的个数的平方根。应当是 d_k，即一个键的长度。",
            ),
        ),
        Mistake(
            lambda q, k, m: softmax(k @ q / np.sqrt(len(q))),
            Words(
                "The mask m was forgotten: it is added to the scaled scores before softmax.",
                "忘了掩码 m：它要在 softmax 之前加到缩放后的分数上。",
            ),
        ),
        Mistake(
            _mask_afterwards,
            Words(
                "The hidden weights were cut off after softmax, so the rest no longer sums to 1. "
                "Add m before.",
                "这里在 softmax 之后才去掉被屏蔽的权重，剩下的和不再是 1。应当在之前加上 m。",
            ),
        ),
        Mistake(
            _mask_of_zero,
            Words(
                "The hidden scores became 0, and e^0 is 1: a hidden key still gets a share. It "
                "takes −∞.",
                "被屏蔽的分数变成了 0，而 e^0 = 1：被屏蔽的键仍然分到份额。应当是 −∞。",
            ),
        ),
        Mistake(
            _turned_round,
            Words(
                "The mask is turned round: where m is −∞ the query may not look.",
                "掩码反了：m 为 −∞ 的地方是不许看的。",
            ),
        ),
        Mistake(
            lambda q, k, m: k @ q / np.sqrt(len(q)) + m,
            Words(
                "These are the masked scores. One step is left: softmax.",
                "这是加过掩码的分数，还差一步 softmax。",
            ),
        ),
    ),
    hints=(
        Words(
            "k @ q gives all the scores of this query at once: one number for each key.",
            "k @ q 一次得到这个查询的全部分数：每个键一个数。",
        ),
        Words(
            "Then divide by np.sqrt(len(q)), add m, and take the softmax.",
            "然后除以 np.sqrt(len(q))，加上 m，再做 softmax。",
        ),
    ),
)


def _reading_cases():
    return [
        (np.array([1.0, 0.0]), np.array([[2.0, 1.0], [0.0, 1.0]]), np.array([[10.0, 0], [0, 20]])),
        (
            np.array([1.0, 2.0, 0.0]),
            np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 1.0]]),
            np.array([[10.0, 0.0, 3.0, 1.0, 2.0], [0.0, 20.0, 1.0, 4.0, 0.0]]),
        ),
        (_draw(38, 3), _draw(39, 2, 3), _draw(40, 2, 5)),
        (_draw(35, 5), _draw(36, 7, 5), _draw(37, 7, 3)),
    ]


READ_ROW = Exercise(
    name="read_row",
    lesson="03",
    claims=("C3.2", "C3.3"),
    solution=read_row,
    cases=_reading_cases,
    mistakes=(
        Mistake(
            lambda q, k, v: softmax(k @ q / np.sqrt(len(q))) @ k,
            Words(
                "The keys were mixed. A key only helps to find the place; what is handed over is "
                "the value that stands there.",
                "这里混合的是键。键只用来找位置，交出去的是那个位置上的值。",
            ),
        ),
        Mistake(
            lambda q, k, v: softmax(k @ q) @ v,
            Words(
                "The division by √d_k is missing, so the weights are too sharp.",
                "漏掉了除以 √d_k，权重过于集中。",
            ),
        ),
        Mistake(
            lambda q, k, v: softmax(k @ q / np.sqrt(v.shape[1])) @ v,
            Words(
                "The root was taken of d_v, the width of a value. The scores come from q and k, "
                "so it is d_k.",
                "这里开的是 d_v（值的宽度）的平方根。分数来自 q 和 k，所以应当用 d_k。",
            ),
        ),
        Mistake(
            lambda q, k, v: k @ q / np.sqrt(len(q)) @ v,
            Words(
                "The scores themselves were used as weights. Softmax makes shares of them first.",
                "这里直接拿分数当权重。要先用 softmax 把它们变成份额。",
            ),
        ),
        Mistake(
            lambda q, k, v: v[(k @ q).argmax()],
            Words(
                "Only the value of the best match was handed over. Attention mixes all of them, "
                "each by its weight.",
                "这里只交出了最匹配的那个值。注意力会把所有的值按权重混合。",
            ),
        ),
        Mistake(
            lambda q, k, v: softmax(k @ q / np.sqrt(len(q))),
            Words(
                "These are the weights α. Mix the values with them: alpha @ v.",
                "这是权重 α。还要用它们混合各个值：alpha @ v。",
            ),
        ),
        Mistake(
            lambda q, k, v: v.mean(axis=0),
            Words(
                "Every value got the same share. The shares come from q and k.",
                "这里每个值的份额都一样。份额应当由 q 和 k 决定。",
            ),
        ),
    ),
    hints=(
        Words(
            "Two steps with two jobs: q and k make the weights, then the weights mix the rows of "
            "v.",
            "分两步，各有职责：先由 q 和 k 得到权重，再用权重混合 v 的各行。",
        ),
        Words(
            "The weights are softmax(k @ q / np.sqrt(len(q))), a row of n_k numbers.",
            "权重是 softmax(k @ q / np.sqrt(len(q)))，一行 n_k 个数。",
        ),
        Words("alpha @ v", "alpha @ v"),
    ),
)

EXERCISES = (ROW_BY_HAND, WHO_MOVES, ROW_WEIGHTS, READ_ROW)

QUESTIONS = (
    Question(
        key="03.1",
        text=Words(
            "All values become ten times as large; q and the keys stay. What moves?",
            "所有的值都放大到十倍，q 和键不变。什么会变？",
        ),
        options=(
            Words(
                "The weights become sharper, and the output moves.", "权重变得更集中，输出也变。"
            ),
            Words("Only the output: it becomes ten times as large.", "只有输出变：变成十倍。"),
            Words("Nothing: softmax takes the factor away.", "都不变：softmax 会把这个倍数消掉。"),
        ),
        answer=1,
        why=Words(
            "The values come in only after softmax, in the sum of α_ij v_j. The weights cannot "
            "see them; the sum is ten times as large.",
            "值在 softmax 之后才出场，只出现在 α_ij v_j 的求和里。权重看不到它们，而和变成了十倍。",
        ),
    ),
    Question(
        key="03.2",
        text=Words(
            "Keys 1 and 3 change places, the values stay where they are. What happens?",
            "第 1 个键和第 3 个键对调，值留在原处。会怎样？",
        ),
        options=(
            Words("Weights 1 and 3 change places; the output moves.", "权重 1 和 3 对调，输出变。"),
            Words(
                "Weights 1 and 3 change places; the output stays.", "权重 1 和 3 对调，输出不变。"
            ),
            Words("Values 1 and 3 change places as well.", "值 1 和 3 也跟着对调。"),
        ),
        answer=0,
        why=Words(
            "The weight goes with the key: place 1 now has the label that fits. But the value at "
            "place 1 is still the old one, so it is now read most.",
            "权重跟着键走：现在第 1 个位置挂着最相配的键。但那里的值还是原来的值，"
            "于是它成了被读得最多的。",
        ),
    ),
    Question(
        key="03.3",
        text=Words(
            "Here a key has 2 numbers and a value 3. How many numbers has the output of one query?",
            "这里每个键有 2 个数，每个值有 3 个数。一个查询的输出有几个数？",
        ),
        options=("2", "3", "4", "5"),
        answer=1,
        why=Words(
            "The output is a mixture of values, so it is as wide as a value. The keys have done "
            "their work when the weights are there.",
            "输出是值的混合，所以和值一样宽。权重一算出来，键的工作就结束了。",
        ),
    ),
    Question(
        key="03.4",
        text=Words(
            "We add the same vector [7, −3] to every key. What happens to the output?",
            "给每个键都加上同一个向量 [7, −3]。输出会怎样？",
        ),
        options=(
            Words("It moves by [7, −3].", "移动 [7, −3]。"),
            Words("It moves, but one cannot say how far.", "会变，但说不出变多少。"),
            Words("It does not move.", "不变。"),
        ),
        answer=2,
        why=Words(
            "Every score of this query grows by the same number, q · [7, −3], and softmax looks "
            "only at differences. If keys were returned, the output would move with them.",
            "这个查询的每个分数都增加了同一个数 q · [7, −3]，而 softmax 只看差。"
            "要是返回的是键，输出就会跟着移动了。",
        ),
    ),
    Question(
        key="03.5",
        text=Words(
            "Two heads learn to recall 4 numbers by their address. One has W_K and W_V, the other "
            "a single matrix for both jobs. Both start narrow and get wider. What do you expect?",
            "两个头都要学会：按地址取回 4 个数。一个有 W_K 和 W_V，另一个用同一个矩阵干两份活。"
            "两者都从窄到宽。你预计会怎样？",
        ),
        options=(
            Words("Both need the same width.", "两者需要的宽度一样。"),
            Words("The one with a single matrix needs more width.", "单矩阵的那个需要更宽。"),
            Words("The one with a single matrix never learns it.", "单矩阵的那个永远学不会。"),
        ),
        answer=1,
        why=Words(
            "Its one vector per token must hold the address and the content side by side: they "
            "compete for the same dimensions. With enough of them it works, too.",
            "它给每个词元只有一个向量，地址和内容都要挤在里面，争用同样的维度。维度够多时，它也能学会。",
        ),
    ),
)
