"""Whatever comes in: a right result, or one sentence; and the inputs stay as they were.

Each case draws shapes, types, layouts and sizes of the arrays of one call. The result is compared
with long doubles (tests/precise.py). A call may also refuse, but only where something is wrong.
"""

import warnings
from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import attention_core
from attention_core import measures
from tests import precise
from tests.precise import LONG

TRIED = Counter()
CASES = {
    "attention": 4500, "blockwise_attention": 2500, "softmax": 4500, "attention_backward": 1500,
    "attention_scores": 2500, "multi_head_attention": 1500, "project": 2000, "measures": 1500,
}  # fmt: skip
NUMBERS = ("f8", "f8", "f4", "f2", ">f8", ">f4", "i8", "i2", "u1", "?", "g")
NO_NUMBERS = ("c16", "U3", "M8[s]", "none")
LAYOUTS = ("plain", "fortran", "every second", "backwards", "fixed", "list", "masked", "objects")
SIZES = (1.0, 1.0, 1.0, 0.0, 1e-300, 1e-30, 40.0, 1e4, 1e30, 1e150, 1e300)
LEADING = ((), (), (1,), (2,), (3, 2), (0,))


class Draw(NamedTuple):
    """What makes one array."""

    kind: str
    layout: str
    size: float
    bad: float  # a number that is none, or 0
    narrower: int  # an axis that is one too short, or 0


draws = st.builds(
    Draw,
    st.integers(0, 39).map(lambda i: (NUMBERS * 4)[i] if i < 38 else NO_NUMBERS[i % 4]),
    st.sampled_from(LAYOUTS),
    st.sampled_from(SIZES),
    st.integers(0, 29).map(lambda i: {0: np.nan, 1: np.inf, 2: -np.inf}.get(i, 0.0)),
    st.integers(0, 39).map(lambda i: i if i < 3 else 0),
)
sizes = st.tuples(*[st.integers(0, 4)] * 4)


def make(rng, shape, draw):
    """An array of this shape, and whether there is nothing wrong with it."""
    shape = list(shape)
    fits = not draw.narrower or draw.narrower > len(shape)
    if not fits:
        shape[-draw.narrower] += 1
    if draw.kind == "none":
        return np.full(shape, None), False
    if draw.kind in NO_NUMBERS:
        return np.zeros(shape, draw.kind), False
    with np.errstate(all="ignore"):
        x = (rng.standard_normal(shape) * draw.size).astype(draw.kind)
        is_float = x.dtype.kind == "f"
        if draw.bad and is_float and x.size:
            x.flat[rng.integers(x.size)] = draw.bad
        fits = fits and bool(np.isfinite(x).all()) and abs(x).max(initial=0) < 1e15
    return laid_out(x, draw.layout), fits


def laid_out(x, layout):
    """The same numbers, lying otherwise in memory, or in another kind of container."""
    if layout == "fortran":
        return np.asfortranarray(x)
    if layout == "every second" and x.ndim:
        wide = np.zeros((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)
        wide[..., ::2] = x
        return wide[..., ::2]
    if layout == "backwards" and x.ndim:
        return x[..., ::-1].copy()[..., ::-1]
    if layout == "fixed":
        x.flags.writeable = False
    if layout == "list" and 0 not in x.shape:
        return x.tolist()
    if layout == "masked":
        return np.ma.masked_array(x, mask=False)
    if layout == "objects" and x.dtype.kind == "f" and x.size and np.isfinite(x).all():
        objects = x.astype(object)
        objects.flat[0] = Fraction(float(x.flat[0]))
        return objects
    return x


def as_numbers(x):
    """The numbers of an argument for the comparison: what the package computes with."""
    x = np.asarray(x)
    return x.astype(float) if x.dtype == object else x


def copies(arrays):
    return [np.array(x, copy=True) if isinstance(x, np.ndarray) else repr(x) for x in arrays]


def unchanged(arrays, before):
    for x, was in zip(arrays, before, strict=True):
        same = x.tobytes() == was.tobytes() if isinstance(x, np.ndarray) else repr(x) == was
        assert same, "an input was changed"


def outcome(where, call, arrays, is_well, must_raise):
    """What a call returned, or None if it refused in a sentence and had a reason."""
    TRIED[where] += 1
    before = copies(arrays)
    with warnings.catch_warnings(), np.errstate(all=must_raise):
        warnings.simplefilter("error")
        try:
            result = call()
        except (ValueError, TypeError) as error:
            assert not is_well, f"refused without a reason: {error}"
            sentence = str(error)
            assert "\n" not in sentence and ": " in sentence and len(sentence) < 400, sentence
            assert sentence.split(":")[0] in SPEAKS[where], sentence
            result = None
    unchanged(arrays, before)
    for x in result if isinstance(result, tuple) else [result] if result is not None else []:
        assert np.isfinite(x).all(), "not finite"
    return result


# A function may say in whose name it refuses: that of the step that found it.
SPEAKS = {name: {name} for name in CASES} | {
    "multi_head_attention": {"multi_head_attention", "project", "split_heads", "attention"},
    "measures": {"entropy", "largest_weight", "jacobian_size", "normal_density"},
}


def close(got, expected, spread, dtype=None):
    """Equal within what the type can hold; `spread` says how much the exponents amplify."""
    eps = np.finfo(got.dtype if dtype is None else dtype).eps
    if spread * eps > 0.02:
        return  # scores so large that rounding them decides who wins
    largest = np.abs(expected).max(initial=0)
    room = eps * (60 + 30 * spread) * largest + 60 * np.finfo(got.dtype).tiny
    if got.dtype == np.float16:
        room += 1e-3 * largest + 1e-7
    assert (np.abs(got - expected) <= room).all(), (got, expected)


def spread_of(q, k, mask):
    """How large the exponents are."""
    longest = [np.sqrt((x.astype(LONG) ** 2).sum(-1).max(initial=0)) for x in (q, k)]
    finite = precise.added(mask)
    bias = np.abs(np.where(np.isfinite(finite), finite, 0)).max(initial=0)
    return float(longest[0] * longest[1] + bias)


def masks(rng, number, n_q, n_k):
    """One of several masks, or none."""
    seen = rng.random((n_q, n_k)) < 0.6
    bias = np.where(seen, rng.standard_normal((n_q, n_k)), -np.inf)
    blind = seen & (np.arange(n_q)[:, None] != 1)
    return (None, None, seen, bias, blind, bias.astype("f4"), np.asfortranarray(seen))[number]


def cases(name):
    """Hypothesis with as many cases as the table says, the same ones every time."""
    return settings(
        max_examples=CASES[name], derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip


how = st.sampled_from(["raise", "warn", "ignore"])
seeds = st.integers(0, 10**9)


def drawn(seed, leading, dims, given_draws, shared):
    """Q, K, V of one call; and whether nothing is wrong with them."""
    rng = np.random.default_rng(seed)
    n_q, n_k, d_k, d_v = dims
    shapes = [(n_q, d_k), (n_k, d_k), (n_k, d_v)]
    made = [
        make(rng, shape if alone else (*leading, *shape), draw)
        for shape, draw, alone in zip(shapes, given_draws, shared, strict=True)
    ]
    is_well = all(fits for _, fits in made) and d_k > 0
    return rng, [x for x, _ in made], is_well


def compute_type(arrays):
    kinds = [as_numbers(x).dtype for x in arrays]
    kind = np.result_type(*(x if x.kind == "f" else np.float64 for x in kinds))
    # 1/√d_k is a Python float, so long doubles are no better than doubles.
    return {"e": np.float32, "g": np.float64}.get(np.dtype(kind).char, kind)


triples = st.tuples(draws, draws, draws)
shared = st.tuples(*[st.integers(0, 4).map(lambda i: i == 0)] * 3)


@cases("attention")
@given(seeds, st.sampled_from(LEADING), sizes, triples, shared, st.integers(0, 6), how)
def test_attention(seed, leading, dims, three, alone, which, must_raise):
    rng, (q, k, v), is_well = drawn(seed, leading, dims, three, alone)
    mask = masks(rng, which, dims[0], dims[1])
    result = outcome(
        "attention", lambda: attention_core.attention(q, k, v, mask), [q, k, v, mask],
        is_well, must_raise,
    )  # fmt: skip
    if result is not None:
        q, k, v = map(as_numbers, (q, k, v))
        _, weights, output = precise.attention(q, k, v, mask)
        assert result[0].shape == output.shape
        kind = compute_type([q, k, v])
        close(result[1], weights, spread_of(q, k, mask), kind)
        close(result[0], np.broadcast_to(output, result[0].shape), spread_of(q, k, mask), kind)


@cases("blockwise_attention")
@given(
    seeds, st.sampled_from(LEADING), sizes, triples, shared, st.integers(0, 6), how,
    st.booleans(), st.sampled_from([None, 1, 2, 3]),
)  # fmt: skip
def test_blockwise(seed, leading, dims, three, alone, which, must_raise, causal, block):
    rng, (q, k, v), is_well = drawn(seed, leading, dims, three, alone)
    n_q, n_k = dims[:2]
    mask = masks(rng, which, n_q, n_k)
    result = outcome(
        "blockwise_attention",
        lambda: attention_core.blockwise_attention(q, k, v, causal=causal, mask=mask, block=block),
        [q, k, v, mask], is_well, must_raise,
    )  # fmt: skip
    if result is not None:
        q, k, v = map(as_numbers, (q, k, v))
        whole = precise.added(mask)
        if causal:
            late = np.arange(n_k) > np.arange(n_q)[:, None] + n_k - n_q
            whole = whole + np.where(late, LONG(-np.inf), LONG(0))
        whole = None if np.ndim(whole) == 0 else whole
        _, _, output = precise.attention(q, k, v, whole)
        close(result, output, spread_of(q, k, mask), compute_type([q, k, v]))


@cases("attention_backward")
@given(seeds, st.sampled_from(LEADING), sizes, triples, draws, st.integers(0, 6), how)
def test_backward(seed, leading, dims, three, fourth, which, must_raise):
    rng, (q, k, v), is_well = drawn(seed, leading, dims, three, (False,) * 3)
    mask = masks(rng, which, dims[0], dims[1])
    d_output, fits = make(rng, (*leading, dims[0], dims[3]), fourth)
    result = outcome(
        "attention_backward", lambda: attention_core.attention_backward(q, k, v, d_output, mask),
        [q, k, v, d_output, mask], is_well and fits, must_raise,
    )  # fmt: skip
    if result is not None:
        q, k, v, d_output = map(as_numbers, (q, k, v, d_output))
        spread, kind = spread_of(q, k, mask), compute_type([q, k, v])
        parts = zip(result, precise.gradients(q, k, v, d_output, mask), strict=True)
        size = max(float(np.abs(x.astype(LONG)).max(initial=0)) for x in (q, k, v, d_output))
        for got, expected in parts:
            assert got.shape == expected.shape
            if size < 1e3:
                room = np.finfo(kind).eps * (100 + 60 * spread) * max(1, size) ** 3 * 20
                if got.dtype == np.float16:
                    room += 1e-3 * np.abs(expected) + 1e-7
                assert spread * np.finfo(kind).eps > 0.02 or (abs(got - expected) <= room).all()


@cases("attention_scores")
@given(seeds, st.sampled_from(LEADING), sizes, triples, shared, how)
def test_scores(seed, leading, dims, three, alone, must_raise):
    _, (q, k, _), is_well = drawn(seed, leading, dims, three, alone)
    result = outcome(
        "attention_scores", lambda: attention_core.attention_scores(q, k), [q, k],
        is_well and not three[2].narrower, must_raise,
    )  # fmt: skip
    if result is not None:
        q, k = (as_numbers(x).astype(LONG) for x in (q, k))
        scores = precise.product(q, precise.swapped(k))
        assert result.shape == scores.shape
        room = 8 * np.finfo(result.dtype).eps * precise.product(abs(q), precise.swapped(abs(k)))
        assert (abs(result - scores) <= room + np.finfo(result.dtype).tiny).all()


@cases("softmax")
@given(seeds, st.sampled_from(LEADING), sizes, draws, st.sampled_from([-1, -2, 0]), how)
def test_softmax(seed, leading, dims, draw, axis, must_raise):
    rng = np.random.default_rng(seed)
    scores, _ = make(rng, (*leading, *dims[:2]), draw)
    is_well = draw.kind not in NO_NUMBERS
    if is_well:  # −∞ is a score, and scores of any shape are
        numbers = as_numbers(scores).astype(LONG)
        finite = numbers[np.isfinite(numbers)]
        is_well = not (np.isnan(numbers) | (numbers == np.inf)).any() and (abs(finite) < 1e15).all()
    result = outcome(
        "softmax", lambda: attention_core.softmax(scores, axis), [scores], is_well, must_raise
    )
    if result is not None:
        scores = as_numbers(scores)
        expected = precise.softmax(scores.astype(LONG), axis)
        largest = np.abs(np.where(np.isfinite(scores), scores, 0).astype(LONG)).max(initial=0)
        close(result, expected, float(largest), compute_type([scores]))


@cases("project")
@given(seeds, st.sampled_from(LEADING), sizes, triples, how)
def test_project(seed, leading, dims, three, must_raise):
    rng = np.random.default_rng(seed)
    x, x_fits = make(rng, (*leading, dims[0], dims[2]), three[0])
    w, w_fits = make(rng, (dims[2], dims[3]), three[1])
    result = outcome(
        "project", lambda: attention_core.project(x, w), [x, w], x_fits and w_fits, must_raise
    )
    if result is not None:
        x, w = (as_numbers(each).astype(LONG) for each in (x, w))
        room = 8 * np.finfo(compute_type([result])).eps * precise.product(abs(x), abs(w))
        if result.dtype == np.float16:
            room = room + 1e-3 * abs(precise.product(x, w)) + 1e-7
        expected = precise.product(x, w)
        assert (abs(result - expected) <= room + np.finfo(result.dtype).tiny).all()


@cases("multi_head_attention")
@given(seeds, st.sampled_from(LEADING), sizes, triples, st.integers(1, 3), st.integers(0, 4), how)
def test_heads(seed, leading, dims, three, h, which, must_raise):
    rng = np.random.default_rng(seed)
    d_model, n, m = h * (dims[2] or 1), dims[0], dims[1]
    x, x_fits = make(rng, (*leading, n, d_model), three[0])
    context, context_fits = make(rng, (*leading, m, d_model), three[1])
    weights = attention_core.init_multi_head(rng, d_model, h)
    mask = masks(rng, which, n, m)
    result = outcome(
        "multi_head_attention",
        lambda: attention_core.multi_head_attention(x, weights, h, context=context, mask=mask),
        [x, context, mask, *weights], x_fits and context_fits, must_raise,
    )  # fmt: skip
    if result is not None:
        x, context = (as_numbers(each).astype(LONG) for each in (x, context))
        w_q, w_k, w_v, w_o = (w.astype(LONG) for w in weights)
        heads, spread = [], 0.0
        for i in range(h):
            own = slice(i * d_model // h, (i + 1) * d_model // h)
            q, k, v = (
                precise.product(a, w[:, own]) for a, w in ((x, w_q), (context, w_k), (context, w_v))
            )
            spread = max(spread, spread_of(q, k, mask))
            heads.append(precise.attention(q, k, v, mask)[2])
        expected = precise.product(np.concatenate(heads, axis=-1), w_o)
        size = float(abs(context).max(initial=0)) + 1e-30
        kind = compute_type([result[0]])
        if spread * np.finfo(kind).eps < 0.02:
            room = np.finfo(kind).eps * (200 + 60 * spread) * 40 * size
            room += 2e-3 * size if result[0].dtype == np.float16 else 0
            assert (abs(result[0] - expected) <= room).all()


@cases("measures")
@given(seeds, st.sampled_from(LEADING), sizes, draws, st.integers(0, 2), how)
def test_measures(seed, leading, dims, draw, which, must_raise):
    rng = np.random.default_rng(seed)
    name = ("entropy", "largest_weight", "jacobian_size")[which]
    numbers, fits = make(rng, (*leading, *dims[:2]), draw._replace(size=4.0))
    is_well = fits and dims[1] > 0 and as_numbers(numbers).dtype.kind == "f"
    if is_well:
        numbers = attention_core.softmax(numbers)
    result = outcome(
        "measures", lambda: getattr(measures, name)(numbers), [numbers], is_well, must_raise
    )
    if is_well:
        a = numbers.astype(LONG)
        square = a[..., None] * np.eye(dims[1]) - a[..., None] * a[..., None, :]
        expected = {
            "entropy": -(a * np.log(np.where(a > 0, a, 1))).sum(-1),
            "largest_weight": a.max(-1, initial=0),
            "jacobian_size": np.sqrt((square**2).sum((-1, -2))),
        }[name]
        room = 4e-3 if numbers.dtype == np.float16 else 1e-3 if numbers.dtype == "f4" else 1e-7
        assert (abs(result - expected) <= room).all()


def test_twenty_thousand_cases_were_tried():
    """Last in the file: what Hypothesis stops early would be missing here."""
    assert sum(CASES.values()) >= 20_000
    missing = {name: TRIED[name] for name in CASES if TRIED[name] < CASES[name] * 0.9}
    assert not missing and sum(TRIED.values()) >= 20_000, TRIED
