"""Patterns that a head may follow: for each one, where on a map of weights it would look.

A pattern is a Boolean matrix (n, n): row i is True where the pattern says token i looks. Rows that
have no choice, and those of tokens that only start or end the text, are left out.
"""

import unicodedata

import numpy as np

from attention_core.measures import entropy

MARKS = {"<s>", "</s>", "[CLS]", "[SEP]", "▁", ""}  # start, end, a gap: no words


def patterns(tokens, mask=None):
    """Every pattern for these tokens.

    Parameters
    ----------
    tokens : sequence of str, n of them
    mask : ndarray of bool, shape (n, n), optional

    Returns
    -------
    dict of name -> ndarray of bool, shape (n, n)
        "previous", "next", "itself", "first" token; "ends": the tokens that start and end the text;
        "same": other places with the same token; "punctuation"; "repeat": what followed the same
        token the last time.

    Examples
    --------
    >>> found = patterns(["<s>", "▁a", "▁b", "▁a", ".", "</s>"])
    >>> [int(row.argmax()) for row in found["next"][1:4]], found["repeat"][3].nonzero()[0]
    ([2, 3, 4], array([2]))
    """
    n = len(tokens)
    words = np.array([token not in MARKS for token in tokens])
    stops = np.array([is_punctuation(token) for token in tokens])
    same = same_token(tokens) & ~stops[:, None]
    between = words[:, None] & words
    column = np.arange(n)
    found = {
        "previous": np.eye(n, k=-1, dtype=bool) & between,
        "next": np.eye(n, k=1, dtype=bool) & between,
        "itself": np.eye(n, dtype=bool),
        "first": np.tile(column == 0, (n, 1)),
        "ends": np.tile((column == 0) | ((column == n - 1) & ~words), (n, 1)),
        "same": same & between,
        "punctuation": stops & ~stops[:, None],
        "repeat": _after_the_last(same) & between,
    }
    rows = words if mask is None else words & (mask.sum(axis=-1) > 1)
    return {name: where & rows[:, None] for name, where in found.items()}


def is_punctuation(token):
    """Whether a token holds nothing but punctuation.

    >>> is_punctuation("▁,"), is_punctuation("。"), is_punctuation("t"), is_punctuation("▁")
    (True, True, False, False)
    """
    signs = token.lstrip("▁ ")
    return bool(signs) and all(unicodedata.category(sign)[0] == "P" for sign in signs)


def same_token(tokens):
    """Mark the pairs of different places that hold the same token: (n, n); "The" is "the".

    >>> same_token(["▁The", "▁dog", "the"])[0]
    array([False, False,  True])
    """
    plain = np.array([token.lstrip("▁ ").lower() for token in tokens])
    return (plain[:, None] == plain) & ~np.eye(len(plain), dtype=bool)


def _after_the_last(same):
    """Row i: the place after the last earlier one that holds the token of place i."""
    marked = np.zeros_like(same)
    for i, row in enumerate(same):
        earlier = row[:i].nonzero()[0]
        if len(earlier) and earlier[-1] + 1 < i:
            marked[i, earlier[-1] + 1] = True
    return marked


def row_shares(weights, pattern):
    """For each row of the pattern, the weight that it gives to the pattern's places.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
    pattern : ndarray of bool, shape (n, n)

    Returns
    -------
    ndarray, shape (..., number of rows that the pattern has)

    Examples
    --------
    >>> row_shares(np.array([[0.25, 0.75], [0.5, 0.5]]), np.array([[0, 1], [0, 0]], bool))
    array([0.75])
    """
    rows = pattern.any(axis=-1)
    return (weights * pattern)[..., rows, :].sum(axis=-1)


def row_hits(weights, pattern):
    """For each row of the pattern, whether the row's largest weight lies on it.

    Examples
    --------
    >>> row_hits(np.array([[0.25, 0.75], [0.5, 0.5]]), np.array([[0, 1], [0, 0]], bool))
    array([ True])
    """
    rows = pattern.any(axis=-1)
    most = weights[..., rows, :].argmax(axis=-1)
    return pattern[rows][np.arange(rows.sum()), most]


def evenness(weights, mask=None):
    """Entropy of each row divided by its largest possible value: 0 = one token, 1 = all alike.

    A row that sees a single token has nothing to choose and gets 0.

    Examples
    --------
    >>> evenness(np.array([[0.5, 0.5], [0.0, 1.0]]))
    array([1., 0.])
    """
    visible = np.full(weights.shape[-2], weights.shape[-1]) if mask is None else mask.sum(axis=-1)
    most = np.log(visible)
    return entropy(weights) / np.where(most > 0, most, 1)
