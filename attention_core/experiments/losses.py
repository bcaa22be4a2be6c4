"""Losses of the experiments: each gives a number and its gradient with respect to the output."""

import numpy as np

# One-hot contents are read as logits after this stretch; the lowest loss is ln(1 + (n - 1) / e^5).
READ_OUT = 5.0


def squared_error(output, target):
    """Mean squared error, and its gradient.

    Examples
    --------
    >>> squared_error(np.array([1.0, 2.0]), np.array([1.0, 0.0]))
    (2.0, array([0., 2.]))
    """
    error = output - target
    return float(np.mean(error**2)), 2 * error / error.size


def cross_entropy(output, target):
    """Mean of -log softmax at the right answer, and its gradient; a target of -1 does not count.

    The last axis of `output` is cut into as many answers as `target` asks for.

    Examples
    --------
    >>> loss, gradient = cross_entropy(np.zeros((1, 2)), np.array([1]))
    >>> round(loss, 4), gradient
    (0.6931, array([[ 0.5, -0.5]]))
    """
    logits = output.reshape(*target.shape, -1)
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    counted = (target >= 0)[..., None]
    right = counted * one_hot(target, logits.shape[-1])
    gradient = (counted * np.exp(log_p) - right) / counted.sum()
    return float(-(right * log_p).sum() / counted.sum()), gradient.reshape(output.shape)


def read_out_loss(output, target):
    """Cross-entropy of a fixed read-out: the mixture of one-hot contents, five times, as logits.

    Examples
    --------
    >>> loss, _ = read_out_loss(np.array([[1.0, 0.0]]), np.array([0]))
    >>> round(loss, 4)
    0.0067
    """
    loss, gradient = cross_entropy(READ_OUT * output, target)
    return loss, READ_OUT * gradient


def one_hot(index, size):
    """Rows with a 1 at `index` and 0 elsewhere.

    Examples
    --------
    >>> one_hot([2, 0], 3).astype(int)
    array([[0, 0, 1],
           [1, 0, 0]])
    """
    return np.eye(size)[index]
