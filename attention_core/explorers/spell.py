"""The arithmetic behind one cell, spelled out as on a blackboard."""

import numpy as np

from attention_core.drawing.numbers import number_text
from attention_core.language import Words, say

_LIMIT = 6  # more terms than this are cut in the middle
_NOWHERE = Words(
    "{name} = 0: this row may look nowhere, so there is nothing to share out",
    "{name} = 0：这一行什么都看不到，没有可以分配的权重",
)
_SHIFTED = Words(
    "  (the largest, {top}, is subtracted first; the ratio stays the same)",
    "（先减去其中最大的 {top}，比值不变）",
)


def subscript(*indices):
    """Write 0-based indices as lowered, 1-based numbers: (1, 2) -> "₂₃"."""
    digits = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    return (
        ",".join(str(i + 1) for i in indices).translate(digits)
        if _long(indices)
        else "".join(str(i + 1) for i in indices).translate(digits)
    )


def dot(name, left, right, *, names):
    """q₂ · k₃ = 0·1 + 1·1 = 1"""
    terms = [f"{_n(a)}·{_factor(b)}" for a, b in zip(left, right, strict=True)]
    return f"{name} = {names} = {_sum(terms)} = {_n(np.dot(left, right))}"


def scaling(name, score, d_k, scaled, on=True):
    """1 / √2 = 0.71"""
    how = f"{_n(score)} / √{d_k}" if on else f"{_n(score)} / 1"
    return f"{name} = {how} = {_n(scaled)}"


def masking(name, scaled, masked):
    """0.71 + (−∞) = −∞"""
    m = "0" if np.isfinite(masked) else "(−∞)"
    return f"{name} = {_n(scaled)} + {m} = {_n(masked)}"


def sharing(name, row, j, weight):
    """e^0.71 / (e^0 + e^0.71) = 2.03 / (1 + 2.03) = 0.67"""
    row = np.asarray(row, dtype=float)
    if not np.isfinite(row).any():
        return say(_NOWHERE, name=name)
    top = row.max()
    shift = top if abs(top) > 20 else 0.0
    powers = [_power(x - shift) for x in row]
    numbers = [_n(np.exp(x - shift)) for x in row]
    line = f"{name} = {powers[j]} / ({_sum(powers)}) = {numbers[j]} / ({_sum(numbers)})"
    line += f" = {number_text(weight, 4)}"
    return line + (say(_SHIFTED, top=_n(top)) if shift else "")


def mixing(name, weights, column, value):
    """0.33·0 + 0.67·2 = 1.34"""
    terms = [f"{number_text(a, 4)}·{_factor(b)}" for a, b in zip(weights, column, strict=True)]
    return f"{name} = {_sum(terms)} = {number_text(value, 4)}"


def through_softmax(name, weight, d_weight, total, d_score):
    """a · (da − Σ a·da): 0.5·(4 − 2) = 1"""
    inside = f"{_n(d_weight)} − {_factor(total)}"
    return f"{name} = {number_text(weight, 4)}·({inside}) = {number_text(d_score, 4)}"


def chain_cell(view, i, j, steps, q, k, v, scale_on=True):
    """The arithmetic of one cell of the five steps, for any numbers."""
    at = subscript(i, j)
    if view == "scores":
        names = f"q{subscript(i)} · k{subscript(j)}"
        return dot(f"(QKᵀ){at}", q[i], k[j], names=names)
    if view == "scaled":
        return scaling(f"S{at}", steps.scores[i, j], q.shape[-1], steps.scaled[i, j], scale_on)
    if view == "masked":
        return masking(f"(S + M){at}", steps.scaled[i, j], steps.masked[i, j])
    if view == "weights":
        return sharing(f"A{at}", steps.masked[i], j, steps.weights[i, j])
    if view == "output":
        return mixing(f"O{at}", steps.weights[i], v[:, j], steps.output[i, j])
    return None


def _long(indices):
    return any(i > 8 for i in indices)


def _n(x):
    """A number as short as it can be: 1, 0.5, −0.71."""
    text = number_text(x, 4)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _factor(x):
    """A number behind a multiplication sign: negative ones stand in brackets."""
    return f"({_n(x)})" if x < 0 else _n(x)


def _power(x):
    return "0" if x == -np.inf else f"e^{_n(x)}"


def _sum(terms):
    if len(terms) > _LIMIT:
        terms = [*terms[:3], "…", *terms[-2:]]
    return " + ".join(f"({t})" if t.startswith("−") and n else t for n, t in enumerate(terms))
