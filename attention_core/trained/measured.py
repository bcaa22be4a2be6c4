"""Real heads of four trained models, measured with the course's own functions (lesson 15).

The heads were picked because they are easy to read; most heads are not. A weight says where a head
reads from, not why the model answers as it does. Numbers were stored as float16 and are computed as
float32; at least two of the four models are 4-bit copies: do not trust the third decimal.
"""

import numpy as np

from attention_core.attention import attention, attention_scores
from attention_core.trained.patterns import evenness
from attention_core.trained.stored_file import frame_times
from attention_core.trained.stored_heads import Head, load_head


def head_weights(head):
    """The weights of a head: (n_q, n_k), by the course's own `attention`.

    Examples
    --------
    >>> from attention_core.trained import tokens
    >>> a = head_weights(load_head("encoder", "tired", 3, 1))
    >>> tokens("encoder", "tired")[a[10].argmax()], a[10].max().round(2)
    ('animal', np.float32(0.68))
    """
    v = np.zeros((len(head.k), 1), np.float32) if head.v is None else head.v
    return attention(head.q, head.k, v, head.mask)[1]


def head_output(head):
    """What a head hands on: (n_q, d_v), by the course's own `attention`.

    Raises
    ------
    ValueError
        If the file has no values for this head.

    Examples
    --------
    >>> head_output(load_head("speech", "speech", 2, 5)).shape
    (15, 64)
    """
    if head.v is None:
        raise ValueError("head_output: the values of this head are not stored; only Q and K are")
    return attention(head.q, head.k, head.v, head.mask)[0]


def score_std(head):
    """Standard deviation of raw q·k over the pairs that may look; √d_k if all were independent.

    Examples
    --------
    >>> score_std(load_head("encoder", "tired", 3, 1)) > np.sqrt(32)
    np.True_
    """
    return attention_scores(head.q, head.k)[_visible(head)].std()


def row_entropy(head):
    """Entropy of each row divided by its largest possible value: 0 = one token, 1 = all alike.

    A row that sees a single token has nothing to choose and gets 0.

    Examples
    --------
    >>> row_entropy(load_head("encoder", "tired", 0, 2)).max() < 0.1
    np.True_
    """
    return evenness(head_weights(head), head.mask)


def _visible(head):
    shape = (len(head.q), len(head.k))
    return np.ones(shape, bool) if head.mask is None else head.mask


def changed_rows(layer, head):
    """One word changed, "tired" to "wide", in the decoder: largest change of each output row.

    Rows before the changed word cannot know of it: their change is exactly 0.

    Examples
    --------
    >>> changed_rows(13, 8)[:11].max(), changed_rows(13, 8)[11] > 0
    (np.float32(0.0), np.True_)
    """
    before, after = (head_output(load_head("decoder", s, layer, head)) for s in ("tired", "wide"))
    return np.abs(before - after).max(axis=-1)


def peak_times():
    """Time in seconds at which each token of the speech model looks most: (15,).

    Examples
    --------
    >>> from attention_core.trained import tokens
    >>> dict(zip(tokens("speech", "speech"), peak_times().round(2), strict=True))["animal"]
    np.float64(0.7)
    """
    return frame_times()[head_weights(load_head("speech", "speech", 2, 5)).argmax(axis=-1)]


def independent_head(seed=0, n=16, d_k=32):
    """A head whose q and k are independent normal numbers: what lesson 06 assumes.

    Examples
    --------
    >>> independent_head().q.shape
    (16, 32)
    """
    q, k = np.random.default_rng(seed).normal(size=(2, n, d_k))
    labels = tuple(str(i) for i in range(n))
    return Head(q, k, None, None, labels, labels)
