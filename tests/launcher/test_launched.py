"""The course set up and started as a learner does it, in homes and folders that are no help."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import psutil
import pytest

import course
from tests.launcher.killed import attack
from tests.launcher.launched import ask, build_house, files_with, handshake, write_lesson

# A user's pip that would put everything elsewhere, or nothing anywhere.
PIP_CONF = """\
[global]
no-index = true
find-links = {wheels}
[install]
user = true
no-deps = true
dry-run = true
"""
PIP_VARIABLES = {
    "PIP_TARGET": "/no/such/target",
    "PIP_PREFIX": "/no/such/prefix",
    "PIP_ROOT": "/no/such/root",
    "PIP_REQUIRE_VIRTUALENV": "1",
    "PIP_CONSTRAINT": "/no/such/constraint",
    "PIP_NO_BINARY": ":all:",
    "PIP_PYTHON": "/no/such/python",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A course that was set up once, by a pip with everything against it."""
    built = build_house(tmp_path_factory.mktemp("house"))
    conf = built.home / ".config/pip/pip.conf"
    conf.parent.mkdir(parents=True)
    conf.write_text(PIP_CONF.format(wheels=built.wheels.as_uri()))
    ways = {"PIP_NO_INDEX": "", "PIP_FIND_LINKS": ""}
    with built.start(**PIP_VARIABLES, **ways) as started:
        started.served()
    conf.unlink()
    assert list(built.root.glob(".venv/lib/python*/site-packages/a_borrowed.pth"))
    return built


@pytest.fixture(scope="module")
def running(house):
    """The course, started and served."""
    with house.start() as started:
        yield started.served()


# ---------------------------------------------------------------- whose settings count

SPOILED = "raise SystemExit('a module from outside')\n"
HOSTILE = {
    ".jupyter/jupyter_server_config.py": "c.ServerApp.base_url = '/me/'\n"
    "c.ServerApp.certfile = '/no/such/certificate'\nc.IdentityProvider.token = 'theirs'\n",
    ".jupyter/jupyter_config.json": '{"ServerApp": {"port": 9, "ip": "0.0.0.0"}}',
    ".jupyter/labconfig/page_config.json": '{"disabledExtensions": '
    '{"@jupyter-widgets/jupyterlab-manager": true}}',
    ".jupyter/lab/workspaces/default-37a8.jupyterlab-workspace": '{"mine": true}',
    ".ipython/profile_default/ipython_config.py": "c.InteractiveShellApp.exec_lines = ['a = 1']\n",
    ".ipython/profile_default/startup/00.py": "a = 1\n",
    ".config/matplotlib/matplotlibrc": "text.usetex: True\n",
    "elsewhere/numpy.py": SPOILED,
    "elsewhere/jupyterlab.py": SPOILED,
    "elsewhere/sitecustomize.py": "import sys\nsys.spoiled = True\n",
    "elsewhere/matplotlibrc": "text.usetex: True\n",
}
SEEN = """
import json, os, sys
import IPython.paths, matplotlib, numpy, jupyter_core.paths as paths
print(json.dumps({
    "names": [name for name in ("a",) if name in globals()],
    "spoiled": hasattr(sys, "spoiled"),
    "usetex": matplotlib.rcParams["text.usetex"],
    "folders": [
        matplotlib.get_configdir(), matplotlib.get_cachedir(), IPython.paths.get_ipython_dir(),
        paths.jupyter_config_dir(), paths.jupyter_data_dir(), paths.jupyter_runtime_dir(),
    ],
    "environ": dict(os.environ),
}))
"""


def tree(folder):
    """Return every file below a folder with its bytes, but for what the user's Python compiles."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {path: path.read_bytes() for path in files}


def test_nothing_of_the_users_own_settings_counts_and_none_is_changed(house):
    for name, text in HOSTILE.items():
        (house.home / name).parent.mkdir(parents=True, exist_ok=True)
        (house.home / name).write_text(text)
    own, before = str(house.root / ".venv/own"), tree(house.home)
    elsewhere, config = str(house.home / "elsewhere"), str(house.home / ".jupyter")
    variables = {
        "PYTHONPATH": elsewhere,
        "PYTHONWARNINGS": "error",
        "JUPYTER_CONFIG_DIR": config,
        "JUPYTER_CONFIG_PATH": config,
        "JUPYTER_TOKEN": "theirs",
        "JUPYTERLAB_WORKSPACES_DIR": config + "/lab/workspaces",
        "MATPLOTLIBRC": elsewhere,
        "VIRTUAL_ENV": elsewhere,
    }
    with house.start(**variables) as started:
        started.served()
        assert started.address.startswith("http://127.0.0.1:")
        status, _, page = started.ask("/lab/tree/work/en/00_overview.ipynb")
        assert status == 200, page
        assert b'"baseUrl": "/"' in page
        assert b"jupyterlab-manager" not in page
        workspace = {"data": {"tab": 1}, "metadata": {"id": "default"}}
        assert started.ask("/lab/api/workspaces/default", "PUT", workspace)[0] == 204
        seen = started.run_in_kernel(SEEN)
    assert seen["names"] == []
    assert not seen["spoiled"]
    assert not seen["usetex"]
    assert [folder for folder in seen["folders"] if not folder.startswith(own)] == []
    assert [name for name, value in seen["environ"].items() if started.token in value] == []
    assert tree(house.home) == before


def test_own_files_beside_the_launcher_are_not_pythons(house):
    for name in ("random.py", "tempfile.py", "numpy.py", "pip.py", "jupyterlab.py"):
        (house.root / name).write_text(SPOILED)
    with house.start() as started:
        started.served()
    for name in ("random.py", "tempfile.py", "numpy.py", "pip.py", "jupyterlab.py"):
        (house.root / name).unlink()


def test_folder_whose_name_the_terminal_cannot_print(house):
    with house.start(LC_ALL="C", LANG="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0") as started:
        started.served()


# ---------------------------------------------------------------- the port


@pytest.fixture
def taken_port():
    """A port on which somebody answers everything with yes."""
    code = (
        "from http.server import *\n"
        "class Yes(BaseHTTPRequestHandler):\n"
        "    def do_GET(self): self.send_response(200); self.end_headers()\n"
        "server = HTTPServer(('127.0.0.1', 0), Yes)\n"
        "print(server.server_port, flush=True); server.serve_forever()"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    yield int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()


def test_taken_port_is_told(house, taken_port):
    with house.start("--port", str(taken_port)) as started:
        assert started.process.wait() == 1
    assert f"course.py: Port {taken_port} is taken by another program" in started.printed()
    assert "JupyterLab stopped" not in started.printed()


def test_two_servers_never_meet_on_a_port(house, running):
    with house.start() as first, house.start() as second:
        addresses = {running.address, first.served().address, second.served().address}
        assert len(addresses) == 3
        for started in (running, first, second):
            assert started.ask("/api/status")[0] == 200


# ---------------------------------------------------------------- who may ask


def verdicts(address, token):
    """Return how a server answers to friends and strangers.

    A stranger is a page from elsewhere in the browser of a learner, whose cookie it can use.
    """
    status, kernels, events = "/api/status", f"{address}/api/kernels", "/api/events/subscribe"
    here = address + status
    _, headers, _ = ask(f"{address}/lab?token={token}")
    cookie = "; ".join(line.split(";")[0] for line in headers.get_all("Set-Cookie"))
    friend = {"Cookie": cookie, "Origin": address}
    stranger = {"Cookie": cookie, "Origin": "http://evil.example"}
    _, shown, _ = ask(here, headers=stranger)
    return {
        "token": ask(here, token)[0],
        "cookie": ask(here, headers=friend)[0],
        "no token": ask(here)[0],
        "wrong token": ask(here, "0" * 48)[0],
        "file without token": ask(f"{address}/files/README.md")[0],
        "other host's name": ask(here, token, headers={"Host": "evil.example"})[0],
        "kernel without token": ask(kernels, None, "POST", {})[0],
        "kernel for a stranger": ask(kernels, None, "POST", {}, stranger)[0],
        "shown to a stranger": shown["Access-Control-Allow-Origin"],
        "framed by a stranger": "frame-ancestors 'self'" not in shown["Content-Security-Policy"],
        "events": handshake(address, events, **friend),
        "events without token": handshake(address, events),
        "events for a stranger": handshake(address, events, **stranger),
    }


STRICT = {
    "token": 200,
    "cookie": 200,
    "no token": 403,
    "wrong token": 403,
    "file without token": 302,  # to the page that asks for it
    "other host's name": 403,
    "kernel without token": 403,
    "kernel for a stranger": 404,
    "shown to a stranger": None,
    "framed by a stranger": False,
    "events": 101,
    "events without token": 403,
    "events for a stranger": 403,
}


def test_server_answers_its_token_and_nobody_else(running):
    assert verdicts(running.address, running.token) == STRICT


def test_server_listens_on_the_own_machine_only(running):
    listening = {
        connection.laddr.ip
        for process in running.house.processes()
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert listening == {"127.0.0.1"}


def told_to(processes, token):
    """Return the processes whose command line or variables hold the token."""
    return [
        process
        for process in processes
        if token in " ".join(process.cmdline()) or token in " ".join(process.environ().values())
    ]


def test_token_is_in_no_command_line_variable_or_file(running):
    running.run_in_kernel("print(1)")
    assert len(running.house.processes()) >= 3
    assert told_to(running.house.processes(), running.token) == []
    assert files_with(running.token, running.house.root, running.house.home) == []


def test_browser_is_given_a_page_that_only_its_user_can_read(house, tmp_path):
    """What a browser is started with can be read by everyone on the machine."""
    told = tmp_path / "told"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" > {told}.part; mv {told}.part {told}\n')
    browser.chmod(0o755)
    with house.start(BROWSER=str(browser)) as started:
        started.served()
        end = time.monotonic() + 60
        while not told.exists() and time.monotonic() < end:
            time.sleep(0.05)
        assert started.token not in told.read_text()
        page = Path(urllib.request.url2pathname(told.read_text().strip().removeprefix("file://")))
        assert f"{started.address}/lab/tree/work/en/00" in page.read_text("utf-8")
        assert started.token in page.read_text("utf-8")
        assert page.stat().st_mode & 0o077 == 0
        assert page.parent.stat().st_mode & 0o077 == 0
    assert not page.exists()


def test_by_hand_jupyterlab_is_no_stricter(tmp_path):
    """The same questions to a JupyterLab started without us; it keeps its token in files, too."""
    folders = {name: str(tmp_path / folder) for name, folder in course.OWN_FOLDERS.items()}
    token = "f" * 48
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"],
        cwd=tmp_path,
        env=os.environ | folders | {"JUPYTER_TOKEN": token},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address, end = f"http://127.0.0.1:{port}", time.monotonic() + 120
    while time.monotonic() < end and not (tmp_path / "runtime").exists():
        time.sleep(0.1)
    while time.monotonic() < end and not files_with(token, tmp_path):
        time.sleep(0.1)
    by_hand = verdicts(address, token)
    kept = files_with(token, tmp_path)
    told = told_to([psutil.Process(process.pid)], token)
    process.terminate()
    process.wait()
    assert by_hand == STRICT
    assert kept
    assert told


# ---------------------------------------------------------------- every ending


ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"]


@pytest.mark.parametrize("name", ENDINGS)
def test_every_ending_of_the_launcher_ends_server_and_kernels(house, name):
    others = set(house.runtime.iterdir())
    with house.start() as started:
        started.served()
        started.run_in_kernel("print(1)")
        mine = {process.pid for process in psutil.Process(started.process.pid).children(True)}
        assert len(mine) >= 2
        code = started.end(getattr(signal, name))
    assert code == (-signal.SIGKILL if name == "SIGKILL" else 0)
    end = time.monotonic() + 60
    while any(map(psutil.pid_exists, mine)) and time.monotonic() < end:
        time.sleep(0.1)
    assert [pid for pid in mine if psutil.pid_exists(pid)] == []
    assert files_with(started.token, house.root, house.home) == []
    assert set(house.runtime.iterdir()) == others


def test_shut_down_from_jupyterlabs_menu_ends_the_launcher(house):
    with house.start() as started:
        started.served().ask("/api/shutdown", "POST", {})
        assert started.process.wait() == 0
    assert "course.py" not in started.printed()


def test_server_that_is_killed_is_told(house):
    with house.start() as started:
        started.served()
        (server,) = psutil.Process(started.process.pid).children()
        server.kill()
        assert started.process.wait() == 1
    assert "course.py: JupyterLab stopped (exit code -9)" in started.printed()


def test_jupyterlab_without_its_pages_is_told(house, tmp_path):
    there = house.moved(tmp_path / "there", keep=True)
    shutil.rmtree(there.root / ".venv/share/jupyter/lab/static")
    with there.start() as started:
        assert started.process.wait() == 1
    assert "JupyterLab does not show its page" in started.printed()
    assert "course.py: JupyterLab stopped (exit code 1)" in started.printed()


# ---------------------------------------------------------------- a folder that was changed

WHERE = "import attention_core, json; print(json.dumps(attention_core.__file__))"
NO_NETWORK = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/no/such/wheels"}


def test_copied_folder_starts_without_a_network_and_imports_its_own_package(house, tmp_path):
    there = house.moved(tmp_path / "搬家 了", keep=True)
    with there.start(**NO_NETWORK) as started:
        started.served()
        assert started.run_in_kernel(WHERE).startswith(str(there.root))
    assert "Installing" not in started.printed()


def test_environment_without_pip_is_made_anew(house, tmp_path):
    there = house.moved(tmp_path / "there", keep=True)
    for place in there.root.glob(".venv/lib/python*/site-packages"):
        shutil.rmtree(place / "pip")
        (place / "a_borrowed.pth").unlink()  # the pip of the tests' own environment is no help
    with there.start() as started:
        started.served()
    assert "Making the environment" in started.printed()


def test_two_starts_at_once_install_once(house, tmp_path):
    there = house.moved(tmp_path / "there", keep=True)
    shutil.rmtree(there.root / ".venv")
    with there.start() as first:
        first.wait_for("Making the environment")
        with there.start() as second:
            assert first.served().address != second.served().address
    assert "Another start is setting up the course: waiting" in second.printed()
    assert "Installing" not in second.printed()


def test_user_who_may_not_write_is_told(house, tmp_path):
    there = house.moved(tmp_path / "there", keep=True)
    (there.root / ".course.lock").unlink()
    before = ()
    if os.geteuid() == 0:  # root without its power over other people's files
        os.chown(there.root, 65534, 65534)
        before = ("setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override")
    there.root.chmod(0o555)
    with there.start(before=before) as started:
        assert started.process.wait() == 1
    there.root.chmod(0o755)
    (line,) = started.printed().splitlines()
    assert line.startswith(f"course.py: {there.root}/.course.lock may not be written by you: copy")


def test_renewed_lesson_keeps_an_answer(house):
    answer = write_lesson(house.root, "en", "x = 1", "my answer", folder="work")
    mine = answer.read_bytes()
    for language in course.LANGUAGES:
        write_lesson(house.root, language, "x = 2", "...")
    with house.start() as started:
        started.served()
    assert answer.read_bytes() == mine
    assert "work/en/00_overview.ipynb holds your changes" in started.printed()
    renewed = json.loads((house.root / "work/zh" / course.FIRST_LESSON).read_text("utf-8"))
    assert renewed["cells"][0]["source"] == "x = 2"


def test_next_start_mends_what_a_kill_broke_and_no_answer_is_lost(tmp_path):
    """Two for each scene; tests/attacks takes more than a hundred."""
    assert attack(build_house(tmp_path), 6, seed=1) == []
