"""Lesson 11: several heads."""

import numpy as np

from attention_core import attention, softmax


def part(w, h, i):
    return np.split(w, h, axis=1)[i]


def by_split(x, w_q, w_k, w_v, h, i):
    return attention(*(x @ part(w, h, i) for w in (w_q, w_k, w_v)))[0]


def projected_first(x, w_q, w_k, w_v, h, i):
    return attention(*(np.split(x @ w, h, axis=1)[i] for w in (w_q, w_k, w_v)))[0]


def by_reshape(x, w_q, w_k, w_v, h, i):
    q, k, v = ((x @ w).reshape(len(x), h, -1)[:, i] for w in (w_q, w_k, w_v))
    scores = q @ k.T / np.sqrt(q.shape[1])
    return softmax(scores) @ v


def mixed(x, w_q, w_k, w_v, h, picks):
    """A head whose q, k and v are those of different heads."""
    return attention(*(x @ part(w, h, j) for w, j in zip((w_q, w_k, w_v), picks, strict=True)))[0]


def scaled_by(size):
    def answer(x, w_q, w_k, w_v, h, i):
        q, k, v = (x @ part(w, h, i) for w in (w_q, w_k, w_v))
        return attention(q, k, v, scale=size(x, w_q, h) ** -0.5)[0]

    return answer


def by_rows(x, w_q, w_k, w_v, h, i):
    n = w_q.shape[0] // h
    rows = slice(i * n, (i + 1) * n)
    return attention(*(x[:, rows] @ w[rows] for w in (w_q, w_k, w_v)))[0]


def padded(x, w_q, w_k, w_v, h, i):
    d = w_q.shape[1] // h
    keep = (np.arange(w_q.shape[1]) // d) == i
    return attention(x @ (w_q * keep), x @ (w_k * keep), x @ (w_v * keep))[0]


def joined_in_a_loop(heads, w_o):
    n = np.shape(heads)[1]
    return np.array([np.concatenate([head[i] for head in heads]) @ w_o for i in range(n)])


def summed_by_parts(heads, w_o):
    d = np.shape(heads)[-1]
    return sum(np.asarray(head) @ w_o[i * d : (i + 1) * d] for i, head in enumerate(heads))


def moved(w_o, order):
    return np.arange(len(w_o)).reshape(len(order), -1)[order].ravel()


def in_blocks(w_q, w_k, w_v, w_o, order):
    h = len(order)
    columns = [np.hstack([np.split(w, h, axis=1)[j] for j in order]) for w in (w_q, w_k, w_v)]
    return (*columns, np.vstack([np.split(w_o, h)[j] for j in order]))


def by_reshaping(w_q, w_k, w_v, w_o, order):
    h = len(order)
    three = [w.reshape(len(w), h, -1)[:, order].reshape(w.shape) for w in (w_q, w_k, w_v)]
    return [*three, w_o.reshape(h, -1, w_o.shape[1])[order].reshape(w_o.shape)]


def by_slices(w_q, w_k, w_v, w_o, order):
    d = len(w_o) // len(order)
    new = [np.empty_like(w) for w in (w_q, w_k, w_v, w_o)]
    for place, old in enumerate(order):
        here, there = slice(place * d, place * d + d), slice(old * d, old * d + d)
        for w, copy in zip((w_q, w_k, w_v), new, strict=False):
            copy[:, here] = w[:, there]
        new[3][here] = w_o[there]
    return tuple(new)


def changed_in_place(w_q, w_k, w_v, w_o, order):
    place = moved(w_o, order)
    for w in (w_q, w_k, w_v):
        w[:] = w[:, place]
    return w_q, w_k, w_v, w_o[place]


WRONG = {
    "one_head": {
        "counted from 1": lambda x, w_q, w_k, w_v, h, i: by_split(x, w_q, w_k, w_v, h, (i - 1) % h),
        "the last head": lambda x, w_q, w_k, w_v, h, i: by_split(x, w_q, w_k, w_v, h, h - 1),
        "the next head": lambda x, w_q, w_k, w_v, h, i: by_split(x, w_q, w_k, w_v, h, (i + 1) % h),
        "values of the first": lambda x, w_q, w_k, w_v, h, i: mixed(x, w_q, w_k, w_v, h, (i, i, 0)),
        "keys of the first": lambda x, w_q, w_k, w_v, h, i: mixed(x, w_q, w_k, w_v, h, (i, 0, i)),
        "queries of the first": lambda x, w_q, w_k, w_v, h, i: mixed(
            x, w_q, w_k, w_v, h, (0, i, i)
        ),
        "scaled by d_model": scaled_by(lambda x, w_q, h: x.shape[1]),
        "scaled by the heads": scaled_by(lambda x, w_q, h: h),
        "scaled by the tokens": scaled_by(lambda x, w_q, h: len(x)),
        "rows of the matrices": by_rows,
        "padded with zeros": padded,
        "rounded": lambda *inputs: by_split(*inputs).round(2),
        "masked": lambda x, w_q, w_k, w_v, h, i: attention(
            *(x @ part(w, h, i) for w in (w_q, w_k, w_v)), np.tri(len(x), dtype=bool)
        )[0],
        "two heads always": lambda x, w_q, w_k, w_v, h, i: by_split(x, w_q, w_k, w_v, 2, i % 2),
        "i columns wide": lambda x, w_q, w_k, w_v, h, i: attention(
            *(x @ w[:, i * h : (i + 1) * h] for w in (w_q, w_k, w_v))
        )[0],
        "keys_mixed: by arguments": lambda x, w_q, w_k, w_v, h, i: by_split(x, w_q, w_k, w_k, h, i),
    },
    "join_heads": {
        "summed": lambda heads, w_o: np.sum(heads, axis=0) @ w_o[: np.shape(heads)[-1]],
        "first head only": lambda heads, w_o: np.asarray(heads)[0] @ w_o[: np.shape(heads)[-1]],
        "tokens reversed": lambda heads, w_o: np.concatenate(heads, axis=-1)[::-1] @ w_o,
        "w_o turned": lambda heads, w_o: np.concatenate(heads, axis=-1) @ w_o[::-1],
        "w_o transposed": lambda heads, w_o: np.concatenate(heads, axis=-1) @ w_o.T,
        "each head with the first rows": lambda heads, w_o: sum(
            np.asarray(head) @ w_o[: np.shape(heads)[-1]] for head in heads
        ),
        "rounded": lambda heads, w_o: (np.concatenate(heads, axis=-1) @ w_o).round(1),
        "whole numbers": lambda heads, w_o: (np.concatenate(heads, axis=-1) @ w_o).astype(int),
        "head by head": lambda heads, w_o: [np.asarray(head) for head in heads],
        "swapped axes": lambda heads, w_o: (
            np.swapaxes(heads, 1, 2).reshape(np.shape(heads)[1], -1) @ w_o
        ),
        "largest of the heads": lambda heads, w_o: (
            np.max(heads, axis=0) @ w_o[: np.shape(heads)[-1]]
        ),
        "divided by the root": lambda heads, w_o: (
            np.concatenate(heads, axis=-1) @ w_o / np.sqrt(len(heads))
        ),
        "averaged: by a sum": lambda heads, w_o: sum(np.asarray(one) for one in heads) / len(heads),
    },
    "reorder_heads": {
        "nothing": lambda w_q, w_k, w_v, w_o, order: (w_q, w_k, w_v, w_o),
        "reversed": lambda w_q, w_k, w_v, w_o, order: in_blocks(w_q, w_k, w_v, w_o, order[::-1]),
        "rows of all": lambda w_q, w_k, w_v, w_o, order: tuple(
            w[np.arange(len(w))[::-1]] for w in (w_q, w_k, w_v, w_o)
        ),
        "queries forgotten": lambda w_q, w_k, w_v, w_o, order: (
            w_q,
            *in_blocks(w_q, w_k, w_v, w_o, order)[1:],
        ),
        "keys forgotten": lambda w_q, w_k, w_v, w_o, order: (
            w_q[:, moved(w_o, order)],
            w_k,
            w_v[:, moved(w_o, order)],
            w_o[moved(w_o, order)],
        ),
        "values forgotten": lambda w_q, w_k, w_v, w_o, order: (
            w_q[:, moved(w_o, order)],
            w_k[:, moved(w_o, order)],
            w_v,
            w_o[moved(w_o, order)],
        ),
        "only w_o": lambda w_q, w_k, w_v, w_o, order: (w_q, w_k, w_v, w_o[moved(w_o, order)]),
        "in place": changed_in_place,
        "three matrices": lambda *inputs: in_blocks(*inputs)[:3],
        "w_o first": lambda *inputs: in_blocks(*inputs)[::-1],
        "whole numbers": lambda *inputs: tuple(w.astype(int) for w in in_blocks(*inputs)),
        "values order, w_o order back": lambda w_q, w_k, w_v, w_o, order: (
            *in_blocks(w_q, w_k, w_v, w_o, order)[:3],
            in_blocks(w_q, w_k, w_v, w_o, np.roll(order, 1))[3],
        ),
        "keep_w_o: in blocks": lambda w_q, w_k, w_v, w_o, order: (
            *in_blocks(w_q, w_k, w_v, w_o, order)[:3],
            w_o,
        ),
        "other_way: in blocks": lambda w_q, w_k, w_v, w_o, order: in_blocks(
            w_q, w_k, w_v, w_o, np.argsort(order)
        ),
    },
}
RIGHT = {
    "one_head": {
        "by split": by_split,
        "projected first": projected_first,
        "by reshape": by_reshape,
        "as a list": lambda *inputs: by_split(*inputs).tolist(),
    },
    "join_heads": {
        "token by token": joined_in_a_loop,
        "summed by parts": summed_by_parts,
        "hstack": lambda heads, w_o: np.hstack(list(heads)) @ w_o,
        "swapped, then reshaped": lambda heads, w_o: (
            np.swapaxes(heads, 0, 1).reshape(np.shape(heads)[1], -1) @ w_o
        ),
    },
    "reorder_heads": {
        "in blocks": in_blocks,
        "by reshaping": by_reshaping,
        "by slices": by_slices,
    },
}
