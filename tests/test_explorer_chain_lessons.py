"""Explorers of lessons 03, 08 and 09 against the slow reference and against hand values."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attention_core.example import qkv
from attention_core.explorers import by_hand_explorer, causal_mask_explorer, roles_explorer
from attention_core.explorers.by_hand import EXAMPLES
from tests import reference

Q, K, V = (x.tolist() for x in qkv())
MASKS = {
    "none": ["1111", "1111", "1111", "1111"],
    "causal": ["1000", "1100", "1110", "1111"],
    "padding": ["1110", "1110", "1110", "1110"],
    "causal+padding": ["1000", "1100", "1110", "1110"],
    "window": ["1000", "1100", "0110", "0011"],
}
# The five steps as Lesson 09 works them by hand and a calculator gives them.
FIRST_WEIGHTS = [[1, 0, 0], [0.3302, 0.6698, 0], [0.2483, 0.2483, 0.5035]]
FIRST_OUTPUT = [[1, 0], [0.3302, 1.3395], [1.7587, 1]]
SECOND_SCORES = [[1, 2, 4, 1], [1, 3, 1, 0]]


def put(explorer, **settings):
    for name, value in settings.items():
        explorer.controls[name].value = value
    return explorer


def mask_of(lines):
    return [[letter == "1" for letter in line] for line in lines]


# --- lesson 03 ---


def test_roles_at_all_extremes():
    explorer = roles_explorer()
    sides = [
        (Q[3:], [[0, 0]], [[-30, 30]]),
        (K, np.zeros((4, 2)), np.full((4, 2), -30)),
        (V, np.zeros((4, 3)), np.arange(12).reshape(4, 3) - 30),
        ("V", "K"),
    ]
    for q, k, v, handed in itertools.product(*sides):
        put(explorer, Q=q, K=k, V=v, handed=handed)
        assert explorer.note == ""
        lists = [np.asarray(x, float).tolist() for x in (q, k, v if handed == "V" else k)]
        output, weights = reference.attention(*lists)
        assert_allclose(explorer.result["A"], weights, atol=1e-12)
        assert_allclose(explorer.result["O"], output, atol=1e-9)


def test_what_moves_when_one_part_alone_is_changed():
    start = roles_explorer().result

    def moved(**settings):
        result = put(roles_explorer(), **settings).result
        same = {n for n in start if start[n].shape == result[n].shape}
        return {n for n in start if n not in same or not np.allclose(start[n], result[n])}

    assert moved(V=10 * np.array(V) + 1) == {"O"}
    assert moved(K=np.array(K)[[1, 0, 2, 3]]) == {"S", "Z", "A", "O"}
    assert moved(Q=[[0, 1]]) == {"S", "Z", "A", "O"}
    assert moved(K=np.array(K) + np.array([7, -3])) == {"S", "Z"}, (
        "one shift of all keys, another of scores"
    )
    assert moved(handed="K") == {"O"}


def test_handing_over_keys_gives_an_output_as_wide_as_a_key():
    explorer = put(roles_explorer(), handed="K")
    assert explorer.result["O"].shape == (1, 2)
    assert explorer.shown.frames["O"].made == "A[r,k] K[k,c]"


# --- lesson 08 ---


@pytest.mark.parametrize(("mask", "loud"), [*itertools.product(MASKS, ("quiet", "loud"))])
def test_every_mask_with_a_quiet_and_a_loud_last_token(mask, loud):
    explorer = put(causal_mask_explorer(), mask=mask, loud=loud)
    is_loud = loud == "loud"
    k, v = [*K[:3], [5.0, 5.0] if is_loud else K[3]], [*V[:3], [0, 0, 1000.0] if is_loud else V[3]]
    allowed = mask_of(MASKS[mask])
    assert_array_equal(explorer.controls["M"].value, allowed)
    assert_array_equal(explorer.shown.frames["K"].values, k)  # what is computed with is shown
    output, weights = reference.attention(Q, k, v, allowed)
    assert_allclose(explorer.result["A"], weights, atol=1e-12)
    assert_allclose(explorer.result["O"], output, atol=1e-9)


@pytest.mark.parametrize(
    ("mask", "future", "moved"),
    [
        ("none", 6, [0, 1, 2, 3]), ("causal", 0, [3]), ("padding", 3, []),
        ("causal+padding", 0, []), ("window", 0, [3]),
    ],
)  # fmt: skip
def test_leaks_are_framed_and_the_past_stands_still(mask, future, moved):
    explorer = put(causal_mask_explorer(), mask=mask)
    before = explorer.result["O"]
    for name in ("A", "M"):
        marked = np.array(explorer.shown.frames[name].marked)
        assert marked.sum() == future and not np.tril(marked).any()
    put(explorer, loud="loud")
    change = np.abs(explorer.result["O"] - before).max(axis=1)
    assert np.flatnonzero(change).tolist() == moved  # exactly 0 elsewhere


def test_a_row_that_may_look_nowhere_says_so():
    explorer = causal_mask_explorer("causal")
    explorer.controls["M"].set_cell(0, 0, False)
    assert explorer.controls["mask"].value == "yours"
    assert explorer.result["O"][0].tolist() == [0, 0, 0]
    assert explorer.shown.summary[0] == "animal reads nothing"


# --- lesson 09 ---


def test_the_first_example_is_the_documents():
    result = by_hand_explorer().result
    assert_array_equal(result["S"], [[1, 0, 1], [0, 1, 1], [1, 1, 2]])
    assert_array_equal(np.isinf(result["Z"]), ~np.tri(3, dtype=bool))
    assert_allclose(result["A"], FIRST_WEIGHTS, atol=5e-5)
    assert_allclose(result["O"], FIRST_OUTPUT, atol=5e-5)


def test_the_second_example_has_no_two_equal_sizes():
    explorer = by_hand_explorer("second")
    q, k, v = EXAMPLES["second"]
    assert len({len(q), len(k), len(q[0]), len(v[0])}) == 4
    assert_array_equal(explorer.result["S"], SECOND_SCORES)
    assert_allclose(explorer.result["O"], reference.attention(q, k, v)[0], atol=1e-12)
    assert explorer.shown.facts["root"] == "√3"


def test_choosing_an_example_brings_its_sizes_and_a_mask_that_fits():
    explorer = by_hand_explorer()
    put(explorer, example="second", mask="causal")
    assert_array_equal(explorer.controls["M"].value, [[1, 1, 1, 0], [1, 1, 1, 1]])
    put(explorer, example="first")
    assert explorer.controls["mask"].value == "causal"
    assert_allclose(explorer.result["O"], FIRST_OUTPUT, atol=5e-5)
    put(explorer, example="sentence")
    assert_allclose(explorer.result["A"][3], [0.7032, 0.0416, 0.1710, 0.0843], atol=5e-5)


@pytest.mark.parametrize("example", ["first", "second", "sentence"])
def test_typed_numbers_go_through_all_steps(example):
    explorer = put(by_hand_explorer(example), mask="none")
    q, k, v = (np.array(x, float) for x in EXAMPLES[example])
    for name, array, cell in (("Q", q, (1, 0, -2.5)), ("K", k, (2, 1, 4)), ("V", v, (0, 1, 100))):
        explorer.controls[name].set_cell(*cell)
        array[cell[:2]] = cell[2]
    for scaled, scale in ((True, 1 / math.sqrt(q.shape[1])), (False, 1.0)):
        put(explorer, scaled=scaled)
        output, weights = reference.attention(q.tolist(), k.tolist(), v.tolist(), None, scale)
        assert_allclose(explorer.result["A"], weights, atol=1e-12)
        assert_allclose(explorer.result["O"], output, atol=1e-12)


def test_the_text_form_has_four_decimals():
    assert "0.3302, 0.6698" in repr(by_hand_explorer())
    assert "1.7587, 1.0000" in repr(by_hand_explorer())


def test_an_unknown_example_is_refused():
    with pytest.raises(ValueError, match="third"):
        by_hand_explorer("third")
