"""One layer of attention that can be trained: the forward and the backward pass.

All that is ever trained is W_Q, W_K, W_V, W_O, kept in a dict of arrays. A missing matrix leaves
its input as it is; `Layer.tied` lets two roles share one matrix. Everything is float64.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from attention_core.gradients import attention_backward
from attention_core.heads import attention_in_heads, merge_heads, split_heads
from attention_core.projections import project

ROLES = ("w_q", "w_k", "w_v", "w_o")


class Batch(NamedTuple):
    """What queries, keys and values are made from (..., n, d_model), and the target."""

    x_q: np.ndarray
    x_k: np.ndarray
    x_v: np.ndarray
    target: np.ndarray


class Layer(NamedTuple):
    """What is fixed about the layer; `tied` maps a role to the name of the matrix it borrows."""

    h: int = 1
    mask: np.ndarray | None = None
    scale: float | None = None
    tied: Mapping = MappingProxyType({})


PLAIN = Layer()


class Trace(NamedTuple):
    """What the forward pass made: Q, K, V and the mixtures of all heads, weights and output."""

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    mixed: np.ndarray
    weights: np.ndarray
    output: np.ndarray


def forward(params, batch, layer=PLAIN):
    """The forward pass, with all that the backward pass needs.

    Examples
    --------
    >>> x = np.eye(2)[None]
    >>> trace = forward({}, Batch(x, x, x, None))
    >>> trace.weights.shape, trace.output.shape
    ((1, 1, 2, 2), (1, 2, 2))
    """
    q, k, v = (
        _apply(x, _matrix(params, role, layer))
        for role, x in zip(ROLES[:3], batch[:3], strict=True)
    )
    mixed, weights = attention_in_heads(q, k, v, layer.h, layer.mask, scale=layer.scale)
    return Trace(q, k, v, mixed, weights, _apply(mixed, _matrix(params, "w_o", layer)))


def backward(params, batch, trace, d_output, layer=PLAIN):
    """The backward pass: the gradient of every matrix; a shared one gets the sum.

    Examples
    --------
    >>> x, params = np.eye(2), {"w_v": np.eye(2)}
    >>> batch = Batch(x, x, x, None)
    >>> backward(params, batch, forward(params, batch), np.ones((2, 2)))["w_v"].round(2)
    array([[1., 1.],
           [1., 1.]])
    """
    w_o = _matrix(params, "w_o", layer)
    d_mixed = d_output if w_o is None else d_output @ w_o.mT
    q, k, v, d_mixed = (split_heads(x, layer.h) for x in (*trace[:3], d_mixed))
    d_qkv = attention_backward(q, k, v, d_mixed, layer.mask, scale=layer.scale)
    inputs = (*batch[:3], trace.mixed)
    gradients = {name: np.zeros_like(w) for name, w in params.items()}
    for role, x, d in zip(ROLES, inputs, (*map(merge_heads, d_qkv), d_output), strict=True):
        name = layer.tied.get(role, role)
        if name in params:
            gradients[name] += _rows(x).mT @ _rows(d)
    return gradients


def _matrix(params, role, layer):
    return params.get(layer.tied.get(role, role))


def _apply(x, w):
    return x if w is None else project(x, w)


def _rows(x):
    return x.reshape(-1, x.shape[-1])
