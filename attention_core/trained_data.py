"""Read data/trained_heads.npz: which heads are stored, their Q, K, V, masks and tokens.

Stored as float16, handed out as float32. Layers and heads count from 0.
Sources and licences: data/NOTICE.md.
"""

from functools import cache
from importlib.resources import as_file, files
from typing import NamedTuple

import numpy as np

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
