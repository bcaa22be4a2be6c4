"""The pictures of lessons 10 to 17: two sequences, many heads, and what lies beyond."""

import math
from pathlib import Path

import numpy as np
from pieces import (
    WEIGHTS,
    K,
    O,
    Q,
    V,
    X,
    arrow,
    block,
    curve_between,
    matrix,
    page,
    token,
)  # fmt: skip

from attention_core import (
    attention_steps,
    causal_mask,
    init_multi_head,
    multi_head_attention,
)  # fmt: skip
from attention_core.drawing.numbers import number_text
from attention_core.drawing.palette import HIDDEN, INK, PAPER, cell_colours

DATA = Path(__file__).resolve().parent.parent / "attention_core/trained/data/trained_heads.npz"


def self_and_cross():
    """10: Q, K, V from one sequence; or Q from one, K and V from another."""
    canvas = page(352, "X → Q, K, V; Y → Q, X → K, V")
    rng = np.random.default_rng(5)
    zh, en = ["我", "爱", "猫"], ["I", "love", "cats", "."]
    x, y, w = rng.normal(size=(4, 3)), rng.normal(size=(3, 3)), 1.2 * rng.normal(size=(2, 3, 3))
    for left, rows, source, row_ink in ((24, en, x, X), (384, zh, y, O)):
        weights = attention_steps(source @ w[0], x @ w[1], x).weights
        crossed = len(rows) == 3
        for i, text in enumerate(rows):
            token(canvas, left + 34, 158 + 44 * i, text, row_ink, wide=58)
        for j, text in enumerate(en):
            token(canvas, left + 132 + 50 * j, 46, text, X, wide=47)
        cell = (50, 44)
        matrix(canvas, left + 107, 136, weights, "", kind="weights", cell=cell)
        canvas.symbol(left + 86, 126, "Q", size=17, ink=Q, bold=True)
        canvas.symbol(left + 96, 84, "K", size=17, ink=K, bold=True)
        canvas.symbol(left + 96, 106, "V", size=17, ink=V, bold=True)
        for j in range(4):
            canvas.arrow(left + 132 + 50 * j, 64, left + 132 + 50 * j, 130, ink=K, width=1.5)
        for i in range(len(rows)):
            canvas.arrow(left + 66, 158 + 44 * i, left + 102, 158 + 44 * i, ink=Q, width=1.5)
        size = "n_q × n_k" if crossed else "n × n"
        canvas.symbol(left + 207, 330, size, size=17, bold=True)
    canvas.line(360, 24, 360, 330, ink="#bbbbbb", dash="3 5")
    return canvas


def heads():
    """11: every head has weights of its own; their outputs stand side by side, then W_O."""
    canvas = page(372, "[head_1 … head_h]W_O")
    rng = np.random.default_rng(2)
    h, n, d_model = 4, 5, 8
    x = rng.normal(size=(n, d_model)) * 2
    _, weights = multi_head_attention(x, init_multi_head(rng, d_model, h), h)
    inks = (Q, K, V, O)
    token(canvas, 360, 34, "X", X, solid=True)
    for i, ink in enumerate(inks):
        left = 60 + 160 * i
        canvas.arrow(360, 50, left + 60, 88, ink=ink)
        cell = {"kind": "weights", "cell": (24, 24), "numbers": False}
        matrix(canvas, left, 118, weights[i], f"head_{i + 1}", ink=ink, **cell)
        canvas.arrow(left + 60, 244, 276 + 56 * i, 284, ink=ink)
        block(canvas, 248 + 56 * i, 290, 3, 2, ink, unit=22, solid=True)
    canvas.rect(248, 290, 212, 66, ink=INK, width=2)
    arrow(canvas, 472, 323, 548, 323, "W_O")
    block(canvas, 556, 290, 3, 6, X, "O", unit=22)
    return canvas


def head_shapes():
    """12: split into h slices, one n × n map for each, side by side again."""
    n, d_model, h = 100, 512, 8
    canvas = page(330, "(n, d_model) → (h, n, d_head) → (h, n, n) → (n, d_model)")
    inks = (Q, K, V, O)
    for k in range(h):
        ink = inks[k % 4]
        for left in (24, 552):
            canvas.rect(left + 18 * k, 110, 18, 100, fill=ink, opacity=0.55, ink=PAPER)
    for k in reversed(range(h)):
        ink, dx = inks[k % 4], 8 * k
        for left, wide, opacity in ((216, 18, 0.4), (344, 100, 0.25)):
            canvas.rect(left + dx, 146 - dx, wide, 100, fill=PAPER, ink=ink, width=2)
            canvas.rect(left + dx, 146 - dx, wide, 100, fill=ink, opacity=opacity)
    canvas.rect(24, 110, 144, 100, ink=INK, width=2)
    canvas.rect(552, 110, 144, 100, ink=INK, width=2)
    arrow(canvas, 174, 160, 210, 160)
    arrow(canvas, 272, 226, 338, 226, "QKᵀ", size=14)
    arrow(canvas, 506, 160, 546, 160, "V", size=14)
    shapes = (
        (96, f"({n}, {d_model})", "(n, d_model)"),
        (236, f"({h}, {n}, {d_model // h})", "(h, n, d_head)"),
        (400, f"({h}, {n}, {n})", "(h, n, n)"),
        (624, f"({n}, {d_model})", "(n, d_model)"),
    )
    for x, numbers, symbols in shapes:
        canvas.text(x, 272, numbers, size=17, bold=True)
        canvas.symbol(x, 300, symbols, size=15)
    return canvas


def misconceptions():
    """13: five pairs that are not the same."""
    canvas = page(300, "W_Q ≠ Q, n×d_k ≠ n×n, α_ij k_j ≠ α_ij v_j, V ≠ O, h·A ≠ A_1 … A_h")
    for k in range(5):
        left = 14 + 140 * k
        canvas.rect(left, 18, 132, 264, fill="#f7f7f5", ink="#c9c9c4", radius=12)
        canvas.text(left + 66, 150, "≠", size=34, bold=True)
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
        matrix(canvas, x, y, maps[0], ink=Q, **look)
        matrix(canvas, x, y + 140, maps[k], ink=(Q, K, V, O)[k], **look)
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
        canvas.polyline(points[:-2], ink="#888888", width=2.5, dash="6 4" if k == 4 else None)
        canvas.arrow(*points[-3], *points[-1], ink="#888888", width=2.5, head=12)
        name = ("", "QKᵀ/√d_k + M", "softmax", "", "")[k]
        if name:
            a = angle + math.radians(34)
            out = (cx + 0.8 * rx * math.cos(a), cy + 0.76 * ry * math.sin(a))
            canvas.symbol(*out, name, size=16)
    for (name, ink), angle in zip(stops, angles, strict=True):
        x, y = cx + rx * math.cos(angle), cy + ry * math.sin(angle)
        token(canvas, x, y, name, ink, wide=76, tall=44, solid=True)
    token(canvas, cx - 60, cy + 30, "V", V, wide=76, tall=44, solid=True)
    canvas.arrow(cx - rx + 42, cy + 4, cx - 104, cy + 26, ink="#888888", width=2.5, head=12)
    x, y = cx + rx * math.cos(angles[4]), cy + ry * math.sin(angles[4])
    canvas.arrow(cx - 22, cy + 44, x - 30, y - 28, ink=V, width=2.5, head=12)
    canvas.symbol(cx + 76, cy + 104, "AV", size=16, ink=V)
    return canvas


def trained():
    """15: a real trained head: where "it" looks."""
    data = np.load(DATA, allow_pickle=False)
    layer, head = 3, 1
    q, k = (data[f"enc_tired_{name}"][layer, head].astype(np.float64) for name in "QK")
    tokens = data["enc_tired_tokens"].tolist()
    weights = attention_steps(q, k, k).weights
    canvas = page(330, "it → animal")
    at = tokens.index("it")
    wide = [14 + 8.2 * len(text) for text in tokens]
    free = (700 - sum(wide)) / (len(tokens) - 1)
    x = [10 + sum(wide[:j]) + wide[j] / 2 + j * free for j in range(len(tokens))]
    top, bottom = 40, 250
    for j, share in enumerate(weights[at].tolist()):
        curve_between(canvas, x[at], top + 12, x[j], bottom - 14, Q, 0.6 + 16 * share, 0)
        canvas.rect(x[j] - 11, bottom + 18, 22, 50 * share, fill=Q)
        if share >= 0.05:
            canvas.text(x[j], bottom + 28 + 50 * share, number_text(share), size=13)
    for j, text in enumerate(tokens):
        strong = weights[at, j] >= 0.3
        canvas.text(x[j], bottom, text, size=13.5, bold=strong, ink=Q if strong else INK)
        canvas.text(x[j], top, text, size=13.5, bold=j == at, ink=K if j == at else "#767676")
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
        for side, ink, back in ((-7, "#9a9a9a", False), (7, K, True)):
            a = (x1 + 46 * ux - side * uy, y1 + 46 * uy + side * ux)
            b = (x2 - 46 * ux - side * uy, y2 - 46 * uy + side * ux)
            canvas.arrow(*(b if back else a), *(a if back else b), ink=ink, width=2.5, head=11)
        low = 28 if abs(uy) < 0.2 else 22
        canvas.symbol(
            (x1 + x2) / 2 + (14 - low) * uy, (y1 + y2) / 2 + low * abs(ux), name, size=15,
            ink="#a84a00", anchor="start" if uy < -0.1 else "middle",
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
    fills, _ = cell_colours(weights, "weights")
    row, column = 5, 3
    for i, j in np.ndindex(n, n):
        x, y = left + size * j, top + size * i
        read = j <= i and (i < row or (i == row and j <= column))
        canvas.rect(x, y, size, size, fill=fills[i][j] if read else PAPER, ink="#d0d0d0")
        if j > i:
            canvas.rect(x + 0.5, y + 0.5, size - 1, size - 1, fill=HIDDEN)
            canvas.hatch(x + 1, y + 1, size - 2, size - 2)
    canvas.rect(left, top, n * size, n * size, ink=INK, width=2)
    x, y = left + size * column, top + size * row
    canvas.rect(x, y, size, size, ink=K, width=5)
    canvas.arrow(x + size + 6, y + size / 2, x + 2.6 * size, y + size / 2, ink=K, width=3, head=12)
    canvas.symbol(left - 20, y + size / 2, "Q_i", size=16, ink=Q, bold=True)
    canvas.symbol(x + size / 2, top - 18, "K_j, V_j", size=16, ink=K, bold=True)
    canvas.arrow(386, y + size / 2, 440, y + size / 2, ink=INK)
    rows = (
        ("m ← max(m, max S_ij)", INK), ("P = exp(S_ij − m)", WEIGHTS),
        ("ℓ ← ℓ·exp(m′ − m) + Σ P", INK), ("o ← o·exp(m′ − m) + P V_j", V), ("O_i = o / ℓ", O),
    )  # fmt: skip
    canvas.rect(448, 84, 254, 250, fill="#f7f7f5", ink="#c9c9c4", radius=12)
    for r, (text, ink) in enumerate(rows):
        canvas.symbol(464, 116 + 46 * r, text, size=16, ink=ink, anchor="start", bold=r == 4)
    return canvas


DRAWINGS = {
    "10": self_and_cross, "11": heads, "12": head_shapes, "13": misconceptions, "14": loop,
    "15": trained, "16": gradients, "17": tiles,
}  # fmt: skip
