"""The pictures that the screen benchmark moves: ours, and the same ones under `interact`."""

# Two 8 × 8 matrices with numbers, a slider for d_k and a check box for the causal mask.
OURS_FRAMES = """
import numpy as np
from attention_core import attention_steps, causal_mask
from attention_core.explorers import machine
from attention_core.explorers.widgets import Check, Explorer, Matrix, Picture, Slider

sizes = list(range(1, 65))
full = np.random.default_rng(0).normal(size=(2, 8, 64))

class Pictured(Explorer):
    def picture(self, result, settings):
        frames = {
            "S": machine.masked_frame(result["masked"], result["mask"]),
            "A": machine.weights_frame(result["weights"], result["mask"]),
        }
        return Picture(frames, "1")

class Framed(Pictured):
    def compute(self, d_k, causal):
        q, k = full[..., :d_k]
        mask = causal_mask(8) if causal else np.ones((8, 8), bool)
        return attention_steps(q, k, np.eye(8), mask)._asdict() | {"mask": mask}

both = {"S": Matrix("S", 8, 8), "A": Matrix("A", 8, 8)}
controls = {"d_k": Slider("d_k", sizes, 32), "causal": Check("causal")}
Framed(controls | both, [["S", "A"]], framed=("d_k", "causal"))
"""

# The same matrices after an edit of Q, through the kernel.
OURS_EDITS = """
class Edited(Pictured):
    def compute(self, Q):
        mask = np.ones((8, 8), bool)
        return attention_steps(Q, full[1][:, :8], np.eye(8), mask)._asdict() | {"mask": mask}

Edited({"Q": Matrix("Q", 8, 8, full[0][:, :8].round(1))} | both, [["Q", "S", "A"]])
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
    scores = x[:400] @ x[400:].mT / (d_k**0.5 if scaled else 1)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3))
    left.hist(scores.ravel(), bins=40, range=(-20, 20), density=True)
    right.bar(range(16), softmax(scores)[0])
    plt.show()
"""
