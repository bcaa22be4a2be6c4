"""Every explorer on a bare page: numbers, links, old values, undo, paste, names, keys."""

import re
from importlib.resources import files

import numpy as np
import pytest

from attention_core import explorers
from attention_core.drawing.numbers import apart, cell_text, weight_text, whole
from attention_core.explorers.widgets import Matrix
from attention_core.explorers.widgets.links import consequences
from tests.browser.stage import edited, every_explorer, wait_for_change
from tests.explorer_ways import EXPLORERS
from tests.test_explorer_links import declared, matrices
from tests.test_numbers import TYPED


def still_texts(stage):
    """All numbers on the page, with all their digits: one that moved little is written longer."""
    cells = "[...document.querySelectorAll('.attn-mat [data-row]')]"
    return stage.page.evaluate(f"() => {cells}.map(cell => cell.dataset.value)")


WRITTEN = """() => [...document.querySelectorAll(".attn-mat [data-row]")].map(cell =>
  [cell.querySelector(".attn-num").textContent, cell.dataset.value])"""
DIGITS = re.compile(r"(-?)(\d*)\.?(\d*)(?:e(-?\d+))?")


def written_wrongly(stage):
    """Cells whose text is not their value, rounded to the digits that are written."""
    wrong = []
    for text, value in stage.page.evaluate(WRITTEN):
        found = DIGITS.fullmatch(text.replace("−", "-").replace("\u2009", ""))
        if value == "" or not any(c.isdigit() for c in text):
            continue  # −∞, or covered
        assert found, text
        unit = 10.0 ** (int(found[4] or 0) - len(found[3]))
        if abs(float(found[0]) - float(value)) > 0.5001 * unit:
            wrong.append((text, value))
    return wrong


READ = """name => [...document.querySelectorAll(`[data-m="${name}"] tbody tr`)].map(row =>
  [...row.querySelectorAll("[data-row]")].map(({ dataset, classList }) =>
    classList.contains("is-veiled") ? "covered" : dataset.value))"""


@every_explorer
def test_what_the_page_shows_is_what_python_computed(show, make):
    stage = show(make)
    for name, frame in stage.explorer.shown.frames.items():
        for shown, wanted in zip(
            stage.page.evaluate(READ, name), np.atleast_2d(frame.values), strict=True
        ):
            for text, number in zip(shown, wanted, strict=True):
                if text == "covered":
                    continue
                if np.isfinite(number):
                    assert float(text) == pytest.approx(float(number), abs=1e-9), name
                else:
                    assert text == "", name


@every_explorer
def test_hovering_lights_what_changes_and_calls_no_python(show, make):
    stage = show(make)
    links = declared(stage.explorer)
    stage.page.evaluate("window.calls = 0")
    for name in matrices(stage.explorer):
        rows, cols = links["shapes"][name]
        i, j = rows - 1, min(1, cols - 1)
        stage.cell(name, i, j).hover()
        wanted = consequences(cell=(name, i, j), **links)
        assert stage.lit(("con", "far")) == wanted, name
        assert stage.page.locator(".attn-calc .eqn").inner_text().strip()
    assert stage.page.evaluate("window.calls") == 0


@every_explorer
def test_an_edit_leaves_ghosts_and_one_sentence_and_can_be_undone(show, make):
    stage = show(make)
    name = edited(stage.explorer)
    if name is None:
        assert not any(
            isinstance(p, Matrix) and not p.toggles for p in stage.explorer.controls.values()
        )
        return
    page, before = stage.page, still_texts(stage)
    stage.cell(name, 0, 0).focus()
    page.keyboard.type("-7.25")
    wait_for_change(stage, lambda: page.keyboard.press("Enter"))
    assert stage.explorer.controls[name].value[0, 0] == -7.25
    ghosts = page.locator(".attn-ghost").count()
    assert ghosts == int(page.locator(".attn-explorer").get_attribute("data-changed")) > 0
    said = page.locator(".attn-changes .txt").inner_text()
    assert str(page.locator('[data-mode="read"] .attn-ghost').count()) in said or "No other" in said
    assert said.split("\n")[0] in page.locator("[aria-live]").text_content()
    after = still_texts(stage)
    wait_for_change(stage, lambda: page.keyboard.press("Control+z"))
    assert still_texts(stage) == before and written_wrongly(stage) == []
    wait_for_change(stage, lambda: page.keyboard.press("Control+Shift+Z"))
    assert still_texts(stage) == after and written_wrongly(stage) == []
    page.get_by_role("button", name="Compare with the start").click()
    assert page.locator(".attn-ghost").count() >= 1
    page.get_by_role("button", name="Compare with the start").click()
    wait_for_change(stage, lambda: page.get_by_role("button", name="Start again").click())
    assert still_texts(stage) == before and written_wrongly(stage) == []


NOT = "not a number"
BAD = {
    "1,5": "point", "0x10": NOT, "1_000": NOT, "abc": NOT, "": "empty", "nan": NOT, "inf": NOT,
    "1e999": "not finite",
}  # fmt: skip


@every_explorer
def test_what_is_no_number_stays_marked_and_esc_restores(show, make):
    stage = show(make)
    name = edited(stage.explorer)
    if name is None:
        return
    page, start = stage.page, stage.explorer.controls[name].value
    for typed, reason in BAD.items():
        stage.cell(name, 0, 0).focus()
        page.keyboard.press("F2")
        field = stage.cell(name, 0, 0).locator("input")
        field.fill(typed)
        page.keyboard.press("Enter")
        assert field.get_attribute("aria-invalid") == "true", typed
        assert reason in page.locator(".attn-calc .words").inner_text(), typed
        page.keyboard.press("Escape")
        assert field.count() == 0
        assert reason not in page.locator(".attn-calc .words").inner_text(), typed
    assert stage.explorer.controls[name].value is start
    stage.cell(name, 0, 0).focus()
    page.keyboard.press("F2")
    stage.cell(name, 0, 0).locator("input").fill("−1e−05")
    wait_for_change(stage, lambda: page.keyboard.press("Enter"))
    assert stage.explorer.controls[name].value[0, 0] == -1e-05


PASTE = """([selector, text]) => {
  const data = new DataTransfer();
  data.setData("text", text);
  document.querySelector(selector).dispatchEvent(
    new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""


@pytest.mark.parametrize(
    "text",
    ["3\t-4\n5\t6", "3, -4\n5, 6", "3 -4\n5 6", "[[ 3. -4.]\n [ 5.  6.]]",
     "array([[ 3., -4.],\n       [ 5.,  6.]])", "3;−4\n5;6"],
)  # fmt: skip
def test_a_pasted_block_fills_cells(show, text):
    from attention_core.explorers import overview_explorer

    stage = show(overview_explorer)
    stage.cell("WK", 1, 0).focus()
    selector = '[data-m="WK"] [data-row="1"][data-col="0"]'
    wait_for_change(stage, lambda: stage.page.evaluate(PASTE, [selector, text]))
    assert stage.explorer.controls["WK"].value[1:3].tolist() == [[3, -4], [5, 6]]
    stage.page.evaluate(PASTE, [selector, "three four"])
    assert "no block of numbers" in stage.page.locator(".attn-calc .words").inner_text()


@every_explorer
def test_cells_are_named_by_their_place(show, make):
    stage = show(make)
    for name, part in matrices(stage.explorer).items():
        label = stage.cell(name, 0, 0).get_attribute("aria-label")
        row, col = part.axes
        assert label.startswith(f"{row} 1" if row else "1"), label
        assert f", {col} 1" in label if col else ", 1" in label, label
    images = stage.page.locator("svg[role=img]")
    for k in range(images.count()):
        named = images.nth(k)
        title = named.locator("title")
        text = named.get_attribute("aria-label") or (title.text_content() if title.count() else "")
        assert any(letter.isdigit() for letter in text), "alternative text without numbers"


@every_explorer
def test_keys_letters_stay_and_chords_pass(show, make):
    stage = show(make)
    page = stage.page
    page.evaluate("""() => {
      window.heard = [];
      document.addEventListener("keydown", (event) =>
        window.heard.push((event.ctrlKey ? "Ctrl+" : "") + event.key));
    }""")
    shown = list(matrices(stage.explorer))
    place = stage.cell(shown[0], 0, 0) if shown else page.locator("[data-control] input").first
    place.focus()
    for key in ("a", "b", "d", "x", "ArrowRight", "Home", "End", "Control+z"):
        page.keyboard.press(key)
    assert [
        key for key in page.evaluate("window.heard") if key != "Control" and key != "Ctrl+Control"
    ] == []
    page.keyboard.press("Control+s")
    page.keyboard.press("Control+b")
    heard = page.evaluate("window.heard")
    assert "Ctrl+s" in heard and "Ctrl+b" in heard


@every_explorer
def test_a_silent_kernel_is_named(show, make):
    stage = show(make)
    stage.page.evaluate("window.isDead = true")
    name = edited(stage.explorer)
    if name:
        stage.cell(name, 0, 0).focus()
        stage.page.keyboard.type("9")
        stage.page.keyboard.press("Enter")
    else:
        control = stage.page.locator(
            "[data-control] input, [data-control] button:not([aria-checked=true])"
        )
        control.first.focus()
        stage.page.keyboard.press("ArrowRight")
    words = stage.page.locator(".attn-calc .words")
    words.get_by_text("run this cell again").wait_for(timeout=6000)


def test_the_browser_writes_and_reads_numbers_as_python_does(show):
    """One verdict and one text on both sides, for thousands of numbers."""
    rng = np.random.default_rng(5)
    numbers = [0.0, 1.0, 3.0, -1.5, 0.005, 0.00499999, 9999.5, 99.995, 999.95, 1e15, 1e16, 1e21,
               1e-4, 9.9e-5, 2.675, 1.005, 0.125, -0.375, 5e-324, 1.79e308]  # fmt: skip
    numbers += [float(x) for x in rng.choice([-1, 1], 3000) * 10 ** rng.uniform(-9, 13, 3000)]
    numbers += [float(x) for x in rng.integers(-9999, 9999, 2000) / rng.choice([1, 2, 8, 10], 2000)]
    source = (files("attention_core.explorers.widgets") / "numbers.js").read_text("utf-8")
    stage = show(EXPLORERS[0])
    texts, verdicts = stage.page.evaluate(
        f"""([numbers, typed]) => {{ {source}
          return [numbers.map(x => [cellText(x), whole(x), weightText(x), ...apart(x, x * 1.001)]),
                  typed.map(text => parseNumber(text))]; }}""",
        [numbers, list(TYPED)],
    )
    wrong = [
        (x, got)
        for x, got in zip(numbers, texts, strict=True)
        if got != [cell_text(x), whole(x), weight_text(x), *apart(x, x * 1.001)]
    ]
    for typed, got in zip(TYPED, verdicts, strict=True):
        if got.get("value", got.get("reason")) != TYPED[typed]:
            wrong.append((typed, got))
    assert not wrong, wrong[:5]


def test_a_new_text_is_no_standstill(show):
    """Other tokens are other rows: no number has an old value, and the sentence says so."""
    stage = show(explorers.trained_explorer)
    said = stage.page.locator(".attn-changes")
    before = said.inner_text()
    wait_for_change(stage, lambda: type_text(stage, "A bird left its nest."))
    assert said.inner_text() != before
    assert said.inner_text().startswith("other rows and columns: A")


def type_text(stage, text):
    box = stage.page.locator("input[type=text]").first
    box.fill(text)
    box.press("Enter")
