"""A prediction in JupyterLab: by keyboard, in both languages, with nothing given away before."""

import json

import pytest

from attention_core.exercises.checking.lessons import find_question
from tests.browser.notebooks import write_notebook

ASKED = "07.1", "07.2"


@pytest.fixture
def questions(lesson, server):
    """Open the predictions of lesson 07 in one language; gives the page and the questions."""

    def opened(language):
        use = "from attention_core import use_language\n"
        use += f"from attention_core.exercises import predict, progress\nuse_language({language!r})"
        name = f"prediction_{language}"
        cells = (f"predict({key!r})" for key in ASKED)
        write_notebook(server, name, use, *cells, "progress('07')")
        lesson.open(name).run_all(veiled=True)
        found = lesson.page.locator(".prediction")
        found.nth(1).wait_for()
        return lesson, found

    return opened


def wait_for(view, state):
    """Wait until a prediction is in this state; say what it says."""
    view.page.wait_for_function(
        "([view, state]) => view.dataset.state === state", arg=[view.element_handle(), state]
    )
    return view.get_by_role("status").inner_text()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_answer_by_keyboard(questions, language):
    """Two wrong answers and the right one: a reply, then the reason; the first try counts."""
    lesson, found = questions(language)
    page, first, question = lesson.page, found.nth(0), find_question(ASKED[0])
    cells = page.locator(".jp-Cell").count()
    why = getattr(question.why, language)
    replies = [reply and getattr(reply, language) for reply in question.replies]
    wrong = [place for place, reply in enumerate(replies) if reply]
    assert not any(told in page.content() for told in (why, *filter(None, replies)))

    radios = first.get_by_role("radio")
    radios.first.focus()
    for letter in "abdx":
        page.keyboard.press(letter)
    assert page.locator(".jp-Cell").count() == cells, "a letter became a notebook shortcut"
    page.keyboard.press("Enter")
    assert first.get_by_role("status").inner_text(), "an empty answer gets a sentence"

    def answer(place):
        radios.nth(place).focus()
        page.keyboard.press("Space")
        assert first.get_by_role("status").inner_text() == "", "another choice, the old verdict"
        page.keyboard.press("Enter")

    answer(wrong[0])
    told = wait_for(first, "wrong")
    assert replies[wrong[0]] in told and why not in told
    answer(wrong[1])
    told = wait_for(first, "wrong")
    assert replies[wrong[1]] in told and why in told
    answer(question.answer)
    assert why in wait_for(first, "right")
    assert found.nth(1).get_attribute("data-state") == "open"

    listed = page.get_by_role("row").filter(has_text=ASKED[0])
    listed.filter(has_text="◐").wait_for()
    assert "◐" in lesson.execute("print(progress('07'))")
    lesson.assert_well()


def test_answer_by_mouse_and_names_for_screen_readers(questions):
    lesson, found = questions("en")
    second, question = found.nth(1), find_question(ASKED[1])
    asked = question.text.en.replace("`", "")
    assert second.get_by_role("group", name=asked).count() == 1
    wrong = question.options[(question.answer + 1) % len(question.options)]
    chosen = second.get_by_role("radio").nth(question.options.index(wrong))
    second.get_by_text(wrong.en, exact=True).click()
    assert chosen.is_checked()
    second.get_by_role("button", name="Answer", exact=True).click()
    wait_for(second, "wrong")
    lesson.assert_well()


RESTART = "window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()"
UNTESTED = """\
import os
for name in ("PYTEST_VERSION", "PYTEST_CURRENT_TEST"):
    os.environ.pop(name, None)
"""


def test_answers_survive_a_restart_and_are_seen_from_another_lesson(lesson, server):
    """The choice, its verdict, the lifted veil and the progress, from one file in work/."""
    page, work = lesson.page, server.root / "work"
    use = UNTESTED + "from attention_core.exercises import check, predict, progress"
    write_notebook(server, "work/en/kept", use, "predict('07.1')", "print('SEEN')")
    write_notebook(
        server, "work/zh/kept", use, "progress('07')", "predict('07.1')", "print('SEEN')"
    )
    (server.root / "course.py").write_text("")
    try:
        lesson.open("kept", "en").run_all(veiled=True)
        question = find_question("07.1")
        wrong = (question.answer + 1) % len(question.options)

        def answered(view):
            told = wait_for(view, "wrong")
            assert question.replies[wrong].en in told
            assert view.get_by_role("radio").nth(wrong).is_checked()
            page.wait_for_function("!document.querySelector('[data-veiled]')")

        view = page.locator(".prediction")
        page.wait_for_selector("[data-veiled]")
        view.get_by_role("radio").nth(wrong).check()
        view.get_by_role("button", name="Answer", exact=True).click()
        answered(view)
        page.evaluate(RESTART)
        lesson.run_all(veiled=True)
        answered(page.locator(".prediction"))
        tried = json.loads((work / "results.json").read_text("utf-8"))["07.1"]["tried"]
        assert tried == [question.options[wrong].en]

        lesson.shutdown()
        lesson.open("kept", "zh").run_all(veiled=True)
        answered(page.locator(".prediction"))
        page.get_by_role("row").filter(has_text="07.1").filter(has_text="✗").wait_for()
    finally:
        (server.root / "course.py").unlink()
        (work / "results.json").unlink(missing_ok=True)
