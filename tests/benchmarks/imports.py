"""How long the package takes to import beside NumPy alone."""

import statistics
import subprocess
import sys

PROGRAM = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def table(rounds=21):
    """Medians of fresh processes that take turns."""
    samples = {"numpy": [], "attention_core": []}
    for _ in range(rounds):
        for module, times in samples.items():
            command = [sys.executable, "-c", PROGRAM.format(module)]
            run = subprocess.run(command, capture_output=True, text=True, check=True)
            times.append(float(run.stdout))
    numpy, package = (statistics.median(times) for times in samples.values())
    yield "| import | ms | ratio |"
    yield "|---|--:|--:|"
    yield f"| numpy | {numpy * 1e3:.1f} | 1.00 |"
    yield f"| attention_core | {package * 1e3:.1f} | {package / numpy:.2f} |"
