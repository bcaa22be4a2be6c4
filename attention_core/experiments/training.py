"""One optimiser, plain gradient descent beside it, and one training loop.

Parameters and gradients are dicts of arrays with the same names; nothing is changed in place.
"""

import numpy as np

from attention_core.experiments.layer import PLAIN, backward, forward
from attention_core.projections import draw_matrix


def sgd(params, gradients, state, rate):
    """One step downhill.

    Examples
    --------
    >>> sgd({"w": np.array([1.0])}, {"w": np.array([2.0])}, {}, rate=0.1)[0]
    {'w': array([0.8])}
    """
    return {name: w - rate * gradients[name] for name, w in params.items()}, state


def adam(params, gradients, state, rate, beta_1=0.9, beta_2=0.999, epsilon=1e-8):
    """One step of Adam: each number moves by about `rate`, whatever the size of its gradient.

    Source: Kingma and Ba 2015, algorithm 1. `state` holds t and both running means.

    Examples
    --------
    >>> params, state = adam({"w": np.array([1.0])}, {"w": np.array([50.0])}, {}, rate=0.1)
    >>> params["w"].round(6), state["t"]
    (array([0.9]), 1)
    """
    t = state.get("t", 0) + 1
    moved, new_state = {}, {"t": t}
    for name, w in params.items():
        mean, square = state.get(name, (0.0, 0.0))
        mean = beta_1 * mean + (1 - beta_1) * gradients[name]
        square = beta_2 * square + (1 - beta_2) * gradients[name] ** 2
        new_state[name] = mean, square
        mean, square = mean / (1 - beta_1**t), square / (1 - beta_2**t)
        moved[name] = w - rate * mean / (np.sqrt(square) + epsilon)
    return moved, new_state


def train(params, draw, loss_of, layer=PLAIN, *, steps, rate, update=adam):
    """Draw, forward, loss, backward, step; the rate falls to zero over the second half.

    Parameters
    ----------
    params : dict of ndarray
        Starting values; never changed.
    draw : callable
        ``draw() -> Batch``.
    loss_of : callable
        ``loss_of(output, target) -> (loss, gradient)``.

    Returns
    -------
    params : dict of ndarray
    losses : ndarray, shape (steps,)

    Examples
    --------
    >>> from attention_core.experiments.layer import Batch
    >>> from attention_core.experiments.losses import squared_error
    >>> x = np.ones((1, 1))
    >>> batch = Batch(x, x, x, 3 * x)
    >>> params, losses = train({"w_v": x}, lambda: batch, squared_error, steps=99, rate=0.2)
    >>> params["w_v"].round(1), losses[0]
    (array([[3.]]), np.float64(4.0))
    """
    state, losses = {}, np.empty(steps)
    for step in range(steps):
        batch = draw()
        trace = forward(params, batch, layer)
        losses[step], d_output = loss_of(trace.output, batch.target)
        gradients = backward(params, batch, trace, d_output, layer)
        params, state = update(params, gradients, state, rate * min(1, 2 - 2 * step / steps))
    return params, losses


def init_params(rng, **shapes):
    """Starting values of matrices with these shapes.

    Examples
    --------
    >>> {name: w.shape for name, w in init_params(np.random.default_rng(0), w_q=(5, 3)).items()}
    {'w_q': (5, 3)}
    """
    return {name: draw_matrix(rng, *shape) for name, shape in shapes.items()}


def n_parameters(params):
    """How many numbers are trained.

    Examples
    --------
    >>> n_parameters({"w_q": np.zeros((5, 3)), "w_k": np.zeros((5, 3))})
    30
    """
    return sum(w.size for w in params.values())
