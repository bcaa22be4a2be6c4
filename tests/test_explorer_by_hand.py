"""Lesson 09 on screen: both worked examples by hand values, and the written-out steps."""

import html
import math
import re

import numpy as np
import pytest

from attention_core import use_language
from attention_core.explorers import by_hand_explorer
from attention_core.explorers.by_hand import EXAMPLES
from tests import reference

# The five steps as section 9 of the document and a calculator give them.
FIRST_WEIGHTS = [[1, 0, 0], [0.3302, 0.6698, 0], [0.2483, 0.2483, 0.5035]]
FIRST_OUTPUT = [[1, 0], [0.3302, 1.3395], [1.7587, 1]]
SECOND_SCORES = [[1, 2, 4, 1], [1, 3, 1, 0]]
SECOND_WEIGHTS = [[0.1060, 0.1888, 0.5992, 0.1060], [0.1744, 0.5533, 0.1744, 0.0979]]


def board(explorer, suffix=""):
    """The lines written out for the chosen query."""
    text = explorer.views["board" + suffix].frames[explorer._frame_number()]
    return html.unescape(re.sub(r"<[^>]*>", "\n", text)).split("\n")


def visible(explorer):
    """The names in the rows that are on screen."""
    lines = zip(explorer._rows, explorer.children, strict=False)
    return {name for row, line in lines if line.layout.display != "none" for name in row}


def test_the_first_example_is_the_documents():
    result = by_hand_explorer().result
    np.testing.assert_array_equal(result["scores"], [[1, 0, 1], [0, 1, 1], [1, 1, 2]])
    np.testing.assert_allclose(result["scaled"][2], [0.7071, 0.7071, 1.4142], atol=5e-5)
    np.testing.assert_array_equal(np.isinf(result["masked"]), ~np.tri(3, dtype=bool))
    np.testing.assert_allclose(result["weights"], FIRST_WEIGHTS, atol=5e-5)
    np.testing.assert_allclose(result["output"], FIRST_OUTPUT, atol=5e-5)


def test_the_second_example_has_no_two_equal_sizes():
    explorer = by_hand_explorer("second")
    q, k, v = EXAMPLES["second"]
    assert len({len(q), len(k), len(q[0]), len(v[0])}) == 4
    np.testing.assert_array_equal(explorer.result["scores"], SECOND_SCORES)
    np.testing.assert_allclose(explorer.result["weights"], SECOND_WEIGHTS, atol=5e-5)
    output, _ = reference.attention(q, k, v)
    np.testing.assert_allclose(explorer.result["output"], output, atol=1e-12)


def test_the_choice_shows_one_example_with_its_own_mask():
    explorer = by_hand_explorer()
    assert {"Q", "weights", "query", "board", "detail"} <= visible(explorer)
    assert not any(name.endswith("_2") for name in visible(explorer))
    explorer.controls["example"].value = "second"
    assert {"Q_2", "weights_2", "query_2", "board_2", "detail"} <= visible(explorer)
    assert not {"Q", "weights", "query", "board"} & visible(explorer)
    assert explorer.controls["preset"].value == "none"
    explorer.controls["preset"].value = "causal"
    np.testing.assert_array_equal(explorer.result["mask"], [[1, 1, 1, 0], [1, 1, 1, 1]])
    explorer.controls["example"].value = "first"
    assert explorer.controls["preset"].value == "causal"
    np.testing.assert_allclose(explorer.result["output"], FIRST_OUTPUT, atol=5e-5)


@pytest.mark.parametrize(("example", "suffix"), [("first", ""), ("second", "_2")])
def test_typed_numbers_go_through_all_steps(example, suffix):
    explorer = by_hand_explorer(example)
    explorer.controls["preset"].value = "none"
    q, k, v = (np.array(x, dtype=float) for x in EXAMPLES[example])
    explorer.controls["Q" + suffix].set_cell(1, 0, -2.5)
    explorer.controls["K" + suffix].set_cell(2, 1, 4)
    explorer.controls["V" + suffix].set_cell(0, 1, 100)
    q[1, 0], k[2, 1], v[0, 1] = -2.5, 4, 100
    for scaled, scale in ((True, None), (False, 1.0)):
        explorer.controls["scaled"].value = scaled
        output, weights = reference.attention(q.tolist(), k.tolist(), v.tolist(), None, scale)
        np.testing.assert_allclose(explorer.result["weights"], weights, atol=1e-12)
        np.testing.assert_allclose(explorer.result["output"], output, atol=1e-12)


def test_every_cell_of_the_chosen_query_is_written_out():
    explorer = by_hand_explorer()
    explorer.controls["query"].value = 3
    lines = board(explorer)
    assert "(QKᵀ)₃₃ = q₃ · k₃ = 1·1 + 1·1 = 2" in lines
    assert "S₃₃ = 2 / √2 = 1.4142" in lines
    assert "(S + M)₃₂ = 0.7071 + 0 = 0.7071" in lines
    assert any(
        line.startswith("A₃₁ = e^0.7071 / (e^0.7071 + e^0.7071 + e^1.4142)") for line in lines
    )
    assert "O₃₁ = 0.2483·1 + 0.2483·0 + 0.5035·3 = 1.7587" in lines
    explorer.controls["query"].value = 1
    assert "(S + M)₁₃ = 0.7071 + (−∞) = −∞" in board(explorer)


@pytest.mark.parametrize(("example", "suffix"), [("first", ""), ("second", "_2")])
def test_written_lines_count_the_cells_and_end_in_them(example, suffix):
    explorer = by_hand_explorer(example)
    result = explorer.result
    for i in range(len(result["scores"])):
        explorer.controls["query" + suffix].value = i + 1
        lines = [line for line in board(explorer, suffix) if "=" in line]
        steps = ("scores", "scaled", "masked", "weights", "output")
        numbers = np.concatenate([result[step][i] for step in steps])
        assert len(lines) == len(numbers)
        ends = [line.rsplit(" = ", 1)[1].replace("−∞", "-inf").replace("−", "-") for line in lines]
        np.testing.assert_allclose([float(end) for end in ends], numbers, atol=5.1e-5)


def test_selected_cells_of_both_examples_are_explained():
    explorer = by_hand_explorer()
    explorer.views["output"].selected = [1, 1]
    assert "0.3302·0 + 0.6698·2 + 0.0000·1 = 1.3395" in explorer.detail.frames[0]
    explorer.controls["example"].value = "second"
    explorer.views["scaled_scores_2"].selected = [0, 2]
    assert "4 / √3 = 2.3094" in explorer.detail.frames[0]


def test_text_form_in_both_languages_and_for_both_examples():
    text = repr(by_hand_explorer())
    assert "0.3302, 0.6698" in text and "1.7587, 1.0000" in text
    use_language("zh")
    chinese = by_hand_explorer("second")
    assert "输出 O = [1.4103, 1.1656, 0.4008, 0.7189, 2.7147;" in repr(chinese)
    static = chinese.static_html()
    assert "第 5 步 · 聚合值" in static and static.count("<table") == 9


def test_reset_brings_back_the_example_shown_first():
    explorer = by_hand_explorer("second")
    explorer.controls["example"].value = "first"
    explorer.controls["V"].set_cell(0, 0, math.pi)
    explorer.reset()
    assert explorer.controls["example"].value == "second"
    np.testing.assert_allclose(explorer.result["weights"], SECOND_WEIGHTS, atol=5e-5)
    explorer.controls["example"].value = "first"
    np.testing.assert_allclose(explorer.result["output"], FIRST_OUTPUT, atol=5e-5)


def test_an_unknown_example_is_refused():
    with pytest.raises(ValueError, match="third"):
        by_hand_explorer("third")


def test_two_are_independent():
    first, second = by_hand_explorer(), by_hand_explorer()
    first.controls["example"].value = "second"
    first.controls["K"].set_cell(0, 0, 9)
    assert second.controls["example"].value == "first"
    np.testing.assert_allclose(second.result["output"], FIRST_OUTPUT, atol=5e-5)
