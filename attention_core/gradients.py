"""The backward pass: from the gradient of the output to those of Q, K and V (lesson 16)."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.inputs.gradients import finite_in_type, read_backward, read_rows

WHERE = "attention_backward"


@np.errstate(all="ignore")
def attention_backward(q, k, v, d_output, mask=None, *, scale=None):
    """The gradients of q, k and v, from that of the output.

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
        A fully masked row gets zeros and gives none. An input whose leading axes
        were repeated gets the sum over all repeats.

    Raises
    ------
    ValueError, TypeError
        As `attention`; also if d_output does not fit, or a gradient is too large for a float.

    Notes
    -----
    Lesson 16: the chain rule on Vaswani et al. 2017, equation 1; Dao et al. 2022, appendix B.2.

    Examples
    --------
    Weights [1/2, 1/2] and [3/4, 1/4]; on paper dA = [[4, 0], [0, 8]], both row sums are 2,
    and dS = [[1, −1], [−3/2, 3/2]], which is also dQ since K is the identity.

    >>> q, k, v = [[0, 0], [np.log(3), 0]], np.eye(2), [[4, 0], [0, 8]]
    >>> dq, dk, dv = attention_backward(q, k, v, d_output=np.eye(2), scale=1)
    >>> dq.round(2).tolist(), dv.round(2).tolist()
    ([[1.0, -1.0], [-1.5, 1.5]], [[0.5, 0.75], [0.5, 0.25]])
    """
    q, k, v, d_output, scale, kind = read_backward(WHERE, q, k, v, d_output, mask, scale)
    weights = attention_steps(q, k, v, mask, scale=scale).weights
    dv = weights.mT @ d_output
    d_weights = d_output @ v.mT
    d_scores = _through_softmax(weights, d_weights)
    dq = d_scores @ k * scale
    dk = d_scores.mT @ q * scale
    return finite_in_type(WHERE, kind, dq=_sum_to(dq, q), dk=_sum_to(dk, k), dv=_sum_to(dv, v))


@np.errstate(all="ignore")
def softmax_jacobian(weights):
    """How each weight changes with each score: diag(a) − a aᵀ for each row of weights.

    Parameters
    ----------
    weights : array_like, shape (..., n)

    Returns
    -------
    ndarray, shape (..., n, n)
        Entry ``[i, j]`` is the change of weight i per change of score j. Rows and columns
        sum to zero: what one weight gains, the others lose.

    Raises
    ------
    ValueError, TypeError
        If an array holds no finite numbers or has no axis, or a result is too large for a float.

    Examples
    --------
    >>> softmax_jacobian([0.5, 0.5])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    (a,), kind = read_rows("softmax_jacobian", weights=weights)
    diagonal = np.eye(a.shape[-1], dtype=a.dtype) * a[..., None, :]
    jacobian = diagonal - a[..., :, None] * a[..., None, :]
    return finite_in_type("softmax_jacobian", kind, jacobian=jacobian)[0]


@np.errstate(all="ignore")
def softmax_backward(weights, d_weights):
    """The gradient of the scores, from that of the weights: a ∘ (da − rowsum(a ∘ da)).

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

    Raises
    ------
    ValueError, TypeError
        If an array holds no finite numbers or has no axis, or a result is too large for a float.

    Examples
    --------
    >>> softmax_backward([0.5, 0.5], [1.0, 0.0])
    array([ 0.25, -0.25])
    """
    (a, da), kind = read_rows("softmax_backward", weights=weights, d_weights=d_weights)
    return finite_in_type("softmax_backward", kind, d_scores=_through_softmax(a, da))[0]


def _through_softmax(a, da):
    return a * (da - (a * da).sum(axis=-1, keepdims=True))


def _sum_to(gradient, x):
    """The sum of the gradients of all copies of an input whose leading axes were repeated."""
    if gradient.shape == x.shape:
        return gradient
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - x.ndim)))
    repeated = tuple(i for i, n in enumerate(x.shape[:-2]) if n == 1)
    return gradient.sum(axis=repeated, keepdims=True)
