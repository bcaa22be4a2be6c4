"""Heads: attention several times in parallel, in different subspaces (lessons 10 to 12)."""

import numpy as np

from attention_core.attention import attention
from attention_core.inputs.heads import mask_for_heads, read_heads, read_wide, require_names
from attention_core.projections import project


def split_heads(x, h):
    """Each head gets its own slice of every token.

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
    Lesson 12; Vaswani et al. 2017, section 3.2.2.

    Examples
    --------
    >>> split_heads([[0, 1, 2, 3], [4, 5, 6, 7]], h=2)
    array([[[0, 1],
            [4, 5]],
    <BLANKLINE>
           [[2, 3],
            [6, 7]]])
    """
    x, d_head = read_wide("split_heads", x, h)
    *leading, n, _ = x.shape
    return x.reshape(*leading, n, h, d_head).swapaxes(-3, -2)


def merge_heads(x):
    """The heads side by side again, token by token.

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
    Lesson 12; Vaswani et al. 2017, section 3.2.2: Concat(head_1, …, head_h).

    Examples
    --------
    >>> merge_heads(split_heads([[0, 1, 2, 3], [4, 5, 6, 7]], h=2))
    array([[0, 1, 2, 3],
           [4, 5, 6, 7]])
    """
    x = read_heads("merge_heads", x)
    *leading, h, n, d_head = x.shape
    return x.swapaxes(-3, -2).reshape(*leading, n, h * d_head)


def multi_head_attention(x, weights, h, *, context=None, mask=None):
    """What several heads bring, each from its own subspace, mixed.

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
    Lessons 10 to 12; Vaswani et al. 2017, section 3.2.2.

    Examples
    --------
    >>> from attention_core import MultiHeadWeights
    >>> one = np.eye(2)
    >>> output, a = multi_head_attention(one, MultiHeadWeights(one, one, one, one), h=2)
    >>> output.shape, a.shape
    ((2, 2), (2, 2, 2))
    """
    require_names("multi_head_attention", weights)
    context = x if context is None else context
    q, k, v = (
        project(x, weights.w_q),
        project(context, weights.w_k),
        project(context, weights.w_v),
    )
    mixed, a = attention_in_heads(q, k, v, h, mask)
    return project(mixed, weights.w_o), a


def attention_in_heads(q, k, v, h, mask=None, *, scale=None):
    """The heads' mixtures side by side, and the weights of every head.

    Concat(head_1, …, head_h) with head_i = attention(Q_i, K_i, V_i)

    q (..., n_q, h * d_k), k (..., n_k, h * d_k) and v (..., n_k, h * d_v) hold all heads side
    by side; mask and scale are those of `attention`, without a head axis. Returned are the
    mixtures (..., n_q, h * d_v) and the weights (..., h, n_q, n_k).

    Examples
    --------
    >>> mixed, a = attention_in_heads(np.eye(2), np.eye(2), [[1.0, 5.0], [3.0, 5.0]], h=2)
    >>> mixed.round(2)
    array([[1.54, 5.  ],
           [2.  , 5.  ]])
    """
    mask = mask_for_heads("multi_head_attention", mask, axes=max(np.ndim(q), np.ndim(k)))
    q, k, v = split_heads(q, h), split_heads(k, h), split_heads(v, h)
    output, a = attention(q, k, v, mask, scale=scale)
    return merge_heads(output), a
