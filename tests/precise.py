"""The formulas once more with long doubles and sums instead of matrix products.

For arrays of any leading axes, so that many cases are quick; it shares nothing with the package.
"""

import numpy as np

LONG = np.longdouble


def product(a, b):
    """Rows of a (..., n, c) times columns of b (..., c, m)."""
    return (a[..., :, :, None] * b[..., None, :, :]).sum(axis=-2)


def swapped(x):
    return np.swapaxes(x, -1, -2)


def softmax(scores, axis=-1):
    """Shares of e^score; a row of only −∞ gets zeros."""
    top = scores.max(axis=axis, keepdims=True, initial=-np.inf)
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = powers.sum(axis=axis, keepdims=True)
    return np.where(total > 0, powers / np.where(total > 0, total, 1), 0)


def added(mask):
    """What a mask adds to the scores."""
    if mask is None:
        return LONG(0)
    return np.where(mask, LONG(0), LONG(-np.inf)) if mask.dtype == bool else mask.astype(LONG)


def attention(q, k, v, mask=None, scale=None):
    """Scores, weights and output."""
    q, k, v = (x.astype(LONG) for x in (q, k, v))
    scale = 1 / np.sqrt(LONG(q.shape[-1])) if scale is None else LONG(scale)
    scores = product(q, swapped(k))
    weights = softmax(scores * scale + added(mask))
    return scores, weights, product(weights, v)


def gradients(q, k, v, d_output, mask=None):
    """dQ, dK and dV, each with the axes of the output."""
    q, k, v, d_output = (x.astype(LONG) for x in (q, k, v, d_output))
    scale = 1 / np.sqrt(LONG(q.shape[-1]))
    _, weights, _ = attention(q, k, v, mask)
    d_weights = product(d_output, swapped(v))
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True)) * scale
    return product(d_scores, k), product(swapped(d_scores), q), product(swapped(weights), d_output)
