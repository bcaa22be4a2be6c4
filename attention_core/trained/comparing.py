"""Two sentences side by side: which tokens belong together, and how the weights differ."""

from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np


class Comparison(NamedTuple):
    """The tokens that two runs share (or have exchanged one for one), and their two maps."""

    places: list  # (place in the first, place in the second)
    tokens: tuple  # (token in the first, token in the second)
    first: np.ndarray  # (layers, h, m, m): weights between these tokens
    second: np.ndarray
    difference: np.ndarray  # second − first


def compare(first, second):
    """The weights of two runs over each other, token by token.

    Parameters
    ----------
    first, second : Run

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from attention_core.trained import load_model
    >>> a, b = (load_model().run(f"The dog is {end}.") for end in ("tired", "not tired"))
    >>> both = compare(a, b)
    >>> len(a.tokens), len(b.tokens), len(both.tokens), both.difference.shape
    (7, 8, 7, (12, 12, 7, 7))
    """
    pairs = matching(first.tokens, second.tokens)
    one, two = np.array(pairs).T
    here = first.weights[..., one[:, None], one]
    there = second.weights[..., two[:, None], two]
    tokens = tuple((first.tokens[i], second.tokens[j]) for i, j in pairs)
    return Comparison(pairs, tokens, here, there, there - here)


def matching(first, second):
    """Pair the places of two lists of tokens, in order; what has no partner is left out.

    Examples
    --------
    >>> matching("a b tired .".split(), "a b wide .".split())
    [(0, 0), (1, 1), (2, 2), (3, 3)]
    >>> matching("a b .".split(), "a very b .".split())
    [(0, 0), (1, 2), (2, 3)]
    """
    pairs = []
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    for _, a, a_end, b, b_end in blocks:
        if a_end - a == b_end - b:  # equal, or exchanged one for one
            pairs += zip(range(a, a_end), range(b, b_end), strict=True)
    return pairs


def same_places(first, second):
    """For each token of the second list, the place of the same one in the first; −1: not there.

    Where one stands several times, the order decides.

    Examples
    --------
    >>> same_places("the dog saw the cat".split(), "the cat saw the old dog".split())
    [0, 4, 2, 3, -1, 1]
    """
    found = [-1] * len(second)
    for a, b, size in SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks():
        found[b : b + size] = range(a, a + size)
    for j, token in enumerate(second):
        free = [i for i, one in enumerate(first) if one == token and i not in found]
        if found[j] < 0 and free:
            found[j] = free[0]
    return found
