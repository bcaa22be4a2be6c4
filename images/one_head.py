"""The pictures of lessons 00 to 09: one head, step by step."""

import math

import numpy as np
from pieces import WEIGHTS, K, O, Q, V, X, arrow, block, matrix, page, plate, token

from attention_core import attention_scores, attention_steps, causal_mask, softmax
from attention_core.drawing.numbers import number_text
from attention_core.drawing.palette import INK, PAPER

# The worked example of the document, section 9: Q = K.
KEYS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
VALUES = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]])


def project():
    """01: the blocks X W = Q, K, V drawn to scale; a row of X makes a row of each."""
    canvas = page(390, "XW_Q = Q, XW_K = K, XW_V = V")
    n, d_model, unit, x, y = 4, 5, 28, 60, 246
    block(canvas, x, y, n, d_model, X, "X", unit=unit, marked=1, sides=("n", "d_model"))
    for k, (colour, name, wide, side) in enumerate(
        ((Q, "Q", 2, "d_k"), (K, "K", 2, "d_k"), (V, "V", 3, "d_v"))
    ):
        at = 318 + k * 128
        block(
            canvas, at, 36, d_model, wide, colour, f"W_{name}", unit=unit, solid=True,
            sides=("d_model" if k == 0 else "", side),
        )  # fmt: skip
        block(
            canvas, at, y, n, wide, colour, name, unit=unit, marked=1,
            sides=("n" if k == 0 else "", ""),
        )  # fmt: skip
        canvas.arrow(at + wide * unit / 2, 190, at + wide * unit / 2, 238, ink=colour)
    arrow(canvas, x + d_model * unit + 6, y + 1.5 * unit, 288, y + 1.5 * unit, colour=X)
    return canvas


def roles():
    """03: a query meets keys, the values flow; the thicker the line the larger the weight."""
    canvas = page(344, "α_ij = softmax_j(q_i·k_j/√d_k), o_i = Σ_j α_ij v_j")
    q, k = np.array([[2.0, 1.0]]), np.array([[0.5, 0.0], [1.5, 1.4], [0.9, 1.1], [-0.5, 1.0]])
    weights = attention_steps(q, k, k).weights[0]
    for j, share in enumerate(weights.tolist()):
        x = 120 + 160 * j
        canvas.line(360, 38, x, 116, ink=Q, width=1.8, dash="5 4")
        canvas.line(x, 140, x, 212, ink="#999999")
        canvas.line(x, 212, 360, 306, ink=V, width=1 + 13 * share)
        token(canvas, x, 128, f"k_{j + 1}", K, wide=76)
        canvas.circle(x, 172, 3 + 15 * share, fill=WEIGHTS)
        canvas.symbol(x + 48, 172, number_text(share), size=15)
        token(canvas, x, 216, f"v_{j + 1}", V, wide=76)
    token(canvas, 360, 34, "q_i", Q, solid=True)
    token(canvas, 360, 310, "o_i", O, solid=True)
    canvas.symbol(60, 172, "α_ij", size=17, ink=WEIGHTS, bold=True)
    return canvas


def scores():
    """04: one row of Q and one column of Kᵀ give one cell."""
    canvas = page(356, "S_ij = q_i·k_j")
    q = np.array([[1.0, 0.0], [2.0, 3.0], [0.0, 2.0]])
    k = np.array([[1.0, 1.0], [0.0, 2.0], [3.0, 1.0], [2.0, -1.0]])
    s = attention_scores(q, k)
    wide, tall, left, top, i, j = 64, 42, 300, 160, 1, 2
    matrix(canvas, 124, top, q, "Q", ink=Q, cell=(wide, tall), decimals=0)
    matrix(canvas, left, 42, k.T, "", ink=K, cell=(wide, tall), decimals=0)
    matrix(canvas, left, top, s, "", cell=(wide, tall), decimals=0)
    canvas.symbol(left - 26, 84, "Kᵀ", size=17, ink=K, bold=True)
    canvas.symbol(left + 4 * wide + 18, top + 1.5 * tall, "S", size=17, bold=True)
    for r in range(3):
        canvas.symbol(112, top + (r + 0.5) * tall, f"q_{r + 1}", size=15, ink=Q, anchor="end")
    for c in range(4):
        canvas.symbol(left + (c + 0.5) * wide, 28, f"k_{c + 1}", size=15, ink=K)
    canvas.rect(124, top + i * tall, 2 * wide, tall, ink=Q, width=4)
    canvas.rect(left + j * wide, 42, wide, 2 * tall, ink=K, width=4)
    canvas.rect(left + j * wide, top + i * tall, wide, tall, ink=INK, width=4)
    products = " + ".join(f"{a:g}·{b:g}" for a, b in zip(q[i], k[j], strict=True))
    canvas.symbol(360, 324, f"S_23 = q_2·k_3 = {products} = {s[i, j]:g}", size=19, bold=True)
    return canvas


def dot_product():
    """05: the dot product is the shadow of a key on the query, times the query's length."""
    canvas = page(350, "q·k_j = |q||k_j| cos θ_j")
    q = np.array([2.0, 1.0])
    keys = np.array([[1.2, 2.0], [2.6, 0.2], [-1.4, 1.0]])
    x0, y0, unit = 150, 250, 74

    def at(v):
        return x0 + unit * v[0], y0 - unit * v[1]

    far = 1.45 * q
    canvas.line(*at(-0.75 * q), *at(far), ink=Q, dash="2 4")
    for j, key in enumerate(keys):
        foot = q * (key @ q) / (q @ q)
        canvas.line(*at(key), *at(foot), ink="#777777", width=1.2, dash="4 4")
        canvas.circle(*at(foot), 4, fill=K)
        canvas.arrow(x0, y0, *at(key), ink=K, width=2.5, head=12)
        tip = key * (1 + 0.2 / math.hypot(*key))
        canvas.symbol(*at(tip), f"k_{j + 1}", size=17, ink=K, bold=True)
    canvas.arrow(x0, y0, *at(q), ink=Q, width=4, head=14)
    canvas.symbol(at(q)[0] - 10, at(q)[1] - 20, "q", size=19, ink=Q, bold=True)
    for j, score in enumerate((attention_scores(q[None], keys)[0]).tolist()):
        y, zero = 110 + 64 * j, 560
        canvas.symbol(470, y, f"q·k_{j + 1}", size=17, anchor="end")
        length = 18 * score
        canvas.rect(
            min(zero, zero + length), y - 15, abs(length), 30, fill=K if score > 0 else "#8f8f8f"
        )
        after = zero + length + (12 if score > 0 else -12)
        canvas.text(
            after, y, number_text(score, 1), size=15, anchor="start" if score > 0 else "end"
        )
    canvas.line(560, 82, 560, 266, width=1.5)
    return canvas


def scaling():
    """06: without √d_k the scores spread with d_k and one weight takes all."""
    canvas = page(372, "q·k: σ = √d_k; q·k/√d_k: σ = 1")
    rng = np.random.default_rng(0)
    d_k = 64
    raw = rng.normal(size=(6, d_k)) @ rng.normal(size=d_k)
    rows = ((96, 8.0, K, "q·k", raw), (268, 1.0, Q, "q·k/√d_k", raw / math.sqrt(d_k)))
    for base, sigma, colour, name, logits in rows:
        middle, unit = 200, 8.2
        x = np.linspace(-20, 20, 161)
        y = np.exp(-(x**2) / (2 * sigma**2))
        curve = [(middle + unit * a, base + 40 - 96 * b) for a, b in zip(x, y, strict=True)]
        canvas.polygon([(36, base + 40), *curve, (364, base + 40)], fill=colour, opacity=0.2)
        canvas.polyline(curve, ink=colour, width=2.5)
        canvas.line(36, base + 40, 364, base + 40)
        for tick in (-16, -8, 0, 8, 16):
            canvas.line(middle + unit * tick, base + 40, middle + unit * tick, base + 45)
            canvas.text(middle + unit * tick, base + 57, number_text(tick, 0), size=12)
        canvas.symbol(40, base - 44, name, size=17, ink=colour, anchor="start", bold=True)
        canvas.symbol(40, base - 18, f"σ = {sigma:g}", size=15, anchor="start")
        arrow(canvas, 380, base, 440, base, "softmax", size=14)
        for j, share in enumerate(softmax(logits).tolist()):
            left = 462 + 40 * j
            canvas.rect(left, base + 40 - 92 * share, 30, 92 * share, fill=colour)
            canvas.text(left + 15, base + 32 - 92 * share, number_text(share), size=11)
        canvas.line(456, base + 40, 700, base + 40)
    return canvas


def routing():
    """07: three scores become three shares of one whole, and a point inside a triangle."""
    canvas = page(340, "softmax(s) = α, Σ_j α_j = 1, o = Σ_j α_j v_j")
    shares = np.array([0.2, 0.3, 0.5])
    logits = np.log(shares) + 2.0
    alpha = softmax(logits)
    inks = (Q, K, V)
    for j, (score, share) in enumerate(zip(logits.tolist(), alpha.tolist(), strict=True)):
        y = 84 + 76 * j
        canvas.symbol(52, y, f"s_{j + 1}", size=17)
        canvas.rect(74, y - 14, 62 * score, 28, fill=inks[j], opacity=0.35)
        canvas.text(82, y, number_text(score), size=14, anchor="start")
        y0 = 46 + 228 * float(alpha[:j].sum())
        canvas.rect(300, y0, 62, 228 * share, fill=inks[j], ink=PAPER, width=2)
        canvas.text(331, y0 + 114 * share, number_text(share), size=16, ink=PAPER, bold=True)
    arrow(canvas, 204, 160, 288, 160, "softmax")
    canvas.symbol(331, 294, "Σ_j α_j = 1", size=16)
    corners = np.array([[448.0, 262.0], [668.0, 262.0], [558.0, 62.0]])
    point = alpha @ corners
    canvas.polygon(corners.tolist(), fill=X, ink=INK, width=1.5, opacity=0.08)
    for corner, share, ink in zip(corners.tolist(), alpha.tolist(), inks, strict=True):
        canvas.line(*corner, *point, ink=ink, width=1 + 9 * share)
    names = ((-22, 12), (22, 12), (0, -20))
    for j, (corner, (dx, dy)) in enumerate(zip(corners.tolist(), names, strict=True)):
        canvas.circle(*corner, 7, fill=inks[j])
        canvas.symbol(corner[0] + dx, corner[1] + dy, f"v_{j + 1}", size=18, ink=inks[j], bold=True)
    canvas.circle(*point, 10, fill=O, ink=PAPER, width=2)
    canvas.symbol(point[0] + 24, point[1] + 2, "o", size=19, ink=O, bold=True)
    arrow(canvas, 374, 160, 430, 160)
    return canvas


def by_hand():
    """09: the third row of the worked example, from the query to the output."""
    canvas = page(420, "q_3 → S → softmax → o_3")
    steps = attention_steps(KEYS, KEYS, VALUES, mask=causal_mask(3))
    cell, i = (50, 32), 2
    soft = {"cell": cell, "scale": (-4.0, 4.0)}
    matrix(canvas, 30, 40, KEYS, "Q", ink=Q, decimals=0, marked=i, **soft)
    matrix(canvas, 182, 40, KEYS.T, "Kᵀ", ink=K, decimals=0, **soft)
    matrix(canvas, 384, 40, steps.masked, "S", marked=i, **soft)
    matrix(canvas, 568, 40, VALUES, "V", ink=V, decimals=0, **soft)
    raw, scaled, alpha = (a[i].tolist() for a in (steps.scores, steps.scaled, steps.weights))
    stages = (
        ("q_3·k_j", [number_text(s, 0) for s in raw], K),
        ("÷ √2", [number_text(s, 4) for s in scaled], K),
        ("α_3j", [number_text(a, 4) for a in alpha], WEIGHTS),
        ("α_3j v_j", [_pair(a * v) for a, v in zip(alpha, VALUES, strict=True)], V),
    )
    for row, (name, numbers, colour) in enumerate(stages):
        y = 184 + 46 * row
        plate(canvas, 90, y, name, colour)
        for j, text in enumerate(numbers):
            x = 246 + 160 * j
            canvas.rect(x - 66, y - 16, 132, 32, ink=colour, width=1.5, radius=6)
            canvas.text(x, y, text, size=15)
            if row:
                canvas.arrow(x, y - 30, x, y - 17, ink="#777777", width=1.5, head=6)
    y = 184 + 46 * 4
    plate(canvas, 90, y + 12, "o_3", O)
    for j in range(3):
        canvas.line(246 + 160 * j, y - 30, 406, y - 6, ink="#777777", width=1.5)
    canvas.rect(300, y - 6, 212, 36, fill=O, radius=8)
    canvas.text(406, y + 12, _pair(steps.output[i], 4), size=16, ink=PAPER, bold=True)
    return canvas


def _pair(v, decimals=2):
    return f"[{', '.join(number_text(x, decimals) for x in v)}]"


DRAWINGS = {
    "01": project, "03": roles, "04": scores, "05": dot_product, "06": scaling, "07": routing,
    "09": by_hand,
}  # fmt: skip
