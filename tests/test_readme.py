"""The README: its links lead somewhere, its table says which lessons are there."""

import re

from course import LANGUAGES
from tests.lessons import LISTED
from tests.test_course import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def test_every_link_leads_to_a_file():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_table_has_a_row_for_every_lesson_and_links_all_that_are_there():
    rows = re.findall(r"^\| (\d\d) \| (.+) \| (.+) \|$", README, re.MULTILINE)
    assert [number for number, *_ in rows] == [lesson.number for lesson in LISTED]
    there = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("notebooks/*/*.ipynb")}
    assert set(re.findall(r"\]\((notebooks/[^)]+\.ipynb)\)", README)) == there
    for number, *titles in rows:
        for language, title in zip(LANGUAGES, titles, strict=True):
            for path in there:
                if path.startswith(f"notebooks/{language}/{number}_"):
                    assert title.endswith(f"({path})")


def test_every_complaint_of_the_launcher_has_a_row():
    source = "".join(
        (ROOT / name).read_text("utf-8") for name in ("course.py", "notebooks/serve.py")
    )
    for words in (
        "but the course needs",
        "This Python has no",
        "The package index cannot be reached",
        "The installation failed",
        "is taken",
        "may only be used by the system",
        "The disk is full",
        "may not be written by you",
        "Another start is setting up the course",
        "JupyterLab stopped",
    ):
        assert words in source
        assert words in README
