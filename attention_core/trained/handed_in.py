"""The attention that is handed in: called for each text, and its answer looked at."""

from itertools import pairwise

import numpy as np


def every_head(one_head):
    """An attention that knows a single head, run for all of them, one after another.

    Parameters
    ----------
    one_head : callable
        From q, k, v of shape (n, d_head) to (output, weights).

    Returns
    -------
    callable
        From q, k, v of shape (h, n, d_head) to (output, weights) with the heads in front.

    Examples
    --------
    >>> q = np.ones((3, 2, 5))
    >>> every_head(lambda q, k, v: (v, q @ k.mT))(q, q, q)[1].shape
    (3, 2, 2)
    """

    def attend(q, k, v):
        parts = [one_head(*head) for head in zip(q, k, v, strict=True)]
        outputs, weights = zip(*parts, strict=True)
        return np.array(outputs), np.array(weights)

    return attend


def written(attention, instead):
    """The learner's attention, or the other one as long as a stub stands there.

    >>> written(lambda q, k, v: ..., instead=every_head) is every_head
    True
    """
    tiny = np.ones((2, 3, 4))
    return instead if attention(tiny, tiny, tiny) is ... else attention


def text_by_text(attend, bounds):
    """An attention in which the tokens of each text look at each other, and at no other text.

    Parameters
    ----------
    attend : callable
        From q, k, v of one text, (h, n, d_head), to its output.
    bounds : sequence of int
        Text i has the rows bounds[i] … bounds[i + 1].

    Returns
    -------
    callable
        From q, k, v of all texts, stacked, to the outputs, stacked.

    Examples
    --------
    >>> v = np.arange(3.0).reshape(1, 3, 1)
    >>> average = lambda q, k, v: np.broadcast_to(v.mean(axis=-2, keepdims=True), v.shape)
    >>> text_by_text(average, [0, 1, 3])(v, v, v).ravel()
    array([0. , 1.5, 1.5])
    """

    def attend_all(q, k, v):
        outputs = [attend(q[:, a:b], k[:, a:b], v[:, a:b]) for a, b in pairwise(bounds)]
        return np.concatenate(outputs, axis=-2)

    return attend_all


def read_answer(answer, q, v, layer):
    """What the attention handed in returns, or one sentence that says what is wrong with it.

    Parameters
    ----------
    answer : tuple
        (output, weights) is wanted: (h, n, d_head) and (h, n, n).
    q, v : ndarray, shape (h, n, d_head)
    layer : int
        For the sentence.

    Returns
    -------
    output, weights : ndarray of float32

    Raises
    ------
    TypeError, ValueError
        If it is not a pair, its shapes do not fit, or a number is not finite.

    Examples
    --------
    >>> v = np.ones((12, 5, 32))
    >>> read_answer(v, v, v, layer=3)
    Traceback (most recent call last):
        ...
    TypeError: the attention handed in must return two arrays, (output, weights)
    """
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise TypeError("the attention handed in must return two arrays, (output, weights)")
    output, weights = (np.asarray(part, np.float32) for part in answer)
    _require("output", output, v.shape, layer)
    _require("weights", weights, (*q.shape[:-1], v.shape[-2]), layer)
    return output, weights


def _require(name, array, shape, layer):
    if array.shape != shape:
        raise ValueError(
            f"the attention handed in returned {name} of shape {array.shape} in layer {layer}; "
            f"it must be {shape}"
        )
    if not np.isfinite(array).all():
        raise ValueError(
            f"the attention handed in returned {name} with NaN or infinity in layer {layer}"
        )
