"""The variants of lesson 13: every one against slow loops, and every symptom is its own."""

import math
import re
from contextlib import redirect_stdout
from functools import cache
from io import StringIO

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_core.exercises.lesson_13 import diagnosis
from attention_core.experiments import variants
from attention_core.experiments.variants import REFERENCE, VARIANTS, changed_line, run_variant
from notebooks.building import files
from tests import reference
from tests.lessons import NOTEBOOKS
from tests.loops import for_each

ALL = ("reference", *VARIANTS)
NAMES = diagnosis()
CAUSAL = [[j <= i for j in range(4)] for i in range(4)]
SEEN = np.array(CAUSAL)
SKIPPED = re.compile(r"predict\(|use_language")


def lesson_input():
    """q, k, v and the mask of the lesson, as its own cells make them."""
    notebook = files.read(NOTEBOOKS / "en" / "13_misconceptions.ipynb")
    names = {"np": np, "table": lambda *_, **__: None}
    for cell in notebook.cells:
        if cell.cell_type == "code" and not SKIPPED.search(cell.source):
            with redirect_stdout(StringIO()):
                exec(cell.source, names)
        if "allowed" in names:
            return tuple(names[name] for name in ("q", "k", "v", "allowed"))
    raise AssertionError("the lesson examines nobody")


@cache
def given_as(name):
    """The lesson's own input, or numbers drawn from a seed."""
    if name == "lesson":
        return lesson_input()
    q, k, v = 1.5 * np.random.default_rng(int(name)).normal(size=(3, 4, 3))
    return q, k, v, SEEN


INPUTS = ("lesson", "1", "2", "3")


# ------------------------------------------------- what each variant computes, in slow loops


def columns_softmax(scores):
    """Softmax down each column, counting only what the causal mask lets pass."""
    columns, seen = zip(*scores, strict=True), zip(*CAUSAL, strict=True)
    shares = [reference.softmax(*pair) for pair in zip(columns, seen, strict=True)]
    return [list(row) for row in zip(*shares, strict=True)]


def slow(variant, q, k, v):
    """Output and weights of a variant, written from its diagnosis and not from its line."""
    name = NAMES.get(variant, "reference")
    root = math.sqrt(3)
    scores = [[reference.dot(a, b) / root for b in k] for a in q]
    inverted = [[not seen for seen in row] for row in CAUSAL]
    _, correct = reference.attention(q, k, v, CAUSAL)
    weights = {
        "no_scale": lambda: reference.attention(q, k, v, CAUSAL, 1.0)[1],
        "wrong_scale": lambda: reference.attention(q, k, v, CAUSAL, 1 / 6)[1],
        "wrong_axis": lambda: columns_softmax(scores),
        "mask_inverted": lambda: reference.attention(q, k, v, inverted)[1],
        "mask_forgotten": lambda: reference.attention(q, k, v)[1],
        "zero_for_infinity": lambda: [
            reference.softmax([s if seen else 0.0 for s, seen in zip(*pair, strict=True)])
            for pair in zip(scores, CAUSAL, strict=True)
        ],
        "scores_transposed": lambda: reference.attention(k, q, v, CAUSAL)[1],
        "queries_as_keys": lambda: reference.attention(q, q, v, CAUSAL)[1],
        "one_sum_for_all": lambda: over_everything(scores),
        "softmax_twice": lambda: [reference.softmax(row) for row in correct],
    }.get(name, lambda: correct)()
    output = reference.matmul(weights, k if name == "keys_returned" else v)
    if name == "values_added":
        output = [
            [x + y for x, y in zip(*rows, strict=True)] for rows in zip(output, v, strict=True)
        ]
    return output, weights


def over_everything(scores):
    flat = reference.softmax([x for row in scores for x in row], [s for row in CAUSAL for s in row])
    return [flat[4 * i : 4 * i + 4] for i in range(4)]


def check_variant(variant, q, k, v, allowed):
    output, weights = run_variant(variant, q, k, v, allowed)
    expected_output, expected_weights = slow(variant, q.tolist(), k.tolist(), v.tolist())
    assert_allclose(weights, expected_weights, atol=1e-12)
    assert_allclose(output, expected_output, atol=1e-12)


@for_each("given", INPUTS)
@for_each("variant", ALL)
def test_a_variant_has_what_it_is_said_to_have(variant, given):
    check_variant(variant, *given_as(given))


@for_each("given", INPUTS)
def test_no_two_variants_look_alike(given):
    results = {p: np.hstack(run_variant(p, *given_as(given))) for p in ALL}
    for one in ALL:
        for other in ALL:
            apart = np.abs(results[one] - results[other]).max()
            assert (apart > 0.01) == (one != other), (one, other)


# ------------------------------------------------- what a learner can see from outside


def odds(weights):
    """How the visible weights of each row compare with the first one, as logarithms."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(weights)
        return (logs - logs[:, :1])[SEEN]


class Measured:
    """A variant, and the reference beside it."""

    def __init__(self, variant, q, k, v, allowed):
        self.variant, self.given = variant, (q, k, v, allowed)
        self.output, self.weights = run_variant(variant, q, k, v, allowed)
        self.right, self.right_weights = run_variant("reference", q, k, v, allowed)
        self.hidden = self.weights[~SEEN]

    def well(self):
        return np.allclose(self.weights, self.right_weights)

    def sums(self, axis):
        return np.allclose(self.weights.sum(axis=axis), 1)

    def sharpened(self, factor):
        return np.allclose(odds(self.weights), factor * odds(self.right_weights))

    def last_row_well(self):
        return np.allclose(self.weights[-1], self.right_weights[-1])

    def even_where_hidden(self):
        return np.allclose(self.weights[0, 1:], self.weights[0, 1])

    def heeds(self, place):
        """Whether the weights change when q (0) or k (1) is replaced."""
        given = list(self.given)
        given[place] = given[place][::-1] + 1
        return not np.allclose(run_variant(self.variant, *given)[1], self.weights)

    def exchanged(self):
        """The reference weights of the same input with q and k exchanged."""
        q, k, v, allowed = self.given
        return run_variant("reference", k, q, v, allowed)[1]


SYMPTOMS = {
    "no_scale": lambda w: w.sums(1) and not w.hidden.any() and w.sharpened(math.sqrt(3)),
    "wrong_scale": lambda w: w.sums(1) and not w.hidden.any() and w.sharpened(math.sqrt(3) / 6),
    "wrong_axis": lambda w: w.sums(0) and not w.sums(1),
    "mask_inverted": lambda w: not w.weights[SEEN].any(),
    "mask_forgotten": lambda w: w.hidden.all() and w.last_row_well() and not w.even_where_hidden(),
    "zero_for_infinity": lambda w: w.hidden.all() and w.last_row_well() and w.even_where_hidden(),
    "keys_returned": lambda w: w.well() and np.allclose(w.output, w.weights @ w.given[1]),
    "values_added": lambda w: w.well() and np.allclose(w.output - w.right, w.given[2]),
    "scores_transposed": lambda w: not w.well() and np.allclose(w.weights, w.exchanged()),
    "queries_as_keys": lambda w: w.heeds(0) and not w.heeds(1),
    "one_sum_for_all": lambda w: np.isclose(w.weights.sum(), 1),
    "softmax_twice": lambda w: (
        w.weights.all() and np.ptp(np.log(w.weights), axis=1).max() <= 1 and not w.last_row_well()
    ),
}


def check_symptom(name, given):
    """One variant shows the symptom, the right one, and nobody else."""
    showing = [p for p in ALL if SYMPTOMS[name](Measured(p, *given_as(given)))]
    assert [NAMES.get(p) for p in showing] == [name]


@for_each("given", INPUTS)
@for_each("name", SYMPTOMS)
def test_every_diagnosis_can_be_told_from_outside(name, given):
    check_symptom(name, given)


def test_every_name_has_a_symptom_and_a_variant():
    assert set(SYMPTOMS) == set(NAMES.values())
    assert list(NAMES) == list(VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_checks_notice_a_variant_that_was_mended(variant, monkeypatch):
    original, _ = VARIANTS[variant]
    monkeypatch.setitem(variants.VARIANTS, variant, (original, original))
    with pytest.raises(AssertionError):
        check_variant(variant, *given_as("lesson"))
    with pytest.raises(AssertionError):
        check_symptom(NAMES[variant], "lesson")


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_checks_notice_variants_that_changed_places(variant, monkeypatch):
    other = "p1" if variant != "p1" else "p12"
    monkeypatch.setitem(variants.VARIANTS, variant, VARIANTS[other])
    with pytest.raises(AssertionError):
        check_variant(variant, *given_as("lesson"))
    with pytest.raises(AssertionError):
        check_symptom(NAMES[variant], "lesson")


# ------------------------------------------------- the sheet at the bed


@for_each("variant", VARIANTS)
def test_exactly_one_line_is_changed_and_changed_line_shows_it(variant):
    before = REFERENCE.splitlines()
    after = REFERENCE.replace(*VARIANTS[variant]).splitlines()
    (changed,) = [line for line, old in zip(after, before, strict=True) if line != old]
    assert changed_line(variant) == changed.strip()
    assert changed not in before


def test_treat_sees_each_line_once():
    assert len({changed_line(variant) for variant in VARIANTS}) == len(VARIANTS) == 12


@for_each("stranger", ["p0", "p13", "P1", "", None])
def test_a_stranger_is_named_and_the_variants_are_listed(stranger):
    for ask in (changed_line, lambda p: run_variant(p, *given_as("lesson"))):
        with pytest.raises(ValueError, match=r"no variant .*p1, p2.*p12") as caught:
            ask(stranger)
        assert repr(stranger) in str(caught.value)


def test_nobody_changes_what_it_reads():
    for variant in ALL:
        given = given_as("lesson")
        before = [x.copy() for x in given]
        run_variant(variant, *given)
        assert all(np.array_equal(x, y) for x, y in zip(given, before, strict=True))


def test_the_three_tests_of_the_lesson_find_eight():
    """Row sums, hidden places, mixture: what the lesson says about them."""
    q, k, v, allowed = given_as("lesson")
    found = []
    for variant in VARIANTS:
        output, weights = run_variant(variant, q, k, v, allowed)
        rows = np.allclose(weights.sum(axis=1), 1)
        if not (rows and not weights[~allowed].any() and np.allclose(weights @ v, output)):
            found.append(variant)
    assert found == ["p3", "p4", "p5", "p6", "p8", "p9", "p10", "p11"]
