"""One large product for all heads, against one small product for each head."""

import numpy as np

from attention_core import attention, init_multi_head, merge_heads, split_heads
from tests.benchmarks.measure import interleaved

D_MODEL, H = 512, 8
D_HEAD = D_MODEL // H
LENGTHS = (1, 10, 100, 1000)


def table():
    """One row per length and type: how much longer the loop over the heads takes."""
    yield f"d_model = {D_MODEL}, {H} heads; CPU time of the loop over the heads, one product = 1"
    yield ""
    yield "| n | type | Q, K, V | whole layer |"
    yield "|--:|:-:|--:|--:|"
    for n in LENGTHS:
        for kind in ("float32", "float64"):
            yield row(n, kind)


def row(n, kind):
    """Measure both ways at one length, after checking that they give the same numbers."""
    calls = ways(n, kind)
    loop = np.swapaxes(calls["projections", "loop"](), 0, 1)
    same = np.allclose(calls["projections", "one"](), loop, atol=1e-4)
    if not same or not np.allclose(calls["layer", "one"](), calls["layer", "loop"](), atol=1e-4):
        raise RuntimeError(f"benchmarks: the loop and the one product disagree at n = {n}")
    times = interleaved(calls)
    ratios = (
        f"{times[part, 'loop'] / times[part, 'one']:.2f}" for part in ("projections", "layer")
    )
    return f"| {n} | {kind} | {' | '.join(ratios)} |"


def ways(n, kind):
    """(part, way) -> a call without arguments.

    Both get contiguous matrices: the loop its 3 × 8 small ones, cut beforehand.
    """
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, D_MODEL)).astype(kind)
    *w_qkv, w_o = (w.astype(kind) for w in init_multi_head(rng, D_MODEL, H))
    small = [np.ascontiguousarray(split_heads(w, H)) for w in w_qkv]

    def at_once():
        return [split_heads(x @ w, H) for w in w_qkv]

    def by_head():
        return [[x @ w for w in head] for head in zip(*small, strict=True)]

    def loop():
        return np.concatenate([attention(*qkv)[0] for qkv in by_head()], axis=-1) @ w_o

    return {
        ("projections", "one"): at_once,
        ("projections", "loop"): by_head,
        ("layer", "one"): lambda: merge_heads(attention(*at_once())[0]) @ w_o,
        ("layer", "loop"): loop,
    }
