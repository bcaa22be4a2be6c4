"""The matrices of softmax(QKᵀ/√d_k + M)V as explorers show them: each kind declared once."""

from typing import NamedTuple

import numpy as np

from attention_core.drawing.numbers import cell_text, weight_text
from attention_core.explorers.widgets import Check, Frame, Matrix, Preset
from attention_core.explorers.widgets.typeset import formula
from attention_core.language import KEY, QUERY, Words, say
from attention_core.masks import causal_mask, combine_masks, padding_mask

FEATURE_AXIS = Words("feature", "特征")
DIMENSION = Words("dimension", "维")
_FRACTION = '<span class="frac"><span>{}</span><span>{}</span></span>'
_SYMBOL_S = formula("S")


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


def _projection(letter, low, en, zh, asks_en, asks_zh):
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
    )  # fmt: skip
    return {f"W{letter}": w, letter: vectors}


KINDS = {
    "X": Kind(
        "X", "tf", (Words("token", "词元"), FEATURE_AXIS),
        about=Words("one row for each token: its features.", "每个词元一行：它的特征。"),
        words=Words("{row}, feature {col}: given. It feeds the query, the key and the value of "
                    "{row}.", "{row} 的特征 {col}：给定。它决定 {row} 的查询、键和值。"),
    ),
    **_projection("Q", "q", "query", "查询", "what does a token look for?", "一个词元在找什么？"),
    **_projection("K", "k", "key", "键", "by what is a token found?", "凭什么找到一个词元？"),
    **_projection("V", "v", "value", "值", "what does a token hand over?", "一个词元交出什么？"),
    "S": Kind(
        "S", "rc", (QUERY, KEY), made="Q[r,k] K[c,k]", equation="= Q K^T",
        sum="{me} = {q:r}·{k:c} = {Q[r,k]·K[c,k]} = {=}",
        about=Words("the raw scores: one for each pair of a reader and a source.",
                    "原始分数：每一对读者和来源一个。"),
        words=Words("The query of {row} meets the key of {col}: their dot product is the score.",
                    "{row} 的查询遇到 {col} 的键：两者的点积就是分数。"),
    ),
    "M": Kind(
        "M", "rc", (QUERY, KEY),
        about=Words("the mask: 0 leaves a score alone, −∞ hides the source from the reader.",
                    "掩码：0 不改变分数，−∞ 让读者看不到这个来源。"),
        words=Words("{row} may read {col}. A click or Space hides it.",
                    "{row} 可以读 {col}。点一下或按空格，把它遮住。"),
        hidden_words=Words("{col} is hidden from {row}. A click or Space shows it.",
                           "{row} 看不到 {col}。点一下或按空格，让它可见。"),
    ),
    "Z": Kind(
        "S/√d_k + M", "rc", (QUERY, KEY), made="S[r,c] M[r,c]",
        sum=_FRACTION.format("{S:rc}", formula("√d_k")) + " + {M:rc} = "
        + _FRACTION.format("{S[r,c]}", "{root}") + " + {M[r,c]} = {=}",
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
        about=Words("one mixture of values for each reader.", "每个读者得到一份混合的值。"),
        words=Words("Dimension {j} of the output of {row}: all values, mixed by the weights of "
                    "its row.", "{row} 的输出，第 {j} 维：所有的值，按这一行的权重混合。"),
    ),
}  # fmt: skip


def fraction(above, below):
    """Return the HTML of a fraction, for templates of `Matrix.sum`."""
    return _FRACTION.format(above, below)


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
    given = {
        **({"made": k.made, "equation": k.equation, "sum": k.sum} if start is None else {}),
        "about": say_open(k.about),
        "words": say_open(k.words), "hidden_words": say_open(k.hidden_words), "reads": k.reads,
        "row_axis": say(k.axes[0]), "col_axis": say(k.axes[1]),
    }  # fmt: skip
    given = {"symbol": k.symbol, **given, **changes}
    return Matrix(given.pop("symbol"), rows, cols, start, **given)


def say_open(words):
    """Return words in the language in use, their {places} still open."""
    return say(Words(words.en.replace("{", "{{").replace("}", "}}"),
                     words.zh.replace("{", "{{").replace("}", "}}")))  # fmt: skip


def scaled_only():
    """Return what differs in Z where no mask is shown: the scores, divided, and nothing added."""
    return {
        "symbol": "S/√d_k",
        "made": "S[r,c]",
        "sum": _FRACTION.format("{S:rc}", formula("√d_k"))
        + " = "
        + _FRACTION.format("{S[r,c]}", "{root}")
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
    total = _FRACTION.format("{q:r}·{k:c}", formula("√d_k")) + " + {M:rc} = "
    total += _FRACTION.format("{Q[r,k]·K[c,k]}", "{root}") + " + {M[r,c]} = {=}"
    return {"made": "Q[r,k] K[c,k] M[r,c]", "sum": total}


def alone(allowed):
    """Return the cells of rows that may look at one key only: their share is 1 in any case."""
    return allowed & (allowed.sum(axis=-1, keepdims=True) == 1)


def weights_frame(weights, allowed=None, **more):
    """Return the frame of attention weights; what the mask hides is hatched."""
    if allowed is None:
        return Frame(weights, "weight", **more)
    return Frame(weights, "weight", hidden=~allowed, fixed=alone(allowed), **more)


def masked_frame(scores, allowed, **more):
    """Return the frame of scores with the mask added."""
    return Frame(scores, hidden=~allowed, **more)


def logits_title(scaled):
    """Return the symbol of what softmax gets, with or without the division."""
    return formula("S/√d_k + M" if scaled else "S + M")


def _window(n_q, n_k):
    return combine_masks(causal_mask(n_q, n_k), np.triu(np.ones((n_q, n_k), bool), n_k - n_q - 1))


def _padding(n_q, n_k):
    return np.broadcast_to(padding_mask([n_k - 1], n_k)[0], (n_q, n_k))


MASKS = {
    "none": (lambda n_q, n_k: np.ones((n_q, n_k), bool), Words("none", "无")),
    "causal": (causal_mask, Words("causal", "因果")),
    "padding": (_padding, Words("padding", "填充")),
    "causal+padding": (
        lambda *n: combine_masks(causal_mask(*n), _padding(*n)),
        Words("causal + padding", "因果 + 填充"),
    ),
    "window": (_window, Words("window", "窗口")),
}


def mask_preset(names=("none", "causal"), control="M"):
    """Return the choice between named masks; their size follows the mask on screen.

    Parameters
    ----------
    names : sequence of str
        Of `MASKS`; padding hides the last key, a window is two keys wide.
    control : str
        The matrix that is set.
    """
    options = {
        name: {control: lambda settings, make=MASKS[name][0]: make(*settings[control].shape)}
        for name in names
    }
    return Preset(say(Words("mask", "掩码")), options, [say(MASKS[name][1]) for name in names])


def scaling_check(value=True):
    """Return the switch for the division by √d_k."""
    return Check(say(Words("divide by $√d_k$", "除以 $√d_k$")), value)


_MOST = Words("{reader} reads mostly {source}: {weight}", "{reader} 主要读 {source}：{weight}")
_TIE = Words("{reader} reads {sources}: {weight} each", "{reader} 读 {sources}：各 {weight}")
_ALL = Words("{reader} reads all alike: {weight} each", "{reader} 平均地读：各 {weight}")
_NOTHING = Words("{reader} reads nothing", "{reader} 什么也没有读到")
_AND = Words(" and ", "和")


def reading_lines(weights, readers, sources):
    """Return for each reader what it reads mostly, in words.

    Examples
    --------
    >>> reading_lines(np.array([[0.2, 0.8]]), ["it"], ["animal", "street"])
    ['it reads mostly street: 0.80']
    """
    return [_reading(row, reader, sources) for row, reader in zip(weights, readers, strict=True)]


def _reading(row, reader, sources):
    top = row.max(initial=0)
    if top == 0:
        return say(_NOTHING, reader=reader)
    best = [source for w, source in zip(row, sources, strict=True) if top - w < 0.005]
    weight = weight_text(top)
    if len(best) == 1:
        return say(_MOST, reader=reader, source=best[0], weight=weight)
    if len(best) == len(row):
        return say(_ALL, reader=reader, weight=weight)
    listed = say(Words(", ", "、")).join(best[:-1]) + say(_AND) + best[-1]
    return say(_TIE, reader=reader, sources=listed, weight=weight)


def matrix_text(values, text=cell_text):
    """Return a matrix in one line: [1, 0; 0.33, 0.67]."""
    rows = (", ".join(text(x) for x in row) for row in np.atleast_2d(values))
    return f"[{'; '.join(rows)}]"


# The map on top: a symbol is a button that lights its matrix.


def symbol(name, written=None):
    """Return a symbol of the map: `name` is a matrix of the explorer."""
    kind = KINDS.get(name)
    written = written or (kind.symbol if kind else name)
    role = {"W": name[1:2].lower()}.get(
        name[:1], {"Q": "q", "K": "k", "V": "v", "O": "o"}.get(name.rstrip("12"), "n")
    )
    return (
        f'<button type="button" class="attn-sym" data-mat="{name}" data-role="{role}">'
        f"{formula(written)}</button>"
    )


def brace(name, level, written):
    """Return a brace under a part of the formula: what this part is called."""
    return (
        f'<span class="brace" style="--lv:{level}"><button type="button" data-mat="{name}">'
        f"{written}</button></span>"
    )


def formula_map(names):
    """Return softmax(QKᵀ/√d_k + M)V with a button for each matrix of the explorer.

    Parameters
    ----------
    names : collection of str
        The matrices that the explorer shows; with X the projections stand before the formula.
    """

    def sym(name, written=None):
        return symbol(name, written) if name in names else formula(written or name)

    def under(name, level, written):
        return brace(name, level, written) if name in names else ""

    lets = ""
    if "X" in names:
        rows = (f"{sym(m)} = {sym('X')} {sym('W' + m, 'W_' + m)}" for m in "QKV" if m in names)
        lets = f'<div class="lets">{"".join(f"<div>{row}</div>" for row in rows)}</div>'
    key = "KT" if "KT" in names else "K"
    scores = f'<span class="grp">{sym("Q")} {sym(key, "K^T")}{under("S", 0, _SYMBOL_S)}</span>'
    inner = f"{scores} / {formula('√d_k')}"
    scaled = say(Words("scaled", "缩放"))
    if "M" in names:
        inner = f"{inner} + {sym('M')}"
        scaled = say(Words("scaled, with mask", "缩放，加掩码"))
    weights = f"{formula('A')} {say(Words('weights', '权重'))}"
    logits = f'<span class="grp">{inner}{under("Z", 1, scaled)}</span>'
    shares = f'<span class="grp">softmax({logits}){under("A", 2, weights)}</span>'
    return f'{lets}<div class="main">{sym("O")} = {shares} {sym("V")}</div>'
