"""Attention: scores, scaling, mask, softmax, mixture (sections 3 to 6, 9 and 10)."""

from typing import NamedTuple

import numpy as np

from attention_core.inputs.arrays import as_floats, common_shape, require_finite
from attention_core.inputs.qkv import check_sizes, read_qkv, read_scale
from attention_core.masks import apply_mask
from attention_core.softmax import softmax


class AttentionSteps(NamedTuple):
    """Everything that one pass of attention computes, in the order of the formula."""

    scores: np.ndarray
    scaled: np.ndarray
    masked: np.ndarray
    weights: np.ndarray
    output: np.ndarray


def attention(q, k, v, mask=None, *, scale=None):
    """Mix the rows of V, for each query, by how well its key matches.

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
        If sizes do not fit, or an entry is NaN or infinite (a hidden one as well).
    TypeError
        If a mask is neither Boolean nor float.

    Notes
    -----
    Vaswani et al. 2017, equation 1; the boxed formula of the document.

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


def attention_steps(q, k, v, mask=None, *, scale=None):
    """Compute attention and keep every step on the way.

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
    (q, k, v), result_type = read_qkv("attention", q, k, v)
    scale = read_scale("attention", scale, d_k=q.shape[-1])
    scores = _scores("attention", q, k)
    with np.errstate(over="ignore"):  # the sentence below says it better
        scaled = scores * scale
    if abs(scale) > 1:  # a smaller factor cannot make a finite score infinite
        require_finite("attention", "scaled scores", scaled)
    masked = apply_mask(scaled, mask)
    if mask is not None:  # its leading axes were compared with the scores, not yet with v
        common_shape("attention", masked.shape[:-2], v.shape[:-2])
    weights = softmax(masked)
    output = weights @ v
    return AttentionSteps(
        scores,
        scaled,
        masked,
        weights.astype(result_type, copy=False),
        output.astype(result_type, copy=False),
    )


def attention_scores(q, k):
    """Compare every query with every key: one dot product for each pair.

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
    Section 4 of the document.

    Examples
    --------
    >>> attention_scores([[1, 0], [1, 1]], [[2, 3], [0, 1], [5, 0]])
    array([[2., 0., 5.],
           [5., 1., 5.]])
    """
    (q, k), _ = as_floats("attention_scores", q=q, k=k)
    check_sizes("attention_scores", q, k)
    return _scores("attention_scores", q, k)


def _scores(where, q, k):
    with np.errstate(over="ignore", invalid="ignore"):  # the sentence below says it better
        scores = q @ k.swapaxes(-1, -2)
    require_finite(where, "scores", scores)
    return scores
