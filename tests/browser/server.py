"""JupyterLab on a copy of the lessons, with nothing of the user's own settings."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import course

ROOT = Path(course.__file__).parent


class Server(NamedTuple):
    """A running JupyterLab: where it answers, its token, and the folder it shows."""

    address: str
    token: str
    root: Path

    def lesson_address(self, path):
        """Return the address that shows one notebook alone, in a fresh workspace."""
        return f"{self.address}/doc/tree/{path}?token={self.token}&reset"


def lay_out(root):
    """Make a project folder as a learner has it: work/en, work/zh and the pictures."""
    course.copy_lessons(ROOT / "notebooks", root / "work")
    if (ROOT / "images").exists():
        shutil.copytree(ROOT / "images", root / "images")


def settings_environ(own):
    """Return the environment of a JupyterLab that has its folders to itself and asks nothing."""
    settings = own / course.OWN_FOLDERS["JUPYTERLAB_SETTINGS_DIR"]
    for plugin, values in course.LAB_SETTINGS.items():
        extension, name = plugin.split(":")
        course.write_json(settings / extension / f"{name}.jupyterlab-settings", values)
    # All cells in the page at once: a test must find what a reader could scroll to.
    tracker = settings / "@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    course.write_json(tracker, {"windowingMode": "none"})
    (own / "home").mkdir()
    (own / "runtime").mkdir()
    # The package of this folder is tested, whichever the interpreter has installed.
    return course.clean_environ(
        own, OPENBLAS_NUM_THREADS="1", HOME=str(own / "home"), PYTHONPATH=str(ROOT)
    )


@contextmanager
def jupyterlab(folder, *options):
    """Serve a fresh copy of the lessons from a folder until the block ends."""
    root = folder / "project"
    root.mkdir(parents=True)
    lay_out(root)
    command = [sys.executable, "-P", ROOT / "notebooks/serve.py", root, "work", "--port", "0"]
    command += ["--no-browser", "--LabApp.expose_app_in_browser=True", *options]
    with (folder / "jupyterlab.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=root,
            env=settings_environ(folder / "own"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        )
    try:
        printed = "".join(process.stdout.readline().decode() for _ in range(3))
        address, token = re.search(
            r"(http://.*)/(?:lab|doc)/tree/work\?token=(\w+)", printed
        ).groups()
        yield Server(address, token, root)
    finally:
        course.stop(process)
        process.stdout.close()


def in_ci():
    """Return whether this run must check everything."""
    return os.environ.get("CI") == "true"
