"""Lesson 07: from scores to shares, and from shares to a point between the values."""

import numpy as np

from attention_core.attention import attention_scores
from attention_core.drawing.numbers import number_text, whole
from attention_core.example import qkv, tokens
from attention_core.explorers import machine
from attention_core.explorers.softmax_plane import outside, plane_svg
from attention_core.explorers.widgets import (
    Choice,
    Explorer,
    Frame,
    GuessCells,
    Matrix,
    Mission,
    Panel,
    Picture,
    Reading,
    Slider,
)
from attention_core.explorers.widgets.typeset import formula
from attention_core.language import KEY, QUERY, Words, say
from attention_core.projections import project
from attention_core.softmax import softmax

VALUES = ((4, 1), (0, 3), (2, 3), (3, 4))  # points in a plane: "it" lies inside the other three
SHIFTS = [-1000, -10, 0, 10, 1000]
TEMPERATURES = [0.25, 0.5, 1, 2, 4]
_LAST = 3  # the reader whose mixing is drawn

_AXIS = Words("softmax along", "softmax 沿着")
_ALONG = {-1: Words("each row", "每一行"), 0: Words("each column", "每一列")}
_ADD, _DIVIDE = Words("add $c$", "加 $c$"), Words("divide by $T$", "除以 $T$")
_ABOUT = {
    "Z": Words("the scaled scores: what softmax starts from.", "缩放后的分数：softmax 由此开始。"),
    "L": Words("the scores after both sliders.", "两个滑块作用之后的分数。"),
}
_SCORE = Words(
    "How well {col} fits {row}: a score, not yet a share.",
    "{row} 和 {col} 有多吻合：这是分数，还不是份额。",
)
_MOVED = Words(
    "The score of {row} for {col}, plus $c$, divided by $T$.",
    "{row} 对 {col} 的分数，加 $c$，再除以 $T$。",
)
_SHARE = Words("{row} takes {=} of {col}.", "{row} 从 {col} 取 {=} 份。")
_PLANE = Words("values and outputs", "值与输出")
_SENTENCE = Words(
    "{last}: scores {s}, weights {a} with sum {total}, output {o}.",
    "{last}：分数 {s}，权重 {a}，和为 {total}，输出 {o}。",
)
_BROKEN = Words(
    "{reading}. Its row adds up to {total}, not to 1", "{reading}。这一行加起来是 {total}，不是 1"
)
_GUESS = Words(
    "Guess first: 10 is added to every score. Mark the cells of $L$, $A$ and $O$ that will change.",
    "先猜：每个分数都加 10。标出 $L$、$A$、$O$ 里会变的格子。",
)
_ONLY = Words(
    "Let {last} read {animal} alone (0.99 or more) without touching a score.",
    "不改任何分数，让{last}只读{animal}（0.99 以上）。",
)
_TWICE = Words(
    "Change one score so that {last} reads {it} twice as much as {animal}. "
    "How far ahead must it be?",
    "改一个分数，让{last}读{it}的份额正好是{animal}的两倍。要领先多少分？",
)
_OUT = Words("Push an output out of the triangle.", "把一个输出推到三角形外面。")


class Softmax(Explorer):
    """Scores, softmax along either axis, and what the weights make of the values."""

    def compute(self, Z, V, c, T, axis):
        logits = (Z + c) / T
        weights = softmax(logits, axis=axis)
        return {"L": logits, "A": weights, "O": project(weights, V)}

    def picture(self, result, settings):
        words, axis, A = tokens(), settings["axis"], result["A"]
        sums = [number_text(row.sum()) for row in A]
        along = (
            ("L[r,k]", "{me} = {softmax:L} = {=}")
            if axis == -1
            else ("L[k,c]", "{me} = {softmax-column:L} = {=}")
        )
        frames = {
            "L": Frame(result["L"]),
            "A": machine.weights_frame(
                A, made=along[0], sum=along[1], notes=[f"Σ {total}" for total in sums],
            ),
            "O": Frame(result["O"]),
        }  # fmt: skip
        lines = machine.reading_lines(A, words, words)
        if axis == 0:
            lines = [
                say(_BROKEN, reading=line, total=total) if not np.isclose(row.sum(), 1) else line
                for line, total, row in zip(lines, sums, A, strict=True)
            ]
        sentence = say(
            _SENTENCE, last=words[_LAST], s=machine.matrix_text(settings["Z"][_LAST]),
            a=machine.matrix_text(A[_LAST], machine.weight_text), total=sums[_LAST],
            o=machine.matrix_text(result["O"][_LAST]),
        )  # fmt: skip
        return Picture(
            frames, sentence, lines,
            panels={"plane": plane_svg(settings["V"], result["O"], A[_LAST], _LAST)},
            facts={"c": _in_brackets(settings["c"]), "T": whole(settings["T"])},
        )  # fmt: skip


def softmax_explorer():
    """Move scores: the weights share out 1, and the output moves inside a triangle.

    Returns
    -------
    Explorer
        `result` holds L = (Z + c) / T, the weights A and the outputs O.
    """
    words = tokens()
    pairs = {"reads": "rc", "row_axis": say(QUERY), "col_axis": say(KEY)}
    parts = {
        "c": Slider(say(_ADD), SHIFTS, 0, [whole(x) for x in SHIFTS]),
        "T": Slider(say(_DIVIDE), TEMPERATURES, 1),
        "axis": Choice(say(_AXIS), list(_ALONG), -1, [say(text) for text in _ALONG.values()]),
        "Z": Matrix(
            "Z", words, words, _start(), then="→",
            about=say(_ABOUT["Z"]), words=machine.say_open(_SCORE), **pairs,
        ),
        "L": Matrix(
            "L", words, words, equation="= (Z + c)/T", made="Z[r,c]", sum=_LOGIT, hide="r",
            then="→", about=say(_ABOUT["L"]), words=machine.say_open(_MOVED), **pairs,
        ),
        "A": machine.matrix("A", words, words, hide="r", words=machine.say_open(_SHARE)),
        "V": machine.matrix("V", words, 2, VALUES, then="→"),
        "O": machine.matrix("O", words, 2),
        "plane": Panel(say(_PLANE), height=300),
        "reading": Reading("A"),
    }  # fmt: skip
    names = {"last": words[3], "animal": words[0], "it": words[2]}
    return Softmax(
        parts,
        [["Z", "L", "A"], ["calc"], ["V", "O", "plane", "reading"], ["changes"]],
        framed=("T", "axis"),
        missions=(
            GuessCells(say(_GUESS), {"c": 10}, ("L", "A", "O")),
            Mission(
                say(_ONLY, **names),
                lambda r, s: r["A"][3, 0] >= 0.99 and (s["Z"] == _start()).all(),
            ),
            Mission(say(_TWICE, **names), _is_twice),
            Mission(say(_OUT), lambda r, s: any(outside(s["V"], r["O"]))),
        ),
        formula=_formula(),
        selected=("A", 3, 0),
    )


_LOGIT = "{me} = " + machine.fraction("{Z[r,c]} + {c}", "{T}") + " = {=}"


def _formula():
    inner = machine.brace("L", 0, formula("L"))
    moved = f"({machine.symbol('Z', 'Z')} + {formula('c')}) / {formula('T')}"
    logits = f'<span class="grp">{moved}{inner}</span>'
    weights = machine.brace("A", 1, formula("A"))
    shares = f'<span class="grp">softmax({logits}){weights}</span>'
    return f'<div class="main">{machine.symbol("O")} = {shares} {machine.symbol("V")}</div>'


def _start():
    q, k, _ = qkv()
    return attention_scores(q, k) / np.sqrt(2)


def _is_twice(result, settings):
    animal, it = result["A"][_LAST, [0, 2]]
    is_one = (settings["Z"] != _start()).sum() == 1
    return bool(is_one and abs(it - 2 * animal) < 0.02 * it and settings["axis"] == -1)


def _in_brackets(number):
    text = whole(number)
    return f"({text})" if number < 0 else text
