"""How large scores and values of the blockwise form can get, without computing them."""

import math

import numpy as np

from attention_core.inputs.arrays import require_finite

BOUND = 20.0  # e^±20, and sums of it, stay far inside what a float32 can hold


def longest_row(where, name, x):
    """The length of the longest row of a matrix; refused if an entry is not finite.

    Parameters
    ----------
    where : str
        The function that was called; it opens the error sentence.
    name : str
        The array, as the caller knows it.
    x : ndarray of float, shape (..., n, d)

    Returns
    -------
    float
        Infinity if the length is too large for a float.

    Raises
    ------
    ValueError
        Naming the place of the first entry that is not finite.

    Examples
    --------
    >>> longest_row("attention", "q", np.array([[3.0, 4.0], [1.0, 2.0]]))
    5.0
    """
    with np.errstate(over="ignore", invalid="ignore"):
        length = math.sqrt(np.vecdot(x, x).max(initial=0.0))
    if not length < math.inf:  # NaN is not smaller either
        require_finite(where, name, x)
    return length


def score_bound(where, q, k, lengths, rows):
    """A bound for every |q · k|, ‖q‖ ‖k‖ (Cauchy-Schwarz), without computing the scores.

    Parameters
    ----------
    where : str
        The function that was called; it opens the error sentence.
    q : ndarray of float, shape (..., n_q, d_k)
    k : ndarray of float, shape (..., n_k, d_k)
    lengths : pair of float
        The lengths of the longest query and the longest key.
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
    >>> q, k = np.array([[3.0, 4.0]]), np.array([[0.0, 2.0]])
    >>> score_bound("attention", q, k, lengths=(5.0, 2.0), rows=1)
    10.0
    """
    bound = lengths[0] * lengths[1]
    if bound < np.finfo(q.dtype).max / 2:
        return bound
    with np.errstate(over="ignore", invalid="ignore"):
        for *head, first in np.ndindex(*q.shape[:-2], -(-q.shape[-2] // rows)):
            some = slice(first * rows, (first + 1) * rows)
            scores = q[(*head, some)] @ k[tuple(head)].mT
            for i, j in np.argwhere(~np.isfinite(scores))[:1]:
                place = ", ".join(map(str, (*head, some.start + i, j)))
                rule = "every entry must be a finite number"
                raise ValueError(f"{where}: scores[{place}] is {scores[i, j]}; {rule}")
    return math.inf


def scaled_down(where, v):
    """Values divided by a power of two, if a sum of them could overflow.

    Parameters
    ----------
    where : str
        The function that was called; it opens the error sentence.
    v : ndarray of float, shape (..., n_k, d_v)

    Returns
    -------
    smaller : ndarray, same shape
        `v` itself unless it is huge.
    factor : float
        What `v` was multiplied by: 1.0 or a power of two, so that undoing it is exact.

    Raises
    ------
    ValueError
        If an entry is not finite, naming its place.

    Examples
    --------
    >>> scaled_down("here", np.array([[3.0], [5.0]]))
    (array([[3.], [5.]]), 1.0)
    >>> scaled_down("here", np.array([[3e307], [5e307]]))
    (array([[7.50e+306], [1.25e+307]]), 0.25)
    """
    n_k, largest = v.shape[-2], max(v.max(initial=0.0), -v.min(initial=0.0))
    if largest < np.finfo(v.dtype).max / math.exp(BOUND) / (n_k + 1):
        return v, 1.0
    require_finite(where, "v", v)
    factor = 2.0 ** -n_k.bit_length()
    return v * factor, factor
