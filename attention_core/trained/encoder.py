"""A whole trained encoder: a text in; tokens, the weights of every head and one vector out."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from attention_core.attention import attention
from attention_core.language import Token
from attention_core.trained.handed_in import read_answer, text_by_text
from attention_core.trained.layers import encoder_layer, layer_norm
from attention_core.trained.pieces import END, START, TextError

PREFIX = "query: "  # stood before every text when the model was trained
TOGETHER = 20  # so many texts are stacked: more would only need more memory


class Run(NamedTuple):
    """What one text becomes on its way through the layers; layers and heads count from 0."""

    tokens: tuple
    weights: np.ndarray  # (layers, h, n, n)
    q: np.ndarray  # (layers, h, n, d_head); so are k and v
    k: np.ndarray
    v: np.ndarray
    hidden: np.ndarray  # (layers + 1, n, d_model): before the first layer, and after each
    vector: np.ndarray  # (d_model,), of length 1: the text as a whole


class Encoder:
    """Word pieces, one vector for each, and layers whose attention is handed in.

    `load_model` makes one from the file.
    """

    def __init__(self, pieces, vectors, places, norm, layers):
        self.pieces, self.layers = pieces, layers
        self._vectors = vectors  # from rows of the embedding to (n, d_model)
        self._places, self._norm = places, norm  # (most tokens, d_model); gain and shift

    def tokens(self, text, prefix=""):
        """The tokens that the model reads in a text.

        Raises
        ------
        TypeError, ValueError
            If the text is no string, empty, too long, or of unknown signs only.
        """
        if not isinstance(text, str):
            raise TypeError(f"tokens: the text must be a string, not {type(text).__name__}")
        room = len(self._places)
        if len(text) > 100 * room:  # no need to cut it
            raise TextError("long", f"tokens: {len(text)} signs are too many: {room} tokens fit")
        words = self.pieces.cut(text)[1:-1]
        if not words:
            raise TextError("empty", "tokens: the text is empty; type at least one word")
        if not {*words} - {*self.pieces.unknown(words), "▁"}:
            raise TextError(
                "unknown", f"tokens: no sign of {text[:40]!r} is known; type English or Chinese"
            )
        tokens = self.pieces.cut(prefix + text) if prefix else [START, *words, END]
        if len(tokens) > room:
            raise TextError("long", f"tokens: the text has {len(tokens)} tokens; {room} fit")
        return tuple(map(Token, tokens))

    def embed(self, tokens):
        """Look up one vector for each token: (n, d_model). Here no token knows of another."""
        return self._vectors(self.pieces.rows(tokens))

    def _first(self, texts):
        """What enters layer 0: token and place, added and normalised; the texts stacked."""
        rows = [self.embed(tokens) + self._places[: len(tokens)] for tokens in texts]
        return layer_norm(np.concatenate(rows), *self._norm)

    def run(self, text, attention=attention, *, prefix=""):
        """All that the heads compute for one text, layer by layer.

        Parameters
        ----------
        text : str
        attention : callable
            Called once a layer with q, k, v, each (h, n, d_head); returns (output, weights).
        prefix : str
            `PREFIX` is what the model was trained with; without it there is less to look at.

        Returns
        -------
        Run

        Raises
        ------
        TypeError, ValueError
            If the text cannot be read, or `attention` returns what does not fit.

        Examples
        --------
        >>> from attention_core.trained import load_model
        >>> run = load_model().run("它太累了。")
        >>> run.tokens, run.weights.shape, run.q.shape
        (('<s>', '▁', '它', '太', '累', '了', '。', '</s>'), (12, 12, 8, 8), (12, 12, 8, 32))
        """
        tokens, seen = self.tokens(text, prefix), []

        def attend(q, k, v):
            output, weights = read_answer(attention(q, k, v), q, v, layer=len(seen))
            seen.append((weights, q, k, v))
            return output

        hidden = [self._first([tokens])]
        for layer in self.layers:
            hidden.append(encoder_layer(hidden[-1], layer, attend))
        vector = _sentence_vectors(hidden[-1], [0, len(tokens)])[0]
        return Run(tokens, *map(np.array, zip(*seen, strict=True)), np.array(hidden), vector)

    def encode(self, texts, attention=attention, *, prefix=PREFIX):
        """Each text as one vector of length 1: (texts, d_model). Else as `run`.

        Examples
        --------
        >>> from attention_core.trained import load_model
        >>> a, b, c = load_model().encode(["The dog sleeps.", "狗在睡觉。", "银行关门了。"])
        >>> bool(a @ b > a @ c)
        True
        """
        if isinstance(texts, str):
            raise TypeError("encode: hand over a list of texts, not a single text")
        tokens = [self.tokens(text, prefix) for text in texts]
        groups = [tokens[i : i + TOGETHER] for i in range(0, len(tokens), TOGETHER)]
        none = np.zeros((0, self._places.shape[-1]), np.float32)
        return np.concatenate([none, *(self._together(group, attention) for group in groups)])

    def _together(self, texts, attention):
        bounds = np.cumsum([0, *map(len, texts)])
        x = self._first(texts)
        for i, layer in enumerate(self.layers):

            def attend(q, k, v, i=i):
                return read_answer(attention(q, k, v), q, v, layer=i)[0]

            x = encoder_layer(x, layer, text_by_text(attend, bounds))
        return _sentence_vectors(x, bounds)


def _sentence_vectors(x, bounds):
    """The mean of each text's rows, brought to length 1."""
    means = np.array([x[a:b].mean(axis=0) for a, b in pairwise(bounds)])
    return means / np.linalg.norm(means, axis=-1, keepdims=True)
