"""What both forms of attention cost, in multiplications and in numbers held (lesson 17)."""

from typing import NamedTuple

import numpy as np

from attention_core.inputs.arrays import whole_numbers
from attention_core.masks import causal_mask
from attention_core.measures.costs import matrix_product


class Cost(NamedTuple):
    """Multiplications, and numbers held at once beside Q, K, V and the output."""

    multiplications: int
    held: int


def visible_pairs(mask, block):
    """How many pairs may look in each tile of a mask.

    Parameters
    ----------
    mask : ndarray of bool, shape (n_q, n_k)
    block : int
        Queries and keys in a tile; tiles at the lower and right edges may be smaller.

    Returns
    -------
    ndarray of int, shape (⌈n_q / block⌉, ⌈n_k / block⌉)
        A tile with 0 need not be computed.

    Notes
    -----
    Dao et al. 2022, section 3.3.

    Examples
    --------
    >>> visible_pairs(causal_mask(4), block=2)
    array([[3, 0],
           [4, 3]])
    """
    starts = [range(0, n, block) for n in mask.shape]
    down = np.add.reduceat(mask.astype(int), starts[0], axis=0)
    return np.add.reduceat(down, starts[1], axis=1)


def plain_cost(n, d_k, d_v):
    """What the plain form takes: every query meets every key, and all scores are held.

    Parameters
    ----------
    n, d_k, d_v : int

    Returns
    -------
    Cost

    Raises
    ------
    ValueError, TypeError
        If a size is not a whole number from 1 up.

    Notes
    -----
    Vaswani et al. 2017, table 1: O(n² · d). Softmax itself is left out.

    Examples
    --------
    >>> plain_cost(n=8, d_k=3, d_v=2)
    Cost(multiplications=320, held=64)
    """
    whole_numbers("plain_cost", least=1, n=n, d_k=d_k, d_v=d_v)
    return Cost(matrix_product(n, d_k, n) + matrix_product(n, n, d_v), n * n)


def blockwise_cost(n, d_k, d_v, block, causal=False):
    """What the blockwise form takes: one tile at a time, and m, ℓ, o of its queries.

    Parameters
    ----------
    n, d_k, d_v, block : int
    causal : bool
        Tiles that lie wholly in the future are skipped.

    Returns
    -------
    Cost

    Raises
    ------
    ValueError, TypeError
        If a size is not a whole number from 1 up.

    Notes
    -----
    Dao et al. 2022, algorithm 1. The rescaling is left out, as softmax is.

    Examples
    --------
    >>> blockwise_cost(n=8, d_k=3, d_v=2, block=2, causal=True)
    Cost(multiplications=200, held=12)
    """
    whole_numbers("blockwise_cost", least=1, n=n, d_k=d_k, d_v=d_v, block=block)
    mask = causal_mask(n) if causal else np.ones((n, n), bool)
    computed = visible_pairs(mask, block) > 0
    pairs = visible_pairs(np.ones((n, n), bool), block)[computed].sum()
    rows = min(block, n)
    return Cost(
        matrix_product(int(pairs), d_k, 1) + matrix_product(1, int(pairs), d_v),
        rows * rows + rows * (2 + d_v),
    )
