"""The picture of lesson 15: a wall of real heads, all reading one sentence."""

from pathlib import Path

import numpy as np
from pieces import INK, X, page

from attention_core import attention_steps
from attention_core.drawing.palette import cell_colours

DATA = Path(__file__).resolve().parent.parent / "attention_core/trained/data/trained_heads.npz"
SIZE, SEEN = 5.5, 0.25  # pixels a token; weights that are drawn


def draw():
    """Four heads of each of the six layers of the small encoder; only the strong weights."""
    canvas = page(420, "L0 … L5: heads that read one sentence")
    data = np.load(DATA, allow_pickle=False)
    q, k = (data[f"enc_tired_{name}"].astype(np.float64) for name in "QK")
    weights = attention_steps(q, k, k).weights
    n = weights.shape[-1]
    for layer in range(6):
        canvas.symbol(36 + 114 * layer + n * SIZE / 2, 18, f"L_{layer}", size=14, ink=X)
        for row, head in enumerate(range(0, 12, 3)):
            left, top = 36 + 114 * layer, 34 + 96 * row
            canvas.rect(left, top, n * SIZE, n * SIZE, ink=INK, width=1)
            fills, _ = cell_colours(weights[layer, head], "weights")
            for i, j in np.argwhere(weights[layer, head] >= SEEN).tolist():
                canvas.rect(left + SIZE * j, top + SIZE * i, SIZE, SIZE, fill=fills[i][j])
    return canvas
