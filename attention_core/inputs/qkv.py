"""What Q, K, V, the mask and the scale must be: the rules behind the sentences."""

import math

import numpy as np

from attention_core.inputs.arrays import as_floats, common_shape, refuse_entry, require_finite
from attention_core.inputs.masks import read_mask


def read(where, q, k, v, mask, scale):
    """Everything that the formula of attention needs, of one float type, and nothing else.

    Returns
    -------
    q, k, v : ndarray
        Floats whose shapes fit together; scores of theirs are finite.
    mask : ndarray or None
        The M that is added to the scaled scores, if there is one.
    scale : float
    kind : dtype
        The type that the caller gets back.

    Raises
    ------
    TypeError, ValueError
        One sentence that names the values and the rule.
    """
    (q, k, v), kind = as_floats(where, q=q, k=k, v=v)
    lengths = check_qkv(where, q, k, v)
    scale = read_scale(where, scale, d_k=q.shape[-1])
    shape = scores_shape(q, k)
    most = 0.0
    if mask is not None:
        mask, most = read_mask(where, mask, shape, q.dtype)
        if mask.ndim > 2:
            common_shape(where, mask.shape[:-2], shape[:-2], v.shape[:-2])
    refuse_large_scores(where, q, k, mask, most, scale, lengths)
    refuse_large_values(where, v, lengths[2])
    return q, k, v, mask, scale, kind


def read_pairs(where, q, k):
    """Q and K as floats that fit together and whose scores are finite."""
    (q, k), _ = as_floats(where, q=q, k=k)
    refuse_large_scores(where, q, k, None, 0.0, 1.0, check_qkv(where, q, k))
    return q, k


def check_qkv(where, q, k, v=None):
    """The lengths ‖Q‖, ‖K‖ and ‖V‖ of matrices that fit together and are finite."""
    named = check_sizes(where, q, k, v)
    return [require_finite(where, name, x) for name, x in named.items()]


def check_sizes(where, q, k, v=None):
    """The matrices by name, if they fit together."""
    named = {"q": q, "k": k} if v is None else {"q": q, "k": k, "v": v}
    for name, x in named.items():
        if x.ndim < 2:
            raise ValueError(f"{where}: {name} is {x.shape}; it needs at least two axes (n, d)")
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"{where}: q is {q.shape} but k is {k.shape}: "
            f"the last sizes must be equal ({q.shape[-1]} != {k.shape[-1]})"
        )
    if v is not None and k.shape[-2] != v.shape[-2]:
        raise ValueError(
            f"{where}: k is {k.shape} but v is {v.shape}: "
            f"each key needs a value ({k.shape[-2]} != {v.shape[-2]})"
        )
    try:
        common_shape(where, *(x.shape[:-2] for x in named.values()))
    except ValueError:
        shapes = ", ".join(f"{name} is {x.shape}" for name, x in named.items())
        raise ValueError(f"{where}: {shapes}: the leading sizes do not fit together") from None
    return named


def scores_shape(q, k):
    """The shape (..., n_q, n_k) of the scores of a Q and a K that fit together."""
    return (*common_shape("scores", q.shape[:-2], k.shape[:-2]), q.shape[-2], k.shape[-2])


def read_scale(where, scale, d_k):
    """The factor on the scores; without one it is 1/√d_k."""
    if scale is None and d_k == 0:
        raise ValueError(f"{where}: d_k is 0; there is nothing to compare and no 1/√d_k")
    if scale is None:
        return 1 / math.sqrt(d_k)  # a Python float: np.sqrt would turn float32 into float64
    if np.ndim(scale) or isinstance(scale, (str, bytes)):
        raise TypeError(f"{where}: scale must be one number, not {scale!r}")
    (number,), _ = as_floats(where, scale=scale)
    scale = float(number)
    if not math.isfinite(scale):
        raise ValueError(f"{where}: scale is {scale}; it must be a finite number")
    return scale


def refuse_large_scores(where, q, k, mask, most, scale, lengths):
    """Refuse scores that are too large for a float, naming the first, before they are needed.

    No |q · k| is above ‖Q‖ ‖K‖ (Cauchy-Schwarz), and hardly ever is that too large; only then
    every score is computed and looked at. A mask adds at most `most`.
    """
    if abs(scale) <= 1 and lengths[0] * lengths[1] + most < np.finfo(q.dtype).max / 2:
        return
    scores = q @ k.mT
    scaled = scores * scale
    require_finite(where, "scores", scores)
    require_finite(where, "scaled scores", scaled)
    total = scaled if mask is None else scaled + mask
    if not total.max(initial=-np.inf) < np.inf:
        refuse_entry(where, "score + mask", total, total == np.inf, "it must be below +inf")


def refuse_large_values(where, v, length):
    """Refuse values so close to the largest float that a mixture of them can be rounded above it.

    Each rounding adds at most eps, and weights and mixture are sums over n_k keys.
    """
    if length < math.inf:
        return
    kind = np.finfo(v.dtype)
    large = np.abs(v) > kind.max * (1 - 4 * (v.shape[-2] + 1) * kind.eps)
    if large.any():
        refuse_entry(where, "v", v, large, "a mixture of such values can overflow")
