"""Masks: who may look at whom (lesson 08).

One convention everywhere: a Boolean mask is True where a query may look; a float mask is
added to the scaled scores. A 2-D mask is always (n_q, n_k).
"""

import numpy as np

from attention_core.inputs.arrays import whole_numbers
from attention_core.inputs.masks import read_boolean, read_boolean_masks, read_lengths


def causal_mask(n_q, n_k=None):
    """Every position may look at itself and at what came before, never ahead.

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
    Lesson 08; Vaswani et al. 2017, section 3.2.3.

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
    n_q, n_k = whole_numbers("causal_mask", n_q=n_q, n_k=n_q if n_k is None else n_k)
    return np.tri(n_q, n_k, k=n_k - n_q, dtype=bool)


def padding_mask(lengths, n_k):
    """The padding behind each sentence of a batch is hidden from every query.

    Only keys are hidden: a padding query still gets weights; ignore its output later.

    Parameters
    ----------
    lengths : array_like of int, shape (B,)
        How many keys of each sentence are real.
    n_k : int
        The padded number of keys.

    Returns
    -------
    ndarray of bool, shape (B, 1, n_k); the 1 stands for "every query"

    Raises
    ------
    TypeError, ValueError
        If a length is not a whole number from 0 to `n_k`.

    Notes
    -----
    Lesson 08: the same M, for another reason.

    Examples
    --------
    >>> padding_mask([2, 3], 3).astype(int)
    array([[[1, 1, 0]],
    <BLANKLINE>
           [[1, 1, 1]]])
    """
    lengths, n_k = read_lengths("padding_mask", lengths, n_k)
    return np.arange(n_k) < lengths[:, None, None]


def combine_masks(*masks):
    """A look is allowed only where every mask allows it.

    Parameters
    ----------
    *masks : ndarray of bool, or None: no restriction
        Their shapes fit together by broadcasting.

    Returns
    -------
    ndarray of bool, or None if there is no mask at all

    Raises
    ------
    TypeError, ValueError
        If a mask is not Boolean (combine first, then make it additive), or shapes do not fit.

    Notes
    -----
    Lesson 08: M says "allowed or not".

    Examples
    --------
    >>> combine_masks(causal_mask(2), None, np.array([[True, False], [True, True]])).astype(int)
    array([[1, 0],
           [1, 1]])
    """
    masks = read_boolean_masks("combine_masks", masks)
    return np.logical_and.reduce(masks) if masks else None


def additive_mask(allowed):
    """The M of the formula: 0 where a query may look, −∞ where not.

    Parameters
    ----------
    allowed : ndarray of bool

    Returns
    -------
    ndarray of float64, same shape as `allowed`

    Raises
    ------
    TypeError
        If the mask is not Boolean.

    Notes
    -----
    Lesson 08; Vaswani et al. 2017, section 3.2.3, in words.

    Examples
    --------
    >>> additive_mask(causal_mask(2))
    array([[  0., -inf],
           [  0.,   0.]])
    """
    allowed = read_boolean("additive_mask", allowed)
    return np.where(allowed, 0.0, -np.inf)
