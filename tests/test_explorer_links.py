"""What lights up is what changes: links of every explorer against finite differences."""

import re

import numpy as np
import pytest

from attention_core.explorers.widgets import Matrix, Preset
from attention_core.explorers.widgets.links import consequences, read_rule, sources
from tests.explorer_ways import EXPLORERS

every_explorer = pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.__name__)
NUDGE = 1e-4


def matrices(explorer):
    """The matrices on screen that say what they are made of, or are edited."""
    shown = explorer.shown.frames
    return {n: p for n, p in explorer.parts.items() if isinstance(p, Matrix) and n in shown}


def values(explorer):
    """What each matrix on screen holds."""
    return {n: np.array(explorer.shown.frames[n].values, float) for n in matrices(explorer)}


def declared(explorer):
    """Rules, shapes, hidden cells and masks: what the browser links with."""
    parts, frames = matrices(explorer), explorer.shown.frames
    hidden = {n: frames[n].hidden for n in parts if frames[n].hidden is not None}
    for name in parts:  # a zero that no number changes is as good as hidden
        if frames[name].fixed is not None:
            zero = frames[name].fixed & (np.asarray(frames[name].values) == 0)
            hidden[name] = hidden.get(name, False) | zero
    return {
        "rules": {n: frames[n].made or p.made for n, p in parts.items()},
        "shapes": {n: x.shape for n, x in values(explorer).items()},
        "hidden": hidden,
        "fixed": {n: frames[n].fixed for n in parts if frames[n].fixed is not None},
        "toggles": {n for n, p in parts.items() if p.is_control and p.toggles},
    }


def generic(explorer, seed):
    """Numbers without a pattern in every matrix that is edited: no change cancels by chance."""
    rng = np.random.default_rng(seed)
    with explorer.together():
        for part in explorer.controls.values():
            if isinstance(part, Matrix) and not part.toggles:
                part.value = 0.6 * rng.normal(size=part.value.shape).round(3)
    return rng


def changed(before, after):
    """The cells that differ, as (matrix, row, column)."""
    found = set()
    for name, x in after.items():
        with np.errstate(invalid="ignore"):  # −∞ − (−∞)
            same = (before[name] == x) | (np.abs(before[name] - x) < 1e-12)
        found |= {(name, int(i), int(j)) for i, j in zip(*np.nonzero(~same), strict=True)}
    return found


def linked_controls(explorer):
    """Edited matrices that some rule names: those whose consequences are declared."""
    rules = declared(explorer)["rules"].values()
    named = {source[0] for rule in rules for source in read_rule(rule)}
    return [n for n, p in matrices(explorer).items() if p.is_control and n in named]


def presets(explorer):
    """Each mask that a preset offers, so that hidden cells are tried, too."""
    for name, part in explorer.controls.items():
        if not isinstance(part, Preset):
            continue
        set_by_it = {m for option in part.options.values() for m in option}
        if any(getattr(explorer.controls[m], "toggles", False) for m in set_by_it):
            return [(name, option) for option in part.options]
    return [(None, None)]


@every_explorer
def test_the_lit_cells_are_those_that_change(make):
    explorer, wrong, tried = make(), [], 0
    for preset, option in presets(explorer):
        if preset:
            explorer.controls[preset].value = option
        rng = generic(explorer, 7)
        links = declared(explorer)
        for name in linked_controls(explorer):
            part = explorer.controls[name]
            if part.toggles:
                continue
            cells = list(np.ndindex(part.value.shape))
            for i, j in [cells[k] for k in rng.permutation(len(cells))[:6]]:
                before, kept = values(explorer), part.value
                part.set_cell(i, j, part.value[i, j] + NUDGE)
                moved = changed(before, values(explorer)) - {(name, i, j)}
                part.value = kept
                lit = consequences(cell=(name, i, j), **links)
                # Matrices without a rule say nothing of where they come from.
                moved = {x for x in moved if links["rules"][x[0]]}
                tried += 1
                if lit != moved:
                    wrong.append((option, name, i, j, sorted(lit - moved), sorted(moved - lit)))
    assert not wrong, wrong[:3]
    assert tried or not linked_controls(explorer)


def test_consequences_of_the_whole_machine_are_those_of_the_table():
    """A few cells by hand: X moves a row and a column of S; W_V never reaches S."""
    from attention_core.explorers import overview_explorer

    links = declared(overview_explorer())
    rules, shapes = links["rules"], links["shapes"]
    lit = consequences(rules, ("X", 1, 0), shapes)
    in_s = {x[1:] for x in lit if x[0] == "S"}
    assert in_s == {(1, j) for j in range(4)} | {(i, 1) for i in range(4)}
    assert {x[0] for x in consequences(rules, ("WV", 2, 1), shapes)} == {"V", "O"}
    assert sources(rules, ("S", 3, 0), shapes) == {
        ("Q", 3, 0), ("Q", 3, 1), ("K", 0, 0), ("K", 0, 1),
    }  # fmt: skip


def test_under_a_mask_nothing_flows_through_what_is_hidden():
    from attention_core.explorers import overview_explorer

    explorer = overview_explorer()
    explorer.controls["mask"].value = "causal"
    links = declared(explorer)
    lit = consequences(
        links["rules"], ("K", 3, 0), links["shapes"], links["hidden"], {"M"}, links["fixed"]
    )
    assert {x[1] for x in lit if x[0] in ("Z", "A", "O")} == {3}, "only the last row may read it"
    assert {x[1] for x in lit if x[0] == "S"} == {0, 1, 2, 3}


def test_a_rule_that_cannot_be_read_is_refused():
    with pytest.raises(ValueError, match="is not a rule"):
        read_rule("Q[r,k] times K[c,k]")


@every_explorer
def test_words_speak_of_no_projection_that_is_not_there(make):
    """“Times column 1 of W_V” only where W_V stands, by itself or as one of two layers."""
    explorer = make()
    for name, part in matrices(explorer).items():
        for letter in re.findall(r"W<sub>([QKV])", part.spec()["words"]):
            assert any(one.startswith(f"W{letter}") for one in explorer.parts), name
