"""Each lesson as a talk: what the rule makes of its cells, and that a tag says otherwise."""

import pytest

from notebooks.site.lessons import LANGUAGES, lessons, read
from notebooks.site.talk import slide_of, slides_of

TALKS = {
    f"{language}-{lesson.name}": read(lesson.path)["cells"]
    for language in LANGUAGES
    for lesson in lessons(language)
}


@pytest.mark.parametrize("name", TALKS)
def test_a_lesson_is_a_talk(name):
    cells, marks = TALKS[name], slides_of(TALKS[name])
    assert marks[0] == "slide"
    slides = sum(mark in ("slide", "subslide", "fragment") for mark in marks)
    assert 5 <= marks.count("slide") < slides <= 50
    shown = [cell["source"] for cell, mark in zip(cells, marks, strict=True) if mark != "skip"]
    assert not [source for source in shown if "check(" in source or "use_language(" in source]
    asked = [n for n, cell in enumerate(cells) if cell["source"].startswith("predict(")]
    for n in asked:  # the next output stays away until the next key
        later = zip(cells[n + 1 :], marks[n + 1 :], strict=True)
        answer = next(mark for cell, mark in later if cell["cell_type"] == "code")
        assert answer in ("fragment", "skip"), cells[n]["source"]
    folded = [n for n, cell in enumerate(cells) if cell["source"].startswith("<details>")]
    assert folded and all(marks[n] == "notes" for n in folded)


def test_a_tag_says_otherwise():
    cell = {"cell_type": "markdown", "source": "We see.", "metadata": {}}
    assert slide_of(cell) == "follows"
    assert slide_of({**cell, "metadata": {"tags": ["subslide"]}}) == "subslide"
    assert slide_of({**cell, "source": "## A step"}) == "slide"
