"""Tiles for the blockwise form: how large they are, and which heads share one."""

from typing import NamedTuple

import numpy as np

from attention_core.inputs.arrays import whole_number
from attention_core.masks import causal_mask


class Workspace(NamedTuple):
    """What every tile uses again: one piece of memory, not one for each tile."""

    heads: int  # heads in a tile
    rows: int  # queries in a tile
    cols: int  # keys in a tile
    tile: np.ndarray  # the only scores that exist at any moment
    ahead: np.ndarray  # what the causal mask hides where a tile meets the diagonal
    ones: np.ndarray  # a sum is a product with ones


def workspace(where, leading, n_q, n_k, causal, block, one):
    """Tiles that fit a cache of 1 MB; small ones waste less along the diagonal.

    Short sequences leave room for several heads in one tile, which saves as many rounds.

    Examples
    --------
    >>> one = np.float32(1)
    >>> workspace("here", leading=[8], n_q=4096, n_k=4096, causal=True, block=None, one=one)[:3]
    (1, 256, 512)
    >>> workspace("here", leading=[8], n_q=64, n_k=64, causal=False, block=None, one=one)[:3]
    (8, 64, 64)
    """
    rows, cols = min(256, max(32, n_q // 8)) if causal else 256, 512
    if block is not None:
        rows = cols = whole_number(where, "block", block, least=1)
    rows, cols = max(1, min(rows, n_q)), max(1, min(cols, n_k))
    ahead = ~causal_mask(rows if causal else 0).mT
    h = leading[-1] if leading else 1
    heads = max(1, min(h, 2**17 // (rows * cols)))
    tile = np.empty(heads * rows * cols, one.dtype)
    return Workspace(heads, rows, cols, tile, ahead, np.full(cols, one))


def head_groups(leading, heads):
    """Every head once, some at a time: what to take along the leading axes.

    Parameters
    ----------
    leading : sequence of int
    heads : int
        How many heads of the last leading axis to take at once.

    Yields
    ------
    tuple
        An index; with it an array (..., n, d) becomes (some heads, n, d).

    Examples
    --------
    >>> list(head_groups([2, 3], heads=4))
    [(0, slice(0, 4, None)), (1, slice(0, 4, None))]
    """
    if not leading:
        yield (np.newaxis,)  # a single head, without an axis of its own
        return
    *batch, h = leading
    for index in np.ndindex(*batch):
        for first in range(0, h, heads):
            yield (*index, slice(first, first + heads))
