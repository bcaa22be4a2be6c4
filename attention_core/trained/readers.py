"""Who reads this word from that one? One question, put to every head of a model."""

import re

import numpy as np

from attention_core.trained.pieces import clean


def places(tokens, word, occurrence=0):
    """The tokens that spell a word.

    Parameters
    ----------
    tokens : sequence of str
    word : str
        Capitals do not matter.
    occurrence : int
        Which one, if the word stands there several times.

    Returns
    -------
    list of int

    Raises
    ------
    ValueError
        If the word is not there, or not so often.

    Examples
    --------
    >>> places(["<s>", "▁The", "▁ham", "ster", ".", "</s>"], "hamster")
    [2, 3]
    """
    owner = [i for i, token in enumerate(tokens) for _ in token]
    text = "".join(tokens)
    wanted = re.escape(clean(word).lstrip("▁"))
    alone = rf"(?<![A-Za-z]){wanted}(?![A-Za-z])" if word.isascii() else wanted
    found = list(re.finditer(alone, text, re.IGNORECASE)) if wanted else []
    if not -len(found) <= occurrence < len(found):
        raise ValueError(f"places: {word!r} stands in the text {len(found)} times: {text}")
    return sorted(set(owner[slice(*found[occurrence].span())]))


def reads(run, reader, source):
    """How much every head reads one word from another.

    Parameters
    ----------
    run : Run
    reader, source : str or int
        Words of the text, or numbers of tokens. Of a word in several pieces the last one reads,
        and all are read.

    Returns
    -------
    ndarray, shape (layers, h)

    Examples
    --------
    >>> from attention_core.trained import load_model
    >>> run = load_model().run("The dog slept because it was tired.")
    >>> reads(run, "it", "dog").shape, reads(run, 5, 2).shape
    ((12, 12), (12, 12))
    """
    row = _places(run, reader)[-1]
    return run.weights[:, :, row, _places(run, source)].sum(axis=-1)


def _places(run, word):
    return places(run.tokens, word) if isinstance(word, str) else [word]


def strongest(scores, count=5):
    """The heads with the largest scores: (layer, head, score).

    Parameters
    ----------
    scores : ndarray, shape (layers, h)
    count : int

    Examples
    --------
    >>> strongest(np.array([[0.1, 0.4], [0.9, 0.2]]), count=2)
    [(1, 0, 0.9), (0, 1, 0.4)]
    """
    order = np.argsort(-scores, axis=None, kind="stable")[:count]
    layers, heads = np.unravel_index(order, scores.shape)
    return [(int(i), int(h), float(scores[i, h])) for i, h in zip(layers, heads, strict=True)]


def carried(weights, v):
    """Share out each output by what arrives, not by the weights alone: α_ij‖v_j‖, rows sum to 1.

    Parameters
    ----------
    weights : ndarray, shape (..., n_q, n_k)
    v : ndarray, shape (..., n_k, d_v)

    Returns
    -------
    ndarray, shape (..., n_q, n_k)

    Notes
    -----
    Kobayashi et al. 2020, "Attention is Not Only a Weight".

    Examples
    --------
    >>> carried(np.array([[0.5, 0.5]]), np.array([[3.0], [-1.0]]))
    array([[0.75, 0.25]])
    """
    arriving = weights * np.linalg.norm(v, axis=-1)[..., None, :]
    return arriving / arriving.sum(axis=-1, keepdims=True)
