"""Lesson 08: hide the future."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words
from attention_core.masks import causal_mask
from attention_core.softmax import softmax

__all__ = ["EXERCISES", "QUESTIONS"]


def no_future(n):
    i = np.arange(n)
    return i[:, None] >= i


def masked_weights(scaled, allowed):
    return softmax(np.where(allowed, scaled, -np.inf))


def hide_padding(lengths, n_k):
    j = np.arange(n_k)
    return j < lengths[:, None, None]


def future_share(weights):
    future = np.triu(weights, k=1)
    return future.sum(axis=-1).mean()


NO_FUTURE = Exercise(
    name="no_future",
    lesson="08",
    claims=("C8.1",),
    solution=no_future,
    cases=lambda: [(1,), (2,), (3,), (5,)],
    mistakes=(
        Mistake(
            lambda n: np.arange(n)[:, None] < np.arange(n),
            Words(
                "True stands where looking is forbidden. In this course True means: may look.",
                "这里把 True 写在了不许看的位置。本课程中 True 表示可以看。",
            ),
        ),
        Mistake(
            lambda n: np.arange(n)[:, None] > np.arange(n),
            Words(
                "The diagonal is missing: a token may look at itself. As it stands, the first "
                "row sees nothing.",
                "缺了对角线：词元可以看自己。现在第一行什么都看不到。",
            ),
        ),
        Mistake(
            lambda n: np.arange(n)[:, None] <= np.arange(n),
            Words(
                "Upside down: every token looks at itself and the future. Rows are queries, so "
                "row i allows the columns up to i.",
                "方向反了：每个词元看到的是自己和未来。行是查询，第 i 行应当允许到第 i 列为止。",
            ),
        ),
        Mistake(
            lambda n: np.where(causal_mask(n), 0.0, -np.inf),
            Words(
                "That is M, the mask that is added. Asked for is the Boolean one: True where a "
                "query may look.",
                "这是用来相加的 M。题目要的是布尔掩码：可以看的位置为 True。",
            ),
        ),
        Mistake(
            lambda n: np.tri(n),
            Words(
                "The triangle is right, but it holds the numbers 1 and 0. With numbers nobody "
                "knows whether 1 allows or hides: compare, or use dtype=bool.",
                "三角形是对的，但里面是数字 1 和 0。用数字就说不清 1 是允许还是屏蔽："
                "改用比较运算，或者写 dtype=bool。",
            ),
        ),
        Mistake(
            lambda n: np.eye(n, dtype=bool),
            Words(
                "Every token sees only itself. It may also look at everything before.",
                "每个词元只看到了自己。它前面的也都可以看。",
            ),
        ),
    ),
    hints=(
        Words(
            "Query i may look at key j when j is not later than i.",
            "键 j 不晚于查询 i 时，i 可以看 j。",
        ),
        Words(
            "With i = np.arange(n), i[:, None] is a column of row numbers and i is a row of "
            "column numbers.",
            "令 i = np.arange(n)，则 i[:, None] 是一列行号，i 是一行列号。",
        ),
        Words("Compare the two with >=.", "用 >= 比较这两者。"),
    ),
)


def _scores(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).round(1)


def _masking_cases():
    wide = np.array([[True, True, False, True, False], [False, True, True, True, True]])
    return [
        (np.array([[2.0, 1.0, 3.0]]), np.array([[True, True, False]])),
        (np.array([[0.0, 1.0, 2000.0]]), np.array([[True, True, False]])),
        (np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[False, False], [True, True]])),
        (np.array([[1.0, 4.0, 2.0], [0.0, 3.0, 1.0]]), causal_mask(2, 3)),
        (_scores(8, 2, 5), wide),
    ]


def _renormalised(scaled, allowed):
    kept = softmax(scaled) * allowed
    return kept / kept.sum(axis=-1, keepdims=True)


MASKED_WEIGHTS = Exercise(
    name="masked_weights",
    lesson="08",
    claims=("C8.2", "C8.3"),
    solution=masked_weights,
    cases=_masking_cases,
    mistakes=(
        Mistake(
            lambda scaled, allowed: softmax(np.where(allowed, -np.inf, scaled)),
            Words(
                "The wrong half is hidden. True means: may look; −∞ belongs where `allowed` is "
                "False.",
                "屏蔽反了。True 表示可以看；`allowed` 为 False 的位置才填 −∞。",
            ),
        ),
        Mistake(
            lambda scaled, allowed: softmax(scaled * allowed),
            Words(
                "The hidden scores became 0, and e⁰ = 1 is a perfectly good share. Only −∞ gives "
                "the weight 0.",
                "被屏蔽的分数变成了 0，可 e⁰ = 1 照样能分到一份。只有 −∞ 才给出权重 0。",
            ),
        ),
        Mistake(
            lambda scaled, allowed: softmax(scaled) * allowed,
            Words(
                "Masked after softmax: the hidden keys had already taken their shares, so the "
                "rows no longer sum to 1. Mask first.",
                "在 softmax 之后才屏蔽：被屏蔽的键已经占了份额，各行的和不再是 1。应当先屏蔽。",
            ),
        ),
        Mistake(
            _renormalised,
            Words(
                "Nearly: the same formula on paper. But where a hidden score is very much larger, "
                "or a row sees nothing, this is 0 / 0. Put −∞ before softmax.",
                "差一点：从公式上看是一样的。但如果被屏蔽的分数大得多，或者一行什么都看不到，"
                "就成了 0 / 0。请在 softmax 之前填 −∞。",
            ),
        ),
        Mistake(
            lambda scaled, allowed: softmax(np.where(allowed, scaled, -1e9)),
            Words(
                "−10⁹ is very small, but it is a number: a row that sees nothing shares out 1 "
                "among hidden keys, and float16 cannot hold it. Use −np.inf.",
                "−10⁹ 虽然很小，毕竟还是一个数：什么都看不到的行会把 1 分给被屏蔽的键，"
                "而且 float16 装不下它。请用 −np.inf。",
            ),
        ),
        Mistake(
            lambda scaled, allowed: softmax(scaled + np.where(allowed, 0, -1e9)),
            Words(
                "Adding −10⁹ lowers all scores of a row that sees nothing alike, so its shares "
                "are those of a row without a mask. −np.inf leaves nothing to share.",
                "一行什么都看不到时，加 −10⁹ 只是把所有分数一起降低，份额就和没有掩码时一样。"
                "换成 −np.inf 才什么都不剩。",
            ),
        ),
        Mistake(
            lambda scaled, allowed: softmax(scaled + (1 - allowed) * -np.inf),
            Words(
                "Where the mask allows, (1 − 1) · (−∞) = 0 · ∞, which is no number. np.where "
                "chooses without multiplying.",
                "允许的位置上成了 (1 − 1) · (−∞) = 0 · ∞，这不是一个数。"
                "np.where 只挑选，不做乘法。",
            ),
        ),
        Mistake(
            lambda scaled, allowed: softmax(scaled),
            Words("The mask was not used at all.", "根本没有用到掩码。"),
        ),
        Mistake(
            lambda scaled, allowed: softmax(scaled + allowed),
            Words(
                "Adding True and False adds 1 and 0. What is added must be 0 where allowed and "
                "−∞ where not.",
                "直接加 True 和 False，加的是 1 和 0。应当是：允许的位置加 0，不允许的位置加 −∞。",
            ),
        ),
        Mistake(
            lambda scaled, allowed: softmax(softmax(np.where(allowed, scaled, -np.inf))),
            Words(
                "Softmax was applied twice. The second time turns the zeros into shares again: "
                "e⁰ = 1.",
                "做了两次 softmax。第二次又让那些 0 分到了份额：e⁰ = 1。",
            ),
        ),
        Mistake(
            lambda scaled, allowed: softmax(np.where(allowed, scaled, -np.inf), axis=0),
            Words(
                "Masked rightly, but the softmax ran down the columns. Each row is one query.",
                "屏蔽是对的，但 softmax 沿列做了。一行才是一个查询。",
            ),
        ),
    ),
    hints=(
        Words(
            "Two steps: −∞ where `allowed` is False, then softmax along the rows.",
            "分两步：`allowed` 为 False 的位置换成 −∞，再逐行做 softmax。",
        ),
        Words(
            "np.where(condition, a, b) takes a where the condition holds, and b elsewhere.",
            "np.where(条件, a, b)：条件成立处取 a，其余取 b。",
        ),
        Words(
            "The infinity of NumPy is np.inf; softmax(...) of the lesson knows what to do with "
            "−np.inf, even in a row of nothing else.",
            "NumPy 里的无穷大是 np.inf；本课的 softmax(...) 能处理 −np.inf，整行都是也没问题。",
        ),
    ),
)

HIDE_PADDING = Exercise(
    name="hide_padding",
    lesson="08",
    solution=hide_padding,
    cases=lambda: [
        (np.array([2]), 3),
        (np.array([1, 3]), 4),
        (np.array([0, 2, 5]), 5),
    ],
    mistakes=(
        Mistake(
            lambda lengths, n_k: (np.arange(n_k) < lengths[:, None])[:, :, None],
            Words(
                "The 1 is on the wrong side: (B, n, 1) hides queries. Keys are the last axis, so "
                "the shape is (B, 1, n_k).",
                "长度为 1 的轴放错了：(B, n, 1) 屏蔽的是查询。"
                "键是最后一个轴，形状应为 (B, 1, n_k)。",
            ),
        ),
        Mistake(
            lambda lengths, n_k: np.arange(n_k) >= lengths[:, None, None],
            Words(
                "True marks the padding. In this course True means: may look, so it belongs on "
                "the real tokens.",
                "True 标在了填充上。本课程中 True 表示可以看，应当标在真实的词元上。",
            ),
        ),
        Mistake(
            lambda lengths, n_k: np.arange(n_k) <= lengths[:, None, None],
            Words(
                "One too many: counted from 0, the last real key has the number length − 1.",
                "多了一个：从 0 数起，最后一个真实的键编号是 length − 1。",
            ),
        ),
        Mistake(
            lambda lengths, n_k: np.arange(n_k) >= n_k - lengths[:, None, None],
            Words(
                "These are the last keys of each sentence; here the padding stands at the end, so "
                "the first ones are real.",
                "这里留下的是每句最后的几个键；题目里填充在末尾，真实的是前面的。",
            ),
        ),
        Mistake(
            lambda lengths, n_k: np.arange(n_k) < lengths,
            Words(
                "Each sentence needs a row of its own. Give the lengths the shape (B, 1, 1) first: "
                "lengths[:, None, None].",
                "每个句子都要有自己的一行。先把长度变成 (B, 1, 1) 的形状：lengths[:, None, None]。",
            ),
        ),
        Mistake(
            lambda lengths, n_k: np.arange(n_k) < lengths[:, None],
            Words(
                "The right entries, but of shape (B, n_k). Without an axis for the queries it "
                "would be taken for (n_q, n_k): make it (B, 1, n_k).",
                "数值是对的，但形状是 (B, n_k)。少了查询的轴，会被当成 (n_q, n_k)："
                "应为 (B, 1, n_k)。",
            ),
        ),
    ),
    hints=(
        Words(
            "Key number j is real when j is smaller than the length of its sentence.",
            "编号 j 小于句子长度的键是真实的。",
        ),
        Words(
            "lengths[:, None, None] has shape (B, 1, 1); compared with a row of n_k numbers it "
            "gives (B, 1, n_k).",
            "lengths[:, None, None] 的形状是 (B, 1, 1)；与一行 n_k 个数比较，得到 (B, 1, n_k)。",
        ),
    ),
)


def _leaking_cases():
    return [(softmax(_scores(n, n, n_k)),) for n, n_k in ((2, 2), (2, 3), (3, 5))]


FUTURE_SHARE = Exercise(
    name="future_share",
    lesson="08",
    claims=("C8.4",),
    solution=future_share,
    cases=_leaking_cases,
    mistakes=(
        Mistake(
            lambda weights: np.triu(weights).sum(axis=-1).mean(),
            Words(
                "The diagonal was counted, too. A token's own position is not its future: start "
                "one column later.",
                "把对角线也算进去了。词元自己的位置不算未来：要从右边一列开始。",
            ),
        ),
        Mistake(
            lambda weights: np.tril(weights, k=-1).sum(axis=-1).mean(),
            Words(
                "That is the share of the past. The future lies to the right of the diagonal.",
                "这是过去所占的份额。未来在对角线的右侧。",
            ),
        ),
        Mistake(
            lambda weights: np.triu(weights, k=1).sum(axis=-1),
            Words(
                "These are the shares of the single queries. One step is left: their mean.",
                "这是每个查询各自的份额，还差一步：求它们的平均。",
            ),
        ),
        Mistake(
            lambda weights: np.triu(weights, k=1).sum(),
            Words(
                "That is the sum over all queries. The question is the share of one query, on "
                "average.",
                "这是所有查询的总和。题目问的是平均每个查询的份额。",
            ),
        ),
        Mistake(
            lambda weights: np.triu(weights, k=1).mean(),
            Words(
                "The mean over all cells divides by the number of keys as well. Sum along each row "
                "first, then take the mean over the rows.",
                "对所有格子求平均，又多除了键的个数。先沿每一行求和，再对各行求平均。",
            ),
        ),
        Mistake(
            lambda weights: np.triu(weights[:, : len(weights)], k=1).sum(axis=-1).mean(),
            Words(
                "Right for square matrices. There may be more keys than queries, and the last "
                "columns are future for every row.",
                "对方阵是对的。但键可能比查询多，多出来的列对每一行都是未来。",
            ),
        ),
        Mistake(
            lambda weights: np.diagonal(weights, offset=1).mean(),
            Words(
                "That is only the next token. Everything later is future as well.",
                "这只算了紧接着的那个词元。更靠后的也都是未来。",
            ),
        ),
    ),
    hints=(
        Words(
            "Which cells of the matrix are the future? Those with j > i: above the diagonal.",
            "矩阵中哪些格子是未来？j > i 的那些，也就是对角线上方。",
        ),
        Words(
            "np.triu(weights, k=1) keeps exactly these and sets the others to 0.",
            "np.triu(weights, k=1) 正好留下这些，其余都变成 0。",
        ),
        Words(
            "Sum along each row, then the mean over the rows.",
            "先沿每一行求和，再对各行求平均。",
        ),
    ),
)

EXERCISES = (NO_FUTURE, MASKED_WEIGHTS, HIDE_PADDING, FUTURE_SHARE)

QUESTIONS = (
    Question(
        key="08.1",
        text=Words(
            "Under the causal mask, how much weight does the first token give to itself?",
            "加上因果掩码之后，第一个词元给自己多少权重？",
        ),
        options=(
            Words("That depends on its score.", "要看它的分数。"),
            Words("One third, with three tokens.", "共三个词元，所以是三分之一。"),
            Words("Exactly 1, always.", "总是恰好 1。"),
            "0",
        ),
        answer=2,
        why=Words(
            "It may look at one key only, itself. A single share of 1 is 1, whatever the score.",
            "它只看得到一个键，就是自己。只有一份，那就是整个 1，和分数无关。",
        ),
    ),
    Question(
        key="08.2",
        text=Words(
            "The key and the value of the last of three tokens become a million times larger. "
            "Which outputs change under the causal mask?",
            "三个词元中最后一个的键和值都变成原来的一百万倍。加了因果掩码时，哪些输出会变？",
        ),
        options=(
            Words("All three, the earlier ones a little.", "三个都变，前两个只变一点点。"),
            Words("Those whose query matches the new key.", "查询与新的键匹配的那些。"),
            Words("Only the last one.", "只有最后一个。"),
            Words("None.", "都不变。"),
        ),
        answer=2,
        why=Words(
            "For the first two the weight of that key is exactly 0, not small, and 0 times a "
            "million is 0. The last token may look at itself, so its output moves.",
            "对前两个来说，那个键的权重恰好是 0，而不是很小；0 乘以一百万还是 0。"
            "最后一个词元看得到自己，所以它的输出会变。",
        ),
    ),
    Question(
        key="08.3",
        text=Words(
            "A row has the scores [2, 1, 3], and the third key is to be hidden. Somebody writes 0 "
            "over its score, then applies softmax. What weight does it get?",
            "一行分数是 [2, 1, 3]，要屏蔽第三个键。有人把它的分数改成 0，再做 softmax。"
            "它得到多少权重？",
        ),
        options=(
            Words("exactly 0", "恰好 0"),
            Words("less than the others, but not 0", "比另外两个小，但不是 0"),
            Words("still the largest", "仍然最大"),
        ),
        answer=1,
        why=Words(
            "A score of 0 is just a score, and e⁰ = 1 gets its share. Were the other scores "
            "negative, it would even get the most.",
            "0 也只是一个分数，e⁰ = 1 照样分到一份。要是别的分数是负的，它反而分得最多。",
        ),
    ),
    Question(
        key="08.4",
        text=Words(
            "Four positions, the last two are padding; the padding mask hides these two keys. "
            "All scores are 0. What do the rows of the two padding queries look like?",
            "共四个位置，后两个是填充，填充掩码屏蔽了这两个键。所有分数都是 0。"
            "两个填充位置作为查询，它们的行是什么样？",
        ),
        options=("[0, 0, 0, 0]", "[0, 0, ½, ½]", "[½, ½, 0, 0]", "[¼, ¼, ¼, ¼]"),
        answer=2,
        why=Words(
            "The mask hides keys, that is, columns, from every query, padding or not. The rows of "
            "padding queries look like all others; their outputs are simply not used later.",
            "掩码对每个查询都屏蔽那几个键（列），不管查询本身是不是填充。"
            "填充查询的行和别的行一样，只是它们的输出以后不用。",
        ),
    ),
    Question(
        key="08.5",
        text=Words(
            "A model has learned to name the next token, without a mask. Now it meets new texts, "
            "shown whole as in training. How large is its loss?",
            "一个模型在没有掩码的情况下学会了预测下一个词元。现在给它看新的文本，"
            "和训练时一样一次给出全文。损失有多大？",
        ),
        options=(
            Words("far larger: now the cheating shows", "大得多：作弊露馅了"),
            Words("about as small as in training", "和训练时差不多小"),
            Words("as large as that of an untrained model", "和没训练过的模型一样大"),
        ),
        answer=1,
        why=Words(
            "It did not learn the training texts by heart; it learned to look one place to the "
            "right. New texts shown whole have their future there, too.",
            "它并没有背下训练文本，而是学会了往右看一格。新文本一次给全，未来同样就在那里。",
        ),
    ),
)
