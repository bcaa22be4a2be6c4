"""Toy tasks: functions that draw questions for one layer of attention, with the answers.

Each draws a `Batch`: what the queries, the keys and the values are made from, and the target.
Every draw comes from the Generator that is passed in, so a seed fixes it all.
"""

import numpy as np

from attention_core.experiments.layer import Batch
from attention_core.experiments.losses import one_hot


def recall_batch(rng, size, n_keys=8, n=4, d_value=4):
    """Lists of `n` tokens [address | content]; the query is an address, the target a content.

    Examples
    --------
    >>> batch = recall_batch(np.random.default_rng(0), size=5)
    >>> batch.x_q.shape, batch.x_k.shape, batch.target.shape
    ((5, 1, 12), (5, 4, 12), (5, 1, 4))
    """
    address = one_hot(distinct(rng, size, n_keys, n), n_keys)
    content = rng.normal(size=(size, n, d_value))
    tokens = np.concatenate([address, content], axis=-1)
    question = np.concatenate([address[:, :1], np.zeros((size, 1, d_value))], axis=-1)
    return Batch(question, tokens, tokens, content[:, :1])


def partner_world(rng, n=12, cosine=0.95):
    """`n` orthogonal symbols, a look-alike of each, and rings of three: who looks for whom.

    In a ring a looks for b, b for c and c for a, so nobody is looked for by the one it looks for.

    Returns
    -------
    vectors : ndarray, shape (2 n, 2 n)
        Unit vectors: rows below `n` the symbols, row ``n + i`` the look-alike of symbol i.
    partner : ndarray of int, shape (n,)
        Symbol i looks for symbol ``partner[i]``; n must be a multiple of 3.

    Examples
    --------
    >>> vectors, partner = partner_world(np.random.default_rng(0), n=3)
    >>> np.abs((vectors @ vectors.mT)[0].round(2)).tolist(), sorted(partner.tolist())
    ([1.0, 0.0, 0.0, 0.95, 0.0, 0.0], [0, 1, 2])
    """
    rotation, _ = np.linalg.qr(rng.normal(size=(2 * n, 2 * n)))
    symbols, others = rotation[:n], rotation[n:]
    rings = rng.permutation(n).reshape(-1, 3)
    partner = np.empty(n, dtype=int)
    partner[rings] = np.roll(rings, -1, axis=1)
    look_alikes = cosine * symbols + np.sqrt(1 - cosine**2) * others
    return np.concatenate([symbols, look_alikes]), partner


def partner_items(rng, query, partner, n=8):
    """A list of `n` items for each query: its partner, and distractors.

    The distractors are its look-alike, its seeker (the one that looks for the query) and others.
    Attention without positions cannot see the order: the first place gives nothing away.

    Examples
    --------
    >>> partner_items(np.random.default_rng(0), np.array([0, 1]), np.array([1, 2, 0]), n=3)
    array([[1, 3, 2],
           [2, 4, 0]])
    """
    n_symbols = len(partner)
    known = np.stack([partner[query], query + n_symbols, np.argsort(partner)[query]], axis=-1)
    distractors = rng.random((len(query), 2 * n_symbols))
    np.put_along_axis(distractors, np.column_stack([known, query]), np.inf, axis=-1)
    return np.concatenate([known, np.argsort(distractors, axis=-1)[:, : n - 3]], axis=-1)


def partner_batch(rng, query, vectors, partner, n=8):
    """Each item carries one of `n` labels as its value; the target is the label of the partner.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> batch = partner_batch(rng, np.array([4, 7]), *partner_world(rng))
    >>> batch.x_q.shape, batch.x_k.shape, batch.x_v.shape, batch.target.shape
    ((2, 1, 24), (2, 8, 24), (2, 8, 8), (2, 1))
    """
    items = partner_items(rng, query, partner, n)
    labels = distinct(rng, len(query), n, n)
    return Batch(vectors[query][:, None], vectors[items], one_hot(labels, n), labels[:, :1])


def with_positions(words, n_words, n_places):
    """Tokens [one-hot word | one-hot place].

    Examples
    --------
    >>> with_positions(np.array([1, 0]), n_words=2, n_places=3).astype(int)
    array([[0, 1, 1, 0, 0],
           [1, 0, 0, 1, 0]])
    """
    places = np.broadcast_to(np.arange(words.shape[-1]), words.shape)
    return np.concatenate([one_hot(words, n_words), one_hot(places, n_places)], axis=-1)


def look_back_batch(rng, size, n_words=20, n=12, back=(1, 3)):
    """Random words; at each place, name the words 1 and 3 places back (-1 where there is none).

    Examples
    --------
    >>> batch = look_back_batch(np.random.default_rng(0), size=5)
    >>> batch.x_q.shape, batch.target.shape, batch.target[0, 2].tolist()
    ((5, 12, 32), (5, 12, 2), [-1, -1])
    """
    words = rng.integers(n_words, size=(size, n))
    first = max(back)
    target = np.full((size, n, len(back)), -1)
    for i, steps in enumerate(back):
        target[:, first:, i] = words[:, first - steps : n - steps]
    tokens = with_positions(words, n_words, n)
    return Batch(tokens, tokens, tokens, target)


def distinct(rng, size, n, count):
    """`count` different numbers below `n` for each of `size` rows.

    Examples
    --------
    >>> drawn = distinct(np.random.default_rng(0), size=2, n=5, count=5)
    >>> np.sort(drawn)
    array([[0, 1, 2, 3, 4],
           [0, 1, 2, 3, 4]])
    """
    return np.argsort(rng.random((size, n)), axis=-1)[:, :count]
