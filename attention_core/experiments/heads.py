"""Lesson 11: which head does what, and what several heads can do that one cannot easily."""

from typing import NamedTuple

import numpy as np

from attention_core.experiments.layer import Layer, forward
from attention_core.experiments.losses import cross_entropy
from attention_core.experiments.tasks import look_back_batch
from attention_core.experiments.training import init_params, n_parameters, train
from attention_core.masks import causal_mask


class Heads(NamedTuple):
    """Joint accuracy, accuracy per read-out, and what each head looks at.

    `looks` (h, 2): mean weight on the word 1 back and 3 back; `weights` (h, 12, 12) the mean over
    new texts; `gap` the largest difference between any head's matrices and those of head 0.
    """

    accuracy: float
    accuracy_each: np.ndarray
    looks: np.ndarray
    weights: np.ndarray
    gap: float
    parameters: int
    params: dict


def heads_experiment(seed=0, h=2, same_start=False, steps=200, positions=True):
    """How well h heads that share 32 dimensions name the words 1 and 3 places back.

    The number of parameters is the same for every h. Words are random, so nothing but looking
    at the right two places helps.

    Parameters
    ----------
    seed : int
    h : int
        1, 2 or 4.
    same_start : bool
        True: all heads start from the same numbers.
    steps : int
        Length of the training.
    positions : bool
        Whether a token also says where it stands.

    Returns
    -------
    Heads

    Examples
    --------
    >>> heads_experiment(h=2).accuracy > 0.99 > 0.6 > heads_experiment(h=1).accuracy
    True
    >>> heads_experiment(h=2, same_start=True).gap
    0.0
    """
    rng = np.random.default_rng(seed)
    params = init_params(rng, w_v=(32, 32), w_q=(32, 32), w_k=(32, 32), w_o=(32, 40))
    if same_start:
        params = _clone_first_head(params, h)
    layer = Layer(h=h, mask=causal_mask(12))
    params, _ = train(
        params, lambda: _batch(rng, 32, positions), cross_entropy, layer, steps=steps, rate=0.02
    )
    batch = _batch(rng, 500, positions)
    trace = forward(params, batch, layer)
    right = (trace.output.reshape(500, 12, 2, 20).argmax(axis=-1) == batch.target)[:, 3:]
    weights, place = trace.weights.mean(axis=0), np.arange(3, 12)
    looks = np.stack([weights[:, place, place - b].mean(axis=-1) for b in (1, 3)], axis=-1)
    return Heads(
        accuracy=float(right.all(axis=-1).mean()),
        accuracy_each=right.mean(axis=(0, 1)),
        looks=looks,
        weights=weights,
        gap=_gap(params, h),
        parameters=n_parameters(params),
        params=params,
    )


def _batch(rng, size, positions):
    """Tokens [one-hot word | one-hot place], or with zeros for the place."""
    batch = look_back_batch(rng, size)
    if not positions:
        batch.x_q[..., 20:] = 0  # x_k and x_v are the same array
    return batch


def _by_head(params, h):
    """Every matrix cut into its heads: columns of W_Q, W_K, W_V, rows of W_O."""
    return {n: np.stack(np.split(w, h, axis=0 if n == "w_o" else 1)) for n, w in params.items()}


def _clone_first_head(params, h):
    return {
        n: np.concatenate([heads[0]] * h, axis=0 if n == "w_o" else 1)
        for n, heads in _by_head(params, h).items()
    }


def _gap(params, h):
    return float(max(np.abs(w - w[0]).max() for w in _by_head(params, h).values()))
