"""Heads: attention several times in parallel, in different subspaces (sections 10 to 12)."""

import numpy as np

from attention_core.attention import attention
from attention_core.projections import MultiHeadWeights, head_size, project

__all__ = ["MultiHeadWeights", "merge_heads", "multi_head_attention", "split_heads"]


def split_heads(x, h):
    """Give each head its own slice of every token.

    Parameters
    ----------
    x : array_like, shape (..., n, h * d_head)
    h : int
        The number of heads; it must divide the width.

    Returns
    -------
    ndarray, shape (..., h, n, d_head)

    Raises
    ------
    ValueError, TypeError
        If `h` is not a whole number from 1 up that divides the width.

    Notes
    -----
    Section 12 of the document.

    Examples
    --------
    >>> split_heads([[0, 1, 2, 3], [4, 5, 6, 7]], h=2)
    array([[[0, 1],
            [4, 5]],
    <BLANKLINE>
           [[2, 3],
            [6, 7]]])
    """
    x = np.asarray(x)
    if x.ndim < 2:
        raise ValueError(f"split_heads: x is {x.shape}; it needs at least two axes (n, d)")
    *leading, n, width = x.shape
    d_head = head_size("split_heads", "the width", width, h)
    return x.reshape(*leading, n, h, d_head).swapaxes(-3, -2)


def merge_heads(x):
    """Lay the heads side by side again, token by token.

    Parameters
    ----------
    x : array_like, shape (..., h, n, d_head)

    Returns
    -------
    ndarray, shape (..., n, h * d_head)

    Raises
    ------
    ValueError
        If `x` has fewer than three axes.

    Notes
    -----
    Section 12 of the document: Concat(head_1, …, head_h).

    Examples
    --------
    >>> merge_heads(split_heads([[0, 1, 2, 3], [4, 5, 6, 7]], h=2))
    array([[0, 1, 2, 3],
           [4, 5, 6, 7]])
    """
    x = np.asarray(x)
    if x.ndim < 3:
        raise ValueError(f"merge_heads: x is {x.shape}; it needs three axes (h, n, d_head)")
    *leading, h, n, d_head = x.shape
    return x.swapaxes(-3, -2).reshape(*leading, n, h * d_head)


def multi_head_attention(x, weights, h, *, context=None, mask=None):
    """Let several heads route in parallel, each in its own subspace, and mix what they bring.

    Concat(head_1, …, head_h) W_O with head_i = attention(Q_i, K_i, V_i)

    Parameters
    ----------
    x : array_like, shape (..., n_q, d_model)
        The queries come from here.
    weights : MultiHeadWeights
    h : int
    context : array_like, shape (..., n_k, d_model), optional
        Keys and values come from here; the default is `x` itself (self-attention).
    mask : ndarray, shape (n_q, n_k) or (..., n_q or 1, n_k), optional
        Without a head axis: every head gets the same mask.

    Returns
    -------
    output : ndarray, shape (..., n_q, d_model)
    weights : ndarray, shape (..., h, n_q, n_k)

    Raises
    ------
    ValueError, TypeError
        If sizes do not fit; see `project`, `split_heads` and `attention`.

    Notes
    -----
    Sections 10 to 12 of the document; Vaswani et al. 2017, section 3.2.2.

    Examples
    --------
    >>> one = np.eye(2)
    >>> output, a = multi_head_attention(one, MultiHeadWeights(one, one, one, one), h=2)
    >>> output.shape, a.shape
    ((2, 2), (2, 2, 2))
    """
    context = x if context is None else context
    q = split_heads(project(x, weights.w_q), h)
    k = split_heads(project(context, weights.w_k), h)
    v = split_heads(project(context, weights.w_v), h)
    output, a = attention(q, k, v, _for_every_head(mask, axes=max(q.ndim, k.ndim) - 1))
    return project(merge_heads(output), weights.w_o), a


def _for_every_head(mask, axes):
    """Insert the head axis: (..., n_q, n_k) -> (..., 1, n_q, n_k)."""
    if np.ndim(mask) > axes:
        raise ValueError(
            f"multi_head_attention: mask is {np.shape(mask)} but x has {axes} axes: "
            "every head gets the same mask, so leave the head axis out"
        )
    if mask is None or np.ndim(mask) < 3:
        return mask
    return np.expand_dims(mask, -3)
