"""What the backward pass takes and gives: gradients that fit, and are finite."""

import numpy as np

from attention_core.inputs.arrays import as_floats, common_shape, in_type, require_finite
from attention_core.inputs.qkv import read, scores_shape


def read_backward(where, q, k, v, d_output, mask, scale):
    """Q, K, V and the gradient of the output as floats that fit, the scale, and their type."""
    q, k, v, mask, scale, kind = read(where, q, k, v, mask, scale)
    shapes = (x.shape[:-2] for x in (q, k, v))
    leading = common_shape(where, *shapes, np.shape(mask)[:-2])
    output_shape = (*leading, scores_shape(q, k)[-2], v.shape[-1])
    (d_output,), _ = as_floats(where, d_output=d_output)
    require_shape(where, "d_output", d_output.shape, "the output", output_shape)
    d_output = d_output.astype(q.dtype, copy=False)
    require_finite(where, "d_output", d_output)
    return q, k, v, d_output, scale, kind


def read_rows(where, **rows):
    """Weights of softmax, and gradients of the same shape, as finite floats; also their type."""
    floats, kind = as_floats(where, **rows)
    (first, a), *others = zip(rows, floats, strict=True)
    if a.ndim == 0:
        raise ValueError(f"{where}: {first} is one number; it must have a last axis, (..., n)")
    for name, x in others:
        require_shape(where, name, x.shape, first, a.shape)
    for name, x in zip(rows, floats, strict=True):
        require_finite(where, name, x)
    return floats, kind


def finite_in_type(where, kind, **results):
    """Results in the type that the caller gets back, or a sentence if one is too large for it."""
    typed = in_type(kind, *results.values())
    for name, x in zip(results, typed, strict=True):
        require_finite(where, name, x)
    return tuple(typed)


def require_shape(where, name, shape, other_name, other):
    """Refuse an array that does not have the shape of another."""
    if shape != other:
        both = f"{name} is {shape} but {other_name} is {other}"
        raise ValueError(f"{where}: {both}: they must be equal")
