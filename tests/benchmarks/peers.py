"""The same attention four ways: torch, the textbook one-liner, readable, blockwise."""

import math

import numpy as np
import torch

from attention_core import attention, causal_mask
from attention_core.blockwise import blockwise_attention

HEADS, D = 8, 64
torch.set_num_threads(1)


def inputs(n, seed=0):
    """Unit normal q, k and v for 8 heads, float32."""
    rng = np.random.default_rng(seed)
    return [rng.standard_normal((HEADS, n, D), dtype=np.float32) for _ in range(3)]


def peers(n, causal):
    """Each way as a call without arguments that returns its output.

    The readable ways hold all scores, so they end where those no longer fit.
    """
    q, k, v = inputs(n)
    tensors = [torch.from_numpy(x)[None] for x in (q, k, v)]
    allowed = causal_mask(n) if causal and n <= 4096 else None
    ways = {
        "torch": lambda: _sdpa(tensors, causal),
        "einsum": lambda: _einsum(q, k, v, allowed),
        "attention": lambda: attention(q, k, v, allowed)[0],
        "blockwise": lambda: blockwise_attention(q, k, v, causal=causal),
    }
    longest = {"einsum": 1024, "attention": 4096}
    return {name: call for name, call in ways.items() if n <= longest.get(name, n)}


def _sdpa(tensors, causal):
    with torch.no_grad():
        return torch.nn.functional.scaled_dot_product_attention(*tensors, is_causal=causal)[0]


def _einsum(q, k, v, allowed):
    scores = np.einsum("hqd,hkd->hqk", q, k) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, np.float32(-np.inf))
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.einsum("hqk,hkd->hqd", weights, v)
