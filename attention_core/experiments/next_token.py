"""Lesson 08: what a model learns that may read the future."""

from functools import partial
from typing import NamedTuple

import numpy as np

from attention_core.experiments.layer import Batch, Layer, forward
from attention_core.experiments.losses import cross_entropy
from attention_core.experiments.tasks import with_positions
from attention_core.experiments.toy_language import draw_words, language, text
from attention_core.experiments.training import init_params, train
from attention_core.masks import causal_mask
from attention_core.measures import entropy
from attention_core.softmax import softmax

N_WORDS, N_PLACES = 12, 16


class NextToken(NamedTuple):
    """What the trained model scores, in nats, and how it writes.

    `train_loss` is the mean of the last 20 steps; `held_out_loss` on new texts shown whole, as in
    training; `prefix_losses[t]` when only t + 1 words are shown; `prefix_loss` and
    `prefix_accuracy` their mean; `legal` the share of steps in its own texts that the language
    allows (chance 0.25); `written` (500, 16) those texts; `weights` (16, 16) the mean over new
    texts; `entropy` of the language.
    """

    train_loss: float
    held_out_loss: float
    prefix_loss: float
    prefix_losses: np.ndarray
    prefix_accuracy: float
    legal: float
    written: np.ndarray
    weights: np.ndarray
    curve: np.ndarray
    entropy: float
    params: dict


def next_token_logits(params, words, causal=True, positions=True):
    """Logits (..., n, 12) of the next word after each of the words (..., n), at most 16 of them.

    A token is its word, one-hot, and its position, one-hot; without `positions` zeros instead.

    Examples
    --------
    >>> next_token_logits(next_token_start(), np.array([[3, 1, 4]])).shape
    (1, 3, 12)
    """
    return _read(params, words, causal, positions).output


def next_token_start(seed=0):
    """The untrained model: one head with d_k = d_v = 16.

    Examples
    --------
    >>> next_token_start()["w_o"].shape
    (16, 12)
    """
    shapes = dict.fromkeys(("w_q", "w_k", "w_v"), (N_WORDS + N_PLACES, 16))
    return init_params(np.random.default_rng(seed), **shapes, w_o=(16, N_WORDS))


def _read(params, words, causal, positions):
    x = _tokens(words, positions)
    return forward(params, Batch(x, x, x, None), _layer(words.shape[-1], causal))


def _tokens(words, positions):
    """[word | position] for each token, or [word | zeros]."""
    x = with_positions(words, N_WORDS, N_PLACES)
    x[..., N_WORDS:] *= positions
    return x


def _layer(n, causal):
    return Layer(mask=causal_mask(n) if causal else None)


def next_token_experiment(seed=0, causal=True, positions=True):
    """How one head learns to name the next word, with or without the causal mask, honestly tested.

    The language has 12 words, each followed by one of three (0.6, 0.3, 0.1), so no model that
    sees only the past can get below its entropy, 0.90 nats.

    Parameters
    ----------
    seed : int
    causal, positions : bool
        Whether a token sees the past only, and whether it says where it stands.

    Returns
    -------
    NextToken

    Examples
    --------
    >>> leak = next_token_experiment(causal=False)
    >>> leak.held_out_loss < 0.3 < leak.entropy < leak.prefix_loss
    True
    """
    rng = np.random.default_rng(seed)
    chances = language(rng)
    layer = _layer(N_PLACES, causal)
    draw = partial(_batch, rng, chances, positions)
    params, curve = train(next_token_start(seed), draw, cross_entropy, layer, steps=300, rate=0.02)
    words = text(rng, chances, 500, N_PLACES + 1)
    whole = _read(params, words[:, :-1], causal, positions)
    prefix_losses, prefix_accuracy = _prefix_only(params, words, causal, positions)
    written = _write(params, rng, words[:, :1], causal, positions)
    return NextToken(
        train_loss=float(curve[-20:].mean()),
        held_out_loss=cross_entropy(whole.output, words[:, 1:])[0],
        prefix_loss=float(prefix_losses.mean()),
        prefix_losses=prefix_losses,
        prefix_accuracy=prefix_accuracy,
        legal=float((chances[written[:, :-1], written[:, 1:]] > 0).mean()),
        written=written,
        weights=whole.weights[:, 0].mean(axis=0),
        curve=curve,
        entropy=float(entropy(chances).mean()),
        params=params,
    )


def _batch(rng, chances, positions):
    words = text(rng, chances, 32, N_PLACES + 1)
    return Batch(*[_tokens(words[:, :-1], positions)] * 3, words[:, 1:])


def _prefix_only(params, words, causal, positions):
    """Loss for each length of prefix, and the accuracy, when no later word exists."""
    losses, right = [], []
    for t in range(1, words.shape[-1]):
        last = next_token_logits(params, words[:, :t], causal, positions)[:, -1]
        losses.append(cross_entropy(last, words[:, t])[0])
        right.append((last.argmax(axis=-1) == words[:, t]).mean())
    return np.array(losses), float(np.mean(right))


def _write(params, rng, words, causal, positions):
    """The words that the model writes on from those given, word by word, to full length."""
    while words.shape[-1] < N_PLACES:
        last = next_token_logits(params, words, causal, positions)[:, -1]
        words = np.column_stack([words, draw_words(rng, softmax(last))])
    return words
