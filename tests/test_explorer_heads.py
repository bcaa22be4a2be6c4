"""Lesson 11's explorer: every setting against one head after another, computed with lists."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attention_core import init_multi_head, use_language
from attention_core.explorers import heads, heads_explorer
from tests import reference
from tests.loops import for_each
from tests.planted import planted

# Written once more from the description: what each setting does to columns and rows.
PLACES = {"kept": [0, 1, 2], "moved": [2, 0, 1], "moved_alone": [2, 0, 1]}
SETTINGS = [*itertools.product(("different", "alike"), PLACES, (False, True))]


@pytest.fixture
def explorer():
    return heads_explorer()


def choose(explorer, **settings):
    for name, value in settings.items():
        explorer.controls[name].value = value
    return explorer.result


def matrices(kind, order):
    """W_Q, W_K, W_V, W_O as nested lists, built column by column."""
    rng = np.random.default_rng(37)
    rng.normal(size=(4, 6))
    *w_qkv, w_o = (w.round(1).tolist() for w in init_multi_head(rng, 6, 3))
    sources = [0, 0, 0] if kind == "alike" else PLACES[order]
    columns = [c for s in sources for c in (2 * s, 2 * s + 1)]
    places = PLACES["kept" if order == "moved_alone" else order]
    rows = [r for p in places for r in (2 * p, 2 * p + 1)]
    return [[[row[c] for c in columns] for row in w] for w in w_qkv] + [[w_o[r] for r in rows]]


def agrees(result, x, kind, order, causal):
    mask = [[j <= i for j in range(4)] for i in range(4)] if causal else None
    output, maps = reference.multi_head_attention(x.tolist(), matrices(kind, order), 3, mask=mask)
    assert_allclose(result["output"], output, atol=1e-12)
    assert_allclose(result["weights"], maps, atol=1e-12)


@for_each(("kind", "order", "causal"), SETTINGS)
def test_every_setting_is_multi_head_attention(explorer, kind, order, causal):
    result = choose(explorer, heads=kind, order=order, causal=causal)
    agrees(result, explorer.controls["X"].value, kind, order, causal)
    assert_allclose(result["mean"], sum(result["heads"]) / 3, atol=1e-12)
    assert_array_equal(result["joined"], np.hstack(list(result["heads"])))


def test_edited_tokens_are_used(explorer):
    for x in (np.full((4, 6), -3.0), np.zeros((4, 6)), np.arange(24.0).reshape(4, 6) / 10):
        choose(explorer, X=x)
        agrees(explorer.result, x, "different", "kept", False)


def test_alike_heads_are_one_head(explorer):
    before = explorer.result
    result = choose(explorer, heads="alike")
    for i in range(3):
        assert_array_equal(result["weights"][i], before["weights"][0])
        assert_array_equal(result["heads"][i], before["heads"][0])
    assert_allclose(result["mean"], before["heads"][0], atol=1e-12)


def order_matters_as_said(kept, moved, alone):
    for other in (moved, alone):
        assert_array_equal(other["weights"], kept["weights"][[2, 0, 1]])
        assert_allclose(other["mean"], kept["mean"], atol=1e-12)
    assert_allclose(moved["output"], kept["output"], atol=1e-12)
    assert np.abs(alone["output"] - kept["output"]).max() > 0.5


def test_order_changes_nothing_with_the_rows_of_w_o(explorer):
    order_matters_as_said(*(choose(explorer, order=order) for order in PLACES))


@for_each(
    ("old", "new"),
    [
        ("drawn.w_o[moved]", "drawn.w_o"),
        ("w[:, moved] for w in drawn[:3]", "w for w in drawn[:3]"),
        ('drawn.w_o if order == "moved_alone"', 'drawn.w_o[moved] if order == "moved_alone"'),
        ("columns[list(ORDERS[order])]", "columns[list(ORDERS[order])[::-1]]"),
    ],
)
def test_a_wrong_order_is_seen(old, new):
    broken = planted(heads, old, new).heads_explorer()
    with pytest.raises(AssertionError):
        order_matters_as_said(*(choose(broken, order=order) for order in PLACES))


def one_scale(explorer):
    """Only the map with the largest score of all reaches an end of the colours."""
    ends = ("#7f3b08", "#2d004b")
    number = explorer._frame_number()
    fills = [explorer.views[f"map{i}"].frames[number]["fills"] for i in range(3)]
    reached = [any(fill in ends for row in one for fill in row) for one in fills]
    assert reached.count(True) == 1
    assert reached.index(True) == np.abs(explorer.result["scaled"]).max(axis=(1, 2)).argmax()


def test_maps_share_one_colour_scale(explorer):
    choose(explorer, shown="scores")
    one_scale(explorer)
    broken = planted(heads, "masked=hidden, scale=scale", "masked=hidden").heads_explorer()
    choose(broken, shown="scores")
    with pytest.raises(AssertionError):
        one_scale(broken)


def test_hidden_cells_are_hatched_in_every_head(explorer):
    choose(explorer, causal=True)
    number = explorer._frame_number()
    for i in range(3):
        frame = explorer.views[f"map{i}"].frames[number]
        assert frame["hatched"] == [[j > row for j in range(4)] for row in range(4)]


def test_titles_follow_the_heads(explorer):
    choose(explorer, order="moved")
    number = explorer._frame_number()
    titles = [explorer.views[f"map{i}"].frames[number]["title"] for i in range(3)]
    assert titles == ["head 3: A₃", "head 1: A₁", "head 2: A₂"]


def test_cells_are_spelled_out(explorer):
    def line(view, i, j):
        explorer.views[view].selected = [i, j]
        return explorer.detail.frames[0]

    result = explorer.result
    assert "A⁽¹⁾₁₂ = e^" in line("map0", 0, 1)
    assert line("map0", 0, 1).endswith(f"= {result['weights'][0, 0, 1]:.4f}</p>")
    assert line("head2", 1, 0).count("·") == 4 and "(AV)⁽³⁾₂₁" in line("head2", 1, 0)
    first = " + ".join(f"({x:.4f})" if x < 0 else f"{x:.4f}" for x in result["heads"][:, 0, 0])
    mean = f"({first}) / 3 = {result['mean'][0, 0]:.4f}".replace("-", "−")
    assert mean in line("mean", 0, 0)
    assert line("output", 3, 5).count("·") == 7  # the name of the product, and six terms
    choose(explorer, shown="scores", order="moved")
    assert "q⁽³⁾₁ · k⁽³⁾₂" in line("map0", 0, 1) and "/ √2" in line("map0", 0, 1)
    assert "M" not in line("map0", 0, 1)
    choose(explorer, causal=True)
    assert line("map0", 0, 1).endswith("+ (−∞) = −∞</p>") and "∞" not in line("map0", 1, 1)


def test_sentence_in_both_languages(explorer):
    first = "[0.08, 0.73, 0.10, 0.09]"
    assert repr(explorer).startswith(f"Weights of token 1: head 1 {first}; head 2 [")
    use_language("zh")
    assert repr(heads_explorer()).startswith(f"词元 1 的权重：头 1 {first}；头 2 [")


def test_no_negative_zero_to_edit(explorer):
    assert not np.signbit(explorer.controls["X"].value[explorer.controls["X"].value == 0]).any()
