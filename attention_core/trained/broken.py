"""Attention with one fault each, to see what a whole model makes of it.

Each function takes q, k, v of shape (..., n, d_head) and returns (output, weights), as
`attention` does. In the examples q = k = v = `TWO`.
"""

import numpy as np

from attention_core.attention import attention, attention_scores
from attention_core.masks import causal_mask
from attention_core.softmax import softmax

TWO = np.array([[1.0, 0.0], [0.0, 2.0]])


def no_scale(q, k, v):
    """Leave out 1/√d_k.

    >>> no_scale(TWO, TWO, TWO)[1][1].round(2)
    array([0.02, 0.98])
    """
    return attention(q, k, v, scale=1.0)


def divided_by_d_k(q, k, v):
    """Divide by d_k instead of its root.

    >>> divided_by_d_k(TWO, TWO, TWO)[1][1].round(2)
    array([0.12, 0.88])
    """
    return attention(q, k, v, scale=1 / q.shape[-1])


def wrong_axis(q, k, v):
    """The columns sum to 1, not the rows.

    >>> wrong_axis(TWO, TWO, TWO)[1].sum(axis=0)
    array([1., 1.])
    """
    weights = softmax(attention_scores(q, k) / q.shape[-1] ** 0.5, axis=-2)
    return weights @ v, weights


def uniform(q, k, v):
    """Everything is read alike: the mean of all values.

    >>> uniform(TWO, TWO, TWO)[0][1]
    array([0.5, 1. ])
    """
    return attention(0 * q, k, v)


def no_softmax(q, k, v):
    """Take the scaled scores themselves as weights.

    >>> no_softmax(TWO, TWO, TWO)[1][1].round(2)
    array([0.  , 2.83])
    """
    weights = attention_scores(q, k) / q.shape[-1] ** 0.5
    return weights @ v, weights


def heads_averaged(q, k, v):
    """Hand the mean of all heads to each of them.

    >>> heads_averaged(*3 * [np.array([TWO, -TWO])])[0][0].round(2)
    array([[0., 0.],
           [0., 0.]])
    """
    output, weights = attention(q, k, v)
    return np.broadcast_to(output.mean(axis=-3, keepdims=True), output.shape), weights


def q_k_exchanged(q, k, v):
    """The keys ask and the queries answer.

    >>> q_k_exchanged(TWO, 2 * TWO, TWO)[1][1].round(2)
    array([0., 1.])
    """
    return attention(k, q, v)


def k_returned(q, k, v):
    """Hand over keys where values belong.

    >>> k_returned(TWO, TWO, 9 * TWO)[0][1].round(2)
    array([0.06, 1.89])
    """
    return attention(q, k, k)


def weights_transposed(q, k, v):
    """Each token gives to those it should read from.

    >>> weights_transposed(TWO, TWO, TWO)[1][1].round(2)
    array([0.33, 0.94])
    """
    _, weights = attention(q, k, v)
    weights = weights.swapaxes(-1, -2)
    return weights @ v, weights


def only_itself(q, k, v):
    """Each token reads nothing but itself.

    >>> only_itself(TWO, TWO, TWO)[0][1]
    array([0., 2.])
    """
    return attention(q, k, v, np.eye(q.shape[-2], dtype=bool))


def only_the_largest(q, k, v):
    """The best match gets all the weight.

    >>> only_the_largest(TWO, TWO, TWO)[1][1]
    array([0., 1.])
    """
    scores = attention_scores(q, k)
    return attention(q, k, v, scores == scores.max(axis=-1, keepdims=True))


def causal(q, k, v):
    """Hide the future in a model that was trained to see it.

    >>> causal(TWO, TWO, TWO)[1][1].round(2)
    array([0.06, 0.94])
    """
    return attention(q, k, v, causal_mask(q.shape[-2]))


def nothing(q, k, v):
    """Bring nothing: what is left is the residual.

    >>> nothing(TWO, TWO, TWO)[0][1]
    array([0., 0.])
    """
    weights = np.zeros((*q.shape[:-1], k.shape[-2]), q.dtype)
    return weights @ v, weights


BROKEN = {
    function.__name__: function
    for function in (
        no_scale, divided_by_d_k, wrong_axis, uniform, no_softmax, heads_averaged, q_k_exchanged,
        k_returned, weights_transposed, only_itself, only_the_largest, causal, nothing,
    )
}  # fmt: skip
