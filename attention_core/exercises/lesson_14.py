"""Lesson 14: close the loop: all of attention from an empty cell, and a review."""

import numpy as np

from attention_core.attention import attention
from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words
from attention_core.softmax import softmax

__all__ = ["EXERCISES", "QUESTIONS"]


def my_softmax(scores):
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


def my_attention(q, k, v, allowed):
    scores = q @ k.T / np.sqrt(q.shape[-1])
    scores = np.where(allowed, scores, -np.inf)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exps / exps.sum(axis=-1, keepdims=True)
    return weights @ v


def my_heads(x, w_q, w_k, w_v, w_o, h):
    q, k, v = (np.split(x @ w, h, axis=-1) for w in (w_q, w_k, w_v))
    heads = [attention(*one_head)[0] for one_head in zip(q, k, v, strict=True)]
    return np.concatenate(heads, axis=-1) @ w_o


def _draw(rng, *shape):
    return rng.normal(size=shape).round(1)


def _softmax_cases():
    rng = np.random.default_rng(14)
    return [
        (np.array([[1.0, 2.0]]),),
        (np.array([[2.0, 0.0, 1.0], [0.0, 3.0, -1.0]]),),
        (np.array([[1000.0, 1001.0], [0.0, 2.0], [-1001.0, -1000.0]]),),
        (_draw(rng, 5, 3),),
    ]


def _attention_cases():
    rng = np.random.default_rng(14)
    causal = np.tri(3, dtype=bool)
    first = (
        np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]]),
        np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]]),
        causal,
    )
    return [
        first,
        (_draw(rng, 3, 5), _draw(rng, 3, 5), _draw(rng, 3, 5), causal),
        (_draw(rng, 2, 5), _draw(rng, 7, 5), _draw(rng, 7, 3), np.tri(2, 7, 5, dtype=bool)),
    ]


def _layer_cases():
    rng = np.random.default_rng(15)

    def case(n, d_model, h, d_head):
        width = h * d_head
        shapes = ((n, d_model), *((d_model, width),) * 3, (width, d_model))
        return (*(_draw(rng, *shape) for shape in shapes), h)

    return [case(2, 4, 2, 2), case(3, 6, 2, 3), case(5, 6, 3, 2)]


def _with(scores_of, weights_of=softmax):
    def wrong(q, k, v, allowed):
        return weights_of(scores_of(q, k, allowed)) @ v

    return wrong


def _bare(scores):
    exps = np.exp(scores)
    return exps / exps.sum(axis=-1, keepdims=True)


def _scaled(q, k):
    return q @ k.T / np.sqrt(q.shape[-1])


def _masked_afterwards(q, k, v, allowed):
    return (softmax(_scaled(q, k)) * allowed) @ v


def _keys_returned(q, k, v, allowed):
    return softmax(np.where(allowed, _scaled(q, k), -np.inf)) @ k


def _layer(x, w_q, w_k, w_v, w_o, h, split=None, join=None, scale=None):
    def halves(y):
        return np.split(y, h, axis=-1)

    split = split or halves
    parts = zip(split(x @ w_q), split(x @ w_k), split(x @ w_v), strict=True)
    heads = [attention(*part, scale=scale)[0] for part in parts]
    return join(heads) if join else np.concatenate(heads, axis=-1) @ w_o


def _bare_reshape(x, w_q, w_k, w_v, w_o, h):
    def split(y):
        return y.reshape(h, len(y), -1)

    return _layer(x, w_q, w_k, w_v, w_o, h, split=split)


def _without_w_o(x, w_q, w_k, w_v, w_o, h):
    return _layer(x, w_q, w_k, w_v, w_o, h, join=lambda heads: np.concatenate(heads, axis=-1))


def _averaged(x, w_q, w_k, w_v, w_o, h):
    rows = len(w_o) // h
    return _layer(x, w_q, w_k, w_v, w_o, h, join=lambda heads: sum(heads) / h @ w_o[:rows])


def _stacked(x, w_q, w_k, w_v, w_o, h):
    return _layer(x, w_q, w_k, w_v, w_o, h, join=lambda heads: np.concatenate(heads) @ w_o)


def _one_wide_head(x, w_q, w_k, w_v, w_o, h):
    return attention(x @ w_q, x @ w_k, x @ w_v)[0] @ w_o


def _model_scale(x, w_q, w_k, w_v, w_o, h):
    return _layer(x, w_q, w_k, w_v, w_o, h, scale=w_q.shape[1] ** -0.5)


MY_SOFTMAX = Exercise(
    name="my_softmax",
    lesson="14",
    solution=my_softmax,
    cases=_softmax_cases,
    mistakes=(
        Mistake(
            lambda scores: my_softmax(scores.T).T,
            Words(
                "The columns sum to 1. Each row belongs to one query: use the last axis. (Lesson "
                "07)",
                "现在是列的和为 1。每一行属于一个查询，请用最后一个轴。（第 07 课）",
            ),
        ),
        Mistake(
            _bare,
            Words(
                "Right until the scores get large: then e to the power overflows. Subtract the "
                "maximum of each row first. (Lesson 07)",
                "分数一大就会溢出。先减去每一行的最大值。（第 07 课）",
            ),
        ),
        Mistake(
            lambda scores: np.exp(scores - scores.max(axis=-1, keepdims=True)),
            Words(
                "The exponentials are there; the division by the sum of the row is missing. "
                "(Lesson 07)",
                "指数有了，还没有除以这一行的和。（第 07 课）",
            ),
        ),
        Mistake(
            lambda scores: np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum(),
            Words(
                "One sum for the whole matrix. Each row has a sum of its own: axis=-1, "
                "keepdims=True. (Lesson 07)",
                "整个矩阵共用了一个和。每一行应当有自己的和：axis=-1, keepdims=True。（第 07 课）",
            ),
        ),
        Mistake(
            lambda scores: _bare(scores - scores.max()),
            Words(
                "One maximum for the whole matrix: rows far below it underflow to 0 / 0. Subtract "
                "the maximum of each row. (Lesson 07)",
                "整个矩阵共用了一个最大值：离它很远的行会下溢成 0 / 0。应当减去每一行的最大值。"
                "（第 07 课）",
            ),
        ),
        Mistake(
            lambda scores: scores / scores.sum(axis=-1, keepdims=True),
            Words(
                "Divided, but never exponentiated: negative scores give negative shares. (Lesson "
                "07)",
                "只做了除法，没有取指数：负的分数会得到负的份额。（第 07 课）",
            ),
        ),
    ),
    hints=(
        Words(
            "Maximum of each row, exponential, sum of each row.",
            "每行的最大值，取指数，每行的和。",
        ),
        Words(
            "keepdims=True keeps the maximum and the sum as a column.",
            "keepdims=True 让最大值与和保持为一列。",
        ),
    ),
)

MY_ATTENTION = Exercise(
    name="my_attention",
    lesson="14",
    claims=("C14.1",),
    solution=my_attention,
    cases=_attention_cases,
    mistakes=(
        Mistake(
            _with(lambda q, k, allowed: np.where(allowed, q @ k.T, -np.inf)),
            Words(
                "The scores are not divided by √d_k. (Lesson 06)",
                "分数没有除以 √d_k。（第 06 课）",
            ),
        ),
        Mistake(
            _with(lambda q, k, allowed: np.where(allowed, q @ k.T / q.shape[-1] ** 1 / 2, -np.inf)),
            Words(
                "d_k ** 1 / 2 divides by d_k and by 2, not by the root. Write ** 0.5. (Lesson 06)",
                "d_k ** 1 / 2 是除以 d_k 再除以 2，不是平方根。请写 ** 0.5。（第 06 课）",
            ),
        ),
        Mistake(
            _with(lambda q, k, allowed: np.where(allowed, q @ k.T / np.sqrt(len(k)), -np.inf)),
            Words(
                "Divided by the root of the number of keys. The size of a query counts: "
                "q.shape[-1]. (Lesson 06)",
                "这里除以了键的个数的平方根。应当取查询的大小 q.shape[-1]。（第 06 课）",
            ),
        ),
        Mistake(
            _with(lambda q, k, allowed: _scaled(q, k)),
            Words(
                "The mask is not used: every query sees the future. (Lesson 08)",
                "没有用掩码：每个查询都看得见未来。（第 08 课）",
            ),
        ),
        Mistake(
            _with(lambda q, k, allowed: np.where(allowed, -np.inf, _scaled(q, k))),
            Words(
                "The mask is turned round: True means may look. (Lesson 08)",
                "掩码取反了：True 表示可见。（第 08 课）",
            ),
        ),
        Mistake(
            _with(lambda q, k, allowed: np.where(allowed, _scaled(q, k), 0)),
            Words(
                "Hidden scores were set to 0, and e to the power 0 is 1. Only −∞ hides. (Lesson "
                "08)",
                "被屏蔽的分数设成了 0，而 e 的 0 次方是 1。只有 −∞ 才能屏蔽。（第 08 课）",
            ),
        ),
        Mistake(
            _masked_afterwards,
            Words(
                "The mask came after softmax, so the rows no longer sum to 1. Put it before. "
                "(Lesson 08)",
                "softmax 之后才用掩码，行的和不再是 1。应当放在前面。（第 08 课）",
            ),
        ),
        Mistake(
            _with(lambda q, k, allowed: q @ k.T),
            Words(
                "Two steps are missing: dividing by √d_k and the mask. (Lessons 06 and 08)",
                "少了两步：除以 √d_k，以及掩码。（第 06、08 课）",
            ),
        ),
        Mistake(
            _with(lambda q, k, allowed: np.where(allowed, _scaled(k, q), -np.inf)),
            Words(
                "The scores are transposed: rows must be queries, columns keys, so q @ k.T. "
                "(Lesson 04)",
                "分数转置了：行是查询，列是键，所以是 q @ k.T。（第 04 课）",
            ),
        ),
        Mistake(
            attention,
            Words(
                "Output and weights were returned. Return the output alone.",
                "这里返回了输出和权重。只返回输出。",
            ),
        ),
        Mistake(
            _keys_returned,
            Words(
                "The weights are right, but keys are mixed instead of values. (Lesson 03)",
                "权重是对的，但混合的是键，不是值。（第 03 课）",
            ),
        ),
        Mistake(
            _with(
                lambda q, k, allowed: np.where(allowed, _scaled(q, k), -np.inf),
                lambda scores: softmax(scores, axis=0),
            ),
            Words(
                "Softmax ran over the queries. Each row must sum to 1. (Lesson 07)",
                "softmax 沿查询方向做了。应当让每一行的和为 1。（第 07 课）",
            ),
        ),
    ),
    hints=(
        Words(
            "Five steps: compare, scale, mask, share out, mix.",
            "五步：比较、缩放、屏蔽、分配、混合。",
        ),
        Words(
            "Compare: q @ k.T. Mask: np.where(allowed, scores, -np.inf).",
            "比较：q @ k.T。屏蔽：np.where(allowed, scores, -np.inf)。",
        ),
        Words(
            "Share out with my_softmax, mix with weights @ v.",
            "用 my_softmax 分配，用 weights @ v 混合。",
        ),
    ),
)

MY_HEADS = Exercise(
    name="my_heads",
    lesson="14",
    solution=my_heads,
    cases=_layer_cases,
    mistakes=(
        Mistake(
            _bare_reshape,
            Words(
                "A bare reshape cuts across the tokens. Each head needs its own columns of every "
                "token. (Lesson 12)",
                "直接 reshape 会把不同词元切到一起。每个头应取每个词元的一段列。（第 12 课）",
            ),
        ),
        Mistake(
            _without_w_o,
            Words(
                "The heads are laid side by side, but W_O is missing: it mixes what they bring. "
                "(Lesson 12)",
                "各个头拼接好了，但还缺 W_O：它把各头带回的内容混合起来。（第 12 课）",
            ),
        ),
        Mistake(
            _averaged,
            Words(
                "The heads were averaged. They are laid side by side, then multiplied by W_O. "
                "(Lesson 11)",
                "这里把各个头平均了。应当拼接起来，再乘 W_O。（第 11 课）",
            ),
        ),
        Mistake(
            _stacked,
            Words(
                "The heads were put below one another, as if there were more tokens. Each token "
                "gets wider: axis=-1. (Lesson 11)",
                "各头被上下摞在一起，好像词元变多了。应该是每个词元变宽：axis=-1。（第 11 课）",
            ),
        ),
        Mistake(
            _one_wide_head,
            Words(
                "This is one wide head. With h heads there are h matrices of weights. (Lesson 11)",
                "这是一个很宽的头。h 个头就有 h 个权重矩阵。（第 11 课）",
            ),
        ),
        Mistake(
            _model_scale,
            Words(
                "Scaled by the width of all heads together. Each head divides by the root of its "
                "own width. (Lesson 06)",
                "按所有头的总宽度缩放了。每个头应除以自己宽度的平方根。（第 06 课）",
            ),
        ),
    ),
    hints=(
        Words(
            "Project x three times, cut each result into h pieces along the last axis.",
            "把 x 投影三次，每个结果沿最后一个轴切成 h 段。",
        ),
        Words(
            "np.split(y, h, axis=-1) gives the pieces; np.concatenate lays the outputs side by "
            "side.",
            "np.split(y, h, axis=-1) 给出各段；np.concatenate 把输出拼接起来。",
        ),
        Words(
            "Each head is attention of its three pieces; at the end multiply by w_o.",
            "每个头就是对自己的三段做 attention；最后乘 w_o。",
        ),
    ),
)

EXERCISES = (MY_SOFTMAX, MY_ATTENTION, MY_HEADS)

QUESTIONS = (
    Question(
        key="14.1",
        text=Words("What does attention do for each token?", "注意力为每个词元做什么？"),
        options=(
            Words("It gives the word a relevance score", "给这个词打一个相关度分数"),
            Words(
                "It decides from where to take how much, and takes it",
                "决定从哪里取、取多少，并把内容取来",
            ),
            Words("It sorts the words", "给词排序"),
        ),
        answer=1,
        why=Words(
            "The scores are only the way to the mixture. Back to lesson 00.",
            "分数只是通向混合结果的途径。参见第 00 课。",
        ),
    ),
    Question(
        key="14.2",
        text=Words(
            "X is (10, 16), W_V is (16, 5). What is the shape of V?",
            "X 是 (10, 16)，W_V 是 (16, 5)。V 是什么形状？",
        ),
        options=(
            "(10, 5)",
            "(16, 5)",
            "(5, 10)",
        ),
        answer=0,
        why=Words(
            "One row per token, one column per feature of the value. Back to lesson 01.",
            "每个词元一行，值的每个特征一列。参见第 01 课。",
        ),
    ),
    Question(
        key="14.3",
        text=Words("Must d_k and d_v be equal?", "d_k 和 d_v 必须相等吗？"),
        options=(
            Words("Yes, always", "必须"),
            Words("No, though they often are", "不必，只是通常相等"),
        ),
        answer=1,
        why=Words(
            "Queries and keys must agree in d_k; values may have any width. Back to lesson 01.",
            "查询与键的 d_k 必须一致，值的宽度可以任取。参见第 01 课。",
        ),
    ),
    Question(
        key="14.4",
        text=Words("Which of these is learned and kept?", "下面哪个是学来并保存的？"),
        options=(
            "Q",
            "W_K",
            "A",
        ),
        answer=1,
        why=Words(
            "Q and A are made anew in each forward pass. Back to lesson 02.",
            "Q 和 A 在每次前向计算时重新产生。参见第 02 课。",
        ),
    ),
    Question(
        key="14.5",
        text=Words(
            "Two tokens have the same x. What about their queries?",
            "两个词元的 x 相同。它们的查询呢？",
        ),
        options=(
            Words("Equal", "相同"),
            Words("Different", "不同"),
        ),
        answer=0,
        why=Words(
            "All tokens share W_Q, so equal x gives equal q. Back to lesson 02.",
            "所有词元共用 W_Q，x 相同则 q 相同。参见第 02 课。",
        ),
    ),
    Question(
        key="14.6",
        text=Words("You change V and nothing else. What moves?", "只改 V，其他不动。什么会变？"),
        options=(
            Words("The weights", "权重"),
            Words("The output", "输出"),
            Words("Both", "两者都变"),
        ),
        answer=1,
        why=Words(
            "Q and K alone make the weights. Back to lesson 03.",
            "权重只由 Q 和 K 决定。参见第 03 课。",
        ),
    ),
    Question(
        key="14.7",
        text=Words("Why are K and V separate?", "为什么 K 和 V 要分开？"),
        options=(
            Words("To save memory", "为了省内存"),
            Words(
                "What makes a place worth reading need not be what it hands over",
                "判断值不值得看的特征，不一定是要交出去的内容",
            ),
            Words("Otherwise the shapes would not fit", "否则形状对不上"),
        ),
        answer=1,
        why=Words(
            "Sharing makes address and content compete for the same dimensions. Back to lesson 03.",
            "共用会让地址和内容争抢同样的维度。参见第 03 课。",
        ),
    ),
    Question(
        key="14.8",
        text=Words(
            "Q is (4, 8), K is (6, 8). What is the shape of QKᵀ?",
            "Q 是 (4, 8)，K 是 (6, 8)。QKᵀ 是什么形状？",
        ),
        options=(
            "(4, 6)",
            "(8, 8)",
            "(6, 4)",
        ),
        answer=0,
        why=Words(
            "Rows are queries, columns are keys; the 8 is summed away. Back to lesson 04.",
            "行是查询，列是键，大小为 8 的维度在求和时消失。参见第 04 课。",
        ),
    ),
    Question(
        key="14.9",
        text=Words("What is the right word before softmax?", "softmax 之前应当叫什么？"),
        options=(
            Words("attention weight", "注意力权重"),
            Words("attention score, or logit", "注意力分数，或 logit"),
        ),
        answer=1,
        why=Words(
            "Weights are what softmax makes of the scores. Back to lesson 04.",
            "权重是 softmax 之后的叫法。参见第 04 课。",
        ),
    ),
    Question(
        key="14.10",
        text=Words(
            "Token i attends strongly to j. Does j attend strongly to i?",
            "词元 i 强烈关注 j。j 也一定强烈关注 i 吗？",
        ),
        options=(
            Words("Yes", "一定"),
            Words("Not necessarily", "不一定"),
        ),
        answer=1,
        why=Words(
            "W_Q W_Kᵀ need not be symmetric. Back to lesson 05.",
            "W_Q W_Kᵀ 不必对称。参见第 05 课。",
        ),
    ),
    Question(
        key="14.11",
        text=Words(
            "Entries of q and k are independent, mean 0, variance 1, d_k = 100. The standard "
            "deviation of q·k?",
            "q 和 k 的各维独立，均值 0，方差 1，d_k = 100。q·k 的标准差是多少？",
        ),
        options=(
            "1",
            "10",
            "100",
        ),
        answer=1,
        why=Words("The root of 100. Back to lesson 06.", "100 的平方根。参见第 06 课。"),
    ),
    Question(
        key="14.12",
        text=Words("What is the danger of large logits?", "logits 很大有什么危险？"),
        options=(
            Words(
                "Softmax saturates, many queries get hardly any gradient",
                "softmax 饱和，许多查询几乎得不到梯度",
            ),
            Words("The weights no longer sum to 1", "权重之和不再是 1"),
            Words("None", "没有危险"),
        ),
        answer=0,
        why=Words(
            "They still sum to 1, but nearly everything goes to one key. Back to lesson 06.",
            "和仍是 1，但几乎全归一个键。参见第 06 课。",
        ),
    ),
    Question(
        key="14.13",
        text=Words(
            "5 is added to every score of one row. What happens to its weights?",
            "给某一行的每个分数都加 5。这一行的权重会怎样？",
        ),
        options=(
            Words("Nothing", "不变"),
            Words("They grow", "变大"),
            Words("They become sharper", "变尖锐"),
        ),
        answer=0,
        why=Words(
            "Softmax sees only differences. Back to lesson 07.", "softmax 只看差。参见第 07 课。"
        ),
    ),
    Question(
        key="14.14",
        text=Words(
            "The columns of A sum to 1, the rows do not. What went wrong?",
            "A 的列和为 1，行和却不是。哪里错了？",
        ),
        options=(
            Words("Nothing", "没错"),
            Words("Softmax over the wrong axis", "softmax 的轴错了"),
            Words("The mask is missing", "缺少掩码"),
        ),
        answer=1,
        why=Words(
            "A row is how one query shares out its reading. Back to lesson 07.",
            "一行表示一个查询怎样分配自己的阅读。参见第 07 课。",
        ),
    ),
    Question(
        key="14.15",
        text=Words("Why −∞ and not 0 for a hidden score?", "被屏蔽的分数为什么用 −∞，而不用 0？"),
        options=(
            Words("0 is slower", "用 0 更慢"),
            Words(
                "e to the power 0 is 1: the place would still be read",
                "e 的 0 次方是 1：那个位置仍会被读到",
            ),
            Words("There is no difference", "没有区别"),
        ),
        answer=1,
        why=Words(
            "Only e to the power −∞ is 0. Back to lesson 08.",
            "只有 e 的 −∞ 次方才是 0。参见第 08 课。",
        ),
    ),
    Question(
        key="14.16",
        text=Words(
            "A future key matches best of all. What weight does it get under a causal mask?",
            "某个未来的键匹配得最好。有因果掩码时它的权重是多少？",
        ),
        options=(
            Words("The largest", "最大"),
            Words("A small one", "很小"),
            Words("Exactly 0", "恰好是 0"),
        ),
        answer=2,
        why=Words(
            "The mask says allowed or not, not related or not. Back to lesson 08.",
            "掩码说的是能不能看，不是相不相关。参见第 08 课。",
        ),
    ),
    Question(
        key="14.17",
        text=Words(
            "The training loss is below the entropy of the language. What do you suspect?",
            "训练损失低于这种语言的熵。你会怀疑什么？",
        ),
        options=(
            Words("A very good model", "模型特别好"),
            Words("The model reads the answer", "模型看到了答案"),
        ),
        answer=1,
        why=Words(
            "Nobody can predict better than the language is predictable. Back to lesson 08.",
            "预测再准，也准不过语言本身允许的程度。参见第 08 课。",
        ),
    ),
    Question(
        key="14.18",
        text=Words("When do you round in a computation by hand?", "手算时什么时候舍入？"),
        options=(
            Words("After each step", "每一步之后"),
            Words("At the end", "到最后"),
        ),
        answer=1,
        why=Words(
            "Rounded weights made 1.75 of 1.7587. Back to lesson 09.",
            "先舍入权重，1.7587 就成了 1.75。参见第 09 课。",
        ),
    ),
    Question(
        key="14.19",
        text=Words(
            "In cross-attention, where do K and V come from?", "交叉注意力里，K 和 V 来自哪里？"
        ),
        options=(
            Words("The decoder", "解码器"),
            Words("The encoder", "编码器"),
            Words("One from each", "各来自一边"),
        ),
        answer=1,
        why=Words(
            "The decoder asks, the encoder is read. Back to lesson 10.",
            "解码器提问，编码器被读。参见第 10 课。",
        ),
    ),
    Question(
        key="14.20",
        text=Words(
            "Eight heads have identical matrices. What are they worth?",
            "八个头的矩阵完全相同。它们相当于什么？",
        ),
        options=(
            Words("Eight heads", "八个头"),
            Words("One head", "一个头"),
        ),
        answer=1,
        why=Words(
            "The same routing eight times brings nothing new. Back to lesson 11.",
            "同样的路由重复八次，没有新东西。参见第 11 课。",
        ),
    ),
    Question(
        key="14.21",
        text=Words("Who decides what a head is for?", "一个头负责什么，由谁决定？"),
        options=(
            Words("The programmer", "程序员"),
            Words("Training, and the seed it starts from", "训练，以及起始的随机种子"),
        ),
        answer=1,
        why=Words(
            "Another seed gives the job to another head. Back to lesson 11.",
            "换一个种子，任务就落到另一个头上。参见第 11 课。",
        ),
    ),
    Question(
        key="14.22",
        text=Words(
            "d_model = 512, h = 8. How wide is one head?", "d_model = 512，h = 8。一个头有多宽？"
        ),
        options=(
            "8",
            "64",
            "512",
        ),
        answer=1,
        why=Words(
            "512 / 8; concatenated, the heads are 512 wide again. Back to lesson 12.",
            "512 / 8；拼接后又是 512。参见第 12 课。",
        ),
    ),
    Question(
        key="14.23",
        text=Words(
            "x is reshaped to (h, n, d_head) without a transpose. What happens?",
            "不做转置，直接把 x 变形为 (h, n, d_head)。会怎样？",
        ),
        options=(
            Words("An error", "报错"),
            Words("The right shape and wrong numbers", "形状对，数值错"),
            Words("Nothing: that is right", "没问题，就该这样"),
        ),
        answer=1,
        why=Words(
            "A head would get pieces of different tokens. Back to lesson 12.",
            "一个头会拿到不同词元的碎片。参见第 12 课。",
        ),
    ),
    Question(
        key="14.24",
        text=Words("What is the output O?", "输出 O 是什么？"),
        options=(
            Words("An updated V", "更新后的 V"),
            Words("A new representation of each token", "每个词元的新表示"),
            Words("A mixture of keys", "键的混合"),
        ),
        answer=1,
        why=Words("V stays as it was. Back to lesson 13.", "V 保持原样。参见第 13 课。"),
    ),
)
