"""The explorer of lesson 12: only legal heads, and every number against its formula."""

import itertools
import math
import re

import pytest

from attention_core import use_language
from attention_core.explorers import head_blocks, head_shapes_explorer
from attention_core.explorers import head_shapes as module
from tests.planted import planted


def choose(explorer, **values):
    with explorer.together():
        for name, value in values.items():
            explorer.controls[name].value = value
    return explorer.result


def every_number_is_right(shapes):
    explorer = shapes.head_shapes_explorer()
    h = explorer.controls["h"]
    for d_model, n in itertools.product(shapes.WIDTHS, (1, 50, 2000)):
        for heads in h.values:
            result = choose(explorer, n=n, d_model=d_model, h=heads)
            assert explorer.note == ""
            offered = [v for k, v in enumerate(h.values) if k not in explorer.closed["h"]]
            assert offered == [k for k in range(1, 65) if k * (d_model // k) == d_model]
            assert result["h"] == h.value == max(k for k in offered if k <= heads)
            check_counts(result, n, d_model, h.value)
            check_shown(explorer.shown.panels, n, d_model, h.value)


def check_counts(result, n, d_model, h):
    assert result["d_head"] * h == d_model
    assert result["parameters"] == 4 * d_model**2
    assert result["inside"] == 2 * n**2 * d_model
    assert result["multiplications"] == 4 * n * d_model**2 + 2 * n**2 * d_model
    assert result["weights"] == h * n * n


def check_shown(panels, n, d_model, h):
    for shape in ((n, d_model), (h, n, d_model // h), (h, n, n)):
        assert f">{shape}<" in panels["table"] and f">{shape}<" in panels["blocks"]
    total = f"{4 * n * d_model**2 + 2 * n**2 * d_model:,}".replace(",", "\u2009")
    assert f">{total}<" in panels["table"]
    cuts = [w for w in widths(panels["blocks"], "line") if w]
    assert len(cuts) == 4 * (h - 1)  # Q, K, V and Concat are cut; X is not


def widths(svg, name):
    return re.findall(rf"<{name} .*?stroke-width=\"([\d.]+)\"", svg)


def test_every_number_is_right():
    every_number_is_right(module)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("d_model % h == 0", "h % 2 == 0 or h == 1"),
        ("if heads not in legal]", "if heads in legal]"),
        ('h * n * n,', 'n * n,'),
        ('step.multiplications for step', 'step.parameters for step'),
    ],
    ids=str,
)  # fmt: skip
def test_a_planted_mistake_is_noticed(old, new):
    with pytest.raises((AssertionError, ValueError)):
        every_number_is_right(planted(module, old, new))


def test_a_cut_through_x_is_noticed():
    broken = planted(head_blocks, '[("X", x, None, 1)]', '[("X", x, None, h)]').blocks_svg
    with pytest.raises(AssertionError):
        every_number_is_right(planted(module, "h * n * n,", "h * n * n,", blocks_svg=broken))


def test_counts_are_products_of_the_sizes_written_out():
    explorer = head_shapes_explorer()
    for d_model, h, n in ((512, 8, 100), (576, 9, 5)):
        choose(explorer, d_model=d_model, h=h, n=n)
        one = d_model // h
        assert explorer.result["counts"].tolist() == [
            [3 * d_model**2, 3 * n * d_model**2, 3 * n * d_model],
            [0, h * n * n * one, h * n * n],
            [0, 0, h * n * n],
            [0, h * n * n * one, n * d_model],
            [d_model**2, n * d_model**2, n * d_model],
        ]
        frame = explorer.shown.frames["N"]
        for texts, counts in zip(frame.explain, frame.values, strict=True):
            for text, count in zip(texts, counts, strict=True):
                _, *product, digits = text.split(" = ")
                assert int(digits.replace("\u2009", "")) == count
                assert not product or math.prod(map(int, product[0].split("·"))) == count


def test_blocks_stand_to_scale():
    """The widest block measures 76 pixels; W and X follow from their shapes."""
    explorer = head_shapes_explorer()
    choose(explorer, n=200, d_model=384)
    svg = explorer.shown.panels["blocks"]
    sizes = re.findall(r'<rect [^>]*width="([\d.]+)" height="([\d.]+)" fill="none"', svg)
    tall = f"{76 * 200 / 384:.1f}"
    # X, three W, Q, K, V; scores, weights and heads in four sheets each; Concat, W_O, O
    assert sizes[0] == ("76", tall) and sizes[1] == ("76", "76") and sizes[4] == ("76", tall)
    assert sizes[7:15] == [(tall, tall)] * 8 and sizes[15:19] == [("9.5", tall)] * 4
    assert sizes[19:] == [("76", tall), ("76", "76"), ("76", tall)]


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "each cut into 9 heads (9, 100, 64)"), ("zh", "各切成 9 个头 (9, 100, 64)")],
)
def test_the_picture_says_its_shapes(language, words):
    use_language(language)
    explorer = head_shapes_explorer(d_model=576, h=9)
    assert words in explorer.shown.panels["blocks"]
    assert "(100, 64)" in explorer.sentence and "1,327,104" in explorer.sentence
