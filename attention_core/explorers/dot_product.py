"""Lesson 05: two vectors and their dot product; three tokens and the matrices that match them."""

import math

import numpy as np

from attention_core.attention import attention_scores
from attention_core.drawing.svg import vectors_svg
from attention_core.explorers import spell
from attention_core.explorers.base import Explorer
from attention_core.explorers.chain import matrix_text
from attention_core.explorers.controls import Choice, Slider
from attention_core.explorers.matrix_view import MatrixView, cells
from attention_core.explorers.panel import Panel
from attention_core.explorers.presets import MINE
from attention_core.explorers.vector_pad import VectorPad
from attention_core.language import FEATURE, KEY, QUERY, Words, say
from attention_core.projections import project

LENGTHS = [k / 4 for k in range(13)]  # 0 … 3
ANGLES = list(range(0, 360, 5))
REACH = 3.3

TOKENS = ("it", "animal", "street")
W_Q = [[4, 0], [1, -1], [0, 2]]
W_K = [[0, 1], [1, 0], [-1, 0]]
MATRICES = ("W_Q", "W_K")

_DRAG = Words("Drag the head of an arrow, or move the sliders.", "拖动箭头的尖端，或移动滑块。")
_ARROWS = Words("q = {q} and k = {k}", "q = {q}，k = {k}")
_NO_ANGLE = Words("a vector of length 0 has no direction", "长度为 0 的向量没有方向")
_VECTORS = Words(
    "q = {q}, k = {k}: dot product {dot}, cosine {cos}.",
    "q = {q}，k = {k}：点积 {dot}，余弦 {cos}。",
)


def dot_product_explorer(q=(2, 30), k=(1.5, 90)):
    """Turn and stretch a query and a key, by hand or by slider, and watch their dot product.

    Parameters
    ----------
    q, k : (length, angle in degrees)
        Where they start; lengths are quarters up to 3, angles multiples of 5.

    Returns
    -------
    Explorer
        `result` holds the vectors q and k, their dot product and their cosine (None where a
        vector has no length).
    """
    pad = VectorPad(REACH)
    explorer = Explorer(
        controls=_arms("q", *q) | _arms("k", *k),
        views={"picture": pad, "numbers": Panel(live=True)},
        compute=_compute_dot,
        paint=_paint_dot,
        sentence=lambda result, _: say(_VECTORS, **_texts(result)),
        rows=[["q_length", "q_angle"], ["k_length", "k_angle"], ["picture", "numbers"]],
    )
    pad.on_hand(_follow(explorer))
    return explorer


def _arms(name, length, angle):
    degrees = [f"{a}°" for a in ANGLES]
    return {
        f"{name}_length": Slider(f"|{name}|", LENGTHS, length),
        f"{name}_angle": Slider(f"∠{name}", ANGLES, angle, degrees),
    }


def _follow(explorer):
    """What a drag does: the arrow whose head was nearest goes where the hand is."""
    held = {"name": "q"}

    def dragged(grabbed, x, y):
        if grabbed:
            away = {name: math.dist(explorer.result[name], (x, y)) for name in ("q", "k")}
            held["name"] = min(away, key=away.get)
        angle = math.degrees(math.atan2(y, x)) % 360
        controls, name = explorer.controls, held["name"]
        controls[f"{name}_length"].value = _nearest(LENGTHS, math.hypot(x, y))
        controls[f"{name}_angle"].value = _nearest([*ANGLES, 360], angle) % 360

    return dragged


def _nearest(values, wanted):
    return min(values, key=lambda value: abs(value - wanted))


def _compute_dot(q_length, q_angle, k_length, k_angle):
    q, k = _vector(q_length, q_angle), _vector(k_length, k_angle)
    cosine = math.cos(math.radians(k_angle - q_angle)) if q_length and k_length else None
    return {"q": q, "k": k, "dot": float(attention_scores([q], [k])[0, 0]), "cosine": cosine}


def _vector(length, angle):
    turned = math.radians(angle)
    return np.array([length * math.cos(turned), length * math.sin(turned)])


def _paint_dot(result, settings):
    q, k, texts = result["q"], result["k"], _texts(result)
    between = None if result["cosine"] is None else ("q", "k")
    title = say(_ARROWS, q=texts["q"], k=texts["k"])
    lines = [spell.dot("q · k", q, k, names="q₁k₁ + q₂k₂"), _by_angle(settings, texts)]
    return {
        "picture": vectors_svg(
            {"q": q, "k": k}, reach=REACH, between=between, title=title, size=380
        ),
        "numbers": "".join(f"<p>{line}</p>" for line in [*lines, say(_DRAG)]),
    }


def _by_angle(settings, texts):
    if texts["cos"] == "·":
        return say(_NO_ANGLE)
    q, k, cosine = _plain(settings["q_length"]), _plain(settings["k_length"]), texts["cos"]
    cosine = f"({cosine})" if cosine.startswith("−") else cosine
    return f"q · k = |q| |k| cos θ = {q} · {k} · {cosine} = {texts['dot']}"


def _texts(result):
    cosine = "·" if result["cosine"] is None else _plain(result["cosine"])
    texts = {name: matrix_text(result[name]) for name in ("q", "k")}
    return {**texts, "dot": _plain(result["dot"]), "cos": cosine}


def _plain(x):
    """As few digits as the number needs: 1.5, −0.7071."""
    return f"{round(x, 10) + 0.0:.4g}".replace("-", "−")


# Three tokens: who matches whom is up to W_Q and W_K.

_MATRICES = Words("matrices", "矩阵")
_PRESETS = {
    "two": Words("W_Q and W_K", "W_Q 与 W_K"),
    "swapped": Words("exchanged", "对调"),
    "shared": Words("one for both", "合用一个"),
    MINE: Words("yours", "自定义"),
}
_SYMMETRIC = Words("S_ij = S_ji for every pair: symmetric.", "每一对都有 S_ij = S_ji：对称。")
_ONE_WAY = Words(
    "Framed: S_ij and S_ji differ. {n} of 3 pairs are one-way or unequal.",
    "红框：S_ij 与 S_ji 不相等。3 对中有 {n} 对两个方向不一样。",
)
_MATCHES = Words(
    "Scores S = {s}; raw X Xᵀ = {raw}. {pairs}", "分数 S = {s}；原始 X Xᵀ = {raw}。{pairs}"
)


def match_explorer(preset="two"):
    """Edit W_Q and W_K and see who matches whom, among three tokens that never change.

    Parameters
    ----------
    preset : {"two", "swapped", "shared"}

    Returns
    -------
    Explorer
        `result` holds q, k, the raw scores and the products of the x themselves.
    """
    features, axes = ["1", "2"], {"row_axis": say(QUERY), "col_axis": say(KEY)}

    def vectors(title, rows, cols, value=None):
        mode = "read" if value is None else "edit"
        return MatrixView(title, rows, cols, value, mode=mode, col_axis=say(FEATURE))

    inputs = ["1", "2", "3"]
    return Explorer(
        controls={
            "preset": Choice(
                say(_MATRICES), list(_PRESETS), preset, [say(words) for words in _PRESETS.values()]
            ),
            "X": vectors("X", TOKENS, inputs, np.eye(3)),
            "W_Q": vectors("W_Q", inputs, features, W_Q),
            "W_K": vectors("W_K", inputs, features, W_K),
        },
        views={
            "q": vectors("Q = X W_Q", TOKENS, features),
            "k": vectors("K = X W_K", TOKENS, features),
            "scores": MatrixView("S = Q Kᵀ", TOKENS, TOKENS, **axes),
            "raw": MatrixView("X Xᵀ", TOKENS, TOKENS, **axes),
            "pairs": Panel(live=True),
        },
        compute=_compute_match,
        paint=_paint_match,
        sentence=_match_sentence,
        rows=[
            ["preset"],
            ["X", "W_Q", "W_K"],
            ["q", "k"],
            ["scores", "raw"],
            ["pairs"],
            ["detail"],
        ],
        framed=("preset",),
        prepare=_follow_preset,
        overrides=dict.fromkeys(MATRICES, ("preset", MINE)),
        explain=_explain_match,
    )


def _follow_preset(settings):
    w_q, w_k = np.array(W_Q, dtype=float), np.array(W_K, dtype=float)
    chosen = {"two": (w_q, w_k), "swapped": (w_k, w_q), "shared": (w_q, w_q)}
    if settings["preset"] == MINE:
        return settings
    w_q, w_k = chosen[settings["preset"]]
    return {**settings, "W_Q": w_q, "W_K": w_k}


def _compute_match(X, W_Q, W_K, **_):
    q, k = project(X, W_Q), project(X, W_K)
    return {"q": q, "k": k, "scores": attention_scores(q, k), "raw": attention_scores(X, X)}


def _unequal(scores):
    return ~np.isclose(scores, scores.T)


def _paint_match(result, settings):
    frames = {name: cells(result[name], texts=_short(result[name])) for name in ("q", "k", "raw")}
    scores = result["scores"]
    frames["scores"] = cells(scores, texts=_short(scores), outlined=_unequal(scores))
    frames |= {name: cells(settings[name], texts=_short(settings[name])) for name in MATRICES}
    return {**frames, "pairs": f"<p>{_pairs(scores)}</p>"}


def _pairs(scores):
    n = int(np.triu(_unequal(scores)).sum())
    return say(_ONE_WAY, n=n) if n else say(_SYMMETRIC)


def _short(matrix):
    return [[_plain(x) for x in row] for row in matrix.tolist()]


def _explain_match(view, i, j, result, settings):
    at = spell.subscript(i, j)
    if view == "scores":
        names = f"q{spell.subscript(i)} · k{spell.subscript(j)}"
        return spell.dot(f"S{at}", result["q"][i], result["k"][j], names=names)
    if view == "raw":
        names = f"x{spell.subscript(i)} · x{spell.subscript(j)}"
        return spell.dot(f"(X Xᵀ){at}", settings["X"][i], settings["X"][j], names=names)
    if view in ("q", "k"):
        title, matrix = ("Q", "W_Q") if view == "q" else ("K", "W_K")
        column = settings[matrix][:, j]
        return spell.dot(f"{title}{at}", settings["X"][i], column, names=f"(X {matrix}){at}")
    return None


def _match_sentence(result, _):
    texts = {"s": matrix_text(result["scores"], 1), "raw": matrix_text(result["raw"], 1)}
    return say(_MATCHES, pairs=_pairs(result["scores"]), **texts)
