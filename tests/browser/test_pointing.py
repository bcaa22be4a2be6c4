"""Pointing and choosing: the formula and its matrices, readers and sources; Python is not asked."""

from attention_core.explorers import causal_mask_explorer, overview_explorer, trained_explorer
from attention_core.explorers.widgets import Reading
from tests.browser.stage import every_explorer, wait_for_change

LIT = """() => [...document.querySelectorAll(".attn-formula .is-lit")]
  .map(e => (e.dataset.mat ? e : e.querySelector("[data-mat]")).dataset.mat)"""


@every_explorer
def test_a_symbol_lights_its_matrix_and_a_cell_its_symbol(show, make):
    stage = show(make)
    page = stage.page
    symbols = page.locator(".attn-formula [data-mat]")
    names = symbols.evaluate_all("all => all.map(e => e.dataset.mat)")
    assert set(names) <= set(stage.explorer.shown.frames), "every symbol stands for a matrix"
    page.evaluate("window.calls = 0")
    for k, name in enumerate(names):
        symbols.nth(k).hover()
        assert page.locator(".attn-mat.is-lit").evaluate_all(
            "all => all.map(e => e.dataset.m)"
        ) == [name]
        assert set(page.evaluate(LIT)) == {name}
        assert page.locator(".attn-calc .size").inner_text().replace(" ", "") == "×".join(
            map(str, stage.explorer.shown.frames[name].values.shape)
        )
        stage.cell(name, 0, 0).hover()
        assert name in page.evaluate(LIT)
        page.locator(f'[data-m="{name}"] .attn-chip').hover()
        assert set(page.evaluate(LIT)) == {name}
    assert page.evaluate("window.calls") == 0


# Which of these lines, as HTML, stands in the summary.
SAID = """(say, lines) => lines.map(line => Object.assign(document.createElement("span"),
  { innerHTML: line }).innerHTML === say.firstChild.innerHTML)"""
READERS = """() => ({
  chosen: [...document.querySelectorAll(".attn-flow [role=radio]")]
    .filter(e => e.getAttribute("aria-checked") === "true").map(e => Number(e.dataset.k)),
  rows: [...document.querySelectorAll(".attn-mat tbody th button[data-token=reader]")]
    .filter(e => e.parentElement.className === "lit-q").map(e => Number(e.dataset.k)),
  all: [...new Set([...document.querySelectorAll(".attn-mat tbody th button[data-token=reader]")]
    .map(e => e.closest(".attn-mat").dataset.m))].length,
})"""


@every_explorer
def test_choosing_a_reader_anywhere_chooses_it_everywhere(show, make):
    stage = show(make)
    page = stage.page
    if page.locator(".is-veiling").count():  # a guess covers who reads whom
        page.locator(".dots button").nth(1).click()
    readings = [p.of["weights"] for p in stage.explorer.parts.values() if isinstance(p, Reading)]
    page.evaluate("window.calls = 0")
    for weights in readings:
        name = weights
        last = len(stage.explorer.shown.frames[name].values) - 1
        for row in {0, last}:
            ways = {
                "a cell": lambda row=row, name=name: stage.cell(name, row, 0).click(),
                "a ribbon's reader": lambda row=row: page.locator(
                    f'.attn-flow [role=radio][data-k="{row}"]'
                ).click(),
            }
            for way, choose in ways.items():
                page.mouse.move(2, 2)
                choose()
                page.mouse.move(2, 2)
                state = page.evaluate(READERS)
                assert state["chosen"] == [row] * len(readings), way
                assert state["rows"] == [row] * state["all"], way
                lines = stage.explorer.pictures[stage.explorer._number]["summary"]
                said = page.locator(".attn-say").evaluate(SAID, lines)
                assert said[min(row, len(lines) - 1)], way
    assert page.evaluate("window.calls") == 0


def test_a_ribbon_is_its_cell(show):
    stage = show(causal_mask_explorer)
    page = stage.page
    page.evaluate("window.calls = 0")
    page.locator('.attn-flow path.pick[data-row="2"][data-col="0"]').dispatch_event(
        "pointerover", {"bubbles": True}
    )
    assert stage.lit(("con",)) == {("O", 2, j) for j in range(3)}
    assert page.evaluate("window.calls") == 0


def test_the_buttons_undo_and_redo(show):
    stage = show(overview_explorer)
    page, control = stage.page, stage.explorer.controls["mask"]
    undo = page.get_by_role("button", name="Undo")
    redo = page.get_by_role("button", name="Redo")
    assert undo.is_disabled() and redo.is_disabled()
    control.value = "causal"
    stage.push()
    wait_for_change(stage, undo.click)
    assert control.value == "none" and undo.is_disabled() and redo.is_enabled()
    wait_for_change(stage, redo.click)
    assert control.value == "causal" and redo.is_disabled()


MARKED = """name => Object.fromEntries(["tbody", "thead"].map(part => [part,
  [...document.querySelectorAll(`[data-m="${name}"] ${part} th[class^="lit-"]`)]
    .map(e => e.textContent)]))"""


def test_another_text_marks_the_same_token_or_says_that_it_has_none(show):
    """The words stand at other places in the second text; some do not stand there at all."""
    stage = show(lambda: trained_explorer(other="It was too tired, the animal didn't cross."))
    page, words = stage.page, stage.explorer.shown.frames["A"].rows

    def choose(row, column):
        stage.cell("A", words.index(row), words.index(column)).click()
        page.mouse.move(2, 2)
        titles = page.locator('[data-m="B"] .attn-eq, [data-m="D"] .attn-eq').all_inner_texts()
        return page.evaluate(MARKED, "B"), titles[0]

    assert choose("tired", "animal") == (
        {"tbody": ["tired"], "thead": ["animal"]},
        "the second text",
    )
    marked, title = choose("street", "tired")
    assert marked == {"tbody": [], "thead": ["tired"]}
    assert title == "the second text · no “street” here"
    others = stage.explorer.shown.frames["B"].rows
    stage.cell("B", others.index("cross"), others.index("too")).click()  # and the other way round
    page.mouse.move(2, 2)
    assert page.evaluate(MARKED, "A") == {"tbody": ["cross"], "thead": ["too"]}
