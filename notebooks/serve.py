"""Serve the course in JupyterLab: course.py runs this with the environment's Python.

    python notebooks/serve.py ROOT PAGE [--port N] [--no-browser] [--teacher] [JupyterLab's options]

Prints the address once the server answers there. Ends when its standard input is closed, and so
with the launcher, however that ended. Only this process knows the token: no command line, no
variable that a kernel could read, no file that another user could.
"""

import argparse
import errno
import os
import platform
import secrets
import shutil
import signal
import sys
import threading
import urllib.request
import webbrowser
from pathlib import Path

from jupyter_core import paths
from tornado.netutil import bind_sockets
from traitlets.config import Config

HOST = "127.0.0.1"
USUAL_PORTS = range(8888, 8988)
SAID = 77  # exit code: the user was told why

# What the machine's administrator set for other JupyterLabs is not for the course.
paths.SYSTEM_CONFIG_PATH.clear()
paths.SYSTEM_JUPYTER_PATH.clear()

from jupyter_server.serverapp import ServerApp  # noqa: E402
from jupyterlab.labapp import LabApp  # noqa: E402

from attention_core.exercises.predictions.lab_extension import write_extension  # noqa: E402


def listen(asked):
    """Return the sockets of the asked port, or of the first free one from the usual one up."""
    for port in (*USUAL_PORTS, 0) if asked is None else (asked,):
        try:
            return bind_sockets(port, HOST)
        except OSError as error:
            if asked is not None:
                complain(port, error)
    raise AssertionError("port 0 is always free")


def complain(port, error):
    """End with a sentence about a port that cannot be had."""
    if error.errno == errno.EACCES:
        why = f"Port {port} may only be used by the system: choose one above 1023 with --port"
    else:
        why = f"Port {port} is taken by another program: choose another with --port"
    print(f"course.py: {why}, or leave --port out and the course finds one.", file=sys.stderr)
    raise SystemExit(SAID)


class Server(ServerApp):
    """A server that is handed its sockets, so that nobody can take the port in between."""

    sockets = ()
    broken = False  # JupyterLab does not show its page
    ending = False  # somebody wants it to end
    no_browser_open_file = True  # that file would hold the token

    def _find_http_port(self):
        self.port = self.sockets[0].getsockname()[1]

    def _bind_http_server_tcp(self):
        self.http_server.add_sockets(self.sockets)
        return True

    def write_server_info_file(self):
        """Write nothing: the file would hold the token."""


def make_server(root, sockets, token, options):
    """Return JupyterLab on the project folder, ready to start."""
    Server.sockets = sockets
    LabApp.serverapp_class = Server
    arguments = [
        f"--ServerApp.ip={HOST}",
        f"--ServerApp.root_dir={root}",
        "--ServerApp.open_browser=False",
        "--ServerApp.allow_root=True",
        "--LabApp.news_url=",
        "--LabApp.extension_manager=readonly",
        "--log-level=WARN",
    ]
    secret = Config(
        IdentityProvider={"token": token},
        ServerApp={"cookie_secret": secrets.token_bytes(32)},
    )
    return LabApp.initialize_server([*arguments, *options], config=secret)


def for_projector():
    """Lay the teacher's style sheet where JupyterLab looks; return the options that use it."""
    sheet = Path(paths.jupyter_config_dir()) / "custom" / "custom.css"
    sheet.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(Path(__file__).with_name("teacher.css"), sheet)
    return ["--LabApp.custom_css=True"]


def end_with_launcher(server):
    """Stop the server on any signal, and when the launcher's end of the pipe is closed."""

    def end(*_):
        server.ending = True
        server.stop(from_signal=True)

    def wait():
        while os.read(sys.stdin.fileno(), 1024):  # sys.stdin.read would be locked at our end
            pass
        end()

    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
    threading.Thread(target=wait, daemon=True).start()


def announce(server, page, token, browser, view):
    """Print the address, and open it, as soon as JupyterLab's page is there for the token."""
    address = f"http://{HOST}:{server.port}/{view}/tree/{page}?token={token}"
    try:
        # The own machine is never behind a proxy.
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address).close()
    except OSError as error:
        if server.ending:
            return
        print(f"JupyterLab does not show its page: {error}", file=sys.stderr)
        server.broken = True
        server.stop(from_signal=True)
        return
    print(f"The course is open at\n\n    {address}\n\nStop it with Ctrl+C here.", flush=True)
    if browser:
        open_browser(address)


def open_browser(address):
    """Open the address through a page of ours: a browser's command line is for all to read."""
    if "microsoft" in platform.release().lower():
        webbrowser.open(address)  # a Windows browser cannot read a file of the Linux beside it
        return
    page = Path(paths.jupyter_runtime_dir()) / "open.html"
    page.touch(mode=0o600)
    page.write_text(f'<meta http-equiv="refresh" content="0; url={address}">', encoding="utf-8")
    webbrowser.open(page.as_uri())


def main():
    """Serve until the launcher ends; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("page")
    parser.add_argument("--port", type=int)
    parser.add_argument("--no-browser", action="store_true")
    parser.add_argument("--teacher", action="store_true")
    chosen, options = parser.parse_known_args()
    write_extension(Path(paths.jupyter_data_dir()))
    token = secrets.token_hex(24)
    options += for_projector() if chosen.teacher else []
    view = "doc" if chosen.teacher else "lab"  # doc: one lesson alone on the screen
    server = make_server(chosen.root, listen(chosen.port), token, options)
    end_with_launcher(server)
    told = threading.Thread(
        target=announce,
        args=(server, chosen.page, token, not chosen.no_browser, view),
        daemon=True,
    )
    server.io_loop.add_callback(told.start)
    server.start()
    shutil.rmtree(paths.jupyter_runtime_dir(), ignore_errors=True)
    return 1 if server.broken else 0


if __name__ == "__main__":
    sys.exit(main())
