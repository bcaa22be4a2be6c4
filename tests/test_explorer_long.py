"""The explorer of lesson 17: every state against the slow attention over the keys read."""

import math
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_core.explorers import long as module
from attention_core.explorers import long_explorer
from attention_core.language import use_language
from tests.planted import planted
from tests.reference import attention as slow_attention


def set_all(explorer, **values):
    for name, value in values.items():
        explorer.controls[name].value = value


def every_setting_is_right(long):
    explorer = long.long_explorer(seed=7)
    settings = product((8, 32), (4, 16), (False, True), (1, 4), (0, 1, 8))
    for n, block, causal, quarter, step in settings:
        set_all(explorer, n=n, block=block, causal=causal, quarter=quarter, step=step)
        assert explorer.message.frames == [""]
        check_result(explorer.result, n, block, causal, quarter, step)


def check_result(result, n, block, causal, quarter, step):
    q, k, v = module._draw(7, n)
    block, query = min(block, n), quarter * n // 4 - 1
    visible = query + 1 if causal else n
    needed = math.ceil(visible / block)
    assert (result["query"], result["needed"]) == (query, needed)
    assert result["done"] == min(step, needed)
    assert result["needed"] + result["skipped"] == n // block
    read = min(result["done"] * block, visible)
    outputs = result["outputs"]
    assert len(outputs) == needed + 1
    if read:
        expected, _ = slow_attention([q[query].tolist()], k[:read].tolist(), v[:read].tolist())
        assert_allclose(outputs[result["done"]], expected[0])
        scores = k[:read] @ q[query] / math.sqrt(3)
        assert_allclose(result["peak"][result["done"]], scores.max())
        assert_allclose(result["powers"][:read], np.exp(scores - scores.max()))
        assert (result["powers"][read:] == 0).all()
    assert_allclose(outputs[-1], result["output"])
    bands = n // block
    tiles = bands * (bands + 1) // 2 if causal else bands**2
    assert result["blockwise"] == (tiles * block**2 * 5, block**2 + 4 * block)
    assert result["plain"] == (5 * n * n, n * n)


def test_every_setting_is_right():
    every_setting_is_right(module)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("quarter * n // 4 - 1", "quarter * n // 4 - 2"),
        ("done = min(step, needed)", "done = min(step, n // block)"),
        ("[: needed + 1]", ""),
        ("steps[done].maximum", "steps[-1].maximum"),
        ("blockwise_cost(n, _D_K, _D_V, block, causal)", "blockwise_cost(n, 3, 2, block)"),
        ("causal_mask(n) if causal", "causal_mask(n) if not causal"),
    ],
    ids=str,
)
def test_a_planted_mistake_is_noticed(old, new):
    with pytest.raises((AssertionError, IndexError)):
        every_setting_is_right(planted(module, old, new))


def test_what_was_summed_fades_by_the_step_of_the_maximum():
    result = long_explorer().result
    peak = result["peak"]
    assert result["fade"][1] == 0  # nothing was there before
    assert_allclose(result["fade"][2:], np.exp(peak[1:-1] - peak[2:]))
    assert (result["fade"][2:] < 1).any()


@pytest.mark.parametrize(
    ("language", "words"), [("en", "2 of 4 blocks read, 4 skipped"), ("zh", "已读 2 块，跳过 4 块")]
)
def test_the_text_form_tells_the_counts(language, words):
    use_language(language)
    explorer = long_explorer(causal=True)
    explorer.controls["quarter"].value = 2
    assert words in explorer.sentence
    assert words in explorer.static_html()
    for number in ("32", "1024", "2880", "5120"):
        assert number in explorer.sentence


@pytest.mark.parametrize(("step", "shown"), [(7, False), (8, True)])
def test_the_exact_output_stands_under_the_last_block_only(step, shown):
    use_language("en")
    explorer = long_explorer()
    explorer.controls["step"].value = step
    table = explorer.views["running"].frames[explorer._frame_number()]
    assert ("equal to attention" in table) is shown
    assert table.count("<tr") == 1 + step + shown


def test_two_explorers_are_independent():
    one, two = long_explorer(), long_explorer()
    one.controls["n"].value = 8
    assert two.result["n"] == 32
