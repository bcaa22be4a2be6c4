"""Tiles for the blockwise form: how large they are, and how large the numbers in them can get."""

import math
from typing import NamedTuple

import numpy as np

from attention_core.inputs.arrays import whole_number
from attention_core.masks import causal_mask

BOUND = 20.0  # e^±20, and sums of it, stay far inside what a float32 can hold


class Workspace(NamedTuple):
    """What every tile uses again: one piece of memory, not one for each tile."""

    rows: int  # queries in a tile
    cols: int  # keys in a tile
    tile: np.ndarray  # the only scores that exist at any moment
    ahead: np.ndarray  # what the causal mask hides where a tile meets the diagonal
    ones: np.ndarray  # a sum is a product with ones


def workspace(where, n_q, n_k, causal, block, one):
    """Tiles that fit a cache of 1 MB; small ones waste less along the diagonal.

    Examples
    --------
    >>> workspace("here", n_q=4096, n_k=4096, causal=True, block=None, one=np.float32(1))[:2]
    (256, 512)
    """
    rows, cols = min(256, max(64, n_q // 8)) if causal else 256, 512
    if block is not None:
        rows = cols = whole_number(where, "block", block, least=1)
    rows, cols = max(1, min(rows, n_q)), max(1, min(cols, n_k))
    ahead = ~causal_mask(rows if causal else 0).mT
    return Workspace(rows, cols, np.empty(rows * cols, one.dtype), ahead, np.full(cols, one))


def score_bound(where, q, k, rows):
    """A bound for every |q · k|, ‖q‖ ‖k‖ (Cauchy-Schwarz), without computing the scores.

    Parameters
    ----------
    where : str
        The function that was called; it opens the error sentence.
    q : ndarray of float, shape (..., n_q, d_k)
    k : ndarray of float, shape (..., n_k, d_k)
    rows : int
        How many queries to score at once where the bound settles nothing.

    Returns
    -------
    float
        The bound, or infinity if the scores had to be computed and are finite after all.

    Raises
    ------
    ValueError
        If a score is too large for a float, naming its place, as `attention` does.

    Examples
    --------
    >>> score_bound("attention", np.array([[3.0, 4.0]]), np.array([[0.0, 2.0]]), rows=1)
    10.0
    """
    with np.errstate(over="ignore", invalid="ignore"):
        longest_q, longest_k = (math.sqrt(np.vecdot(x, x).max(initial=0.0)) for x in (q, k))
        bound = longest_q * longest_k
        if bound < np.finfo(q.dtype).max / 2:
            return bound
        for *head, first in np.ndindex(*q.shape[:-2], -(-q.shape[-2] // rows)):
            some = slice(first * rows, (first + 1) * rows)
            scores = q[(*head, some)] @ k[tuple(head)].mT
            for i, j in np.argwhere(~np.isfinite(scores))[:1]:
                place = ", ".join(map(str, (*head, some.start + i, j)))
                rule = "every entry must be a finite number"
                raise ValueError(f"{where}: scores[{place}] is {scores[i, j]}; {rule}")
    return math.inf


def scaled_down(v):
    """Values divided by a power of two, if a sum of them could overflow.

    Parameters
    ----------
    v : ndarray of float, shape (..., n_k, d_v)

    Returns
    -------
    smaller : ndarray, same shape
        `v` itself unless it is huge.
    factor : float
        What `v` was multiplied by: 1.0 or a power of two, so that undoing it is exact.

    Examples
    --------
    >>> scaled_down(np.array([[3.0], [5.0]]))
    (array([[3.], [5.]]), 1.0)
    >>> scaled_down(np.array([[3e307], [5e307]]))
    (array([[7.50e+306], [1.25e+307]]), 0.25)
    """
    n_k, largest = v.shape[-2], max(v.max(initial=0.0), -v.min(initial=0.0))
    if largest < np.finfo(v.dtype).max / math.exp(BOUND) / (n_k + 1):
        return v, 1.0
    factor = 2.0 ** -n_k.bit_length()
    return v * factor, factor


def bounded_exponential(dtype, scale):
    """2^x for e^x where NumPy has fast instructions for it: e^x = 2^(x log₂ e).

    For bounded scores only: 2^x is slow where it underflows. Without those instructions it
    is slower everywhere.

    Parameters
    ----------
    dtype : dtype
        The type that is computed in.
    scale : float
        The factor on the scores.

    Returns
    -------
    power : numpy.exp or numpy.exp2
    scale : float
        The factor that goes with it.

    Examples
    --------
    >>> exponential, scale = bounded_exponential(np.dtype(float), 0.5)
    >>> exponential(scale * 2.0).round(2)
    np.float64(2.72)
    """
    return (np.exp2, scale / math.log(2)) if dtype.char in _FAST_EXP2 else (np.exp, scale)


def _types_with_fast_exp2():
    try:
        from numpy.lib.introspect import opt_func_info
    except ImportError:  # an older NumPy does not tell
        return set()
    kinds = opt_func_info(func_name="^exp2$").get("exp2", {})
    return {kind[0] for kind, found in kinds.items() if "baseline" not in found["current"]}


_FAST_EXP2 = _types_with_fast_exp2()
