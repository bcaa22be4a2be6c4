"""Projections: the learned matrices that make Q, K and V (sections 1 and 2)."""

from typing import NamedTuple

import numpy as np

from attention_core.inputs.arrays import as_floats, require_finite, whole_number


class MultiHeadWeights(NamedTuple):
    """What one multi-head layer learns and keeps; all heads side by side in each matrix."""

    w_q: np.ndarray  # (d_model, h * d_k)
    w_k: np.ndarray  # (d_model, h * d_k)
    w_v: np.ndarray  # (d_model, h * d_v)
    w_o: np.ndarray  # (h * d_v, d_model)


def project(x, w):
    """Multiply every token by the same learned matrix: q_i = x_i W_Q.

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
    Section 1 of the document.

    Examples
    --------
    >>> project([[1, 2], [3, 4]], [[1, 0, 1], [0, 1, 1]])
    array([[1., 2., 3.],
           [3., 4., 7.]])
    """
    (x, w), result_type = as_floats("project", x=x, w=w)
    if x.ndim < 2 or w.ndim != 2 or x.shape[-1] != w.shape[0]:
        raise ValueError(
            f"project: x is {x.shape} but w is {w.shape}: "
            "the last size of x must be the first size of w"
        )
    require_finite("project", "x", x)
    require_finite("project", "w", w)
    with np.errstate(over="ignore", invalid="ignore"):  # the sentence below says it better
        projected = (x @ w).astype(result_type, copy=False)
    require_finite("project", "the product", projected)
    return projected


def init_multi_head(rng, d_model, h, d_k=None, d_v=None):
    """Draw the weights of a new layer: independent, mean 0, variance 1/(rows of the matrix).

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
    Sections 1 and 11 of the document; Vaswani et al. 2017, section 3.2.2.

    Examples
    --------
    >>> weights = init_multi_head(np.random.default_rng(0), d_model=6, h=2)
    >>> [w.shape for w in weights]
    [(6, 6), (6, 6), (6, 6), (6, 6)]
    """
    if d_k is None or d_v is None:
        d_head = head_size("init_multi_head", "d_model", d_model, h)
    d_k = d_head if d_k is None else d_k
    d_v = d_head if d_v is None else d_v
    for name, size in {"d_model": d_model, "h": h, "d_k": d_k, "d_v": d_v}.items():
        whole_number("init_multi_head", name, size, least=1)

    def draw(rows, columns):
        return rng.normal(scale=rows**-0.5, size=(rows, columns))

    return MultiHeadWeights(
        draw(d_model, h * d_k),
        draw(d_model, h * d_k),
        draw(d_model, h * d_v),
        draw(h * d_v, d_model),
    )


def head_size(where, name, width, h):
    """Share a width among h heads, or say why it cannot be shared."""
    h, width = whole_number(where, "h", h, least=1), whole_number(where, name, width)
    if width % h or width == 0:
        raise ValueError(f"{where}: {name} is {width} and h is {h}: h must divide {name}")
    return width // h
