"""How every explorer looks: fixed heights, nothing cut, motion, axe."""

import numpy as np
from axe_playwright_python.sync_playwright import Axe

from attention_core import use_language
from attention_core.explorers import overview_explorer
from attention_core.explorers.widgets import MINE, Matrix
from tests.browser.stage import edited, every_explorer
from tests.explorer_ways import EXPLORERS

HEIGHT = """widths => widths.map(width => {
  const box = document.getElementById("here");
  box.style.width = width + "px";
  const explorer = document.querySelector(".attn-explorer");
  const { height } = explorer.getBoundingClientRect();
  const parts = ".attn-body table, .attn-frame, .attn-op, .attn-read, .attn-figure svg, " +
    ".attn-tools button, .attn-seg, .attn-slider, .attn-legend .one, .attn-task button, .attn-calc";
  const ends = [...explorer.querySelectorAll(parts)].map(e => e.getBoundingClientRect().right);
  return [width, Math.round(height), Math.max(...ends) > width + 1];
})"""


@every_explorer
def test_nothing_jumps(show, make):
    """As high after 50 random changes as before, at three widths; nothing sticks out sideways."""
    stage = show(make, 1932)
    explorer, rng = stage.explorer, np.random.default_rng(3)
    heights, complaints = {}, []
    for step in range(50):
        name = rng.choice(sorted(explorer.controls))
        change_at_random(explorer.controls[name], rng)
        stage.push()
        # A matrix whose shape may change takes the room it needs.
        shapes = tuple(sorted((n, np.shape(f.values)) for n, f in explorer.shown.frames.items()))
        for width, height, sticks_out in stage.page.evaluate(HEIGHT, [700, 1100, 1920]):
            before = heights.setdefault((shapes, width), height)
            if before != height or sticks_out:
                complaints.append((step, name, width, before, height, sticks_out))
    assert not complaints, complaints[:4]


def change_at_random(part, rng):
    """Give a control some other value, also very large and very small numbers."""
    if isinstance(part, Matrix):
        i, j = (int(rng.integers(n)) for n in part.value.shape)
        number = rng.choice([0, 1, -2.5, 1234567, 1e-7, 33.333])
        part.set_cell(i, j, bool(rng.integers(2)) if part.toggles else float(number))
    elif hasattr(part, "values"):
        values = [value for value in part.values[: part.limit + 1] if value != MINE]
        part.value = values[rng.integers(len(values))]


LIGHTS = """() => document.getAnimations().map(a => a.effect.target)
  .filter(e => e.className === "attn-light").map(e => e.closest(".attn-mat").dataset.m)"""


@every_explorer
def test_motion_is_reduced_on_request(show, make):
    stage = show(make, reduced_motion="reduce")
    name = edited(stage.explorer)
    if name:
        stage.explorer.controls[name].set_cell(0, 0, 5.5)
        stage.push()
        changed = stage.page.locator(".is-changed").first
        assert changed.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
        stage.page.wait_for_timeout(100)
        assert stage.page.evaluate("document.getAnimations().length") == 0


def test_a_change_is_a_flash_over_what_has_moved(show):
    stage = show(overview_explorer)
    stage.page.wait_for_timeout(400)
    assert stage.page.evaluate(LIGHTS) == []
    stage.explorer.controls["WQ"].set_cell(0, 0, 5.5)
    stage.push()
    stage.page.wait_for_timeout(100)
    moved = stage.page.locator(".attn-mat:has(.is-changed)").evaluate_all(
        "all => all.map(e => e.dataset.m)"
    )
    assert sorted(set(stage.page.evaluate(LIGHTS))) == sorted(moved) != []


@every_explorer
def test_axe_finds_nothing_serious(show, make):
    stage, complaints = show(make, reduced_motion="reduce"), []  # no colour on its way
    for theme in ("light", "dark"):
        stage.theme(theme)
        for found in Axe().run(stage.page).response["violations"]:
            if found["impact"] in ("serious", "critical"):
                complaints += [(theme, found["id"], node["html"][:200]) for node in found["nodes"]]
    assert not complaints, complaints[:4]


# The blocks of an explorer, each as large as all that is seen of it; those that lie on each other.
OVERLAPS = """width => {
  document.getElementById("here").style.width = width + "px";
  return new Promise(done => setTimeout(() => {
    const seen = e => getComputedStyle(e).visibility === "visible" &&
      !e.closest(".attn-op, .attn-hidden");
    const around = block => {
      const parts = [block, ...block.querySelectorAll("*")].filter(seen);
      const boxes = parts.map(e => e.getBoundingClientRect())
        .filter(b => b.width > 1 && b.height > 1);
      const end = (side, f) => f(...boxes.map(b => b[side]));
      return { name: block.className + " " + (block.dataset.m ?? ""), left: end("left", Math.min),
        right: end("right", Math.max), top: end("top", Math.min), bottom: end("bottom", Math.max) };
    };
    const blocks = [...document.querySelectorAll(".attn-task, .attn-formula, .attn-controls, " +
      ".attn-say > span, .attn-row > :not(.attn-say), " +
      ".attn-grid > :not(.attn-say)")].filter(seen).map(around)
      .filter(b => b.bottom > b.top);
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    const found = blocks.flatMap((a, k) =>
      blocks.slice(k + 1).filter(b => over(a, b)).map(b => [a.name, b.name]));
    const top = e => e.getBoundingClientRect().top;
    const below = [...document.querySelectorAll(".attn-text")].filter(text =>
      [...document.querySelectorAll(".attn-mat, .attn-wall")].some(e => top(e) < top(text)));
    done([...found, ...below.map(() => "what is typed stands below its result")]);
  }, 150));
}"""


@every_explorer
def test_nothing_lies_on_anything_else(show, make):
    """At three widths, in both languages: no heading over a control, no formula over a matrix."""
    complaints = []
    for language in ("en", "zh"):
        use_language(language)
        stage = show(make, 1932)
        for width in (700, 1100, 1920):
            found = stage.page.evaluate(OVERLAPS, width)
            complaints += [(language, width, *found[:3])] if found else []
    assert not complaints


def test_both_languages_and_themes_are_drawn(show):
    for language in ("en", "zh"):
        use_language(language)
        for make in EXPLORERS:
            stage = show(make)
            for theme in ("dark", "light"):
                stage.theme(theme)
                page = "#ffffff" if theme == "light" else "#111111"
                ground = stage.page.evaluate("getComputedStyle(document.body).backgroundColor")
                assert ground == f"rgb{tuple(int(page[i : i + 2], 16) for i in (1, 3, 5))}"
            assert stage.page.locator(".attn-explorer").get_attribute("lang") == language
