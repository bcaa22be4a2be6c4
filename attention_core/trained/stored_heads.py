"""Read trained_heads.npz: which heads are stored, their Q, K, V, masks and tokens.

Stored as float16, handed out as float32. Layers and heads count from 0.
Sources and licences: data/NOTICE.md.
"""

from typing import NamedTuple

import numpy as np

from attention_core.language import Token
from attention_core.masks import causal_mask
from attention_core.trained.stored_file import (
    MODELS,
    SENTENCES,
    encoder_input,
    encoder_weights,
    frame_times,
    require_known,
    stored_arrays,
    stored_float32,
)

_PREFIX = {"encoder": "enc", "decoder": "dec", "multilingual": "mul", "speech": "cross"}
_PROJECTED = (3, 1)  # the one encoder head of which X, W and b are stored


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


def sentences(model):
    """The names of the sentences that are stored for a model.

    Examples
    --------
    >>> sentences("decoder")
    ('tired', 'wide', 'password')
    """
    require_known("model", model, MODELS)
    return SENTENCES[model]


def heads(model, sentence):
    """The heads that are stored, as (layer, head).

    Examples
    --------
    >>> heads("multilingual", "zh"), len(heads("encoder", "tired"))
    (((0, 2), (2, 6), (8, 8), (11, 3)), 72)
    """
    require_known("sentence", sentence, sentences(model))
    if model == "speech":
        return ((2, 5),)
    if model == "encoder":
        return tuple(np.ndindex(6, 12)) if sentence == "tired" else (_PROJECTED,)
    return tuple((int(layer), int(h)) for layer, h in stored_arrays()[f"{_PREFIX[model]}_heads"])


def tokens(model, sentence):
    """The tokens as the model cut them, without the marks for a space.

    Examples
    --------
    >>> tokens("decoder", "password")[:4], tokens("multilingual", "zh")[12]
    (('The', 'password', 'is', 'blue'), '它')
    """
    require_known("sentence", sentence, sentences(model))
    prefix = _PREFIX[model]
    name = f"{prefix}_tokens" if model == "speech" else f"{prefix}_{sentence}_tokens"
    return tuple(Token(str(token).lstrip(" ▁")) for token in stored_arrays()[name])


def load_head(model, sentence, layer, head):
    """Q, K, V, the mask and the tokens of one head on one sentence.

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
    require_known("(layer, head)", (layer, head), heads(model, sentence))
    rows = tokens(model, sentence)
    if model == "speech":
        q, k, v = (stored_float32(f"cross_{x}") for x in "QKV")
        return Head(q, k, v, None, rows, tuple(f"{t:.2f}" for t in frame_times()))
    if model == "encoder":
        q, k, v = _encoder_qkv(sentence, layer, head)
        return Head(q, k, v, None, rows, rows)
    at = heads(model, sentence).index((layer, head))
    q, k, v = (stored_float32(f"{_PREFIX[model]}_{sentence}_{x}")[at] for x in "QKV")
    mask = causal_mask(len(rows)) if model == "decoder" else None
    return Head(q, k, v, mask, rows, rows)


def _encoder_qkv(sentence, layer, head):
    """Q and K from X where the file allows it, else as they are stored (without V)."""
    if (layer, head) == _PROJECTED:
        x = encoder_input(sentence)
        return [x @ w + b for w, b in map(encoder_weights, "QKV")]
    return *(stored_float32(f"enc_{sentence}_{x}")[layer, head] for x in "QK"), None
