"""One server and one browser for the whole run, one context a test."""

import pytest

from tests.browser.chromium import MISSING, browser, find_chromium
from tests.browser.lesson import Lesson
from tests.browser.server import in_ci, jupyterlab
from tests.browser.stage import StagePage


def pytest_collection_modifyitems(items):
    """Mark everything in this folder, so that `-m "not browser"` leaves it out."""
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker("browser")


@pytest.fixture(scope="session")
def chromium():
    """The browser. Without one the tests say how to get it, and in CI they fail."""
    executable = find_chromium()
    if executable is None:
        (pytest.fail if in_ci() else pytest.skip)(MISSING)
    with browser(executable) as running:
        yield running


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """JupyterLab on a copy of the lessons."""
    with jupyterlab(tmp_path_factory.mktemp("jupyterlab")) as running:
        yield running


@pytest.fixture
def lesson(chromium, server):
    """A fresh page; its kernel ends with the test."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1000})
    opened = Lesson(context.new_page(), server)
    yield opened
    opened.shutdown()
    context.close()


@pytest.fixture
def show(chromium):
    """Put an explorer on a page of its own; at the end nothing may have complained."""
    open_pages = []

    def put(make, width=1112, **how):
        context = chromium.new_context(viewport={"width": width, "height": 900}, **how)
        stage = StagePage(context.new_page(), make())
        open_pages.append((context, stage))
        return stage

    yield put
    for context, stage in open_pages:
        complaints = list(stage.complaints)
        context.close()
        assert not complaints
