"""Attention: scores, scaling, mask, softmax, mixture (lessons 03 to 06, 09 and 10)."""

from typing import NamedTuple

import numpy as np

from attention_core.inputs.arrays import in_type
from attention_core.inputs.qkv import read, read_pairs
from attention_core.softmax import unchecked_softmax as softmax  # `read` has checked


class AttentionSteps(NamedTuple):
    """Everything that one pass of attention computes, in the order of the formula."""

    scores: np.ndarray
    scaled: np.ndarray
    masked: np.ndarray
    weights: np.ndarray
    output: np.ndarray


def attention(q, k, v, mask=None, *, scale=None):
    """The rows of V mixed, for each query, by how well their keys match.

    softmax(Q Kᵀ / √d_k + M) V

    Parameters
    ----------
    q : array_like, shape (..., n_q, d_k)
    k : array_like, shape (..., n_k, d_k)
    v : array_like, shape (..., n_k, d_v)
    mask : ndarray of bool or float, shape (n_q, n_k) or (..., n_q or 1, n_k), optional
        Boolean: True = may look. Float: added to the scaled scores. Default: look anywhere.
    scale : float, optional
        Multiplies the scores; the default is 1/√d_k.

    Returns
    -------
    output : ndarray, shape (..., n_q, d_v)
    weights : ndarray, shape (..., n_q, n_k)
        Each row sums to one. A row that may look nowhere has zero weights and a zero
        output, without a warning.

    Raises
    ------
    ValueError
        If sizes do not fit, an entry is NaN or infinite (a hidden one as well), or a float
        mask holds only 0 and 1: it is almost surely meant as Boolean.
    TypeError
        If a mask is neither Boolean nor float.

    Notes
    -----
    Lesson 09; Vaswani et al. 2017, equation 1.

    Examples
    --------
    >>> q = k = np.eye(2)
    >>> output, weights = attention(q, k, v=[[1.0], [3.0]])
    >>> weights.round(2)
    array([[0.67, 0.33],
           [0.33, 0.67]])
    >>> output.round(2)
    array([[1.66],
           [2.34]])
    """
    steps = attention_steps(q, k, v, mask, scale=scale)
    return steps.output, steps.weights


@np.errstate(all="ignore")  # what could overflow is refused when it is read
def attention_steps(q, k, v, mask=None, *, scale=None):
    """Every step of attention, in the order of the formula.

    Parameters, errors and source are those of `attention`.

    Returns
    -------
    AttentionSteps
        scores Q Kᵀ, scaled, masked and weights, all (..., n_q, n_k), and output (..., n_q, d_v).

    Examples
    --------
    >>> steps = attention_steps([[1.0, 0.0]], [[2.0, 0.0]], [[7.0]], scale=0.5)
    >>> steps.scores, steps.scaled, steps.output
    (array([[2.]]), array([[1.]]), array([[7.]]))
    """
    q, k, v, mask, scale, kind = read("attention", q, k, v, mask, scale)
    scores = q @ k.mT
    scaled = scores * scale
    masked = scaled if mask is None else scaled + mask
    weights = softmax(masked)
    output = weights @ v
    return AttentionSteps(scores, scaled, masked, *in_type(kind, weights, output))


@np.errstate(all="ignore")
def attention_scores(q, k):
    """Every query compared with every key: one dot product for each pair.

    Parameters
    ----------
    q : array_like, shape (..., n_q, d_k)
    k : array_like, shape (..., n_k, d_k)

    Returns
    -------
    ndarray, shape (..., n_q, n_k)
        Entry ``[i, j]`` is q_i · k_j, before scaling, mask and softmax.

    Raises
    ------
    ValueError
        If the sizes do not fit, or an entry is NaN or infinite.

    Notes
    -----
    Lesson 04; Vaswani et al. 2017, equation 1.

    Examples
    --------
    >>> attention_scores([[1, 0], [1, 1]], [[2, 3], [0, 1], [5, 0]])
    array([[2., 0., 5.],
           [5., 1., 5.]])
    """
    q, k = read_pairs("attention_scores", q, k)
    return q @ k.mT
