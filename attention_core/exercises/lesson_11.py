"""Lesson 11: run several heads at once."""

import numpy as np

from attention_core.attention import attention
from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words

__all__ = ["EXERCISES", "QUESTIONS"]


def one_head(x, w_q, w_k, w_v, h, i):
    d_head = w_q.shape[1] // h
    mine = slice(i * d_head, (i + 1) * d_head)
    return attention(x @ w_q[:, mine], x @ w_k[:, mine], x @ w_v[:, mine])[0]


def join_heads(heads, w_o):
    return np.concatenate(heads, axis=-1) @ w_o


def reorder_heads(w_q, w_k, w_v, w_o, order):
    columns = np.arange(len(w_o)).reshape(len(order), -1)
    moved = columns[order].ravel()
    return w_q[:, moved], w_k[:, moved], w_v[:, moved], w_o[moved]


def _draw(seed, *shapes):
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(size=shape).round(1) for shape in shapes)


def _head_cases():
    return [
        (*_draw(1, (2, 3), (3, 4), (3, 4), (3, 4)), 2, 1),
        (*_draw(2, (3, 5), (5, 4), (5, 4), (5, 4)), 2, 0),
        (*_draw(4, (3, 5), (5, 6), (5, 6), (5, 6)), 2, 1),
        (*_draw(3, (5, 7), (7, 6), (7, 6), (7, 6)), 3, 1),
    ]


def _join_cases():
    return [
        (np.array([[[1, 2]], [[3, 4]]]), np.array([[1, 0, 1], [0, 1, 0], [2, 0, 0], [0, 0, 1]])),
        _draw(5, (2, 3, 2), (4, 5)),
        _draw(6, (3, 2, 5), (15, 7)),
    ]


def _order_cases():
    whole = np.arange(20).reshape(5, 4)
    first = (whole, -whole, 2 * whole, whole.T, np.array([1, 0]))
    return [
        first,
        (*_draw(7, (7, 6), (7, 6), (7, 6), (6, 7)), np.array([2, 0, 1])),
        (*_draw(8, (13, 12), (13, 12), (13, 12), (12, 13)), np.array([1, 3, 0, 2])),
    ]


def _mine(w, h, i):
    return slice(i * w.shape[1] // h, (i + 1) * w.shape[1] // h)


def _head_by(columns, **options):
    """The head made of the columns that columns(w, h, i) names."""

    def head(x, w_q, w_k, w_v, h, i):
        q, k, v = (x @ w[:, columns(w, h, i)] for w in (w_q, w_k, w_v))
        return attention(q, k, v, **options)[0]

    return head


def _full_scale(x, w_q, w_k, w_v, h, i):
    return _head_by(_mine, scale=w_q.shape[1] ** -0.5)(x, w_q, w_k, w_v, h, i)


def _full_width(x, w_q, w_k, w_v, h, i):
    return attention(x @ w_q, x @ w_k, x @ w_v)[0]


def _cut_afterwards(x, w_q, w_k, w_v, h, i):
    return _full_width(x, w_q, w_k, w_v, h, i)[:, _mine(w_v, h, i)]


def _keys_for_values(x, w_q, w_k, w_v, h, i):
    return _head_by(_mine)(x, w_q, w_k, w_k, h, i)


def _both_results(x, w_q, w_k, w_v, h, i):
    mine = _mine(w_q, h, i)
    return attention(x @ w_q[:, mine], x @ w_k[:, mine], x @ w_v[:, mine])


def _only_weights(x, w_q, w_k, w_v, h, i):
    mine = _mine(w_q, h, i)
    return attention(x @ w_q[:, mine], x @ w_k[:, mine], x @ w_v[:, mine])[1]


def _moved(w_o, order):
    return np.arange(len(w_o)).reshape(len(order), -1)[order].ravel()


def _keep_w_o(w_q, w_k, w_v, w_o, order):
    moved = _moved(w_o, order)
    return w_q[:, moved], w_k[:, moved], w_v[:, moved], w_o


def _columns_of_w_o(w_q, w_k, w_v, w_o, order):
    moved = _moved(w_o, order)
    return w_q[:, moved], w_k[:, moved], w_v[:, moved], w_o[:, moved]


def _single_columns(w_q, w_k, w_v, w_o, order):
    return w_q[:, order], w_k[:, order], w_v[:, order], w_o[order]


def _values_only(w_q, w_k, w_v, w_o, order):
    moved = _moved(w_o, order)
    return w_q, w_k, w_v[:, moved], w_o[moved]


def _back_again(w_q, w_k, w_v, w_o, order):
    moved = _moved(w_o, order)
    return w_q[:, moved], w_k[:, moved], w_v[:, moved], w_o[np.argsort(moved)]


def _the_other_way(w_q, w_k, w_v, w_o, order):
    return reorder_heads(w_q, w_k, w_v, w_o, np.argsort(order))


ONE_HEAD = Exercise(
    name="one_head",
    lesson="11",
    claims=("C11.1", "C11.3"),
    solution=one_head,
    cases=_head_cases,
    mistakes=(
        Mistake(
            _head_by(lambda w, h, i: _mine(w, h, 0)),
            Words(
                "This is always the first head: i is not used. Head i starts at column i * d_head.",
                "这里得到的总是第一个头：没有用到 i。头 i 从第 i * d_head 列开始。",
            ),
        ),
        Mistake(
            _head_by(lambda w, h, i: slice(i, i + w.shape[1] // h)),
            Words(
                "The slice starts at column i. Before head i stand i whole heads, so it starts at "
                "i * d_head.",
                "切片从第 i 列开始了。头 i 前面有 i 个完整的头，所以要从 i * d_head 开始。",
            ),
        ),
        Mistake(
            _head_by(lambda w, h, i: slice(i, None, h)),
            Words(
                "Every h-th column was taken. The columns of one head stand side by side.",
                "这里每隔 h 列取一列。同一个头的各列是挨在一起的。",
            ),
        ),
        Mistake(
            _full_scale,
            Words(
                "The scores were divided by the root of the full width. A dot product in a head "
                "has d_head terms: divide by √d_head.",
                "分数除以了整个宽度的平方根。一个头里的点积只有 d_head 项，应当除以 √d_head。",
            ),
        ),
        Mistake(
            _head_by(_mine, scale=1.0),
            Words(
                "The scores were not scaled. In a head, too, they are divided by √d_head; "
                "attention does it for you.",
                "分数没有缩放。在一个头里也要除以 √d_head；直接用 attention 就会缩放。",
            ),
        ),
        Mistake(
            _both_results,
            Words(
                "attention returns two things, the mixture and the weights. Only the first is "
                "asked: [0].",
                "attention 返回两样东西：聚合结果和权重。这里只要第一个：[0]。",
            ),
        ),
        Mistake(
            _full_width,
            Words(
                "All columns were used, so this is one wide head. Cut W_Q, W_K and W_V first.",
                "这里用了所有的列，得到的是一个很宽的头。要先从 W_Q、W_K、W_V 中取出自己的列。",
            ),
        ),
        Mistake(
            _cut_afterwards,
            Words(
                "One wide attention was computed and its result cut. Then every head shares the "
                "same weights. Cut before the scores, so that head i has its own.",
                "这里先算了一次很宽的注意力，再把结果切开，于是所有头的权重都一样。"
                "要在算分数之前切，头 i 才有自己的权重。",
            ),
        ),
        Mistake(
            _keys_for_values,
            Words(
                "The mixture is made of keys. Keys only help to find; what is mixed is x @ w_v.",
                "这里混合的是键。键只负责匹配，被混合的是 x @ w_v。",
            ),
        ),
        Mistake(
            _only_weights,
            Words(
                "These are the weights of the head. Asked is what it brings: the first result of "
                "attention.",
                "这是这个头的权重。要的是它取回的内容，也就是 attention 的第一个返回值。",
            ),
        ),
    ),
    hints=(
        Words(
            "How wide is one head? The columns of w_q, shared among h heads.",
            "一个头有多宽？把 w_q 的列平均分给 h 个头。",
        ),
        Words(
            "Its columns are i * d_head up to (i + 1) * d_head, in all three matrices.",
            "三个矩阵都取第 i * d_head 列到第 (i + 1) * d_head 列（不含）。",
        ),
        Words(
            "Project x with these columns and call attention; [0] is the mixture.",
            "用这些列投影 x，再调用 attention；取 [0] 就是聚合结果。",
        ),
    ),
)

JOIN_HEADS = Exercise(
    name="join_heads",
    lesson="11",
    claims=("C11.2",),
    solution=join_heads,
    cases=_join_cases,
    mistakes=(
        Mistake(
            lambda heads, w_o: np.mean(heads, axis=0),
            Words(
                "The heads were averaged. Averaging blends what they found; here they stand side "
                "by side, and W_O decides what to make of them.",
                "这里对各头取了平均。平均会把各头的结果搅在一起；正确做法是并排拼接，"
                "再由 W_O 决定怎么用。",
            ),
        ),
        Mistake(
            lambda heads, w_o: np.concatenate(heads, axis=-1),
            Words(
                "Joined, but not yet mixed: W_O is missing.",
                "拼接对了，但还没有混合：少了 W_O。",
            ),
        ),
        Mistake(
            lambda heads, w_o: np.concatenate(heads, axis=0) @ w_o,
            Words(
                "The heads were put below one another, as if there were more tokens. Each token "
                "gets wider: axis=-1.",
                "各头被上下摞在一起，好像词元变多了。应该是每个词元变宽：axis=-1。",
            ),
        ),
        Mistake(
            lambda heads, w_o: np.reshape(heads, (np.shape(heads)[1], -1)) @ w_o,
            Words(
                "reshape alone cuts across tokens: a row then holds pieces of several tokens. Lay "
                "the rows of the heads side by side.",
                "只用 reshape 会把不同词元的内容切到同一行。应当把各头的同一行并排放在一起。",
            ),
        ),
        Mistake(
            lambda heads, w_o: np.concatenate(heads[::-1], axis=-1) @ w_o,
            Words(
                "The heads stand in reverse order, so each meets another head's rows of W_O.",
                "各头的顺序反了，每个头都乘到了别的头的 W_O 行上。",
            ),
        ),
        Mistake(
            lambda heads, w_o: np.concatenate(heads, axis=-1) @ w_o / len(heads),
            Words(
                "This is divided by the number of heads. Nothing is averaged here: W_O is learned "
                "and sets the sizes itself.",
                "这里多除了头的个数。这一步不取平均：大小由学到的 W_O 自己决定。",
            ),
        ),
        Mistake(
            lambda heads, w_o: np.stack(heads, -1).reshape(len(heads[0]), -1) @ w_o,
            Words(
                "The features of the heads were interleaved: 1, 1, 2, 2 … All features of head 1 "
                "come first, then those of head 2.",
                "各头的特征被交错排列了。应当先放头 1 的全部特征，再放头 2 的。",
            ),
        ),
    ),
    hints=(
        Words(
            "h results of shape (n, d_head) become one of shape (n, h * d_head).",
            "h 个形状为 (n, d_head) 的结果，要变成一个 (n, h * d_head)。",
        ),
        Words(
            "np.concatenate puts arrays together; axis=-1 makes rows longer.",
            "np.concatenate 负责拼接；axis=-1 让每一行变长。",
        ),
        Words(
            "np.concatenate(heads, axis=-1), then @ w_o",
            "先 np.concatenate(heads, axis=-1)，再 @ w_o",
        ),
    ),
)

REORDER_HEADS = Exercise(
    name="reorder_heads",
    lesson="11",
    claims=("C11.4",),
    solution=reorder_heads,
    cases=_order_cases,
    mistakes=(
        Mistake(
            _keep_w_o,
            Words(
                "W_O stayed as it was, so each head now meets another head's rows and the output "
                "changes. Move the rows of W_O along.",
                "W_O 没有动，于是每个头都乘到了别的头的那几行，输出会变。W_O 的行也要一起换。",
            ),
        ),
        Mistake(
            _columns_of_w_o,
            Words(
                "The columns of W_O were moved. Heads meet the rows of W_O; its columns belong to "
                "the features of the output.",
                "这里换了 W_O 的列。与头对应的是 W_O 的行，列对应的是输出的特征。",
            ),
        ),
        Mistake(
            _single_columns,
            Words(
                "Only one column for each head was taken. A head owns a block of d_head columns, "
                "and the whole block moves.",
                "每个头只取了一列。一个头占有 d_head 列，要整块一起移动。",
            ),
        ),
        Mistake(
            _values_only,
            Words(
                "The values moved, but queries and keys did not: the weights of one head now mix "
                "the values of another.",
                "只换了值，没有换查询和键：一个头的权重去混合了另一个头的值。",
            ),
        ),
        Mistake(
            _back_again,
            Words(
                "W_O was moved the opposite way. It follows the same order as the columns of the "
                "other three.",
                "W_O 换的方向反了。它的行要和另外三个矩阵的列用同一个顺序。",
            ),
        ),
        Mistake(
            _the_other_way,
            Words(
                "The output is the same, but the heads went the opposite way: place k should hold "
                "the old head order[k].",
                "输出没变，但各头移动的方向反了：新的第 k 个位置应当放原来的头 order[k]。",
            ),
        ),
    ),
    hints=(
        Words(
            "First the columns of each head: np.arange(width) cut into h rows of d_head.",
            "先写出每个头的列号：把 np.arange(宽度) 排成 h 行，每行 d_head 个。",
        ),
        Words(
            "Pick those rows in the new order and flatten: one list of column numbers.",
            "按新的顺序取这些行，再摊平，就得到一串列号。",
        ),
        Words(
            "The same list serves for the columns of W_Q, W_K, W_V and for the rows of W_O.",
            "同一串号码，既用于 W_Q、W_K、W_V 的列，也用于 W_O 的行。",
        ),
    ),
)

EXERCISES = (ONE_HEAD, JOIN_HEADS, REORDER_HEADS)

QUESTIONS = (
    Question(
        key="11.1",
        text=Words(
            "Twelve heads of one layer look at the same sentence. Each has a row of weights for "
            "`it`. What will the twelve rows be like?",
            "同一层有 12 个头，看的是同一个句子。对词元 `it`，每个头都有一行权重。"
            "这 12 行会是什么样？",
        ),
        options=(
            Words("All nearly the same", "几乎都一样"),
            Words("Different: they read in several places", "各不相同，看的地方不止一处"),
            Words("Half of them read back, half ahead", "一半读前面，一半读后面"),
        ),
        answer=1,
        why=Words(
            "Each head makes its own queries and keys, so each has its own idea of a match. Some "
            "may agree all the same.",
            "每个头都有自己的查询和键，“匹配”的含义也就各不相同；不过，有几个头看法相近也不奇怪。",
        ),
    ),
    Question(
        key="11.2",
        text=Words(
            "All three heads get the same W_Q, W_K and W_V. What do they bring, compared with one?",
            "三个头的 W_Q、W_K、W_V 完全相同。与一个头相比，它们能多带来什么？",
        ),
        options=(
            Words("Three times as much detail", "三倍的细节"),
            Words("A more reliable average", "更可靠的平均"),
            Words("Nothing: the same result three times", "什么也没有：同一个结果出现三次"),
        ),
        answer=2,
        why=Words(
            "Nothing in the computation is random. Same input and same matrices give the same "
            "numbers, and the average of three equal numbers is that number.",
            "计算中没有随机的成分。输入和矩阵都相同，结果就相同；三个相等的数取平均，还是那个数。",
        ),
    ),
    Question(
        key="11.3",
        text=Words(
            "In head 1 both tokens read only themselves, in head 2 only each other. Somebody shows "
            "you nothing but the average of the two weight matrices. What do you see?",
            "在头 1 中，两个词元都只读自己；在头 2 中，都只读对方。"
            "如果只给你看这两个权重矩阵的平均，你会看到什么？",
        ),
        options=(
            Words("Everybody reads everybody: 0.5 everywhere", "谁都读谁：处处是 0.5"),
            Words("Everybody reads itself", "都只读自己"),
            Words("Zeros: they cancel out", "全是 0：互相抵消了"),
        ),
        answer=0,
        why=Words(
            "1 and 0 average to 0.5 in all four places. No head reads like that: the average hides "
            "both.",
            "四个位置都是 1 和 0 的平均，即 0.5。可是没有哪个头这样读：平均把两个头都掩盖了。",
        ),
    ),
    Question(
        key="11.4",
        text=Words(
            "Put the heads into another order: the columns of W_Q, W_K, W_V, and with them the "
            "rows of W_O. What happens to the output?",
            "把头换个顺序：W_Q、W_K、W_V 的列换，W_O 的行也跟着换。输出会怎样？",
        ),
        options=(
            Words("It stays the same", "不变"),
            Words("Its rows change places", "行的次序变了"),
            Words("Its columns change places", "列的次序变了"),
        ),
        answer=0,
        why=Words(
            "The output is a sum with one term for each head. The order of a sum does not matter.",
            "输出是一个和，每个头占一项。求和与次序无关。",
        ),
    ),
    Question(
        key="11.5",
        text=Words(
            "Two heads are trained to find the words 1 back and 3 back. Which head will look 1 "
            "back?",
            "训练两个头，分别去找前面第 1 个词和前面第 3 个词。哪个头会负责“前面第 1 个”？",
        ),
        options=(
            Words("The first: it comes first", "第一个头，因为它排在前面"),
            Words("Both do both", "两个头都兼顾"),
            Words("Nobody can say beforehand: the seed decides", "事先说不准，由随机种子决定"),
        ),
        answer=2,
        why=Words(
            "The loss is the same whichever head does it. The random start tips the balance.",
            "由哪个头来做，损失都一样。是随机的起点决定了结果。",
        ),
    ),
    Question(
        key="11.6",
        text=Words(
            "Now both heads start from the same numbers. What will training make of them?",
            "这次让两个头从完全相同的数字开始。训练之后会怎样？",
        ),
        options=(
            Words("They share out the two jobs all the same", "照样会分工"),
            Words("They stay equal, bit for bit", "始终一模一样，一位都不差"),
            Words("One of them becomes zero", "其中一个变成 0"),
        ),
        answer=1,
        why=Words(
            "Equal heads get equal gradients, so they take equal steps, for ever.",
            "相同的头得到相同的梯度，于是每一步都相同，永远分不开。",
        ),
    ),
)
