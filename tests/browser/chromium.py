"""The browser: Debian's Chromium (or the one CHROMIUM names), driven by Playwright."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

MISSING = (
    "Chromium is missing, and the browser tests need it: install it (Debian, Ubuntu: sudo apt "
    "install chromium) or name one in the environment variable CHROMIUM."
)
NAMES = ("chromium", "chromium-browser", "google-chrome")
# Nothing but the page under test may use the network or ask a question.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium():
    """Return the path of a Chromium, or None."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named if Path(named).exists() else shutil.which(named)
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def browser(executable):
    """Run one headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        try:
            yield chromium
        finally:
            chromium.close()
