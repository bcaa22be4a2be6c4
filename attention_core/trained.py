"""Real heads of four trained models, read from data/trained_heads.npz (lesson 15).

The heads were picked because they are easy to read; most heads are not. A weight says where a head
reads from, not why the model answers as it does. Numbers are stored as float16 and computed as
float32; three of the four models are 4-bit copies, so the third decimal is not the original's.
Layers and heads count from 0. Sources and licences: data/NOTICE.md.
"""

from functools import cache
from importlib.resources import as_file, files
from typing import NamedTuple

import numpy as np

from attention_core.attention import attention, attention_scores
from attention_core.masks import causal_mask

_PREFIX = {"encoder": "enc", "decoder": "dec", "multilingual": "mul", "speech": "cross"}
_SENTENCES = {
    "encoder": ("tired", "wide"),
    "decoder": ("tired", "wide", "password"),
    "multilingual": ("en", "zh"),
    "speech": ("speech",),
}
_PROJECTED = (3, 1)  # the one encoder head of which X, W and b are stored
MODELS = tuple(_PREFIX)


class Head(NamedTuple):
    """One head on one sentence: float32 arrays, the mask it was trained with, and the tokens.

    `v` is None where the file has no values (all encoder heads but one).
    """

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray | None
    mask: np.ndarray | None
    rows: tuple
    columns: tuple


@cache
def _arrays():
    with as_file(files("attention_core") / "data" / "trained_heads.npz") as path:
        with np.load(path, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}


def _float32(name):
    return _arrays()[name].astype(np.float32)


def _known(what, value, allowed):
    if value not in allowed:
        listed = ", ".join(map(repr, allowed))
        raise ValueError(f"trained: {what} is {value!r}, but must be one of {listed}")


def sentences(model):
    """Name the sentences that are stored for a model.

    Examples
    --------
    >>> sentences("decoder")
    ('tired', 'wide', 'password')
    """
    _known("model", model, MODELS)
    return _SENTENCES[model]


def heads(model, sentence):
    """Name the heads that are stored, as (layer, head).

    Examples
    --------
    >>> heads("multilingual", "zh"), len(heads("encoder", "tired"))
    (((0, 2), (2, 6), (8, 8), (11, 3)), 72)
    """
    _known("sentence", sentence, sentences(model))
    if model == "speech":
        return ((2, 5),)
    if model == "encoder":
        return tuple(np.ndindex(6, 12)) if sentence == "tired" else (_PROJECTED,)
    return tuple((int(layer), int(h)) for layer, h in _arrays()[f"{_PREFIX[model]}_heads"])


def tokens(model, sentence):
    """Give the tokens as the model cut them, without the marks for a space.

    Examples
    --------
    >>> tokens("decoder", "password")[:4], tokens("multilingual", "zh")[12]
    (('The', 'password', 'is', 'blue'), '它')
    """
    _known("sentence", sentence, sentences(model))
    prefix = _PREFIX[model]
    name = f"{prefix}_tokens" if model == "speech" else f"{prefix}_{sentence}_tokens"
    return tuple(str(token).lstrip(" ▁") for token in _arrays()[name])


def load_head(model, sentence, layer, head):
    """Load Q, K, V, the mask and the tokens of one head on one sentence.

    Parameters
    ----------
    model : one of MODELS
    sentence : one of ``sentences(model)``
    layer, head : int
        One of ``heads(model, sentence)``.

    Returns
    -------
    Head

    Raises
    ------
    ValueError
        If one of them is not stored, naming those that are.

    Notes
    -----
    Q and K of the decoder carry their positions already (rotary embedding).

    Examples
    --------
    >>> head = load_head("decoder", "tired", 13, 8)
    >>> head.q.shape, head.q.dtype, head.rows[8], head.mask[8, 9]
    ((13, 64), dtype('float32'), 'it', np.False_)
    """
    _known("(layer, head)", (layer, head), heads(model, sentence))
    rows = tokens(model, sentence)
    if model == "speech":
        q, k, v = (_float32(f"cross_{x}") for x in "QKV")
        return Head(q, k, v, None, rows, tuple(f"{t:.2f}" for t in frame_times()))
    if model == "encoder":
        q, k, v = _encoder_qkv(sentence, layer, head)
        return Head(q, k, v, None, rows, rows)
    at = heads(model, sentence).index((layer, head))
    q, k, v = (_float32(f"{_PREFIX[model]}_{sentence}_{x}")[at] for x in "QKV")
    mask = causal_mask(len(rows)) if model == "decoder" else None
    return Head(q, k, v, mask, rows, rows)


def encoder_input(sentence):
    """Give the vectors x that enter layer 3 of the encoder: (16, 384).

    Examples
    --------
    >>> encoder_input("wide").shape
    (16, 384)
    """
    _known("sentence", sentence, sentences("encoder"))
    return _float32(f"enc_{sentence}_X")


def encoder_weights(role):
    """Give the matrix (384, 32) and bias (32,) of layer 3, head 1; role is "Q", "K" or "V".

    Examples
    --------
    >>> [part.shape for part in encoder_weights("Q")]
    [(384, 32), (32,)]
    """
    _known("role", role, ("Q", "K", "V"))
    return _float32(f"enc_W_{role}"), _float32(f"enc_b_{role}")


def _encoder_qkv(sentence, layer, head):
    """Project X where the file allows it, else take the stored Q and K (without V)."""
    if (layer, head) == _PROJECTED:
        x = encoder_input(sentence)
        return [x @ w + b for w, b in map(encoder_weights, "QKV")]
    return *(_float32(f"enc_{sentence}_{x}")[layer, head] for x in "QK"), None


def head_weights(head):
    """Compute the weights of a head: (n_q, n_k), by the course's own `attention`.

    Examples
    --------
    >>> a = head_weights(load_head("encoder", "tired", 3, 1))
    >>> tokens("encoder", "tired")[a[10].argmax()], a[10].max().round(2)
    ('animal', np.float32(0.68))
    """
    v = np.zeros((len(head.k), 1), np.float32) if head.v is None else head.v
    return attention(head.q, head.k, v, head.mask)[1]


def head_output(head):
    """Compute what a head hands on: (n_q, d_v), by the course's own `attention`.

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
    a = head_weights(head)
    surprise = -np.log(np.where(a > 0, a, 1))
    most = np.log(_visible(head).sum(axis=-1))
    return (a * surprise).sum(axis=-1) / np.where(most > 0, most, 1)


def _visible(head):
    shape = (len(head.q), len(head.k))
    return np.ones(shape, bool) if head.mask is None else head.mask


def changed_rows(layer, head):
    """Change one word, "tired" to "wide", in the decoder: largest change of each output row.

    Rows before the changed word cannot know of it: their change is exactly 0.

    Examples
    --------
    >>> changed_rows(13, 8)[:11].max(), changed_rows(13, 8)[11] > 0
    (np.float32(0.0), np.True_)
    """
    before, after = (head_output(load_head("decoder", s, layer, head)) for s in ("tired", "wide"))
    return np.abs(before - after).max(axis=-1)


def decoder_survey():
    """All 270 decoder heads on the sentence "tired": two (30, 9) arrays, layer by head.

    Returns
    -------
    std : ndarray, shape (30, 9)
        Standard deviation of the scaled scores that the mask leaves; 1 if independent.
    first : ndarray, shape (30, 9)
        Mean weight on the first token, over all rows but the first.

    Examples
    --------
    >>> std, first = decoder_survey()
    >>> std.shape, (first > 0.5).mean().round(2)
    ((30, 9), np.float64(0.74))
    """
    return _float32("dec_all_std"), _float32("dec_all_first")


def next_tokens(sentence):
    """Give the decoder's five likeliest next tokens and their probabilities.

    Examples
    --------
    >>> words, p = next_tokens("password")
    >>> words[0], p[0].round(2)
    ('blue', np.float32(0.31))
    """
    _known("sentence", sentence, sentences("decoder"))
    words = _arrays()[f"dec_{sentence}_next"]
    return tuple(str(word).lstrip(" ") for word in words), _float32(f"dec_{sentence}_next_p")


def frame_times():
    """Time in seconds of each of the 242 slices of sound that the speech model reads.

    Examples
    --------
    >>> frame_times()[[0, 1, 241]].round(2)
    array([0.  , 0.02, 4.82])
    """
    return np.arange(len(_arrays()["cross_K"])) * float(_arrays()["cross_seconds_per_frame"])


def loudness():
    """Loudness of each slice of sound, to draw beside the weights: (242,).

    Examples
    --------
    >>> loudness().shape
    (242,)
    """
    return _float32("cross_loudness")


def peak_times():
    """Time in seconds at which each token of the speech model looks most: (15,).

    Examples
    --------
    >>> dict(zip(tokens("speech", "speech"), peak_times().round(2), strict=True))["animal"]
    np.float64(0.7)
    """
    return frame_times()[head_weights(load_head("speech", "speech", 2, 5)).argmax(axis=-1)]


def independent_head(seed=0, n=16, d_k=32):
    """Draw a head whose q and k are independent normal numbers: what section 6 assumes.

    Examples
    --------
    >>> independent_head().q.shape
    (16, 32)
    """
    q, k = np.random.default_rng(seed).normal(size=(2, n, d_k))
    labels = tuple(str(i) for i in range(n))
    return Head(q, k, None, None, labels, labels)
