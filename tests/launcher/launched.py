"""A small course in a folder of its own, set up and started as a learner starts it.

Its requirements are real wheels without content, installed by a real pip into a real environment;
one of them lets that environment borrow the packages of the one that runs the tests. So a set-up
takes seconds, and everything after it is as it is for a learner.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path

import psutil
from jupyter_client import BlockingKernelClient

import course

ROOT = Path(course.__file__).parent
SECONDS = 600  # for a loaded machine
LEAST = re.compile(r"([\w-]+)>=([\d.]+)")  # a package and its lowest version


def write_wheel(folder, name, version, files):
    """Write a wheel that holds a few files."""
    info = f"{name}-{version}.dist-info"
    content = files | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    content[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in [*content, f"{info}/RECORD"])
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in content.items():
            wheel.writestr(path, text)


def write_wheels(folder):
    """Write a wheel for each of the course's requirements; JupyterLab's borrows the real ones."""
    folder.mkdir(parents=True)
    for line in course.wanted_packages(ROOT):
        name, version = LEAST.match(line).groups()
        points = distribution(name).read_text("entry_points.txt")
        files = {f"{name}-{version}.dist-info/entry_points.txt": points} if points else {}
        if name == "jupyterlab":
            files["a_borrowed.pth"] = sysconfig.get_path("purelib") + "\n"
            # Its page is no Python, and so not borrowed.
            static = "share/jupyter/lab/static"
            for page in ("index.html", "package.json"):
                text = (Path(sys.prefix) / static / page).read_text("utf-8")
                files[f"{name}-{version}.data/data/{static}/{page}"] = text
        write_wheel(folder, name, version, files)


def build_house(folder):
    """Lay out a course with one lesson."""
    root = folder / "attention-main (1) 注意力"
    files = ("course.py", "requirements.txt", "pyproject.toml", "notebooks/serve.py")
    for path in (*files, "notebooks/lessons.toml"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, root / path)
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "attention_core", root / "attention_core", ignore=without)
    for language in course.LANGUAGES:
        write_lesson(root, language, "x = 1", "...")
    (folder / "home").mkdir()
    write_wheels(folder / "wheels")
    return House(root, folder / "home", folder / "wheels")


def write_lesson(root, language, *sources, folder="notebooks", name="00_overview"):
    """Write a lesson with one code cell per source; return its path."""
    cells = [
        {"cell_type": "code", "id": f"c{number}", "execution_count": None}
        | {"metadata": {}, "outputs": [], "source": source}
        for number, source in enumerate(sources)
    ]
    path = root / folder / language / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )
    return path


class House:
    """A course's folder with the home of the user who starts it."""

    def __init__(self, root, home, wheels):
        """Keep the folders; nothing is set up yet."""
        self.root, self.home, self.wheels = root, home, wheels

    def environ(self, **more):
        """Return the variables of the user: pip finds the wheels, and no network."""
        theirs = {
            name: value for name, value in os.environ.items() if not name.startswith(course.FOREIGN)
        }
        index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": self.wheels.as_uri()}
        return theirs | {"HOME": str(self.home)} | index | more

    def moved(self, folder, keep=False):
        """Return the house in another folder; the old place stays only if asked."""
        folder.mkdir(parents=True)
        copy = shutil.copytree if keep else shutil.move
        more = {"symlinks": True} if keep else {}
        copy(str(self.root), str(folder / self.root.name), **more)
        return House(folder / self.root.name, self.home, self.wheels)

    @property
    def runtime(self):
        """The folder in which each running server has one of its own."""
        return self.root / ".venv/own/runtime"

    def processes(self):
        """All running processes that were started from this folder."""
        found = []
        for process in psutil.process_iter():
            try:
                if str(self.root) in " ".join(process.cmdline()):
                    found.append(process)
            except psutil.Error:
                pass
        return found

    def wait_until_empty(self):
        """Wait until nothing runs in this folder; return the runtime files left behind."""
        end = time.monotonic() + SECONDS
        while self.processes() and time.monotonic() < end:
            time.sleep(0.1)
        assert self.processes() == []
        return list(self.runtime.iterdir()) if self.runtime.exists() else []

    @contextmanager
    def start(self, *arguments, before=(), **environ):
        """Start the course without a browser, on any port, until the block ends."""
        started = Start(self, arguments, before, environ)
        try:
            yield started
        finally:
            started.end(signal.SIGTERM)


class Start:
    """One run of course.py."""

    def __init__(self, house, arguments, before, environ):
        """Start it, with nothing but a file to print to."""
        self.house = house
        options = [] if "BROWSER" in environ else ["--no-browser"]
        options += [] if "--port" in arguments else ["--port", "0"]
        self.log = house.home.parent / f"printed-{time.monotonic_ns()}"
        if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
            # Tests run in the background ignore Ctrl+C; a learner's start does not.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*before, sys.executable, house.root / "course.py", *options, *arguments],
                cwd=house.home,
                env=house.environ(**environ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def printed(self):
        """Everything printed so far."""
        return self.log.read_text("utf-8")

    def wait_for(self, words):
        """Wait until it printed the words, or ended."""
        end = time.monotonic() + SECONDS
        while words not in self.printed() and time.monotonic() < end:
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        assert words in self.printed(), self.printed()

    def served(self):
        """Wait until it printed the address; keep it and the token."""
        self.wait_for("Stop it with Ctrl+C")
        self.address, self.token = re.search(
            r"(http\S+)/lab/tree/work/\w\w/\w+\.ipynb\?token=(\w+)", self.printed()
        ).groups()
        return self

    def ask(self, path, method="GET", data=None, token=True, **headers):
        """Return (status, headers, body) of a request."""
        return ask(self.address + path, self.token if token else None, method, data, headers)

    def run_in_kernel(self, code):
        """Return the JSON value that the code prints in a fresh kernel, and that kernel's id."""
        _, _, body = self.ask("/api/kernels", "POST", {"name": "python3"})
        kernel = json.loads(body)["id"]
        (file,) = self.house.runtime.glob(f"*/kernel-{kernel}.json")
        client = BlockingKernelClient(connection_file=str(file))
        client.load_connection_file()
        client.start_channels(hb=False)  # a busy machine misses heartbeats
        printed = []
        client.wait_for_ready(timeout=SECONDS)
        client.execute_interactive(
            code,
            timeout=SECONDS,
            output_hook=lambda message: printed.append(
                message["content"].get("text") or str(message["content"].get("traceback") or "")
            ),
        )
        client.stop_channels()
        return json.loads("".join(printed))

    def end(self, number):
        """Send a signal to the launcher, and nobody else; wait for its end."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(timeout=SECONDS)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Let a redirect be an answer like any other."""

    def redirect_request(self, *_):
        """Follow nothing."""


def handshake(address, path, **headers):
    """Ask for a websocket; return the status of the answer."""
    host, port = urllib.parse.urlsplit(address).netloc.split(":")
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}"]
    lines += ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
    lines += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    with socket.create_connection((host, int(port)), timeout=SECONDS) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return int(connection.recv(100).split()[1])


def ask(url, token=None, method="GET", data=None, headers=()):
    """Return (status, headers, body) of a request to a server of this machine."""
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(url, body, dict(headers), method=method)
    if token is not None:
        request.add_header("Authorization", f"token {token}")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)
    try:
        with opener.open(request, timeout=SECONDS) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def files_with(text, *folders):
    """Return the files under the folders that hold a text."""
    found = []
    for folder in folders:
        for path in Path(folder).rglob("*"):
            if path.is_file() and not path.is_symlink() and text.encode() in path.read_bytes():
                found.append(path)
    return found
