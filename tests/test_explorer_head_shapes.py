"""Lesson 12's explorer: only legal heads, and every number against its formula."""

import itertools
import re

import pytest
import traitlets

from attention_core import use_language
from attention_core.explorers import head_shapes, head_shapes_explorer
from attention_core.explorers.head_shapes import LENGTHS, WIDTHS, legal_heads
from tests.planted import planted


def choose(explorer, **settings):
    for name, value in settings.items():
        explorer.controls[name].value = value
    return explorer.result


def offers_only_divisors(explorer):
    for d_model in WIDTHS:
        choose(explorer, d_model=d_model)
        offered = explorer.controls["h"].values
        assert offered == [h for h in range(1, 65) if d_model / h == d_model // h]
        assert explorer.controls["h"].options == [str(h) for h in offered]
        assert explorer.controls["h"].value in offered
        assert explorer.message.frames == [""]


def test_only_divisors_are_offered():
    offers_only_divisors(head_shapes_explorer())
    offers_only_divisors(head_shapes_explorer(d_model=576, h=9))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("d_model % h == 0", "h % 2 == 0 or h == 1"),
        ("self._offer(legal_heads(change", "(legal_heads(change"),
        ("max(h for h in values if h <= self.value)", "self.value"),
    ],
)
def test_a_wrong_offer_is_seen(old, new):
    broken = planted(head_shapes, old, new)
    with pytest.raises((AssertionError, ValueError, traitlets.TraitError)):
        offers_only_divisors(broken.head_shapes_explorer(d_model=576, h=36))


def test_illegal_heads_are_refused_in_words():
    explorer = head_shapes_explorer()
    with pytest.raises(traitlets.TraitError, match="h: 12 is not one of its settings"):
        explorer.controls["h"].value = 12
    assert explorer.result["h"] == 8


def test_heads_that_no_longer_divide_go_down():
    explorer = head_shapes_explorer(d_model=768, h=12)
    assert choose(explorer, d_model=512)["h"] == 8
    assert choose(explorer, d_model=768)["h"] == 8  # and stay where they are legal
    choose(explorer, d_model=576, h=18)
    assert choose(explorer, d_model=1024)["h"] == 16
    assert explorer.controls["h"].index == [1, 2, 4, 8, 16, 32, 64].index(16)


def test_same_place_other_number():
    """The index may stay while the number behind it changes."""
    explorer = head_shapes_explorer(d_model=512, h=16)
    at = explorer.controls["h"].index
    choose(explorer, d_model=384)
    assert explorer.controls["h"].values[explorer.controls["h"].index] == 16
    assert explorer.controls["h"].index != at
    explorer.controls["h"].index = at
    assert explorer.result["h"] == explorer.controls["h"].values[at] == 6


@pytest.mark.parametrize("d_model", WIDTHS)
def test_every_number_follows_its_formula(d_model):
    explorer = head_shapes_explorer()
    heads = legal_heads(d_model)
    for n, h in itertools.product(LENGTHS, (heads[0], heads[len(heads) // 2], heads[-1])):
        result = choose(explorer, n=n, d_model=d_model, h=h)
        assert (result["n"], result["d_model"], result["h"]) == (n, d_model, h)
        assert result["d_head"] * h == d_model
        assert result["parameters"] == 4 * d_model**2
        assert result["multiplications"] == 4 * n * d_model**2 + 2 * n**2 * d_model
        assert result["weights"] == h * n * n
        shown = explorer.views["table"].frames[explorer._frame_number()]
        for shape in ((n, d_model), (h, n, d_model // h), (h, n, n)):
            assert f">{shape}<" in shown
            assert f">{shape}<" in explorer.views["picture"].frames[explorer._frame_number()]


def test_the_documents_example():
    explorer = head_shapes_explorer()
    assert repr(explorer) == (
        "n = 100, d_model = 512, h = 8: d_head = 64. In each head: Q_i, K_i, V_i (100, 64), "
        "scores (100, 100), head_i (100, 64); Concat (100, 512). Parameters 1 048 576, "
        "multiplications 115 097 600, attention weights 80 000."
    ).replace(" 048", "\u2009048").replace(" 576,", "\u2009576,").replace(
        "115 097 600", "115\u2009097\u2009600"
    ).replace("80 000", "80\u2009000")
    use_language("zh")
    assert "每个头：Q_i、K_i、V_i (100, 64)，分数 (100, 100)" in repr(head_shapes_explorer())


def test_slices_and_sheets_are_one_for_each_head():
    """h slices in X and in Concat; up to eight sheets twice, more are named."""
    explorer = head_shapes_explorer(d_model=1024)
    for h, sheets in ((1, 1), (2, 2), (8, 8), (16, 8), (64, 8)):
        choose(explorer, h=h)
        picture = explorer.views["picture"].frames[explorer._frame_number()]
        assert len(re.findall("<rect", picture)) == 2 * (h + 1) + 2 * sheets
        assert picture.count(f"× {h}<") == (2 if h > 8 else 0)


def test_two_are_independent():
    first, second = head_shapes_explorer(), head_shapes_explorer()
    choose(first, d_model=576, h=9)
    assert second.result["h"] == 8 and second.controls["h"].values[-1] == 64
    assert 9 not in second.controls["h"].values
