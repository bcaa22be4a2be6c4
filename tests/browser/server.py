"""JupyterLab on a copy of the lessons, with nothing of the user's own settings."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import course

ROOT = Path(course.__file__).parent
OWN_FOLDERS = (
    "HOME",
    "IPYTHONDIR",
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
    "MPLCONFIGDIR",
)


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


def settings_environ(folder):
    """Return the environment of a JupyterLab that has its folders to itself and asks nothing."""
    own = {name: folder / name.lower() for name in OWN_FOLDERS}
    for path in own.values():
        path.mkdir(parents=True)
    for plugin, settings in course.LAB_SETTINGS.items():
        extension, name = plugin.split(":")
        path = own["JUPYTERLAB_SETTINGS_DIR"] / extension / f"{name}.jupyterlab-settings"
        course.write_json(path, settings)
    # All cells in the page at once: a test must find what a reader could scroll to.
    tracker = own["JUPYTERLAB_SETTINGS_DIR"] / "@jupyterlab/notebook-extension"
    course.write_json(tracker / "tracker.jupyterlab-settings", {"windowingMode": "none"})
    variables = {name: str(path) for name, path in own.items()}
    return course.clean_environ(OPENBLAS_NUM_THREADS="1", **variables)


def free_port():
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def jupyterlab(folder):
    """Serve a fresh copy of the lessons from a folder until the block ends."""
    root = folder / "project"
    root.mkdir(parents=True)
    lay_out(root)
    token, port = secrets.token_hex(16), free_port()
    command = course.lab_command(sys.executable, root, port)
    command.append("--LabApp.expose_app_in_browser=True")
    environ = settings_environ(folder / "own") | {"JUPYTER_TOKEN": token}
    with (folder / "jupyterlab.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=root, env=environ, stdout=log, stderr=log)
    server = Server(f"http://127.0.0.1:{port}", token, root)
    try:
        course.wait_until_served(f"{server.address}/api/status?token={token}", process)
        yield server
    finally:
        with suppress(OSError):
            shut_down(server)
        course.stop(process)


def shut_down(server):
    """Ask the server to end its kernels and itself."""
    request = urllib.request.Request(
        f"{server.address}/api/shutdown",
        method="POST",
        headers={"Authorization": f"token {server.token}"},
    )
    urllib.request.urlopen(request, timeout=10).close()


def in_ci():
    """Return whether this run must check everything."""
    return os.environ.get("CI") == "true"
