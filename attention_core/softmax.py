"""Softmax: from scores to weights (lesson 07)."""

import numpy as np

from attention_core.inputs.arrays import read_scores


@np.errstate(all="ignore")  # far below the largest: −∞, and e^−∞ = 0
def softmax(scores, axis=-1):
    """Weights from scores: never negative, and in sum one.

    Only differences between scores matter, so the largest score is subtracted first:
    the largest exponential is then e^0 = 1 and nothing overflows.

    Parameters
    ----------
    scores : array_like, shape (..., n)
        Any real numbers. ``-inf`` means "never choose this one": its weight is exactly 0.
    axis : int, default -1
        The axis along which the weights sum to one. The default is the last one: the keys.

    Returns
    -------
    ndarray, same shape as `scores`
        Where every score along `axis` is ``-inf`` there is nothing to choose:
        those weights are all 0, without a warning.

    Raises
    ------
    ValueError
        If a score is NaN or +inf, naming the first such index.
    TypeError
        If the scores are not real numbers.

    Notes
    -----
    Lesson 07; Vaswani et al. 2017, equation 1.

    Examples
    --------
    >>> softmax([1.0, 2.0]).round(2)
    array([0.27, 0.73])
    >>> softmax([1000.0, 1001.0]).round(2)
    array([0.27, 0.73])
    >>> softmax([0.0, -np.inf, 0.0])
    array([0.5, 0. , 0.5])
    """
    scores, kind = read_scores("softmax", scores)
    return unchecked_softmax(scores, axis).astype(kind, copy=False)


def unchecked_softmax(scores, axis=-1):
    """The formula of softmax, for floats that were read already: each a number or −∞.

    Examples
    --------
    >>> unchecked_softmax(np.array([[0.0, np.log(3.0)]])).round(2)
    array([[0.25, 0.75]])
    """
    largest = scores.max(axis=axis, keepdims=True, initial=np.finfo(scores.dtype).min)
    weights = np.exp(scores - largest)
    total = weights.sum(axis=axis, keepdims=True)
    weights /= total + (total == 0)  # nothing to choose: 0 / 1
    return weights
