"""Lessons of the browser edition: each runs whole, its explorer answers, nothing is foreign."""

import os

import pytest

from notebooks.site.lessons import LANGUAGES, lessons
from tests.site.lesson import SiteLesson

# Five of each language: the first, three with matrices, one with curves.
SOME = ("00", "04", "06", "08", "11")

# Notes it when the progress is shown or hidden.
WATCH = """() => new MutationObserver(() => { sessionStorage.shown = "yes"; }).observe(
  document.getElementById("loading"), { attributes: true })"""


def chosen():
    """The lessons to run: five of each language, or all of them."""
    everything = [lesson for language in LANGUAGES for lesson in lessons(language)]
    if os.environ.get("COURSE_TEST_ALL") == "1":
        return everything
    return [lesson for lesson in everything if lesson.number in SOME]


@pytest.mark.parametrize("lesson", chosen(), ids=lambda lesson: f"{lesson.language}-{lesson.name}")
def test_lesson_runs_in_the_browser(page, address, lesson):
    opened = SiteLesson(page, address).open(lesson.name, lesson.language)
    opened.run_all()
    assert not opened.said_wrong()
    if opened.explorers().count():
        opened.move_an_explorer()
    opened.assert_well()
    assert not page.foreign


def test_landing_page_loads_and_opens_a_lesson(page, address):
    page.goto(address)
    for language in LANGUAGES:
        links = page.locator(f"section[lang={language}] a[data-lab]")
        assert links.count() == len(lessons(language))
    bar = page.get_by_role("progressbar")
    assert not bar.is_visible()
    links.first.click()
    bar.wait_for()
    page.wait_for_url("**/lab/**")
    SiteLesson(page, address).when_open()
    page.goto(address)
    page.evaluate(WATCH)
    page.locator("a[data-lab]").first.click()
    page.wait_for_url("**/lab/**")
    assert page.evaluate("sessionStorage.shown") is None, "what is loaded is loaded again"
    assert not page.foreign
