"""Run every check of the course: python3 course.py test [sections] [--all] [pytest's options].

Without a section named, all of them run but the long attacks; --all adds those, and every lesson
of the site instead of five a language. The site is built from Pyodide, which comes from the
network: without one that section says that it did not run.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
# Two workers with two threads each would mostly wait for one another.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
LESSONS = ("notebooks/en", "notebooks/zh")
SITE = "build/tested"
UNAVAILABLE = 69  # how course.py site ends when Pyodide can be had neither here nor elsewhere


class Section(NamedTuple):
    """One part of the checks: its heading, its commands, whether pytest's options fit them."""

    heading: str
    commands: list
    pytest: bool = True
    long: bool = False


SPREAD = ["pytest", "-n", "2"]
EACH = [*SPREAD, "--dist=worksteal"]  # each test may go to any worker
NBVAL = [
    "--nbval", "--nbval-current-env", "--nbval-kernel-startup-timeout=180",
    "--nbval-sanitize-with=tests/nbval.cfg",
]  # fmt: skip
SECTIONS = {
    "lint": Section(
        "Code as ruff wants it",
        [["ruff", "check", "."], ["ruff", "format", "--check", "."]],
        pytest=False,
    ),
    "unit": Section("Package, exercises, lessons", [[*SPREAD, "-m", "not browser"]]),
    "launcher": Section("course.py set up, killed, moved", [[*EACH, "tests/launcher"]]),
    "build": Section(
        "Notebooks and pictures fit their sources",
        [["notebooks/build.py", "--check"], ["images/make.py", "--check"]],
        pytest=False,
    ),
    "nbval": Section(
        "Lessons give their stored outputs, in any order",
        [[*SPREAD, *NBVAL, *LESSONS], [*EACH, "tests/kernels"]],
    ),
    "browser": Section("JupyterLab in Chromium", [["pytest", "-m", "browser", "tests/browser"]]),
    "site": Section(
        "The site in Chromium", [["course.py", "site", "--out", SITE], ["pytest", "tests/site"]]
    ),
    "attacks": Section("Long attacks", [["pytest", "tests/attacks"]], long=True),
}


def chosen_sections(arguments):
    """Split `unit nbval -k softmax` into the sections to run and what pytest gets."""
    names, rest = [], list(arguments)
    while rest and (rest[0] in SECTIONS or rest[0] == "--all"):
        names.append(rest.pop(0))
    if not names or "--all" in names:
        everything = [
            name
            for name, section in SECTIONS.items()
            if ("--all" in names or not section.long) and (section.pytest or not rest)
        ]
        return everything, rest
    return [name for name in SECTIONS if name in names], rest


def command_line(command):
    """Return the full command: a script of the project, or a module."""
    script = [] if command[0].endswith(".py") else ["-m"]
    return [sys.executable, *script, *command]


def run(section, rest):
    """Run a section's commands; return the verdict: passed, FAILED or not run."""
    environ, verdict = os.environ | ONE_THREAD | {"SITE": str(ROOT / SITE)}, "passed"
    nothing_has_that_name = 5 if rest else 0
    for command in section.commands:
        options = rest if command[0] == "pytest" else []
        code = subprocess.call(command_line(command + options), cwd=ROOT, env=environ)
        if code == UNAVAILABLE:
            return "not run"
        if code not in (0, nothing_has_that_name):
            verdict = "FAILED"
    return verdict


def main(arguments):
    """Run the sections one after the other and report at the end; return the exit code."""
    names, rest = chosen_sections(arguments)
    if "--all" in arguments:
        os.environ["COURSE_TEST_ALL"] = "1"  # the site's tests then run all lessons, not some
    results = {}
    for name in names:
        print(f"\n=== {name}: {SECTIONS[name].heading} ===", flush=True)
        begun = time.monotonic()
        results[name] = run(SECTIONS[name], rest), time.monotonic() - begun
    print("\n=== Report ===")
    for name, (verdict, seconds) in results.items():
        print(f"{name:8s} {verdict:7s} ({seconds:.0f} s)")
    return 1 if any(verdict == "FAILED" for verdict, _ in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
