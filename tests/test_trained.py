"""Stored heads: every number of trained/data/NOTICE.md, recomputed with the course's functions."""

import re
from importlib.resources import files

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attention_core import attention, attention_steps, causal_mask, trained
from attention_core.trained import (
    MODELS,
    changed_rows,
    decoder_survey,
    encoder_input,
    encoder_weights,
    frame_times,
    head_output,
    head_weights,
    heads,
    independent_head,
    load_head,
    loudness,
    next_tokens,
    peak_times,
    row_entropy,
    score_std,
    sentences,
    tokens,
)
from attention_core.trained.stored_file import stored_arrays
from tests import reference

DATA = files("attention_core.trained") / "data"


def weight(model, sentence, at, row, column, occurrence=-1):
    """The weight from the token `row` (its last occurrence) to the token `column` (its first)."""
    head = load_head(model, sentence, *at)
    i = [n for n, token in enumerate(head.rows) if token == row][occurrence]
    return float(head_weights(head)[i, head.columns.index(column)])


# --- the numbers of the notice ---


def test_encoder_it_looks_at_animal():
    assert_allclose(weight("encoder", "tired", (3, 1), "it", "animal"), 0.677, atol=0.0006)


def test_encoder_with_wide_looks_less_at_animal_and_does_not_flip_to_street():
    animal = weight("encoder", "wide", (3, 1), "it", "animal")
    street = weight("encoder", "wide", (3, 1), "it", "street")
    assert_allclose(animal, 0.28, atol=0.005)
    assert_allclose(street, 0.12, atol=0.005)
    assert street < animal


def test_encoder_previous_token_head():
    a = head_weights(load_head("encoder", "tired", 0, 2))
    assert (np.diag(a, -1) >= 0.999).all()
    assert len(np.diag(a, -1)) == 15


def test_encoder_head_that_rests_on_the_first_token():
    a = head_weights(load_head("encoder", "tired", 4, 5))
    assert tokens("encoder", "tired")[0] == "[CLS]"
    assert_allclose(a[:, 0].mean(), 0.90, atol=0.005)


def test_encoder_it_looks_at_tired():
    assert_allclose(weight("encoder", "tired", (2, 1), "it", "tired"), 0.71, atol=0.005)


def test_encoder_scores_are_not_those_of_independent_numbers():
    stds = [score_std(load_head("encoder", "tired", *at)) for at in heads("encoder", "tired")]
    assert len(stds) == 72
    assert_allclose(min(stds), 3.7, atol=0.05)
    assert_allclose(max(stds), 64.6, atol=0.05)
    assert_allclose(np.median(stds), 8.17, atol=0.005)
    assert_allclose(np.sqrt(32), 5.66, atol=0.005)


@pytest.mark.parametrize("at", heads("decoder", "tired"))
def test_decoder_rows_before_the_changed_word_do_not_move(at):
    before, after = (load_head("decoder", s, *at) for s in ("tired", "wide"))
    assert before.rows[:11] == after.rows[:11]
    assert (before.rows[11], after.rows[11]) == ("tired", "wide")
    assert_array_equal(head_weights(before)[:11], head_weights(after)[:11])
    assert not changed_rows(*at)[:11].any()
    assert (changed_rows(*at)[11:] > 0.005).all()


def test_decoder_it_looks_at_animal():
    for sentence in ("tired", "wide"):
        found = weight("decoder", sentence, (13, 8), "it", "animal")
        assert_allclose(found, 0.75, atol=0.005)


def test_decoder_induction_head_and_the_next_word():
    assert_allclose(weight("decoder", "password", (18, 6), "password", "is"), 0.66, atol=0.005)
    assert_allclose(weight("decoder", "password", (18, 6), "is", "blue"), 0.88, atol=0.005)
    words, p = next_tokens("password")
    assert words[0] == "blue" and p.argmax() == 0
    assert_allclose(p[0], 0.31, atol=0.005)


@pytest.mark.parametrize(
    ("sentence", "least"), [("tired", 0.93), ("wide", 0.91), ("password", 0.91)]
)
def test_decoder_sink(sentence, least):
    """The 0.93 of the notice holds for the first sentence; in the others the least is 0.91."""
    first = head_weights(load_head("decoder", sentence, 24, 0))[:, 0]
    assert_allclose(first.min(), least, atol=0.005)
    assert first[0] == 1


def test_multilingual_head_finds_the_animal_in_both_languages():
    assert_allclose(weight("multilingual", "en", (8, 8), "it", "animal"), 0.55, atol=0.005)
    assert_allclose(weight("multilingual", "zh", (8, 8), "它", "动物"), 0.66, atol=0.005)


@pytest.mark.parametrize("sentence", ["en", "zh"])
def test_multilingual_next_token_head(sentence):
    """At least 0.99 when rounded; the rows before the sentence are the prefix "query:"."""
    head = load_head("multilingual", sentence, 2, 6)
    assert head.rows[1:4] == ("que", "ry", ":")
    following = np.diag(head_weights(head), 1)[4:]
    assert (following.round(2) >= 0.99).all()
    assert (following >= 0.99).sum() >= len(following) - 1


def test_speech_peaks_follow_the_words():
    peaks = dict(zip(tokens("speech", "speech"), peak_times(), strict=True))
    times = peak_times()[2:13]
    assert (np.diff(times) > 0).all()
    assert_allclose([peaks["The"], peaks["too"]], [0.44, 3.52], atol=1e-6)
    assert_allclose([peaks["tired"], peaks["."]], 4.28, atol=1e-6)
    assert loudness()[: int(4.28 / 0.02)].max() > 0.1
    assert loudness()[int(4.4 / 0.02) :].max() < 0.001


def test_independent_numbers():
    many = [independent_head(seed) for seed in range(300)]
    std = np.mean([score_std(head) for head in many]) / np.sqrt(32)
    entropy = np.mean([row_entropy(head).mean() for head in many])
    assert_allclose(std, 1.00, atol=0.01)
    assert_allclose(entropy, 0.85, atol=0.005)


# --- the file holds together ---


def test_stored_and_projected_queries_are_the_same_head():
    """X, W and b of layer 3 head 1 give the stored Q and K, up to float16."""
    stored = stored_arrays()
    for role in "QK":
        w, b = encoder_weights(role)
        made = encoder_input("tired") @ w + b
        assert_allclose(made, stored[f"enc_tired_{role}"][3, 1].astype(np.float32), atol=0.005)


def test_survey_is_the_survey_of_the_stored_heads():
    """Rule of the survey, from the six heads that are stored: seen pairs; rows after the first."""
    std, first = decoder_survey()
    assert std.shape == first.shape == (30, 9)
    for at in heads("decoder", "tired"):
        head = load_head("decoder", "tired", *at)
        steps = attention_steps(head.q, head.k, head.v, head.mask)
        assert_allclose(steps.scaled[head.mask].std(), std[at], rtol=0.002)
        assert_allclose(steps.weights[1:, 0].mean(), first[at], atol=0.0005)


def test_all_is_float32_and_agrees_with_the_slow_reference():
    for model in MODELS:
        for sentence in sentences(model):
            at = heads(model, sentence)[-1]
            head = load_head(model, sentence, *at)
            assert head.q.dtype == head.k.dtype == head_weights(head).dtype == np.float32
            assert len(head.rows) == len(head.q) and len(head.columns) == len(head.k)
            few = head.q[:3].tolist()
            v = [[0.0]] * len(head.k)
            mask = None if head.mask is None else head.mask[:3].tolist()
            _, slow = reference.attention(few, head.k.tolist(), v, mask)
            assert_allclose(head_weights(head)[:3], slow, rtol=2e-3, atol=1e-5)


def test_decoder_alone_is_causal():
    for model in MODELS:
        head = load_head(model, sentences(model)[0], *heads(model, sentences(model)[0])[0])
        if model == "decoder":
            assert_array_equal(head.mask, causal_mask(13))
        else:
            assert head.mask is None


def test_output_is_attention_and_missing_values_are_said():
    head = load_head("encoder", "wide", 3, 1)
    assert_array_equal(head_output(head), attention(head.q, head.k, head.v)[0])
    with pytest.raises(ValueError, match="values of this head are not stored"):
        head_output(load_head("encoder", "tired", 0, 2))


def test_row_entropy_ends():
    """Equal scores: 1; a row with one key: 0."""
    head = independent_head(n=5)._replace(q=np.zeros((5, 32)), mask=causal_mask(5))
    assert_allclose(row_entropy(head), [0, 1, 1, 1, 1], atol=1e-12)


def test_tokens_carry_no_marks_and_frames_are_20_ms():
    for model in MODELS:
        for sentence in sentences(model):
            assert not any(re.match("[ ▁Ġ]", token) for token in tokens(model, sentence))
    assert_allclose(np.diff(frame_times()), 0.02)
    assert len(frame_times()) == len(loudness()) == 242


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sentences("gpt"), "model is 'gpt'"),
        (lambda: heads("decoder", "en"), "sentence is 'en'.*'tired', 'wide', 'password'"),
        (lambda: load_head("decoder", "tired", 0, 1), r"\(layer, head\) is \(0, 1\).*\(13, 8\)"),
        (lambda: load_head("encoder", "wide", 0, 0), r"must be one of \(3, 1\)"),
        (lambda: encoder_weights("O"), "role is 'O'"),
    ],
)
def test_what_is_not_stored_is_refused_with_what_is(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_callers_cannot_spoil_the_data():
    load_head("decoder", "tired", 13, 8).q[:] = 0
    assert load_head("decoder", "tired", 13, 8).q.any()


def test_licences_stand_beside_the_data():
    notice, apache, mit = (
        (DATA / name).read_text(encoding="utf-8")
        for name in ("NOTICE.md", "LICENSE-Apache-2.0.txt", "LICENSE-MIT.txt")
    )
    assert "END OF TERMS AND CONDITIONS" in apache and "Version 2.0, January 2004" in apache
    assert "Copyright (c) 2022 OpenAI" in mit and "WITHOUT WARRANTY OF ANY KIND" in mit
    for model in ("all-MiniLM-L6-v2", "SmolLM2-135M-Instruct", "multilingual-e5-small", "whisper"):
        assert model in notice


# --- the numbers can be wrong ---


@pytest.mark.parametrize(
    "spoil",
    [
        lambda head: head._replace(q=head.k, k=head.q),
        lambda head: head._replace(q=head.q * 32**0.5),
        lambda head: head._replace(mask=causal_mask(len(head.q)).mT),
    ],
    ids=["q and k exchanged", "not scaled", "mask inverted"],
)
def test_the_numbers_notice_a_wrong_attention(monkeypatch, spoil):
    real = trained.load_head
    monkeypatch.setitem(globals(), "load_head", lambda *args: spoil(real(*args)))
    with pytest.raises(AssertionError):
        test_encoder_it_looks_at_animal()
    with pytest.raises(AssertionError):
        test_multilingual_head_finds_the_animal_in_both_languages()
