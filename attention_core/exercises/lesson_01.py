"""Lesson 01: turn hidden states into Q, K, V."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words

__all__ = ["EXERCISES", "QUESTIONS"]


def query_by_hand():
    x = np.array([1, 2, 0])
    w_q = np.array([[1, 0], [2, 1], [5, 5]])
    return x @ w_q


def make_qkv(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_k, x @ w_v


def qkv_shapes(n, d_model, d_k, d_v):
    return (n, d_k), (n, d_k), (n, d_v)


def weight_shapes():
    d_model, d_k, d_v = 24, 6, 10
    return (d_model, d_k), (d_model, d_k), (d_model, d_v)


def _integers(seed, *shape):
    return np.random.default_rng(seed).integers(-3, 4, size=shape).astype(float)


def _case(seed, n, d_model, d_k, d_v):
    return (
        _integers(seed, n, d_model),
        _integers(seed + 1, d_model, d_k),
        _integers(seed + 2, d_model, d_k),
        _integers(seed + 3, d_model, d_v),
    )


def _projection_cases():
    return [_case(10, 1, 3, 2, 2), _case(30, 7, 3, 2, 5), _case(20, 2, 5, 3, 7)]


def _with_transposed_weights(x, w_q, w_k, w_v):
    return x @ w_q.T, x @ w_k.T, x @ w_v.T


def _with_weights_first(x, w_q, w_k, w_v):
    return w_q @ x, w_k @ x, w_v @ x


def _scaled_early(x, w_q, w_k, w_v):
    scale = np.sqrt(w_q.shape[1])
    return x @ w_q / scale, x @ w_k / scale, x @ w_v


QUERY_BY_HAND = Exercise(
    name="query_by_hand",
    lesson="01",
    claims=("C1.1",),
    solution=query_by_hand,
    mistakes=(
        Mistake(
            np.array([8, 6]),
            Words(
                "The three rows of W_Q were added without weighing them. Row m counts x_m times.",
                "这里把 W_Q 的三行直接相加，没有加权。第 m 行要乘上 x_m。",
            ),
        ),
        Mistake(
            np.array([10, 7]),
            Words(
                "The last number of x is 0, so the last row of W_Q counts 0 times, not once.",
                "x 的最后一个数是 0，所以 W_Q 的最后一行应计 0 次，而不是 1 次。",
            ),
        ),
        Mistake(
            np.array([1, 6, 0]),
            Words(
                "That is one number for each row of W_Q, but a query has one number for each "
                "column: d_k = 2. Add down the columns.",
                "这是 W_Q 每一行得一个数，而查询是每一列得一个数：d_k = 2。应当沿列往下加。",
            ),
        ),
        Mistake(
            np.array([[1, 0], [4, 2], [0, 0]]),
            Words(
                "These are the weighed rows of W_Q. One step is left: add them up.",
                "这是加了权的 W_Q 各行，还差一步：把它们加起来。",
            ),
        ),
        Mistake(
            np.array([2, 5]),
            Words(
                "The right two numbers in the wrong order: the first column of W_Q makes the "
                "first number.",
                "两个数都对，顺序反了：W_Q 的第一列得出第一个数。",
            ),
        ),
    ),
    hints=(
        Words(
            "q is 1 times the first row of W_Q, plus 2 times the second, plus 0 times the third.",
            "q 等于 W_Q 第一行的 1 倍，加第二行的 2 倍，加第三行的 0 倍。",
        ),
        Words(
            "First number: 1·1 + 2·2 + 0·5. The second works the same way, with the second column.",
            "第一个数：1·1 + 2·2 + 0·5。第二个数用第二列，算法相同。",
        ),
    ),
)

MAKE_QKV = Exercise(
    name="make_qkv",
    lesson="01",
    claims=("C1.1",),
    solution=make_qkv,
    cases=_projection_cases,
    mistakes=(
        Mistake(
            _with_transposed_weights,
            Words(
                "A W was transposed. Here W_Q is stored as (d_model, d_k), so x @ w_q fits as it "
                "is: the two d_model sides meet.",
                "这里把 W 转置了。本课程的 W_Q 按 (d_model, d_k) 存放，"
                "x @ w_q 直接就能乘：两条 d_model 的边相接。",
            ),
        ),
        Mistake(
            _with_weights_first,
            Words(
                "The order is turned round. Tokens are rows, so X stands on the left: x @ w_q.",
                "乘的顺序反了。词元是行，所以 X 写在左边：x @ w_q。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_v, x @ w_k),
            Words(
                "K and V are swapped: k comes from w_k, v from w_v, and the order is q, k, v.",
                "K 和 V 对调了：k 由 w_k 得出，v 由 w_v 得出，顺序是 q、k、v。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_q, x @ w_v),
            Words(
                "Queries and keys came from the same matrix. Keys have one of their own: w_k.",
                "查询和键用了同一个矩阵。键有自己的矩阵 w_k。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_k, x),
            Words(
                "The values are still X itself. They are a projection, too: x @ w_v.",
                "值直接用了 X。值也要投影：x @ w_v。",
            ),
        ),
        Mistake(
            _scaled_early,
            Words(
                "Q and K were divided by √d_k. Scaling comes later, once, at the scores (lesson "
                "06). Here it is the product alone.",
                "这里把 Q 和 K 除以了 √d_k。缩放要等到算分数时再做，而且只做一次（第 06 课）。"
                "这里只要乘积。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k, w_v: x @ w_q,
            Words(
                "Only the queries came back. Return three arrays: q, k, v.",
                "只返回了查询。应当返回三个数组：q、k、v。",
            ),
        ),
    ),
    hints=(
        Words(
            "The same X is used three times, each time with another W.",
            "同一个 X 用三次，每次配一个不同的 W。",
        ),
        Words(
            "(n, d_model) times (d_model, d_k) gives (n, d_k): x @ w_q.",
            "(n, d_model) 乘 (d_model, d_k) 得 (n, d_k)：x @ w_q。",
        ),
        Words(
            "Return all three behind one return, with commas between them.",
            "用一个 return 把三个一起返回，中间用逗号隔开。",
        ),
    ),
)

QKV_SHAPES = Exercise(
    name="qkv_shapes",
    lesson="01",
    claims=("C1.2",),
    solution=qkv_shapes,
    cases=lambda: [(2, 3, 5, 7), (11, 7, 2, 3), (100, 512, 64, 64)],
    mistakes=(
        Mistake(
            lambda n, d_model, d_k, d_v: ((n, d_k), (n, d_k), (n, d_k)),
            Words(
                "V got the width of the keys. Its width is that of W_V: d_v.",
                "V 用了键的宽度。它的宽度由 W_V 决定，是 d_v。",
            ),
        ),
        Mistake(
            lambda n, d_model, d_k, d_v: ((n, d_k), (n, d_v), (n, d_v)),
            Words(
                "K got the width of the values. Queries and keys share d_k, since they will meet "
                "in a dot product.",
                "K 用了值的宽度。查询和键都是 d_k，因为它们后面要做点积。",
            ),
        ),
        Mistake(
            lambda n, d_model, d_k, d_v: ((d_model, d_k), (d_model, d_k), (d_model, d_v)),
            Words(
                "These are the shapes of W_Q, W_K and W_V. The products have one row for each "
                "token: n rows.",
                "这是 W_Q、W_K、W_V 的形状。乘积是每个词元一行，共 n 行。",
            ),
        ),
        Mistake(
            lambda n, d_model, d_k, d_v: ((d_k, n), (d_k, n), (d_v, n)),
            Words(
                "Rows and columns are swapped. Here tokens are rows: (n, d).",
                "行和列写反了。这里词元是行：(n, d)。",
            ),
        ),
        Mistake(
            lambda n, d_model, d_k, d_v: ((n, d_model), (n, d_model), (n, d_model)),
            Words(
                "That is the shape of X, three times. The product takes its width from W.",
                "这是 X 的形状。乘积的宽度来自 W。",
            ),
        ),
    ),
    hints=(
        Words(
            "(n, d_model) times (d_model, something): what stays of the four sides?",
            "(n, d_model) 乘 (d_model, 某个数)：四条边里剩下哪两条？",
        ),
        Words(
            "The two d_model sides vanish: rows from X, columns from W. Three pairs: Q, K, V.",
            "两条 d_model 的边消掉：行来自 X，列来自 W。写三对：Q、K、V。",
        ),
    ),
)

WEIGHT_SHAPES = Exercise(
    name="weight_shapes",
    lesson="01",
    claims=("C1.2",),
    solution=weight_shapes,
    mistakes=(
        Mistake(
            ((6, 24), (6, 24), (10, 24)),
            Words(
                "Transposed: that is how some libraries store a W. For X W the first side of W "
                "must be the last side of X, 24.",
                "转置了：有些库是这样存放 W 的。要算 X W，W 的第一条边必须等于 X 的最后一条边 24。",
            ),
        ),
        Mistake(
            ((11, 6), (11, 6), (11, 10)),
            Words(
                "These are the shapes of Q, K and V. No W knows the number of tokens, 11.",
                "这是 Q、K、V 的形状。任何一个 W 都与词元数 11 无关。",
            ),
        ),
        Mistake(
            ((24, 6), (24, 6), (24, 6)),
            Words(
                "V has 10 columns, so W_V must have 10.",
                "V 有 10 列，所以 W_V 也要有 10 列。",
            ),
        ),
        Mistake(
            ((24, 24), (24, 6), (24, 10)),
            Words(
                "W_Q makes queries that will meet the keys in a dot product: they need the same "
                "width as K.",
                "W_Q 产生的查询要和键做点积，宽度必须与 K 相同。",
            ),
        ),
    ),
    hints=(
        Words(
            "X W = K reads (11, 24) (?, ?) = (11, 6). Which two numbers fit?",
            "X W = K 就是 (11, 24) (?, ?) = (11, 6)。填哪两个数？",
        ),
        Words(
            "W_K is (24, 6). Queries are as wide as keys; values are 10 wide.",
            "W_K 是 (24, 6)。查询和键一样宽；值的宽度是 10。",
        ),
    ),
)

EXERCISES = (QUERY_BY_HAND, MAKE_QKV, QKV_SHAPES, WEIGHT_SHAPES)

QUESTIONS = (
    Question(
        key="01.1",
        text=Words(
            "X is (3, 4): three tokens, four numbers each. W_Q is (4, 2). What is the shape of "
            "`X @ W_Q`?",
            "X 是 (3, 4)：三个词元，每个四个数。W_Q 是 (4, 2)。`X @ W_Q` 的形状是什么？",
        ),
        options=("(3, 2)", "(4, 2)", "(3, 4)", "(2, 3)"),
        answer=0,
        why=Words(
            "The two sides of size 4 meet and are summed away. What is left is one row for each "
            "token and one column for each column of W_Q.",
            "两条长为 4 的边相接，被求和消掉。剩下的是：每个词元一行，W_Q 的每一列一列。",
        ),
    ),
    Question(
        key="01.2",
        text=Words(
            "One number changes in row 2 of X. Which numbers of Q can change?",
            "X 的第 2 行里有一个数变了。Q 中哪些数可能改变？",
        ),
        options=(
            Words("only one number", "只有一个数"),
            Words("row 2", "第 2 行"),
            Words("one column", "某一列"),
            Words("all of them", "全部"),
        ),
        answer=1,
        why=Words(
            "Row 2 of Q is made of row 2 of X and of nothing else of X. Every number of that row "
            "uses the changed one, so the whole row may move; the other tokens do not notice.",
            "Q 的第 2 行只由 X 的第 2 行得出。这一行的每个数都用到了改动的那个数，"
            "所以整行都可能变；其他词元不受影响。",
        ),
    ),
    Question(
        key="01.3",
        text=Words(
            "Queries, keys and values have the widths 2, 2 and 5. Does attention work with them?",
            "查询、键、值的宽度分别是 2、2、5。这样能做注意力吗？",
        ),
        options=(
            Words("No, all three must be equally wide.", "不能，三者必须一样宽。"),
            Words("Yes: only queries and keys must be equally wide.", "能：只要查询和键一样宽。"),
            Words("Yes: any three widths will do.", "能：三个宽度随便取。"),
        ),
        answer=1,
        why=Words(
            "A query meets a key in a dot product, number by number: equal widths. Values are "
            "only mixed among themselves, so theirs is free, and the output inherits it.",
            "查询和键要逐个数相乘做点积，宽度必须相等。值只在彼此之间混合，"
            "宽度可以自由选择，输出的宽度随它。",
        ),
    ),
    Question(
        key="01.4",
        text=Words(
            "A layer with d_model = 512 shares its width among 8 heads. Which d_k = d_v = d_head "
            "does one usually take?",
            "某一层 d_model = 512，把宽度平分给 8 个头。通常取 d_k = d_v = d_head 等于多少？",
        ),
        options=("8", "64", "512", "4096"),
        answer=1,
        why=Words(
            "512 / 8 = 64. Eight heads of 64 numbers, laid side by side, are 512 wide again, so "
            "the next layer finds the width it expects.",
            "512 / 8 = 64。八个头各 64 个数，并排拼起来又是 512，正好是下一层需要的宽度。",
        ),
    ),
)
