"""What a head does with the text on screen: a label, computed from its weights and nothing else."""

from typing import NamedTuple

import numpy as np

from attention_core.trained.patterns import (
    MARKS,
    evenness,
    is_punctuation,
    patterns,
    row_shares,
)

CLEAR, BROAD, PAIR = 0.5, 0.8, 0.25  # from here on a label is deserved
ROWS = 2  # a single row makes no pattern


class Label(NamedTuple):
    """A kind of head, and the number that it rests on.

    `kind` is the name of a pattern, with the mean weight on it; "broad", with the evenness; "pair",
    with the weight from token `reader` to token `source`; or "mixed", where nothing stands out.
    """

    kind: str
    value: float
    reader: int | None = None
    source: int | None = None


def head_labels(weights, tokens, mask=None):
    """Label each head by what it does with this text.

    "repeat", if half of the weight goes there, on the mean over its rows; else the pattern that
    gets most, if that is at least half; else broad, if the rows share their weight nearly evenly;
    else the strongest pair of words; else the ends, if half of the weight rests on them.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
    tokens : sequence of str, n of them
    mask : ndarray of bool, shape (n, n), optional

    Returns
    -------
    list of Label
        One for each head, in the order of the leading axes.

    Examples
    --------
    >>> from attention_core.trained import load_model
    >>> run = load_model().run("The dog is tired.")
    >>> head_labels(run.weights[2, 6:7], run.tokens)[0].kind
    'next'
    """
    weights = np.asarray(weights).reshape(-1, len(tokens), len(tokens))
    drawn = {name: where for name, where in patterns(tokens, mask).items() if _rows(where) >= ROWS}
    if "itself" not in drawn:  # too few words that have a choice
        return [Label("mixed", 0.0)] * len(weights)
    shares = {name: row_shares(weights, where).mean(axis=-1) for name, where in drawn.items()}
    even = evenness(weights, mask)[:, drawn["itself"].any(axis=-1)].mean(axis=-1)
    return [
        _label({name: float(share[h]) for name, share in shares.items()}, float(even[h]), a, tokens)
        for h, a in enumerate(weights)
    ]


def _rows(pattern):
    return pattern.any(axis=-1).sum()


def _label(shares, even, weights, tokens):
    ends = shares.pop("ends")
    best = "repeat" if shares.get("repeat", 0) >= CLEAR else max(shares, key=shares.get)
    if shares[best] >= CLEAR:
        return Label(best, shares[best])
    if even >= BROAD:
        return Label("broad", even)
    pair = strongest_pair(weights, tokens)
    return Label("ends", ends) if pair.kind == "mixed" and ends >= CLEAR else pair


def strongest_pair(weights, tokens):
    """The largest weight from one word to another that is also the largest of its row.

    Parameters
    ----------
    weights : ndarray, shape (n, n)
    tokens : sequence of str

    Returns
    -------
    Label
        "pair", or "mixed" if no pair has a quarter of its row.

    Examples
    --------
    >>> strongest_pair(np.array([[0.9, 0.1], [0.6, 0.4]]), ["dog", "it"])
    Label(kind='pair', value=0.6, reader=1, source=0)
    """
    words = [token not in MARKS and not is_punctuation(token) for token in tokens]
    allowed = np.outer(words, words) & ~np.eye(len(tokens), dtype=bool)
    tops = allowed & (weights == weights.max(axis=-1, keepdims=True))
    i, j = np.unravel_index(np.where(tops, weights, 0).argmax(), weights.shape)
    if not tops[i, j] or weights[i, j] < PAIR:
        return Label("mixed", float(weights[i, j] * tops[i, j]))
    return Label("pair", float(weights[i, j]), int(i), int(j))


def moves_on(weights):
    """The share of rows that look most at a later place than the row before: 1 = each one.

    Parameters
    ----------
    weights : ndarray, shape (n_q, n_k)
        Of cross-attention, where the columns are moments in time.

    Examples
    --------
    >>> moves_on(np.eye(5)), moves_on(np.eye(5)[::-1])
    (1.0, 0.0)
    """
    return float((np.diff(np.argmax(weights, axis=-1)) > 0).mean())
