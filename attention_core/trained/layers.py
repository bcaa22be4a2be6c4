"""The layers of a trained encoder, and whatever attention is handed in inside them.

One layer is a Transformer block: attention, then a feed-forward network for each token on its
own; what each of them brings is added to x (the residual) and normalised. Attention is the only
place where tokens meet. That is why the rows of many texts can pass through everything else
stacked on each other.
"""

from typing import NamedTuple

import numpy as np

from attention_core.heads import merge_heads, split_heads

HEADS = 12


class Layer(NamedTuple):
    """The numbers that one layer has learned; w as in x @ w, b is added."""

    w_q: np.ndarray
    b_q: np.ndarray
    w_k: np.ndarray
    b_k: np.ndarray
    w_v: np.ndarray
    b_v: np.ndarray
    w_o: np.ndarray
    b_o: np.ndarray
    w_up: np.ndarray
    b_up: np.ndarray
    w_down: np.ndarray
    b_down: np.ndarray
    norm1_gain: np.ndarray
    norm1_shift: np.ndarray
    norm2_gain: np.ndarray
    norm2_shift: np.ndarray


def encoder_layer(x, layer, attend):
    """Token vectors after one layer.

    Parameters
    ----------
    x : ndarray, shape (n, d_model)
    layer : Layer
    attend : callable
        From q, k, v, each (h, n, d_head), to an output (h, n, d_head).

    Returns
    -------
    ndarray, shape (n, d_model)

    Notes
    -----
    Vaswani et al. 2017, section 3.1: LayerNorm(x + Sublayer(x)), twice.

    Examples
    --------
    >>> from attention_core.trained import load_model
    >>> x, layer = np.ones((5, 384)), load_model().layers[0]
    >>> encoder_layer(x, layer, lambda q, k, v: v).shape
    (5, 384)
    """
    x = layer_norm(x + multi_head(x, layer, attend), layer.norm1_gain, layer.norm1_shift)
    return layer_norm(x + feed_forward(x, layer), layer.norm2_gain, layer.norm2_shift)


def multi_head(x, layer, attend):
    """Concat(head_1, …, head_h) W_O, as in lessons 11 and 12, with a bias b on each product.

    >>> from attention_core.trained import load_model
    >>> multi_head(np.ones((5, 384)), load_model().layers[0], lambda q, k, v: v).shape
    (5, 384)
    """
    q = split_heads(x @ layer.w_q + layer.b_q, HEADS)
    k = split_heads(x @ layer.w_k + layer.b_k, HEADS)
    v = split_heads(x @ layer.w_v + layer.b_v, HEADS)
    return merge_heads(attend(q, k, v)) @ layer.w_o + layer.b_o


def feed_forward(x, layer):
    """Work on each token alone: up to four times as many numbers, a bend, and down again.

    >>> from attention_core.trained import load_model
    >>> feed_forward(np.ones((5, 384)), load_model().layers[0]).shape
    (5, 384)
    """
    return gelu(x @ layer.w_up + layer.b_up) @ layer.w_down + layer.b_down


def layer_norm(x, gain, shift):
    """Rows of mean 0 and variance 1, then a learned gain and shift for each feature.

    Notes
    -----
    Ba, Kiros and Hinton 2016.

    Examples
    --------
    >>> layer_norm(np.array([[1.0, 3.0]]), gain=1, shift=0).round(4)
    array([[-1.,  1.]])
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-12) * gain + shift


def gelu(x):
    """A ReLU with a soft bend: near 0 for x far below 0, near x for x far above.

    Notes
    -----
    Hendrycks and Gimpel 2016, in the form with tanh.

    Examples
    --------
    >>> gelu(np.array([-10.0, 0.0, 1.0, 10.0])).round(3)
    array([-0.   ,  0.   ,  0.841, 10.   ])
    """
    root = float(np.sqrt(2 / np.pi))
    return 0.5 * x * (1 + np.tanh(root * x * (1 + 0.044715 * x * x)))
