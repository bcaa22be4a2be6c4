"""The explorer of lesson 07: three scores, their shares, a point in a triangle."""

import itertools
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_core import use_language
from attention_core.explorers import softmax_explorer
from tests import reference

OTHER_ROW = [2.0, 0.0, 1.0]
VALUES = [[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]]


def put(explorer, **settings):
    for name, value in settings.items():
        explorer.controls[name].value = value
    return explorer


def expected_weights(s1, s2, s3, c, T, axis):
    """Slowly and without the constant, which must not matter."""
    rows = [[s1 / T, s2 / T, s3 / T], [x / T for x in OTHER_ROW]]
    if axis == -1:
        return [reference.softmax(row) for row in rows]
    columns = [reference.softmax(list(column)) for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


SETTINGS = [
    *itertools.product((-5, 5), (-5, 0.5), (-5, 3), (-1000, 0, 1000), (0.1, 10), (-1, 0)),
    (1, 2, 2.5, 0, 1, -1),
    (-1.5, 0, 4.5, 10, 0.5, 0),
]


def test_weights_and_output_at_all_extremes():
    explorer = softmax_explorer()
    for settings in SETTINGS:
        names = dict(zip(("s1", "s2", "s3", "c", "T", "axis"), settings, strict=True))
        put(explorer, **names)
        wanted = expected_weights(**names)
        assert explorer.message.frames == [""]
        # Adding 1000 and dividing by 0.1 costs some digits of the scores.
        assert_allclose(explorer.result["weights"], wanted, atol=1e-11)
        assert_allclose(explorer.result["output"], reference.matmul(wanted, VALUES), atol=1e-10)


def inside_triangle(point):
    """Whether a point lies on the same side of all three edges."""
    sides = []
    for k in range(3):
        (ax, ay), (bx, by) = VALUES[k], VALUES[(k + 1) % 3]
        sides.append((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax))
    return all(s >= -1e-9 for s in sides) or all(s <= 1e-9 for s in sides)


def test_only_the_wrong_axis_leaves_the_triangle():
    explorer = softmax_explorer()
    for s1, s2, s3, T in itertools.product((-5, 1, 5), (-5, 2, 5), (-5, 2.5, 5), (0.1, 1, 10)):
        put(explorer, s1=s1, s2=s2, s3=s3, T=T, axis=-1)
        assert inside_triangle(explorer.result["output"][0])
    put(explorer, s1=5, s2=2, s3=2.5, T=1, axis=0)
    assert not inside_triangle(explorer.result["output"][0])


def test_the_constant_moves_nothing():
    explorer = softmax_explorer()
    before = explorer.result["weights"], explorer.views["weights"].frames
    for c in explorer.controls["c"].values:
        put(explorer, c=c)
        assert_allclose(explorer.result["weights"], before[0], atol=1e-12)
        assert explorer.views["weights"].frames[0]["texts"] == before[1][0]["texts"]


def test_row_sums_stand_behind_the_rows():
    explorer = softmax_explorer()
    assert explorer.views["weights"].frames[0]["notes"] == ["1.000", "1.000"]
    put(explorer, axis=0)
    shown = explorer.views["weights"].frames[explorer._frame_number()]["notes"]
    assert shown == [f"{sum(row):.3f}" for row in expected_weights(1, 2, 2.5, 0, 1, 0)]
    assert shown != ["1.000", "1.000"]


def test_the_pictures_show_the_weights_and_the_output():
    explorer = put(softmax_explorer(), s1=0, s2=0, s3=0)
    assert re.findall(r">(0\.333)<", explorer.views["bars"].frames[0]) == ["0.333"] * 3
    assert "[1.333, 1.000]" in explorer.views["triangle"].frames[0]


@pytest.mark.parametrize("j", range(3))
def test_one_large_score_draws_the_point_into_its_corner(j):
    scores = {f"s{k + 1}": 5 if k == j else -5 for k in range(3)}
    explorer = put(softmax_explorer(), T=0.1, **scores)
    places = re.findall(
        r'<circle cx="([\d.]+)" cy="([\d.]+)"', explorer.views["triangle"].frames[0]
    )
    assert len(set(places[:3])) == 3
    assert places[3] == places[j]


def test_arithmetic_of_selected_cells():
    explorer = put(softmax_explorer(), s1=1, s2=2, s3=2.5, c=-10, T=0.5)
    explorer.views["logits"].selected = [0, 1]
    assert "(2 + (−10)) / 0.5 = −16" in explorer.detail.frames[0]
    put(explorer, c=0, T=1)
    explorer.views["weights"].selected = [0, 1]
    text = explorer.detail.frames[0]
    assert "A₁₂ = e^2 / (e^1 + e^2 + e^2.5)" in text and "= 0.3315" in text
    put(explorer, axis=0)  # down the column: this score against the one below it
    text = explorer.detail.frames[0]
    assert "A₁₂ = e^2 / (e^2 + e^0)" in text and "= 0.8808" in text
    put(explorer, axis=-1)
    explorer.views["output"].selected = [0, 0]
    assert "O₁₁ = 0.1220·1 + 0.3315·0 + 0.5465·3 = 1.7616" in explorer.detail.frames[0]


def test_text_form_in_both_languages():
    english = repr(put(softmax_explorer(), s1=5, axis=0))
    use_language("zh")
    chinese = repr(put(softmax_explorer(), s1=5, axis=0))
    assert english.startswith("Query 1: scores [5.00, 2.00, 2.50], weights [0.95, 0.88, 0.82]")
    assert "sum 2.65" in english and "权重之和 2.65" in chinese


def test_the_slider_refuses_what_it_cannot_show():
    explorer = softmax_explorer()
    with pytest.raises(Exception, match="not one of its settings"):
        explorer.controls["T"].value = 0
    assert min(explorer.controls["T"].values) > 0
    assert np.isfinite(explorer.result["weights"]).all()
