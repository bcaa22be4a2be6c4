"""Lesson 10: one function, two sources: where do Q, K and V come from?"""

from attention_core.attention import attention_steps
from attention_core.example import CROSS, features, hidden, tokens, translation
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Choice,
    Explorer,
    Frame,
    GuessCells,
    Mission,
    Picture,
    Reading,
)
from attention_core.language import Words, say
from attention_core.projections import project

_LABEL = Words("$Q$ from ← $K$, $V$ from", "$Q$ 来自 ← $K$、$V$ 来自")
_SOURCES = {  # setting -> (where Q comes from, where K and V come from)
    "cross": ("X", "Y"),
    "self": ("X", "X"),
    "swapped": ("Y", "X"),
}
_NAMES = {
    "cross": Words("$X$ ← $Y$ (cross)", "$X$ ← $Y$（交叉）"),
    "self": Words("$X$ ← $X$ (self)", "$X$ ← $X$（自注意力）"),
    "swapped": Words("$Y$ ← $X$ (swapped)", "$Y$ ← $X$（两边对调）"),
}
_READERS = Words("the readers: the translation so far.", "查询的一边：到目前为止的译文。")
_READ = Words("what is read: the sentence.", "键和值的一边：原句。")
_CELL = Words("{row}, feature {col}: given.", "{row} 的特征 {col}：给定。")
_SENTENCE = Words(
    "Q from {q_side}, K and V from {k_side}: weights {a}; output {o}.",
    "Q 来自 {q_side}，K 和 V 来自 {k_side}：权重 {a}；输出 {o}。",
)
_GUESS = Words(
    "Guess first: the last word of $Y$ changes to “{wide}”. Mark what will change in $Q$, $K$, "
    "$V$ and $A$.",
    "先猜：$Y$ 的最后一个词换成“{wide}”。标出 $Q$、$K$、$V$、$A$ 里会变的格子。",
)
_SELF = Words(
    "Let $X$ read itself: how many rows and columns has $A$ now?",
    "让 $X$ 读自己：$A$ 现在有几行几列？",
)
_SWAP = Words(
    "Exchange the sides. Which side decides the rows of $O$?",
    "把两边对调。$O$ 的行数由哪一边决定？",
)


class Cross(Explorer):
    """Two sources X and Y, one set of projections, one attention."""

    def compute(self, sources, X, Y, WQ, WK, WV):
        q_side, k_side = ({"X": X, "Y": Y}[name] for name in _SOURCES[sources])
        q, k, v = project(q_side, WQ), project(k_side, WK), project(k_side, WV)
        steps = attention_steps(q, k, v)
        return {"Q": q, "K": k, "V": v, "S": steps.scores, "Z": steps.scaled,
                "A": steps.weights, "O": steps.output}  # fmt: skip

    def picture(self, result, settings):
        q_side, k_side = _SOURCES[settings["sources"]]
        words = {"X": translation()[0], "Y": tokens()}
        rows, cols = words[q_side], words[k_side]
        pairs = {"rows": rows, "cols": cols}
        read_by = {q_side: "rf", k_side: "sf" if q_side != k_side else "tf"}
        frames = {
            **{name: Frame(settings[name], reads=read_by.get(name, "-f")) for name in "XY"},
            "Q": _projected(result, "Q", rows, q_side),
            "K": _projected(result, "K", cols, k_side),
            "V": _projected(result, "V", cols, k_side),
            "S": Frame(result["S"], **pairs),
            "Z": Frame(result["Z"], **pairs),
            "A": machine.weights_frame(result["A"], **pairs),
            "O": Frame(result["O"], rows=rows),
        }
        texts = {"a": machine.matrix_text(result["A"], machine.weight_text),
                 "o": machine.matrix_text(result["O"])}  # fmt: skip
        sentence = say(_SENTENCE, q_side=q_side, k_side=k_side, **texts)
        lines = machine.reading_lines(result["A"], rows, cols)
        return Picture(frames, sentence, lines, facts={"root": f"√{result['Q'].shape[1]}"})


def cross_explorer(sources="cross"):
    """Choose where Q and where K and V come from; edit both sides and see who reads from whom.

    Parameters
    ----------
    sources : {"cross", "self", "swapped"}
        X is the side that reads, the translation (three tokens), Y the sentence (four).

    Returns
    -------
    Explorer
        `result` holds Q, K, V, S, Z (scaled), A and O.
    """
    target, x = translation()
    words, names = tokens(), features()
    w_q, w_k, w_v = CROSS
    sides = {"reads": "tf", "row_axis": say(machine.KINDS["X"].axes[0]),
             "words": machine.say_open(_CELL)}  # fmt: skip
    parts = {
        "sources": Choice(
            say(_LABEL), list(_SOURCES), sources, [say(name) for name in _NAMES.values()]
        ),
        "X": machine.matrix("X", target, names, x, about=say(_READERS), **_but(sides)),
        "Y": machine.matrix(
            "X", words, names, hidden(), symbol="Y", about=say(_READ), **_but(sides)
        ),
        "WQ": machine.matrix("WQ", names, w_q.shape[1], w_q),
        "WK": machine.matrix("WK", names, w_k.shape[1], w_k, hide="n"),
        "WV": machine.matrix("WV", names, w_v.shape[1], w_v, hide="n"),
        "Q": machine.matrix("Q", target, w_q.shape[1], equation=""),
        "K": machine.matrix("K", words, w_k.shape[1], equation=""),
        "V": machine.matrix("V", words, w_v.shape[1], equation="", hide="r"),
        "S": machine.matrix("S", target, words, then="→"),
        "Z": machine.matrix("Z", target, words, hide="r", then="→", **machine.scaled_only()),
        "A": machine.matrix("A", target, words, then="$·V$ →"),
        "O": machine.matrix("O", target, w_v.shape[1], hide="r"),
        "reading": Reading("A", values="V", output="O"),
    }
    wide = say(Words("wide", "宽"))
    return Cross(
        parts,
        [["X", "Y", "WQ", "WK", "WV"], ["Q", "K", "V", "reading"], ["calc"],
         ["S", "Z", "A", "O"], ["changes"]],
        framed=("sources",),
        missions=(
            GuessCells(
                say(_GUESS, wide=wide), {"Y": hidden("wide").tolist()}, ("Q", "K", "V", "A")
            ),
            Mission(say(_SELF), lambda _, s: s["sources"] == "self"),
            Mission(say(_SWAP), lambda _, s: s["sources"] == "swapped"),
        ),
        formula=machine.formula_map(set(parts) - {"X"}),
        selected=("A", 2, 0),
    )  # fmt: skip


def _but(settings):
    return {name: value for name, value in settings.items() if name != "reads"}


def _projected(result, letter, rows, side):
    """The frame of Q, K or V: made of this side."""
    product = f"{side}[r,k] W{letter}[k,c]"
    terms = "{" + product.replace(" ", "·") + "}"
    total = f"{{me}} = {{{side.lower()}:r}}·{{w{letter}:c}} = {terms} = {{=}}"
    return Frame(result[letter], rows=rows, made=product, sum=total)
