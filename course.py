"""Open the course, test it or rebuild it. Needs nothing but Python 3.11 or newer.

python3 course.py                 set up once, then open JupyterLab on lesson 00
python3 course.py --lang zh       the same in Chinese
python3 course.py --no-browser    print the address instead of opening a browser
python3 course.py --teacher       for a projector: one lesson alone, large type and explorers
python3 course.py test            run every check (test unit, test browser -k zh ... for a part)
python3 course.py build           rebuild notebooks and pictures (build --check only compares)
python3 course.py new NN_name     write the stubs of a new lesson and say what to do next
python3 course.py export 06       a lesson, with your work in it, as HTML in one file and as PDF
python3 course.py site            make a web site of the course (site --serve: and serve it here)
"""

# Standard library only, and only syntax that old Pythons can parse: they must get as far as the
# sentence that says they are too old. So: no annotations, no walrus, imports of new modules late.
import os
import sys

if __name__ == "__main__":
    # A learner's random.py beside this file must not be taken for Python's own.
    here = os.path.dirname(os.path.realpath(__file__))
    sys.path = [path for path in sys.path if os.path.realpath(path) != here]

import argparse
import ast
import contextlib
import errno
import hashlib
import importlib.util
import json
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

OLDEST_PYTHON = (3, 11)
LANGUAGES = ("en", "zh")
FIRST_LESSON = "00_overview.ipynb"

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
SITE_VENV = ROOT / ".venv-site"  # apart: JupyterLab would load the browser edition's extension
WORK = ROOT / "work"

# What a learner's start needs in the environment.
PACKAGES = ("pip", "jupyterlab", "numpy", "matplotlib", "ipywidgets", "anywidget")

# Variables that would bring in modules, settings, kernels or a plot window from outside.
FOREIGN = ("PYTHON", "JUPYTER", "JPY_", "IPY", "MATPLOTLIB", "MPL", "ANYWIDGET", "PIP_")
FOREIGN += ("VIRTUAL_ENV", "PYTEST_", "RUFF_")

# Every folder in which Jupyter, IPython and Matplotlib keep things; the user's own stay untouched.
OWN_FOLDERS = {
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    "IPYTHONDIR": "ipython",
    "MPLCONFIGDIR": "matplotlib",
}

LAB_SETTINGS = {
    # No question about news and no look-up of updates: the course needs no network to run.
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
    # A saved lesson reopens with its explorers, not with "model not found".
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
}

# What the user may tell pip: the way to a package index. All else is the course's to decide.
PIP_WAYS = ("index-url", "extra-index-url", "no-index", "find-links", "trusted-host", "proxy")
PIP_WAYS += ("cert", "client-cert", "timeout", "default-timeout", "keyring-provider", "cache-dir")

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
FULL_SIGNS = ("No space left on device", "Disk quota exceeded", "not enough space on the disk")

SAID = 77  # exit code of notebooks/serve.py: the user was told why


class Trouble(Exception):
    """Something the user can mend; the message is one sentence that says how."""


# ---------------------------------------------------------------- files


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


def lock_now(file):
    """Lock an open file for this process and its children; return False if others hold it."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Any other error: a disk that knows no locks, where two starts must not meet.
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
    return True


@contextlib.contextmanager
def set_up_lock(root):
    """Let one start at a time set up; the others say so and wait. Yields the locked file."""
    with open(str(root / ".course.lock"), "ab+") as file:
        if not lock_now(file):
            say("Another start is setting up the course: waiting until it is done ...")
            while not lock_now(file):
                time.sleep(0.2)
        yield file


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


def clean_environ(own, **more):
    """Return the variables for child processes: only the environment decides what is used.

    ``own`` is the folder in which Jupyter, IPython and Matplotlib keep their things.
    """
    environ = {
        name: value for name, value in os.environ.items() if not name.upper().startswith(FOREIGN)
    }
    environ.update({name: str(Path(own) / folder) for name, folder in OWN_FOLDERS.items()})
    environ.update(PYTHONNOUSERSITE="1", PYTHONUTF8="1", JUPYTER_PREFER_ENV_PATH="1")
    # Else a kernel whose debugger starts writes a warning about Python's own modules.
    environ.update(PYDEVD_DISABLE_FILE_VALIDATION="1")
    environ.update(more)
    return environ


def own_folder(venv):
    """Return the folder inside the environment for what would else lie in the user's home."""
    return venv / "own"


def venv_python(venv):
    """Return the path of the environment's interpreter."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def venv_works(venv, modules):
    """Return whether the environment's interpreter starts, is new enough and has the modules."""
    probe = (
        "import sys, importlib.util as util\n"
        "sys.exit(sys.version_info < {} or not all(map(util.find_spec, {})))"
    ).format(OLDEST_PYTHON, modules)
    command = [str(venv_python(venv)), "-I", "-c", probe]
    try:
        return (
            subprocess.call(command, env=clean_environ(own_folder(venv)), stderr=subprocess.DEVNULL)
            == 0
        )
    except OSError:
        return False


def wanted_packages(root, extra=None):
    """Return what gets installed: the requirements, and those of an extra of the package."""
    import tomllib

    lines = (root / "requirements.txt").read_text("utf-8").splitlines()
    # The package itself is linked, not installed: see link_package.
    packages = [line for line in lines if line and not line.startswith(("#", "-e"))]
    if extra:
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
        packages += project["optional-dependencies"][extra]
    return packages


def ensure_environment(root, venv, lock, extra=None):
    """Make the environment or bring it up to date; do nothing when it already is."""
    stamp, name = venv / "course-stamp.json", extra or "learner"
    packages = wanted_packages(root, extra)
    have = read_json(stamp)
    if not (have and venv_works(venv, PACKAGES)):
        have = {}
    if have.get(name) != packages:
        # Without its stamp an environment counts as half made: an interruption starts anew.
        with contextlib.suppress(FileNotFoundError):
            stamp.unlink()
        if not have:
            make_venv(venv, lock)
        try:
            install(venv, packages, lock, extra)
        except Trouble:
            if have:
                write_json(stamp, have)
            raise
        have.update({"learner": wanted_packages(root), name: packages})
        write_json(stamp, have)
    link_package(root, venv)


def make_venv(venv, lock):
    """Make an empty environment, clearing what a broken one left."""
    check_venv_module()
    say("Making the environment in {} ...".format(venv.name))
    # In two steps: on its own, venv hides what kept it from installing pip.
    bare = [sys.executable, "-m", "venv", "--clear", "--without-pip", str(venv)]
    pip = [str(venv_python(venv)), "-I", "-m", "ensurepip", "--default-pip"]
    for command in (bare, pip):
        made = run_quietly(command, clean_environ(own_folder(venv)), lock)
        if made.returncode:
            raise Trouble(
                explain_full(made.stdout)
                or "The environment {} could not be made; delete that folder and run the same "
                "command again (Python said: {}).".format(venv, last_line(made.stdout))
            )


def run_quietly(command, environ, lock):
    """Run a command that holds the lock to its end, even when the launcher is killed before."""
    return subprocess.run(
        command,
        env=environ,
        stdin=subprocess.DEVNULL if os.name == "nt" else lock,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )


def install(venv, packages, lock, extra=None):
    """Install the packages into the environment."""
    named = " for " + extra if extra else ""
    say("Installing the course{} (once; a minute or two) ...".format(named))
    command = [str(venv_python(venv)), "-P", "-m", "pip", "install", "--quiet", "--no-input"]
    command += ["--disable-pip-version-check", "--retries", "2", *packages]
    done = run_quietly(command, pip_environ(venv, lock), lock)
    if done.returncode:
        raise Trouble(explain_pip(done.stdout))
    # Matplotlib looks for fonts once: here, not with a warning in the first lesson.
    fonts = [str(venv_python(venv)), "-P", "-c", "import matplotlib.font_manager"]
    run_quietly(fonts, clean_environ(own_folder(venv)), lock)


def pip_environ(venv, lock):
    """Return variables for pip that keep the user's way to a package index, and nothing else."""
    theirs = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    files = {name: value for name, value in theirs.items() if name == "PIP_CONFIG_FILE"}
    command = [str(venv_python(venv)), "-P", "-m", "pip", "config", "list"]
    listed = run_quietly(
        command, clean_environ(own_folder(venv), **files), lock
    ).stdout.splitlines()
    ways = {"PIP_" + way.upper().replace("-", "_"): "" for way in PIP_WAYS}
    for section in ("global.", "install."):
        for line in listed:
            name, _, value = line.partition("=")
            variable = "PIP_" + name[len(section) :].upper().replace("-", "_")
            if name.startswith(section) and variable in ways:
                ways[variable] = ast.literal_eval(value)
    ways.update({name: value for name, value in theirs.items() if value and name in ways})
    ways = {name: value for name, value in ways.items() if value}
    return clean_environ(own_folder(venv), PIP_CONFIG_FILE=os.devnull, **ways)


def link_package(root, venv):
    """Let the environment find attention_core by a relative path, which a moved folder keeps."""
    places = list(venv.glob("Lib/site-packages")) or list(venv.glob("lib/python*/site-packages"))
    for place in places:
        link = place / "attention_course.pth"
        path = os.path.relpath(str(root), str(place)) + "\n"
        if not link.exists() or link.read_text("utf-8") != path:
            write_whole(link, path.encode("utf-8"))
        # Left by a pip install -e: it names the place where the folder was then.
        for old in place.glob("__editable__*attention_core*"):
            old.unlink()


def explain_full(output):
    """Return one sentence if the disk is full, or None."""
    for sign in FULL_SIGNS:
        if sign in output:
            return (
                "The disk is full ({}): free about 1 GB where {} lies and in the folder for "
                "temporary files, and run the same command again.".format(sign, ROOT)
            )
    return None


def explain_pip(output):
    """Return one sentence for a failed installation, with pip's own last word."""
    if explain_full(output):
        return explain_full(output)
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
    """Return the last line that names an error, or the last line of any kind."""
    # pip's headlines say only that some other program failed; the cause stands above them.
    headlines = ("subprocess-exited-with-error", "metadata-generation-failed", "Failed to build")
    lines = [line.strip(" │╰─>×") for line in output.splitlines()]
    lines = [line for line in lines if line and not any(word in line for word in headlines)]
    errors = [line for line in lines if line.lower().startswith("error:")]
    errors = errors or [line for line in lines if "Error: " in line]
    return (errors or lines or ["nothing"])[-1].rstrip(".")


def explain_os_error(error):
    """Return one sentence for a file that could not be read or written."""
    where = error.filename2 or error.filename or ROOT
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return explain_full(FULL_SIGNS[0])
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return (
            "{} may not be written by you: copy the folder {} to a place of your own (without "
            ".venv) and start course.py there.".format(where, ROOT)
        )
    return "{}: {}; mend that and run the same command again.".format(where, error.strerror)


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


def listed(notebooks):
    """Return the file names of the lessons, in the order of the course."""
    import tomllib  # as new as the oldest Python of the course

    entries = tomllib.loads((notebooks / "lessons.toml").read_text(encoding="utf-8"))["lesson"]
    return [entry["name"] + ".ipynb" for entry in entries]


def copy_lessons(notebooks, work):
    """Bring the learner's copies up to date; return the changed ones that were kept as they are.

    A copy is replaced only while its sources are those that were copied there: a lesson with a
    learner's work in it, or one nobody can vouch for, is never written to.
    """
    manifest = work / ".lessons.json"
    copied, kept = read_json(manifest), []
    for language in LANGUAGES:
        for lesson in (notebooks / language / name for name in listed(notebooks)):
            if not lesson.exists():
                continue
            name = language + "/" + lesson.name
            shipped, copy = lesson.read_bytes(), work / language / lesson.name
            new = {"file": hashlib.sha256(shipped).hexdigest(), "sources": source_digest(shipped)}
            old = copied.get(name, {})
            with contextlib.suppress(FileNotFoundError):  # half of a copy that was interrupted
                copy.with_name(copy.name + ".part").unlink()
            if not copy.exists():
                write_whole(copy, shipped)
                copied[name] = new
                continue
            if old == new:
                continue
            mine = source_digest(copy.read_bytes())
            if mine is not None and mine == old.get("sources"):
                write_whole(copy, shipped)
                copied[name] = new
            elif mine is not None and mine == new["sources"]:
                copied[name] = new  # a copy whose record was lost
            else:
                kept.append(name)
    if copied != read_json(manifest):
        write_json(manifest, copied)
    return kept


# ---------------------------------------------------------------- JupyterLab


def write_lab_settings(venv):
    """Put the course's JupyterLab settings where they apply to this environment only."""
    write_json(venv / "share/jupyter/lab/settings/overrides.json", LAB_SETTINGS)


def start(arguments):
    """Set up, copy the lessons and serve them until Ctrl+C."""
    lesson = "work/{}/{}".format(arguments.lang, FIRST_LESSON)
    if not (ROOT / "notebooks" / arguments.lang / FIRST_LESSON).exists():
        raise Trouble(
            "notebooks/{}/{} is missing: get the course again, or build it with python3 course.py "
            "build.".format(arguments.lang, FIRST_LESSON)
        )
    with set_up_lock(ROOT) as lock:
        ensure_environment(ROOT, VENV, lock)
        for name in copy_lessons(ROOT / "notebooks", WORK):
            say(
                "work/{} holds your changes and stays as it is, though the lesson is newer: rename "
                "yours to get the new one.".format(name)
            )
        write_lab_settings(VENV)
    options = [] if arguments.port is None else ["--port", str(arguments.port)]
    options += ["--no-browser"] if arguments.no_browser else []
    options += ["--teacher"] if arguments.teacher else []
    return serve(venv_python(VENV), ROOT, own_folder(VENV), [lesson, *options])


def serve(python, root, own, options):
    """Run notebooks/serve.py until it ends or we do; return the exit code."""
    runtime = own / OWN_FOLDERS["JUPYTER_RUNTIME_DIR"]
    runtime.mkdir(parents=True, exist_ok=True)
    runtime = tempfile.mkdtemp(prefix="server-", dir=str(runtime))  # for its owner only
    # The server lives until its standard input is closed: it ends with us, even if we are killed.
    server = subprocess.Popen(
        [str(python), "-P", str(ROOT / "notebooks" / "serve.py"), str(root), *options],
        cwd=str(root),
        env=clean_environ(own, JUPYTER_RUNTIME_DIR=runtime),
        stdin=subprocess.PIPE,
    )
    try:
        code = server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        stop(server)
        shutil.rmtree(runtime, ignore_errors=True)
    if code not in (0, SAID):
        raise Trouble(
            "JupyterLab stopped (exit code {}): what it printed above says why; deleting .venv and "
            "starting again makes a new one, and what you saved is in work/.".format(code)
        )
    return 1 if code else 0


def stop(server):
    """End the server and wait for it, so that its kernels end too."""
    server.stdin.close()
    try:
        server.wait(timeout=20)
    except subprocess.TimeoutExpired:
        server.kill()


# ---------------------------------------------------------------- the other commands


def run_with(extra, *commands, venv=VENV, **more):
    """Set up with an extra of the package and run commands of its Python; return the exit code."""
    with set_up_lock(ROOT) as lock:
        ensure_environment(ROOT, venv, lock, extra)
    with tempfile.TemporaryDirectory() as own:
        # Nobody's own settings can change a result. Two workers on two cores: more threads each
        # would only wait for one another.
        fonts = str(own_folder(venv) / OWN_FOLDERS["MPLCONFIGDIR"])  # found once, not every time
        environ = clean_environ(
            own, MPLCONFIGDIR=fonts, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", **more
        )
        python = [str(venv_python(venv)), "-P"]
        codes = [
            subprocess.call(python + list(command), cwd=str(ROOT), env=environ)
            for command in commands
        ]
    return next(filter(None, codes), 0)


def test(arguments):
    """Run every check, or those that are named."""
    return run_with("test", ["-m", "tests", *arguments])


def build(arguments):
    """Rebuild the notebooks and pictures from their sources, or compare with --check."""
    check = [argument for argument in arguments if argument == "--check"]
    return run_with("author", ["notebooks/build.py", *arguments], ["images/make.py", *check])


def site(arguments):
    """Make the web site: the lessons to run in a browser, with nothing to install."""
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    return run_with("site", ["-m", "notebooks.site", *arguments], venv=SITE_VENV, **pip)


def new(arguments):
    """Write the stubs of a new lesson: course.py new NN_name."""
    return subprocess.call([sys.executable, str(ROOT / "notebooks" / "new.py"), *arguments])


def export(arguments):
    """Write a lesson as HTML and PDF."""
    return run_with(None, ["-m", "notebooks.site.export", *arguments])


# The first word of a command line -> what does it with the rest; no such word: start.
COMMANDS = {"test": test, "build": build, "new": new, "site": site, "export": export}


# ---------------------------------------------------------------- the command line


def say(text):
    """Print at once, also into a pipe."""
    print(text, flush=True)


def port_number(text):
    """Return a port as a number, for argparse."""
    if not (text.isdecimal() and int(text) < 65536):
        raise argparse.ArgumentTypeError("a port is a whole number from 0 to 65535")
    return int(text)


def parse_start(arguments):
    """Parse the options of the plain command."""
    parser = argparse.ArgumentParser(
        prog="course.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the lessons")
    parser.add_argument("--port", type=port_number, help="port to serve on (default: a free one)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--teacher", action="store_true", help="one lesson, large, for a projector")
    return parser.parse_args(arguments)


def main(arguments):
    """Run one command and return its exit code."""
    try:
        check_python(sys.version_info)
        if arguments and arguments[0] in COMMANDS:
            return COMMANDS[arguments[0]](arguments[1:])
        return start(parse_start(arguments))
    except Trouble as trouble:
        print("course.py: {}".format(trouble), file=sys.stderr)
        return 1
    except OSError as error:
        print("course.py: {}".format(explain_os_error(error)), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ncourse.py: stopped.", file=sys.stderr)
        return 130


def end_on_signals():
    """Count an ending from outside as Ctrl+C: the server must not stay behind."""
    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:  # not under nohup
            signal.signal(number, signal.default_int_handler)


if __name__ == "__main__":
    end_on_signals()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a folder's name that the terminal cannot print
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
