"""Lesson 02: two layers in numbers: what they keep, what they make, and what has moved."""

import numpy as np

from attention_core.attention import attention
from attention_core.example import W_K, W_O, W_Q, W_V, hidden
from attention_core.projections import project

# Layer 2: the random matrices that the lesson draws.
W2_Q = np.array([[0, -2], [-2, -2], [-1, 2], [1, 1], [2, 0]], float)
W2_K = np.array([[-2, -2], [-1, 1], [-1, -1], [-2, 1], [-2, 0]], float)
W2_V = np.array([[1, 0, 1], [1, -1, -2], [-2, 0, -1], [-2, 1, 2], [2, 0, 0]], float)
START = {
    "X": hidden(), "WQ": W_Q, "WK": W_K, "WV": W_V, "WO": W_O[:3],
    "WQ2": W2_Q, "WK2": W2_K, "WV2": W2_V,
}  # fmt: skip

KEPT = {1: ("WQ", "WK", "WV", "WO"), 2: ("WQ2", "WK2", "WV2")}
MADE = {1: ("Q", "K", "V", "A", "O", "H"), 2: ("Q2", "K2", "V2")}


def read(X, WQ, WK, WV, WO, WQ2, WK2, WV2):
    """What both layers make of a sentence."""
    q, k, v = project(X, WQ), project(X, WK), project(X, WV)
    o, a = attention(q, k, v)
    h = X + project(o, WO)
    return {
        "Q": q, "K": k, "V": v, "A": a, "O": o, "H": h,
        "Q2": project(h, WQ2), "K2": project(h, WK2), "V2": project(h, WV2),
    }  # fmt: skip


def moved(result, settings):
    """For each matrix, which of its numbers differ from the start."""
    begun = START | read(**START)
    return {name: ~np.isclose({**settings, **result}[name], x) for name, x in begun.items()}


def tally(masks):
    """How many cells are marked, and of how many."""
    return sum(int(mask.sum()) for mask in masks), sum(mask.size for mask in masks)
