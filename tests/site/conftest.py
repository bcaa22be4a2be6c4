"""The site, built once by the command that everyone uses, and served on the own machine."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from notebooks.site.serve import server
from tests.browser.conftest import chromium  # noqa: F401 (a fixture)

ROOT = Path(__file__).resolve().parents[2]


def pytest_collection_modifyitems(items):
    """Mark everything in this folder as needing a browser."""
    for item in items:
        if "tests/site" in item.path.as_posix():
            item.add_marker("browser")


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the built site; SITE names one that is built already."""
    if "SITE" in os.environ:
        return Path(os.environ["SITE"])
    out = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, "course.py", "site", "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="session")
def address(site):
    """Where the built site answers, with a slash at the end."""
    running = server(site)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{running.server_address[1]}/"
    running.shutdown()
    running.server_close()


@pytest.fixture
def page(chromium, address):  # noqa: F811
    """A fresh page that notes every request to another host in `page.foreign`."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1000})
    fresh = context.new_page()
    fresh.foreign = []
    inside = (address, "data:", "blob:")
    context.on("request", lambda r: r.url.startswith(inside) or fresh.foreign.append(r.url))
    yield fresh
    context.close()
