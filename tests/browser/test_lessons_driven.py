"""Lessons as a learner uses them: in work/, with hands on the controls, against attention_core."""

from itertools import pairwise

import numpy as np
import pytest

from attention_core import attention, attention_steps, causal_mask
from attention_core.drawing.numbers import number_text
from course import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_overview(lesson, language):
    """Change an entry of Q, click the mask, switch the scaling: the numbers are the right ones."""
    lesson.open("00_overview", language).run_all()
    q, k, v = (lesson.matrix(name).values() for name in "QKV")

    def check(mask=None, scale=None):
        output, weights = attention(q, k, v, mask, scale=scale)
        lesson.matrix("A").wait_for(weights)
        lesson.matrix("O").wait_for(output)
        lesson.assert_well()

    check()
    lesson.matrix("Q").cell(1, 0).fill("2.5")
    q[1, 0] = 2.5
    check()

    mask = np.ones((len(q), len(k)), bool)
    lesson.matrix("M").cell(0, 2).click()
    mask[0, 2] = False
    check(mask)
    assert lesson.matrix("M").cell(0, 2).get_attribute("aria-pressed") == "false"
    lesson.page.keyboard.press("ArrowLeft")
    lesson.page.keyboard.press("Space")
    mask[0, 1] = False
    check(mask)

    explorer = lesson.explorers().first
    explorer.get_by_role("checkbox", name="÷ √d_k").uncheck()
    check(mask, scale=1.0)
    causal = {"en": "causal", "zh": "因果"}[language]
    explorer.get_by_role("radio", name=causal, exact=True).check()
    check(causal_mask(len(q), len(k)), scale=1.0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_scaling(lesson, language):
    """Move d_k by keyboard: the spread follows √d_k, the weights are those of these vectors."""
    lesson.open("06_scaling", language).run_all()
    explorer = lesson.explorers().first
    slider, scaled = lesson.slider("d_k"), explorer.get_by_role("checkbox", name="÷ √d_k")
    pictures = explorer.locator("svg")

    def check(d_k, divide):
        rng = np.random.default_rng(42)  # the explorer's own draw
        q, k = rng.normal(size=(400, d_k)), rng.normal(size=(16, d_k))
        steps = attention_steps(q, k, np.zeros((16, 1)), scale=None if divide else 1.0)
        spread = number_text(steps.scaled.std())
        predicted = number_text(1.0 if divide else d_k**0.5)
        largest = number_text(steps.weights.max(axis=-1).mean())
        for number in (spread, predicted, largest):
            explorer.get_by_role("cell", name=number, exact=True).first.wait_for(timeout=15_000)
        lesson.assert_well()
        return pictures.evaluate_all("all => all.map(svg => svg.outerHTML)")

    scaled.uncheck()
    slider.focus()
    lesson.page.keyboard.press("Home")
    seen = [check(1, False)]
    for power in (1, 2, 3):
        lesson.page.keyboard.press("ArrowRight")
        seen.append(check(2**power, False))
    lesson.page.keyboard.press("End")
    seen.append(check(4096, False))
    scaled.check()
    seen.append(check(4096, True))
    for before, after in pairwise(seen):
        assert all(old != new for old, new in zip(before, after, strict=True))
