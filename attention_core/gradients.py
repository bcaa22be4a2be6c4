"""The way back through attention: from the gradient of the output to those of Q, K and V."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.inputs.arrays import as_floats, common_shape, require_finite
from attention_core.inputs.qkv import read_qkv, read_scale
from attention_core.masks import check_mask

WHERE = "attention_backward"


def attention_backward(q, k, v, d_output, mask=None, *, scale=None):
    """Send the gradient of the output back to q, k and v.

    dV = Aᵀ dO, dA = dO Vᵀ, dS = A ∘ (dA − rowsum(A ∘ dA)), dQ = dS K · scale, dK = dSᵀ Q · scale

    Parameters
    ----------
    q : array_like, shape (..., n_q, d_k)
    k : array_like, shape (..., n_k, d_k)
    v : array_like, shape (..., n_k, d_v)
    d_output : array_like, shape (..., n_q, d_v)
        How the loss changes with each entry of the output.
    mask, scale : optional
        As in `attention`.

    Returns
    -------
    dq, dk, dv : ndarray, shapes of q, k and v
        A query that may look nowhere gets zeros and gives none. An input whose leading axes
        were repeated gets the sum over all repeats.

    Raises
    ------
    ValueError, TypeError
        As `attention`; also if d_output does not fit, or a gradient is too large for a float.

    Notes
    -----
    The chain rule on Vaswani et al. 2017, equation 1; Dao et al. 2022, appendix B.2.

    Examples
    --------
    Weights [1/2, 1/2] and [3/4, 1/4]; on paper dA = [[4, 0], [0, 8]], both row sums are 2,
    and dS = [[1, −1], [−3/2, 3/2]], which is also dQ since K is the identity.

    >>> q, k, v = [[0, 0], [np.log(3), 0]], np.eye(2), [[4, 0], [0, 8]]
    >>> dq, dk, dv = attention_backward(q, k, v, d_output=np.eye(2), scale=1)
    >>> dq.round(2).tolist(), dv.round(2).tolist()
    ([[1.0, -1.0], [-1.5, 1.5]], [[0.5, 0.75], [0.5, 0.25]])
    """
    (q, k, v), result_type = read_qkv(WHERE, q, k, v)
    scale = read_scale(WHERE, scale, d_k=q.shape[-1])
    pairs = (*common_shape(WHERE, q.shape[:-2], k.shape[:-2]), q.shape[-2], k.shape[-2])
    mask = None if mask is None else check_mask(mask, pairs, WHERE)
    steps = attention_steps(q, k, v, mask, scale=scale)
    d_output = _read_d_output(d_output, steps.output)
    with np.errstate(over="ignore", invalid="ignore"):  # the sentence below says it better
        dv = steps.weights.mT @ d_output
        d_weights = d_output @ v.mT
        d_scores = _through_softmax(steps.weights, d_weights)
        dq = d_scores @ k * scale
        dk = d_scores.mT @ q * scale
        gradients = {"dq": _sum_to(dq, q), "dk": _sum_to(dk, k), "dv": _sum_to(dv, v)}
    for name, gradient in gradients.items():
        require_finite(WHERE, name, gradient)
    return tuple(gradient.astype(result_type, copy=False) for gradient in gradients.values())


def softmax_jacobian(weights):
    """Say how each weight changes with each score: diag(a) − a aᵀ for each row of weights.

    Parameters
    ----------
    weights : array_like, shape (..., n)

    Returns
    -------
    ndarray, shape (..., n, n)
        Entry ``[i, j]`` is the change of weight i per change of score j. Rows and columns
        sum to zero: what one weight gains, the others lose.

    Examples
    --------
    >>> softmax_jacobian([0.5, 0.5])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    (a,), result_type = as_floats("softmax_jacobian", weights=weights)
    require_finite("softmax_jacobian", "weights", a)
    diagonal = np.eye(a.shape[-1], dtype=a.dtype) * a[..., None, :]
    return (diagonal - a[..., :, None] * a[..., None, :]).astype(result_type, copy=False)


def softmax_backward(weights, d_weights):
    """Send a gradient back through softmax: a ∘ (da − rowsum(a ∘ da)).

    The same as multiplying by the Jacobian, without building it. The row sum is there
    because each score moves all weights of its row: their total is fixed.

    Parameters
    ----------
    weights, d_weights : array_like, shape (..., n)
        What softmax returned along the last axis, and how the loss changes with it.

    Returns
    -------
    ndarray, shape (..., n)
        How the loss changes with each score; each row sums to zero.

    Examples
    --------
    >>> softmax_backward([0.5, 0.5], [1.0, 0.0])
    array([ 0.25, -0.25])
    """
    where = "softmax_backward"
    (a, da), result_type = as_floats(where, weights=weights, d_weights=d_weights)
    _require_same_shape(where, "d_weights", da, "weights", a)
    require_finite(where, "weights", a)
    require_finite(where, "d_weights", da)
    return _through_softmax(a, da).astype(result_type, copy=False)


def _through_softmax(a, da):
    return a * (da - (a * da).sum(axis=-1, keepdims=True))


def _read_d_output(d_output, output):
    (d_output,), _ = as_floats(WHERE, d_output=d_output)
    _require_same_shape(WHERE, "d_output", d_output, "the output", output)
    with np.errstate(over="ignore"):
        d_output = d_output.astype(output.dtype, copy=False)
    require_finite(WHERE, "d_output", d_output)
    return d_output


def _require_same_shape(where, name, x, other_name, other):
    if x.shape != other.shape:
        both = f"{name} is {x.shape} but {other_name} is {other.shape}"
        raise ValueError(f"{where}: {both}: they must be equal")


def _sum_to(gradient, x):
    """Add up the gradients of all copies of an input whose leading axes were repeated."""
    if gradient.shape == x.shape:
        return gradient
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - x.ndim)))
    repeated = tuple(i for i, n in enumerate(x.shape[:-2]) if n == 1)
    return gradient.sum(axis=repeated, keepdims=True)
