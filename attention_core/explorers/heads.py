"""Lesson 11: two heads of the running example, their mean, and their outputs side by side."""

import numpy as np

from attention_core.attention import attention
from attention_core.example import W_O, features, qkv, tokens
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Explorer,
    Frame,
    GuessCells,
    Matrix,
    Mission,
    Picture,
    Reading,
)
from attention_core.explorers.widgets.typeset import formula, typeset
from attention_core.heads import merge_heads
from attention_core.language import KEY, QUERY, Words, say
from attention_core.projections import project

_HEADS = Words("heads", "各头")
_OPTIONS = {
    "different": Words("as they are", "各自不同"),
    "alike": Words("both like head 0", "都与头 0 相同"),
    "exchanged": Words("exchanged", "对调"),
    "with_rows": Words("exchanged with $W_O$", "连同 $W_O$ 对调"),
}
_HEAD = Words("head {i}: what comes back.", "头 {i}：取回的内容。")
_HEAD_CELL = Words(
    "{row} in head {head}, dimension {j}: the values, mixed by the weights of this head.",
    "{row} 在头 {head} 里的第 {j} 维：所有的值，按这个头的权重混合。",
)
_WEIGHTS = Words("head {i}: who reads whom.", "头 {i}：谁读谁。")
_WEIGHT_CELL = Words(
    "In head {head} {row} takes {=} of its reading from {col}.",
    "在头 {head} 里，{row} 有 {=} 的份额读自 {col}。",
)
_BLOCKS = (
    Words("the rows of $W_O$ that meet head 0. Parameters.",
          "$W_O$ 中与头 0 相乘的几行。这是参数。"),
    Words("the rows of $W_O$ that meet head 1: half of those of head 0, so that an exchange of the "
          "heads shows in $O$. Parameters.",
          "$W_O$ 中与头 1 相乘的几行：是头 0 那几行的一半，两个头对调，$O$ 就会变。这是参数。"),
)  # fmt: skip
_HALF = Words("$W_O^{i}$, half", "$W_O^{i}$，一半")
_BLOCK_CELL = Words(
    "How much dimension {i} of head {head} adds to the feature {col}.",
    "头 {head} 的第 {i} 维给特征 {col} 加多少。",
)
_MEAN = Words("the mean of both maps, for comparison.", "两张权重图的平均，用来比较。")
_MEAN_CELL = Words(
    "The mean of both heads for {row} and {col}: neither head reads like this.",
    "两个头对 {row} 和 {col} 的平均：没有哪个头是这样读的。",
)
_SENTENCE = Words(
    "Weights of “{it}”: head 0 {first}; head 1 {second}; their mean {mean}. Output {output}.",
    "“{it}”的权重：头 0 {first}；头 1 {second}；平均 {mean}。输出 {output}。",
)
_IN_HEAD = Words("Head 1: {line}", "头 1：{line}")
_GUESS = Words(
    "Guess first: both heads get the queries and keys of head 0. Mark the cells of $A_0$, $A_1$ "
    "and $O$ that change.",
    "先猜：两个头都用头 0 的查询和键。标出 $A_0$、$A_1$、$O$ 里会变的格子。",
)
_SAME = Words(
    "Exchange the heads so that no number of $O$ moves.", "把两个头对调，让 $O$ 一个数也不变。"
)
_ONE = Words("Make the mean of the heads equal to head 0.", "让两个头的平均等于头 0。")


class Heads(Explorer):
    """Two heads read the same tokens; W_O, cut into two blocks, lets them meet."""

    def compute(self, Q0, K0, Q1, K1, V, WO0, WO1):
        (h0, a0), (h1, a1) = attention(Q0, K0, V), attention(Q1, K1, V)
        joined = merge_heads(np.stack([h0, h1]))
        return {
            "A0": a0, "A1": a1, "H0": h0, "H1": h1, "mean": (a0 + a1) / 2,
            "O": project(joined, np.vstack([WO0, WO1])),
        }  # fmt: skip

    def picture(self, result, settings):
        frames = {name: machine.weights_frame(result[name]) for name in ("A0", "A1", "mean")}
        frames |= {name: Frame(result[name]) for name in ("H0", "H1", "O")}
        frames |= _blocks(settings["WO0"], settings["WO1"])
        rows = {
            name: machine.matrix_text(result[key][2], machine.weight_text)
            for name, key in {"first": "A0", "second": "A1", "mean": "mean"}.items()
        }
        output = machine.matrix_text(result["O"])
        sentence = say(_SENTENCE, it=tokens()[2], output=output, **rows)
        lines = [
            say(_IN_HEAD, line=line)
            for line in machine.reading_lines(result["A1"], tokens(), tokens())
        ]
        return Picture(frames, sentence, lines)


def _blocks(first, second):
    """Both blocks of W_O; one that counts half says so."""
    titles = [
        typeset(say(_HALF, i=i)) if np.array_equal(2 * one, other) and one.any() else ""
        for i, (one, other) in enumerate(((first, second), (second, first)))
    ]
    return {f"WO{i}": Frame(x, title=titles[i]) for i, x in enumerate((first, second))}


def heads_explorer():
    """Edit the queries and keys of two heads, exchange them, and see what their mean hides.

    Returns
    -------
    Explorer
        `result` holds the weights A0 and A1, the outputs H0 and H1 of the heads, the mean of the
        weights, and the output O.
    """
    words, names, found = tokens(), features(), features("v")
    (q0, k0, v), (q1, k1, _) = qkv(head=0), qkv(head=1)
    first, second = np.split(W_O, 2)
    blocks = [first, second / 2]  # equal blocks would not notice that heads change places
    different = {"Q0": q0, "K0": k0, "Q1": q1, "K1": k1}
    parts = {
        "heads": machine.named_values(_HEADS, _OPTIONS, _presets(different, blocks)),
        "V": machine.matrix("V", words, found, v),
        "mean": Matrix(
            "(A_0 + A_1)/2", words, words, role="a", reads="rc", made="A0[r,c] A1[r,c]",
            sum="{me} = ({A0[r,c]} + {A1[r,c]}) / 2 = {=}", row_axis=say(QUERY),
            col_axis=say(KEY), about=say(_MEAN), words=machine.say_open(_MEAN_CELL),
        ),
        "O": machine.matrix(
            "O", words, names, equation="= H_0 W_O^0 + H_1 W_O^1", hide="r",
            made="H0[r,k] WO0[k,c] H1[r,k] WO1[k,c]",
            sum="{me} = {H0[r,k]·WO0[k,c]} + {H1[r,k]·WO1[k,c]} = {=}",
        ),
        "reading": Reading("A1", values="V", output="H1"),
    }  # fmt: skip
    for i, (q, k) in enumerate(((q0, k0), (q1, k1))):
        parts |= _head(i, q, k, words, found) | {f"WO{i}": _block(i, found, names, blocks[i])}
    return Heads(
        parts,
        [["Q0", "K0", "A0", "H0", "WO0"], ["Q1", "K1", "A1", "H1", "WO1"], ["calc"],
         ["V", "mean", "O", "reading"], ["changes"]],
        missions=(
            GuessCells(say(_GUESS), {"heads": "alike"}, ("A0", "A1", "O")),
            Mission(say(_SAME), lambda r, s: s["heads"] == "with_rows"),
            Mission(say(_ONE), lambda r, s: bool(np.allclose(r["mean"], r["A0"]))),
        ),
        selected=("A1", 2, 0),
    )  # fmt: skip


def _presets(different, blocks):
    """What each arrangement of the heads sets."""
    exchanged = {name: different[name[0] + {"0": "1", "1": "0"}[name[1]]] for name in different}
    kept = {"WO0": blocks[0], "WO1": blocks[1]}
    swapped = {"WO0": blocks[1], "WO1": blocks[0]}
    alike = {name: different[name[0] + "0"] for name in different}
    return {
        "different": different | kept,
        "alike": alike | kept,
        "exchanged": exchanged | kept,
        "with_rows": exchanged | swapped,
    }


def _head(i, q, k, words, found):
    """The queries, keys, weights and output of one head."""
    return {
        f"Q{i}": machine.matrix("Q", words, 2, q, symbol=f"Q_{i}"),
        f"K{i}": machine.matrix("K", words, 2, k, symbol=f"K_{i}", hide="r"),
        f"A{i}": machine.matrix(
            "A", words, words, symbol=f"A_{i}", made=f"Q{i}[r,k] K{i}[*,k]",
            sum=f"{{me}} = softmax({{q:r}} {formula('K^T/√d_k')})<sub>{{j}}</sub> = {{=}}",
            about=say(_WEIGHTS, i=i), words=machine.say_open(_WEIGHT_CELL, head=i), then="$·V$ →",
        ),
        f"H{i}": machine.matrix(
            "O", words, found, symbol=f"H_{i}", equation=f"= A_{i} V", made=f"A{i}[r,k] V[k,c]",
            sum=f"{{me}} = {{A{i}[r,k]·V[k,c]}} = {{=}}", about=say(_HEAD, i=i),
            words=machine.say_open(_HEAD_CELL, head=i), hide="r", then="·",
        ),
    }  # fmt: skip


def _block(i, found, names, block):
    return Matrix(
        f"W_O^{i}", found, names, block, role="n", about=say(_BLOCKS[i]),
        words=machine.say_open(_BLOCK_CELL, head=i),
    )  # fmt: skip
