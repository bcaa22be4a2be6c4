"""Every explorer on a random walk: what it shows is always what attention_core gives."""

import re

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from attention_core.explorers.widgets import MINE, Matrix, Preset, frames
from attention_core.explorers.widgets.album import complete
from attention_core.explorers.widgets.missions import Mission
from attention_core.explorers.widgets.settings import same_settings
from tests.explorer_ways import EXPLORERS, WAYS

STEPS = 200
_NUMBERS = st.sampled_from([0, 1, -1, 2.5, -3, 1e3, -1e-3, 40, -40, 0.1])
every_explorer = pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.__name__)


def expected(explorer):
    """Result and picture computed anew, from nothing but what the controls show."""
    inputs = {n: p.value for n, p in explorer.controls.items() if not isinstance(p, Preset)}
    result = explorer.compute(**inputs)
    with explorer._speak():
        picture = explorer.picture(result, explorer.settings)
        return result, complete(picture, explorer.controls, explorer.settings)


def on_screen(explorer):
    """What the browser draws: picked with the numbers that were sent to it, and nothing else."""
    number = 0
    for name, offered in explorer.axes.items():
        number = number * len(offered) + offered.index(explorer.at[name])
    picture = explorer.pictures[number]
    return picture, {name: explorer.pool[place] for name, place in picture["frames"].items()}


def complaints(explorer):
    """Where the screen and the truth differ."""
    if explorer.note:
        return [] if _fails(explorer) else [f"stale message: {explorer.note}"]
    result, picture = expected(explorer)
    sent, shown = on_screen(explorer)
    found = [] if same(result, explorer.result) else ["result differs"]
    end = frames.scale_of(picture.frames.values())
    for name, frame in picture.frames.items():
        if shown[name] != frames.to_browser(frame, end):
            found.append(f"{name} shows {shown[name]['x']}")
    found += [
        f"panel {name} is old"
        for name, html in picture.panels.items()
        if sent["panels"][name] != html
    ]
    if explorer.sentence != picture.sentence:
        found.append(f"sentence: {explorer.sentence}")
    for name, part in explorer.controls.items():
        if isinstance(part, Preset) and part.value != part.matching(explorer.settings):
            found.append(f"{name} says {part.value}")
        if name in explorer.at and explorer.at[name] != part.index:
            found.append(f"{name} stands at {explorer.at[name]}")
    texts = [
        picture.sentence,
        *(text for frame in shown.values() for row in frame["x"] for text in row),
    ]
    found += [
        f"written {text!r}"
        for text in texts
        if re.search(r"\bnan\b|[-−]0(\.0*)?(?![.\d])|\{\w*\}|np\.", text)
    ]
    return found


def same(one, other):
    """Whether two results hold the same arrays and numbers."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(v, other[k]) for k, v in one.items())
    return (
        np.array_equal(one, other, equal_nan=True)
        if isinstance(one, np.ndarray)
        else one == other or one is other or repr(one) == repr(other)
    )


def _fails(explorer):
    try:
        expected(explorer)
    except Exception:
        return True
    return False


def machine_for(make):
    """The state machine that drives the explorer `make` gives."""

    class Walk(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.explorer = make()
            self.start = self.explorer.static_html()
            self.past = [self.explorer._state()]

        def controls(self, kind):
            return sorted(
                n
                for n, p in self.explorer.controls.items()
                if isinstance(p, Matrix) == (kind is Matrix)
            )

        def did(self):
            if not same_settings(self.past[-1], self.explorer._state()):
                self.past.append(self.explorer._state())

        @precondition(lambda self: self.controls(None))
        @rule(data=st.data())
        def set_one(self, data):
            name = data.draw(st.sampled_from(self.controls(None)))
            values = [v for v in self.explorer.controls[name].values if v != MINE]
            self.explorer.controls[name].value = data.draw(st.sampled_from(values))
            self.did()

        @precondition(lambda self: self.controls(None))
        @rule(data=st.data())
        def pick_in_the_browser(self, data):
            name = data.draw(st.sampled_from(self.controls(None)))
            indices = [k for k, v in enumerate(self.explorer.controls[name].values) if v != MINE]
            self.explorer.at = {**self.explorer.at, name: data.draw(st.sampled_from(indices))}
            self.did()

        @precondition(lambda self: self.controls(Matrix))
        @rule(data=st.data())
        def edit(self, data):
            name = data.draw(st.sampled_from(self.controls(Matrix)))
            part = self.explorer.controls[name]
            i = data.draw(st.integers(0, part.value.shape[0] - 1))
            j = data.draw(st.integers(0, part.value.shape[1] - 1))
            number = data.draw(st.booleans() if part.toggles else _NUMBERS)
            message = {"do": "edit", "name": name, "cells": [[i, j, number]]}
            self.explorer._on_message(None, message, [])
            self.did()

        @rule()
        def undo(self):
            self.explorer.undo()
            if len(self.past) > 1:
                self.past.pop()
            assert same_settings(self.explorer._state(), self.past[-1])

        @rule()
        def undo_and_redo(self):
            before = self.explorer._state()
            if self.explorer.history[0]:
                self.explorer.undo()
                self.explorer.redo()
            assert same_settings(self.explorer._state(), before)

        @rule()
        def start_again(self):
            self.explorer.reset()
            assert self.explorer.note == ""
            assert self.explorer.static_html() == self.start
            self.did()

        @invariant()
        def shows_the_truth(self):
            assert not complaints(self.explorer)

    return Walk


@every_explorer
def test_a_random_walk(make):
    walk = settings(
        max_examples=2, stateful_step_count=STEPS, deadline=None, derandomize=True,
        suppress_health_check=list(HealthCheck), phases=[Phase.generate],
    )  # fmt: skip
    run_state_machine_as_test(machine_for(make), settings=walk)


@every_explorer
def test_missions_are_reached_with_the_controls(make):
    explorer = make()
    missions = explorer.missions
    assert 2 <= len(missions) <= 4, "two to four missions"
    for number, mission in enumerate(missions):
        if not isinstance(mission, Mission):
            continue
        fresh = make()
        assert not mission.goal(fresh.result, fresh.settings), f"{number} is done at the start"
        WAYS[make.__name__][number](fresh)
        assert fresh.note == ""
        assert mission.goal(fresh.result, fresh.settings), f"{number} is not reached"
        assert number in fresh.done


@every_explorer
def test_two_are_independent(make):
    first, second = make(), make()
    before = second.static_html()
    for way in WAYS[make.__name__].values():
        way(first)
    assert second.static_html() == before
