"""How long attention takes beside torch's scaled_dot_product_attention."""

import numpy as np

from tests.benchmarks.measure import interleaved
from tests.benchmarks.peers import peers

LENGTHS = (16, 64, 256, 1024, 4096, 16384)
TOLERANCE = 2e-5  # float32


def table():
    """One row per length and mask; torch in milliseconds, the others as multiples of it."""
    yield "8 heads, d = 64, float32; CPU time, torch = 1"
    yield ""
    yield "| n | causal | torch, ms | einsum | attention | blockwise_attention |"
    yield "|--:|:-:|--:|--:|--:|--:|"
    for n in LENGTHS:
        for causal in (False, True):
            yield row(n, causal)


def row(n, causal):
    calls = peers(n, causal)
    expected = calls["torch"]().numpy()
    for name, call in calls.items():
        if name != "torch" and not np.allclose(call(), expected, atol=TOLERANCE):
            raise RuntimeError(f"benchmarks: {name} and torch disagree at n = {n}")
    times = interleaved(calls)
    ratios = (
        f"{times[name] / times['torch']:.2f}" if name in times else "–"
        for name in ("einsum", "attention", "blockwise")
    )
    mark = "yes" if causal else "no"
    return f"| {n} | {mark} | {times['torch'] * 1e3:.3f} | {' | '.join(ratios)} |"
