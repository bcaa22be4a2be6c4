"""Explorers that are not yet on the widgets, by their traits alone: extremes, static form."""

import inspect
import itertools
import re

import numpy as np
import pytest

from attention_core import use_language
from attention_core.explorers.base import Explorer
from attention_core.explorers.controls import Check, Control
from attention_core.explorers.matrix_view import MatrixView
from attention_core.explorers.panel import Panel
from tests.explorers_ported import OLD as FACTORIES

every_explorer = pytest.mark.parametrize("make", FACTORIES, ids=lambda make: make.__name__)


def all_html(explorer):
    return [
        html
        for view in explorer._everything.values()
        if isinstance(view, Panel)
        for html in view.frames
    ]


def assert_fine(explorer):
    assert explorer.message.frames == [""], explorer.message.frames
    shown = [repr(explorer), explorer.static_html(), *all_html(explorer)]
    for text in shown:
        assert not re.search(r"\bnan\b|-0\.0|\{\w*\}|np\.float|Traceback", text), text[:500]


def extremes(control):
    if isinstance(control, Control):
        return [control.values[0], control.values[-1]]
    if control.mode == "toggle":
        return [np.zeros(control.shape, bool), np.ones(control.shape, bool)]
    return [np.zeros(control.shape), np.full(control.shape, -30.0), control.start]


def test_a_control_and_a_view_of_the_same_name_are_refused():
    with pytest.raises(ValueError, match=r"\['a'\] names a control and a view"):
        Explorer(
            controls={"a": Check("a")}, views={"a": Panel()}, compute=dict, paint=dict,
            sentence=str, rows=[["a"]],
        )  # fmt: skip


@every_explorer
def test_starts_without_arguments_and_carries_controls_and_result(make):
    explorer = make()
    assert isinstance(explorer, Explorer)
    assert explorer.controls and explorer.result
    assert_fine(explorer)


@every_explorer
def test_every_setting_of_every_control(make):
    explorer = make()
    for control in explorer.controls.values():
        settings = control.values if isinstance(control, Control) else extremes(control)
        for setting in settings:
            control.value = setting
            assert_fine(explorer)
        control.value = control.start


@every_explorer
def test_all_corners_of_the_settings(make):
    explorer = make()
    controls = explorer.controls.values()
    corners = list(itertools.product(*(range(len(extremes(c))) for c in controls)))
    for corner in corners[:: max(1, len(corners) // 24)]:
        for control, place in zip(controls, corner, strict=True):
            # Asked anew each time: what a control offers may follow another control.
            control.value = extremes(control)[min(place, len(extremes(control)) - 1)]
        assert_fine(explorer)


@every_explorer
def test_a_change_is_shown(make):
    """Some control changes the sentence: an explorer that stays the same shows nothing."""
    explorer = make()
    before = repr(explorer)
    seen = set()
    for control in explorer.controls.values():
        for setting in control.values if isinstance(control, Control) else extremes(control):
            control.value = setting
            seen.add(repr(explorer))
        control.value = control.start
    assert len(seen - {before}) >= 1


@every_explorer
def test_two_are_independent(make):
    first, second = make(), make()
    before = second.static_html()
    for control in first.controls.values():
        control.value = extremes(control)[-1]
        control.value = extremes(control)[0]
    assert second.static_html() == before
    mine = {view.model_id for view in first._everything.values()}
    assert mine.isdisjoint(view.model_id for view in second._everything.values())


@every_explorer
def test_reset_brings_the_start_back(make):
    explorer = make()
    before = explorer.static_html()
    for control in explorer.controls.values():
        control.value = extremes(control)[0]
    explorer.reset()
    assert explorer.static_html() == before


@every_explorer
def test_the_frame_on_screen_is_the_result(make):
    """Stepping through the framed controls shows what computing each setting afresh would show."""
    explorer = make()
    framed = [explorer.controls[name] for name in explorer._framed]
    combinations = list(itertools.product(*(control.values for control in framed)))
    for combination in combinations[:: max(1, len(combinations) // 12)]:
        for control, setting in zip(framed, combination, strict=True):
            control.value = setting
        stepped = explorer.static_html()
        explorer.refresh()
        assert explorer.static_html() == stepped


@every_explorer
def test_both_languages(make):
    english = make()
    use_language("zh")
    chinese = make()
    use_language("en")
    assert re.search(r"[\u4e00-\u9fff]", chinese.static_html())
    assert re.search(r"[\u4e00-\u9fff]", repr(chinese))  # also after the language has changed
    assert not re.search(r"[\u4e00-\u9fff]", repr(english))
    numbers = r"−?\d+\.\d+"
    assert re.findall(numbers, repr(english)) == re.findall(numbers, repr(chinese))
    for name, control in chinese.controls.items():
        control.value = extremes(control)[0]
        assert re.search(r"[\u4e00-\u9fff]", chinese.sentence), name


@every_explorer
def test_what_is_shown_without_a_kernel(make):
    """Picture and sentence stand beside the widget view, in the same bundle."""
    bundle = make()._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "<table" in bundle["text/html"] or "<img alt=" in bundle["text/html"]
    assert 'alt=""' not in bundle["text/html"]
    assert bundle["text/plain"] in re.sub(
        r"&#x27;", "'", bundle["text/html"].replace("&quot;", '"')
    )
    assert re.search(r"\d", bundle["text/plain"])
    assert len(bundle["text/html"]) < 200_000


@every_explorer
def test_every_control_and_matrix_has_a_name(make):
    explorer = make()
    for control in explorer.controls.values():
        assert control.name if isinstance(control, MatrixView) else control.label
    names = [view.name for _, view in explorer._matrices()]
    assert len(names) == len(set(names)), "two matrices of one explorer share a name"


@every_explorer
def test_selected_cells_are_explained(make):
    """Where an explorer explains cells, the explanation ends with the number in the cell."""
    explorer = make()
    if explorer._explain is None:
        return
    explained = 0
    for name, view in explorer._matrices():
        if view.mode != "read":
            continue
        start = explorer.detail.frames[0]
        view.selected = [view.shape[0] - 1, 0]
        explained += explorer.detail.frames[0] != start
        assert [other for other, v in explorer._matrices() if v.selected] == [name]
    assert explained


@every_explorer
def test_an_error_is_said_in_words(make, monkeypatch):
    explorer = make()

    def broken(**settings):
        raise ValueError("q is too long")

    monkeypatch.setattr(explorer, "_compute", broken)
    explorer.refresh()
    assert "q is too long" in explorer.message.frames[0]


@every_explorer
def test_is_documented(make):
    assert inspect.getdoc(make)
