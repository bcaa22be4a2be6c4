"""Lesson 02: two layers read a sentence; what is kept, and what is made anew."""

import numpy as np

from attention_core.example import ANIMAL, IT, LAST, STREET, W_K, W_O, W_Q, W_V, features, hidden
from attention_core.explorers import machine
from attention_core.explorers.parameters_layers import (
    KEPT,
    MADE,
    W2_K,
    W2_Q,
    W2_V,
    moved,
    read,
    tally,
)
from attention_core.explorers.widgets import (
    Explorer,
    Frame,
    GuessCells,
    Matrix,
    Mission,
    Panel,
    Picture,
    Reading,
)
from attention_core.explorers.widgets.typeset import formula, typeset
from attention_core.language import Words, say

_SENTENCE_LABEL = Words("sentence", "句子")
_SENTENCES = {
    "tired": Words("last word “tired”", "末词“累”"),
    "wide": Words("“wide”", "“宽”"),
    "first": Words("“wide” for “animal”", "“动物”换成“宽”"),
    "twice": Words("“it” twice", "两个“它”"),
}
_KEPT_HEAD = Words("Layer {layer} keeps, as **parameters**: ", "第 {layer} 层保存的**参数**：")
_MADE_HEAD = Words(
    "Layer {layer} makes now, as **activations**: ",
    "第 {layer} 层这次算出的**激活值**：",
)
_SAME = Words("all {total} numbers as at the start", "{total} 个数都与开始时相同")
_OTHER = Words(
    "{count} of {total} numbers differ from the start", "{total} 个数中有 {count} 个变了"
)
_SUMMARY = Words(
    "Kept: {kept} of {kept_all} numbers differ from the start; made: {made} of {made_all}",
    "保存的：{kept_all} 个数中 {kept} 个变了；算出的：{made_all} 个数中 {made} 个变了",
)
_SAY = Words("{text}. {summary}.", "{text}。{summary}。")
_WO = Words("brings the output back to the features of $X$. Parameters.",
            "把输出变回 $X$ 的特征。这是参数。")  # fmt: skip
_WO_CELL = Words("How much {row} in the output adds to the feature {col}.",
                 "输出里的“{row}”给特征 {col} 加多少。")  # fmt: skip
_H = Words(
    "the new hidden representations: what layer 2 reads.", "新的隐藏表示：第 2 层读的就是它。"
)
_H_CELL = Words("{row}, feature {col}: what it had, and what it has read.",
                "{row} 的特征 {col}：原有的，加上读来的。")  # fmt: skip
_W2 = Words("layer 2 has its own. Parameters.", "第 2 层自己的矩阵。这是参数。")
_MADE_2 = Words(
    "made by layer 2 from $H$, not from layer 1's.", "由第 2 层从 $H$ 得出，不是改自第 1 层。"
)
_MADE_2_CELL = Words(
    "{row} in layer 2, dimension {j}: its row of $H$ times column {j} of layer 2's own $W$.",
    "第 2 层的 {row}，第 {j} 维：它在 $H$ 里的那一行，乘第 2 层自己的 $W$ 的第 {j} 列。",
)
_A_CELL = Words("{row} takes {=} of its reading from {col}.", "{row} 有 {=} 的份额读自 {col}。")
_GUESS = Words(
    "Guess first: the last word becomes “{wide}”. Mark what will change in $W_Q$, $Q$, $V$, $O$ "
    "and $Q$′.",
    "先猜：最后一个词换成“{wide}”。标出 $W_Q$、$Q$、$V$、$O$、$Q$′ 里会变的格子。",
)
_SPREAD = Words(
    "Exchange one word so that one row of $Q$ moves, but all four rows of $Q$′.",
    "只换一个词，让 $Q$ 只有一行变，$Q$′ 却四行全变。",
)
_LATE = Words(
    "Change one number so that $V$′ moves and nothing in layer 1 does.",
    "改一个数，让 $V$′ 变，而第 1 层什么都不变。",
)
_TWINS = Words(
    "Let one word stand twice: are its two rows equal in $Q$′, too?",
    "让同一个词出现两次：到了 $Q$′，它的两行还相等吗？",
)


class Parameters(Explorer):
    """Layer 1 makes H from X; layer 2 starts from H, with matrices of its own."""

    def compute(self, **settings):
        return read(**settings)

    def picture(self, result, settings):
        words = _labels(settings["X"])
        frames = {name: Frame(x, rows=words) for name, x in result.items()}
        frames["X"] = Frame(settings["X"], rows=words)
        frames["A"] = machine.weights_frame(result["A"], rows=words, cols=words)
        differs = moved(result, settings)
        lines = [
            _line(text, layer, [differs[name] for name in names[layer]])
            for layer in (1, 2)
            for text, names in ((_KEPT_HEAD, KEPT), (_MADE_HEAD, MADE))
        ]
        kept, made = (
            tally([differs[name] for layer in (1, 2) for name in names[layer]])
            for names in (KEPT, MADE)
        )
        counts = {"kept": kept[0], "kept_all": kept[1], "made": made[0], "made_all": made[1]}
        summary = say(_SUMMARY, **counts)
        return Picture(
            frames,
            say(_SAY, text=" ".join(words), summary=summary),
            summary,
            {"counts": f'<div class="attn-lines">{"".join(lines)}</div>'},
        )


def parameters_explorer():
    """Exchange a word, or a number of a W, and see what moves in two layers.

    Returns
    -------
    Explorer
        `result` holds Q, K, V, A, O and H of layer 1, and Q2, K2, V2 of layer 2.
    """
    names, words = features(), _labels(hidden())
    first = {"Q": W_Q, "K": W_K, "V": W_V}
    second = {"Q": W2_Q, "K": W2_K, "V": W2_V}
    tired, wide = hidden("tired"), hidden("wide")
    options = {
        "tired": {"X": tired},
        "wide": {"X": wide},
        "first": {"X": np.vstack([wide[3], tired[1:]])},
        "twice": {"X": tired[[2, 1, 2, 3]]},
    }
    parts = {
        "sentence": machine.named_values(_SENTENCE_LABEL, _SENTENCES, options),
        "counts": Panel(height=90),
        **{f"W{x}": machine.matrix(f"W{x}", names, features(x.lower()), w, hide=_hide(x))
           for x, w in first.items()},
        "WO": Matrix("W_O", features("v"), names, W_O[:3], about=say(_WO), reads="--",
                     words=machine.say_open(_WO_CELL)),
        "X": machine.matrix("X", words, names, tired),
        **{x: machine.matrix(x, words, features(x.lower()), hide="r") for x in "QKV"},
        "A": machine.matrix("A", words, words, made="Q[r,*] K[*,*]", sum=_softmax_sum(),
                            words=machine.say_open(_A_CELL)),
        "O": machine.matrix("O", words, features("v"), hide="r"),
        "H": Matrix("H", words, names, made="X[r,c] O[r,k] WO[k,c]", role="n", hide="r",
                    sum="{me} = {X[r,c]} + {O[r,k]·WO[k,c]} = {=}", equation="= X + O W_O",
                    about=say(_H), words=machine.say_open(_H_CELL), reads="tf"),
        **{f"W{x}2": machine.matrix(f"W{x}", names, len(w[0]), w, symbol=f"W_{x}′", role=x.lower(),
                                    hide=_hide(x), about=say(_W2), words="")
           for x, w in second.items()},
        **{f"{x}2": machine.matrix(x, words, len(w[0]), symbol=f"{x}′", role=x.lower(),
                                   hide=_hide(x), about=say(_MADE_2), equation=f"= H W_{x}′",
                                   words=machine.say_open(_MADE_2_CELL), **_from_h(x))
           for x, w in second.items()},
        "reading": Reading("A"),
    }  # fmt: skip
    return Parameters(
        parts,
        [
            [*KEPT[1]], [*KEPT[2], "counts"], ["X", "Q", "K", "V"], ["A", "O", "H", "reading"],
            ["calc"], ["changes"], [*MADE[2]],
        ],
        framed=("sentence",),
        missions=(
            GuessCells(say(_GUESS, wide=say(LAST["wide"])), {"sentence": "wide"},
                       ("WQ", "Q", "V", "O", "Q2")),
            Mission(say(_SPREAD), _is_spread),
            Mission(say(_LATE), _is_late),
            Mission(say(_TWINS), _are_twins),
        ),
        formula=_map(),
        selected=("H", 3, 0),
    )  # fmt: skip


def _hide(letter):
    """The labels of the first of three serve the other two."""
    return "" if letter == "Q" else "r"


def _from_h(letter):
    return {
        "made": f"H[r,k] W{letter}2[k,c]",
        "sum": f"{{me}} = {{H[r,k]·W{letter}2[k,c]}} = {{=}}",
    }


def _softmax_sum():
    return f"{{me}} = softmax({{q:r}} {formula('K^T/√d_k')})<sub>{{j}}</sub> = {{=}}"


def _map():
    """The formula of both layers."""
    layer_1 = machine.formula_map(("X", *KEPT[1], *MADE[1]))
    h = " ".join((machine.symbol("H"), "=", machine.symbol("X"), "+", machine.symbol("O"),
                  machine.symbol("WO", "W_O")))  # fmt: skip
    rows = [h] + [
        f"{machine.symbol(f'{x}2', f'{x}′')} = {machine.symbol('H')} "
        f"{machine.symbol(f'W{x}2', f'W_{x}′')}"
        for x in "QKV"
    ]
    lets = "".join(f"<div>{row}</div>" for row in rows)
    return f'{layer_1}<div class="lets" style="line-height:23px;border:0">{lets}</div>'


def _labels(x):
    """The word of each row: the one of the example whose vector is nearest."""
    known = [(ANIMAL, hidden()[0]), (STREET, hidden()[1]), (IT, hidden()[2])]
    known += [(word, hidden(last)[3]) for last, word in LAST.items()]
    return [say(min(known, key=lambda one: np.abs(one[1] - row).sum())[0]) for row in x]


def _line(text, layer, masks):
    """What a layer keeps or makes, and how much of it differs from the start."""
    count, total = tally(masks)
    verdict = say(_OTHER if count else _SAME, count=count, total=total)
    head, term, rest = say(text, layer=layer).split("**")
    return f"<div>{typeset(head)}<b>{typeset(term)}</b>{typeset(rest)}{verdict}</div>"


def _is_spread(result, settings):
    differs = moved(result, settings)
    rows = {name: int(mask.any(axis=1).sum()) for name, mask in differs.items()}
    is_text_only = not any(differs[name].any() for name in (*KEPT[1], *KEPT[2]))
    return is_text_only and (rows["X"], rows["Q"], rows["Q2"]) == (1, 1, 4)


def _is_late(result, settings):
    differs = moved(result, settings)
    is_layer_1_still = not any(differs[name].any() for name in ("X", *KEPT[1], *MADE[1]))
    return is_layer_1_still and tally([differs[n] for n in KEPT[2]])[0] == 1 and differs["V2"].any()


def _are_twins(result, settings):
    x, q2 = settings["X"], result["Q2"]
    pairs = [(i, j) for i in range(len(x)) for j in range(i) if (x[i] == x[j]).all()]
    return any(np.allclose(q2[i], q2[j]) for i, j in pairs)
