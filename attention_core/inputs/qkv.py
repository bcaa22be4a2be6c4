"""What Q, K and V must be: the rules behind the sentences that bad input gets."""

import math

import numpy as np

from attention_core.inputs.arrays import as_floats, common_shape, require_finite


def read_qkv(where, q, k, v):
    """Read Q, K and V as floats that fit together; also the type of the results."""
    (q, k, v), result_type = as_floats(where, q=q, k=k, v=v)
    check_sizes(where, q, k, v)
    return (q, k, v), result_type


def check_sizes(where, q, k, v=None):
    """Make sure that (..., n_q, d_k), (..., n_k, d_k) and (..., n_k, d_v) fit together."""
    named = {"q": q, "k": k} if v is None else {"q": q, "k": k, "v": v}
    for name, x in named.items():
        if x.ndim < 2:
            raise ValueError(f"{where}: {name} is {x.shape}; it needs at least two axes (n, d)")
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"{where}: q is {q.shape} but k is {k.shape}: "
            f"the last sizes must be equal ({q.shape[-1]} != {k.shape[-1]})"
        )
    if v is not None and k.shape[-2] != v.shape[-2]:
        raise ValueError(
            f"{where}: k is {k.shape} but v is {v.shape}: "
            f"each key needs a value ({k.shape[-2]} != {v.shape[-2]})"
        )
    try:
        common_shape(where, *(x.shape[:-2] for x in named.values()))
    except ValueError:
        shapes = ", ".join(f"{name} is {x.shape}" for name, x in named.items())
        raise ValueError(f"{where}: {shapes}: the leading sizes do not fit together") from None
    for name, x in named.items():
        require_finite(where, name, x)


def read_scale(where, scale, d_k):
    """Read the factor on the scores; without one it is 1/√d_k."""
    if scale is None and d_k == 0:
        raise ValueError(f"{where}: d_k is 0; there is nothing to compare and no 1/√d_k")
    if scale is None:
        return 1 / math.sqrt(d_k)  # a Python float: np.sqrt would turn float32 into float64
    if not isinstance(scale, (int, float, np.number)):
        raise TypeError(f"{where}: scale must be one number, not {scale!r}")
    scale = float(scale)
    if not math.isfinite(scale):
        raise ValueError(f"{where}: scale is {scale}; it must be a finite number")
    return scale
