"""Lesson 17's explorer plays: block after block to the last, a pause, and from the front again."""

import numpy as np
from numpy.testing import assert_allclose

from attention_core import attention, use_language
from attention_core.explorers import long_explorer
from attention_core.explorers.long_steps import drawn

BEAT = 900  # milliseconds, of the page's own clock; a test turns it by hand


def beat(stage, control, wanted):
    """Let one beat pass: the control and the page stand one place further."""
    before = stage.explorer.stamp
    stage.page.clock.run_for(BEAT)
    stage.page.locator(f".attn-explorer[data-stamp='{before + 1}']").wait_for(state="attached")
    assert stage.explorer.controls[control].value == wanted


def reads(stage):
    """The summary on the page is that of the result."""
    summary = stage.page.locator(".attn-say").inner_text()
    assert summary.replace(" ", "") == plain(stage.explorer).replace(" ", "")


def plain(explorer):
    """The summary as it should be, from the result alone."""
    done, needed = explorer.result["done"], explorer.result["needed"]
    if done == needed:
        o = "[{:.2f}, {:.2f}]".format(*explorer.result["O"][0])
        return f"All {needed} blocks read: o / ℓ = {o} is exactly what attention gives"
    rescale = explorer.result["rescale"][0, 0]
    if rescale == 1:
        return f"Block {done} of {needed}: m stays, what was summed keeps its size"
    return f"Block {done} of {needed}: m grows, what was summed shrinks to {rescale:.2f} of itself"


def test_play_reads_block_after_block_until_the_output_is_exact(show):
    use_language("en")
    stage = show(long_explorer)
    stage.page.clock.install()
    player = stage.page.locator(".attn-play").first
    player.click()
    assert player.inner_text() == "Pause"
    for place in range(3, 9):
        beat(stage, "step", place)
        reads(stage)
    assert player.inner_text() == "Play"
    q, k, v = drawn(32)
    shown = [float(stage.cell("O", 0, j).get_attribute("data-value")) for j in range(2)]
    assert_allclose(shown, attention(q[-1:], k, v)[0][0])
    stage.page.clock.run_for(5 * BEAT)
    assert stage.explorer.controls["step"].value == 8

    player.click()  # at the end it begins anew
    assert stage.explorer.controls["step"].value == 1
    beat(stage, "step", 2)
    player.click()
    stage.page.clock.run_for(5 * BEAT)
    assert (stage.explorer.controls["step"].value, player.inner_text()) == (2, "Play")


def test_play_makes_the_text_longer_up_to_4096_tokens(show):
    use_language("en")
    stage = show(long_explorer)
    stage.page.clock.install()
    stage.page.locator(".attn-play").last.click()
    for text in (512, 1024, 2048, 4096):
        beat(stage, "text", text)
        table = stage.page.locator("table").filter(has_text="multiplications").inner_text()
        assert f"{text**2:,}".replace(",", "\u2009") in table
    assert np.log2(stage.explorer.result["plain"].held) == 24
