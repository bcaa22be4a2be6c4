"""Lesson 06: what dividing the scores by the root of d_k is good for."""

from typing import NamedTuple

import numpy as np

from attention_core.attention import attention_steps
from attention_core.experiments.layer import Batch, Layer, forward
from attention_core.experiments.losses import READ_OUT, one_hot, read_out_loss
from attention_core.experiments.training import init_params, sgd, train
from attention_core.measures import entropy, jacobian_size, largest_weight


class Saturation(NamedTuple):
    """One entry per d_k, over 500 random queries and 64 random keys.

    Standard deviation of the scores, mean largest weight, mean entropy divided by ln 64, share of
    queries with a weight above 0.99, mean and median norm of the softmax Jacobian.
    """

    sizes: np.ndarray
    std: np.ndarray
    largest: np.ndarray
    entropy: np.ndarray
    saturated: np.ndarray
    jacobian: np.ndarray
    jacobian_median: np.ndarray


def saturation(power=0.5, sizes=(4, 16, 64, 256, 1024), seed=0):
    """Look at softmax weights when q k is divided by d_k ** power, before any training.

    Power 0 divides by nothing, 0.5 by the root, 1 by d_k itself. Components of q and k are
    independent normal numbers of mean 0 and variance 1.

    Examples
    --------
    >>> saturation(power=0).std.round(0), saturation(power=0.5).std.round(1)
    (array([ 2.,  4.,  8., 16., 32.]), array([1., 1., 1., 1., 1.]))
    """
    rows = [_saturation(np.random.default_rng(seed), d_k, power) for d_k in sizes]
    return Saturation(np.array(sizes), *np.array(rows).T)


def _saturation(rng, d_k, power):
    q, k = rng.normal(size=(500, d_k)), rng.normal(size=(64, d_k))
    steps = attention_steps(q, k, np.zeros((64, 1)), scale=float(d_k) ** -power)
    a = steps.weights
    largest, sizes = largest_weight(a), jacobian_size(a)
    return (
        steps.scaled.std(), largest.mean(), entropy(a).mean() / np.log(64),
        (largest > 0.99).mean(), sizes.mean(), np.median(sizes),
    )  # fmt: skip


class Scaling(NamedTuple):
    """Final loss for each learning rate; the best one, its curve and its share of right answers.

    `chance` is the loss of looking everywhere alike, `floor` the lowest loss there is. A loss above
    `chance` is recorded as `chance`: a saturated run is chaotic, and up there its digits differ
    from processor to processor. `saturated` is the share of queries with a weight above 0.99
    before training.
    """

    rates: np.ndarray
    losses: np.ndarray
    best_rate: float
    curve: np.ndarray
    right: float
    saturated: float
    chance: float
    floor: float


RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


def scaling_experiment(seed=0, power=0.5, d_k=256, shrink=1.0, rates=RATES):
    """How fast W_Q and W_K learn to find 16 random keys, with scores divided by d_k ** power.

    Each query must put its weight on the key made from the same vector. Plain gradient descent,
    150 steps, once for every learning rate, so that each power is judged at its own best one.

    Parameters
    ----------
    seed : int
    power : float
        0 divides by nothing, 0.5 by the root, 1 by d_k itself.
    d_k : int
    shrink : float
        Factor on the starting W_Q and W_K: ``d_k ** -0.25`` makes unscaled scores start small.
    rates : sequence of float

    Returns
    -------
    Scaling

    Examples
    --------
    >>> result = scaling_experiment(d_k=64, rates=(0.3,))
    >>> result.losses.round(1), result.right, result.saturated
    (array([0.1]), 1.0, 0.0)
    """
    params, batch = _keys_to_find(seed, d_k, shrink)
    layer = Layer(scale=float(d_k) ** -power)
    runs = [_descend(params, batch, layer, rate) for rate in rates]
    curves = np.minimum([curve for curve, _ in runs], np.log(16))
    best = int(curves[:, -1].argmin())
    return Scaling(
        rates=np.array(rates),
        losses=curves[:, -1],
        best_rate=float(rates[best]),
        curve=curves[best],
        right=runs[best][1],
        saturated=float((forward(params, batch, layer).weights.max(axis=-1) > 0.99).mean()),
        chance=float(np.log(16)),
        floor=float(np.log1p(15 * np.exp(-READ_OUT))),
    )


def _keys_to_find(seed, d_k, shrink):
    """Sixteen random vectors that make queries and keys alike; the values are one-hot labels."""
    rng = np.random.default_rng(seed)
    x, labels = rng.normal(size=(16, 64)), np.arange(16)
    params = init_params(rng, w_q=(64, d_k), w_k=(64, d_k))
    return {n: shrink * w for n, w in params.items()}, Batch(x, x, one_hot(labels, 16), labels)


def _descend(params, batch, layer, rate):
    """Training at one rate: the losses before each step and at the end, and the share right."""
    params, losses = train(
        params, lambda: batch, read_out_loss, layer, steps=150, rate=rate, update=sgd
    )
    trace = forward(params, batch, layer)
    final, _ = read_out_loss(trace.output, batch.target)
    right = trace.weights[0].argmax(axis=-1) == batch.target
    return np.append(losses, final), float(right.mean())
