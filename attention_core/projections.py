"""Projections: the learned matrices that make Q, K and V (lessons 01 and 02)."""

from typing import NamedTuple

import numpy as np

from attention_core.inputs.heads import read_head_sizes, read_product


class MultiHeadWeights(NamedTuple):
    """What one multi-head layer learns and keeps; all heads side by side in each matrix."""

    w_q: np.ndarray  # (d_model, h * d_k)
    w_k: np.ndarray  # (d_model, h * d_k)
    w_v: np.ndarray  # (d_model, h * d_v)
    w_o: np.ndarray  # (h * d_v, d_model)


@np.errstate(all="ignore")  # what could overflow is refused when it is read
def project(x, w):
    """Every token times the same learned matrix: q_i = x_i W_Q.

    Parameters
    ----------
    x : array_like, shape (..., n, d_model)
    w : array_like, shape (d_model, d)

    Returns
    -------
    ndarray, shape (..., n, d)

    Raises
    ------
    ValueError
        If the last size of `x` is not the first size of `w`, or an entry is NaN or infinite.

    Notes
    -----
    Lesson 01; Vaswani et al. 2017, section 3.2.2.

    Examples
    --------
    >>> project([[1, 2], [3, 4]], [[1, 0, 1], [0, 1, 1]])
    array([[1., 2., 3.],
           [3., 4., 7.]])
    """
    x, w, kind = read_product("project", x, w)
    return (x @ w).astype(kind, copy=False)


def init_multi_head(rng, d_model, h, d_k=None, d_v=None):
    """The weights of a new layer: independent, mean 0, variance 1/(rows of the matrix).

    Parameters
    ----------
    rng : numpy Generator
        The only source of randomness.
    d_model, h : int
    d_k, d_v : int, optional
        Sizes per head; both default to d_model / h, which must then be whole.

    Returns
    -------
    MultiHeadWeights

    Raises
    ------
    ValueError, TypeError
        If a size is not a whole number from 1 up, or `h` does not divide `d_model`.

    Notes
    -----
    Lessons 01 and 11; Vaswani et al. 2017, section 3.2.2.

    Examples
    --------
    >>> weights = init_multi_head(np.random.default_rng(0), d_model=6, h=2)
    >>> [w.shape for w in weights]
    [(6, 6), (6, 6), (6, 6), (6, 6)]
    """
    d_model, h, d_k, d_v = read_head_sizes("init_multi_head", d_model, h, d_k, d_v)
    return MultiHeadWeights(
        draw_matrix(rng, d_model, h * d_k),
        draw_matrix(rng, d_model, h * d_k),
        draw_matrix(rng, d_model, h * d_v),
        draw_matrix(rng, h * d_v, d_model),
    )


def draw_matrix(rng, rows, columns):
    """A matrix of normal numbers with variance 1/rows, so that products keep the size of x.

    Examples
    --------
    >>> draw_matrix(np.random.default_rng(0), rows=5, columns=3).shape
    (5, 3)
    """
    return rng.normal(scale=rows**-0.5, size=(rows, columns))
