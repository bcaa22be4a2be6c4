"""Whatever comes in: a right result, or one sentence; and the inputs stay as they were.

Each case draws shapes, types, layouts and sizes of the arrays of one call. The result is compared
with long doubles (tests/precise.py). A call may also refuse, but only where something is wrong.
"""

import warnings
from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import attention_core
from attention_core import measures
from attention_core.gradients import softmax_backward, softmax_jacobian
from tests import precise
from tests.precise import LONG

TRIED = Counter()
CASES = {
    "attention": 4000, "blockwise_attention": 2500, "softmax": 4000, "attention_backward": 1500,
    "attention_scores": 2200, "multi_head_attention": 1500, "project": 2000, "measures": 1500,
    "softmax_gradients": 800,
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


class Case:
    """Everything that one call is made from, chosen by one number that Hypothesis draws."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.leading = self.one_of(LEADING)
        self.dims = tuple(map(int, self.rng.integers(0, 5, size=4)))
        self.must_raise = self.one_of(("raise", "warn", "ignore"))

    def one_of(self, choices):
        return choices[self.rng.integers(len(choices))]

    def draw(self):
        """How an array is made; now and then with something wrong."""
        rare = self.rng.integers(30)
        return Draw(
            self.one_of(NUMBERS if self.rng.integers(20) else NO_NUMBERS),
            self.one_of(LAYOUTS),
            self.one_of(SIZES),
            {0: np.nan, 1: np.inf, 2: -np.inf}.get(int(rare), 0.0),
            int(rare) - 10 if 10 < rare < 13 else 0,
        )

    def qkv(self, one_for_all=True):
        """Q, K and V, some of them without the leading axes; is nothing wrong with them?"""
        n_q, n_k, d_k, d_v = self.dims
        made = []
        for shape in [(n_q, d_k), (n_k, d_k), (n_k, d_v)]:
            alone = one_for_all and not self.rng.integers(5)
            made.append(make(self.rng, shape if alone else (*self.leading, *shape), self.draw()))
        return [x for x, _ in made], all(fits for _, fits in made) and d_k > 0

    def mask(self):
        """One of several masks, or none."""
        n_q, n_k = self.dims[0], self.dims[1]
        seen = self.rng.random((n_q, n_k)) < 0.6
        bias = np.where(seen, self.rng.standard_normal((n_q, n_k)), -np.inf)
        blind = seen & (np.arange(n_q)[:, None] != 1)
        return self.one_of(
            (None, None, seen, bias, blind, bias.astype("f4"), np.asfortranarray(seen))
        )


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
    "softmax_gradients": {"softmax_jacobian", "softmax_backward"},
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


def cases(name):
    """As many cases as the table says, the same ones every time."""
    many = settings(max_examples=CASES[name], derandomize=True, database=None)
    return lambda test: many(given(st.integers(0, 2**62).map(Case))(test))


def compute_type(arrays):
    kinds = [as_numbers(x).dtype for x in arrays]
    kind = np.result_type(*(x if x.kind == "f" else np.float64 for x in kinds))
    # 1/√d_k is a Python float, so long doubles are no better than doubles.
    return {"e": np.float32, "g": np.float64}.get(np.dtype(kind).char, kind)


@cases("attention")
def test_attention(case):
    (q, k, v), is_well = case.qkv()
    mask = case.mask()
    result = outcome(
        "attention", lambda: attention_core.attention(q, k, v, mask), [q, k, v, mask],
        is_well, case.must_raise,
    )  # fmt: skip
    if result is not None:
        q, k, v = map(as_numbers, (q, k, v))
        _, weights, output = precise.attention(q, k, v, mask)
        assert result[0].shape == output.shape
        kind = compute_type([q, k, v])
        close(result[1], weights, spread_of(q, k, mask), kind)
        close(result[0], np.broadcast_to(output, result[0].shape), spread_of(q, k, mask), kind)


@cases("blockwise_attention")
def test_blockwise(case):
    (q, k, v), is_well = case.qkv()
    mask = case.mask()
    causal, block = case.one_of((False, True)), case.one_of((None, 1, 2, 3))
    result = outcome(
        "blockwise_attention",
        lambda: attention_core.blockwise_attention(q, k, v, causal=causal, mask=mask, block=block),
        [q, k, v, mask], is_well, case.must_raise,
    )  # fmt: skip
    if result is not None:
        q, k, v = map(as_numbers, (q, k, v))
        whole = precise.added(mask)
        if causal:
            n_q, n_k = q.shape[-2], k.shape[-2]
            late = np.arange(n_k) > np.arange(n_q)[:, None] + n_k - n_q
            whole = whole + np.where(late, LONG(-np.inf), LONG(0))
        whole = None if np.ndim(whole) == 0 else whole
        _, _, output = precise.attention(q, k, v, whole)
        close(result, output, spread_of(q, k, mask), compute_type([q, k, v]))


@cases("attention_backward")
def test_backward(case):
    (q, k, v), is_well = case.qkv(one_for_all=False)
    mask = case.mask()
    shape = (*case.leading, case.dims[0], case.dims[3])
    d_output, fits = make(case.rng, shape, case.draw())
    result = outcome(
        "attention_backward", lambda: attention_core.attention_backward(q, k, v, d_output, mask),
        [q, k, v, d_output, mask], is_well and fits, case.must_raise,
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
def test_scores(case):
    (q, k, _), is_well = case.qkv()
    result = outcome(
        "attention_scores", lambda: attention_core.attention_scores(q, k), [q, k],
        is_well, case.must_raise,
    )  # fmt: skip
    if result is not None:
        q, k = (as_numbers(x).astype(LONG) for x in (q, k))
        scores = precise.product(q, precise.swapped(k))
        assert result.shape == scores.shape
        room = 8 * np.finfo(result.dtype).eps * precise.product(abs(q), precise.swapped(abs(k)))
        assert (abs(result - scores) <= room + np.finfo(result.dtype).tiny).all()


@cases("softmax")
def test_softmax(case):
    draw, axis = case.draw(), case.one_of((-1, -2, 0))
    scores, _ = make(case.rng, (*case.leading, *case.dims[:2]), draw)
    is_well = draw.kind not in NO_NUMBERS
    if is_well:  # −∞ is a score, and scores of any shape are
        numbers = as_numbers(scores).astype(LONG)
        finite = numbers[np.isfinite(numbers)]
        is_well = not (np.isnan(numbers) | (numbers == np.inf)).any() and (abs(finite) < 1e15).all()
    result = outcome(
        "softmax", lambda: attention_core.softmax(scores, axis), [scores], is_well, case.must_raise
    )
    if result is not None:
        scores = as_numbers(scores)
        expected = precise.softmax(scores.astype(LONG), axis)
        largest = np.abs(np.where(np.isfinite(scores), scores, 0).astype(LONG)).max(initial=0)
        close(result, expected, float(largest), compute_type([scores]))


@cases("project")
def test_project(case):
    n, _, d_in, d_out = case.dims
    x, x_fits = make(case.rng, (*case.leading, n, d_in), case.draw())
    w, w_fits = make(case.rng, (d_in, d_out), case.draw())
    result = outcome(
        "project", lambda: attention_core.project(x, w), [x, w], x_fits and w_fits, case.must_raise
    )
    if result is not None:
        x, w = (as_numbers(each).astype(LONG) for each in (x, w))
        room = 8 * np.finfo(compute_type([result])).eps * precise.product(abs(x), abs(w))
        if result.dtype == np.float16:
            room = room + 1e-3 * abs(precise.product(x, w)) + 1e-7
        expected = precise.product(x, w)
        assert (abs(result - expected) <= room + np.finfo(result.dtype).tiny).all()


@cases("multi_head_attention")
def test_heads(case):
    n, m, d_head, _ = case.dims
    h = case.one_of((1, 2, 3))
    d_model = h * (d_head or 1)
    x, x_fits = make(case.rng, (*case.leading, n, d_model), case.draw())
    context, context_fits = make(case.rng, (*case.leading, m, d_model), case.draw())
    weights = attention_core.init_multi_head(case.rng, d_model, h)
    mask = case.mask()
    result = outcome(
        "multi_head_attention",
        lambda: attention_core.multi_head_attention(x, weights, h, context=context, mask=mask),
        [x, context, mask, *weights], x_fits and context_fits, case.must_raise,
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
def test_measures(case):
    name = case.one_of(("entropy", "largest_weight", "jacobian_size"))
    shape, draw = (*case.leading, *case.dims[:2]), case.draw()._replace(size=4.0)
    numbers, fits = make(case.rng, shape, draw)
    is_well = fits and case.dims[1] > 0 and as_numbers(numbers).dtype.kind == "f"
    if is_well:
        numbers = attention_core.softmax(numbers)
    result = outcome(
        "measures", lambda: getattr(measures, name)(numbers), [numbers], is_well, case.must_raise
    )
    if is_well:
        a = numbers.astype(LONG)
        square = a[..., None] * np.eye(numbers.shape[-1]) - a[..., None] * a[..., None, :]
        expected = {
            "entropy": -(a * np.log(np.where(a > 0, a, 1))).sum(-1),
            "largest_weight": a.max(-1, initial=0),
            "jacobian_size": np.sqrt((square**2).sum((-1, -2))),
        }[name]
        room = 4e-3 if numbers.dtype == np.float16 else 1e-3 if numbers.dtype == "f4" else 1e-7
        assert (abs(result - expected) <= room).all()


@cases("softmax_gradients")
def test_softmax_gradients(case):
    """Any numbers will do for weights, as long as what comes out fits into a float."""
    shape = (*case.leading, *case.dims[:2])
    a, a_fits = make(case.rng, shape, case.draw())
    da, da_fits = make(case.rng, shape, case.draw())
    a_fits = a_fits and abs(as_numbers(a)).max(initial=0) < 30  # the product fits into any type
    da_fits = da_fits and abs(as_numbers(da)).max(initial=0) < 30
    jacobian = outcome(
        "softmax_gradients", lambda: softmax_jacobian(a), [a], a_fits, case.must_raise
    )
    back = outcome(
        "softmax_gradients", lambda: softmax_backward(a, da), [a, da],
        a_fits and da_fits, case.must_raise,
    )  # fmt: skip
    if jacobian is None or back is None:
        return
    a, da = (as_numbers(x).astype(LONG) for x in (a, da))
    square = a[..., None] * (np.eye(shape[-1]) - a[..., None, :])
    through = precise.product(square, da[..., None])[..., 0]
    largest = max(1, abs(a).max(initial=0)) ** 2 * max(1, abs(da).max(initial=0))
    for got, expected in ((jacobian, square), (back, through)):
        assert got.shape == expected.shape
        room = 40 * np.finfo(got.dtype).eps * largest
        assert (abs(got - expected) <= room).all()


def test_twenty_thousand_cases_were_tried():
    """Last in the file: what Hypothesis stops early would be missing here."""
    assert sum(CASES.values()) >= 20_000
    missing = {name: TRIED[name] for name in CASES if TRIED[name] < CASES[name] * 0.9}
    assert not missing and sum(TRIED.values()) >= 20_000, TRIED
