"""How sharp a row of weights is, and how far scores spread (lesson 06)."""

import numpy as np

from attention_core.inputs.arrays import as_floats, require_finite
from attention_core.inputs.weights import read_weights


def largest_weight(weights):
    """How much the best match of each query gets.

    Parameters
    ----------
    weights : array_like, shape (..., n_k)

    Returns
    -------
    ndarray, shape (...): between 1/n_k (shared evenly) and 1 (all on one key)

    Raises
    ------
    ValueError, TypeError
        If a row has no weight, or one does not lie between 0 and 1.

    Notes
    -----
    Lesson 06: "too sharp".

    Examples
    --------
    >>> largest_weight([[0.5, 0.5], [0.1, 0.9]])
    array([0.5, 0.9])
    """
    weights = read_weights("largest_weight", weights)
    return weights.max(axis=-1)


@np.errstate(under="ignore")
def entropy(weights):
    """How widely each query looks: −Σ_j α_j ln α_j, from 0 up to ln n_k.

    Parameters
    ----------
    weights : array_like, shape (..., n_k)

    Returns
    -------
    ndarray, shape (...): 0 where one key gets everything, ln n_k where all get the same

    Raises
    ------
    ValueError, TypeError
        If a row has no weight, or one does not lie between 0 and 1.

    Notes
    -----
    Lesson 06; Shannon 1948, in natural units. A weight of 0 adds nothing.

    Examples
    --------
    >>> entropy([[0.5, 0.5], [1.0, 0.0]]).round(4)
    array([0.6931, 0.    ])
    """
    weights = read_weights("entropy", weights)
    logs = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum(axis=-1) + 0.0


@np.errstate(under="ignore")
def jacobian_size(weights):
    """How much the weights of a row still move when its scores move.

    The Jacobian of softmax is diag(α) − ααᵀ; this is the root of the sum of its squares.
    Near 0 the row is saturated: changing its scores a little changes nothing.

    Parameters
    ----------
    weights : array_like, shape (..., n_k)

    Returns
    -------
    ndarray, shape (...)

    Raises
    ------
    ValueError, TypeError
        If a row has no weight, or one does not lie between 0 and 1.

    Notes
    -----
    Lesson 06. The sum of squares is Σα² − 2Σα³ + (Σα²)², so that the matrix
    itself is never built.

    Examples
    --------
    >>> jacobian_size([[0.5, 0.5], [1.0, 0.0]])
    array([0.5, 0. ])
    """
    weights = read_weights("jacobian_size", weights)
    squares = (weights**2).sum(axis=-1)
    total = squares - 2 * (weights**3).sum(axis=-1) + squares**2
    return np.sqrt(np.maximum(total, 0))


@np.errstate(all="ignore")
def normal_density(x, std=1.0):
    """The height of the bell curve with mean 0, which scores of random vectors should follow.

    Parameters
    ----------
    x : array_like
    std : float

    Returns
    -------
    ndarray, same shape as `x`

    Raises
    ------
    ValueError, TypeError
        If `x` holds anything but finite numbers, or `std` is not above 0.

    Notes
    -----
    Lesson 06: a sum of many independent products is nearly normal.

    Examples
    --------
    >>> normal_density([0.0, 2.0], std=2.0).round(4)
    array([0.1995, 0.121 ])
    """
    (x, std), _ = as_floats("normal_density", x=x, std=std)
    require_finite("normal_density", "x", x)
    if not 0 < std < np.inf:
        raise ValueError(f"normal_density: std is {std}; it must be above 0")
    return np.exp(-((x / std) ** 2) / 2) / (std * np.sqrt(2 * np.pi))
