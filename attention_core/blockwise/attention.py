"""Attention over long sequences: the same answer, one tile of scores at a time (lesson 17).

Three ideas. A softmax needs a sum over all keys, but a sum can be kept running. Who sees a
larger score than before rescales what was summed so far. What lies ahead is never computed.
"""

from functools import partial

import numpy as np

from attention_core.blockwise.bounds import BOUND, longest_row, scaled_down, score_bound
from attention_core.blockwise.powers import bounded_exponential
from attention_core.blockwise.tiles import head_groups, workspace
from attention_core.inputs.arrays import as_floats, common_shape
from attention_core.inputs.masks import check_mask
from attention_core.inputs.qkv import check_sizes, read_scale, scores_shape

WHERE = "blockwise_attention"


@np.errstate(all="ignore")  # what could overflow is refused; far below the peak: weight 0
def blockwise_attention(q, k, v, *, causal=False, mask=None, block=None):
    """The output of `attention`, without ever holding all its scores.

    A few queries meet one block of keys after another. Softmax needs the sum over all
    keys, but the sum can be kept running: so can the mixture, and both are divided at the end.

    Parameters
    ----------
    q : array_like, shape (..., n_q, d_k)
    k : array_like, shape (..., n_k, d_k)
    v : array_like, shape (..., n_k, d_v)
    causal : bool, default False
        Hide what lies ahead, aligned bottom-right as in `causal_mask`; blocks that are
        hidden altogether are not computed.
    mask : ndarray of bool or float, shape (n_q, n_k) or (..., n_q or 1, n_k), optional
        Boolean: True = may look. Float: added to the scaled scores.
    block : int, optional
        Queries and keys in one tile. The default fits a processor's cache.

    Returns
    -------
    ndarray, shape (..., n_q, d_v)
        A fully masked row gets zeros.

    Raises
    ------
    ValueError, TypeError
        As `attention`; also if `block` is not a positive whole number.

    Notes
    -----
    Lesson 17; Milakov and Gimelshein 2018 (online softmax); Dao et al. 2022, algorithm 1.

    Examples
    --------
    >>> q = k = np.eye(3)
    >>> blockwise_attention(q, k, [[1.0], [2.0], [3.0]], causal=True, block=2).round(2)
    array([[1.  ],
           [1.64],
           [2.21]])
    """
    (q, k, v), mask, lengths, one, result_type = _read(q, k, v, mask)
    (*leading, n_q, d_k), n_k = q.shape, k.shape[-2]
    work = workspace(WHERE, leading, n_q, n_k, causal, block, q.dtype.type(one))
    scale = read_scale(WHERE, None, d_k)
    small = score_bound(WHERE, q, k, lengths, work.rows) * scale <= BOUND
    bounded = small and one == 1 and (mask is None or mask.dtype == bool)
    exponential, scale = bounded_exponential(q.dtype, scale) if bounded else (np.exp, scale)
    output = np.zeros((*q.shape[:-1], v.shape[-1]), result_type)
    for heads in head_groups(leading, work.heads):
        for first in range(0, n_q, work.rows):
            stop = min(first + work.rows, n_q)
            some = (*heads, slice(first, stop))
            end = stop + n_k - n_q if causal else n_k
            mask_t = None if mask is None else mask[some].mT
            apply_mask = partial(_mask_tile, mask_t, end, work.ahead)
            tiles = _tiles((q[some] * scale).mT, k[heads], end, work)
            _online_softmax(
                tiles, v[heads], apply_mask, exponential, bounded, work.ones, output[some]
            )
    return output


def _read(q, k, v, mask):
    """What `attention` reads, with the same leading axes for all arrays: views, no copies."""
    (q, k, v), result_type = as_floats(WHERE, q=q, k=k, v=v)
    check_sizes(WHERE, q, k, v)
    lengths = longest_row(WHERE, "q", q), longest_row(WHERE, "k", k)
    leading = scores_shape(q, k)[:-2]
    if mask is not None:
        mask = check_mask(WHERE, mask, scores_shape(q, k))
        leading = common_shape(WHERE, leading, mask.shape[:-2])
    leading = common_shape(WHERE, leading, v.shape[:-2])
    v, one = scaled_down(WHERE, v)
    q, k, v = (np.broadcast_to(x, leading + x.shape[-2:]) for x in (q, k, v))
    if mask is not None:
        mask = np.broadcast_to(mask, (*leading, q.shape[-2], k.shape[-2]))
    return (q, k, v), mask, lengths, one, result_type


def _tiles(q_t, k, end, work):
    """The scores of a few queries of some heads with one block of keys after another.

    Keys from `end` on are hidden from all of them and never touched. Tiles stand on their
    side, keys down and queries across: the products then read K, V and the weights as they
    lie in memory. The first tile ends at the causal diagonal and holds its whole triangle.
    """
    h, _, rows = q_t.shape
    for stop in range(end, 0, -work.cols):
        start = max(0, stop - work.cols)
        scores = work.tile[: h * (stop - start) * rows].reshape(h, stop - start, rows)
        yield slice(start, stop), np.matmul(k[:, start:stop], q_t, out=scores)


def _mask_tile(mask_t, end, ahead, tile, keys, value):
    """A tile with `value` where a query may not look, or with a float mask added, in place."""
    rows = tile.shape[2]
    if len(ahead) and keys.stop == end:
        n = min(rows, end)
        np.copyto(tile[:, -n:], value, where=ahead[rows - n : rows, :rows])
    if mask_t is not None and mask_t.dtype == bool:
        np.copyto(tile, value, where=~mask_t[:, keys])
    elif mask_t is not None:
        tile += mask_t[:, keys]


def _online_softmax(tiles, v, apply_mask, exponential, bounded, ones, output):
    """The mixture over all tiles, into `output`; each row relative to its running maximum."""
    maximum, denominator, accumulator = np.finfo(v.dtype).min, v.dtype.type(0), v.dtype.type(0)
    for keys, scores in tiles:
        if not bounded:
            apply_mask(scores, keys, -np.inf)
            higher = np.maximum(maximum, scores.max(axis=1))
            if not (higher < np.inf).all():
                raise ValueError(f"{WHERE}: a score plus its mask is +inf; it must be below")
            rescale = exponential(maximum - higher)  # the sums were relative to the old maximum
            denominator, accumulator = denominator * rescale, accumulator * rescale[..., None]
            maximum = higher
            scores -= maximum[:, None]
        weights = exponential(scores, out=scores)
        if bounded:
            apply_mask(weights, keys, 0)
        denominator = denominator + ones[: weights.shape[1]] @ weights
        accumulator = accumulator + weights.mT @ v[:, keys]
    denominator = (denominator + (denominator == 0))[..., None]  # who saw nothing: 0 / 1
    np.divide(accumulator, denominator, out=output, casting="same_kind")
