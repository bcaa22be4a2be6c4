"""Open trained_heads.npz and hand out what is stored once for a model or a sentence.

Stored as float16, handed out as float32. Sources and licences: data/NOTICE.md.
"""

from functools import cache
from importlib.resources import as_file, files

import numpy as np

SENTENCES = {
    "encoder": ("tired", "wide"),
    "decoder": ("tired", "wide", "password"),
    "multilingual": ("en", "zh"),
    "speech": ("speech",),
}
MODELS = tuple(SENTENCES)


@cache
def stored_arrays():
    """Every array of the file by its name, as it is stored."""
    with as_file(files("attention_core.trained") / "data" / "trained_heads.npz") as path:
        with np.load(path, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}


def stored_float32(name):
    """One array of the file, ready to compute with."""
    return stored_arrays()[name].astype(np.float32)


def require_known(what, value, allowed):
    """Refuse what is not stored, naming what is."""
    if value not in allowed:
        listed = ", ".join(map(repr, allowed))
        raise ValueError(f"trained: {what} is {value!r}, but must be one of {listed}")


def encoder_input(sentence):
    """The vectors x that enter layer 3 of the encoder: (16, 384).

    Examples
    --------
    >>> encoder_input("wide").shape
    (16, 384)
    """
    require_known("sentence", sentence, SENTENCES["encoder"])
    return stored_float32(f"enc_{sentence}_X")


def encoder_weights(role):
    """The matrix (384, 32) and bias (32,) of layer 3, head 1; role is "Q", "K" or "V".

    Examples
    --------
    >>> [part.shape for part in encoder_weights("Q")]
    [(384, 32), (32,)]
    """
    require_known("role", role, ("Q", "K", "V"))
    return stored_float32(f"enc_W_{role}"), stored_float32(f"enc_b_{role}")


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
    return stored_float32("dec_all_std"), stored_float32("dec_all_first")


def next_tokens(sentence):
    """The decoder's five likeliest next tokens and their probabilities.

    Examples
    --------
    >>> words, p = next_tokens("password")
    >>> words[0], p[0].round(2)
    ('blue', np.float32(0.31))
    """
    require_known("sentence", sentence, SENTENCES["decoder"])
    words = stored_arrays()[f"dec_{sentence}_next"]
    return tuple(str(word).lstrip(" ") for word in words), stored_float32(f"dec_{sentence}_next_p")


def frame_times():
    """Time in seconds of each of the 242 slices of sound that the speech model reads.

    Examples
    --------
    >>> frame_times()[[0, 1, 241]].round(2)
    array([0.  , 0.02, 4.82])
    """
    stored = stored_arrays()
    return np.arange(len(stored["cross_K"])) * float(stored["cross_seconds_per_frame"])


def loudness():
    """Loudness of each slice of sound, to draw beside the weights: (242,).

    Examples
    --------
    >>> loudness().shape
    (242,)
    """
    return stored_float32("cross_loudness")
