"""Lesson 14: attention from an empty cell."""

import numpy as np

from attention_core import attention, multi_head_attention, softmax
from attention_core.projections import MultiHeadWeights
from tests.answers import lesson_07


def scaled(q, k):
    return q @ k.T / np.sqrt(q.shape[-1])


def hidden_as(number):
    return lambda q, k, v, allowed: softmax(np.where(allowed, scaled(q, k), number)) @ v


def hidden_as_and_rows_zeroed(number):
    def answer(q, k, v, allowed):
        weights = softmax(np.where(allowed, scaled(q, k), number))
        return (weights * allowed.any(axis=1, keepdims=True)) @ v

    return answer


def renormalised(q, k, v, allowed):
    weights = softmax(scaled(q, k)) * allowed
    return weights / weights.sum(axis=1, keepdims=True) @ v


def renormalised_and_painted_over(q, k, v, allowed):
    weights = softmax(scaled(q, k)) * allowed
    return np.nan_to_num(weights / weights.sum(axis=1, keepdims=True)) @ v


def shares(scores):
    total = scores.sum(axis=1, keepdims=True)
    return scores / np.where(total > 0, total, 1)


def with_maximum(largest):
    """Attention that subtracts something else than each row's largest visible score."""

    def answer(q, k, v, allowed):
        scores = np.where(allowed, scaled(q, k), -np.inf)
        return shares(np.exp(scores - largest(scaled(q, k), scores))) @ v

    return answer


def nowhere_is_nan(q, k, v, allowed):
    scores = np.where(allowed, scaled(q, k), -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ v


def nowhere_is_the_mean(q, k, v, allowed):
    output = attention(q, k, v, allowed)[0]
    output[~allowed.any(axis=1)] = v.mean(axis=0)
    return output


def row_by_row(q, k, v, allowed):
    output = np.zeros((len(q), v.shape[1]))
    for i, query in enumerate(q):
        seen = allowed[i]
        if seen.any():
            output[i] = softmax(k[seen] @ query / np.sqrt(len(query))) @ v[seen]
    return output


def one_less(q, k, v, allowed):
    """NaN only where a row sees nothing, painted over."""
    return np.nan_to_num(nowhere_is_nan(q, k, v, allowed))


def heads_of(x, w_q, w_k, w_v, h, width=None):
    for i in range(h):
        one = []
        for w in (w_q, w_k, w_v):
            d = width(x, w_q, w) if width else w.shape[1] // h
            one.append(x @ w[:, i * d : (i + 1) * d])
        yield attention(*one)[0]


def layer(width=None, join=np.hstack):
    def answer(x, w_q, w_k, w_v, w_o, h):
        d = {"x": x.shape[1] // h, "q": w_q.shape[1] // h}
        pick = (lambda x, w_q, w: d[width]) if width else None
        return join(list(heads_of(x, w_q, w_k, w_v, h, pick))) @ w_o

    return answer


def summed_by_parts(x, w_q, w_k, w_v, w_o, h):
    d = w_v.shape[1] // h
    heads = heads_of(x, w_q, w_k, w_v, h)
    return sum(head @ w_o[i * d : (i + 1) * d] for i, head in enumerate(heads))


def reshaped(x, w_q, w_k, w_v, w_o, h):
    n = len(x)
    q, k, v = ((x @ w).reshape(n, h, -1).swapaxes(0, 1) for w in (w_q, w_k, w_v))
    heads = attention(q, k, v)[0]
    return heads.swapaxes(0, 1).reshape(n, -1) @ w_o


def interleaved(x, w_q, w_k, w_v, w_o, h):
    heads = [attention(*(x @ w[:, i::h] for w in (w_q, w_k, w_v)))[0] for i in range(h)]
    return np.hstack(heads) @ w_o


def values_unsplit(x, w_q, w_k, w_v, w_o, h):
    d = w_q.shape[1] // h
    heads = [
        attention(x @ w_q[:, i * d : (i + 1) * d], x @ w_k[:, i * d : (i + 1) * d], x @ w_v)[0]
        for i in range(h)
    ]
    return sum(heads) / h @ w_o


WRONG = {
    "my_softmax": lesson_07.WRONG["softmax_rows"],
    "my_attention": {
        **{f"large_number: {number:g}": hidden_as(number) for number in (-20, -1e3, -1e9)},
        **{
            f"hidden as {number:g}, rows zeroed": hidden_as_and_rows_zeroed(number)
            for number in (-20, -50, -1e3, -1e9)
        },
        "renormalised: once more": renormalised,
        "renormalised, NaN painted over": renormalised_and_painted_over,
        "no maximum": with_maximum(lambda all_scores, seen: 0),
        "maximum over the hidden, too": with_maximum(lambda s, seen: s.max(1, keepdims=True)),
        "one maximum": with_maximum(lambda s, seen: s.max()),
        "one visible maximum": with_maximum(lambda s, seen: seen.max()),
        "minus the mean": with_maximum(lambda s, seen: s.mean(1, keepdims=True)),
        "nowhere_is_nan: by hand": nowhere_is_nan,
        "the mean where a row sees nothing": nowhere_is_the_mean,
        "d_k itself": lambda q, k, v, allowed: attention(q, k, v, allowed, scale=1 / q.shape[1])[0],
        "root of d_v": lambda q, k, v, allowed: attention(
            q, k, v, allowed, scale=v.shape[1] ** -0.5
        )[0],
        "root of the queries": lambda q, k, v, allowed: attention(
            q, k, v, allowed, scale=len(q) ** -0.5
        )[0],
        "causal, whatever is allowed": lambda q, k, v, allowed: attention(
            q, k, v, np.tri(len(q), len(k), len(k) - len(q), dtype=bool)
        )[0],
        "weights": lambda q, k, v, allowed: attention(q, k, v, allowed)[1],
        "rounded": lambda q, k, v, allowed: attention(q, k, v, allowed)[0].round(3),
        "softmax twice": lambda q, k, v, allowed: softmax(attention(q, k, v, allowed)[1]) @ v,
        "values reversed": lambda q, k, v, allowed: attention(q, k, v[::-1], allowed)[0],
        "mask_forgotten: by the course's": lambda q, k, v, allowed: attention(q, k, v)[0],
        "mask_turned_round: by the course's": lambda q, k, v, allowed: attention(q, k, v, ~allowed)[
            0
        ],
    },
    "my_heads": {
        "width of the model": layer("x"),
        "width of the queries for the values": layer("q"),
        "interleaved": interleaved,
        "values unsplit": values_unsplit,
        "heads reversed": lambda x, w_q, w_k, w_v, w_o, h: (
            np.hstack(list(heads_of(x, w_q, w_k, w_v, h))[::-1]) @ w_o
        ),
        "no scale": lambda x, w_q, w_k, w_v, w_o, h: (
            np.hstack(
                [
                    attention(*one, scale=1.0)[0]
                    for one in zip(
                        *(np.split(x @ w, h, axis=1) for w in (w_q, w_k, w_v)), strict=True
                    )
                ]
            )
            @ w_o
        ),
        "keys and values swapped": lambda x, w_q, w_k, w_v, w_o, h: layer()(
            x,
            w_q,
            w_v if w_v.shape == w_k.shape else w_k,
            w_k if w_v.shape == w_k.shape else w_v,
            w_o,
            h,
        ),
        "keys of the queries": lambda x, w_q, w_k, w_v, w_o, h: layer()(x, w_q, w_q, w_v, w_o, h),
        "two heads always": lambda x, w_q, w_k, w_v, w_o, h: layer()(x, w_q, w_k, w_v, w_o, 2),
        "first head only": lambda x, w_q, w_k, w_v, w_o, h: (
            next(heads_of(x, w_q, w_k, w_v, h)) @ w_o[: w_v.shape[1] // h]
        ),
        "w_o transposed": lambda x, w_q, w_k, w_v, w_o, h: (
            np.hstack(list(heads_of(x, w_q, w_k, w_v, h))) @ w_o.T
        ),
        "x added": lambda x, *rest: x + layer()(x, *rest),
        "rounded": lambda *arguments: layer()(*arguments).round(2),
        "causal": lambda x, w_q, w_k, w_v, w_o, h: (
            np.hstack(
                [
                    attention(*one, np.tri(len(x), dtype=bool))[0]
                    for one in zip(
                        *(np.split(x @ w, h, axis=1) for w in (w_q, w_k, w_v)), strict=True
                    )
                ]
            )
            @ w_o
        ),
        "below_one_another: by vstack": layer(join=np.vstack),
    },
}
RIGHT = {
    "my_softmax": lesson_07.RIGHT["softmax_rows"],
    "my_attention": {
        "row by row": row_by_row,
        "NaN painted over at the end": one_less,
        "softmax of the course": lambda q, k, v, allowed: (
            softmax(np.where(allowed, scaled(q, k), -np.inf)) @ v
        ),
        "the course's": lambda q, k, v, allowed: attention(q, k, v, allowed)[0],
        "query scaled": lambda q, k, v, allowed: (
            softmax(np.where(allowed, (q / q.shape[1] ** 0.5) @ k.T, -np.inf)) @ v
        ),
    },
    "my_heads": {
        "slices": layer(),
        "reshaped": reshaped,
        "summed by parts": summed_by_parts,
        "the course's": lambda x, w_q, w_k, w_v, w_o, h: multi_head_attention(
            x, MultiHeadWeights(w_q, w_k, w_v, w_o), h
        )[0],
    },
}
