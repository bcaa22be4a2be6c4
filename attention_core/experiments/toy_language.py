"""A toy language: every word has a few followers, so its entropy is known exactly."""

import numpy as np

from attention_core.experiments.tasks import distinct


def language(rng, n_words=12, chances=(0.6, 0.3, 0.1)):
    """A language: each word may be followed by three others, with these chances.

    Examples
    --------
    >>> chances = language(np.random.default_rng(0))
    >>> np.sort(chances[0])[-4:]
    array([0. , 0.1, 0.3, 0.6])
    """
    table = np.zeros((n_words, n_words))
    steps = 1 + distinct(rng, n_words, n_words - 1, len(chances))  # never 0: no word repeats
    followers = (np.arange(n_words)[:, None] + steps) % n_words
    np.put_along_axis(table, followers, np.array([chances]), axis=-1)
    return table


def draw_words(rng, chances):
    """One word drawn from each row of chances (..., n_words).

    Examples
    --------
    >>> draw_words(np.random.default_rng(0), np.array([[0.0, 1.0], [1.0, 0.0]]))
    array([1, 0])
    """
    steps = np.cumsum(chances, axis=-1)[..., :-1]
    return (rng.random(chances.shape[:-1])[..., None] > steps).sum(axis=-1)


def text(rng, chances, size, n):
    """`size` texts of `n` words in a language.

    Examples
    --------
    >>> text(np.random.default_rng(0), np.array([[0.0, 1.0], [1.0, 0.0]]), size=1, n=5)
    array([[1, 0, 1, 0, 1]])
    """
    words = [rng.integers(len(chances), size=size)]
    while len(words) < n:
        words.append(draw_words(rng, chances[words[-1]]))
    return np.stack(words, axis=-1)
