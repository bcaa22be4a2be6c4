"""Lesson 05: match with a dot product."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words

__all__ = ["EXERCISES", "QUESTIONS"]


def dot_by_hand():
    q, k = np.array([2, -1, 3]), np.array([1, 4, 2])
    return int((q * k).sum())


def cosines(q, k):
    lengths_q = np.sqrt((q**2).sum(axis=-1, keepdims=True))
    lengths_k = np.sqrt((k**2).sum(axis=-1, keepdims=True))
    return q @ k.T / (lengths_q * lengths_k.T)


def learned_scores(x, w_q, w_k):
    q, k = x @ w_q, x @ w_k
    return q @ k.T


def one_way():
    return np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])


DOT_BY_HAND = Exercise(
    name="dot_by_hand",
    lesson="05",
    claims=("C5.1",),
    solution=dot_by_hand,
    mistakes=(
        Mistake(
            12,
            Words(
                "The minus got lost: −1 times 4 is −4.",
                "负号丢了：−1 乘 4 是 −4。",
            ),
        ),
        Mistake(
            np.array([2, -4, 6]),
            Words(
                "These are the three products. A dot product also adds them up, to one number.",
                "这是三个乘积。点积还要把它们加起来，只剩下一个数。",
            ),
        ),
        Mistake(
            28,
            Words(
                "Each vector was summed first. Multiply place by place, then add.",
                "这里先把两个向量各自求和了。应当逐位相乘，然后相加。",
            ),
        ),
        Mistake(
            4 / np.sqrt(14 * 21),
            Words(
                "That is the cosine. The dot product does not divide by the lengths.",
                "这是余弦。点积不除以长度。",
            ),
        ),
        Mistake(
            11,
            Words(
                "All six numbers were added. The two numbers at one place are multiplied.",
                "这里把六个数都加了起来。同一位置上的两个数应当相乘。",
            ),
        ),
    ),
    hints=(
        Words(
            "Three products, one for each place; then add them.",
            "每个位置一个乘积，共三个；然后相加。",
        ),
        Words("2·1 + (−1)·4 + 3·2", "2·1 + (−1)·4 + 3·2"),
    ),
)


def _draw(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).round(1)


def _cosine_cases():
    return [
        (np.array([[3.0, 4.0]]), np.array([[6.0, 8.0]])),
        (np.array([[2.0, 0.0, 0.0]]), np.array([[0.0, 3.0, 0.0], [-5.0, 0.0, 0.0]])),
        (_draw(51, 3, 5), _draw(52, 2, 5)),
        (_draw(53, 3, 7), _draw(54, 3, 7)),
    ]


def _lengths(x, axis=-1):
    return np.sqrt((x**2).sum(axis=axis, keepdims=True))


def _squared_lengths(q, k):
    return q @ k.T / (_lengths(q) ** 2 * (_lengths(k) ** 2).T)


def _lengths_down(q, k):
    return (q / _lengths(q, 0)) @ (k / _lengths(k, 0)).T


COSINES = Exercise(
    name="cosines",
    lesson="05",
    claims=("C5.1",),
    solution=cosines,
    cases=_cosine_cases,
    mistakes=(
        Mistake(
            lambda q, k: q @ k.T,
            Words(
                "These are the dot products. Divide each one by the length of its query and by "
                "the length of its key.",
                "这是点积。每一个还要除以查询的长度和键的长度。",
            ),
        ),
        Mistake(
            lambda q, k: q @ k.T / _lengths(q),
            Words(
                "Only the queries' lengths were taken out; a long key still wins.",
                "这里只除以了查询的长度，长的键仍然占便宜。",
            ),
        ),
        Mistake(
            lambda q, k: q @ k.T / _lengths(k).T,
            Words(
                "Only the keys' lengths were taken out; divide by the query's length as well.",
                "这里只除以了键的长度；还要除以查询的长度。",
            ),
        ),
        Mistake(
            _squared_lengths,
            Words(
                "These are squared lengths: the root is missing. |q| is the root of the sum of "
                "squares.",
                "这是长度的平方，漏了开方。|q| 是平方和的平方根。",
            ),
        ),
        Mistake(
            lambda q, k: q @ k.T / np.sqrt(q.shape[-1]),
            Words(
                "Dividing by √d_k is scaling: the same number for all pairs. The lengths differ "
                "from vector to vector.",
                "除以 √d_k 是缩放，对所有的对都是同一个数。而长度因向量而异。",
            ),
        ),
        Mistake(
            _lengths_down,
            Words(
                "The lengths were taken down the columns. One vector is one row: axis=-1.",
                "长度是沿列算的。一个向量就是一行：axis=-1。",
            ),
        ),
        Mistake(
            lambda q, k: cosines(q, k).T,
            Words(
                "Rows and columns are exchanged: a row belongs to a query, a column to a key.",
                "行和列对调了：一行对应一个查询，一列对应一个键。",
            ),
        ),
    ),
    hints=(
        Words(
            "cos θ = q·k / (|q| |k|). The dot products of all pairs are q @ k.T.",
            "cos θ = q·k / (|q| |k|)。所有对的点积是 q @ k.T。",
        ),
        Words(
            "np.sqrt((q**2).sum(axis=-1, keepdims=True)) is a column of lengths, one for each "
            "query.",
            "np.sqrt((q**2).sum(axis=-1, keepdims=True)) 是一列长度，每个查询一个。",
        ),
        Words(
            "Divide by the column of the queries' lengths times the row (.T) of the keys' lengths.",
            "除以“查询长度的列”乘“键长度的行”（用 .T 转成行）。",
        ),
    ),
)


def _score_cases():
    return [
        (
            np.array([[1.0, 0.0], [0.0, 1.0]]),
            np.array([[2.0], [0.0]]),
            np.array([[0.0], [3.0]]),
        ),
        (
            np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]]),
            np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0], [3.0, 0.0, 1.0]]),
            np.array([[0.0, 1.0, 1.0], [2.0, 0.0, 1.0], [1.0, 1.0, 0.0]]),
        ),
        (_draw(55, 5, 3), _draw(56, 3, 2), _draw(57, 3, 2)),
        (_draw(58, 3, 7), _draw(59, 7, 5), _draw(60, 7, 5)),
    ]


LEARNED_SCORES = Exercise(
    name="learned_scores",
    lesson="05",
    claims=("C5.2",),
    solution=learned_scores,
    cases=_score_cases,
    mistakes=(
        Mistake(
            lambda x, w_q, w_k: x @ x.T,
            Words(
                "This compares the raw x. What matches is decided by W_Q and W_K: project first.",
                "这里直接比较了原始的 x。怎样才算匹配由 W_Q 和 W_K 决定：要先投影。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k: (x @ w_q) @ (x @ w_q).T,
            Words(
                "W_Q was used on both sides, so the scores came out symmetric. The keys need W_K.",
                "两边都用了 W_Q，所以分数是对称的。键要用 W_K。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k: (x @ w_k) @ (x @ w_k).T,
            Words(
                "W_K was used on both sides, so the scores came out symmetric. The queries need "
                "W_Q.",
                "两边都用了 W_K，所以分数是对称的。查询要用 W_Q。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k: (x @ w_k) @ (x @ w_q).T,
            Words(
                "Row and column are exchanged: entry (i, j) must be query i with key j.",
                "行列对调了：第 (i, j) 项应当是第 i 个查询与第 j 个键。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k: (x @ w_q) @ (x @ w_k).T / np.sqrt(w_q.shape[1]),
            Words(
                "The division by √d_k was not asked for here. These are raw dot products.",
                "这里不要求除以 √d_k，要的是原始点积。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k: w_q @ w_k.T,
            Words(
                "This matrix turns any two x into a score. Put the tokens in: x on the left, its "
                "transpose on the right.",
                "这个矩阵能把任意两个 x 变成分数。还要把词元放进去：左边是 x，右边是 x 的转置。",
            ),
        ),
        Mistake(
            lambda x, w_q, w_k: (x @ w_q) * (x @ w_k),
            Words(
                "These are products place by place, and only of a token with itself. Use @ with "
                "the transpose to meet all pairs.",
                "这是逐位的乘积，而且只是词元与自己相乘。用 @ 和转置才能遍历所有的对。",
            ),
        ),
    ),
    hints=(
        Words(
            "First q = x @ w_q and k = x @ w_k.",
            "先求 q = x @ w_q 和 k = x @ w_k。",
        ),
        Words(
            "Then every query with every key: q @ k.T.",
            "再让每个查询与每个键相乘：q @ k.T。",
        ),
    ),
)

ONE_WAY = Exercise(
    name="one_way",
    lesson="05",
    claims=("C5.2",),
    solution=one_way,
    mistakes=(
        Mistake(
            np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]),
            Words(
                "The ring runs the wrong way: here token 1 looks for token 3. Row i says whom "
                "token i looks for.",
                "环转反了：现在是词元 1 在找词元 3。第 i 行表示词元 i 在找谁。",
            ),
        ),
        Mistake(
            np.eye(3),
            Words(
                "With the identity each token finds itself: that is the raw likeness.",
                "单位矩阵让每个词元只找到自己：那就是原始的相似。",
            ),
        ),
        Mistake(
            np.ones((3, 3)) - np.eye(3),
            Words(
                "Here everyone looks for both others, so the scores are symmetric. Leave one 1 in "
                "each row.",
                "这里每个词元都在找另外两个，分数是对称的。每行只留一个 1。",
            ),
        ),
        Mistake(
            np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]]),
            Words(
                "Token 3 looks for nobody yet: the ring must close at token 1.",
                "词元 3 还没有要找的对象：环要回到词元 1 才算闭合。",
            ),
        ),
    ),
    hints=(
        Words(
            "With X and W_K the identity, the scores X W_Q W_Kᵀ Xᵀ are W_Q itself.",
            "X 和 W_K 都是单位矩阵时，分数 X W_Q W_Kᵀ Xᵀ 就是 W_Q 本身。",
        ),
        Words(
            "Row 1 is [0, 1, 0]: token 1 looks for token 2.",
            "第 1 行是 [0, 1, 0]：词元 1 在找词元 2。",
        ),
    ),
)

EXERCISES = (DOT_BY_HAND, COSINES, LEARNED_SCORES, ONE_WAY)

QUESTIONS = (
    Question(
        key="05.1",
        text=Words(
            "Key 1 points nearly where q points. Key 2 is 45° off, but twice as long as key 1. "
            "Which has the larger dot product with q?",
            "键 1 的方向与 q 几乎一致。键 2 偏开 45°，但长度是键 1 的两倍。哪个与 q 的点积更大？",
        ),
        options=(
            Words("key 1", "键 1"),
            Words("key 2", "键 2"),
            Words("They are equal.", "一样大。"),
        ),
        answer=1,
        why=Words(
            "The angle takes about 30 % away, but the length doubles. A dot product "
            "counts both; the cosine would choose key 1.",
            "角度只减去约三成，长度却翻了一倍。点积把两者都算进去；如果用余弦，选中的会是键 1。",
        ),
    ),
    Question(
        key="05.2",
        text=Words(
            "A query becomes twice as long, its direction stays. What happens to its weights?",
            "一个查询变成两倍长，方向不变。它的权重会怎样？",
        ),
        options=(
            Words("They do not change.", "不变。"),
            Words("All of them double.", "全都加倍。"),
            Words("Same order, but the largest one takes more.", "次序不变，但最大的占得更多。"),
            Words("The order may change.", "次序可能改变。"),
        ),
        answer=2,
        why=Words(
            "All scores double, so their order stays. Their differences double too, and softmax "
            "becomes sharper. A long query asks with more emphasis.",
            "所有分数都加倍，次序不变；分数之间的差也加倍，于是 softmax 更集中。"
            "查询越长，问得越坚决。",
        ),
    ),
    Question(
        key="05.3",
        text=Words(
            "Token i gives token j the score 4. What score does token j give token i?",
            "词元 i 给词元 j 的分数是 4。词元 j 给词元 i 的分数是多少？",
        ),
        options=("4", "−4", "0", Words("That cannot be told.", "无法得知。")),
        answer=3,
        why=Words(
            "The first is q_i·k_j, the second q_j·k_i: four different vectors. Only in "
            "special cases, such as W_Q = W_K, must the two be equal.",
            "前者是 q_i·k_j，后者是 q_j·k_i：用到的是四个不同的向量。"
            "只有在 W_Q = W_K 这类特殊情况下，两者才必然相等。",
        ),
    ),
    Question(
        key="05.4",
        text=Words(
            "A symbol must find its partner, whose vector is at a right angle to its own. In the "
            "same list stands a look-alike with cosine 0.95. After training, who gets most of "
            "the weight?",
            "一个符号要找到它的伙伴，而伙伴的向量与它垂直。同一个列表里还有一个余弦为 0.95 的"
            "“长得像的”。训练之后，谁得到大部分权重？",
        ),
        options=(
            Words("the look-alike", "长得像的"),
            Words("the partner", "伙伴"),
            Words("both about the same", "两者差不多"),
        ),
        answer=1,
        why=Words(
            "W_Q and W_K turn the vectors before they are compared, and training turns them so "
            "that the match is useful for the task.",
            "比较之前，W_Q 和 W_K 先把向量转了方向；训练会把它们转到对任务有用的方向。",
        ),
    ),
    Question(
        key="05.5",
        text=Words(
            "Now one matrix serves as W_Q and as W_K. a looks for b, b for c, c for a. Whom does "
            "a symbol look at?",
            "现在 W_Q 和 W_K 共用一个矩阵。a 找 b，b 找 c，c 找 a。一个符号会看向谁？",
        ),
        options=(
            Words("Only at the one it looks for.", "只看它要找的那个。"),
            Words(
                "At the one it looks for, and as much at the one that looks for it.",
                "看它要找的，也同样多地看正在找它的。",
            ),
            Words("At itself.", "看它自己。"),
        ),
        answer=1,
        why=Words(
            "Its scores are symmetric: whoever makes a see b makes b see a just as well. So the "
            "weight is shared between the two neighbours in the ring.",
            "它的分数是对称的：让 a 看见 b，b 也就同样看见 a。于是权重分给了环上的两个邻居。",
        ),
    ),
)
