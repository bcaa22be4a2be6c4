"""The course with the lowest and the newest packages that requirements.txt allows.

    python -m tests.versions                 every Python from 3.11 up that is here, both ends
    python -m tests.versions 3.11 lowest     one of them

Each runs the unit tests and the lessons' stored outputs in an environment of its own, which is
thrown away afterwards.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import course
from tests.launcher.launched import LEAST
from tests.lessons import ROOT

ENDS = ("lowest", "newest")
MINORS = range(11, 20)
# Where the lowest version has no wheel for a Python: the first that has one.
FIRST_WHEEL = {
    ("numpy", "3.13"): "2.1",
    ("numpy", "3.14"): "2.3.2",
}
SECTIONS = ("unit", "nbval")


def pythons():
    """Every Python from 3.11 up that this machine has: version -> command."""
    found = {}
    for minor in MINORS:
        version = f"3.{minor}"
        pyenv = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        command = str(pyenv[-1]) if pyenv else shutil.which(f"python{version}")
        if command:
            found[version] = command
    return found


def lowest(version):
    """The lowest versions that requirements.txt allows, as pip's constraints."""
    for line in course.wanted_packages(ROOT):
        name, least = LEAST.match(line).groups()
        yield f"{name}=={FIRST_WHEEL.get((name, version), least)}"


def tried(version, command, end):
    """Whether unit tests and lessons pass with one end of the ranges."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        constraints = folder / "constraints.txt"
        constraints.write_text("\n".join(lowest(version) if end == "lowest" else []) + "\n")
        subprocess.run([command, "-m", "venv", folder / "venv"], check=True)
        python = str(folder / "venv" / "bin" / "python")
        install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        install += ["--prefer-binary", "-c", constraints]
        packages = ["-e", ".", *course.wanted_packages(ROOT, "test")]
        subprocess.run([*install, *packages], cwd=ROOT, check=True)
        environment = os.environ | {"CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.call([python, "-m", "tests", *SECTIONS], cwd=ROOT, env=environment) == 0


def main(words):
    ends = [end for end in ENDS if end in words] or ENDS
    some = {v: c for v, c in pythons().items() if v in words or not set(words) - set(ENDS)}
    if not some:
        sys.exit(f"versions: no such Python here; found {', '.join(pythons())}")
    results = {}
    for version, command in some.items():
        for end in ends:
            print(f"\n##### Python {version}, {end} packages", flush=True)
            results[version, end] = tried(version, command, end)
    print("\n##### Versions")
    for (version, end), passed in results.items():
        print(f"Python {version} {end:7s} {'passed' if passed else 'FAILED'}")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
