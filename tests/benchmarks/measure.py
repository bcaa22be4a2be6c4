"""Fair clocks: medians of interleaved runs, and the machine they ran on."""

import datetime
import os
import pathlib
import platform
import statistics
import time

import numpy as np


def interleaved(calls, seconds=4.0, least=3, most=201):
    """Median CPU seconds of each call; all take turns, so that a busy moment hits them alike.

    CPU time of one thread is the elapsed time of an idle machine, and still right on a busy one.
    """
    once = {name: _time(call, 1) for name, call in calls.items()}  # also warms up
    if sum(once.values()) < 1:
        once = {name: _time(call, 1) for name, call in calls.items()}
    repeats = {name: max(1, round(0.002 / max(t, 1e-6))) for name, t in once.items()}
    one_round = sum(once[name] * repeats[name] for name in calls)
    rounds = max(least, min(most, round(seconds / max(one_round, 1e-6))))
    samples = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            samples[name].append(_time(call, repeats[name]))
    return {name: statistics.median(times) for name, times in samples.items()}


def _time(call, repeats):
    start = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - start) / repeats


def machine():
    """Say what the figures were measured on."""
    yield f"- {datetime.date.today().isoformat()}, {processor()}, {os.cpu_count()} cores"
    yield f"- Python {platform.python_version()}, NumPy {np.__version__}, {_torch()}"
    yield "- one thread on each side; medians of interleaved runs"


def processor():
    """The processor's name, where the system tells."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _torch():
    try:
        import torch
    except ModuleNotFoundError:
        return "no torch"
    return f"torch {torch.__version__}"
