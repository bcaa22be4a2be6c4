"""The harness itself: it must see what goes wrong, or the other tests see nothing."""

import sys

import pytest

from tests.browser.notebooks import write_notebook

BUTTON = """import ipywidgets as widgets
button = widgets.Button(description="press")
button.on_click(lambda _: {act})
button"""


def test_a_good_notebook_runs_and_its_kernel_is_this_python(lesson, server):
    write_notebook(server, "good", "x = 6 * 7", "print(x)")
    lesson.open("good").run_all()
    assert lesson.page.locator(".jp-OutputArea-output").all_text_contents() == ["42\n"]
    assert lesson.execute("import sys; print(sys.prefix)") == sys.prefix


@pytest.mark.parametrize(
    ("name", "source", "seen"),
    [
        ("error", "1 / 0", "ZeroDivisionError"),
        ("warning", "import warnings; warnings.warn('careful')", "careful"),
    ],
)
def test_errors_and_stderr_are_seen(lesson, server, name, source, seen):
    write_notebook(server, name, source)
    with pytest.raises(AssertionError, match=seen):
        lesson.open(name).run_all()


def test_an_error_in_a_callback_is_seen(lesson, server):
    write_notebook(server, "callback", BUTTON.format(act="1 / 0"))
    lesson.open("callback").run_all()
    lesson.page.get_by_role("button", name="press").click()
    lesson.page.wait_for_function("window.complaints.length > 0")
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        lesson.assert_well()


def test_themes_change(lesson, server):
    write_notebook(server, "theme", "1")
    lesson.open("theme")
    colour = "getComputedStyle(document.body).getPropertyValue('--jp-layout-color0').trim()"
    colours = [lesson.theme(name).page.evaluate(colour) for name in ("dark", "light")]
    assert len(set(colours)) == 2
