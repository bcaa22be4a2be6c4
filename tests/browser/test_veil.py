"""What follows a prediction stays out of sight until an answer is given or "show" is pressed."""

import json
import re

import pytest

from tests.browser.notebooks import write_notebook

SET_UP = "from attention_core.exercises import check, predict, progress"
# The third item says what a reader may see before an answer: a cell's words in capitals.
CELLS = [
    ("code", SET_UP, ""),
    ("prose", "INTRODUCTION", ""),
    ("code", "print('BE' + 'FORE')", "BEFORE\n"),
    ("code", "predict('07.1')", "static form"),
    ("prose", "VEILED INTRODUCTION", ""),
    ("code", "quiet = 1", ""),
    ("code", "print('VEILED ' + 'ONE')", "VEILED ONE\n"),
    ("prose", "VEILED EXPLANATION", ""),
    ("code", "print('VEILED ' + 'TWO')", "VEILED TWO\n"),
    ("prose", "## HEADING", ""),
    ("code", "print('FREE ' + 'ONE')", "FREE ONE\n"),
    ("code", "predict('07.2')", "static form"),
    ("prose", "## HEADING TWO", ""),
    ("code", "print('VEILED ' + 'THREE')", "VEILED THREE\n"),
    ("code", "predict('07.3')", "static form"),
    ("prose", "BETWEEN TWO QUESTIONS", ""),
    ("code", "predict('07.4')", "static form"),
    ("code", "print('VEILED ' + 'FOUR')", "VEILED FOUR\n"),
    ("code", "check('softmax_rows', ...)", "○\n"),
    ("prose", "AFTER THE EXERCISE", ""),
    ("code", "print('FREE ' + 'TWO')", "FREE TWO\n"),
]
SHOW = re.compile("^(Show without answering|不作答，直接看结果)$")
ALWAYS = [
    "INTRODUCTION",
    "BEFORE",
    "HEADING",
    "FREE ONE",
    "HEADING TWO",
    "BETWEEN TWO QUESTIONS",
    "AFTER THE EXERCISE",
    "FREE TWO",
]
OF_FIRST = ["VEILED INTRODUCTION", "VEILED ONE", "VEILED EXPLANATION", "VEILED TWO"]

# The capitals on the page that a reader can see: rendered prose and outputs, not code.
IN_SIGHT = """() => [...document.querySelectorAll(
    '.jp-Notebook .jp-RenderedMarkdown, .jp-Notebook .jp-RenderedText')]
  .filter(node => { const box = node.getBoundingClientRect(), style = getComputedStyle(node);
    return box.height > 0 && style.visibility === 'visible' && node.closest('.jp-Cell').isConnected
      && node.checkVisibility() })
  .map(node => node.textContent.trim().replace('¶', ''))
  .filter(text => /^[A-Z ]+$/.test(text))"""


def write(server, name, stored):
    """A notebook of prose and code, with stored outputs or without."""
    write_notebook(server, name, *(source for _, source, _ in CELLS))
    path = server.root / f"{name}.ipynb"
    whole = json.loads(path.read_text("utf-8"))
    for cell, (kind, _, output) in zip(whole["cells"], CELLS, strict=True):
        if kind == "prose":
            cell["cell_type"] = "markdown"
            del cell["outputs"], cell["execution_count"]
        elif stored and output:
            cell["execution_count"] = 1
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": output}]
    path.write_text(json.dumps(whole), "utf-8")


def in_sight(page, wanted):
    """Wait until exactly these words can be seen, in any order; say which can if they never are."""
    try:
        page.wait_for_function(
            f"wanted => JSON.stringify(({IN_SIGHT})().sort()) === JSON.stringify(wanted)",
            arg=sorted(wanted),
            timeout=15_000,
        )
    except Exception:
        raise AssertionError(f"seen {page.evaluate(IN_SIGHT)}, wanted {wanted}") from None


@pytest.fixture
def opened(lesson, server):
    """The notebook in JupyterLab."""

    def at(name, stored=False):
        write(server, name, stored)
        lesson.open(name)
        return lesson

    return at


def run(lesson, *places):
    """Run single cells, as a reader does with Shift+Enter."""
    for place in places:
        lesson.page.evaluate(
            """async place => {
              const content = window.jupyterapp.shell.currentWidget.content;
              content.deselectAll();
              content.activeCellIndex = place;
              await window.jupyterapp.commands.execute('notebook:run-cell');
            }""",
            place,
        )


def show(lesson, number):
    """Press the button that shows the results without an answer."""
    views = lesson.page.locator(".prediction")
    views.nth(number).get_by_role("button", name=SHOW).press("Enter")


def test_live(opened):
    """Run All veils the results; an answer or the button shows those of its own prediction."""
    lesson = opened("veil_live").run_all(veiled=True)
    page = lesson.page
    in_sight(page, ALWAYS)
    first = page.locator(".prediction").first
    first.get_by_role("radio").nth(2).check()
    in_sight(page, ALWAYS)
    first.get_by_role("button", name="Answer", exact=True).click()
    in_sight(page, [*ALWAYS, *OF_FIRST])
    assert first.get_by_role("button").count() == 1, "nothing is left to show"
    show(lesson, 1)
    in_sight(page, [*ALWAYS, *OF_FIRST, "VEILED THREE"])
    show(lesson, 2)
    in_sight(page, [*ALWAYS, *OF_FIRST, "VEILED THREE"])
    show(lesson, 3)
    in_sight(page, [*ALWAYS, *OF_FIRST, "VEILED THREE", "VEILED FOUR"])
    lesson.assert_well()


def test_answered_before(opened):
    """Run again, an answered prediction hides nothing."""
    lesson = opened("veil_again").run_all(veiled=True)
    first = lesson.page.locator(".prediction").first
    first.get_by_role("radio").nth(1).check()
    first.get_by_role("button", name="Answer", exact=True).click()
    in_sight(lesson.page, [*ALWAYS, *OF_FIRST])
    lesson.run_all(veiled=True)
    in_sight(lesson.page, [*ALWAYS, *OF_FIRST])
    assert lesson.page.locator(".prediction").first.get_by_role("radio").nth(1).is_checked()


def test_stored_outputs(opened):
    """As soon as a prediction runs, stored results below it go out of sight."""
    lesson = opened("veil_stored", stored=True)
    later = ["VEILED THREE", "VEILED FOUR"]
    in_sight(lesson.page, [*ALWAYS, *OF_FIRST, *later])
    run(lesson, 0, 3)
    in_sight(lesson.page, [*ALWAYS, *later])
    run(lesson, 6)
    in_sight(lesson.page, [*ALWAYS, *later])
    show(lesson, 0)
    in_sight(lesson.page, [*ALWAYS, *OF_FIRST, *later])


def test_cells_run_one_by_one(opened):
    """A result that appears below an open prediction appears veiled."""
    lesson = opened("veil_steps")
    prose = [words for kind, words, _ in CELLS if kind == "prose" and words.isupper()]
    run(lesson, 0, 2, 3, 6, 10)
    seen = [word.replace("#", "").strip() for word in prose]
    seen = [word for word in seen if not word.startswith("VEILED")]
    in_sight(lesson.page, [*seen, "BEFORE", "FREE ONE"])


def test_the_veil_goes_with_its_prediction(opened):
    """A deleted or cleared prediction hides nothing."""
    lesson = opened("veil_gone").run_all(veiled=True)
    in_sight(lesson.page, ALWAYS)
    lesson.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 3")
    lesson.page.evaluate("window.jupyterapp.commands.execute('notebook:delete-cell')")
    in_sight(lesson.page, [*ALWAYS, *OF_FIRST])
    lesson.page.evaluate("window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
    lesson.page.wait_for_function("!document.querySelector('[data-veiled]')")


@pytest.mark.parametrize("mode", ["full", "defer", "contentVisibility"])
def test_windowed_notebooks(mode, opened):
    """Where only the cells in sight are in the page, scrolling shows nothing it should not."""
    lesson = opened(f"veil_{mode}")
    page = lesson.page
    page.set_viewport_size({"width": 1000, "height": 420})
    page.evaluate(
        """mode => { const content = window.jupyterapp.shell.currentWidget.content;
        content.notebookConfig = { ...content.notebookConfig, windowingMode: mode }; }""",
        mode,
    )
    lesson.run_all(veiled=True)
    seen = set()
    for place in [*range(len(CELLS)), *reversed(range(len(CELLS)))]:
        page.evaluate(
            "place => window.jupyterapp.shell.currentWidget.content.scrollToItem(place, 'center')",
            place,
        )
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 60)))")
        seen |= set(page.evaluate(IN_SIGHT))
    assert seen == set(ALWAYS)
    page.evaluate("window.jupyterapp.shell.currentWidget.content.scrollToItem(3, 'center')")
    show(lesson, 0)
    for word in OF_FIRST:
        place = next(i for i, cell in enumerate(CELLS) if word in (cell[1], cell[2].strip()))
        page.evaluate(
            "place => window.jupyterapp.shell.currentWidget.content.scrollToItem(place, 'center')",
            place,
        )
        page.wait_for_function(f"word => ({IN_SIGHT})().includes(word)", arg=word)


def test_hidden_from_ear_and_keyboard_too(opened):
    """What is veiled is not read out, cannot be reached, and a sentence stands in its place."""
    lesson = opened("veil_ear").run_all(veiled=True)
    in_sight(lesson.page, ALWAYS)
    tree = lesson.page.locator(".jp-Notebook").aria_snapshot()
    assert "FREE ONE" in tree and "VEILED" not in tree.replace("'VEILED '", "")
    cell = lesson.page.locator(".jp-CodeCell").nth(4)
    said = cell.evaluate("cell => getComputedStyle(cell, '::after').content")
    assert "Hidden until you answer" in said


def veiled_places(page):
    """The places of the cells that are out of sight."""
    return page.evaluate(
        """() => [...document.querySelectorAll('.jp-Notebook .jp-Cell')]
          .map((cell, place) => [cell, place])
          .filter(([cell]) => cell.dataset.veiled && cell.classList.contains('jp-CodeCell'))
          .map(([, place]) => place)"""
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_lesson_that_was_never_run(language, lesson, server):
    """The stored results below each stored question are out of sight, from the first moment."""
    lesson.open("07_softmax", language)
    page = lesson.page
    cells = json.loads((server.root / f"work/{language}/07_softmax.ipynb").read_text("utf-8"))
    asked = [i for i, cell in enumerate(cells["cells"]) if "predict(" in "".join(cell["source"])]
    asked = [i for i in asked if cells["cells"][i]["cell_type"] == "code"]
    page.wait_for_function(
        "count => document.querySelectorAll('.prediction-show:not([hidden])').length === count",
        arg=len(asked),
    )
    before = veiled_places(page)
    for place in asked:
        following = [
            i
            for i in range(place + 1, len(cells["cells"]))
            if cells["cells"][i].get("outputs") and i not in asked
        ]
        assert following[0] in before, f"the result below cell {place} is in sight"
    assert before[0] > asked[0], "what comes before the first question can be seen"

    page.locator(".prediction-show").first.press("Enter")
    page.wait_for_function("!document.querySelector('.prediction-show').checkVisibility()")
    after = veiled_places(page)
    assert set(after) < set(before) and asked[0] + 1 not in after
    lesson.run_all(veiled=True)
    page.wait_for_function("!document.querySelector('.prediction-show')")
    show(lesson, 0)
    page.wait_for_function(
        "place => !document.querySelectorAll('.jp-Notebook .jp-Cell')[place].dataset.veiled",
        arg=asked[0] + 1,
    )
    lesson.assert_well()
