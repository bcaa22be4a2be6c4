"""Lesson 06: scores of many random queries, measured for every d_k, divided by √d_k or not."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.gradients import softmax_jacobian
from attention_core.measures import entropy, jacobian_size, largest_weight

SIZES = tuple(2**power for power in range(13))  # 1 … 4096
N_K = 6
_N_Q = 400
_SPREADS = 4.0  # standard deviations that the picture of the scores shows to either side


def measured(seed):
    """Measure the same queries and keys at every size, without and with the division.

    Parameters
    ----------
    seed : int

    Returns
    -------
    dict of (d_k, divided) -> dict
    """
    found = {}
    for size in SIZES:
        q, k, v = _draw(seed, size)
        for on in (False, True):
            steps = attention_steps(q, k, v, scale=None if on else 1.0)
            found[size, on] = _measure(steps, 1.0 if on else size**0.5)
    return found


def _draw(seed, d_k):
    """Independent entries of mean 0 and variance 1."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(_N_Q, d_k)), rng.normal(size=(N_K, d_k)), np.zeros((N_K, 1))


def _measure(steps, predicted):
    """What all queries show together, and the row of the first."""
    reach = _SPREADS * predicted
    edges = np.linspace(-reach, reach, 41)
    counts, _ = np.histogram(steps.scaled, edges)
    largest = largest_weight(steps.weights)
    return {
        "edges": edges,
        "density": counts / steps.scaled.size / np.diff(edges),
        "std": steps.scaled.std(),
        "predicted": predicted,
        "S": steps.scores[:1],
        "Z": steps.scaled[:1],
        "A": steps.weights[:1],
        "J": softmax_jacobian(steps.weights[0]),
        "largest": largest.mean(),
        "entropy": entropy(steps.weights).mean() / np.log(N_K),
        "saturated": (largest > 0.99).mean(),
        "jacobian": jacobian_size(steps.weights).mean(),
    }
