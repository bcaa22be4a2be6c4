"""What projections and heads are made from: widths that can be multiplied and shared."""

import numpy as np

from attention_core.inputs.arrays import as_floats, require_finite, whole_number, whole_numbers


def read_product(where, x, w):
    """Tokens and a matrix as floats whose product is finite, and the type of the product."""
    (x, w), kind = as_floats(where, x=x, w=w)
    if x.ndim < 2 or w.ndim != 2 or x.shape[-1] != w.shape[0]:
        raise ValueError(
            f"{where}: x is {x.shape} but w is {w.shape}: "
            "the last size of x must be the first size of w"
        )
    bound = require_finite(where, "x", x) * require_finite(where, "w", w)  # Cauchy-Schwarz
    if not bound < np.finfo(kind).max / 2:
        require_finite(where, "the product", (x @ w).astype(kind, copy=False))
    return x, w, kind


def require_names(where, weights):
    """Refuse matrices that are not called w_q, w_k, w_v, w_o: their order could be any."""
    if not all(hasattr(weights, name) for name in ("w_q", "w_k", "w_v", "w_o")):
        raise TypeError(
            f"{where}: weights is a {type(weights).__name__}; "
            "use MultiHeadWeights(w_q, w_k, w_v, w_o)"
        )


def head_size(where, name, width, h):
    """The width of one of h heads that share a width evenly."""
    h, width = whole_number(where, "h", h, least=1), whole_number(where, name, width)
    if width % h or width == 0:
        raise ValueError(f"{where}: {name} is {width} and h is {h}: h must divide {name}")
    return width // h


def read_head_sizes(where, d_model, h, d_k, d_v):
    """All sizes of a layer of heads; without d_k and d_v the heads share d_model."""
    if d_k is None or d_v is None:
        d_head = head_size(where, "d_model", d_model, h)
        d_k, d_v = (d_head if size is None else size for size in (d_k, d_v))
    return whole_numbers(where, least=1, d_model=d_model, h=h, d_k=d_k, d_v=d_v)


def read_wide(where, x, h):
    """An array (..., n, h · d_head), and d_head."""
    x = np.asarray(x)
    if x.ndim < 2:
        raise ValueError(f"{where}: x is {x.shape}; it needs at least two axes (n, d)")
    return x, head_size(where, "the width", x.shape[-1], h)


def read_heads(where, x):
    """An array (..., h, n, d_head)."""
    x = np.asarray(x)
    if x.ndim < 3:
        raise ValueError(f"{where}: x is {x.shape}; it needs three axes (h, n, d_head)")
    return x


def mask_for_heads(where, mask, axes):
    """A mask (..., n_q, n_k) with an axis for the heads, (..., 1, n_q, n_k).

    One of two axes, or none at all, needs no such axis and stays as it is.
    """
    if np.ndim(mask) > axes:
        raise ValueError(
            f"{where}: mask is {np.shape(mask)} but x has {axes} axes: "
            "every head gets the same mask, so leave the head axis out"
        )
    return mask if mask is None or np.ndim(mask) < 3 else np.expand_dims(mask, -3)
