"""Measurements beside a peer, never tests: `python -m tests.benchmarks [part …]`."""

import os

# One thread on each side, and before NumPy is imported: two thread pools in one process
# fight for the cores and the table would show the fight.
for _name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
