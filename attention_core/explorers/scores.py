"""Lesson 04: pick a cell of the score matrix; its row of Q and its column of Kᵀ make it."""

from html import escape

import numpy as np

from attention_core.attention import attention_scores
from attention_core.drawing.numbers import number_text
from attention_core.explorers import spell
from attention_core.explorers.base import Explorer
from attention_core.explorers.chain import matrix_text
from attention_core.explorers.controls import Slider
from attention_core.explorers.matrix_view import MatrixView, cells
from attention_core.explorers.panel import Panel
from attention_core.language import FEATURE, KEY, QUERY, Words, say

# No two of n_q = 3, n_k = 4, d_k = 2 are equal.
Q = [[1, 0], [2, 3], [0, 2]]
K = [[1, 1], [0, 2], [3, 1], [2, -1]]

_SHAPES = Words(
    "Q {q} · Kᵀ {kt} → S {s}: the side of {d_k} in the middle is summed away.",
    "Q {q} · Kᵀ {kt} → S {s}：中间那条长为 {d_k} 的边被求和消掉了。",
)
_SENTENCE = Words(
    "Query {i}, key {j}: {entry}. All scores: S = {s}.",
    "查询 {i}，键 {j}：{entry}。全部分数：S = {s}。",
)


class ScoresExplorer(Explorer):
    """An explorer in which picking a cell of S, or of Kᵀ, moves the sliders to it."""

    def _selected(self, name):
        view = self._everything[name]
        if not view.selected:
            return
        i, j = view.selected
        view.selected = []  # the frame around the cell follows the sliders
        self.controls["key"].value = j
        if name == "scores":
            self.controls["query"].value = i


def scores_explorer(q=None, k=None):
    """Pick a cell of S = QKᵀ, and see the row of Q, the column of Kᵀ and the arithmetic.

    Parameters
    ----------
    q, k : array_like, shapes (n_q, d_k) and (n_k, d_k), optional
        Starting values; default: three queries and four keys with two features.

    Returns
    -------
    ScoresExplorer
        `result` holds scores (n_q, n_k), and the entry that query and key, counted from 0, pick.

    Raises
    ------
    ValueError
        If queries and keys are not equally wide, or an entry is NaN or infinite.
    """
    q, k = np.asarray(Q if q is None else q, float), np.asarray(K if k is None else k, float)
    attention_scores(q, k)  # says in words what does not fit
    queries, keys = _names("q", len(q)), _names("k", len(k))
    features = [str(m + 1) for m in range(q.shape[1])]
    indented = ["\u2007" + m for m in features]  # as wide as "q₁": Kᵀ stands right above S
    controls = {
        "query": Slider(f"{say(QUERY)} i", range(len(q)), min(1, len(q) - 1), _numbers(q)),
        "key": Slider(f"{say(KEY)} j", range(len(k)), min(2, len(k) - 1), _numbers(k)),
        "K": MatrixView("K", keys, features, k, mode="edit", col_axis=say(FEATURE)),
        "Q": MatrixView("Q", queries, features, q, mode="edit", col_axis=say(FEATURE)),
    }
    views = {
        "keys": MatrixView("Kᵀ", indented, keys, row_axis=say(FEATURE)),
        "scores": MatrixView("S = QKᵀ", queries, keys, row_axis=say(QUERY), col_axis=say(KEY)),
        "arithmetic": Panel(live=True),
    }
    return ScoresExplorer(
        controls=controls,
        views=views,
        compute=_compute,
        paint=lambda result, settings: _paint(result, settings, controls),
        sentence=_sentence,
        rows=[["query", "key"], ["K", "keys"], ["Q", "scores"], ["arithmetic"]],
        framed=("query", "key"),
    )


def _compute(query, key, Q, K):
    scores = attention_scores(Q, K)
    return {"scores": scores, "entry": scores[query, key], "query": query, "key": key}


def _paint(result, settings, controls):
    q, k, i, j = settings["Q"], settings["K"], settings["query"], settings["key"]
    return {
        "Q": {**controls["Q"].own_frame(), "outlined": _one(q.shape, i, slice(None))},
        "K": {**controls["K"].own_frame(), "outlined": _one(k.shape, j, slice(None))},
        "keys": _short_cells(k.T, _one(k.T.shape, slice(None), j)),
        "scores": _short_cells(result["scores"], _one(result["scores"].shape, i, j)),
        "arithmetic": _arithmetic(q, k, i, j),
    }


def _short_cells(matrix, outlined):
    """Whole numbers without decimals, as the learner types them."""
    texts = [[number_text(x).rstrip("0").rstrip(".") for x in row] for row in matrix.tolist()]
    return cells(matrix, outlined=outlined, texts=texts)


def _one(shape, i, j):
    """A frame around one row, one column or one cell."""
    outlined = np.zeros(shape, bool)
    outlined[i, j] = True
    return outlined.tolist()


def _arithmetic(q, k, i, j):
    shapes = say(_SHAPES, q=q.shape, kt=k.T.shape, s=(len(q), len(k)), d_k=q.shape[1])
    return f'<p class="arithmetic">{escape(_entry(q, k, i, j))}</p><p>{shapes}</p>'


def _entry(q, k, i, j):
    names = f"q{spell.subscript(i)} · k{spell.subscript(j)}"
    return spell.dot(f"S{spell.subscript(i, j)}", q[i], k[j], names=names)


def _sentence(result, settings):
    i, j = settings["query"], settings["key"]
    return say(
        _SENTENCE,
        i=i + 1,
        j=j + 1,
        entry=_entry(settings["Q"], settings["K"], i, j),
        s=matrix_text(result["scores"]),
    )


def _names(symbol, count):
    return [f"{symbol}{spell.subscript(i)}" for i in range(count)]


def _numbers(vectors):
    return [number_text(i + 1, 0) for i in range(len(vectors))]
