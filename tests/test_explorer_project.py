"""The explorer of lesson 01: right products, blocks to scale, sides that lie along each other."""

import itertools
import re

import numpy as np
import pytest

from attention_core import example, use_language
from attention_core.explorers import project_explorer
from attention_core.explorers.project_blocks import COLOURS, ROW, SIZES
from tests import reference
from tests.loops import for_each

SMALLEST = tuple(sizes[0] for sizes in SIZES.values())
EXTREMES = list(itertools.product(*((sizes[0], sizes[-1]) for sizes in SIZES.values())))


def at(n, d_model, d_k, d_v):
    explorer = project_explorer()
    for name, size in {"n": n, "d_model": d_model, "d_k": d_k, "d_v": d_v}.items():
        explorer.controls[name].value = size
    return explorer


def picture(explorer):
    return explorer.shown.panels["blocks"]


def outlines(svg):
    """The framed blocks of each role, as (x, y, wide, tall), from top to bottom."""
    found = {name: [] for name in COLOURS}
    for attributes in re.findall(r"<rect ([^>]*)/>", svg):
        values = dict(re.findall(r'([\w-]+)="([^"]*)"', attributes))
        for name, colour in COLOURS.items():
            if values.get("stroke") == colour:
                box = tuple(float(values[side]) for side in ("x", "y", "width", "height"))
                found[name].append(box)
    return {name: sorted(boxes, key=lambda box: box[1]) for name, boxes in found.items()}


@for_each("sizes", [(4, 5, 2, 3), *EXTREMES])
def test_products_are_those_of_the_slow_reference(sizes):
    result = at(*sizes).result
    n, d_model, d_k, d_v = sizes
    assert result["X"].shape == (n, d_model)
    assert result["WQ"].shape == result["WK"].shape == (d_model, d_k)
    for name, width in (("Q", d_k), ("K", d_k), ("V", d_v)):
        slow = reference.matmul(result["X"].tolist(), result[f"W{name}"].tolist())
        assert result[name].shape == (n, width)
        np.testing.assert_allclose(result[name], slow, atol=1e-12)


def test_it_starts_with_the_running_example():
    result = project_explorer().result
    np.testing.assert_array_equal(result["X"], example.hidden())
    for name, expected in zip("QKV", example.qkv(), strict=True):
        np.testing.assert_array_equal(result[name], expected)


def test_a_larger_size_keeps_the_numbers_that_were_there():
    small, large = at(*SMALLEST).result, at(*(sizes[-1] for sizes in SIZES.values())).result
    for name in ("X", "WQ", "WK", "WV"):
        rows, columns = small[name].shape
        np.testing.assert_array_equal(large[name][:rows, :columns], small[name])


@for_each("sizes", [(4, 5, 2, 3), *EXTREMES])
def test_labels_fit_the_shapes_and_columns_stand_below_those_of_w(sizes):
    n, d_model, d_k, _ = sizes
    frames = at(*sizes).shown.frames
    labels = {name: (frame.rows, frame.cols) for name, frame in frames.items()}
    assert [len(labels["X"][side]) for side in (0, 1)] == [n, d_model]
    assert labels["WQ"][0] == labels["X"][1] and labels["WQ"][1] == labels["Q"][1]
    assert labels["Q"][0] == labels["X"][0] and len(labels["Q"][1]) == d_k


@for_each("sizes", [(4, 5, 2, 3), *EXTREMES])
def test_blocks_are_to_scale_and_shared_sides_lie_along_each_other(sizes):
    n, d_model, d_k, d_v = sizes
    boxes = outlines(picture(at(*sizes)))
    (x,) = boxes["X"]
    unit = x[2] / d_model
    assert x[3] == n * unit
    for name, width in (("Q", d_k), ("K", d_k), ("V", d_v)):
        weight, product = boxes[name]
        assert weight[2:] == (width * unit, d_model * unit)
        assert product[2:] == (width * unit, n * unit)
        assert weight[0] == product[0], "the columns of W stand above those of the product"
        assert product[1] == x[1], "the rows of the product stand beside those of X"
        assert weight[1] + weight[3] < product[1]


@for_each("sizes", EXTREMES)
def test_nothing_is_cut_off_and_blocks_stay_apart(sizes):
    svg = picture(at(*sizes))
    wide, tall = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    boxes = [box for kind in outlines(svg).values() for box in kind]
    assert all(x >= 0 and y >= 0 and x + w <= wide and y + h <= tall for x, y, w, h in boxes)
    for a, b in itertools.combinations(boxes, 2):
        apart_x = a[0] + a[2] < b[0] or b[0] + b[2] < a[0]
        apart_y = a[1] + a[3] < b[1] or b[1] + b[3] < a[1]
        assert apart_x or apart_y


def test_the_same_row_is_marked_everywhere_and_linked_with_the_numbers():
    svg = picture(at(5, 8, 3, 2))
    boxes = outlines(svg)
    marked = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" [^>]*fill-opacity="0.7"[^>]*/>', svg)
    unit = boxes["X"][0][2] / 8
    assert {float(y) for _, y in marked} == {boxes["X"][0][1] + ROW * unit}
    products = [boxes[name][-1][0] for name in COLOURS]
    assert sorted(float(x) for x, _ in marked) == sorted(products)
    assert sorted(re.findall(r'data-cell="(.*?)"', svg)) == [f"Q {ROW} 0", f"X {ROW} 0"]


def test_text_form_in_both_languages():
    use_language("zh")
    chinese = at(3, 8, 4, 2)
    use_language("en")
    english = at(3, 8, 4, 2)
    for explorer in (chinese, english):
        shapes = re.findall(r"\(\d+, \d+\)", repr(explorer))
        assert shapes == [
            "(3, 8)", "(8, 4)", "(3, 4)", "(8, 4)", "(3, 4)", "(8, 2)", "(3, 2)",
        ]  # fmt: skip
    assert "gives" in repr(english) and "得" in repr(chinese)


def test_a_start_that_is_no_setting_is_refused():
    with pytest.raises(Exception, match="d_k: 5 is not one of its settings: 2, 3, 4"):
        project_explorer(d_k=5)


def test_what_was_typed_stays_when_a_size_changes_and_is_multiplied():
    explorer = project_explorer()
    explorer.controls["X"].set_cell(ROW, 3, 7)
    explorer.controls["WQ"].set_cell(3, 1, -4)
    for sizes in ((5, 8, 3, 3), (4, 5, 2, 3)):
        for name, size in zip(SIZES, sizes, strict=True):
            explorer.controls[name].value = size
        x, w = explorer.result["X"], explorer.result["WQ"]
        assert (x.shape, w.shape) == (sizes[:2], sizes[1:3])
        assert (x[ROW, 3], w[3, 1]) == (7, -4)
        slow = reference.matmul(x.tolist(), w.tolist())
        np.testing.assert_allclose(explorer.result["Q"], slow)
