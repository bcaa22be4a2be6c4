"""The explorer of lesson 07: scores, their shares, a point in a triangle."""

import itertools
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_core import use_language
from attention_core.explorers import softmax_explorer
from tests import reference

SCORES = [[0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0], [3, -1, 1, 0]]  # worked out by hand, before √2
VALUES = [[4, 1], [0, 3], [2, 3], [3, 4]]


def put(explorer, **settings):
    for name, value in settings.items():
        explorer.controls[name].value = value
    return explorer


def expected_weights(scores, T, axis):
    """Slowly and without the constant, which must not matter."""
    rows = [[s / T for s in row] for row in scores]
    if axis == -1:
        return [reference.softmax(row) for row in rows]
    columns = [reference.softmax(list(column)) for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def test_weights_and_outputs_at_all_extremes():
    explorer, wild = softmax_explorer(), np.arange(16).reshape(4, 4) % 5 * 7.5 - 14
    for scores in (np.array(SCORES) / np.sqrt(2), wild):
        explorer.controls["Z"].value = scores
        for c, T, axis in itertools.product((-1000, 0, 1000), (0.25, 1, 4), (-1, 0)):
            put(explorer, c=c, T=T, axis=axis)
            wanted = expected_weights(scores.tolist(), T, axis)
            # Adding 1000 and dividing by 0.25 costs some digits of the scores.
            assert_allclose(explorer.result["A"], wanted, atol=1e-11)
            assert_allclose(explorer.result["O"], reference.matmul(wanted, VALUES), atol=1e-10)


def test_it_starts_with_the_running_example():
    assert_allclose(softmax_explorer().settings["Z"], np.array(SCORES) / np.sqrt(2))


def title(explorer):
    """The alternative text of the plane."""
    return re.search("<title>(.*)</title>", explorer.shown.panels["plane"]).group(1)


def side(a, b, p):
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def is_inside(p, corners=((4, 1), (3, 4), (0, 3))):
    """Whether a point lies on the inner side of all three edges; the value of "it" is no corner."""
    edges = zip(corners, [*corners[1:], corners[0]], strict=True)
    return all(side(a, b, p) >= -1e-9 for a, b in edges)


def test_only_the_wrong_axis_leaves_the_triangle():
    explorer = softmax_explorer()
    for T, row in itertools.product((0.25, 1, 4), ([-5, 9, 0, 1], [3, 3, 3, 3], [0, 0, 40, 0])):
        put(explorer, T=T, axis=-1)
        explorer.controls["Z"].value = [*SCORES[:3], row]
        assert all(is_inside(o) for o in explorer.result["O"])
        assert "All lie inside" in title(explorer)
    explorer.reset()
    put(explorer, axis=0)
    outside = [f"o_{i + 1}" for i, o in enumerate(explorer.result["O"]) if not is_inside(o)]
    assert "o_4" in outside
    assert title(explorer).endswith(f"Outside the triangle: {', '.join(outside)}.")


def test_the_sums_stand_behind_the_rows_and_are_named_where_they_are_not_one():
    explorer = softmax_explorer()
    assert explorer.shown.frames["A"].notes == ["Σ 1.00"] * 4
    put(explorer, axis=0)
    sums = [sum(row) for row in expected_weights((np.array(SCORES) / np.sqrt(2)).tolist(), 1, 0)]
    assert explorer.shown.frames["A"].notes == [f"Σ {x:.2f}" for x in sums]
    assert explorer.shown.summary[3].endswith("Its row adds up to 1.37, not to 1")


@pytest.mark.parametrize("j", range(4))
def test_one_large_score_draws_the_point_to_its_value(j):
    explorer = softmax_explorer()
    explorer.controls["Z"].set_cell(3, j, 60)
    places = re.findall(
        r'<circle cx="([-\d.]+)" cy="([-\d.]+)"[^>]*data-cell="(. \d) 0"',
        explorer.shown.panels["plane"],
    )
    where = {name: place for *place, name in places}
    assert where["O 3"] == where[f"V {j}"]
    assert len({tuple(where[f"V {k}"]) for k in range(4)}) == 4


def test_text_form_in_both_languages():
    english = repr(put(softmax_explorer(), axis=0))
    use_language("zh")
    chinese = repr(put(softmax_explorer(), axis=0))
    assert english.startswith("tired: scores [2.12, −0.71, 0.71, 0]")
    assert "with sum 1.37" in english and "和为 1.37" in chinese


def test_the_slider_refuses_what_it_cannot_show():
    explorer = softmax_explorer()
    with pytest.raises(Exception, match="not one of its settings"):
        explorer.controls["T"].value = 0
    assert min(explorer.controls["T"].values) > 0
