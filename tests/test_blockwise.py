"""The blockwise form gives what `attention` gives, in a bounded amount of memory."""

import sys
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attention_core import attention, causal_mask, padding_mask
from attention_core.blockwise import attention as blockwise
from attention_core.blockwise import blockwise_attention, bounds, powers
from tests.core_checks import D_K, D_V, N_K, N_Q, B, H, normal, qkv, random_mask
from tests.loops import for_each
from tests.planted import Mutant, planted_package, unnoticed

CHECKS = {}
BLOCKS = (None, 1, 2, 3, 5, 1000)


def blockwise_check(function):
    """Put a check on the list: it runs on the module as it is and on broken copies."""
    CHECKS[function.__name__] = function
    return function


def with_causal(mask, n_q, n_k):
    """The mask that `causal=True` and `mask` mean together."""
    seen = causal_mask(n_q, n_k)
    if mask is None:
        return seen
    mask = np.asarray(mask)
    return mask & seen if mask.dtype == bool else np.where(seen, mask, -np.inf)


def assert_same(core, q, k, v, mask=None, causal=False, block=None, rtol=1e-12, atol=1e-13):
    """Same numbers, shape and type as `attention`."""
    got = core.blockwise_attention(q, k, v, causal=causal, mask=mask, block=block)
    whole = with_causal(mask, np.shape(q)[-2], np.shape(k)[-2]) if causal else mask
    expected, _ = attention(q, k, v, whole)
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    assert_allclose(got, expected, rtol=rtol, atol=atol)


@blockwise_check
def any_block_gives_the_same(core):
    for causal in (False, True):
        for mask in (None, random_mask(N_Q, N_K), 1000 * normal(N_Q, N_K)):
            for block in BLOCKS:
                assert_same(core, *qkv(), mask, causal, block)


@blockwise_check
def both_powers_give_the_same(core):
    """e^x, and 2^x where NumPy has instructions for it; wild scores and float masks want e^x."""
    chosen, asked = core.bounded_exponential, []

    def with_exp(dtype, scale):
        asked.append(scale)
        return np.exp, scale

    def with_exp2(dtype, scale):
        asked.append(scale)
        return np.exp2, scale / np.log(2)

    q, k, v = qkv()
    for choose in (with_exp, with_exp2, chosen):
        core.bounded_exponential = choose
        try:
            assert_same(core, q, k, v, random_mask(N_Q, N_K), True, 2)
            assert_same(core, 100 * q, k, v, None, True, 2)
            assert_same(core, q, k, v, normal(N_Q, N_K), True, 2)
        finally:
            core.bounded_exponential = chosen
    assert len(asked) == 2


@blockwise_check
def the_default_block_is_crossed(core):
    """More queries and keys than one tile of the default size holds, and no multiple of it."""
    q, k, v = qkv(n_q=601, n_k=1109, d_k=3, d_v=2)
    mask = np.broadcast_to(np.arange(1109) < 1003, (601, 1109))
    for causal in (False, True):
        assert_same(core, q, k, v, None, causal)
        assert_same(core, q, k, v, mask, causal)


@blockwise_check
def heads_that_share_a_tile_stay_apart(core):
    """Five heads, three of which fit one tile; and one tile for all of them."""
    q, k, v = qkv(2, 5, n_q=211, n_k=199, d_k=3, d_v=2)
    for block in (200, 7):
        assert_same(core, q, k, v, random_mask(211, 199), True, block)
        assert_same(core, 1000 * q, k, v, None, True, block)


@blockwise_check
def the_diagonal_is_aligned_bottom_right(core):
    """Fewer queries than keys, and more: then the first queries see nothing."""
    for n_q, n_k in ((2, 7), (7, 2), (5, 5), (1, 7), (7, 1)):
        for block in BLOCKS:
            assert_same(core, *qkv(n_q=n_q, n_k=n_k), None, True, block)
    q, k, v = qkv(n_q=7, n_k=2)
    assert_array_equal(core.blockwise_attention(q, k, v, causal=True)[:5], 0)


@blockwise_check
def masks_broadcast(core):
    q, k, v = qkv(B, H)
    masks = (
        random_mask(N_Q, N_K),
        padding_mask([2, 7], N_K)[:, None],
        random_mask(H, N_Q, N_K),
        normal(B, 1, 1, N_K),
    )
    for mask in masks:
        for block in (None, 2):
            assert_same(core, q, k, v, mask, block=block)
    assert_same(core, *qkv(), random_mask(B, N_Q, N_K))


@blockwise_check
def leading_axes_broadcast(core):
    q, k, v = qkv(B, H)
    assert_same(core, q[0, 0], k[:, :1], v[0], block=3)


@blockwise_check
def huge_scores_keep_their_order(core):
    """The largest score may come in any block: first, last, or falling and rising between."""
    k = np.array([[3.0], [-50], [400], [2000], [1], [1999], [-2000], [7]])
    q, v = np.array([[1.0], [-1], [0], [0.001], [1e5], [-1e5]]), normal(8, 3)
    hidden = np.ones((6, 8), bool)
    hidden[:, 3] = False  # the largest score of all is not to be looked at
    for order in (slice(None), slice(None, None, -1)):
        for mask in (None, hidden, np.where(hidden, 0.0, -np.inf)):
            for block in BLOCKS:
                assert_same(core, q, k[order], v[order], mask, False, block)


@blockwise_check
def huge_values_do_not_overflow(core):
    """Weights are at most one, so an output is never larger than the largest value."""
    for kind, largest in ((np.float32, 3e38), (np.float32, 1e20), (float, 1.7e308)):
        q, k, _ = (np.array(0.3 * x, kind) for x in qkv(n_k=300))
        q[:, 0] = k[:, 0] = 7  # scores near 15: bounded, but e^15 times such values is not
        v = np.linspace(largest / 2, largest, 600, dtype=kind).reshape(300, 2)
        expected, _ = attention(q, k, v / 512)
        got = core.blockwise_attention(q, k, v, block=64)
        assert_allclose(got / 512, expected, rtol=1e-5)


@blockwise_check
def a_fully_masked_row_gets_zeros(core):
    mask = random_mask(N_Q, N_K)
    mask[3] = False
    for kind in (mask, np.where(mask, 0.5, -np.inf)):
        for block in BLOCKS:
            got = core.blockwise_attention(*qkv(), mask=kind, block=block)
            assert_array_equal(got[3], 0)
            assert_same(core, *qkv(), kind, block=block)


@blockwise_check
def types_are_those_of_attention(core):
    for kind, tolerance in ((np.float32, 2e-6), (np.float16, 2e-3), (np.int8, 1e-12)):
        q, k, v = (np.array(2 * x).astype(kind) for x in qkv(B))
        for mask in (None, normal(N_Q, N_K), random_mask(N_Q, N_K)):
            for block in (None, 3):
                assert_same(core, q, k, v, mask, True, block, tolerance, tolerance)


@blockwise_check
def scores_too_large_for_a_float_are_named(core):
    """Also where the causal mask hides them: `attention` refuses them too."""
    q = np.ones((2, 4, 1), np.float32)
    k = np.ones((2, 4, 1), np.float32)
    q[1, 2], k[1, 3] = 1e20, -1e20
    for block in (None, 1, 3):
        with pytest.raises(ValueError, match=r"^blockwise_attention: scores\[1, 2, 3\] is -inf;"):
            core.blockwise_attention(q, k, k, causal=True, block=block)
    q[1, 2] = 1e18  # large, but a number
    assert_same(core, q, k, k, rtol=1e-6)
    mask = np.full((1, 2), 1.7e308)
    with pytest.raises(ValueError, match=r"^blockwise_attention: a score plus its mask is \+inf"):
        core.blockwise_attention([[1e154]], [[1.0], [1e154]], [[1.0], [2.0]], mask=mask)


@blockwise_check
def what_lies_ahead_is_not_computed(core):
    """Counted: half of all scores, and what the steps of the diagonal add."""
    n, block = 60, 6
    q, k, v = qkv(n_q=n, n_k=n)
    sizes, all_tiles = [], core._tiles

    def counted(*given):
        for keys, scores in all_tiles(*given):
            sizes.append(scores.size)
            yield keys, scores

    core._tiles = counted
    try:
        core.blockwise_attention(q, k, v, causal=True, block=block)
    finally:
        core._tiles = all_tiles
    assert sum(sizes) == n * (n + block) / 2
    assert max(sizes) == block * block


@blockwise_check
def memory_grows_with_the_output_only(core):
    """Three outputs at most, its own included; all scores would be sixteen."""
    n, heads = 1024, 8
    q, k, v = (normal(heads, n, 64).astype(np.float32) for _ in range(3))
    padding = np.arange(n) < np.arange(1, heads + 1)[:, None, None] * n // heads
    for causal, mask in ((False, None), (True, padding)):
        for factor in (1, 30):  # bounded scores, and those that need the running maximum
            scaled = q * np.float32(factor)
            tracemalloc.start()
            output = core.blockwise_attention(scaled, k, v, causal=causal, mask=mask)
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert peak < 3 * output.nbytes


def test_powers_of_two_where_numpy_says_that_they_are_fast(monkeypatch):
    told = {"ff": {"current": "baseline(X86_V2)"}, "dd": {"current": "X86_V4"}}
    numpy_tells = SimpleNamespace(opt_func_info=lambda func_name: {"exp2": told})
    monkeypatch.setitem(sys.modules, "numpy.lib.introspect", numpy_tells)
    assert powers._types_with_fast_exp2() == {"d"}
    monkeypatch.setattr(powers, "_FAST_EXP2", {"d"})
    assert powers.bounded_exponential(np.dtype("f4"), 0.5) == (np.exp, 0.5)
    exponential, scale = powers.bounded_exponential(np.dtype("f8"), 0.5)
    assert exponential is np.exp2
    assert_allclose(exponential(2 * scale), np.e)


@for_each("check", CHECKS.values())
def test_blockwise(check):
    check(blockwise)


MUTANTS = [
    Mutant(
        "2^x for e^x",
        "blockwise.powers",
        "(np.exp2, scale / math.log(2))",
        "(np.exp2, scale)",
        "both_powers_give_the_same",
    ),
    Mutant(
        "the faster power for wild scores",
        "blockwise.attention",
        "if bounded else (np.exp, scale)",
        "if True else 0",
        "both_powers_give_the_same",
    ),
    Mutant(
        "hidden cells weigh one",
        "blockwise.attention",
        "apply_mask(weights, keys, 0)",
        "apply_mask(weights, keys, 1)",
        "any_block_gives_the_same",
    ),
    Mutant(
        "hidden scores are zero",
        "blockwise.attention",
        "apply_mask(scores, keys, -np.inf)",
        "apply_mask(scores, keys, 0)",
        "huge_scores_keep_their_order",
    ),
    Mutant(
        "no scale",
        "blockwise.attention",
        "(q[some] * scale).mT",
        "q[some].mT",
        "any_block_gives_the_same",
    ),
    Mutant(
        "no fading of the sum",
        "blockwise.attention",
        "denominator * rescale",
        "denominator",
        "huge_scores_keep_their_order",
    ),
    Mutant(
        "no fading of the mixture",
        "blockwise.attention",
        "accumulator * rescale[..., None]",
        "accumulator",
        "huge_scores_keep_their_order",
    ),
    Mutant(
        "fading the wrong way",
        "blockwise.attention",
        "exponential(maximum - higher)",
        "exponential(higher - maximum)",
        "huge_scores_keep_their_order",
    ),
    Mutant(
        "only the newest maximum",
        "blockwise.attention",
        "np.maximum(maximum, scores.max(axis=1))",
        "scores.max(axis=1)",
        "a_fully_masked_row_gets_zeros",
    ),
    Mutant(
        "maximum over queries",
        "blockwise.attention",
        "scores.max(axis=1))",
        "scores.max() + 0 * scores[:, 0])",
        "huge_scores_keep_their_order",
    ),
    Mutant(
        "always bounded",
        "blockwise.attention",
        "bounded = small and",
        "bounded = True or",
        "huge_scores_keep_their_order",
    ),
    Mutant(
        "bounded whatever the values",
        "blockwise.attention",
        "and one == 1 and",
        "and",
        "huge_values_do_not_overflow",
    ),
    Mutant(
        "bounded whatever the mask",
        "blockwise.attention",
        " and (mask is None or mask.dtype == bool)",
        "",
        "any_block_gives_the_same",
    ),
    Mutant(
        "values untamed",
        "blockwise.bounds",
        "if largest <",
        "if True or largest <",
        "huge_values_do_not_overflow",
    ),
    Mutant(
        "smaller too little",
        "blockwise.bounds",
        "-n_k.bit_length()",
        "-1",
        "huge_values_do_not_overflow",
    ),
    Mutant(
        "not undone",
        "blockwise.tiles",
        "np.full(cols, one)",
        "np.full(cols, 1, one.dtype)",
        "huge_values_do_not_overflow",
    ),
    Mutant(
        "only the largest value, not the lowest",
        "blockwise.bounds",
        "max(v.max(initial=0.0), -v.min(initial=0.0))",
        "v.max(initial=0.0) * 0",
        "huge_values_do_not_overflow",
    ),
    Mutant(
        "0 / 0",
        "blockwise.attention",
        "denominator + (denominator == 0)",
        "denominator",
        "a_fully_masked_row_gets_zeros",
    ),
    Mutant(
        "a key is dropped at each seam",
        "blockwise.attention",
        "range(end, 0, -work.cols)",
        "range(end, 0, -work.cols - 1)",
        "any_block_gives_the_same",
    ),
    Mutant(
        "a key is counted twice",
        "blockwise.attention",
        "max(0, stop - work.cols)",
        "max(0, stop - work.cols - 1)",
        "any_block_gives_the_same",
    ),
    Mutant(
        "the rest of the keys is left out",
        "blockwise.attention",
        "range(end, 0, -work.cols)",
        "range(end, work.cols - 1, -work.cols)",
        "the_default_block_is_crossed",
    ),
    Mutant(
        "the rest of the queries is left out",
        "blockwise.attention",
        "range(0, n_q, work.rows)",
        "range(0, n_q - work.rows + 1, work.rows)",
        "the_default_block_is_crossed",
    ),
    Mutant(
        "aligned top-left",
        "blockwise.attention",
        "stop + n_k - n_q if",
        "stop if",
        "the_diagonal_is_aligned_bottom_right",
    ),
    Mutant(
        "no triangle",
        "blockwise.attention",
        "if len(ahead) and keys.stop == end",
        "if False",
        "the_diagonal_is_aligned_bottom_right",
    ),
    Mutant(
        "the triangle the wrong way round",
        "blockwise.tiles",
        "causal_mask(rows if causal else 0).mT",
        "causal_mask(rows if causal else 0)",
        "the_diagonal_is_aligned_bottom_right",
    ),
    Mutant(
        "the triangle not shifted",
        "blockwise.attention",
        "ahead[rows - n : rows, :rows]",
        "ahead[:n, :rows]",
        "the_diagonal_is_aligned_bottom_right",
    ),
    Mutant(
        "everything ahead computed",
        "blockwise.attention",
        "range(end, 0, -work.cols)",
        "range(k.shape[1], 0, -work.cols)",
        "what_lies_ahead_is_not_computed",
    ),
    Mutant(
        "mask upside down",
        "blockwise.attention",
        "where=~mask_t",
        "where=mask_t",
        "any_block_gives_the_same",
    ),
    Mutant(
        "float mask left out",
        "blockwise.attention",
        "tile += mask_t[:, keys]",
        "pass",
        "any_block_gives_the_same",
    ),
    Mutant(
        "mask of the first head",
        "blockwise.attention",
        "mask[some].mT",
        "mask[(*[slice(1)] * len(heads), some[-1])].mT",
        "masks_broadcast",
    ),
    Mutant(
        "one head for all",
        "blockwise.attention",
        "k[heads], end, work",
        "k[(0,) * (len(heads) - 1)][:1], end, work",
        "leading_axes_broadcast",
    ),
    Mutant(
        "always double",
        "blockwise.attention",
        "v.shape[-1]), result_type)",
        "v.shape[-1]))",
        "types_are_those_of_attention",
    ),
    Mutant(
        "overflow not looked for",
        "blockwise.bounds",
        "bound < np.finfo",
        "True or np.finfo",
        "scores_too_large_for_a_float_are_named",
    ),
    Mutant(
        "the place within the block",
        "blockwise.bounds",
        "some.start + i",
        "i",
        "scores_too_large_for_a_float_are_named",
    ),
    Mutant(
        "all scores at once",
        "blockwise.tiles",
        "rows = cols = whole_number",
        "rows = cols = 10**6 + 0 * whole_number",
        "what_lies_ahead_is_not_computed",
    ),
    Mutant(
        "the heads that do not fill a tile are left out",
        "blockwise.tiles",
        "range(0, h, heads)",
        "range(0, h - heads + 1, heads)",
        "heads_that_share_a_tile_stay_apart",
    ),
    Mutant(
        "one maximum for all heads of a tile",
        "blockwise.attention",
        "np.maximum(maximum, scores.max(axis=1))",
        "np.maximum(maximum, scores.max(axis=(0, 1)))",
        "heads_that_share_a_tile_stay_apart",
    ),
    Mutant(
        "the sum over the heads of a tile",
        "blockwise.attention",
        "ones[: weights.shape[1]] @ weights",
        "(ones[: weights.shape[1]] @ weights).sum(axis=0)",
        "heads_that_share_a_tile_stay_apart",
    ),
    Mutant(
        "whole rows of queries",
        "blockwise.tiles",
        "else 256, 512",
        "else 10**6, 10**6",
        "memory_grows_with_the_output_only",
    ),
]


def copy_with(mutant):
    copy = planted_package(mutant.module, mutant.old, mutant.new)
    if mutant.module == "blockwise.powers":
        copy.blockwise.powers._FAST_EXP2 = {"f", "d"}  # on any machine
    return copy.blockwise.attention


def test_planted_mistakes_are_noticed_and_every_check_has_been_red():
    assert unnoticed(MUTANTS, CHECKS, copy_with) == []


sizes = st.integers(0, 9)


@given(data=st.data())
def test_whatever_comes_is_as_in_attention(data):
    """Random shapes, masks, types, sizes of scores and blocks."""
    n_q, n_k = data.draw(sizes), data.draw(sizes)
    leading = data.draw(st.sampled_from([(), (1,), (3,), (2, 3), (0,)]))
    kind = data.draw(st.sampled_from([np.float64, np.float32, np.float16, np.int64]))
    seed = data.draw(st.integers(0, 999))
    q, k, v = qkv(*leading, n_q=n_q, n_k=n_k, d_k=data.draw(st.integers(1, 4)), d_v=2, seed=seed)
    size = data.draw(st.sampled_from([1, 30] if kind == np.float16 else [1, 30, 1e4]))
    q, k, v = (q * size).astype(kind), k.astype(kind), v.astype(kind)
    seen = np.random.default_rng(seed).random((n_q, n_k)) < data.draw(st.floats(0, 1))
    mask = data.draw(st.sampled_from([None, seen, np.where(seen, normal(n_q, n_k), -np.inf)]))
    tolerance = {np.float32: 4e-7 * (1 + size), np.float16: 2e-3}.get(kind, 1e-15 * (100 + size))
    block = data.draw(st.one_of(st.none(), st.integers(1, 12)))
    assert_same(blockwise, q, k, v, mask, data.draw(st.booleans()), block, tolerance, tolerance)


@for_each("causal", [False, True])
@for_each(("n_q", "n_k"), [(0, 3), (3, 0), (0, 0), (1, 1)])
def test_small_and_empty_sequences(n_q, n_k, causal):
    q, k, v = qkv(B, n_q=n_q, n_k=n_k)
    got = blockwise_attention(q, k, v, causal=causal)
    assert got.shape == (B, n_q, D_V)
    if n_k == 0:
        assert_array_equal(got, 0)
    if (n_q, n_k) == (1, 1):
        assert_allclose(got, v, rtol=1e-14)


def test_no_heads_at_all():
    assert blockwise_attention(*qkv(0)).shape == (0, N_Q, D_V)


def test_inputs_are_never_changed():
    for factor in (1, 1e4):
        q, k, v = qkv(B)
        arrays = [q * factor, k, v * 1e305, random_mask(N_Q, N_K)]
        copies = [x.copy() for x in arrays]
        for x in arrays:
            x.flags.writeable = False
        blockwise_attention(*arrays[:3], mask=arrays[3], causal=True, block=2)
        for x, copy in zip(arrays, copies, strict=True):
            assert_array_equal(x, copy)


def test_the_future_changes_nothing_in_the_past():
    q, k, v = qkv(n_q=7, n_k=7)
    before = blockwise_attention(q, k, v, causal=True, block=2)
    k[5:], v[5:] = 9, -9
    after = blockwise_attention(q, k, v, causal=True, block=2)
    assert_allclose(before[:5], after[:5], rtol=1e-13)
    assert (before[5:] != after[5:]).all()


FAULTS = [
    ({"q": np.ones(4)}, r"q is \(4,\); it needs at least two axes"),
    ({"k": np.ones((3, 5))}, r"q is \(2, 4\) but k is \(3, 5\)"),
    ({"v": np.ones((2, 5))}, r"k is \(3, 4\) but v is \(2, 5\)"),
    ({"q": np.full((2, 4), np.nan)}, r"q\[0, 0\] is nan"),
    ({"k": np.full((3, 4), -np.inf)}, r"k\[0, 0\] is -inf"),
    ({"v": np.full((3, 5), np.inf)}, r"v\[0, 0\] is inf"),
    ({"mask": np.ones((3, 2), bool)}, r"mask is \(3, 2\) but the scores are \(2, 3\)"),
    ({"mask": np.full((2, 3), np.inf)}, r"mask\[0, 0\] is inf"),
    ({"mask": np.full((2, 3), np.nan)}, r"mask\[0, 0\] is nan"),
    ({"block": 0}, r"block is 0; it must be at least 1"),
    ({"q": np.ones((2, 0)), "k": np.ones((3, 0))}, r"d_k is 0"),
]


@for_each(("wrong", "sentence"), FAULTS)
def test_what_does_not_fit_is_said(wrong, sentence):
    right = {"q": np.ones((2, 4)), "k": np.ones((3, 4)), "v": np.ones((3, 5))}
    with pytest.raises(ValueError, match=r"^blockwise_attention: " + sentence):
        blockwise_attention(**(right | wrong))


@for_each("wrong", [{"mask": np.ones((N_Q, N_K), int)}, {"block": 2.5}, {"block": True}])
def test_types_that_mean_nothing_are_refused(wrong):
    with pytest.raises(TypeError, match=r"^blockwise_attention: "):
        blockwise_attention(*qkv(), **wrong)


def test_the_faster_power_is_taken_where_numpy_has_it(monkeypatch):
    for fast, expected in (({"f"}, np.exp2), (set(), np.exp)):
        monkeypatch.setattr(powers, "_FAST_EXP2", fast)
        exponential, scale = powers.bounded_exponential(np.dtype(np.float32), 0.25)
        assert exponential is expected
        assert_allclose(exponential(scale * 4), np.e)


def test_the_bound_holds():
    """No score is larger than the longest query times the longest key."""
    q, k, _ = qkv(B, H, d_k=D_K)
    lengths = bounds.longest_row("here", "q", q), bounds.longest_row("here", "k", k)
    bound = bounds.score_bound("here", q, k, lengths, rows=2)
    scores = abs(q @ k.swapaxes(-1, -2))
    assert scores.max() <= bound <= 3 * scores.max()
