"""Lesson 10: one function, two sources: where do Q, K and V come from?"""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.drawing.numbers import number_text
from attention_core.explorers import spell
from attention_core.explorers.base import Explorer
from attention_core.explorers.chain import matrix_text
from attention_core.explorers.controls import Choice
from attention_core.explorers.matrix_view import MatrixView, cells
from attention_core.explorers.panel import Panel
from attention_core.language import FEATURE, KEY, QUERY, Words, say
from attention_core.projections import project

X_TOKENS = ("the", "cat", "drinks", "milk")
Y_TOKENS = ("猫", "喝", "奶")
# One direction for each idea (animal, action, drink), and one that only articles have.
X = [[0, 0, 0, 1], [3, 0, 0, 0], [0, 3, 0, 0], [0, 0, 3, 0]]
Y = [[3, 0, 0, 0], [0, 3, 0, 0], [0, 0, 3, 0]]
W_Q = np.eye(4)
W_K = np.diag([1.0, 1.0, 1.0, 0.0])
W_V = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])

_LABEL = Words("Q from ← K, V from", "Q 来自 ← K、V 来自")
_SOURCES = {  # setting -> (where Q comes from, where K and V come from)
    "cross": ("Y", "X"),
    "self": ("X", "X"),
    "swapped": ("X", "Y"),
}
_NAMES = {
    "cross": Words("Y ← X (cross)", "Y ← X（交叉）"),
    "self": Words("X ← X (self)", "X ← X（自注意力）"),
    "swapped": Words("X ← Y (swapped)", "X ← Y（两边对调）"),
}
_SHAPES = Words(
    "weights (n_q, n_k) = ({n_q}, {n_k}); output (n_q, d_v) = ({n_q}, {d_v})",
    "权重 (n_q, n_k) = ({n_q}, {n_k})；输出 (n_q, d_v) = ({n_q}, {d_v})",
)
_SENTENCE = Words(
    "Q from {q_side}, K and V from {k_side}: weights {a}; output {o}.",
    "Q 来自 {q_side}，K 和 V 来自 {k_side}：权重 {a}；输出 {o}。",
)


def cross_explorer(sources="cross"):
    """Choose where Q and where K and V come from; edit both sides and see who reads from whom.

    Parameters
    ----------
    sources : {"cross", "self", "swapped"}
        X is the encoder's side (four tokens), Y the decoder's (three).
    """
    axes = {"row_axis": say(QUERY), "col_axis": say(KEY)}
    numbers = [str(i + 1) for i in range(4)]

    def vectors(title, tokens, value=None):
        mode = "read" if value is None else "edit"
        return MatrixView(title, tokens, numbers, value, mode=mode, col_axis=say(FEATURE))

    return Explorer(
        controls={
            "sources": Choice(
                say(_LABEL), list(_SOURCES), sources, [say(name) for name in _NAMES.values()]
            ),
            "X": vectors("X", X_TOKENS, X),
            "Y": vectors("Y", Y_TOKENS, Y),
        },
        views={
            "q": vectors("Q", Y_TOKENS),
            "k": vectors("K", X_TOKENS),
            "v": vectors("V", X_TOKENS),
            "weights": MatrixView("A", Y_TOKENS, X_TOKENS, **axes),
            "output": vectors("O", Y_TOKENS),
            "shapes": Panel(live=True),
        },
        compute=_compute,
        paint=_paint,
        sentence=_sentence,
        rows=[
            ["sources"],
            ["X", "Y"],
            ["q", "k", "v"],
            ["weights", "output"],
            ["shapes"],
            ["detail"],
        ],
        framed=("sources",),
        explain=_explain,
    )


def _compute(sources, **sides):
    q_side, k_side = _SOURCES[sources]
    q, k = project(sides[q_side], W_Q), project(sides[k_side], W_K)
    v = project(sides[k_side], W_V)
    tokens = {"X": X_TOKENS, "Y": Y_TOKENS}
    return {
        **attention_steps(q, k, v)._asdict(),
        "q": q,
        "k": k,
        "v": v,
        "rows": tokens[q_side],
        "cols": tokens[k_side],
    }


def _paint(result, settings):
    rows, cols = list(result["rows"]), list(result["cols"])
    sums = [number_text(total) for total in result["weights"].sum(axis=-1)]
    n_q, n_k = result["weights"].shape
    shapes = say(_SHAPES, n_q=n_q, n_k=n_k, d_v=result["v"].shape[-1])
    return {
        "q": cells(result["q"], rows=rows, decimals=0),
        "k": cells(result["k"], rows=cols, decimals=0),
        "v": cells(result["v"], rows=cols, cols=["1", "2"], decimals=0),
        "weights": cells(
            result["weights"], "weights", rows=rows, cols=cols, notes=sums, note_title="Σ"
        ),
        "output": cells(result["output"], rows=rows, cols=["1", "2"]),
        "shapes": f"<p>{shapes}</p>",
    }


def _explain(view, i, j, result, _):
    at = spell.subscript(i, j)
    if view == "weights":
        return spell.sharing(f"A{at}", result["masked"][i], j, result["weights"][i, j])
    if view == "output":
        column = result["v"][:, j]
        return spell.mixing(f"O{at}", result["weights"][i], column, result["output"][i, j])
    return None


def _sentence(result, settings):
    q_side, k_side = _SOURCES[settings["sources"]]
    texts = {"a": matrix_text(result["weights"]), "o": matrix_text(result["output"])}
    return say(_SENTENCE, q_side=q_side, k_side=k_side, **texts)
