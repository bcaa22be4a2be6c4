"""Masks: who may look at whom (section 8).

One convention everywhere: a Boolean mask is True where a query may look; a float mask is
added to the scaled scores. A 2-D mask is always (n_q, n_k).
"""

import numpy as np

from attention_core.inputs.arrays import common_shape, refuse_entry, whole_number
from attention_core.inputs.masks import check_lengths, check_mask, require_boolean


def causal_mask(n_q, n_k=None):
    """Let every position look at itself and at what came before, never ahead.

    Parameters
    ----------
    n_q, n_k : int
        `n_k` defaults to `n_q`. When they differ, the last query is aligned with the last
        key (bottom-right), as when the first keys are remembered from earlier steps.

    Returns
    -------
    ndarray of bool, shape (n_q, n_k)
        Entry ``[i, j]`` is True where query ``i`` may look at key ``j``.

    Raises
    ------
    TypeError, ValueError
        If a size is not a whole number, or negative.

    Notes
    -----
    Section 8 of the document; Vaswani et al. 2017, section 3.2.3.

    Examples
    --------
    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    >>> causal_mask(2, 5).astype(int)
    array([[1, 1, 1, 1, 0],
           [1, 1, 1, 1, 1]])
    """
    n_q = whole_number("causal_mask", "n_q", n_q)
    n_k = n_q if n_k is None else whole_number("causal_mask", "n_k", n_k)
    return np.tri(n_q, n_k, k=n_k - n_q, dtype=bool)


def padding_mask(lengths, n_k):
    """Hide the padding behind each sentence of a batch from every query.

    Only keys are hidden: a padding query still gets weights; ignore its output later.

    Parameters
    ----------
    lengths : array_like of int, shape (B,): how many keys of each sentence are real
    n_k : int: the padded number of keys

    Returns
    -------
    ndarray of bool, shape (B, 1, n_k); the 1 stands for "every query"

    Raises
    ------
    TypeError, ValueError
        If a length is not a whole number from 0 to `n_k`.

    Section 8 of the document: the same M, for another reason.

    Examples
    --------
    >>> padding_mask([2, 3], 3).astype(int)
    array([[[1, 1, 0]],
    <BLANKLINE>
           [[1, 1, 1]]])
    """
    n_k = whole_number("padding_mask", "n_k", n_k)
    lengths = check_lengths("padding_mask", lengths, n_k)
    return np.arange(n_k) < lengths[:, None, None]


def combine_masks(*masks):
    """Allow a look only where every mask allows it.

    Each mask is an ndarray of bool, or None: no restriction. The shapes fit together by
    broadcasting. The result is None if there is no mask at all.

    Raises
    ------
    TypeError, ValueError
        If a mask is not Boolean (combine first, then make it additive), or shapes do not fit.

    Section 8 of the document: M says "allowed or not".

    Examples
    --------
    >>> combine_masks(causal_mask(2), None, np.array([[True, False], [True, True]])).astype(int)
    array([[1, 0],
           [1, 1]])
    """
    masks = [np.asarray(mask) for mask in masks if mask is not None]
    for mask in masks:
        require_boolean("combine_masks", mask)
    if not masks:
        return None
    shape = common_shape("combine_masks", *(mask.shape for mask in masks))
    return np.logical_and.reduce([np.broadcast_to(mask, shape) for mask in masks])


def additive_mask(allowed):
    """Write a Boolean mask as the M of the formula: 0 where allowed, −∞ where not.

    Returns
    -------
    ndarray of float64, same shape as `allowed`, an ndarray of bool

    Raises
    ------
    TypeError: if the mask is not Boolean

    Section 8 of the document, the matrix M.

    Examples
    --------
    >>> additive_mask(causal_mask(2))
    array([[  0., -inf],
           [  0.,   0.]])
    """
    allowed = np.asarray(allowed)
    require_boolean("additive_mask", allowed)
    return np.where(allowed, 0.0, -np.inf)


def apply_mask(scaled, mask, where="attention"):
    """Put the mask on the scaled scores: −∞ where a query may not look."""
    if mask is None:
        return scaled
    mask = check_mask(mask, scaled.shape, where)
    if mask.dtype == bool:
        return np.where(mask, scaled, scaled.dtype.type(-np.inf))
    with np.errstate(over="ignore"):  # a very large negative float64 becomes -inf in float32
        masked = scaled + mask.astype(scaled.dtype, copy=False)
    if not masked.max(initial=-np.inf) < np.inf:
        refuse_entry(where, "score + mask", masked, masked == np.inf, "it must be below +inf")
    return masked
