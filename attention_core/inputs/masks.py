"""What a mask must be: the rules behind the sentences that bad masks get."""

import numpy as np

from attention_core.inputs.arrays import common_shape, refuse_entry, whole_number
from attention_core.inputs.real import refuse_hidden_entries


def read_boolean(where, mask):
    """A mask as a Boolean array: 0 and 1 would leave open which of them hides."""
    refuse_hidden_entries(where, "mask", mask)
    mask = np.asarray(mask)
    if mask.dtype != bool:
        raise TypeError(f"{where}: a mask must be bool (True = may look), not {mask.dtype}")
    return mask


def read_boolean_masks(where, masks):
    """Boolean masks of one shape, those that are None left out."""
    masks = [read_boolean(where, mask) for mask in masks if mask is not None]
    shape = common_shape(where, *(mask.shape for mask in masks))
    return [np.broadcast_to(mask, shape) for mask in masks]


def read_lengths(where, lengths, n_k):
    """The lengths of a padded batch, one axis of whole numbers from 0 to n_k, and n_k."""
    n_k, lengths = whole_number(where, "n_k", n_k), np.asarray(lengths)
    if lengths.ndim != 1:
        raise ValueError(f"{where}: lengths is {lengths.shape}; it must have one axis, (B,)")
    if lengths.size and lengths.dtype.kind not in "iu":
        raise TypeError(f"{where}: lengths must be whole numbers, not {lengths.dtype}")
    bad = (lengths < 0) | (lengths > n_k)
    if bad.any():
        refuse_entry(where, "lengths", lengths, bad, f"it must lie between 0 and n_k = {n_k}")
    return lengths, n_k


def check_mask(where, mask, shape):
    """A mask that fits scores of this shape, Boolean or float as it came."""
    refuse_hidden_entries(where, "mask", mask)
    mask = np.asarray(mask)
    if mask.dtype.kind not in "bf":
        raise TypeError(
            f"{where}: mask is {mask.dtype}; use bool (True = may look) or float (added to scores)"
        )
    n_q, n_k = shape[-2:]
    rows = (n_q,) if mask.ndim == 2 else (n_q, 1)
    if mask.ndim < 2 or mask.shape[-1] != n_k or mask.shape[-2] not in rows:
        raise ValueError(
            f"{where}: mask is {mask.shape} but the scores are {shape}: "
            f"a mask must end in (n_q, n_k) = ({n_q}, {n_k})"
        )
    common_shape(where, mask.shape[:-2], shape[:-2])
    if mask.dtype != bool:
        refuse_misleading_numbers(where, mask)
    return mask


def refuse_misleading_numbers(where, mask):
    """Refuse a float mask whose numbers cannot be added to scores, or are hardly meant to be.

    One of only 0 and 1 is almost surely meant as Boolean: added to the scores it hides nothing.
    """
    least, largest = mask.min(initial=0), mask.max(initial=0)
    if not largest < np.inf:  # NaN is not smaller either
        bad = np.isnan(mask) | (mask == np.inf)
        refuse_entry(where, "mask", mask, bad, "a float mask may hold numbers and -inf only")
    if (least, largest) == (0, 1) and ((mask == 0) | (mask == 1)).all():
        raise ValueError(
            f"{where}: mask is {mask.dtype} and holds only 0 and 1, which would be added to the "
            "scores: for True = may look use mask.astype(bool); to add it all the same use "
            "mask - 1, which gives the same weights"
        )


def read_mask(where, mask, shape, dtype):
    """The M of the formula in this type: 0 where a query may look and −∞ where not.

    Returns
    -------
    mask : ndarray of float
    most : float
        What it adds to a score at most; never below 0.

    Examples
    --------
    >>> read_mask("attention", [[True, False]], shape=(1, 2), dtype=np.dtype(float))
    (array([[  0., -inf]]), 0.0)
    """
    mask = check_mask(where, mask, shape)
    if mask.dtype == bool:
        return np.where(mask, dtype.type(0), dtype.type(-np.inf)), 0.0
    mask = mask.astype(dtype, copy=False)  # a very large negative float64 is -inf in float32
    return mask, mask.max(initial=0.0)
