"""Lesson 03: who does what: edit q, K and V one by one and see what moves and what does not."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.drawing.numbers import number_text
from attention_core.drawing.svg import LINES, Canvas
from attention_core.explorers import spell
from attention_core.explorers.base import Explorer
from attention_core.explorers.chain import matrix_text
from attention_core.explorers.controls import Choice
from attention_core.explorers.matrix_view import MatrixView, cells
from attention_core.explorers.panel import Panel
from attention_core.language import FEATURE, KEY, QUERY, Words, say

Q = [[2, 1]]
K = [[1, 0], [0, 1], [1, 1], [-1, 1]]
V = [[10, 0, 5], [0, 20, 0], [30, 10, 0], [0, 0, 40]]

_BLUE, _, _GREEN = LINES[:3]
_LABEL = Words("handed over", "交出去的是")
_HANDED = {
    "V": Words("the values, o = Σ α v", "值，o = Σ α v"),
    "K": Words("the keys (a mistake), o = Σ α k", "键（错误做法），o = Σ α k"),
}
_MOVED = Words("Changed since the start: {names}. ", "与开始时相比，变了的有：{names}。")
_STILL = Words("Unchanged: {names}.", "没变的有：{names}。")
_AND = Words(", ", "、")
_NOTHING = Words("nothing", "无")
_ROUTE = Words(
    "q meets the keys; the weights are {a}; the values flow into o = {o}",
    "q 与各个键匹配，权重是 {a}，值汇入 o = {o}",
)
_SENTENCE = Words("Weights α = {a}; output o = {o}. {moved}", "权重 α = {a}；输出 o = {o}。{moved}")


def roles_explorer(q=None, k=None, v=None):
    """Change only V, or only K, and see what moves: the weights, the output, or both.

    Parameters
    ----------
    q, k, v : array_like, shapes (1, d_k), (n_k, d_k), (n_k, d_v), optional
        The starting values; default: those of the lesson.

    Returns
    -------
    Explorer
        `result` holds the scores, the weights and the output, and in `moved` which of them
        differ from the start.
    """
    pairs = zip((q, k, v), (Q, K, V), strict=True)
    q, k, v = (np.array(own if x is None else x, dtype=float) for x, own in pairs)
    start = _steps(q, k, v, "V")

    def compute(q, K, V, handed):
        steps = _steps(q, K, V, handed)
        return {**steps, "moved": {name: _differ(steps[name], start[name]) for name in start}}

    return Explorer(
        controls=_controls(q, k, v),
        views=_views(len(k), v.shape[1]),
        compute=compute,
        paint=_paint,
        sentence=_sentence,
        rows=[
            ["q", "K", "V"],
            ["handed"],
            ["scores", "weights", "output"],
            ["moved"],
            ["detail"],
            ["route"],
        ],
        framed=("handed",),
        explain=_explain,
    )


def _controls(q, k, v):
    def edited(title, rows, value):
        return MatrixView(
            title, rows, _numbers(value.shape[1]), value, mode="edit", col_axis=say(FEATURE)
        )

    return {
        "q": edited("q", ["q"], q),
        "K": edited("K", _names("k", len(k)), k),
        "V": edited("V", _names("v", len(v)), v),
        "handed": Choice(
            say(_LABEL), list(_HANDED), "V", [say(words) for words in _HANDED.values()]
        ),
    }


def _views(n_k, d_v):
    keys, axes = _names("k", n_k), {"row_axis": say(QUERY), "col_axis": say(KEY)}
    return {
        "scores": MatrixView("q · k_j", ["q"], keys, **axes),
        "weights": MatrixView("α = softmax(q · k_j / √d_k)", ["q"], keys, **axes),
        "output": MatrixView("o", ["o"], _numbers(d_v), col_axis=say(FEATURE)),
        "moved": Panel(live=True),
        "route": Panel(),
    }


def _steps(q, k, v, handed):
    steps = attention_steps(q, k, v if handed == "V" else k)
    result = {"q": q, "K": k, "V": v, "scores": steps.scores}
    return {**result, "scaled": steps.scaled, "α": steps.weights, "o": steps.output}


def _differ(now, start):
    return now.shape != start.shape or not np.allclose(now, start)


def _paint(result, settings):
    weights, output = result["α"], result["o"]
    moved = {name: np.full(result[name].shape, result["moved"][name]) for name in ("α", "o")}
    return {
        "scores": cells(result["scores"], texts=[[_short(x) for x in result["scores"][0]]]),
        "weights": cells(
            weights,
            "weights",
            decimals=3,
            outlined=moved["α"],
            notes=[number_text(weights.sum(), 2)],
            note_title="Σ",
        ),
        "output": cells(output, outlined=moved["o"], cols=_numbers(output.shape[1])),
        "moved": f"<p>{_moved(result)}</p>",
        "route": _route(result, settings["handed"]),
    }


def _moved(result):
    """Which matrices differ from the start, and which do not."""
    changed, still = (
        [name for name in ("q", "K", "V", "α", "o") if result["moved"][name] == moved]
        for moved in (True, False)
    )
    return "".join(
        say(words, names=say(_AND).join(names) or say(_NOTHING))
        for words, names in ((_MOVED, changed), (_STILL, still))
    )


def _route(result, handed):
    """The query above, its keys, the values below them; the thicker the line, the more flows."""
    weights, n_k = result["α"][0], result["α"].shape[1]
    step = 170
    canvas = Canvas(step * n_k, 300, _route_title(result))
    middle = step * n_k / 2
    for j, share in enumerate(weights.tolist()):
        x = step * (j + 0.5)
        canvas.line(middle, 34, x, 92, ink=_BLUE, width=1.5, dash="5 4")
        canvas.line(x, 192, middle, 262, ink=_GREEN, width=0.5 + 13 * share)
        canvas.symbol(x, 104, f"k_{j + 1}", size=15, bold=True)
        canvas.circle(x - 24, 138, 2 + 13 * share, fill=_BLUE)
        canvas.text(x + 18, 138, number_text(share), size=14)
        name = f"{handed.lower()}_{j + 1} = [{_row(result[handed][j])}]"
        canvas.symbol(x, 174, name, size=min(13, 270 / len(name)), bold=True)
    canvas.symbol(middle, 18, f"q = [{_row(result['q'][0])}]", size=15, bold=True)
    output = ", ".join(number_text(x) for x in result["o"][0])
    canvas.symbol(middle, 280, f"o = [{output}]", size=15, bold=True)
    return str(canvas)


def _route_title(result):
    return say(_ROUTE, a=matrix_text(result["α"]), o=matrix_text(result["o"]))


def _row(vector):
    return ", ".join(map(_short, vector))


def _short(x):
    """As few digits as the number needs: 2, −0.5."""
    return f"{x:.4g}".replace("-", "−")


def _explain(view, i, j, result, settings):
    at = spell.subscript(j)
    if view == "scores":
        return spell.dot(f"S{at}", result["q"][0], result["K"][j], names=f"q · k{at}")
    if view == "weights":
        return spell.sharing(f"α{at}", result["scaled"][0], j, result["α"][0, j])
    if view == "output":
        column = result[settings["handed"]][:, j]
        return spell.mixing(f"o{at}", result["α"][0], column, result["o"][0, j])
    return None


def _sentence(result, _):
    texts = {"a": matrix_text(result["α"], 3), "o": matrix_text(result["o"])}
    return say(_SENTENCE, moved=_moved(result), **texts)


def _names(letter, n):
    return [letter + spell.subscript(j) for j in range(n)]


def _numbers(n):
    return [str(j + 1) for j in range(n)]
