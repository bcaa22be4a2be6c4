"""Find, among many sentence vectors, the one that means the same: the cosine decides."""

from typing import NamedTuple

import numpy as np

from attention_core.attention import attention
from attention_core.trained.texts import sentence_pairs


class Found(NamedTuple):
    """What a search brought: hits each way, and how clearly the right one stood out."""

    zh_to_en: int
    en_to_zh: int
    margin: float


def best_matches(asked, offered):
    """For each vector asked, the number of the offered one with the largest cosine.

    Parameters
    ----------
    asked : array_like, shape (m, d_model)
    offered : array_like, shape (n, d_model)
        Both of length 1, as `Encoder.encode` gives them.

    Returns
    -------
    ndarray of int, shape (m,)

    Examples
    --------
    >>> best_matches([[1, 0], [0.6, 0.8]], [[0, 1], [1, 0]])
    array([1, 0])
    """
    return cosines(asked, offered).argmax(axis=-1)


def cosines(asked, offered):
    """The cosine of each vector asked with each one offered; all have length 1: (m, n).

    >>> cosines([[1, 0]], [[0, 1], [0.6, 0.8]])
    array([[0. , 0.6]])
    """
    return np.asarray(asked) @ np.asarray(offered).mT


def hits(asked, offered, answers=None):
    """The number of vectors whose best match is the right one; right is `answers[i]`, or i itself.

    Where the two best cosines differ by less than 0.00001, rounding decides: that is no hit.

    Examples
    --------
    >>> hits([[1, 0], [0.6, 0.8]], [[0, 1], [1, 0]], answers=[1, 1])
    1
    >>> hits([[1, 0]], [[0, 1], [0, 1]], answers=[0])
    0
    """
    right = range(len(asked)) if answers is None else answers
    first, second = np.sort(cosines(asked, offered), axis=-1)[:, :-3:-1].T
    is_right = best_matches(asked, offered) == np.array(right)
    return int((is_right & (first - second > 1e-5)).sum())


def margin(a, b):
    """Mean distance from the cosine of a pair to the best cosine of a wrong one.

    Above 0 the right ones stand out; far above, they stand out clearly.

    Parameters
    ----------
    a, b : array_like, shape (n, d_model)
        Row i of one belongs to row i of the other.

    Examples
    --------
    >>> a = np.array([[1, 0], [0.6, 0.8]])
    >>> round(margin(a, a), 4)
    0.4
    """
    likeness = cosines(a, b)
    wrong = np.where(np.eye(len(likeness), dtype=bool), -np.inf, likeness)
    return float((np.diag(likeness) - wrong.max(axis=-1)).mean())


def search_test(model, attention=attention, texts=None):
    """What a search across the two languages finds, in both directions, with an attention.

    Parameters
    ----------
    model : Encoder
    attention : callable
        From q, k, v of shape (h, n, d_head) to (output, weights).
    texts : Texts, optional
        The default is `sentence_pairs()`.

    Returns
    -------
    Found

    Examples
    --------
    >>> from attention_core.trained import load_model
    >>> search_test(load_model()).zh_to_en
    40
    """
    texts = sentence_pairs() if texts is None else texts
    en, zh = model.encode(texts.en, attention), model.encode(texts.zh, attention)
    return Found(hits(zh, en), hits(en, zh), margin(en, zh))
