"""The clinic of lesson 13: every patient against slow loops, and every symptom is its own."""

import math
import re
from contextlib import redirect_stdout
from functools import cache
from io import StringIO

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_core.exercises.lesson_13 import diagnosis
from attention_core.experiments import clinic
from attention_core.experiments.clinic import HEALTHY, PATIENTS, examine, treat
from tests import reference
from tests.lessons import NOTEBOOKS, build

EVERYBODY = ("healthy", *PATIENTS)
NAMES = diagnosis()
CAUSAL = [[j <= i for j in range(4)] for i in range(4)]
SEEN = np.array(CAUSAL)
SKIPPED = re.compile(r"predict\(|use_language")


def lesson_input():
    """q, k, v and the mask of the lesson, as its own cells make them."""
    notebook = build.read(NOTEBOOKS / "en" / "13_misconceptions.ipynb")
    names = {"np": np}
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


# ------------------------------------------------- what each patient computes, in slow loops


def columns_softmax(scores):
    """Softmax down each column, counting only what the causal mask lets pass."""
    columns, seen = zip(*scores, strict=True), zip(*CAUSAL, strict=True)
    shares = [reference.softmax(*pair) for pair in zip(columns, seen, strict=True)]
    return [list(row) for row in zip(*shares, strict=True)]


def slow(patient, q, k, v):
    """Output and weights of a patient, written from its diagnosis and not from its line."""
    name = NAMES.get(patient, "healthy")
    root = math.sqrt(3)
    scores = [[reference.dot(a, b) / root for b in k] for a in q]
    inverted = [[not seen for seen in row] for row in CAUSAL]
    _, healthy = reference.attention(q, k, v, CAUSAL)
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
        "softmax_twice": lambda: [reference.softmax(row) for row in healthy],
    }.get(name, lambda: healthy)()
    output = reference.matmul(weights, k if name == "keys_returned" else v)
    if name == "values_added":
        output = [
            [x + y for x, y in zip(*rows, strict=True)] for rows in zip(output, v, strict=True)
        ]
    return output, weights


def over_everything(scores):
    flat = reference.softmax([x for row in scores for x in row], [s for row in CAUSAL for s in row])
    return [flat[4 * i : 4 * i + 4] for i in range(4)]


def check_patient(patient, q, k, v, allowed):
    output, weights = examine(patient, q, k, v, allowed)
    expected_output, expected_weights = slow(patient, q.tolist(), k.tolist(), v.tolist())
    assert_allclose(weights, expected_weights, atol=1e-12)
    assert_allclose(output, expected_output, atol=1e-12)


@pytest.mark.parametrize("given", INPUTS)
@pytest.mark.parametrize("patient", EVERYBODY)
def test_a_patient_has_what_it_is_said_to_have(patient, given):
    check_patient(patient, *given_as(given))


@pytest.mark.parametrize("given", INPUTS)
def test_no_two_patients_look_alike(given):
    results = {p: np.hstack(examine(p, *given_as(given))) for p in EVERYBODY}
    for one in EVERYBODY:
        for other in EVERYBODY:
            apart = np.abs(results[one] - results[other]).max()
            assert (apart > 0.01) == (one != other), (one, other)


# ------------------------------------------------- what a learner can see from outside


def odds(weights):
    """How the visible weights of each row compare with the first one, as logarithms."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(weights)
        return (logs - logs[:, :1])[SEEN]


class Ward:
    """A patient on the table, the healthy one beside it."""

    def __init__(self, patient, q, k, v, allowed):
        self.patient, self.given = patient, (q, k, v, allowed)
        self.output, self.weights = examine(patient, q, k, v, allowed)
        self.right, self.right_weights = examine("healthy", q, k, v, allowed)
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
        return not np.allclose(examine(self.patient, *given)[1], self.weights)

    def exchanged(self):
        """The healthy weights of the same input with q and k exchanged."""
        q, k, v, allowed = self.given
        return examine("healthy", k, q, v, allowed)[1]


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
    """One patient shows the symptom, the right one, and nobody else."""
    showing = [p for p in EVERYBODY if SYMPTOMS[name](Ward(p, *given_as(given)))]
    assert [NAMES.get(p) for p in showing] == [name]


@pytest.mark.parametrize("given", INPUTS)
@pytest.mark.parametrize("name", SYMPTOMS)
def test_every_diagnosis_can_be_told_from_outside(name, given):
    check_symptom(name, given)


def test_every_name_has_a_symptom_and_a_patient():
    assert set(SYMPTOMS) == set(NAMES.values())
    assert list(NAMES) == list(PATIENTS)


@pytest.mark.parametrize("patient", PATIENTS)
def test_the_checks_notice_a_patient_that_was_cured(patient, monkeypatch):
    healthy, _ = PATIENTS[patient]
    monkeypatch.setitem(clinic.PATIENTS, patient, (healthy, healthy))
    with pytest.raises(AssertionError):
        check_patient(patient, *given_as("lesson"))
    with pytest.raises(AssertionError):
        check_symptom(NAMES[patient], "lesson")


@pytest.mark.parametrize("patient", PATIENTS)
def test_the_checks_notice_patients_that_changed_places(patient, monkeypatch):
    other = "p1" if patient != "p1" else "p12"
    monkeypatch.setitem(clinic.PATIENTS, patient, PATIENTS[other])
    with pytest.raises(AssertionError):
        check_patient(patient, *given_as("lesson"))
    with pytest.raises(AssertionError):
        check_symptom(NAMES[patient], "lesson")


# ------------------------------------------------- the sheet at the bed


@pytest.mark.parametrize("patient", PATIENTS)
def test_exactly_one_line_is_changed_and_treat_shows_it(patient):
    before = HEALTHY.splitlines()
    after = HEALTHY.replace(*PATIENTS[patient]).splitlines()
    (changed,) = [line for line, old in zip(after, before, strict=True) if line != old]
    assert treat(patient) == changed.strip()
    assert changed not in before


def test_treat_sees_each_line_once():
    assert len({treat(patient) for patient in PATIENTS}) == len(PATIENTS) == 12


@pytest.mark.parametrize("stranger", ["p0", "p13", "P1", "", None])
def test_a_stranger_is_named_and_the_patients_are_listed(stranger):
    for ask in (treat, lambda p: examine(p, *given_as("lesson"))):
        with pytest.raises(ValueError, match=r"no patient .*p1, p2.*p12") as caught:
            ask(stranger)
        assert repr(stranger) in str(caught.value)


def test_nobody_changes_what_it_reads():
    for patient in EVERYBODY:
        given = given_as("lesson")
        before = [x.copy() for x in given]
        examine(patient, *given)
        assert all(np.array_equal(x, y) for x, y in zip(given, before, strict=True))


def test_the_three_tests_of_the_lesson_find_eight():
    """Row sums, hidden places, mixture: what the lesson says about them."""
    q, k, v, allowed = given_as("lesson")
    found = []
    for patient in PATIENTS:
        output, weights = examine(patient, q, k, v, allowed)
        rows = np.allclose(weights.sum(axis=1), 1)
        if not (rows and not weights[~allowed].any() and np.allclose(weights @ v, output)):
            found.append(patient)
    assert found == ["p3", "p4", "p5", "p6", "p8", "p9", "p10", "p11"]
