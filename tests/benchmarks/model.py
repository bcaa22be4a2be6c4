"""The whole model: loading, one sentence, a search, and the peak of memory, in fresh processes."""

import statistics
import subprocess
import sys

PROGRAM = """
import resource, time
from attention_core.trained import load_model, search_test
clock = time.process_time
t = clock(); model = load_model(); loaded = clock() - t
text = "The animal didn't cross the street because it was really too tired today."
model.run(text)
t = clock(); run = model.run(text); once = clock() - t
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
t = clock(); search_test(model); searched = clock() - t
print(loaded, once, len(run.tokens), searched, peak)
"""


def table(rounds=5):
    """Medians of fresh processes; CPU time, which on an idle machine is the elapsed time."""
    lines = []
    for _ in range(rounds):
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        lines.append(list(map(float, done.stdout.split())))
    loaded, once, tokens, searched, peak = map(statistics.median, zip(*lines, strict=True))
    yield "| multilingual-e5-small in NumPy | measured | target |"
    yield "|---|--:|--:|"
    yield f"| load, with checksum | {loaded:.2f} s | 1 s |"
    yield f"| {tokens:.0f} tokens, all weights kept | {once * 1e3:.0f} ms | 100 ms |"
    yield f"| 80 sentences, searched both ways | {searched:.2f} s | |"
    yield f"| peak memory of the process | {peak:.0f} MB | 250 MB |"
