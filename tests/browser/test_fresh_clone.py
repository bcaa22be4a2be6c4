"""A lesson opened from a fresh clone: not trusted, nothing run yet, and still something to see."""

import json

import pytest

from tests.browser.server import ROOT

LESSONS = sorted(path.stem for path in (ROOT / "notebooks" / "en").glob("*.ipynb"))


def explorer_cells(language, name):
    """Positions of the cells whose stored output is the still form of an explorer."""
    notebook = json.loads((ROOT / "notebooks" / language / f"{name}.ipynb").read_text("utf-8"))
    return [
        position
        for position, cell in enumerate(notebook["cells"])
        if "_explorer(" in "".join(cell["source"]) and cell.get("outputs")
    ]


@pytest.mark.parametrize("name", LESSONS[::4])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_shows_a_picture_and_a_sentence(lesson, language, name):
    lesson.open(name, language)
    page = lesson.page
    cells = explorer_cells(language, name)
    assert cells
    sentence = {"en": "Run this cell to move the controls.", "zh": "运行这个单元格就能操作控件。"}
    for position in cells:
        output = page.locator(".jp-Cell").nth(position).locator(".jp-Cell-outputWrapper")
        output.get_by_text(sentence[language]).first.wait_for()
        assert output.locator("table, img").count() >= 1
    text = page.locator(".jp-Notebook").inner_text()
    for fault in ("model not found", "VBox(children", "Error displaying widget"):
        assert fault not in text
    lost = page.evaluate(
        "[...document.querySelectorAll('.jp-Notebook img')].filter(i => !i.naturalWidth).length"
    )
    assert lost == 0
    cells_coloured = page.evaluate(
        "[...document.querySelectorAll('.jp-OutputArea-output td')]"
        ".filter(td => td.style.backgroundColor).length"
    )
    pictures = page.locator(".jp-OutputArea-output img").count()
    assert cells_coloured or pictures
