"""Lesson 03: keys and values apart, or one matrix for both."""

from typing import NamedTuple

import numpy as np

from attention_core.experiments.layer import PLAIN, Layer, forward
from attention_core.experiments.losses import squared_error
from attention_core.experiments.tasks import recall_batch
from attention_core.experiments.training import init_params, n_parameters, train


class Recall(NamedTuple):
    """One entry per width: held-out error, weight on the right token, number of parameters."""

    widths: np.ndarray
    error: np.ndarray
    weight: np.ndarray
    parameters: np.ndarray


def recall_experiment(seed=0, tied=False, widths=(2, 3, 4, 5, 6, 8)):
    """How well the content stored under an address is fetched, with W_K and W_V apart or as one.

    A token is [one of 8 addresses | 4 random numbers]; a list holds 4 tokens; the query is an
    address. The error is the mean squared error on 1000 new lists: 1 for always answering zero,
    0.75 for the mean of the list, 0 for perfect recall.

    Parameters
    ----------
    seed : int
    tied : bool
        True: V = K, and the layer has one matrix less.
    widths : sequence of int
        d_k = d_v to try.

    Returns
    -------
    Recall

    Examples
    --------
    >>> recall_experiment(widths=(4,)).error.round(1), recall_experiment(0, True, (4,)).error > 0.4
    (array([0.]), array([ True]))
    """
    rows = [_recall(seed, tied, d) for d in widths]
    return Recall(np.array(widths), *(np.array(column) for column in zip(*rows, strict=True)))


def _recall(seed, tied, d):
    rng = np.random.default_rng(seed)
    shapes = {"w_q": (12, d), "w_k": (12, d), "w_v": (12, d), "w_o": (d, 4)}
    if tied:
        del shapes["w_v"]
    layer = Layer(tied={"w_v": "w_k"}) if tied else PLAIN
    params, _ = train(
        init_params(rng, **shapes), lambda: recall_batch(rng, 64), squared_error, layer,
        steps=250, rate=0.03,
    )  # fmt: skip
    batch = recall_batch(rng, 1000)
    trace = forward(params, batch, layer)
    error, _ = squared_error(trace.output, batch.target)
    return error, trace.weights[:, 0, 0, 0].mean(), n_parameters(params)
