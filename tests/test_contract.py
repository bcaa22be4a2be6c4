"""The promises of the package, clause by clause: types, errors, empty input, side effects."""

import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_core
from attention_core import (
    additive_mask,
    attention,
    attention_scores,
    attention_steps,
    causal_mask,
    combine_masks,
    init_multi_head,
    merge_heads,
    multi_head_attention,
    padding_mask,
    project,
    softmax,
    split_heads,
)
from tests.core_checks import D_MODEL, D_V, N_K, N_Q, H, head_weights, normal, qkv
from tests.loops import for_each

WEIGHTS = head_weights(attention_core)


def sentence_of(error, call, *args, **kwargs):
    with pytest.raises(error) as caught:
        call(*args, **kwargs)
    assert type(caught.value) is error
    return str(caught.value)


# --- names ---


def test_public_names():
    """The names that lessons, exercises and explorers rely on."""
    assert set(attention_core.__all__) >= {
        "AttentionSteps",
        "MultiHeadWeights",
        "additive_mask",
        "attention",
        "attention_scores",
        "attention_steps",
        "causal_mask",
        "combine_masks",
        "init_multi_head",
        "merge_heads",
        "multi_head_attention",
        "padding_mask",
        "project",
        "softmax",
        "split_heads",
        "use_language",
    }
    for name in attention_core.__all__:
        assert hasattr(attention_core, name)
    assert attention_core.AttentionSteps._fields == (
        "scores",
        "scaled",
        "masked",
        "weights",
        "output",
    )


def test_scale_context_and_mask_by_name_only():
    with pytest.raises(TypeError):
        attention(*qkv(), None, 0.5)
    with pytest.raises(TypeError):
        multi_head_attention(normal(N_Q, D_MODEL), WEIGHTS, H, None)


# --- types ---


@for_each(
    ("given", "computed", "returned"),
    [
        ("f2", "f4", "f2"),
        ("f4", "f4", "f4"),
        ("f8", "f8", "f8"),
        ("i1", "f8", "f8"),
        ("i4", "f8", "f8"),
        ("i8", "f8", "f8"),
        ("u1", "f8", "f8"),
        ("?", "f8", "f8"),
    ],
)
@for_each("mask", [None, "bool", "f2", "f4", "f8"])
def test_types_of_results(given, computed, returned, mask):
    """The type follows q, k and v; a mask never widens it."""
    q, k, v = ((3 * np.abs(x)).astype(given) for x in qkv())
    if mask is not None:
        allowed = np.tri(N_Q, N_K, k=2, dtype=bool)
        mask = allowed if mask == "bool" else additive_mask(allowed).astype(mask)
    steps = attention_steps(q, k, v, mask)
    assert {x.dtype for x in steps[:3]} == {np.dtype(computed)}
    assert {x.dtype for x in steps[3:]} == {np.dtype(returned)}
    assert {x.dtype for x in attention(q, k, v, mask)} == {np.dtype(returned)}
    assert attention_scores(q, k).dtype == computed
    assert softmax(q).dtype == returned
    assert project(q, k.mT).dtype == returned


@for_each("dtype", [np.float16, np.float32, np.float64])
def test_types_through_the_heads(dtype):
    weights = attention_core.MultiHeadWeights(*(w.astype(dtype) for w in WEIGHTS))
    x = normal(N_Q, D_MODEL).astype(dtype)
    for mask in (None, causal_mask(N_Q), additive_mask(causal_mask(N_Q))):
        output, a = multi_head_attention(x, weights, H, mask=mask)
        assert {output.dtype, a.dtype} == {np.dtype(dtype)}


def test_different_types_meet_in_the_wider_one():
    q, k, v = qkv()
    output, weights = attention(q.astype(np.float16), k.astype(np.float32), v.astype(np.float16))
    assert {output.dtype, weights.dtype} == {np.dtype(np.float32)}
    output, _ = attention(q.astype(np.float32), k.astype(np.float32), np.ones((N_K, D_V), int))
    assert output.dtype == np.float64


@for_each(("dtype", "digits"), [(np.float16, 3e-3), (np.float32, 3e-6)])
def test_narrow_types_are_as_exact_as_they_can_be(dtype, digits):
    q, k, v = (x.astype(dtype) for x in qkv())
    exact = attention(*(x.astype(np.float64) for x in (q, k, v)))
    for got, want in zip(attention(q, k, v), exact, strict=True):
        assert_allclose(got, want, rtol=digits, atol=digits)


def test_half_precision_does_not_overflow_in_between():
    """A score of 90000 does not fit float16; the weights do."""
    rows = np.float16([[300, 0], [0, 300]])
    output, weights = attention(rows, rows, rows)
    assert_array_equal(weights, np.eye(2))
    assert_array_equal(output, rows)


def test_lists_do_as_well_as_arrays():
    output, weights = attention([[1, 0]], [[1, 0], [0, 1]], [[1], [3]], [[True, False]])
    assert output.tolist() == [[1.0]]
    assert weights.tolist() == [[1.0, 0.0]]


# --- masks ---


@for_each("dtype", ["i1", "i4", "i8", "u1", "c16", "O", "U1"])
def test_a_mask_of_another_type_is_told_to_be_bool(dtype):
    mask = np.ones((N_Q, N_K), int).astype(dtype)
    wanted = (
        f"attention: mask is {mask.dtype}; use bool (True = may look) or float (added to scores)"
    )
    assert sentence_of(TypeError, attention, *qkv(), mask) == wanted
    x = normal(N_Q, D_MODEL)
    context = normal(N_K, D_MODEL)
    call = lambda: multi_head_attention(x, WEIGHTS, H, context=context, mask=mask)  # noqa: E731
    assert sentence_of(TypeError, call) == wanted


@for_each("shape", [(N_K,), (N_Q,), (1, N_K), (N_Q, 1), (1, 1), (N_K, N_Q), ()])
@for_each("leading", [(), (5,), (7,)])
def test_a_flat_mask_is_always_queries_by_keys(shape, leading):
    """Also when a batch of 5 or 7 would make another reading fit."""
    said = sentence_of(ValueError, attention, *qkv(*leading), np.ones(shape, bool))
    assert said == (
        f"attention: mask is {shape} but the scores are {(*leading, N_Q, N_K)}: "
        "a mask must end in (n_q, n_k) = (5, 7)"
    )


@for_each("b", [5, 7])
def test_a_flat_mask_holds_for_every_sentence(b):
    mask = np.tri(N_Q, N_K, k=2, dtype=bool)
    _, weights = attention(*qkv(b), mask)
    assert_array_equal(weights > 0, np.broadcast_to(mask, (b, N_Q, N_K)))


def test_a_mask_per_sentence_goes_to_every_head():
    """With as many heads as sentences a mask on the wrong axis would fit."""
    mask = np.random.default_rng(3).random((H, N_Q, N_Q)) < 0.5
    _, a = multi_head_attention(normal(H, N_Q, D_MODEL), WEIGHTS, H, mask=mask)
    assert_array_equal(a > 0, np.broadcast_to(mask[:, None], (H, H, N_Q, N_Q)))


@for_each(
    ("bad", "name"),
    [(np.nan, "nan"), (np.inf, "inf")],
)
def test_a_float_mask_holds_numbers_and_minus_infinity(bad, name):
    mask = np.zeros((N_Q, N_K))
    mask[3, 2:] = bad
    said = sentence_of(ValueError, attention, *qkv(), mask)
    assert said == (f"attention: mask[3, 2] is {name}; a float mask may hold numbers and -inf only")


# --- the row that may look nowhere ---


@for_each("form", ["bool", "float"])
@for_each("dtype", [np.float16, np.float32, np.float64])
def test_a_row_that_may_look_nowhere(form, dtype):
    mask = np.ones((N_Q, N_K), bool)
    mask[[1, 4]] = False
    q, k, v = (x.astype(dtype) for x in qkv())
    output, weights = attention(q, k, v, mask if form == "bool" else additive_mask(mask))
    assert_array_equal(weights[[1, 4]], np.zeros((2, N_K)))
    assert_array_equal(output[[1, 4]], np.zeros((2, D_V)))
    assert_allclose(weights[[0, 2, 3]].astype(float).sum(-1), 1, atol=2e-3)


def test_the_docstrings_say_so():
    assert "may look nowhere" in attention.__doc__
    assert "nothing to choose" in softmax.__doc__


# --- inputs ---


def every_call():
    """Each public function with fresh arguments: (call, arrays it was handed)."""
    q, k, v = qkv(2)
    x, weights = normal(2, N_Q, D_MODEL), head_weights(attention_core)
    context = normal(2, N_K, D_MODEL)
    mask, added = np.tri(N_Q, N_K, k=2, dtype=bool), normal(N_Q, N_K)
    lengths = np.array([3, 7])
    return [
        (lambda: softmax(q), [q]),
        (lambda: softmax(q, axis=0), [q]),
        (lambda: attention(q, k, v), [q, k, v]),
        (lambda: attention(q, k, v, mask), [q, k, v, mask]),
        (lambda: attention(q, k, v, added), [q, k, v, added]),
        (lambda: attention_steps(q, k, v, added, scale=2), [q, k, v, added]),
        (lambda: attention_scores(q, k), [q, k]),
        (lambda: causal_mask(5, 7), []),
        (lambda: padding_mask(lengths, 7), [lengths]),
        (lambda: combine_masks(mask), [mask]),
        (lambda: combine_masks(mask, None, mask), [mask]),
        (lambda: additive_mask(mask), [mask]),
        (lambda: project(x, weights.w_q), [x, weights.w_q]),
        (lambda: split_heads(v, D_V), [v]),
        (lambda: merge_heads(v), [v]),
        (lambda: init_multi_head(np.random.default_rng(0), 6, 2), []),
        (
            lambda: multi_head_attention(x, weights, H, context=context, mask=mask),
            [x, *weights, context, mask],
        ),
    ]


CALLS = range(len(every_call()))


def numbers(result):
    """Whatever a function returns, as a list of arrays."""
    return [np.asarray(x) for x in (result if isinstance(result, tuple) else [result])]


@for_each("which", CALLS)
def test_inputs_are_never_changed_and_may_be_read_only(which):
    call, given = every_call()[which]
    before = [x.tobytes() for x in given]
    first = numbers(call())
    assert [x.tobytes() for x in given] == before
    for x in given:
        x.flags.writeable = False
    for a, b in zip(first, numbers(call()), strict=True):
        assert_array_equal(a, b)
    assert [x.tobytes() for x in given] == before


@for_each("which", CALLS)
def test_results_do_not_depend_on_how_the_arrays_lie_in_memory(which):
    call, _ = every_call()[which]
    first = [x.copy() for x in numbers(call())]
    for cell in call.__closure__ or ():
        x = cell.cell_contents
        if isinstance(x, np.ndarray):
            cell.cell_contents = np.asfortranarray(np.repeat(x, 2, axis=-1))[..., ::2]
    for a, b in zip(first, numbers(call()), strict=True):
        assert_allclose(a.astype(float), b.astype(float), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("which", CALLS)
def test_nothing_else_is_touched(which, capfd):
    """No random state, no drawing settings, no backend, no error settings, no output."""
    call, _ = every_call()[which]
    state = np.random.get_state()  # noqa: NPY002
    settings, backend, errors = dict(mpl.rcParams), mpl.rcParams["backend"], np.geterr()
    printing = np.get_printoptions()
    call()
    after = np.random.get_state()  # noqa: NPY002
    assert_array_equal(state[1], after[1])
    assert state[2:] == after[2:]
    assert dict(mpl.rcParams) == settings
    assert mpl.rcParams["backend"] == backend
    assert np.geterr() == errors
    assert np.get_printoptions() == printing
    assert capfd.readouterr() == ("", "")


@for_each("which", CALLS)
def test_error_settings_of_the_caller_do_not_matter(which):
    """Also someone who lets NumPy raise on overflow, underflow and 0/0 gets an answer."""
    call, _ = every_call()[which]
    with np.errstate(all="raise"):
        call()


def test_importing_prints_nothing_and_changes_no_setting():
    script = (
        "import numpy as np; s = np.random.get_state(); e = np.geterr(), np.get_printoptions();"
        "import attention_core; t = np.random.get_state();"
        "assert (s[1] == t[1]).all() and s[2:] == t[2:];"
        "assert e == (np.geterr(), np.get_printoptions())"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# --- numbers that are none ---


@for_each("bad", [np.nan, np.inf, -np.inf])
@for_each("name", ["q", "k", "v"])
@for_each("hidden", [False, True])
def test_what_is_not_finite_is_named_even_when_hidden(name, bad, hidden):
    arrays = dict(zip("qkv", qkv(2), strict=True))
    arrays[name][1, 4, 3] = bad
    mask = np.ones((N_Q, N_K), bool)
    if hidden:
        mask[:, 4] = mask[4] = False
    assert sentence_of(ValueError, attention, **arrays, mask=mask) == (
        f"attention: {name}[1, 4, 3] is {bad}; every entry must be a finite number"
    )


def test_the_first_bad_index_is_named():
    q, k, v = qkv()
    q[3, 1], q[2, 9] = np.nan, np.inf
    assert "q[2, 9] is inf" in sentence_of(ValueError, attention, q, k, v)


def test_finite_entries_whose_sum_is_not():
    """Adding up is only the quick look: large numbers are still numbers."""
    large = np.full((N_K, D_V), 1e308)
    output, _ = attention(np.zeros((N_Q, D_V)), np.zeros((N_K, D_V)), large / 10)
    assert_allclose(output, 1e307)
    assert "scores[0, 0] is inf" in sentence_of(ValueError, attention_scores, large, large)


@for_each(
    ("call", "sentence"),
    [
        (
            lambda big, one: attention_scores(big, big),
            "attention_scores: scores[0, 0] is inf; every entry must be a finite number",
        ),
        (
            lambda big, one: attention(big, -big, one),
            "attention: scores[0, 0] is -inf; every entry must be a finite number",
        ),
        (
            lambda big, one: attention(big, one, one, scale=1e200),
            "attention: scaled scores[0, 0] is inf; every entry must be a finite number",
        ),
        (
            lambda big, one: project(big, big),
            "project: the product[0, 0] is inf; every entry must be a finite number",
        ),
        (
            lambda big, one: project([[np.nan]], one),
            "project: x[0, 0] is nan; every entry must be a finite number",
        ),
        (
            lambda big, one: project(one, [[np.inf]]),
            "project: w[0, 0] is inf; every entry must be a finite number",
        ),
    ],
)
def test_numbers_that_grow_too_large_get_a_sentence(call, sentence):
    one = np.ones((1, 1))
    assert sentence_of(ValueError, call, 1e200 * one, one) == sentence


def test_a_bad_token_is_named_as_the_caller_knows_it():
    x, context = normal(N_Q, D_MODEL), normal(N_K, D_MODEL)
    x[2, 3] = np.nan
    said = sentence_of(ValueError, multi_head_attention, x, WEIGHTS, H)
    assert said == "project: x[2, 3] is nan; every entry must be a finite number"
    context[4, 1] = np.inf
    call = lambda: multi_head_attention(normal(N_Q, D_MODEL), WEIGHTS, H, context=context)  # noqa: E731
    assert "[4, 1] is inf" in sentence_of(ValueError, call)


# --- sizes and kinds ---


def ones(*shape):
    return np.ones(shape)


@for_each(
    ("q", "k", "v", "sentence"),
    [
        (
            ones(4, 8),
            ones(5, 6),
            ones(5, 3),
            "attention: q is (4, 8) but k is (5, 6): the last sizes must be equal (8 != 6)",
        ),
        (
            ones(2, 4, 8),
            ones(5, 6),
            ones(5, 3),
            "attention: q is (2, 4, 8) but k is (5, 6): the last sizes must be equal (8 != 6)",
        ),
        (
            ones(4, 8),
            ones(5, 8),
            ones(7, 3),
            "attention: k is (5, 8) but v is (7, 3): each key needs a value (5 != 7)",
        ),
        (
            ones(8),
            ones(5, 8),
            ones(5, 3),
            "attention: q is (8,); it needs at least two axes (n, d)",
        ),
        (ones(4, 8), ones(5, 8), 1.0, "attention: v is (); it needs at least two axes (n, d)"),
        (
            ones(4, 0),
            ones(5, 0),
            ones(5, 3),
            "attention: d_k is 0; there is nothing to compare and no 1/√d_k",
        ),
    ],
)
def test_sizes_that_do_not_fit_get_a_sentence(q, k, v, sentence):
    assert sentence_of(ValueError, attention, q, k, v) == sentence
    assert sentence_of(ValueError, attention_steps, q, k, v) == sentence


def test_leading_sizes_that_do_not_fit_get_a_sentence():
    said = sentence_of(ValueError, attention, ones(2, 4, 8), ones(3, 5, 8), ones(3, 5, 7))
    assert said == (
        "attention: q is (2, 4, 8), k is (3, 5, 8), v is (3, 5, 7): "
        "the leading sizes do not fit together"
    )
    mask = np.ones((3, 4, 5), bool)
    said = sentence_of(ValueError, attention, ones(2, 4, 8), ones(2, 5, 8), ones(2, 5, 7), mask)
    assert said.startswith("attention: ")


def test_sizes_of_scores_are_said_under_their_own_name():
    said = sentence_of(ValueError, attention_scores, ones(4, 8), ones(5, 6))
    assert said == (
        "attention_scores: q is (4, 8) but k is (5, 6): the last sizes must be equal (8 != 6)"
    )


@for_each(
    ("scale", "error", "sentence"),
    [
        (np.nan, ValueError, "attention: scale is nan; it must be a finite number"),
        (np.inf, ValueError, "attention: scale is inf; it must be a finite number"),
        ("wide", TypeError, "attention: scale must be one number, not 'wide'"),
        ([1, 2], TypeError, "attention: scale must be one number, not [1, 2]"),
    ],
)
def test_scale_is_one_finite_number(scale, error, sentence):
    assert sentence_of(error, attention, *qkv(), scale=scale) == sentence


@for_each("bad", [1j * np.ones((5, 11)), None, "query", [[1], [1, 2]]])
@for_each("name", ["q", "k", "v"])
def test_what_holds_no_real_numbers_is_a_type_error(name, bad):
    arrays = {**dict(zip("qkv", qkv(), strict=True)), name: bad}
    assert sentence_of(TypeError, attention, **arrays).startswith(f"attention: {name} must ")


# --- empty sequences ---


@for_each("leading", [(), (2,), (2, 3), (0,)])
@for_each(("n_q", "n_k"), [(0, 7), (5, 0), (0, 0)])
@for_each("mask", [None, "bool", "float"])
def test_empty_sequences(leading, n_q, n_k, mask):
    if mask is not None:
        mask = causal_mask(n_q, n_k) if mask == "bool" else additive_mask(causal_mask(n_q, n_k))
    output, weights = attention(*qkv(*leading, n_q=n_q, n_k=n_k), mask)
    assert weights.shape == (*leading, n_q, n_k)
    assert_array_equal(output, np.zeros((*leading, n_q, D_V)))


def test_values_of_width_zero():
    output, weights = attention(*qkv(d_v=0))
    assert (output.shape, weights.shape) == ((N_Q, 0), (N_Q, N_K))


def test_empty_sequences_through_the_heads():
    output, a = multi_head_attention(ones(0, D_MODEL), WEIGHTS, H)
    assert (output.shape, a.shape) == ((0, D_MODEL), (H, 0, 0))
    output, a = multi_head_attention(ones(N_Q, D_MODEL), WEIGHTS, H, context=ones(0, D_MODEL))
    assert a.shape == (H, N_Q, 0)
    assert_array_equal(output, np.zeros((N_Q, D_MODEL)))
    assert padding_mask([], 3).shape == (0, 1, 3)
    assert split_heads(ones(0, 6), 2).shape == (2, 0, 3)
    assert merge_heads(ones(2, 0, 3)).shape == (0, 6)


# --- no assert ---


def test_errors_do_not_vanish_under_optimisation():
    """`python -O` drops every assert; the sentences must still be there."""
    script = (
        "import numpy as np, attention_core as c\n"
        "try: c.attention(np.ones((4, 8)), np.ones((5, 6)), np.ones((5, 3)))\n"
        "except ValueError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-O", "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "must be equal (8 != 6)" in done.stdout
