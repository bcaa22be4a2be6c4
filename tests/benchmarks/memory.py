"""How much memory each way takes at its peak, its output included."""

import resource
import subprocess
import sys

import numpy as np

LENGTHS = (1024, 4096, 16384)
WAYS = ("torch", "einsum", "attention", "blockwise")


def table():
    """One row per length and mask, in MiB; each figure from a fresh process."""
    from tests.benchmarks.peers import HEADS, D, peers

    yield "| n | causal | output, MiB | torch | einsum | attention | blockwise_attention |"
    yield "|--:|:-:|--:|--:|--:|--:|--:|"
    for n in LENGTHS:
        for causal in (False, True):
            known = peers(n, causal)
            cells = [peak(name, n, causal) if name in known else "–" for name in WAYS]
            size = HEADS * n * D * 4 / 2**20
            yield f"| {n} | {'yes' if causal else 'no'} | {size:.0f} | {' | '.join(cells)} |"


def peak(name, n, causal):
    """Run one way in a process of its own and read its peak there."""
    command = [sys.executable, "-m", "tests.benchmarks.memory", name, str(n), str(int(causal))]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return f"{float(run.stdout):.1f}"


def measure(name, n, causal):
    """MiB by which the peak of this process grows during one call."""
    from tests.benchmarks.peers import peers

    peers(64, causal)[name]()  # what the first call of all loads does not count
    call = peers(n, causal)[name]
    # Imports may have peaked higher than what is in use now: fill the gap, or it would hide
    # the call.
    ballast = np.ones(max(0, _peak() - _now()), np.uint8)
    before = _peak()
    result = call()
    grown = (_peak() - before) / 2**20
    del result, ballast
    return grown


def _peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _now():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


if __name__ == "__main__":
    print(measure(sys.argv[1], int(sys.argv[2]), sys.argv[3] == "1"))
