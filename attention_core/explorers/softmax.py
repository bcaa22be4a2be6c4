"""Lesson 07: from scores to weights to a point inside the triangle of the values."""

from attention_core.drawing.numbers import whole
from attention_core.drawing.svg import triangle_svg
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Choice,
    Explorer,
    Frame,
    GuessRow,
    Matrix,
    Mission,
    Panel,
    Picture,
    Slider,
)
from attention_core.language import KEY, QUERY, Words, say
from attention_core.projections import project
from attention_core.softmax import softmax

S = [[1.0, 2.0, 2.5], [2.0, 0.0, 1.0]]
V = [[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]]
SHIFTS = [-1000, -100, -10, -1, 0, 1, 10, 100, 1000]
TEMPERATURES = [0.1, 0.25, 0.5, 1, 2, 4, 10]
REACH = 2.7  # also weights along the wrong axis stay in the picture

_AXIS = Words("softmax along", "softmax 的方向")
_ALONG = {-1: Words("axis=−1, rows", "axis=−1，按行"), 0: Words("axis=0, columns", "axis=0，按列")}
_SHIFTED = Words("the scores, shifted by c and divided by T.", "加上常数 c、再除以 T 之后的分数。")
_POINT = Words("o_1 = {o} in the triangle of v_1, v_2, v_3", "o_1 = {o}，与 v_1、v_2、v_3 的三角形")
_SENTENCE = Words(
    "Query 1: scores {s}, weights {a} with sum {total}, output o_1 = {o}.",
    "查询 1：分数 {s}，权重 {a}，权重之和 {total}，输出 o_1 = {o}。",
)
_SUM = Words("The weights of query {i} add up to {total}", "查询 {i} 的权重加起来是 {total}")
_DRAW = Words(
    "Draw the weights of query 1 first: scores 1, 2 and 2.5.",
    "先画出查询 1 的权重：分数是 1、2 和 2.5。",
)
_OUT = Words("Push $o_1$ out of the triangle.", "把 $o_1$ 推出三角形。")
_SHARP = Words(
    "Give one key of query 1 more than 0.9, without changing a score.",
    "不改分数，让查询 1 有一个键的权重超过 0.9。",
)
_NOTHING = Words(
    "Add 1000 to every score. How many numbers of $A$ change?",
    "给每个分数加上 1000。$A$ 里有几个数变了？",
)


class Softmax(Explorer):
    """Scores, what softmax makes of them along either axis, and the mixture of three values."""

    def compute(self, S, V, c, T, axis):
        logits = (S + c) / T
        weights = softmax(logits, axis=axis)
        return {"Z": logits, "A": weights, "O": project(weights, V)}

    def picture(self, result, settings):
        by_rows = settings["axis"] == -1
        along = {} if by_rows else {"made": "Z[k,c]", "sum": "{me} = {softmax-column:Z} = {=}"}
        sums = [machine.cell_text(row.sum()) for row in result["A"]]
        frames = {
            "Z": Frame(result["Z"]),
            "A": machine.weights_frame(result["A"], notes=[f"Σ {x}" for x in sums], **along),
            "O": Frame(result["O"]),
        }
        o = machine.matrix_text(result["O"][0])
        corners = {f"v_{j + 1}": v for j, v in enumerate(settings["V"])}
        triangle = triangle_svg(
            corners, result["O"][0], weights=result["A"][0], reach=REACH, name="o_1",
            title=say(_POINT, o=o),
        )  # fmt: skip
        sentence = say(
            _SENTENCE, s=machine.matrix_text(settings["S"][0]), o=o, total=sums[0],
            a=machine.matrix_text(result["A"][0], machine.weight_text),
        )  # fmt: skip
        lines = [say(_SUM, i=i + 1, total=x) for i, x in enumerate(sums)]
        facts = {"c": _in_brackets(settings["c"]), "T": whole(settings["T"])}
        return Picture(frames, sentence, lines, {"triangle": triangle}, facts)


def softmax_explorer():
    """Edit scores: the weights share out 1, and the output moves inside a triangle.

    Returns
    -------
    Explorer
        `result` holds the logits Z = (S + c) / T, the weights A and the output O.
    """
    queries, keys = ["q₁", "q₂"], ["k₁", "k₂", "k₃"]
    names = [say(text) for text in _ALONG.values()]
    parts = {
        "axis": Choice(say(_AXIS), list(_ALONG), -1, names),
        "T": Slider("÷ $T$", TEMPERATURES, 1),
        "c": Slider("+ $c$", SHIFTS, 0, [whole(x) for x in SHIFTS]),
        "S": machine.matrix("S", queries, keys, S, then="→"),
        "Z": Matrix("(S + c)/T", queries, keys, made="S[r,c]", role="n", reads="rc", hide="r",
                    sum="{me} = ({S[r,c]} + {c}) / {T} = {=}", about=say(_SHIFTED),
                    row_axis=say(QUERY), col_axis=say(KEY), then="→"),
        "A": machine.matrix("A", queries, keys, hide="r"),
        "V": machine.matrix("V", ["v₁", "v₂", "v₃"], 2, V, then="="),
        "O": machine.matrix("O", ["o₁", "o₂"], 2),
        "triangle": Panel(height=320),
    }  # fmt: skip
    return Softmax(
        parts,
        [["S", "Z", "A"], ["calc"], ["V", "O", "triangle"], ["changes"]],
        framed=("axis", "T"),
        missions=(
            GuessRow(say(_DRAW), row=0),
            Mission(say(_OUT), lambda r, _: abs(r["A"][0].sum() - 1) > 0.01),
            Mission(say(_SHARP), lambda r, s: (s["S"] == S).all() and r["A"][0].max() > 0.9),
            Mission(say(_NOTHING), lambda _, s: s["c"] == 1000),
        ),
        formula=machine.formula_map(("S", "Z", "A", "V", "O")),
        selected=("A", 0, 2),
    )


def _in_brackets(number):
    text = whole(number)
    return f"({text})" if number < 0 else text
