"""The explorer of lesson 17: every state against the slow attention over the keys read."""

import math
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_core.explorers import long as module
from attention_core.explorers import long_explorer, long_steps
from attention_core.language import use_language
from tests.planted import planted
from tests.reference import attention as slow_attention

SETTINGS = list(product((8, 32), (2, 8), (False, True), (1, 2, 4), (1, 2, 16)))


def choose(explorer, **values):
    with explorer.together():
        for name, value in values.items():
            explorer.controls[name].value = value
    return explorer.result


def every_setting_is_right(long):
    explorer = long.long_explorer()
    for n, block, causal, quarter, step in SETTINGS:
        result = choose(explorer, n=n, block=block, causal=causal, quarter=quarter, step=step)
        assert explorer.note == ""
        check_result(explorer, result, n, block, causal, quarter, step)


def check_result(explorer, result, n, block, causal, quarter, step):
    q, k, v = long_steps.drawn(n)
    query = quarter * n // 4 - 1
    visible = query + 1 if causal else n
    needed = math.ceil(visible / block)
    assert (result["query"], result["needed"]) == (query, needed)
    assert result["needed"] + result["skipped"] == n // block
    # The slider ends at the last block that may be read, and stands at a block that was read.
    assert explorer.controls["step"].values[explorer.limits["step"]] == needed
    assert result["done"] == explorer.controls["step"].value == min(step, needed)
    scores = k @ q[query] / math.sqrt(3)
    for end, m, total, mix in (
        (result["done"] - 1, "mold", "lold", "oold"),
        (result["done"], "m", "l", "o"),
    ):
        read = min(end * block, visible)
        if not read:
            assert result[m] == -np.inf and result[total] == 0
            continue
        expected, _ = slow_attention([q[query].tolist()], k[:read].tolist(), v[:read].tolist())
        assert_allclose(result[mix] / result[total], expected)
        assert_allclose(result[m], scores[:read].max())
        assert_allclose(result[total], np.exp(scores[:read] - scores[:read].max()).sum())
    assert_allclose(result["powers"][:read], np.exp(scores[:read] - scores[:read].max()))
    assert (result["powers"][read:] == 0).all()
    assert_allclose(result["O"], expected)
    whole, _ = slow_attention([q[query].tolist()], k[:visible].tolist(), v[:visible].tolist())
    assert_allclose(result["exact"], whole)


def test_every_setting_is_right():
    every_setting_is_right(module)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (".limit = blocks_to_read(n, block, causal, quarter) - 1", ".limit = n // block - 1"),
        ("states[done - 1], states[done]", "states[done], states[done]"),
        ("(scores, now.maximum)", "(scores, before.maximum)"),
    ],
    ids=str,
)
def test_a_planted_mistake_is_noticed(old, new):
    with pytest.raises((AssertionError, IndexError)), np.errstate(all="ignore"):
        every_setting_is_right(planted(module, old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("slice(quarter * n // 4 - 1, quarter * n // 4)", "slice(0, 1)"),
        ("causal_mask(n)[row] if causal", "causal_mask(n)[row] if not causal"),
    ],
    ids=str,
)
def test_a_mistake_in_the_steps_is_noticed(old, new):
    broken = planted(long_steps, old, new).reading
    with pytest.raises((AssertionError, IndexError)), np.errstate(all="ignore"):
        every_setting_is_right(planted(module, "class Long", "class Long", reading=broken))


def test_costs_by_the_formulas_up_to_4096():
    explorer = long_explorer()
    for text, block, causal in product((8, 512, 4096), (2, 8), (False, True)):
        result = choose(explorer, text=text, block=block, causal=causal)
        side = text // block
        tiles = sum(range(1, side + 1)) if causal else side**2
        assert result["blockwise"] == (tiles * block**2 * 128, block**2 + 66 * block)
        assert result["plain"] == (text**2 * 128, text**2)


def test_lit_sources_are_what_the_step_is_made_of():
    """The last state from the numbers on screen alone, as the declared links say."""
    explorer = long_explorer(causal=True)
    for quarter, step in product((1, 3), (1, 2, 5)):
        r = choose(explorer, quarter=quarter, step=step)
        assert_allclose(r["m"], max(r["mold"][0, 0], r["S"].max()))
        assert_allclose(r["rescale"], np.exp(r["mold"] - r["m"]))
        assert_allclose(r["P"], np.exp(r["S"] - r["m"]))
        assert_allclose(r["l"], r["lold"] * r["rescale"] + r["P"].sum())
        assert_allclose(r["o"], r["oold"] * r["rescale"] + r["P"] @ r["VT"].mT)
        assert_allclose(r["O"], r["o"] / r["l"])


def test_pictures_count_what_is_read_and_held():
    use_language("en")
    explorer = long_explorer()
    choose(explorer, step=3)
    panels = explorer.shown.panels
    assert "exp(score − m) of the 12 keys read" in panels["bars"]
    assert "Scores held: 944 in the plain form" in panels["held"]  # 28 rows of 32, and 3 tiles
    assert "plain 65536, blockwise 280, keys and values 32768" in panels["costs"]
    assert ">32\u2009896<" in panels["table"]  # 256 · 257 / 2 keys without a cache


@pytest.mark.parametrize(
    ("language", "words", "end"),
    [
        ("en", "2 of 4 blocks read, 4 skipped", "exactly what attention gives"),
        ("zh", "要读 4 块，已读 2 块，跳过 4 块", "完全相等"),
    ],
)
def test_the_text_form_tells_the_counts(language, words, end):
    use_language(language)
    explorer = long_explorer(causal=True)
    choose(explorer, quarter=2)
    assert words in explorer.sentence
    assert words in explorer.static_html()
    assert end not in explorer.shown.summary
    choose(explorer, step=4)
    assert end in explorer.shown.summary
