"""What is told by colour or line, as the browser paints it: both themes, and forced colours."""

import re

import numpy as np
import pytest

from attention_core.explorers import closing_explorer, overview_explorer
from tests.test_explorer_links import matrices

PIXEL = """([selector, property]) => {
  const style = getComputedStyle(document.querySelector(selector));
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const paint = canvas.getContext("2d");
  paint.fillStyle = getComputedStyle(document.body).backgroundColor;
  paint.fillRect(0, 0, 1, 1);
  paint.fillStyle = style[property];
  paint.fillRect(0, 0, 1, 1);
  return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


def luminance(colour):
    """The relative luminance of the standard, from 8-bit sRGB."""
    parts = np.array(colour) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(stage, selector, property_):
    """Of what is drawn there against the page, as the browser paints it."""
    drawn = luminance(stage.page.evaluate(PIXEL, [selector, property_]))
    page = luminance(stage.page.evaluate(PIXEL, ["body", "backgroundColor"]))
    return (max(drawn, page) + 0.05) / (min(drawn, page) + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_frames_bands_and_focus_are_three_to_one_as_painted(show, theme):
    stage = show(overview_explorer, reduced_motion="reduce")
    stage.theme(theme)
    for name in matrices(stage.explorer):
        assert contrast(stage, f'[data-m="{name}"] .attn-frame', "borderTopColor") >= 3, name
    for selected in (("Q", 3, 0), ("K", 0, 0), ("V", 0, 0), ("A", 3, 0)):
        stage.cell(*selected).focus()
        for kind in ("src", "con", "via", "far"):
            if stage.page.locator(f".attn-band.on.{kind}").count():
                assert contrast(stage, f".attn-band.on.{kind}", "borderTopColor") >= 3, kind
    stage.page.keyboard.press("ArrowLeft")
    assert contrast(stage, "td.attn-cell:focus-visible", "outlineColor") >= 3


def test_hidden_zero_and_unknown_are_three_looks(show):
    stage = show(overview_explorer)
    stage.explorer.controls["mask"].value = "causal"
    stage.push()
    page = stage.page
    hidden, zero = stage.cell("A", 0, 1), stage.cell("Q", 0, 0)
    assert stage.cell("Z", 0, 1).inner_text().startswith("−∞")
    assert hidden.evaluate("e => getComputedStyle(e).backgroundImage") != "none"
    assert zero.evaluate("e => getComputedStyle(e).backgroundImage") == "none"
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    paint = zero.evaluate("e => getComputedStyle(e).backgroundColor")
    assert [int(x) for x in re.findall(r"\d+", paint)[:3]] == [
        int(x) for x in re.findall(r"\d+", ground)[:3]
    ]
    unknown = show(closing_explorer)
    looks = unknown.cell("mine", 0, 0).evaluate("e => getComputedStyle(e).borderTopStyle")
    assert looks == "dashed" != zero.evaluate("e => getComputedStyle(e).borderTopStyle")


STATES = {
    "selection": (".is-active", "outlineStyle", "solid"),
    "old value": (".attn-ghost", "borderTopStyle", "solid"),
    "change": (".is-changed:not(.is-active):not(.is-selected)", "outlineStyle", "dotted"),
    "frame": (".attn-frame", "borderTopStyle", "solid"),
    "what it comes from": (".attn-band.on.src", "borderTopStyle", "solid"),
    "what follows": (".attn-band.on.con", "borderTopStyle", "dashed"),
    "what is chosen": ('.attn-seg button[aria-checked="true"]', "forcedColorAdjust", "none"),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours_keep_every_state(show, scheme):
    stage = show(overview_explorer, forced_colors="active", color_scheme=scheme)
    stage.explorer.controls["mask"].value = "causal"
    stage.push()
    stage.cell("A", 3, 0).hover()
    page = stage.page
    for state, (selector, property_, wanted) in STATES.items():
        found = page.locator(selector).first.evaluate(f"e => getComputedStyle(e).{property_}")
        assert found == wanted, state
    hatched = stage.cell("A", 0, 1).evaluate("e => getComputedStyle(e).backgroundImage")
    assert hatched.startswith("repeating-linear-gradient")
    for selector, property_ in (
        (".attn-frame", "borderTopColor"), (".attn-band.on.src", "borderTopColor"),
        (".attn-band.on.con", "borderTopColor"), (".is-active", "outlineColor"),
        (".attn-ghost", "borderTopColor"), (".attn-ghost", "color"),
    ):  # fmt: skip
        assert contrast(stage, selector, property_) >= 3, selector
    stage.cell("A", 3, 1).focus()
    page.keyboard.press("ArrowRight")
    focus = page.locator("td.attn-cell:focus-visible")
    assert focus.evaluate("e => getComputedStyle(e).outlineStyle") == "double"
    plain = contrast(stage, '[data-m="Q"] td.attn-cell', "borderTopColor")
    assert plain < 1.1, "a cell without a state has no line of its own"
