"""Lesson 15: look inside trained models."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words
from attention_core.softmax import softmax
from attention_core.trained import head_weights, load_head

__all__ = ["EXERCISES", "QUESTIONS"]


def previous_token_head(weights):
    shares = [np.diag(a, k=-1).mean() for a in weights]
    return int(np.argmax(shares))


def may_move(n, p, causal):
    return np.arange(n) >= p if causal else np.ones(n, bool)


def induction_target(ids, i):
    earlier = np.flatnonzero(ids[:i] == ids[i])
    return int(earlier[-1]) + 1 if len(earlier) else 0


def _stack(seed, n, order):
    """One head of each kind, in the given order, over faint noise."""
    kinds = {
        "next": 3 * np.eye(n, k=1),
        "previous": 3 * np.eye(n, k=-1),
        "own": 3 * np.eye(n),
        "first": 3 * np.eye(1, n).repeat(n, axis=0),
        "sharp": 9 * np.outer(np.eye(n)[0], np.eye(n)[n - 1]),
    }
    noise = np.random.default_rng(seed).normal(size=(len(order), n, n)).round(1) / 4
    return softmax(noise + [kinds[name] for name in order])


def _stack_cases():
    layer = [head_weights(load_head("encoder", "tired", 0, h)) for h in range(12)]
    return [
        (_stack(0, 3, ("own", "next", "previous", "first", "sharp")).round(2),),
        (_stack(2, 5, ("sharp", "first", "next", "previous", "own")),),
        (_stack(1, 7, ("previous", "sharp", "first", "own", "next"))[:, :5],),
        (np.array(layer),),
    ]


PREVIOUS_TOKEN_HEAD = Exercise(
    name="previous_token_head",
    lesson="15",
    claims=("C15.2",),
    solution=previous_token_head,
    cases=_stack_cases,
    mistakes=(
        Mistake(
            lambda weights: int(np.argmax([np.diag(a, k=1).mean() for a in weights])),
            Words(
                "This finds the head that looks at the next token. The previous one stands one "
                "place to the left: below the diagonal, k=-1.",
                "这样找到的是看后一个词元的头。前一个词元在左边一格：对角线下方，k=-1。",
            ),
        ),
        Mistake(
            lambda weights: int(np.argmax([np.diag(a).mean() for a in weights])),
            Words(
                "The main diagonal is each token looking at itself. Move one place: k=-1.",
                "主对角线是每个词元看自己。要移一格：k=-1。",
            ),
        ),
        Mistake(
            lambda weights: int(np.argmax([a[:, 0].mean() for a in weights])),
            Words(
                "Column 0 is the first token of the sentence, the same for every row. The "
                "previous token is another one in each row.",
                "第 0 列是句子的第一个词元，每一行都一样。而“前一个词元”每一行各不相同。",
            ),
        ),
        Mistake(
            lambda weights: int(np.argmax([a.max() for a in weights])),
            Words(
                "This finds the largest single weight, wherever it stands. Take only the weights "
                "on the previous token, and their mean.",
                "这样找到的是最大的单个权重，不管它在哪里。只取落在前一个词元上的权重，再求平均。",
            ),
        ),
        Mistake(
            lambda weights: max(float(np.diag(a, k=-1).mean()) for a in weights),
            Words(
                "This is the share itself. Asked is which head has it: the index, so argmax.",
                "这是占比本身。题目问的是哪个头：要的是编号，用 argmax。",
            ),
        ),
    ),
    hints=(
        Words(
            "In row i the previous token is column i − 1. Which diagonal is that?",
            "第 i 行的前一个词元是第 i − 1 列。这是哪条对角线？",
        ),
        Words(
            "np.diag(a, k=-1) takes the entries just below the main diagonal.",
            "np.diag(a, k=-1) 取出主对角线正下方的那些数。",
        ),
        Words(
            "One mean for each head, then np.argmax over the heads.",
            "每个头求一个平均值，再对所有头用 np.argmax。",
        ),
    ),
)

MAY_MOVE = Exercise(
    name="may_move",
    lesson="15",
    claims=("C15.4",),
    solution=may_move,
    cases=lambda: [(3, 1, True), (5, 2, False), (7, 6, True), (5, 0, True), (3, 2, False)],
    mistakes=(
        Mistake(
            lambda n, p, causal: np.arange(n) > p if causal else np.ones(n, bool),
            Words(
                "Row p itself is missing: the changed token reads its own key and value.",
                "漏掉了第 p 行：被改动的词元也会读到自己的键和值。",
            ),
        ),
        Mistake(
            lambda n, p, causal: np.arange(n) <= p if causal else np.ones(n, bool),
            Words(
                "Turned round: earlier rows cannot see what comes after them. From p on they can.",
                "方向反了：前面的行看不到后面的内容，从第 p 行起才看得到。",
            ),
        ),
        Mistake(
            lambda n, p, causal: np.arange(n) == p if causal else np.ones(n, bool),
            Words(
                "Later rows read the changed token, too. So they may move as well as row p.",
                "后面的行也会读到被改动的词元，所以不只是第 p 行会变。",
            ),
        ),
        Mistake(
            lambda n, p, causal: np.arange(n) >= p,
            Words(
                "Without a mask every row may read every token, so every row may move.",
                "没有掩码时，每一行都能读到所有词元，所以每一行都可能变。",
            ),
        ),
        Mistake(
            lambda n, p, causal: np.ones(n, bool),
            Words(
                "With the causal mask the rows before p cannot know of the change.",
                "有因果掩码时，第 p 行之前的行不可能知道这个改动。",
            ),
        ),
    ),
    hints=(
        Words(
            "Which rows may look at column p? Draw the mask for n = 3.",
            "哪些行可以看第 p 列？画出 n = 3 的掩码试试。",
        ),
        Words(
            "With the causal mask, row i sees the columns up to i: compare np.arange(n) with p.",
            "有因果掩码时，第 i 行能看到第 i 列为止：把 np.arange(n) 与 p 相比。",
        ),
    ),
)

INDUCTION_TARGET = Exercise(
    name="induction_target",
    lesson="15",
    claims=("C15.2",),
    solution=induction_target,
    cases=lambda: [
        (np.array([5, 7, 2, 5]), 3),
        (np.array([3, 8, 6, 2, 7]), 3),
        (np.array([4, 9, 4, 1, 8, 4]), 5),
        (np.array([1, 3, 8, 3, 6, 3, 1]), 3),
    ],
    mistakes=(
        Mistake(
            lambda ids, i: max(induction_target(ids, i) - 1, 0),
            Words(
                "This is the earlier place of the same token. The head looks one further on: at "
                "what followed it.",
                "这是同一个词元上次出现的位置。归纳头看的是它的后一格：当时接在后面的词元。",
            ),
        ),
        Mistake(
            lambda ids, i: next((j + 1 for j in range(i) if ids[j] == ids[i]), 0),
            Words(
                "This takes the first time the token stood there. Asked is the last time before i.",
                "这里取了最早的一次。要的是 i 之前最近的一次。",
            ),
        ),
        Mistake(
            lambda ids, i: next(j + 1 for j in range(len(ids)) if ids[j] == ids[i]),
            Words(
                "The search found place i itself. Only places before i count: ids[:i].",
                "这样会找到位置 i 自己。只能在 i 之前找：ids[:i]。",
            ),
        ),
        Mistake(
            lambda ids, i: int(ids[induction_target(ids, i)]),
            Words(
                "This is the number of the token. Asked is its place.",
                "这是词元的编号。题目要的是它的位置。",
            ),
        ),
        Mistake(
            lambda ids, i: next((j + 1 for j in range(i)[::-1] if ids[j] == ids[i]), i),
            Words(
                "A token that is new finds nothing to continue. Then the answer is 0: the head "
                "rests on the first token.",
                "新词元找不到可以接的内容。这时答案是 0：头停在第一个词元上。",
            ),
        ),
        Mistake(
            lambda ids, i: (
                int(next((j for j in range(len(ids))[::-1] if j != i and ids[j] == ids[i]), -1)) + 1
            ),
            Words(
                "A later occurrence was found. A decoder cannot look ahead: only places before i.",
                "这里找到了后面的位置。解码器不能往后看：只能看 i 之前。",
            ),
        ),
    ),
    hints=(
        Words(
            "Where before place i did the same number stand last?",
            "在位置 i 之前，同一个数最近一次出现在哪里？",
        ),
        Words(
            "np.flatnonzero(ids[:i] == ids[i]) lists the places; take the last one, plus 1.",
            "np.flatnonzero(ids[:i] == ids[i]) 列出这些位置；取最后一个，再加 1。",
        ),
    ),
)

EXERCISES = (PREVIOUS_TOKEN_HEAD, INDUCTION_TARGET, MAY_MOVE)

QUESTIONS = (
    Question(
        key="15.1",
        text=Words(
            "This head was picked because its row for `it` is easy to read. Where does it look "
            "most?",
            "特意选了这个头，因为它的 `it` 这一行很好懂。它看得最多的是哪里？",
        ),
        options=("because", "animal", "street", "it"),
        answer=1,
        why=Words(
            "At “animal”, with two thirds of its weight. Nobody told the head to do so.",
            "是“animal”，占了约三分之二的权重。没有人教这个头这样做。",
        ),
    ),
    Question(
        key="15.2",
        text=Words(
            "Independent entries give scaled scores a standard deviation of 1. What will 72 "
            "trained heads give?",
            "各维独立时，缩放后分数的标准差是 1。72 个训练好的头会是多少？",
        ),
        options=(
            Words("All close to 1", "都接近 1"),
            Words("Mostly below 1", "大多小于 1"),
            Words("Mostly above 1, some far above", "大多大于 1，有的大得多"),
        ),
        answer=2,
        why=Words(
            "After training the entries are no longer independent, nor is their variance 1: "
            "queries and keys match. How sharp a head is belongs to what it learned.",
            "训练之后，各维不再互相独立，方差也不再是 1：查询和键学会了互相匹配。"
            "权重该多集中，正是一个头要学的内容之一。",
        ),
    ),
    Question(
        key="15.3",
        text=Words(
            "A head gives nearly all of every row to the first token. How much does it hand on?",
            "一个头在每一行都把几乎全部权重给了第一个词元。它交出去多少内容？",
        ),
        options=(
            Words("Very much: the first token's value is the largest", "很多：第一个词元的值最大"),
            Words("As much as any head", "和别的头一样多"),
            Words("Very little: the first token's value is small", "很少：第一个词元的值很小"),
        ),
        answer=2,
        why=Words(
            "A row must sum to 1, even when there is nothing to fetch. The head puts its weight "
            "where the value is small. That is an attention sink.",
            "即使没有什么可取，一行的权重之和也必须是 1。这个头就把权重放到值很小的地方，"
            "这就是注意力汇。",
        ),
    ),
    Question(
        key="15.4",
        text=Words(
            "The last token is the second `is`. The head has learned to continue what it has seen "
            "before. Where does it look?",
            "最后一个词元是第二个 `is`。这个头学会了接着以前见过的内容往下走。它会看哪里？",
        ),
        options=("The", "password", "is", "blue"),
        answer=3,
        why=Words(
            "It looks at what came after “is” the first time. A head like this is called an "
            "induction head.",
            "它看的是第一个“is”后面的词元。这样的头叫做归纳头。",
        ),
    ),
    Question(
        key="15.5",
        text=Words(
            "In the decoder, `tired` (place 11 of 0 … 12) becomes `wide`. Which outputs change?",
            "在解码器里，把 `tired`（位置从 0 到 12，它在 11）换成 `wide`。哪些输出会变？",
        ),
        options=("0 … 12", "0 … 11", "11, 12", "12"),
        answer=2,
        why=Words(
            "The mask hides the changed word from all earlier rows. Their difference is exactly "
            "0, not just small.",
            "掩码让前面各行都看不到被改动的词。它们的差不只是很小，而是恰好为 0。",
        ),
    ),
    Question(
        key="15.6",
        text=Words(
            "With `wide`, a reader takes `it` to be the street. Where does the encoder's head look "
            "most now?",
            "换成 `wide` 以后，读者会把 `it` 理解为街道。编码器的这个头现在看得最多的是哪里？",
        ),
        options=("animal", "street", "[CLS]"),
        answer=2,
        why=Words(
            "The weight on “animal” falls by more than half, but “street” stays below it. The "
            "largest weight goes to the special first token.",
            "“animal”的权重降了一半多，但“street”仍比它低。最大的权重给了开头的特殊词元。",
        ),
    ),
    Question(
        key="15.7",
        text=Words(
            "Of the encoder's 72 heads, how many give `animal` the largest weight in the row of "
            "`it`?",
            "编码器的 72 个头里，有多少个在 `it` 这一行把最大的权重给了 `animal`？",
        ),
        options=("3", "18", "36", "60"),
        answer=0,
        why=Words(
            "Only three. Most look at the first token there. We had picked one of the three.",
            "只有三个，多数头在这里看的是第一个词元。我们之前选的正是这三个之一。",
        ),
    ),
)
