"""The matrices of softmax(QKᵀ/√d_k + M)V as explorers show them: each kind declared once."""

from typing import NamedTuple

from attention_core.explorers.machine.words import say_open
from attention_core.explorers.widgets import Matrix
from attention_core.explorers.widgets.typeset import formula
from attention_core.language import KEY, QUERY, Words, say

FEATURE_AXIS = Words("feature", "特征")
DIMENSION = Words("dimension", "维")


def fraction(above, below):
    """Return the HTML of a fraction, for templates of `Matrix.sum`."""
    return f'<span class="frac"><span>{above}</span><span>{below}</span></span>'


class Kind(NamedTuple):
    """What is the same for a matrix in every explorer; see `Matrix`."""

    symbol: str
    reads: str
    axes: tuple
    made: str = ""
    equation: str = ""
    sum: str = ""
    about: Words = Words("", "")
    words: Words = Words("", "")
    hidden_words: Words = Words("", "")
    given: Words = Words("", "")  # instead of words, where the learner gives the numbers


def _projection(letter, en, zh, asks_en, asks_zh):
    """The kinds of W_Q, W_K, W_V and of Q, K, V."""
    w = Kind(
        f"W_{letter}", "f-", (FEATURE_AXIS, DIMENSION),
        about=Words(f"the projection to {en}: {asks_en} Parameters.",
                    f"到{zh}的投影：{asks_zh}这是参数。"),
        words=Words(f"How much the feature {{row}} adds to dimension {{j}} of every {en}.",
                    f"特征 {{row}} 给每个{zh}的第 {{j}} 维加多少。"),
    )  # fmt: skip
    vectors = Kind(
        letter, "r-" if letter == "Q" else "s-",
        (QUERY if letter == "Q" else KEY, DIMENSION),
        made=f"X[r,k] W{letter}[k,c]", equation=f"= X W_{letter}",
        sum=f"{{me}} = {{x:r}}·{{w{letter}:c}} = {{X[r,k]·W{letter}[k,c]}} = {{=}}",
        about=Words(f"one {en} for each token.", f"每个词元一个{zh}。"),
        words=Words(f"The {en} of {{row}}, dimension {{j}}: its features times column {{j}} "
                    f"of $W_{letter}$.",
                    f"{{row}} 的{zh}，第 {{j}} 维：它的特征乘 $W_{letter}$ 的第 {{j}} 列。"),
        given=Words(f"Dimension {{j}} of the {en} of {{row}}: given here, not computed.",
                    f"{{row}} 的{zh}，第 {{j}} 维：这里是直接给出的，不是算出来的。"),
    )  # fmt: skip
    return {f"W{letter}": w, letter: vectors}


KINDS = {
    "X": Kind(
        "X", "tf", (Words("token", "词元"), FEATURE_AXIS),
        about=Words("one row for each token: its features.", "每个词元一行：它的特征。"),
        words=Words("{row}, feature {col}: given. It feeds the query, the key and the value of "
                    "{row}.", "{row} 的特征 {col}：给定。它决定 {row} 的查询、键和值。"),
    ),
    **_projection("Q", "query", "查询", "what does a token look for?", "一个词元在找什么？"),
    **_projection("K", "key", "键", "by what is a token found?", "凭什么找到一个词元？"),
    **_projection("V", "value", "值", "what does a token hand over?", "一个词元交出什么？"),
    "S": Kind(
        "S", "rc", (QUERY, KEY), made="Q[r,k] K[c,k]", equation="= Q K^T",
        sum="{me} = {q:r}·{k:c} = {Q[r,k]·K[c,k]} = {=}",
        about=Words("the raw scores: one for each pair of a reader and a source.",
                    "原始分数：每一对查询和键一个。"),
        words=Words("The query of {row} meets the key of {col}: their dot product is the score.",
                    "{row} 的查询遇到 {col} 的键：两者的点积就是分数。"),
    ),
    "M": Kind(
        "M", "rc", (QUERY, KEY),
        about=Words("the mask: 0 leaves a score alone, −∞ hides the source from the reader.",
                    "掩码：0 不改变分数，−∞ 让查询看不到这个键。"),
        words=Words("{row} may read {col}. A click or Space hides it.",
                    "{row} 可以读 {col}。点一下或按空格，把它遮住。"),
        hidden_words=Words("{col} is hidden from {row}. A click or Space shows it.",
                           "{row} 看不到 {col}。点一下或按空格，让它可见。"),
    ),
    "Z": Kind(
        "S/√d_k + M", "rc", (QUERY, KEY), made="S[r,c] M[r,c]",
        sum=fraction("{S:rc}", formula("√d_k")) + " + {M:rc} = "
        + fraction("{S[r,c]}", "{root}") + " + {M[r,c]} = {=}",
        about=Words("the scores that softmax gets: scaled, with the mask added.",
                    "softmax 得到的分数：缩放之后，再加上掩码。"),
        words=Words("The score of {row} for {col}, divided by $√d_k$; the mask adds 0.",
                    "{row} 对 {col} 的分数除以 $√d_k$；掩码加 0。"),
        hidden_words=Words("The mask adds −∞: {col} is hidden from {row}.",
                           "掩码加了 −∞：{row} 看不到 {col}。"),
    ),
    "A": Kind(
        "A", "rc", (QUERY, KEY), made="Z[r,k]", equation="= softmax",
        sum="{me} = {softmax:Z} = {=}",
        about=Words("the attention weights: every row is shared out and adds up to 1.",
                    "注意力权重：每一行都由 softmax 分配，加起来等于 1。"),
        words=Words("{row} takes {=} of its reading from {col}; its row adds up to 1.",
                    "{row} 有 {=} 的份额读自 {col}；这一行加起来等于 1。"),
        hidden_words=Words("{col} is hidden from {row}: no weight at all.",
                           "{row} 看不到 {col}：没有权重。"),
    ),
    "O": Kind(
        "O", "r-", (QUERY, DIMENSION), made="A[r,k] V[k,c]", equation="= A V",
        sum="{me} = {A[r,k]·V[k,c]} = {=}",
        about=Words("one mixture of values for each reader.", "每个查询得到一份混合的值。"),
        words=Words("Dimension {j} of the output of {row}: all values, mixed by the weights of "
                    "its row.", "{row} 的输出，第 {j} 维：所有的值，按这一行的权重混合。"),
    ),
}  # fmt: skip


def matrix(kind, rows, cols, start=None, **changes):
    """Return a matrix of this kind, with its symbol, colour, links, arithmetic and words.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    rows, cols : sequences of str or int
        Labels, or how many.
    start : array_like, optional
        Makes it a control.
    **changes
        Whatever is different here; see `Matrix`.
    """
    k = KINDS[kind]
    words = k.given if start is not None and k.given.en else k.words
    given = {
        **({"made": k.made, "equation": k.equation, "sum": k.sum} if start is None else {}),
        "about": say_open(k.about), "words": say_open(words),
        "hidden_words": say_open(k.hidden_words), "reads": k.reads,
        "row_axis": say(k.axes[0]), "col_axis": say(k.axes[1]),
    }  # fmt: skip
    given = {"symbol": k.symbol, **given, **changes}
    return Matrix(given.pop("symbol"), rows, cols, start, **given)


def scaled_only():
    """Return what differs in Z where no mask is shown: the scores, divided, and nothing added."""
    return {
        "symbol": "S/√d_k",
        "made": "S[r,c]",
        "sum": fraction("{S:rc}", formula("√d_k"))
        + " = "
        + fraction("{S[r,c]}", "{root}")
        + " = {=}",
        "about": say(Words("the scaled scores that softmax gets.", "softmax 得到的缩放后的分数。")),
        "words": say_open(
            Words(
                "The score of {row} for {col}, divided by $√d_k$.",
                "{row} 对 {col} 的分数除以 $√d_k$。",
            )
        ),
    }


def logits_of_qk():
    """Return what differs in Z where S is not shown: the whole way from Q and K in one sum."""
    total = fraction("{q:r}·{k:c}", formula("√d_k")) + " + {M:rc} = "
    total += fraction("{Q[r,k]·K[c,k]}", "{root}") + " + {M[r,c]} = {=}"
    return {"made": "Q[r,k] K[c,k] M[r,c]", "sum": total}
