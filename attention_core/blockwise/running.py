"""Softmax in pieces: what a query remembers of the keys it has read so far (lesson 17)."""

from typing import NamedTuple

import numpy as np

from attention_core.attention import attention_steps
from attention_core.inputs.arrays import whole_number


class Running(NamedTuple):
    """What is remembered of the keys read so far; a query that has seen none has the maximum −∞."""

    maximum: np.ndarray  # (..., n_q), m: the largest score yet
    denominator: np.ndarray  # (..., n_q), ℓ: the sum of e^(score − m)
    accumulator: np.ndarray  # (..., n_q, d_v), o: the sum of e^(score − m) · value


def read_block(running, scores, v):
    """What is remembered after one more block; a higher maximum rescales what was summed before.

    Parameters
    ----------
    running : Running
        What was read before.
    scores : ndarray of float, shape (..., n_q, block)
        Scaled scores; −∞ is hidden.
    v : ndarray of float, shape (..., block, d_v)

    Returns
    -------
    Running

    Notes
    -----
    Milakov and Gimelshein 2018, algorithm 3; the factor is e^(m_old − m_new).

    Examples
    --------
    >>> before = Running(np.array([2.0]), np.array([1.5]), np.array([[6.0]]))
    >>> read_block(before, np.array([[3.0]]), np.array([[8.0]])).denominator.round(4)
    array([1.5518])
    """
    maximum = np.maximum(running.maximum, scores.max(axis=-1, initial=-np.inf))
    level = np.where(np.isfinite(maximum), maximum, 0)  # −∞ − (−∞) would be NaN
    rescale = np.exp(running.maximum - level)
    exponentials = shifted_exponentials(scores, level)
    denominator = running.denominator * rescale + exponentials.sum(axis=-1)
    return Running(
        maximum, denominator, running.accumulator * rescale[..., None] + exponentials @ v
    )


def shifted_exponentials(scores, maximum):
    """e^(score − m): 1 for the best match yet, less for all others.

    Parameters
    ----------
    scores : ndarray of float, shape (..., n_q, n_k)
    maximum : ndarray of float, shape (..., n_q); finite

    Returns
    -------
    ndarray, shape (..., n_q, n_k)

    Notes
    -----
    Milakov and Gimelshein 2018.

    Examples
    --------
    >>> shifted_exponentials(np.array([[1.0, 3.0]]), np.array([3.0])).round(4)
    array([[0.1353, 1.    ]])
    """
    return np.exp(scores - maximum[..., None])


def online_steps(q, k, v, mask=None, *, block):
    """What is remembered after each block of keys.

    Parameters
    ----------
    q : array_like, shape (..., n_q, d_k)
    k : array_like, shape (..., n_k, d_k)
    v : array_like, shape (..., n_k, d_v)
    mask : as for `attention`, shape (n_q, n_k), optional
    block : int
        Keys in a block; the last block may be smaller.

    Returns
    -------
    tuple of Running
        The state before any key, then after each block; `output_so_far` of the last is the
        output of `attention`.

    Raises
    ------
    ValueError, TypeError
        As `attention`; also if `block` is not a whole number from 1 up.

    Notes
    -----
    Milakov and Gimelshein 2018 (online softmax).

    Examples
    --------
    >>> steps = online_steps([[1.0]], [[0.0], [1.0]], [[10.0], [20.0]], block=1)
    >>> [output_so_far(step).round(2).tolist() for step in steps]
    [[[0.0]], [[10.0]], [[17.31]]]
    """
    block = whole_number("online_steps", "block", block, least=1)
    all_steps = attention_steps(q, k, v, mask)  # a lesson may hold all scores; it shows them
    v = np.asarray(v, dtype=all_steps.output.dtype)
    rows = all_steps.output.shape[:-1]
    nothing = np.full(rows, -np.inf), np.zeros(rows), np.zeros(all_steps.output.shape)
    states = [Running(*nothing)]
    for start in range(0, v.shape[-2], block):
        keys = slice(start, start + block)
        scores = all_steps.masked[..., keys]
        states.append(read_block(states[-1], scores, v[..., keys, :]))
    return tuple(states)


def output_so_far(running):
    """The output over the keys read so far: the accumulator divided by the denominator.

    Parameters
    ----------
    running : Running

    Returns
    -------
    ndarray, shape (..., n_q, d_v): zeros where no key was seen

    Notes
    -----
    Milakov and Gimelshein 2018; the division comes once, at the end.

    Examples
    --------
    >>> output_so_far(Running(np.array([3.0]), np.array([2.0]), np.array([[5.0]])))
    array([[2.5]])
    """
    denominator = running.denominator
    return running.accumulator / (denominator + (denominator == 0))[..., None]
