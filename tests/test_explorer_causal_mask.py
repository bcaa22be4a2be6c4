"""The explorer of lesson 08: masks to choose and click, leaks, a loud last token."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attention_core import use_language
from attention_core.explorers import causal_mask_explorer
from tests import reference

Q = [[1, 0], [0, 1], [1, 1], [1, -1]]
K = [[1, 0], [0, 1], [1, 1], [2, 1]]
V = [[1, 0], [0, 2], [3, 1], [2, 2]]
MASKS = {
    "none": ["1111", "1111", "1111", "1111"],
    "causal": ["1000", "1100", "1110", "1111"],
    "padding": ["1110", "1110", "1110", "1110"],
    "causal+padding": ["1000", "1100", "1110", "1110"],
    "window": ["1000", "1100", "0110", "0011"],
}


def mask_of(lines):
    return [[letter == "1" for letter in line] for line in lines]


def put(explorer, **settings):
    for name, value in settings.items():
        explorer.controls[name].value = value
    return explorer


def frame(explorer, view):
    frames = {**explorer.views, **explorer.controls}[view].frames
    return frames[min(explorer._frame_number(), len(frames) - 1)]


@pytest.mark.parametrize(("preset", "factor"), [*itertools.product(MASKS, (1, 10, 1000))])
def test_every_preset_with_every_factor(preset, factor):
    explorer = put(causal_mask_explorer(), preset=preset, factor=factor)
    k = [*K[:3], [factor * x for x in K[3]]]
    v = [*V[:3], [factor * x for x in V[3]]]
    mask = mask_of(MASKS[preset])
    assert_array_equal(explorer.result["mask"], mask)
    assert_allclose(explorer.result["k"], k)
    if factor < 1000:  # the slow reference does not subtract the largest score
        output, weights = reference.attention(Q, k, v, mask)
        assert_allclose(explorer.result["weights"], weights, atol=1e-12)
        assert_allclose(explorer.result["output"], output, atol=1e-10)
    before = np.array(reference.attention(Q, K, V, mask)[0])
    change = np.abs(explorer.result["output"] - before).max(axis=-1)
    assert_allclose(explorer.result["change"], change, atol=1e-9)


@pytest.mark.parametrize(
    ("preset", "future", "moved"),
    [
        ("none", 6, [0, 1, 2, 3]),
        ("causal", 0, [3]),
        ("padding", 3, []),
        ("causal+padding", 0, []),
        ("window", 0, [3]),
    ],
)
def test_leaks_are_framed_and_the_past_stands_still(preset, future, moved):
    explorer = put(causal_mask_explorer(), preset=preset)
    outlined = np.array(frame(explorer, "weights")["outlined"])
    assert outlined.sum() == explorer.result["leaks"].sum() == future
    assert not np.tril(outlined).any()
    assert_array_equal(frame(explorer, "mask")["outlined"], outlined)
    assert not explorer.result["change"].any()
    put(explorer, factor=1000)
    assert np.flatnonzero(explorer.result["change"]).tolist() == moved  # exactly 0 elsewhere
    notes = frame(explorer, "output")["notes"]
    assert [i for i, note in enumerate(notes) if note != "0"] == moved
    assert np.array(frame(explorer, "mask")["outlined"]).sum() == future


def test_the_best_match_of_the_first_token_is_hidden():
    explorer = causal_mask_explorer("causal")
    assert explorer.result["scores"][0].argmax() == 3
    assert explorer.result["weights"][0].tolist() == [1, 0, 0, 0]


def test_clicks_make_a_mask_of_ones_own():
    explorer = causal_mask_explorer("causal")
    explorer.controls["mask"].set_cell(1, 3, True)
    assert explorer.controls["preset"].value == "yours"
    assert explorer.result["leaks"].nonzero() == (np.array([1]), np.array([3]))
    _, weights = reference.attention(Q, K, V, explorer.result["mask"].tolist())
    assert_allclose(explorer.result["weights"], weights)
    put(explorer, preset="window")
    assert_array_equal(explorer.controls["mask"].value, mask_of(MASKS["window"]))


@pytest.mark.parametrize(("language", "words"), [("en", "sees nothing"), ("zh", "什么也看不到")])
def test_a_row_that_sees_nothing_says_so(language, words):
    use_language(language)
    explorer = causal_mask_explorer("causal")
    explorer.controls["mask"].set_cell(0, 0, False)
    assert frame(explorer, "weights")["notes"] == [words, "1.00", "1.00", "1.00"]
    assert explorer.result["weights"][0].tolist() == [0, 0, 0, 0]
    assert explorer.result["output"][0].tolist() == [0, 0]
    explorer.views["weights"].selected = [0, 0]
    assert "A₁₁ = 0" in explorer.detail.frames[0]


def test_edits_of_q_k_v_travel_through():
    explorer = causal_mask_explorer("causal")
    for name, number in (("Q", 3), ("K", -2), ("V", 7)):
        explorer.controls[name].set_cell(2, 1, number)
    q, k, v = (np.array(x, float) for x in (Q, K, V))
    q[2, 1], k[2, 1], v[2, 1] = 3, -2, 7
    output, weights = reference.attention(
        q.tolist(), k.tolist(), v.tolist(), mask_of(MASKS["causal"])
    )
    assert_allclose(explorer.result["weights"], weights)
    assert_allclose(explorer.result["output"], output)


def test_arithmetic_of_selected_cells():
    explorer = put(causal_mask_explorer("causal"), factor=10)
    explorer.views["scaled"].selected = [0, 3]
    text = explorer.detail.frames[0]
    assert "q₁ · k₄ = 1·20 + 0·10 = 20" in text and "S₁₄ = 20 / √2 = 14.1421" in text
    explorer.views["masked"].selected = [0, 3]
    assert "14.1421 + (−∞) = −∞" in explorer.detail.frames[0]
    explorer.views["weights"].selected = [1, 1]
    assert "e^0.7071 / (e^0 + e^0.7071 + 0 + 0)" in explorer.detail.frames[0]
    explorer.views["output"].selected = [1, 1]
    assert "0.6698·2" in explorer.detail.frames[0] and "= 1.3395" in explorer.detail.frames[0]


def test_text_form_in_both_languages():
    explorer = put(causal_mask_explorer(), factor=1000)
    assert "multiplied by 1000: T1, T2, T3, T4." in repr(explorer)
    put(explorer, preset="causal")
    assert "read the future: 0" in repr(explorer) and repr(explorer).endswith("1000: T4.")
    use_language("zh")
    chinese = repr(causal_mask_explorer())
    assert "读到未来的格子：6 个" in chinese and chinese.endswith("变化的输出：无。")


def test_long_numbers_lose_their_decimals():
    explorer = put(causal_mask_explorer(), factor=1000)
    assert frame(explorer, "scaled")["texts"][0] == ["0.71", "0.00", "0.71", "1414"]
    assert frame(explorer, "output")["texts"][0] == ["2000", "2000"]
