"""The pictures of lessons 13 to 17."""

import math

import numpy as np
from pieces import (
    WEIGHTS,
    K,
    O,
    Q,
    V,
    X,
    block,
    cell_at,
    matrix,
    page,
    panel,
    token,
)  # fmt: skip

from attention_core import (
    attention_steps,
    causal_mask,
)  # fmt: skip
from attention_core.drawing.palette import FAINT, INK, cell_colours


def misconceptions():
    """13: five pairs; are they the same?"""
    canvas = page(300, "W_Q = Q? n×d_k = n×n? α_ij k_j = α_ij v_j? V = O? A = A_1 … A_h?")
    for k in range(5):
        left = 14 + 140 * k
        panel(canvas, left, 18, 132, 264)
        canvas.text(left + 66, 150, "= ?", size=30, bold=True)
    mid = [14 + 140 * k + 66 for k in range(5)]
    block(canvas, mid[0] - 24, 46, 5, 3, Q, "W_Q", solid=True)
    block(canvas, mid[0] - 24, 198, 3, 3, Q, "Q")
    block(canvas, mid[1] - 20, 52, 4, 2, X, unit=18)
    canvas.symbol(mid[1], 36, "n × d_k", size=14)
    block(canvas, mid[1] - 36, 184, 4, 4, INK, "QKᵀ", unit=18)
    canvas.symbol(mid[1], 270, "n × n", size=14)
    for top, name, ink in ((84, "k_j", K), (216, "v_j", V)):
        token(canvas, mid[2], top, name, ink, solid=True)
        canvas.symbol(mid[2], top - 32, "Σ_j α_ij", size=16)
    block(canvas, mid[3] - 27, 58, 3, 3, V, "V", unit=18)
    block(canvas, mid[3] - 27, 194, 3, 3, O, "O", unit=18)
    rng = np.random.default_rng(4)
    maps = attention_steps(rng.normal(size=(4, 3, 2)) * 2, rng.normal(size=(4, 3, 2)) * 2,
                           rng.normal(size=(4, 3, 2))).weights  # fmt: skip
    for k in range(4):
        x, y = mid[4] - 50 + 54 * (k % 2), 36 + 50 * (k // 2)
        look = {"kind": "weights", "cell": (15, 15), "numbers": False}
        matrix(canvas, x, y, maps[0], ink=X, **look)
        matrix(canvas, x, y + 140, maps[k], ink=X, **look)
    return canvas


def loop():
    """14: the closed chain; the output is the next layer's input."""
    canvas = page(400, "X → Q, K, V → S → A → O → X′")
    cx, cy, rx, ry = 360, 200, 270, 140
    stops = [("X", X), ("Q, K", Q), ("S", INK), ("A", WEIGHTS), ("O", O)]
    angles = [math.radians(180 + 72 * k) for k in range(5)]
    for k, angle in enumerate(angles):
        arc = np.linspace(angle + 0.30, angle + math.radians(72) - 0.36, 20)
        points = [(cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in arc.tolist()]
        canvas.polyline(points[:-2], ink=FAINT, width=2.5, dash="6 4" if k == 4 else None)
        canvas.arrow(*points[-3], *points[-1], ink=FAINT, width=2.5, head=12)
        name = ("", "QKᵀ/√d_k + M", "softmax", "", "")[k]
        if name:
            a = angle + math.radians(34)
            out = (cx + 0.8 * rx * math.cos(a), cy + 0.76 * ry * math.sin(a))
            canvas.symbol(*out, name, size=16)
    for (name, ink), angle in zip(stops, angles, strict=True):
        x, y = cx + rx * math.cos(angle), cy + ry * math.sin(angle)
        token(canvas, x, y, name, ink, wide=76, tall=44, solid=True)
    token(canvas, cx - 60, cy + 30, "V", V, wide=76, tall=44, solid=True)
    canvas.arrow(cx - rx + 42, cy + 4, cx - 104, cy + 26, ink=FAINT, width=2.5, head=12)
    x, y = cx + rx * math.cos(angles[4]), cy + ry * math.sin(angles[4])
    canvas.arrow(cx - 22, cy + 44, x - 30, y - 28, ink=V, width=2.5, head=12)
    canvas.symbol(cx + 76, cy + 104, "AV", size=16, ink=V)
    return canvas


def gradients():
    """16: forwards in grey, backwards in orange."""
    canvas = page(300, "∂L/∂O → ∂L/∂V, ∂L/∂A → ∂L/∂S → ∂L/∂Q, ∂L/∂K")
    places = {"Q": (80, 76), "K": (80, 224), "S": (270, 150), "A": (440, 150), "O": (640, 150)}
    places["V"] = (440, 262)
    inks = {"Q": Q, "K": K, "S": INK, "A": WEIGHTS, "O": O, "V": V}
    edges = (
        ("Q", "S", "dQ"), ("K", "S", "dK"), ("S", "A", "dS"),
        ("A", "O", "dA"), ("V", "O", "dV"),
    )  # fmt: skip
    for start, end, name in edges:
        (x1, y1), (x2, y2) = places[start], places[end]
        length = math.hypot(x2 - x1, y2 - y1)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        for side, ink, back in ((-7, FAINT, False), (7, K, True)):
            a = (x1 + 46 * ux - side * uy, y1 + 46 * uy + side * ux)
            b = (x2 - 46 * ux - side * uy, y2 - 46 * uy + side * ux)
            canvas.arrow(*(b if back else a), *(a if back else b), ink=ink, width=2.5, head=11)
        low = 28 if abs(uy) < 0.2 else 22
        canvas.symbol(
            (x1 + x2) / 2 + (14 - low) * uy, (y1 + y2) / 2 + low * abs(ux), name, size=15,
            ink=K, anchor="start" if uy < -0.1 else "middle",
        )  # fmt: skip
    for name, (x, y) in places.items():
        token(canvas, x, y, name, inks[name], wide=66, tall=42, solid=True)
    return canvas


def tiles():
    """17: never the whole n × n; one tile at a time, with a running maximum and sum."""
    canvas = page(380, "m, ℓ, o: O(n)")
    n, size, left, top = 8, 38, 60, 44
    rng = np.random.default_rng(9)
    q, k = rng.normal(size=(2, n, 4)) * 1.3
    weights = attention_steps(q, k, k, mask=causal_mask(n)).weights
    row, column = 5, 3
    fills, _ = cell_colours(weights, "weights")
    for i, j in np.ndindex(n, n):
        x, y = left + size * j, top + size * i
        read = j <= i and (i < row or (i == row and j <= column))
        canvas.rect(x, y, size, size, ink=FAINT, width=0.5)
        if read and fills[i][j] != "none":
            cell_at(canvas, x, y, size, size, fills[i][j])
        if j > i:
            canvas.hatch(x + 1, y + 1, size - 2, size - 2)
    canvas.rect(left, top, n * size, n * size, ink=INK, width=2)
    x, y = left + size * column, top + size * row
    canvas.rect(x, y, size, size, ink=K, width=5)
    canvas.arrow(x + size + 6, y + size / 2, x + 2.6 * size, y + size / 2, ink=K, width=3, head=12)
    canvas.symbol(left - 20, y + size / 2, "Q_i", size=16, ink=Q, bold=True)
    canvas.symbol(x + size / 2, top - 18, "K_j, V_j", size=16, ink=K, bold=True)
    canvas.arrow(386, y + size / 2, 440, y + size / 2, ink=INK)
    rows = (
        ("m = max(m_old, max S_ij)", INK), ("P = exp(S_ij − m)", WEIGHTS),
        ("ℓ ← ℓ·exp(m_old − m) + Σ P", INK), ("o ← o·exp(m_old − m) + P V_j", V),
        ("O_i = o / ℓ", O),
    )  # fmt: skip
    panel(canvas, 448, 84, 254, 250)
    for r, (text, ink) in enumerate(rows):
        canvas.symbol(464, 116 + 46 * r, text, size=16, ink=ink, anchor="start", bold=r == 4)
    return canvas


DRAWINGS = {
    "13": misconceptions, "14": loop, "16": gradients, "17": tiles,
}  # fmt: skip
