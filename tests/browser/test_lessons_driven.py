"""Lessons as a learner uses them: in work/, with hands on the controls, against attention_core."""

import numpy as np
import pytest

from attention_core import attention, causal_mask, example
from course import LANGUAGES
from tests.browser.notebooks import write_notebook


@pytest.mark.parametrize("language", LANGUAGES)
def test_overview(lesson, language):
    """Type an entry of W_Q, click the mask, choose the causal one: the numbers are right."""
    lesson.open("00_overview", language).run_all()
    x, w_q = example.hidden("tired"), example.W_Q.copy()
    k, v = x @ example.W_K, x @ example.W_V

    def check(mask=None):
        output, weights = attention(x @ w_q, k, v, mask)
        lesson.matrix("A").wait_for(weights)
        lesson.matrix("O").wait_for(output)
        lesson.assert_well()

    check()
    lesson.matrix("WQ").cell(2, 0).focus()
    lesson.page.keyboard.type("2.5")
    lesson.page.keyboard.press("Enter")
    w_q[2, 0] = 2.5
    check()

    mask = np.ones((4, 4), bool)
    lesson.matrix("M").cell(3, 2).focus()
    for column in (2, 1):
        lesson.page.keyboard.press("Space")
        mask[3, column] = False
        check(mask)
        lesson.page.keyboard.press("ArrowLeft")

    causal = {"en": "causal", "zh": "因果"}[language]
    lesson.explorers().first.get_by_role("radio", name=causal, exact=True).check(force=True)
    check(causal_mask(4))


def test_a_slider_follows_the_keys(lesson):
    """Lesson 06: d_k by keyboard; the weights on the page are those of the explorer's own draw."""
    lesson.open("06_scaling", "en").run_all()
    slider = lesson.explorers().first.get_by_role("slider").first
    slider.focus()
    shown = [lesson.matrix("A").values()]
    for key in ("End", "Home"):
        lesson.page.keyboard.press(key)
        lesson.page.wait_for_timeout(500)
        shown.append(lesson.matrix("A").values())
        lesson.assert_well()
    for weights in shown:
        np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-6)
    assert not np.allclose(shown[0], shown[1]) and not np.allclose(shown[1], shown[2])


TOO_LATE = """AbortSignal.timeout = () => {
  const late = new AbortController();
  queueMicrotask(() => late.abort());
  return late.signal;
}"""


def test_a_page_too_slow_for_anywidget_hears_python_all_the_same(lesson):
    """anywidget gives a widget two seconds to load; here they are over at once."""
    given_up = []
    lesson.page.on("pageerror", lambda error: given_up.append(str(error)))
    lesson.page.on("console", lambda message: given_up.append(message.text))
    lesson.page.add_init_script(TOO_LATE)
    source = "from attention_core.explorers import by_hand_explorer\n\nby_hand_explorer()"
    write_notebook(lesson.server, "late", source)
    lesson.open("late").run_all(veiled=True)
    lesson.matrix("V").cell(0, 0).focus()
    lesson.page.keyboard.type("7")
    lesson.page.keyboard.press("Enter")
    lesson.matrix("V").wait_for([[7, 0], [0, 2], [3, 1]])
    assert any("Failed to initialize model" in text for text in given_up)
    lesson.matrix("V").cell(1, 1).focus()
    lesson.page.keyboard.type("5")
    lesson.page.keyboard.press("Enter")
    lesson.matrix("V").wait_for([[7, 0], [0, 5], [3, 1]])
    assert not lesson.page.locator(".attn-calc.is-error").count()
    lesson.assert_well()
