"""The matrix, the slider and the panel in the page: mouse, keyboard, names, two at once."""

import numpy as np
import pytest

from attention_core import attention
from tests.browser.notebooks import write_notebook

Q = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -0.5]])
K = np.array([[1.0, 2.0], [0.5, 1.0], [-1.0, 1.0]])
V = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 1.0], [1.0, 1.0, 0.0]])
SCALES = [0.125, 0.25, 0.5, 1.0, 2.0]

EXPLORER = f"""
import numpy as np
from attention_core import attention
from attention_core.explorers.base import Explorer
from attention_core.explorers.controls import Slider
from attention_core.explorers.matrix_view import MatrixView, cells

Q, K, V = {Q.tolist()}, {K.tolist()}, {V.tolist()}
T, F = ["T1", "T2", "T3"], ["f1", "f2"]

def compute(q, mask, scale):
    if q[0, 0] == 13:
        raise ValueError("thirteen")
    output, weights = attention(q, np.array(K), np.array(V), mask, scale=scale)
    return dict(output=output, weights=weights)

def paint(result, settings):
    return dict(
        weights=cells(result["weights"], "weights", masked=~settings["mask"]),
        output=cells(result["output"]),
    )

def small_explorer():
    return Explorer(
        controls=dict(
            q=MatrixView("Q", T, F, Q, mode="edit"),
            mask=MatrixView("M", T, T, np.ones((3, 3), bool), mode="toggle"),
            scale=Slider("scale", {SCALES}, 0.5),
        ),
        views=dict(
            weights=MatrixView("A", T, T),
            output=MatrixView("O", T, ["v1", "v2", "v3"]),
        ),
        compute=compute,
        paint=paint,
        sentence=lambda result, settings: f"O = {{result['output'].round(2).tolist()}}",
        rows=[["q", "mask", "scale"], ["weights", "output"], ["detail"]],
        framed=["scale"],
        explain=lambda view, i, j, result, settings: f"{{view}} {{i}} {{j}}",
    )
"""


def expected(q=Q, mask=None, scale=0.5):
    """Return what NumPy says: output and weights."""
    return attention(np.asarray(q), K, V, mask, scale=scale)


@pytest.fixture
def opened(lesson, server):
    """A notebook with the same explorer twice, run."""
    write_notebook(server, "views", EXPLORER, "small_explorer()", "small_explorer()")
    lesson.open("views").run_all()
    lesson.matrix("O").wait_for(expected()[0])
    return lesson


def check(lesson, explorer=0, **settings):
    """The page shows the output and the weights that belong to these settings."""
    output, weights = expected(**settings)
    lesson.matrix("O", explorer).wait_for(output)
    lesson.matrix("A", explorer).wait_for(weights)
    lesson.assert_well()


def test_typing_an_entry_changes_the_result_of_this_explorer_only(opened):
    opened.matrix("Q").cell(2, 1).fill("4.25")
    q = Q.copy()
    q[2, 1] = 4.25
    check(opened, q=q)
    check(opened, explorer=1)


def test_a_half_typed_number_changes_nothing_and_is_marked(opened):
    field = opened.matrix("Q").cell(0, 0)
    field.fill("-")
    assert field.get_attribute("aria-invalid") == "true"
    check(opened)
    field.fill("-2")
    q = Q.copy()
    q[0, 0] = -2
    check(opened, q=q)
    assert field.get_attribute("aria-invalid") == "false"


def test_enter_and_arrows_walk_the_fields(opened):
    matrix = opened.matrix("Q")
    matrix.cell(0, 0).focus()
    for key, place in [
        ("Enter", (1, 0)),
        ("ArrowDown", (2, 0)),
        ("ArrowRight", (2, 1)),
        ("ArrowUp", (1, 1)),
        ("ArrowLeft", (1, 0)),
    ]:
        opened.page.keyboard.press(key)
        assert matrix.cell(*place).evaluate("cell => document.activeElement === cell"), key
    check(opened)


def test_mask_cells_are_buttons_for_mouse_and_keyboard(opened):
    mask = opened.matrix("M")
    assert mask.cell(0, 2).get_attribute("aria-pressed") == "true"
    mask.cell(0, 2).click()
    allowed = np.ones((3, 3), bool)
    allowed[0, 2] = False
    check(opened, mask=allowed)
    assert mask.cell(0, 2).get_attribute("aria-pressed") == "false"
    assert mask.text(0, 2) == "−∞"
    opened.page.keyboard.press("ArrowDown")
    opened.page.keyboard.press("Space")
    allowed[1, 2] = False
    check(opened, mask=allowed)
    check(opened, explorer=1)


def test_slider_moves_by_keyboard_through_every_setting(opened):
    slider = opened.slider("scale")
    slider.focus()
    opened.page.keyboard.press("Home")
    for scale in SCALES:
        check(opened, scale=scale)
        assert slider.get_attribute("aria-valuetext") == str(scale)
        opened.page.keyboard.press("ArrowRight")
    check(opened, explorer=1)


def test_slider_lives_without_a_kernel(opened):
    opened.shutdown()
    opened.slider("scale").focus()
    opened.page.keyboard.press("End")
    opened.matrix("O").wait_for(expected(scale=SCALES[-1])[0])


def test_slider_still_agrees_after_an_edit(opened):
    opened.matrix("Q").cell(0, 1).fill("3")
    q = Q.copy()
    q[0, 1] = 3
    check(opened, q=q)
    opened.slider("scale").focus()
    opened.page.keyboard.press("ArrowRight")
    check(opened, q=q, scale=1.0)


def test_a_selected_cell_is_explained(opened):
    opened.matrix("A").cell(1, 2).click()
    opened.explorers().nth(0).get_by_text("weights 1 2").wait_for()
    opened.matrix("O").cell(2, 0).focus()
    opened.page.keyboard.press("Enter")
    opened.explorers().nth(0).get_by_text("output 2 0").wait_for()
    assert opened.page.locator("td.selected").count() == 1
    opened.assert_well()


def test_letters_are_no_notebook_commands(opened):
    """In command mode a, b, x and d d add or delete cells."""
    count = opened.page.locator(".jp-Cell").count()
    elements = [
        opened.slider("scale"),
        opened.matrix("M").cell(0, 0),
        opened.matrix("A").cell(0, 0),
    ]
    for element in [*elements, opened.matrix("Q").cell(0, 0)]:
        element.focus()
        for key in "abxddz":
            opened.page.keyboard.press(key)
    assert opened.page.locator(".jp-Cell").count() == count


def test_an_error_is_said_in_the_explorer_and_goes_away(opened):
    opened.matrix("Q").cell(0, 0).fill("13")
    message = opened.explorers().nth(0).get_by_text("thirteen")
    message.wait_for()
    opened.matrix("Q").cell(0, 0).fill("1")
    message.wait_for(state="detached")
    check(opened)


def test_start_again_brings_everything_back(opened):
    opened.matrix("Q").cell(0, 0).fill("7")
    opened.matrix("M").cell(1, 0).click()
    opened.slider("scale").focus()
    opened.page.keyboard.press("End")
    opened.explorers().nth(0).get_by_role("button", name="Start again").click()
    check(opened)
    assert opened.matrix("Q").text(0, 0) == "1"


def test_every_cell_has_a_name_and_one_of_each_matrix_is_in_the_tab_order(opened):
    for name, label in [
        ("Q", "row T2, column f1: 0"),
        ("M", "row T2, column T1: 0"),
        ("A", f"row T2, column T1: {expected()[1][1, 0]:.2f}"),
    ]:
        matrix = opened.matrix(name)
        assert matrix.cell(1, 0).get_attribute("aria-label") == label
        assert matrix.grid.locator("[tabindex='0']").count() == 1


CONTRAST = """() => {
  const channel = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const rgb = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (rgb(colour)[3] !== 0) return colour;
    }
  };
  const ratios = [];
  for (const e of document.querySelectorAll('.attn-explorer *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!own && !e.matches('input:not([type=range])')) continue;
    const [a, b] = [getComputedStyle(e).color, behind(e)].map(text => light(rgb(text)));
    ratios.push([(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.textContent || e.value]);
  }
  return ratios;
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast_in_both_themes(opened, theme):
    opened.theme(theme)
    opened.matrix("M").cell(0, 1).click()
    mask = np.ones((3, 3), bool)
    mask[0, 1] = False
    check(opened, mask=mask)
    ratios = opened.page.evaluate(CONTRAST)
    assert len(ratios) > 60
    assert [(ratio, text) for ratio, text in ratios if ratio < 4.5] == []
