"""Lesson 05: two vectors and their dot product, as an angle, a projection and signed products."""

import math

import numpy as np

from attention_core.attention import attention_scores
from attention_core.drawing.numbers import cell_text, number_text, whole
from attention_core.drawing.svg import Canvas
from attention_core.drawing.svg.axes import Axes
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Explorer,
    Frame,
    Mission,
    Panel,
    Picture,
    Slider,
)
from attention_core.language import Words, say

LENGTHS = [k / 4 for k in range(13)]  # 0 … 3
ANGLES = list(range(0, 360, 5))
REACH, _SIDE = 3.3, 380

_ARROWS = Words(
    "q = {q} and k = {k}; the part of k along q is {along} long",
    "q = {q}，k = {k}；k 在 q 方向上的部分长 {along}",
)
_PRODUCTS = Words("Products {terms}, sum {total}", "乘积 {terms}，和 {total}")
_VECTORS = Words(
    "q = {q}, k = {k}: dot product {dot}, cosine {cos}.",
    "q = {q}，k = {k}：点积 {dot}，余弦 {cos}。",
)
_SAY = Words(
    "|$q$| · ($k$ along $q$) = {length} · {along} = {dot}: {kind}",
    "|$q$| ·（$k$ 沿 $q$ 的部分）= {length} · {along} = {dot}：{kind}",
)
_KINDS = (
    Words("they point apart", "方向相背"),
    Words("they stand at a right angle", "互相垂直"),
    Words("they point together", "方向相合"),
)
_RIGHT = Words("Turn $k$ until the score is exactly 0.", "转动 $k$，让分数正好是 0。")
_SHORT = Words(
    "Let a key shorter than 1 score more than 1.5.", "让长度不到 1 的键得到 1.5 以上的分数。"
)
_AGAINST = Words("Find the most negative score of all.", "找出最小的（最负的）分数。")


class DotProduct(Explorer):
    """A query and a key with two numbers each, turned and stretched."""

    def compute(self, q_length, q_angle, k_length, k_angle):
        q, k = _vector(q_length, q_angle), _vector(k_length, k_angle)
        cosine = math.cos(math.radians(k_angle - q_angle)) if q_length and k_length else None
        dot = float(attention_scores([q], [k])[0, 0])
        return {"q": q, "k": k, "dot": dot if abs(dot) > 1e-11 else 0.0, "cosine": cosine}

    def drag(self, name, x, y, grabbed):
        """The arrow whose head was nearest goes where the hand is."""
        if grabbed:
            away = {name: math.dist(self.result[name], (x, y)) for name in ("q", "k")}
            self._held = min(away, key=away.get)
        angle = math.degrees(math.atan2(y, x)) % 360
        self.controls[f"{self._held}_length"].value = _nearest(LENGTHS, math.hypot(x, y))
        self.controls[f"{self._held}_angle"].value = _nearest([*ANGLES, 360], angle) % 360

    def picture(self, result, settings):
        q, k = result["q"], result["k"]
        frames = {
            "Q": Frame([q]), "K": Frame([k]),
            "S": Frame([[result["dot"]]], explain=[[_by_angle(settings, result)]]),
        }  # fmt: skip
        texts = {name: machine.matrix_text(result[name]) for name in ("q", "k")}
        cosine = "·" if result["cosine"] is None else number_text(result["cosine"])
        dot = result["dot"]
        kind = say(_KINDS[int(np.sign(dot)) + 1])
        along = _along(q, dot)
        panels = {"arrows": _arrows(q, k, along, texts), "products": _products(q, k, dot)}
        written = cell_text(along)
        parts = {
            "length": whole(settings["q_length"]), "dot": cell_text(dot), "kind": kind,
            "along": f"({written})" if written[0] == "−" else written,
        }  # fmt: skip
        sentence = say(_VECTORS, dot=cell_text(dot), cos=cosine, **texts)
        return Picture(frames, sentence, say(_SAY, **parts), panels)


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
    parts = {
        **_arms("q", *q), **_arms("k", *k),
        "Q": machine.matrix("Q", ["q"], 2, symbol="q", made="", equation="", sum="", words="",
                            hide="r"),
        "K": machine.matrix("K", ["k"], 2, symbol="k", made="", equation="", sum="", words="",
                            hide="r"),
        "S": machine.matrix("S", ["q"], ["k"], equation="= q·k", symbol="S"),
        "arrows": Panel(height=_SIDE, drag=True),
        "products": Panel(height=_SIDE),
    }  # fmt: skip
    return DotProduct(
        parts,
        [["arrows", "products", "Q", "K", "S"], ["calc"], ["changes"]],
        missions=(
            Mission(say(_RIGHT), _is_right_angle),
            Mission(say(_SHORT), lambda r, s: s["k_length"] < 1 and r["dot"] > 1.5),
            Mission(say(_AGAINST), lambda r, _: r["dot"] < -8.99),
        ),
        selected=("S", 0, 0),
    )


def _is_right_angle(result, settings):
    return bool(settings["k_length"] and settings["q_length"] and result["dot"] == 0)


def _arms(name, length, angle):
    degrees = [f"{a}°" for a in ANGLES]
    return {
        f"{name}_length": Slider(f"|${name}$|", LENGTHS, length),
        f"{name}_angle": Slider(f"∠ ${name}$", ANGLES, angle, degrees),
    }


def _nearest(values, wanted):
    return min(values, key=lambda value: abs(value - wanted))


def _vector(length, angle):
    turned = math.radians(angle)
    return np.round([length * math.cos(turned), length * math.sin(turned)], 12) + 0.0


def _by_angle(settings, result):
    """Both ways to the number: entry by entry, and by lengths and angle."""
    total = "{me} = {Q[r,k]·K[c,k]} = {=}"
    if result["cosine"] is None:
        return total
    lengths = f"{whole(settings['q_length'])}·{whole(settings['k_length'])}"
    cosine = number_text(result["cosine"])
    return f"{total} = |q|·|k|·cos θ = {lengths}·{f'({cosine})' if cosine[0] == '−' else cosine}"


def _along(q, dot):
    """How far k reaches in the direction of q: the projection, negative where it points away."""
    length = math.hypot(*q)
    return dot / length if length else 0.0


def _arrows(q, k, along, texts):
    """Both arrows, the angle between them, and the part of k that lies along q."""
    length = math.hypot(*q)
    title = say(_ARROWS, q=texts["q"], k=texts["k"], along=cell_text(along))
    canvas = Canvas(_SIDE, _SIDE, title)
    axes = Axes(canvas, (-REACH, REACH), (-REACH, REACH), ("", ""), crossed=True)
    if length:
        foot = q / length * along
        canvas.line(*axes.at(k), *axes.at(foot), ink="var(--muted)", dash="5 4", width=1.5)
        canvas.line(*axes.at((0, 0)), *axes.at(foot), ink="var(--k)", width=7, opacity=0.4)
    if length and np.any(k):
        axes.angle(q, k)
    for name, vector in (("q", q), ("k", k)):
        canvas.arrow(*axes.at((0, 0)), *axes.at(vector), ink=f"var(--{name})", width=3, head=12)
        size = math.hypot(*vector)
        label = vector * (size + 0.28) / size if size else vector + 0.28
        canvas.symbol(*axes.at(label), name, ink=f"var(--{name})", size=17, bold=True)
    return str(canvas).replace("<svg ", f'<svg data-reach="{REACH}" data-edge="12" ', 1)


def _products(q, k, dot):
    """Two signed products and their sum, as bars on one axis."""
    terms = q * k
    bars = {"q_1 k_1": terms[0], "q_2 k_2": terms[1], "q·k": dot}
    written = ", ".join(cell_text(x) for x in terms)
    canvas = Canvas(270, _SIDE, say(_PRODUCTS, terms=written, total=cell_text(dot)))
    axes = Axes(canvas, (0, 3), (-9, 9), ("", ""), xticks=[])
    _, zero = axes.at((0, 0))
    for place, (name, value) in enumerate(bars.items()):
        left, top = axes.at((place + 0.2, max(value, 0)))
        right, bottom = axes.at((place + 0.8, min(value, 0)))
        ink = "var(--text)" if place == 2 else "var(--pos2)" if value >= 0 else "var(--neg2)"
        canvas.rect(left, top, right - left, max(bottom - top, 1), fill=ink, opacity=0.75)
        middle = (left + right) / 2
        canvas.text(middle, top - 10 if value >= 0 else bottom + 10, cell_text(value), size=13)
        canvas.symbol(middle, canvas.height - 22, name, size=14)
    canvas.line(axes.left, zero, axes.right, zero)
    return str(canvas)
