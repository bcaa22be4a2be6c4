"""Attention a second time, slowly: nested lists, three loops, math.exp.

Nothing is shared with the package: no NumPy arithmetic, no shifting by the largest score and
no −∞. A hidden key is simply left out of the sum. So use it with moderate numbers; what
happens far out is held by exact values instead.
"""

import math


def dot(a, b):
    """Multiply entry by entry and add, with exact rounding."""
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def matmul(a, b):
    """Rows of a times columns of b."""
    return [[dot(row, column) for column in zip(*b, strict=True)] for row in a]


def softmax(row, seen=None):
    """e^x over the sum of all e^x, counting only what is seen; nothing seen gives zeros."""
    seen = [True] * len(row) if seen is None else seen
    powers = [math.exp(x) if is_seen else 0.0 for x, is_seen in zip(row, seen, strict=True)]
    total = math.fsum(powers)
    return [power / total if total else 0.0 for power in powers]


def attention(q, k, v, mask=None, scale=None):
    """One sentence, one head: q (n_q, d_k), k (n_k, d_k), v (n_k, d_v) -> output, weights."""
    scale = 1 / math.sqrt(len(q[0])) if scale is None else scale
    d_v = len(v[0])
    output, weights = [], []
    for i in range(len(q)):
        row, seen = [], []
        for j in range(len(k)):
            score = 0.0
            for c in range(len(q[i])):
                score += q[i][c] * k[j][c]
            added = mask_entry(mask, i, j)
            seen.append(added != -math.inf)
            row.append(score * scale + added if seen[j] else 0.0)
        weights.append(softmax(row, seen))
        output.append([dot(weights[i], [v[j][c] for j in range(len(k))]) for c in range(d_v)])
    return output, weights


def mask_entry(mask, i, j):
    """What the mask adds for query i and key j; a mask of one row holds for every query."""
    if mask is None:
        return 0.0
    entry = mask[i if len(mask) > 1 else 0][j]
    if entry is True:
        return 0.0
    return -math.inf if entry is False else entry


def depth(x):
    """How many axes a nested list has."""
    return 1 + depth(x[0]) if isinstance(x, list) else 0


def batched_attention(q, k, v, mask=None, scale=None):
    """The same for any leading axes, one after another; a 2-D mask holds for all of them."""
    if depth(q) == 2:
        return attention(q, k, v, mask, scale)
    shared = mask is None or depth(mask) == 2
    parts = [
        batched_attention(q[b], k[b], v[b], mask if shared else mask[b], scale)
        for b in range(len(q))
    ]
    return [output for output, _ in parts], [weights for _, weights in parts]


def columns(w, first, last):
    """The columns of w from first up to last."""
    return [row[first:last] for row in w]


def multi_head_attention(x, weights, h, context=None, mask=None):
    """One sentence: each head on its own, with its own columns; concatenate; times W_O."""
    context = x if context is None else context
    w_q, w_k, w_v, w_o = weights
    d_k, d_v = len(w_q[0]) // h, len(w_v[0]) // h
    heads, maps = [], []
    for i in range(h):
        q = matmul(x, columns(w_q, i * d_k, (i + 1) * d_k))
        k = matmul(context, columns(w_k, i * d_k, (i + 1) * d_k))
        v = matmul(context, columns(w_v, i * d_v, (i + 1) * d_v))
        output, a = attention(q, k, v, mask)
        heads.append(output)
        maps.append(a)
    joined = [[entry for head in heads for entry in head[i]] for i in range(len(x))]
    return matmul(joined, w_o), maps
