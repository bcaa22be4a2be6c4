"""A prediction in JupyterLab: by keyboard, in both languages, with nothing given away before."""

import pytest

from attention_core.exercises.checking.lessons import find_question
from tests.browser.notebooks import write_notebook

WRONG, RIGHT = ".prediction[data-state=wrong]", ".prediction[data-state=right]"


@pytest.fixture
def questions(lesson, server):
    """Open the predictions of lesson 07 in one language; gives the page and the questions."""

    def opened(language):
        use = "from attention_core import use_language\n"
        use += f"from attention_core.exercises import predict, progress\nuse_language({language!r})"
        name = f"prediction_{language}"
        write_notebook(server, name, use, "predict('07.1')", "predict('07.2')")
        lesson.open(name).run_all()
        found = lesson.page.locator(".prediction")
        found.nth(1).wait_for()
        return lesson, found

    return opened


@pytest.mark.parametrize("language", ["en", "zh"])
def test_answer_by_keyboard(questions, language):
    lesson, found = questions(language)
    page, first = lesson.page, found.nth(0)
    cells = page.locator(".jp-Cell").count()
    why = getattr(find_question("07.1").why, language)
    assert why not in page.content()

    first.get_by_role("radio").first.focus()
    for letter in "abdx":
        page.keyboard.press(letter)
    assert page.locator(".jp-Cell").count() == cells, "a letter became a notebook shortcut"
    page.keyboard.press("Enter")
    assert first.get_by_role("status").inner_text(), "an empty answer gets a sentence"
    assert why not in page.content()

    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_selector(WRONG)
    assert why in first.get_by_role("status").inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector(RIGHT)
    assert found.nth(1).get_attribute("data-state") == "open"
    assert "✓" in lesson.execute("progress('07')")
    lesson.assert_well()


def test_answer_by_mouse_and_names_for_screen_readers(questions):
    lesson, found = questions("en")
    second, question = found.nth(1), find_question("07.2")
    asked = question.text.en.replace("`", "")
    assert second.get_by_role("group", name=asked).count() == 1
    wrong = question.options[(question.answer + 1) % len(question.options)]
    chosen = second.get_by_role("radio").nth(question.options.index(wrong))
    second.get_by_text(getattr(wrong, "en", wrong), exact=True).click()
    assert chosen.is_checked()
    second.get_by_role("button", name="Answer").click()
    lesson.page.wait_for_selector(WRONG)
    lesson.assert_well()
