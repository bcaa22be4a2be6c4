"""Missions and guesses on the page: ticked when reached, judged when shown, open again."""

import re

import numpy as np
import pytest

from attention_core.explorers import overview_explorer
from attention_core.explorers.widgets import (
    Check,
    Explorer,
    Frame,
    GuessCells,
    GuessRow,
    Matrix,
    Mission,
    Picture,
)
from tests.browser.stage import every_explorer, wait_for_change
from tests.explorer_ways import WAYS


@every_explorer
def test_missions_are_ticked_on_the_page(show, make):
    stage = show(make)
    for number, mission in enumerate(stage.explorer.missions):
        dot = stage.page.locator(f'[data-task="{number}"]')
        assert "done" not in dot.get_attribute("aria-label")
        if isinstance(mission, Mission):
            WAYS[make.__name__][number](stage.explorer)
            stage.push()
            assert dot.get_attribute("aria-label").endswith("done")
            stage.explorer.reset()
            stage.push()


JUDGED = """look => [...document.querySelectorAll(`.${look}`)].map(td =>
  [td.closest(".attn-mat").dataset.m, Number(td.dataset.row), Number(td.dataset.col)])"""


def judged(page):
    """The cells that were guessed rightly, forgotten, and marked for nothing."""
    return [{tuple(cell) for cell in page.evaluate(JUDGED, look)}
            for look in ("is-hit", "is-missed", "is-wrong")]  # fmt: skip


def seen(explorer):
    """The numbers of every matrix; what a mask hides is −∞, whatever stands below it."""
    return {
        name: np.where(False if f.hidden is None else f.hidden, -np.inf, f.values)
        for name, f in explorer.shown.frames.items()
    }


def truth_over_guess(stage, mission, before):
    """The same from the numbers, where the first cell of the last matrix was marked."""
    after = seen(stage.explorer)
    moved = {
        (name, int(i), int(j))
        for name in mission.among
        for i, j in np.argwhere(~np.isclose(before[name], after[name], 1e-9, 1e-12))
    }
    marked = {(mission.among[-1], 0, 0)}
    return [marked & moved, moved - marked, marked - moved]


@every_explorer
def test_guesses_come_before_the_truth(show, make):
    stage = show(make)
    for number, mission in enumerate(stage.explorer.missions):
        if isinstance(mission, Mission):
            continue
        page = stage.page
        stage.explorer.reset()
        stage.push()
        page.locator(f'[data-task="{number}"]').click()
        button = page.locator(".attn-task .show")
        if isinstance(mission, GuessCells):
            assert button.inner_text() == "Nothing changes"
            name = mission.among[-1]
            stage.cell(name, 0, 0).click()
            assert page.locator(".is-guess").count() == 1
            stage.cell(name, 0, 0).focus()
            page.keyboard.press(" ")
            assert page.locator(".is-guess").count() == 0
            page.keyboard.press(" ")
            assert button.inner_text() == "Show"
        if isinstance(mission, GuessRow):
            assert button.is_disabled()
            if not mission.change:
                assert page.locator(f'[data-m="{mission.of}"] .is-veiled').count() > 0
            page.locator(".attn-guess input").first.fill("0.5")
        before = seen(stage.explorer)
        button.click()
        page.wait_for_function(
            f"document.querySelector('[data-task=\"{number}\"]').className === 'done'"
        )
        if isinstance(mission, GuessCells):
            assert judged(page) == truth_over_guess(stage, mission, before)
            said = page.locator(".attn-task .what").inner_text()
            hit, missed, wrong = map(len, judged(page))
            assert [int(n) for n in re.findall(r"\d+", said)] == [1, hit, hit + missed, wrong]
        else:
            truth = stage.explorer.shown.frames[mission.of].values[mission.row]
            texts = page.locator(".attn-guess output b").all_text_contents()
            shown = [float(text) for text in texts]
            np.testing.assert_allclose(shown, truth, atol=0.006)
            assert page.locator(".is-veiled").count() == 0
        stage.page.wait_for_timeout(50)
        assert number in stage.explorer.done


class Row(Explorer):
    """One row of weights; a switch that changes nothing or doubles the scores."""

    def compute(self, Z, twice):
        raised = np.exp(np.asarray(Z) * (2 if twice else 1))
        return {"A": raised / raised.sum(axis=-1, keepdims=True)}

    def picture(self, result, settings):
        return Picture({"A": Frame(result["A"], "weight")}, "a row")


def row_explorer(scores, framed=()):
    """An explorer that asks twice: which cells change, and what the row is."""
    parts = {
        "twice": Check("twice"),
        "Z": Matrix("Z", 1, len(scores), [scores]),
        "A": Matrix("A", 1, len(scores), made="Z[r,*]", reads="rc"),
    }
    missions = (
        GuessCells("Mark what changes.", {"twice": True}, ("A",)),
        GuessRow("Draw it.", row=0),
    )
    return Row(parts, [["Z"], ["A"]], framed=framed, missions=missions)


@pytest.mark.parametrize("framed", [(), ("twice",)], ids=["asked", "prepared"])
@pytest.mark.parametrize("is_marked", [False, True])
def test_that_nothing_changes_is_an_answer_and_may_be_the_truth(show, framed, is_marked):
    stage = show(lambda: row_explorer([0.0, 0.0], framed))
    page = stage.page
    if is_marked:
        stage.cell("A", 0, 1).click()
    page.locator(".attn-task .show").click()
    page.wait_for_function("document.querySelector('[data-task=\"0\"]').className === 'done'")
    said = page.locator(".attn-task .what").inner_text()
    assert ("1 that did not" if is_marked else "nothing changed") in said
    assert page.locator(".is-wrong").count() == int(is_marked)
    assert stage.explorer.controls["twice"].value and stage.explorer.done == [0]


@pytest.mark.parametrize("count", [4, 7, 12, 18])
def test_a_row_of_any_length_can_be_drawn_at_any_width(show, count):
    stage = show(lambda: row_explorer([0.1 * k for k in range(count)]), width=700)
    page = stage.page
    page.locator("[data-task='1']").click()
    for width in (700, 1100, 1920):
        page.evaluate("w => { document.getElementById('here').style.width = w + 'px'; }", width)
        box = page.locator(".attn-calc").bounding_box()
        for k in range(count):
            field = page.locator(".attn-guess input").nth(k).bounding_box()
            text = page.locator(".attn-guess output").nth(k).bounding_box()
            assert field["width"] >= 30
            for inner in (field, text):
                assert box["x"] <= inner["x"]
                assert inner["x"] + inner["width"] <= box["x"] + box["width"] + 0.5
                assert box["y"] - 0.5 <= inner["y"]
                assert inner["y"] + inner["height"] <= box["y"] + box["height"] + 0.5


def test_start_again_opens_all_tasks_again(show):
    stage = show(overview_explorer)
    page, explorer = stage.page, stage.explorer
    again = page.get_by_role("button", name="Start again")
    assert again.is_disabled()
    page.locator(".attn-task .show").click()  # a guess: nothing changes
    page.wait_for_function("document.querySelector('[data-task=\"0\"]').className === 'done'")
    explorer.controls["mask"].value = "causal"
    stage.push()
    assert page.locator(".dots .done").count() == 2
    wait_for_change(stage, again.click)
    assert page.locator(".dots .done").count() == 0 == len(explorer.done)
    assert page.locator(".attn-task .show").is_visible(), "the guess can be made again"
    wait_for_change(stage, lambda: page.keyboard.press("Control+z"))
    assert explorer.controls["mask"].value == "causal"
