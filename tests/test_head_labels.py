"""Labels, searches and comparisons of heads: each against a slow count over the same weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attention_core import causal_mask
from attention_core.trained import (
    carried,
    compare,
    head_labels,
    head_weights,
    load_head,
    load_model,
    moves_on,
    patterns,
    places,
    reads,
    reliability,
    row_hits,
    row_shares,
    strongest,
)
from attention_core.trained.comparing import matching
from attention_core.trained.patterns import evenness, is_punctuation

TEXT = "The animal didn't cross the street because it was too {}."
TOKENS = ("<s>", "▁A", "▁b", ",", "▁a", "▁b", ",", ".", "</s>")


@pytest.fixture(scope="module")
def runs():
    model = load_model()
    return {end: model.run(TEXT.format(end)) for end in ("tired", "wide")}


# --- patterns ---


def looked_at(name, i):
    """Where row i of TOKENS looks, worked out on paper."""
    return {
        "previous": {2: {1}, 3: {2}, 4: {3}, 5: {4}, 6: {5}, 7: {6}},
        "next": {1: {2}, 2: {3}, 3: {4}, 4: {5}, 5: {6}, 6: {7}},
        "itself": {i: {i} for i in range(1, 8)},
        "first": {i: {0} for i in range(1, 8)},
        "ends": {i: {0, 8} for i in range(1, 8)},
        "same": {1: {4}, 4: {1}, 2: {5}, 5: {2}},
        "punctuation": {i: {3, 6, 7} for i in (1, 2, 4, 5)},
        "repeat": {4: {2}, 5: {3}},
    }[name].get(i, set())


def test_patterns_as_on_paper():
    drawn = patterns(TOKENS)
    for name, where in drawn.items():
        for i, row in enumerate(where):
            assert set(row.nonzero()[0]) == looked_at(name, i), (name, i)
    assert set(drawn) == {
        *("previous", "next", "itself", "first", "ends", "same", "punctuation", "repeat")
    }


def test_rows_without_a_choice_are_left_out():
    drawn = patterns(["a", "b", "a"], causal_mask(3))
    assert drawn["first"].any(axis=-1).tolist() == [False, True, True]
    assert not patterns(["<s>", "▁", "</s>"])["first"].any()


@given(st.lists(st.sampled_from(["<s>", "▁a", "▁b", "b", ",", "。"]), min_size=1, max_size=7))
def test_shares_are_counted_one_by_one(tokens):
    n = len(tokens)
    weights = np.random.default_rng(n).dirichlet(np.ones(n), size=(2, 3, n))
    for where in patterns(tokens).values():
        rows = [i for i in range(n) if where[i].any()]
        shares, hits = row_shares(weights, where), row_hits(weights, where)
        assert shares.shape == hits.shape == (2, 3, len(rows))
        for k, i in enumerate(rows):
            row = weights[1, 2, i]
            assert_allclose(shares[1, 2, k], sum(row[j] for j in range(n) if where[i, j]))
            assert hits[1, 2, k] == where[i, list(row).index(max(row))]


def test_punctuation_and_evenness():
    assert [is_punctuation(t) for t in ("。", '▁"', "...", "it", "▁", "")] == [True] * 3 + [
        False
    ] * 3
    weights = np.array([[1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25] * 4])
    assert_allclose(evenness(weights), [0, 0.5, 1], atol=1e-12)
    mask = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]], bool)
    assert_allclose(evenness(weights, mask), [0, 1, 1], atol=1e-12)


# --- labels ---


def label(map_, tokens=TOKENS, mask=None):
    return head_labels(np.array([map_], float), tokens, mask)[0]


def map_of(rows):
    """A map in which row i gives the weight w to column j and shares the rest among all."""
    a = np.full((len(TOKENS), len(TOKENS)), 1 / len(TOKENS))
    for i, j, w in rows:
        a[i] = (1 - w) / len(TOKENS)
        a[i, j] += w
    return a


@pytest.mark.parametrize("name", ["previous", "next", "itself", "first", "same", "repeat"])
def test_a_clear_pattern_is_named_with_its_share(name):
    drawn = patterns(TOKENS)[name]
    a = map_of([(i, j, 0.9) for i, j in np.argwhere(drawn)])
    found = label(a)
    assert found.kind == name
    assert_allclose(found.value, np.mean([a[i, j] for i, j in np.argwhere(drawn)]))


def test_a_label_is_gone_when_its_reason_is_gone():
    assert label(map_of([])).kind == "broad"
    it = map_of([(i, 8 if i % 2 else 0, 0.7) for i in range(9)])
    assert label(it).kind == "ends"
    it[5] = 0.1
    it[5, 2] = 0.4
    assert label(it)[:1] + label(it)[2:] == ("pair", 5, 2)
    assert_allclose(label(it).value, 0.4)
    it[5, 0] = 0.45  # now the row looks most elsewhere
    assert label(it).kind == "ends"
    it[5] = 0.1
    it[5, 7] = 0.4  # punctuation is no word
    assert label(it).kind == "ends"


def test_one_row_makes_no_pattern():
    tokens = ["<s>", "▁a", "▁b", "▁c", "▁a", "</s>"]
    weights = np.full((6, 6), 1 / 6)
    weights[4] = np.eye(6)[2]  # the only repeat
    assert head_labels([weights], tokens)[0].kind == "pair"


def test_nothing_to_label():
    assert head_labels(np.ones((3, 1, 1)), ["a"])[1].kind == "mixed"
    assert len(head_labels(load_model().run("。").weights, ("<s>", "▁", "。", "</s>"))) == 144


@pytest.mark.parametrize("end", ["tired", "wide"])
def test_every_label_holds_on_the_weights_it_was_made_from(runs, end):
    """Whatever a label says is read off again, number for number."""
    tokens, maps = runs[end].tokens, runs[end].weights.reshape(144, 16, 16)
    words = [i for i, t in enumerate(tokens) if t not in ("<s>", "</s>")]
    said = {
        "previous": lambda a: np.mean([a[i, i - 1] for i in words[1:]]),
        "next": lambda a: np.mean([a[i, i + 1] for i in words[:-1]]),
        "itself": lambda a: np.mean([a[i, i] for i in words]),
        "first": lambda a: np.mean([a[i, 0] for i in words]),
        "ends": lambda a: np.mean([a[i, 0] + a[i, -1] for i in words]),
        "broad": lambda a: np.mean([-(a[i] * np.log(a[i])).sum() for i in words]) / np.log(16),
    }
    kinds = set()
    for a, found in zip(maps, head_labels(maps, tokens), strict=True):
        kinds.add(found.kind)
        if found.kind == "pair":
            assert found.value == a[found.reader, found.source] == a[found.reader].max()
        elif found.kind in said:
            assert_allclose(found.value, said[found.kind](a), rtol=1e-4)
            assert found.value >= 0.5
    assert {"previous", "next", "first", "ends", "broad", "pair"} <= kinds


def test_labels_of_the_stored_heads_follow_the_text():
    """The same decoder head rests on the first token here, and continues a repeated text there."""
    kinds = {}
    for text in ("tired", "password"):
        head = load_head("decoder", text, 18, 6)
        kinds[text] = label(head_weights(head), head.rows, head.mask).kind
    assert kinds == {"tired": "first", "password": "repeat"}


def test_moves_on():
    assert moves_on(np.eye(4)[[0, 2, 1, 3]]) == pytest.approx(2 / 3)
    assert moves_on(head_weights(load_head("speech", "speech", 2, 5))) == pytest.approx(12 / 14)


# --- who reads what ---


def test_places():
    tokens = load_model().tokens(TEXT.format("tired"))
    assert [tokens[i] for i in places(tokens, "Animal")] == ["▁animal"]
    assert [tokens[i] for i in places(tokens, "didn't")] == ["▁didn", "'", "t"]
    assert places(tokens, "the", 1) > places(tokens, "the", 0)
    assert places(tokens, "the", -1) == places(tokens, "the", 1)
    chinese = load_model().tokens("动物没有过马路")
    assert [chinese[i] for i in places(chinese, "马路")] == ["马", "路"]
    for word, often in (("cat", 0), ("he", 0), ("", 0), ("street", 1)):
        with pytest.raises(ValueError, match=f"{word!r} stands in the text {often} times: <s>"):
            places(tokens, word, 1)


def test_reads_is_one_entry_of_every_map(runs):
    run = runs["tired"]
    scores = reads(run, "it", "animal")
    assert_array_equal(scores, run.weights[:, :, 10, 2])
    assert_array_equal(reads(run, 10, 2), scores)
    assert_allclose(reads(run, "didn't", "didn't"), run.weights[:, :, 5, 3:6].sum(-1))
    ranked = strongest(scores, 144)
    assert [score for *_, score in ranked] == sorted(scores.ravel().tolist(), reverse=True)
    assert all(scores[layer, head] == np.float32(score) for layer, head, score in ranked)


def test_the_running_example_as_the_notice_says(runs):
    it = {end: strongest(reads(run, "it", "animal"), 1)[0] for end, run in runs.items()}
    assert [(layer, head, round(w, 2)) for layer, head, w in it.values()] == [
        (8, 8, 0.55),
        (8, 8, 0.45),
    ]
    assert strongest(reads(runs["tired"], "tired", "animal"), 1)[0][:2] == (11, 3)
    assert_allclose(reads(runs["tired"], "tired", "animal")[11, 3], 0.37, atol=0.005)
    assert_allclose(reads(runs["wide"], "wide", "animal")[11, 3], 0.50, atol=0.005)
    chinese = load_model().run("这只动物没有过马路，它太累了。")
    assert_allclose(reads(chinese, "它", "动物")[8, 8], 0.75, atol=0.005)


RELIABLE = {  # relation: head, mean and share of rows in English, in Chinese
    "next": ((2, 6), 1.00, 1.00, 1.00, 1.00),
    "previous": ((0, 2), 0.65, 0.84, 0.56, 0.76),
    "first": ((4, 5), 0.95, 1.00, 0.96, 1.00),
    "pron": ((8, 8), 0.18, 0.31, 0.34, 0.69),
    "adj": ((11, 3), 0.21, 0.30, 0.24, 0.35),
}


@pytest.mark.parametrize("relation", RELIABLE)
def test_reliability_over_twenty_sentences(relation):
    at, *figures = RELIABLE[relation]
    en, zh = (reliability(load_model(), language, relation) for language in ("en", "zh"))
    found = [score[at] for one in (en, zh) for score in (one.mean, one.largest)]
    assert_allclose(found, figures, atol=0.0051)
    assert 13 <= min(en.cases, zh.cases)
    assert (en.mean <= 1 + 1e-6).all() and en.mean.shape == en.largest.shape == (12, 12)
    correlation = np.corrcoef(en.mean.ravel(), zh.mean.ravel())[0, 1]
    assert 0.83 <= round(correlation, 2) <= 0.99


def test_carried_is_counted_one_by_one():
    rng = np.random.default_rng(5)
    weights, v = rng.dirichlet(np.ones(7), size=(2, 5)), rng.normal(size=(2, 7, 3))
    got = carried(weights, v)
    for h, i in np.ndindex(2, 5):
        parts = [weights[h, i, j] * sum(x * x for x in v[h, j]) ** 0.5 for j in range(7)]
        assert_allclose(got[h, i], np.array(parts) / sum(parts))


# --- two sentences ---


def test_comparison_of_tired_and_wide(runs):
    both = compare(runs["tired"], runs["wide"])
    assert both.tokens[13] == ("▁tired", "▁wide") and len(both.tokens) == 16
    assert_array_equal(both.first, runs["tired"].weights)
    assert_array_equal(both.difference, runs["wide"].weights - runs["tired"].weights)
    assert_allclose(both.difference[8, 8, 10, 2], 0.45 - 0.55, atol=0.01)


def test_comparison_keeps_what_is_shared():
    model = load_model()
    one, two = model.run("The dog was tired."), model.run("The old dog was very tired.")
    both = compare(one, two)
    assert all(a == b for a, b in both.tokens) and len(both.tokens) == len(one.tokens)
    at = two.tokens.index("▁dog")
    assert_array_equal(both.second[3, 4, 2, 4], two.weights[3, 4, at, two.tokens.index("▁tired")])
    other = compare(one, model.run("猫"))
    assert other.tokens == (("<s>", "<s>"), ("</s>", "</s>"))


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_partners_stand_in_the_same_order(a, b):
    pairs = matching(a, b)
    assert pairs == sorted(set(pairs))
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert a != b or pairs == [(i, i) for i in range(len(a))]
