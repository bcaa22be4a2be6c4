"""The pictures that the screen benchmark moves: ours, and the same ones under `interact`."""

# Two 8 × 8 matrices with numbers, a slider for d_k and a check box for the causal mask.
OURS_FRAMES = """
import numpy as np
from attention_core import attention_steps, causal_mask
from attention_core.explorers.base import Explorer
from attention_core.explorers.chain import weight_cells
from attention_core.explorers.controls import Check, Slider
from attention_core.explorers.matrix_view import MatrixView, cells

sizes = list(range(1, 65))
labels = [str(i) for i in range(8)]
full = np.random.default_rng(0).normal(size=(2, 8, 64))

def compute(d_k, causal):
    q, k = full[..., :d_k]
    mask = causal_mask(8) if causal else np.ones((8, 8), bool)
    return attention_steps(q, k, np.eye(8), mask)._asdict() | {"mask": mask}

def paint(result, settings):
    return {
        "S": cells(result["masked"], masked=~result["mask"]),
        "A": weight_cells(result["weights"], result["mask"]),
    }

Explorer(
    controls={"d_k": Slider("d_k", sizes, 32), "causal": Check("causal")},
    views={"S": MatrixView("S", labels, labels), "A": MatrixView("A", labels, labels)},
    compute=compute, paint=paint, sentence=lambda r, s: "1", rows=[["d_k", "causal"], ["S", "A"]],
    framed=("d_k", "causal"),
)
"""

# The same matrices after an edit of Q, through the kernel.
OURS_EDITS = """
def compute_edit(Q):
    mask = np.ones((8, 8), bool)
    return attention_steps(Q, full[1][:, :8], np.eye(8), mask)._asdict() | {"mask": mask}

Explorer(
    controls={"Q": MatrixView("Q", labels, labels, full[0][:, :8].round(1), mode="edit")},
    views={"S": MatrixView("S", labels, labels), "A": MatrixView("A", labels, labels)},
    compute=compute_edit, paint=paint, sentence=lambda r, s: "1", rows=[["Q"], ["S", "A"]],
)
"""

OURS_HISTOGRAM = """
from attention_core.explorers import scaling_explorer

scaling_explorer()
"""

PEER_MATRICES = """
%matplotlib inline
import matplotlib.pyplot as plt
from ipywidgets import interact

@interact(d_k=(1, 64), causal=False)
def show(d_k=32, causal=False):
    q, k = full[..., :d_k]
    steps = attention_steps(q, k, np.eye(8), causal_mask(8) if causal else None)
    figure, places = plt.subplots(1, 2, figsize=(9, 4.2))
    for place, matrix in zip(places, (steps.masked, steps.weights)):
        place.imshow(np.where(np.isfinite(matrix), matrix, np.nan))
        for (i, j), x in np.ndenumerate(matrix):
            place.text(j, i, f"{x:.2f}", ha="center", va="center")
    plt.show()
"""

PEER_HISTOGRAM = """
from attention_core import softmax
from attention_core.explorers.scaling import SIZES
draws = {d: np.random.default_rng(0).normal(size=(416, d)) for d in SIZES}

@interact(power=(0, 12), scaled=False)
def show_histogram(power=6, scaled=False):
    d_k = 2**power
    x = draws[d_k]
    scores = x[:400] @ x[400:].T / (d_k**0.5 if scaled else 1)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3))
    left.hist(scores.ravel(), bins=40, range=(-20, 20), density=True)
    right.bar(range(16), softmax(scores)[0])
    plt.show()
"""
