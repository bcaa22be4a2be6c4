"""Open the course, test it or rebuild it. Needs nothing but Python 3.11 or newer.

python3 course.py                 set up once, then open JupyterLab on lesson 00
python3 course.py --lang zh       the same in Chinese
python3 course.py --no-browser    print the address instead of opening a browser
python3 course.py test            run every check (test unit, test browser -k zh ... for a part)
python3 course.py build           rebuild notebooks and pictures (build --check only compares)
"""

# Standard library only, and only syntax that old Pythons can parse: they must get as far as the
# sentence that says they are too old. So: no annotations, no walrus, imports of new modules late.
import argparse
import contextlib
import hashlib
import importlib.util
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import webbrowser
from pathlib import Path

OLDEST_PYTHON = (3, 11)
LANGUAGES = ("en", "zh")
FIRST_LESSON = "00_overview.ipynb"
DEFAULT_PORT = 8888
START_SECONDS = 120

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
WORK = ROOT / "work"

LAB_SETTINGS = {
    # No question about news and no look-up of updates: the course needs no network to run.
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
    # A saved lesson reopens with its explorers, not with "model not found".
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
}

# What pip says when it cannot reach the package index, in its own words.
NETWORK_SIGNS = (
    "connection broken",
    "NewConnectionError",
    "Failed to establish a new connection",
    "Temporary failure in name resolution",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "Max retries exceeded",
    "ProxyError",
    "Network is unreachable",
)


class Trouble(Exception):
    """Something the user can mend; the message is one sentence that says how."""


# ---------------------------------------------------------------- the environment


def check_python(version):
    """Refuse a Python that is older than the course needs."""
    if tuple(version[:2]) < OLDEST_PYTHON:
        raise Trouble(
            "This is Python {}.{}, but the course needs Python {}.{} or newer: install one from "
            "python.org or your package manager and start course.py with it.".format(
                version[0], version[1], *OLDEST_PYTHON
            )
        )


def check_venv_module():
    """Refuse a Python that cannot make environments (Debian ships venv apart)."""
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            raise Trouble(
                "This Python has no {} module: install it (Debian, Ubuntu: sudo apt install "
                "python3-venv) and run the same command again.".format(module)
            )


def venv_python(venv):
    """Return the path of the environment's interpreter."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def venv_works(venv):
    """Return whether the environment's interpreter starts and is new enough."""
    probe = "import sys; sys.exit(sys.version_info < {})".format(OLDEST_PYTHON)
    try:
        return subprocess.call([str(venv_python(venv)), "-c", probe], env=clean_environ()) == 0
    except OSError:
        return False


def clean_environ(**more):
    """Return the environment variables for child processes: the venv alone decides what is used."""
    environ = dict(os.environ)
    # Each of these would bring in modules, kernels or a plot window from outside the venv.
    for name in ("PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP", "JUPYTER_PATH", "MPLBACKEND"):
        environ.pop(name, None)
    environ.update(PYTHONNOUSERSITE="1", JUPYTER_PREFER_ENV_PATH="1", PIP_USER="0")
    environ.update(more)
    return environ


def fingerprint(root):
    """Return a digest of all that decides what gets installed: requirements, metadata, place."""
    import tomllib

    with open(str(root / "pyproject.toml"), "rb") as file:
        settings = tomllib.load(file)
    parts = [
        (root / "requirements.txt").read_text("utf-8"),
        settings["project"],
        settings["build-system"],
        settings.get("tool", {}).get("setuptools"),
        str(root),  # the package is installed by its path, so a moved folder installs again
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("utf-8")).hexdigest()


def read_json(path):
    """Return the JSON object in a file, or an empty one if there is none that can be read."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def write_whole(path, data):
    """Write bytes so that an interruption leaves the old file or the new one, never half."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".part")
    half.write_bytes(data)
    os.replace(str(half), str(path))


def write_json(path, value):
    """Write a JSON file whole."""
    text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)
    write_whole(path, (text + "\n").encode("utf-8"))


def ensure_environment(root, venv, extra=None):
    """Make the environment or bring it up to date; do nothing when it already is."""
    stamp, unfinished = venv / "course-stamp.json", venv / "course-unfinished"
    wanted, have = fingerprint(root), read_json(stamp)
    sound = venv_works(venv) and not unfinished.exists()
    if sound and have.get(extra or "learner") == wanted:
        return
    if not sound:
        make_venv(venv)
        have = {}
    # The mark outlives an interruption only: then the next start begins from an empty venv.
    unfinished.touch()
    try:
        install(root, venv, extra)
    except Trouble:
        unfinished.unlink()
        raise
    have = {name: digest for name, digest in have.items() if digest == wanted}
    have.update({"learner": wanted, extra or "learner": wanted})
    write_json(stamp, have)
    unfinished.unlink()


def make_venv(venv):
    """Make an empty environment, clearing what a broken one left."""
    check_venv_module()
    say("Making the environment in {} ...".format(venv.name))
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(venv)],
        env=clean_environ(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if made.returncode:
        raise Trouble(
            "The environment {} could not be made; delete that folder and run the same command "
            "again (venv said: {}).".format(venv, last_line(made.stdout.decode("utf-8", "replace")))
        )


def install(root, venv, extra):
    """Install the requirements, and an extra of the package if one is named."""
    say(
        "Installing the course{} (once; a minute or two) ...".format(
            " for " + extra if extra else ""
        )
    )
    command = [str(venv_python(venv)), "-m", "pip", "install", "--quiet", "--no-input"]
    command += ["--disable-pip-version-check", "--retries", "2", "-r", "requirements.txt"]
    if extra:
        command += ["-e", ".[{}]".format(extra)]
    done = subprocess.run(
        command,
        cwd=str(root),
        env=clean_environ(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        raise Trouble(explain_pip(done.stdout.decode("utf-8", "replace")))


def explain_pip(output):
    """Return one sentence for a failed installation, with pip's own last word."""
    said = last_line(output)
    if any(sign in output for sign in NETWORK_SIGNS):
        return (
            "The package index cannot be reached: the first start needs the network once, so "
            "connect (or set pip's proxy) and run the same command again (pip said: {}).".format(
                said
            )
        )
    return (
        "The installation failed: mend what pip names and run the same command again "
        "(pip said: {}).".format(said)
    )


def last_line(output):
    """Return pip's last error line, or its last line of any kind."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error:")]
    return (errors or lines or ["nothing"])[-1].rstrip(".")


# ---------------------------------------------------------------- the learner's copies


def source_digest(data):
    """Return a digest of what a learner can change in a notebook, or None if it is not one.

    Running and saving a lesson changes outputs, counts and metadata; only the cells' sources
    (with their kinds, order and pasted pictures) hold answers.
    """
    try:
        cells = json.loads(data.decode("utf-8"))["cells"]
        sources = [
            [cell["cell_type"], "".join(cell["source"]), cell.get("attachments") or {}]
            for cell in cells
        ]
    except (ValueError, KeyError, TypeError):
        return None
    return hashlib.sha256(json.dumps(sources, sort_keys=True).encode("utf-8")).hexdigest()


def copy_lessons(notebooks, work):
    """Bring the learner's copies up to date; return the changed ones that were kept as they are.

    A copy is replaced only while its sources are those that were copied there: a lesson with a
    learner's work in it, or one nobody can vouch for, is never written to.
    """
    manifest = work / ".lessons.json"
    copied, kept = read_json(manifest), []
    for language in LANGUAGES:
        for lesson in sorted((notebooks / language).glob("*.ipynb")):
            name = language + "/" + lesson.name
            shipped, copy = lesson.read_bytes(), work / language / lesson.name
            new = {"file": hashlib.sha256(shipped).hexdigest(), "sources": source_digest(shipped)}
            old = copied.get(name, {})
            if not copy.exists():
                write_whole(copy, shipped)
                copied[name] = new
                continue
            mine = source_digest(copy.read_bytes())
            if mine is not None and mine == new["sources"] and not old:
                copied[name] = new
            elif old == new:
                continue
            elif mine is not None and mine == old.get("sources"):
                write_whole(copy, shipped)
                copied[name] = new
            else:
                kept.append(name)
    if copied != read_json(manifest):
        write_json(manifest, copied)
    return kept


# ---------------------------------------------------------------- JupyterLab


def port_is_free(port):
    """Return whether a server can listen on this port of the own machine."""
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as probe:
        if os.name != "nt":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            return False
    return True


def choose_port(asked):
    """Return the asked port, or the first free one from the usual one up."""
    if asked is not None:
        if not port_is_free(asked):
            raise Trouble(
                "Port {} is taken by another program: choose another with --port, or leave --port "
                "out and the course finds a free one.".format(asked)
            )
        return asked
    for port in range(DEFAULT_PORT, DEFAULT_PORT + 100):
        if port_is_free(port):
            return port
    raise Trouble(
        "Ports {} to {} are all taken: choose another with --port.".format(
            DEFAULT_PORT, DEFAULT_PORT + 99
        )
    )


def write_lab_settings(venv):
    """Put the course's JupyterLab settings where they apply to this environment only."""
    write_json(venv / "share/jupyter/lab/settings/overrides.json", LAB_SETTINGS)


def lab_command(python, root, port):
    """Return the command that serves the project folder in JupyterLab without a browser."""
    command = [str(python), "-m", "jupyterlab", "--no-browser", "--ServerApp.ip=127.0.0.1"]
    command += ["--ServerApp.port={}".format(port), "--ServerApp.port_retries=0"]
    command += ["--ServerApp.root_dir={}".format(root), "--ServerApp.answer_yes=True"]
    command += ["--LabApp.news_url=", "--LabApp.extension_manager=readonly", "--log-level=WARN"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    return command


def wait_until_served(address, server, seconds=START_SECONDS):
    """Return once the address answers; complain if the server ends or stays silent."""
    # The own machine is never behind a proxy.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if server.poll() is not None:
            raise Trouble(
                "JupyterLab stopped before it was ready (exit code {}): what it printed above "
                "says why; deleting .venv and starting again makes a new one.".format(
                    server.returncode
                )
            )
        try:
            opener.open(address, timeout=5).close()
            return
        except urllib.error.HTTPError:
            return  # it answers, if only to ask for a password of the user's own settings
        except OSError:
            time.sleep(0.1)
    raise Trouble("JupyterLab did not answer within {} s: try once more.".format(seconds))


def start(arguments):
    """Set up, copy the lessons and serve them until Ctrl+C."""
    lesson = Path("work") / arguments.lang / FIRST_LESSON
    if not (ROOT / "notebooks" / arguments.lang / FIRST_LESSON).exists():
        raise Trouble(
            "notebooks/{}/{} is missing: get the course again, or build it with python3 course.py "
            "build.".format(arguments.lang, FIRST_LESSON)
        )
    port = choose_port(arguments.port)
    ensure_environment(ROOT, VENV)
    for name in copy_lessons(ROOT / "notebooks", WORK):
        say(
            "work/{} holds your changes and stays as it is, though the lesson is newer: rename "
            "yours to get the new one.".format(name)
        )
    write_lab_settings(VENV)
    token = secrets.token_hex(24)
    # The token travels in the environment: a command line can be read by everyone on the machine.
    server = subprocess.Popen(
        lab_command(venv_python(VENV), ROOT, port),
        cwd=str(ROOT),
        env=clean_environ(JUPYTER_TOKEN=token),
        stdin=subprocess.DEVNULL,
    )
    try:
        here = "http://127.0.0.1:{}".format(port)
        wait_until_served("{}/api/status?token={}".format(here, token), server)
        address = "{}/lab/tree/{}?token={}".format(here, lesson.as_posix(), token)
        say("The course is open at\n\n    {}\n\nStop it with Ctrl+C here.".format(address))
        if not arguments.no_browser:
            webbrowser.open(address)
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        stop(server)


def stop(server):
    """End the server and wait for it, so that its kernels end too."""
    if server.poll() is None:
        server.terminate()
    try:
        server.wait(timeout=20)
    except subprocess.TimeoutExpired:
        server.kill()


# ---------------------------------------------------------------- tests and builds


def build_commands(python, arguments):
    """Return the commands that rebuild (or compare) the notebooks and the pictures."""
    check = [argument for argument in arguments if argument == "--check"]
    return [
        [str(python), "notebooks/build.py", *arguments],
        [str(python), "images/make.py", *check],
    ]


def test_sections(python, arguments):
    """Return [(name, heading, commands)]: every check of the course, narrowed by the arguments."""
    pytest = [str(python), "-m", "pytest"]
    spread = [*pytest, "-n", "2"]
    nbval = ["--nbval", "--nbval-current-env", "--nbval-kernel-startup-timeout=180"]
    lessons = ["notebooks/" + language for language in LANGUAGES]
    return [
        ("unit", "Package, exercises, lessons", [[*spread, "-m", "not browser", *arguments]]),
        ("build", "Notebooks and pictures fit their sources", build_commands(python, ["--check"])),
        ("nbval", "Lessons give their stored outputs", [[*spread, *nbval, *lessons, *arguments]]),
        (
            "browser",
            "JupyterLab in Chromium",
            [[*pytest, "-m", "browser", "tests/browser", *arguments]],
        ),
    ]


def split_test_arguments(arguments):
    """Split `unit nbval -k softmax` into the sections named and what pytest gets."""
    names = []
    while arguments and arguments[0] in ("unit", "build", "nbval", "browser"):
        names.append(arguments[0])
        arguments = arguments[1:]
    return names, list(arguments)


def test(arguments):
    """Set up with what the tests need, run every section and report at the end."""
    ensure_environment(ROOT, VENV, "test")
    names, rest = split_test_arguments(arguments)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        environ = test_environ(folder)
        for name, heading, commands in test_sections(venv_python(VENV), rest):
            if (names and name not in names) or (rest and name == "build" and not names):
                continue
            say("\n=== {}: {} ===".format(name, heading))
            begun = time.monotonic()
            codes = [subprocess.call(command, cwd=str(ROOT), env=environ) for command in commands]
            if rest:
                codes = [
                    0 if code == 5 else code for code in codes
                ]  # 5: nothing here has that name
            results.append((name, not any(codes), time.monotonic() - begun))
    say("\n=== Report ===")
    for name, passed, seconds in results:
        say("{:8s} {}  ({:.0f} s)".format(name, "passed" if passed else "FAILED", seconds))
    return 0 if all(passed for _, passed, _ in results) else 1


def test_environ(folder):
    """Return an environment in which nobody's own settings can change a result."""
    names = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    own = {name: str(Path(folder) / name.lower()) for name in names}
    # Two workers on two cores: more threads each would only wait for one another.
    return clean_environ(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", **own)


def build(arguments):
    """Rebuild the notebooks and pictures from their sources, or compare with --check."""
    ensure_environment(ROOT, VENV, "author")
    commands = build_commands(venv_python(VENV), arguments)
    codes = [subprocess.call(command, cwd=str(ROOT), env=clean_environ()) for command in commands]
    return 1 if any(codes) else 0


# ---------------------------------------------------------------- the command line


def say(text):
    """Print at once, also into a pipe."""
    print(text, flush=True)


def parse_start(arguments):
    """Parse the options of the plain command."""
    parser = argparse.ArgumentParser(
        prog="course.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the lessons")
    parser.add_argument("--port", type=int, help="port to serve on (default: a free one)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    return parser.parse_args(arguments)


def main(arguments):
    """Run one command and return its exit code."""
    try:
        check_python(sys.version_info)
        if arguments[:1] == ["test"]:
            return test(arguments[1:])
        if arguments[:1] == ["build"]:
            return build(arguments[1:])
        return start(parse_start(arguments))
    except Trouble as trouble:
        print("course.py: {}".format(trouble), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ncourse.py: stopped.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    # Ended from outside counts as Ctrl+C: the server it started must not stay behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
