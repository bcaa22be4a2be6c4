"""course.py --teacher: a lesson for the projector, alone on the screen, with large explorers."""

import pytest

from tests.browser.lesson import Lesson
from tests.browser.server import jupyterlab

# A projector that shows little, and one that shows more.
SCREENS = [(1280, 720), (1920, 1080)]
LESSON = "08_causal_mask"
# What else JupyterLab shows, as far as it takes room.
BESIDE = """() => [...document.querySelectorAll(
    ".jp-SideBar, .jp-SidePanel, #jp-main-statusbar, .jp-cell-toolbar")]
  .filter(e => e.offsetWidth > 1 && e.offsetHeight > 1).map(e => e.id || e.className)"""
# Heights of a cell of a matrix and of a line of text.
SIZES = """() => ["[data-row]", ".jp-RenderedMarkdown p", ".attn-say"].map(what => {
  const e = document.querySelector(`.jp-Notebook ${what}`);
  return what === "[data-row]" ? e.getBoundingClientRect().height
    : parseFloat(getComputedStyle(e).fontSize) * e.currentCSSZoom;
})"""
CUT = """() => {
  const edge = document.querySelector(".jp-WindowedPanel-outer").getBoundingClientRect().right;
  return [...document.querySelectorAll(".attn-explorer *")]
    .filter(e => e.getBoundingClientRect().right > edge + 1).map(e => e.className);
}"""


@pytest.fixture(scope="module")
def projector(tmp_path_factory):
    with jupyterlab(tmp_path_factory.mktemp("teacher"), "--teacher") as running:
        yield running


def opened(chromium, server, size):
    """The lesson, run whole, on a screen of that size."""
    page = chromium.new_context(viewport=dict(zip(("width", "height"), size, strict=True)))
    return Lesson(page.new_page(), server).open(LESSON, "en").run_all()


@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_a_teacher_gets_one_lesson_alone_with_large_explorers(chromium, projector, server, size):
    large, usual = opened(chromium, projector, size), opened(chromium, server, size)
    assert large.page.evaluate("jupyterapp.shell.mode") == "single-document"
    assert large.page.evaluate(BESIDE) == []
    widths = [one.page.locator(".jp-Notebook").first.bounding_box() for one in (large, usual)]
    assert widths[0]["width"] > 0.99 * size[0] > widths[1]["width"]
    for big, small in zip(large.page.evaluate(SIZES), usual.page.evaluate(SIZES), strict=True):
        assert big >= 1.3 * small
    assert large.page.evaluate(CUT) == []
    for one in (large, usual):
        one.shutdown()
        one.page.context.close()


def test_a_large_explorer_is_pointed_at_where_it_is_seen(chromium, projector):
    lesson = opened(chromium, projector, SCREENS[0])
    explorer = lesson.explorers().first
    weights, cell = lesson.matrix("A"), lesson.matrix("M").cell(2, 3)
    before = weights.values()
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    lesson.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expected = before.copy()
    expected[2] = [1 / 3, 1 / 3, 1 / 3, 0]
    weights.wait_for(expected)
    explorer.get_by_role("radio", name="causal", exact=True).click()
    expected[:2, :] = [[1, 0, 0, 0], [0.5, 0.5, 0, 0]]
    weights.wait_for(expected)
    lesson.assert_well()
    lesson.shutdown()
    lesson.page.context.close()
