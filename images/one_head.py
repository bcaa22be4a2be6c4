"""Pictures of one head, step by step: lessons 01 to 09."""

import math

import numpy as np
from pieces import WEIGHTS, K, O, Q, V, X, arrow, block, matrix, page, plate, token

from attention_core import attention_steps, causal_mask, softmax
from attention_core.drawing.numbers import number_text
from attention_core.drawing.palette import FAINT, INK, ON_CHIP

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
        canvas.line(x, 144, x, 200, ink=FAINT)
        canvas.line(x, 232, 360, 306, ink=V, width=1 + 13 * share)
        token(canvas, x, 128, f"k_{j + 1}", K, wide=76)
        canvas.circle(x, 172, 3 + 15 * share, fill=WEIGHTS)
        canvas.symbol(x + 48, 172, number_text(share), size=15)
        token(canvas, x, 216, f"v_{j + 1}", V, wide=76)
    token(canvas, 360, 34, "q_i", Q, solid=True)
    token(canvas, 360, 310, "o_i", O, solid=True)
    canvas.symbol(60, 172, "α_ij", size=17, ink=WEIGHTS, bold=True)
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
        canvas.line(*at(key), *at(foot), ink=FAINT, width=1.2, dash="4 4")
        canvas.circle(*at(foot), 4, fill=K)
        canvas.arrow(x0, y0, *at(key), ink=K, width=2.5, head=12)
        tip = key * (1 + 0.2 / math.hypot(*key))
        canvas.symbol(*at(tip), f"k_{j + 1}", size=17, ink=K, bold=True)
    canvas.arrow(x0, y0, *at(q), ink=Q, width=4, head=14)
    canvas.symbol(at(q)[0] - 10, at(q)[1] - 20, "q", size=19, ink=Q, bold=True)
    for j in range(3):
        canvas.symbol(520, 110 + 64 * j, f"q·k_{j + 1} = |q| |k_{j + 1}| cos θ_{j + 1}", size=17)
    return canvas


def scaling():
    """06: without the division the scores spread; how far is the lesson's question."""
    canvas = page(372, "q·k spreads, q·k/√d_k does not")
    for base, sigma, colour, name in ((96, 8.0, X, "q·k"), (268, 1.0, INK, "q·k/√d_k")):
        middle, unit = 400, 12
        x = np.linspace(-20, 20, 161)
        y = np.exp(-(x**2) / (2 * sigma**2))
        curve = [(middle + unit * a, base + 40 - 96 * b) for a, b in zip(x, y, strict=True)]
        ends = [(middle - 20 * unit, base + 40), (middle + 20 * unit, base + 40)]
        canvas.polygon([ends[0], *curve, ends[1]], fill=colour, opacity=0.2)
        canvas.polyline(curve, ink=colour, width=2.5)
        canvas.line(*ends[0], *ends[1])
        canvas.line(middle, base + 40, middle, base + 46)
        canvas.text(middle, base + 58, "0", size=13)
        canvas.symbol(60, base + 10, name, size=19, ink=colour, anchor="start", bold=True)
    arrow(canvas, 90, 150, 90, 236, colour=INK)
    canvas.symbol(126, 192, "÷ √d_k", size=16, anchor="start")
    return canvas


def routing():
    """07: three scores become three shares of one whole, and a point inside a triangle."""
    canvas = page(340, "softmax(s) = α, Σ_j α_j = 1, o = Σ_j α_j v_j")
    shares = np.array([0.2, 0.3, 0.5])
    logits = np.log(shares) + 2.0
    alpha = softmax(logits)
    for j, (score, share) in enumerate(zip(logits.tolist(), alpha.tolist(), strict=True)):
        y = 84 + 76 * j
        canvas.symbol(52, y, f"s_{j + 1}", size=17)
        canvas.rect(74, y - 14, 62 * score, 28, fill=V, opacity=0.35, radius=4)
        canvas.text(82 + 62 * score, y, number_text(score), size=14, anchor="start")
        y0 = 46 + 228 * float(alpha[:j].sum())
        canvas.rect(300, y0, 62, 228 * share - 2, fill=V, radius=4)
        canvas.text(331, y0 + 114 * share, number_text(share), size=16, ink=ON_CHIP, bold=True)
    arrow(canvas, 204, 160, 288, 160, "softmax")
    canvas.symbol(331, 294, "Σ_j α_j = 1", size=16)
    corners = np.array([[448.0, 262.0], [668.0, 262.0], [558.0, 62.0]])
    point = alpha @ corners
    canvas.polygon(corners.tolist(), fill=X, ink=INK, width=1.5, opacity=0.08)
    for corner, share in zip(corners.tolist(), alpha.tolist(), strict=True):
        canvas.line(*corner, *point, ink=V, width=1 + 9 * share)
    names = ((-22, 12), (22, 12), (0, -20))
    for j, (corner, (dx, dy)) in enumerate(zip(corners.tolist(), names, strict=True)):
        canvas.circle(*corner, 7, fill=V)
        canvas.symbol(corner[0] + dx, corner[1] + dy, f"v_{j + 1}", size=18, ink=V, bold=True)
    canvas.circle(*point, 10, fill=O)
    canvas.symbol(point[0] + 24, point[1] + 2, "o", size=19, ink=O, bold=True)
    arrow(canvas, 374, 160, 430, 160)
    return canvas


def by_hand():
    """09: the third row of the worked example; what comes out is worked out in the lesson."""
    canvas = page(420, "q_3 → scores → weights → o_3")
    steps = attention_steps(KEYS, KEYS, VALUES, mask=causal_mask(3))
    soft = {"cell": (50, 32), "scale": (-4.0, 4.0), "decimals": 0}
    matrix(canvas, 60, 40, KEYS, "Q", ink=Q, marked=2, **soft)
    matrix(canvas, 290, 40, KEYS.mT, "Kᵀ", ink=K, **soft)
    matrix(canvas, 560, 40, VALUES, "V", ink=V, **soft)
    raw = [number_text(score, 0) for score in steps.scores[2].tolist()]
    stages = (
        ("q_3·k_j", raw, K),
        ("÷ √2", None, K),
        ("α_3j", None, WEIGHTS),
        ("α_3j v_j", None, V),
    )
    for row, (name, numbers, colour) in enumerate(stages):
        y = 184 + 46 * row
        plate(canvas, 90, y, name, colour)
        for j in range(3):
            x = 246 + 160 * j
            canvas.rect(x - 66, y - 16, 132, 32, ink=colour, width=1.5, radius=6)
            if numbers:
                canvas.text(x, y, numbers[j], size=15)
            else:
                canvas.arrow(x, y - 30, x, y - 17, ink=FAINT, width=1.5, head=6)
    y = 184 + 46 * 4
    plate(canvas, 90, y + 12, "o_3", O)
    for j in range(3):
        canvas.line(246 + 160 * j, y - 30, 406, y - 6, ink=FAINT, width=1.5)
    canvas.rect(300, y - 6, 212, 36, fill=O, radius=8)
    return canvas


DRAWINGS = {
    "01": project, "03": roles, "05": dot_product, "06": scaling, "07": routing,
    "09": by_hand,
}  # fmt: skip
