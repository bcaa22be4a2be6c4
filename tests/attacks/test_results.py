"""Kernels killed while they write down results: what was written stays. course.py test attacks"""

import json
import random
import subprocess
import sys
import time

from tests.launcher.launched import ROOT

WRITER = """
import sys
from pathlib import Path
from attention_core.exercises.results.kept import put
path, kernel, n = Path(sys.argv[1]), sys.argv[2], 0
while True:
    put(path, {f"{kernel}.{n}": "x" * 997})
    print(n, flush=True)
    n += 1
"""


def killed_after(seconds, path, kernels):
    """Let several kernels write, kill them all; return what each said it had written."""
    writers = {
        kernel: subprocess.Popen(
            [sys.executable, "-c", WRITER, path, kernel], cwd=ROOT, stdout=subprocess.PIPE
        )
        for kernel in kernels
    }
    for writer in writers.values():
        writer.stdout.readline()
    time.sleep(seconds)
    for writer in writers.values():
        writer.kill()
    return {
        f"{kernel}.{n}"
        for kernel, writer in writers.items()
        for n in range(len(writer.communicate()[0].split()) + 1)
    }


def test_100_kills_lose_no_result_that_was_written(tmp_path):
    chance, written, complaints = random.Random(0), set(), []
    path = tmp_path / "results.json"
    for number in range(50):
        written |= killed_after(chance.uniform(0, 0.05), path, [f"a{number}", f"b{number}"])
        kept = set(json.loads(path.read_text("utf-8")))
        if not written <= kept:
            complaints.append(f"{number}: lost {sorted(written - kept)}")
        left = {file.name for file in tmp_path.iterdir()} - {"results.json"}
        if not left <= {".results.lock", ".results.part"}:
            complaints.append(f"{number}: left behind {left}")
    assert complaints == []
