"""The explorer of lesson 13: each variant beside the reference, and its line only when asked."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from traitlets import TraitError

from attention_core import use_language
from attention_core.experiments.variants import VARIANTS, changed_line
from attention_core.explorers import clinic, clinic_explorer
from tests.loops import for_each
from tests.planted import planted
from tests.test_variants import ALL, slow

MINUS = str.maketrans("−", "-")


def choose(explorer, **settings):
    for name, value in settings.items():
        explorer.controls[name].value = value
    return explorer.result


def shown(explorer, view):
    """What the browser shows of one part for the settings that are chosen."""
    number = explorer._number
    picture = explorer.pictures[number]
    return picture["panels"].get(view) or explorer.pool[picture["frames"][view]]


def given(seed=13):
    """Q, K and V once more from the description: four tokens, d_k = 3, one decimal."""
    rng = np.random.default_rng(seed)
    q, k = (rng.normal(size=(2, 4, 3)).round(1) * 1.5).tolist()
    return q, k, rng.normal(size=(4, 3)).round(1).tolist()


def agrees(explorer, variant, seed=13):
    result = choose(explorer, variant=variant)
    for who, output, weights in (
        (variant, "O", "A"),
        ("reference", "RO", "RA"),
    ):
        expected = slow(who, *given(seed))
        assert_allclose(result[output], expected[0], atol=1e-12)
        assert_allclose(result[weights], expected[1], atol=1e-12)


@for_each("variant", ALL)
def test_variant_and_reference_stand_side_by_side(variant):
    agrees(clinic_explorer(), variant)


def test_it_can_start_with_any_variant_and_any_seed():
    for variant, seed in (("reference", 1), ("p4", 2), ("p12", 3)):
        explorer = clinic_explorer(variant, seed=seed)
        assert explorer.controls["variant"].value == variant
        agrees(explorer, variant, seed)


def test_every_variant_differs_from_the_reference_in_what_is_shown():
    """At the two decimals on the screen, not only in the last digit."""
    explorer = clinic_explorer()
    for variant in VARIANTS:
        choose(explorer, variant=variant)
        ours = (shown(explorer, "A")["x"], shown(explorer, "O")["x"])
        theirs = (shown(explorer, "RA")["x"], shown(explorer, "RO")["x"])
        assert ours != theirs, variant


def framed_are_the_differences(explorer):
    for variant in ALL:
        choose(explorer, variant=variant)
        for name, of in (("A", 1), ("O", 0)):
            wanted = ~np.isclose(slow(variant, *given())[of], slow("reference", *given())[of])
            framed = shown(explorer, name)["m"]
            assert np.array_equal(wanted, np.zeros((4, 1)) if framed is None else framed) or (
                framed is None and not wanted.any()
            ), variant


def test_red_frames_mark_what_differs_from_the_reference():
    framed_are_the_differences(clinic_explorer())


def sums_are_right(explorer):
    for variant in ALL:
        _, weights = slow(variant, *given())
        choose(explorer, variant=variant)
        notes = [float(note[2:].translate(MINUS)) for note in shown(explorer, "A")["notes"]]
        assert_allclose(notes, [sum(row) for row in weights], atol=0.0051)


def test_row_sums_stand_beside_the_weights():
    sums_are_right(clinic_explorer())


def test_a_hidden_score_is_minus_infinity_and_no_zero():
    texts = shown(clinic_explorer(), "Z")["x"]
    for i, row in enumerate(texts):
        assert row[i + 1 :] == ["−∞"] * (3 - i) and "−∞" not in row[: i + 1]


def keeps_the_secret(explorer):
    for variant in VARIANTS:
        choose(explorer, variant=variant, line=False)
        assert changed_line(variant) not in shown(explorer, "code")
        assert explorer.result["line"] is None
        assert changed_line(variant) not in repr(explorer)
        choose(explorer, line=True)
        assert changed_line(variant) in shown(explorer, "code")
        assert explorer.result["line"] == changed_line(variant)
    choose(explorer, variant="reference")
    assert "No line is changed" in shown(explorer, "code")


def test_the_line_is_shown_when_asked_and_not_before():
    keeps_the_secret(clinic_explorer())


@for_each(
    ("language", "who", "secret"),
    [("en", "Variant p8: weights [", "Which?"), ("zh", "变体 p8：权重 [", "是哪一行？")],
)
def test_it_speaks_the_language_in_use(language, who, secret):
    use_language(language)
    explorer = clinic_explorer("p8")
    weights = slow("p8", *given())[1]
    assert repr(explorer).startswith(who)
    assert f"{weights[3][3]:.2f}]" in repr(explorer)
    assert secret in shown(explorer, "code")


def test_a_stranger_is_refused_in_words():
    with pytest.raises(TraitError, match="p13"):
        clinic_explorer("p13")


def test_two_explorers_do_not_disturb_each_other():
    one, other = clinic_explorer(), clinic_explorer()
    before = other.result["A"].copy()
    choose(one, variant="p3", line=True)
    assert (other.result["A"] == before).all()
    assert other.controls["variant"].value == "reference"
    assert not other.controls["line"].value


@for_each(
    ("old", "new", "check"),
    [
        (
            "run_variant(variant, Q, K, V, allowed)",
            "run_variant(variant, K, Q, V, allowed)",
            agrees,
        ),
        ("~np.isclose(result", "np.isclose(result", framed_are_the_differences),
        ('for row in result["A"]]', 'for row in result["A"].mT]', sums_are_right),
        ("is_told = line and", "is_told =", keeps_the_secret),
    ],
)
def test_the_checks_notice_a_planted_mistake(old, new, check):
    explorer = planted(clinic, old, new).clinic_explorer()
    with pytest.raises(AssertionError):
        check(explorer, "p1") if check is agrees else check(explorer)
