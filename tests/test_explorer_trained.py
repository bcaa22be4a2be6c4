"""Lesson 15's explorer: every stored head of every text against attention computed with lists."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_core import use_language
from attention_core.explorers import trained, trained_explorer
from attention_core.explorers.controls import Choice, Slider
from attention_core.trained import frame_times, heads, load_head
from tests import reference
from tests.planted import planted

TEXTS = {  # how many tokens and heads each text has
    ("encoder", "tired"): (16, 72),
    ("encoder", "wide"): (16, 1),
    ("decoder", "tired"): (13, 6),
    ("decoder", "wide"): (13, 6),
    ("decoder", "password"): (13, 6),
    ("multilingual", "en"): (19, 4),
    ("multilingual", "zh"): (18, 4),
    ("speech", "speech"): (15, 1),
}


@pytest.fixture
def explorer():
    return trained_explorer()


def choose(explorer, **settings):
    for name, value in settings.items():
        explorer.controls[name].value = value
    assert explorer.message.frames == [""]
    return explorer.result


def by_lists(model, sentence, layer, head):
    """Weights of a head, by loops over numbers."""
    real = load_head(model, sentence, layer, head)
    mask = None if real.mask is None else real.mask.tolist()
    values = [[0.0]] * len(real.k)
    return np.array(reference.attention(real.q.tolist(), real.k.tolist(), values, mask)[1])


@pytest.mark.parametrize("text", TEXTS)
def test_every_text_offers_its_own_heads_and_tokens(explorer, text):
    choose(explorer, text=text)
    n, count = TEXTS[text]
    assert len(explorer.controls["row"].options) == n
    assert sorted(heads(*text)) == explorer.controls["head"].values
    assert len(explorer.controls["head"].options) == count
    assert len(explorer.views["weights"].frames[0]["rows"]) == n


@pytest.mark.parametrize("text", TEXTS)
def test_heads_are_attention(explorer, text):
    choose(explorer, text=text)
    for place in explorer.controls["head"].values[::12]:
        result = choose(explorer, head=place)
        weights = by_lists(*text, *place)
        assert_allclose(result["weights"], weights, atol=1e-5)
        for i in (0, len(weights) - 1):
            assert_allclose(choose(explorer, row=i)["row"], weights[i], atol=1e-5)


def adds_up_sound(explorer):
    result = choose(explorer, text=("speech", "speech"))
    weights = by_lists("speech", "speech", 2, 5)
    sums = [[sum(row[11 * j : 11 * j + 11]) for j in range(22)] for row in weights.tolist()]
    assert_allclose(result["shown"], sums, atol=1e-5)
    labels = [f"{0.22 * j:.1f}" for j in range(22)]
    assert explorer.views["weights"].frames[0]["cols"] == labels


def test_sound_is_added_up_in_columns(explorer):
    adds_up_sound(explorer)


def test_wrong_columns_are_seen():
    broken = planted(trained, "SLICES = 11", "SLICES = 22").trained_explorer()
    with pytest.raises(AssertionError):
        adds_up_sound(broken)


def numbers_fit(explorer):
    """Standard deviation and entropy by the formulas, over the pairs that the mask leaves."""
    result = choose(explorer, text=("decoder", "password"), head=(13, 8))
    real = load_head("decoder", "password", 13, 8)
    q, k = real.q.astype(float), real.k.astype(float)
    seen = [q[i] @ k[j] for i in range(13) for j in range(i + 1)]
    assert result["std"] == pytest.approx(np.std(seen), rel=1e-4)
    assert result["root"] == 8
    shares = [0.0]
    for i, row in enumerate(by_lists("decoder", "password", 13, 8)[1:], start=2):
        shares.append(-sum(a * np.log(a) for a in row if a > 0) / np.log(i))
    assert result["entropy"] == pytest.approx(np.mean(shares), rel=1e-4)


def test_numbers(explorer):
    numbers_fit(explorer)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("float(score_std(real))", "float(steps.scaled.std())"),
        ("float(row_entropy(real).mean())", "float(row_entropy(real).max())"),
        ("real.q.shape[-1] ** 0.5", "real.q.shape[0] ** 0.5"),
    ],
)
def test_wrong_numbers_are_seen(old, new):
    broken = planted(trained, old, new).trained_explorer()
    with pytest.raises(AssertionError):
        numbers_fit(broken)


def test_the_decoder_hides_the_future_and_the_encoder_does_not(explorer):
    assert not np.any(explorer.views["weights"].frames[0]["hatched"])
    choose(explorer, text=("decoder", "wide"))
    hidden = [[j > i for j in range(13)] for i in range(13)]
    assert explorer.views["weights"].frames[0]["hatched"] == hidden


def test_the_row_follows_its_word(explorer):
    token = explorer.controls["row"]
    assert token.options[token.index] == "it"
    choose(explorer, text=("multilingual", "zh"))
    assert token.options[token.index] == "它"
    choose(explorer, text=("decoder", "password"))
    assert token.value == 12
    choose(explorer, text=("decoder", "tired"))
    assert token.options[token.index] == "it"
    choose(explorer, row=6, text=("encoder", "tired"))
    assert token.options[token.index] == "street"


def test_the_head_stays_where_it_can(explorer):
    choose(explorer, text=("decoder", "tired"), head=(18, 6))
    choose(explorer, text=("decoder", "password"))
    assert explorer.controls["head"].value == (18, 6)
    choose(explorer, text=("speech", "speech"))
    assert explorer.controls["head"].value == (2, 5)


def test_cells_are_spelled_out(explorer):
    explorer.views["weights"].selected = [10, 2]
    score, scaled, weight = explorer.detail.frames[0].split("\n")
    q, k = load_head("encoder", "tired", 3, 1)[:2]
    value = float(score.rsplit("= ", 1)[1])
    assert value == pytest.approx(q[10] @ k[2], abs=1e-3)
    assert "q₁₁ · k₃" in score and "/ √32" in scaled
    assert f"= {explorer.result['weights'][10, 2]:.4f}" in weight
    choose(explorer, text=("decoder", "tired"))
    assert explorer.views["weights"].selected == []
    explorer.views["weights"].selected = [2, 5]
    assert "(−∞) = −∞" in explorer.detail.frames[0]
    choose(explorer, text=("speech", "speech"))
    explorer.views["weights"].selected = [3, 3]
    line = explorer.detail.frames[0]
    assert line.count(" + ") == 10
    assert f"= {explorer.result['shown'][3, 3]:.4f}" in line


def test_the_curve_of_sound_runs_over_seconds(explorer):
    choose(explorer, text=("speech", "speech"))
    picture = explorer.views["line"].frames[0]
    assert "loudness" in picture and "<polyline" in picture
    assert f"{frame_times()[-1]:.0f}" in picture
    assert "at 2.92 s (0.10)" in repr(explorer)


def test_sentence_in_both_languages(explorer):
    assert repr(explorer).startswith(
        "encoder, tired, L3H1: it looks most at animal (0.68). Standard deviation of q·k 10.54"
    )
    use_language("zh")
    chinese = trained_explorer("multilingual", "zh", 8, 8, "它")
    assert repr(chinese).startswith("多语言，中文，L8H8：它 看得最多的是 动物（0.66）。")
    assert repr(explorer).startswith("encoder")


def test_two_explorers_are_independent(explorer):
    other = trained_explorer("decoder", "tired", 13, 8)
    choose(explorer, text=("speech", "speech"))
    assert len(other.controls["row"].options) == 13
    assert other.result["weights"].shape == (13, 13)


def test_errors_are_said_in_words(explorer):
    explorer.controls["head"].values.append((99, 0))
    explorer.controls["head"].options = [*explorer.controls["head"].options, "?"]
    explorer.controls["head"].value = (99, 0)
    assert "These settings do not work" in explorer.message.frames[0]
    assert "(99, 0)" in explorer.message.frames[0]


@pytest.mark.parametrize(("chosen", "kept"), [(2, 2), (5, 7)])
def test_a_control_offers_other_settings(chosen, kept):
    """What is still there stays chosen, wherever it stands now; else the first is chosen."""
    for control in (Slider("n", [1, 2, 5], chosen), Choice("n", [1, 2, 5], chosen)):
        control.offer([7, 3, 4, 2], "acdb")
        assert (control.value, control.options) == (kept, list("acdb"))
        assert control.index == control.values.index(kept)
        control.index = 1
        assert control.value == 3


def test_the_name_of_a_head_follows_the_text():
    """L13H8 of the decoder reads "animal" in one text; in another there is none."""
    explorer = trained_explorer("decoder", "tired", 18, 6)
    names = explorer.controls["head"].options
    assert names[explorer.controls["head"].index] == "L18H6 · first token 0.99"
    explorer.controls["text"].value = ("decoder", "password")
    names = explorer.controls["head"].options
    assert names[explorer.controls["head"].index] == "L18H6 · what came next last time 0.55"
    assert not any("animal" in name for name in names)
