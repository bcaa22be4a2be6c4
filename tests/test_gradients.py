"""The backward pass: on paper, by slow loops, by central differences, and broken on purpose."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attention_core import attention, causal_mask, gradients, softmax
from tests import reference
from tests.core_checks import normal, random_mask
from tests.loops import for_each
from tests.planted import Mutant, planted, unnoticed

B, H, N_Q, N_K, D_K, D_V = 2, 3, 5, 7, 11, 13
STEP = 1e-5  # best in float64: rounding grows below it, curvature above
CHECKS = {}


def gradient_check(function):
    """Put a check on the list: it runs on the module as it is and on broken copies."""
    CHECKS[function.__name__] = function
    return function


def inputs(*leading, n_q=N_Q, n_k=N_K, d_k=D_K, d_v=D_V, seed=0):
    """q, k, v and the gradient of the output."""
    shapes = (n_q, d_k), (n_k, d_k), (n_k, d_v), (n_q, d_v)
    return [normal(*leading, *shape, seed=seed + i) for i, shape in enumerate(shapes)]


def central_differences(q, k, v, d_output, mask=None, scale=None, step=STEP):
    """Nudge every entry up and down and watch the loss sum(d_output ∘ output)."""
    results = []
    for moved in range(3):
        arrays = [np.array(x) for x in (q, k, v)]
        gradient = np.zeros_like(arrays[moved])
        for index in np.ndindex(gradient.shape):
            losses = []
            for sign in (1, -1):
                nudged = [x.copy() for x in arrays]
                nudged[moved][index] += sign * step
                losses.append((d_output * attention(*nudged, mask, scale=scale)[0]).sum())
            gradient[index] = (losses[0] - losses[1]) / (2 * step)
        results.append(gradient)
    return results


def slow_backward(q, k, v, d_output, mask=None, scale=None):
    """The chain rule entry by entry, through the whole Jacobian of each row of weights."""
    q, k, v, d_output = (np.asarray(x).tolist() for x in (q, k, v, d_output))
    mask = None if mask is None else np.asarray(mask).tolist()
    scale = len(q[0]) ** -0.5 if scale is None else scale
    _, a = reference.attention(q, k, v, mask, scale)
    dq, dk, dv = ([[0.0] * len(x[0]) for _ in x] for x in (q, k, v))
    for i in range(len(q)):
        for j in range(len(k)):
            d_score = 0.0
            for other in range(len(k)):
                d_weight = reference.dot(d_output[i], v[other])
                d_score += d_weight * a[i][other] * ((other == j) - a[i][j])
            for c in range(len(q[0])):
                dq[i][c] += d_score * scale * k[j][c]
                dk[j][c] += d_score * scale * q[i][c]
            for c in range(len(v[0])):
                dv[j][c] += a[i][j] * d_output[i][c]
    return dq, dk, dv


def assert_gradients(got, expected, atol=1e-12):
    for name, one, other in zip(("dq", "dk", "dv"), got, expected, strict=True):
        assert_allclose(one, other, rtol=1e-7, atol=atol, err_msg=name)


@gradient_check
def the_case_on_paper(core):
    """S = [[0, 0], [ln 3, 0]], A = [[1/2, 1/2], [3/4, 1/4]], dO = I.

    dV = Aᵀ; dA = Vᵀ = [[4, 0], [0, 8]]; rowsum(A ∘ dA) = [2, 2];
    dS = [[1/2 · 2, 1/2 · −2], [3/4 · −2, 1/4 · 6]] = [[1, −1], [−3/2, 3/2]];
    dQ = dS K = dS; dK = dSᵀ Q: only the second query is not zero, so row 1 is −3/2 (ln 3, 0)
    and row 2 is 3/2 (ln 3, 0). With scale = 2 and Q halved, dQ doubles and dK stays.
    """
    ln_3 = np.log(3)
    q, k, v = np.array([[0, 0], [ln_3, 0]]), np.eye(2), [[4, 0], [0, 8]]
    d_scores = np.array([[1, -1], [-1.5, 1.5]])
    dk, dv = [[-1.5 * ln_3, 0], [1.5 * ln_3, 0]], [[0.5, 0.75], [0.5, 0.25]]
    assert_gradients(core.attention_backward(q, k, v, np.eye(2), scale=1), (d_scores, dk, dv))
    doubled = core.attention_backward(q / 2, k, v, np.eye(2), scale=2)
    assert_gradients(doubled, (2 * d_scores, dk, dv))


@gradient_check
def slow_loops_agree(core):
    q, k, v, d_output = inputs()
    bias = np.where(random_mask(N_Q, N_K), normal(N_Q, N_K), -np.inf)
    for mask in (None, random_mask(N_Q, N_K), causal_mask(N_Q, N_K), bias):
        for scale in (None, 0.7, -1.3):
            got = core.attention_backward(q, k, v, d_output, mask, scale=scale)
            assert_gradients(got, slow_backward(q, k, v, d_output, mask, scale))


@gradient_check
def central_differences_agree(core):
    q, k, v, d_output = inputs(B, n_q=3, n_k=5, d_k=2, d_v=7)
    for mask in (None, random_mask(B, 3, 5), causal_mask(3, 5), normal(3, 5)):
        got = core.attention_backward(q, k, v, d_output, mask)
        assert_gradients(got, central_differences(q, k, v, d_output, mask), atol=1e-8)


@gradient_check
def leading_axes_are_carried_along(core):
    q, k, v, d_output = inputs(B, H)
    mask = random_mask(B, 1, N_Q, N_K)
    got = core.attention_backward(q, k, v, d_output, mask)
    for b, h in np.ndindex(B, H):
        one = core.attention_backward(q[b, h], k[b, h], v[b, h], d_output[b, h], mask[b, 0])
        assert_gradients([x[b, h] for x in got], one)


@gradient_check
def a_repeated_input_gets_the_sum(core):
    """One K for all heads, one V for all sentences, one Q for everybody."""
    q, k, v, d_output = inputs(B, H)
    q, k, v = q[0, 0], k[:, :1], v[0]
    everywhere = [np.broadcast_to(x, (B, H, *x.shape[-2:])) for x in (q, k, v)]
    dq, dk, dv = core.attention_backward(*everywhere, d_output)
    expected = dq.sum(axis=(0, 1)), dk.sum(axis=1, keepdims=True), dv.sum(axis=0)
    got = core.attention_backward(q, k, v, d_output)
    assert [x.shape for x in got] == [q.shape, k.shape, v.shape]
    assert_gradients(got, expected)


@gradient_check
def a_mask_may_bring_leading_axes(core):
    q, k, v, _ = inputs()
    mask, d_output = random_mask(B, N_Q, N_K), normal(B, N_Q, D_V)
    each = [core.attention_backward(q, k, v, d_output[b], mask[b]) for b in range(B)]
    got = core.attention_backward(q, k, v, d_output, mask)
    assert_gradients(got, [sum(parts) for parts in zip(*each, strict=True)])


@gradient_check
def a_fully_masked_row_gets_zero(core):
    """A query that may look nowhere: zeros for it and for all that only it could have seen."""
    q, k, v, d_output = inputs()
    mask = random_mask(N_Q, N_K)
    mask[2] = False
    for kind in (mask, np.where(mask, 0.0, -np.inf)):
        dq, dk, dv = core.attention_backward(q, k, v, d_output, kind)
        assert_array_equal(dq[2], 0)
        seeing = np.arange(N_Q) != 2
        rest = core.attention_backward(q[seeing], k, v, d_output[seeing], mask[seeing])
        assert_gradients((dq[seeing], dk, dv), rest)
    for gradient in core.attention_backward(q, k, v, d_output, np.zeros((N_Q, N_K), bool)):
        assert_array_equal(gradient, 0)


@gradient_check
def softmax_needs_the_row_sum(core):
    """Omitting it gives 0.0900, 0, 0; the diagonal alone gives 0.0819, 0, 0."""
    a = softmax([1, 2, 3])
    expected = [0.08192507, -0.02203304, -0.05989202]
    assert_allclose(core.softmax_backward(a, [1, 0, 0]), expected, atol=5e-9)
    assert_allclose(core.softmax_jacobian(a)[:, 0], expected, atol=5e-9)


@gradient_check
def the_jacobian_is_that_of_softmax(core):
    scores, da = normal(B, N_Q), normal(B, N_Q, seed=1)
    jacobian = core.softmax_jacobian(softmax(scores))
    assert jacobian.shape == (B, N_Q, N_Q)
    for j in range(N_Q):
        nudge = STEP * (np.arange(N_Q) == j)
        change = (softmax(scores + nudge) - softmax(scores - nudge)) / (2 * STEP)
        assert_allclose(jacobian[:, :, j], change, atol=1e-9)
    through = (jacobian.swapaxes(-1, -2) @ da[..., None])[..., 0]
    assert_allclose(core.softmax_backward(softmax(scores), da), through, atol=1e-14)


@gradient_check
def types_are_those_of_attention(core):
    for given_type, expected in ((np.float32, np.float32), (np.float16, np.float16), (int, float)):
        q, k, v, d_output = (x.astype(given_type) for x in inputs())
        mask = normal(N_Q, N_K)  # float64
        for upstream in (d_output, d_output.astype(float)):
            got = core.attention_backward(q, k, v, upstream, mask)
            assert [x.dtype for x in got] == [expected] * 3
            if expected is not float:
                doubles = (x.astype(float) for x in (q, k, v, d_output))
                exact = core.attention_backward(*doubles, mask)
                for one, other in zip(got, exact, strict=True):
                    assert_allclose(one, other, atol=20 * np.finfo(expected).eps)
    for one in (core.softmax_jacobian, lambda a: core.softmax_backward(a, a)):
        assert one(np.array([0.25, 0.75], np.float16)).dtype == np.float16
        assert one(np.array([0, 1])).dtype == np.float64


@gradient_check
def nothing_is_ever_nan(core):
    """What is too large for a float is said in a sentence, never passed on."""
    big = np.full((2, 2), 1e200)
    with pytest.raises(ValueError, match=r"^attention_backward: d[qkv]\[0, 0\] is "):
        core.attention_backward(np.eye(2), np.eye(2), big, big)


@for_each("check", CHECKS.values())
def test_gradients(check):
    check(gradients)


DOT = "a * (da - (a * da).sum(axis=-1, keepdims=True))"


def _mutant(name, old, new, noticed_by):
    return Mutant(name, "gradients", old, new, noticed_by)


MUTANTS = [
    _mutant("drop the row sum", DOT, "a * da", "the_case_on_paper"),
    _mutant("drop the row sum in softmax", DOT, "a * da", "softmax_needs_the_row_sum"),
    _mutant("only the diagonal", DOT, "a * da - a * a * da", "softmax_needs_the_row_sum"),
    _mutant("sum down the columns", DOT, DOT.replace("-1", "-2"), "slow_loops_agree"),
    _mutant(
        "row sum without the weights",
        DOT,
        DOT.replace("(a * da).", "da."),
        "the_case_on_paper",
    ),
    _mutant("row mean", DOT, DOT.replace(".sum", ".mean"), "the_case_on_paper"),
    _mutant(
        "forget the scale in dq",
        "d_scores @ k * scale",
        "d_scores @ k",
        "the_case_on_paper",
    ),
    _mutant("forget the scale in dk", "@ q * scale", "@ q", "the_case_on_paper"),
    _mutant(
        "scale dv as well",
        "weights.mT @ d_output",
        "weights.mT @ d_output * scale",
        "the_case_on_paper",
    ),
    _mutant("scale not handed on", "mask, scale=scale)", "mask)", "slow_loops_agree"),
    _mutant(
        "mask not handed on",
        "k, v, mask, scale=scale)",
        "k, v, scale=scale)",
        "central_differences_agree",
    ),
    _mutant(
        "d_output not transposed away",
        "weights.mT @ d_output",
        "weights @ d_output",
        "the_case_on_paper",
    ),
    _mutant(
        "swap dq and dk",
        "dq=_sum_to(dq, q), dk=_sum_to(dk, k)",
        "dq=_sum_to(dk, q), dk=_sum_to(dq, k)",
        "the_case_on_paper",
    ),
    _mutant(
        "swap dk and dv",
        "dk=_sum_to(dk, k), dv=_sum_to(dv, v)",
        "dv=_sum_to(dv, v), dk=_sum_to(dk, k)",
        "slow_loops_agree",
    ),
    _mutant("q for k", "d_scores @ k * scale", "d_scores @ q * scale", "the_case_on_paper"),
    _mutant("untransposed scores", "d_scores.mT @ q", "d_scores @ q", "the_case_on_paper"),
    _mutant(
        "weights for dA",
        "_through_softmax(weights, d_weights)",
        "_through_softmax(d_weights, weights)",
        "the_case_on_paper",
    ),
    _mutant(
        "repeats not summed",
        "return gradient.sum(axis=repeated, keepdims=True)",
        "return gradient[tuple(slice(0, n) for n in x.shape)]",
        "a_repeated_input_gets_the_sum",
    ),
    _mutant(
        "new axes not summed",
        "gradient = gradient.sum(axis=tuple(range(gradient.ndim - x.ndim)))",
        "gradient = gradient[(0,) * (gradient.ndim - x.ndim)]",
        "a_mask_may_bring_leading_axes",
    ),
    _mutant(
        "one head for all",
        "weights.mT @ d_output",
        "np.broadcast_to(weights.mT @ d_output, v.shape) * 0 + (weights.mT @ d_output)"
        "[(0,) * (v.ndim - 2)]",
        "leading_axes_are_carried_along",
    ),
    _mutant(
        "fully masked rows share",
        "d_scores = _through_softmax(weights, d_weights)",
        "d_scores = _through_softmax(weights + 1e-3, d_weights)",
        "a_fully_masked_row_gets_zero",
    ),
    _mutant(
        "jacobian without its outer product",
        "diagonal - a[..., :, None] * a[..., None, :]",
        "diagonal",
        "the_jacobian_is_that_of_softmax",
    ),
    _mutant(
        "always double",
        "finite_in_type(WHERE, kind, ",
        "finite_in_type(WHERE, float, ",
        "types_are_those_of_attention",
    ),
    _mutant("no last look", "finite_in_type(WHERE, kind, ", "dict(", "nothing_is_ever_nan"),
]


def test_planted_mistakes_are_noticed_and_every_check_has_been_red():
    assert unnoticed(MUTANTS, CHECKS, lambda m: planted(gradients, m.old, m.new)) == []


@given(data=st.data())
def test_random_shapes_masks_and_scales(data):
    """Central differences over whatever comes, in float64."""
    size = st.integers(1, 4)
    leading = data.draw(st.sampled_from([(), (2,), (1, 2)]))
    n_q, n_k, d_k, d_v = (data.draw(size) for _ in range(4))
    q, k, v, d_output = inputs(
        *leading, n_q=n_q, n_k=n_k, d_k=d_k, d_v=d_v, seed=data.draw(st.integers(0, 99))
    )
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=n_q * n_k, max_size=n_q * n_k)))
    allowed = allowed.reshape(n_q, n_k)
    mask = data.draw(st.sampled_from([None, allowed, np.where(allowed, 0.3, -np.inf)]))
    scale = data.draw(st.one_of(st.none(), st.floats(-2, 2)))
    got = gradients.attention_backward(q, k, v, d_output, mask, scale=scale)
    expected = central_differences(q, k, v, d_output, mask, scale)
    assert_gradients(got, expected, atol=1e-7)


def test_the_future_gets_no_gradient_from_the_past():
    q, k, v, d_output = inputs(n_q=5, n_k=5)
    d_output[3:] = 0
    dq, dk, dv = gradients.attention_backward(q, k, v, d_output, causal_mask(5))
    for gradient in (dq, dk, dv):
        assert_array_equal(gradient[3:], 0)
        assert (gradient[1:3] != 0).all()


def test_a_check_in_single_precision_fails_a_correct_gradient():
    """Differences of float32 losses drown in rounding at a step that float64 likes."""
    q = k = np.array([[1.0, 0], [0, 1], [1, 1]])
    v = np.array([[1.0, 10], [2, 20], [3, 30]])
    d_output, mask = np.ones((3, 2)), causal_mask(3)
    got = gradients.attention_backward(q, k, v, d_output, mask)
    error = {}
    for kind in (np.float64, np.float32):
        arrays = [x.astype(kind) for x in (q, k, v, d_output)]
        differences = central_differences(*arrays, mask, step=1e-6)
        error[kind] = max(abs(a - b).max() for a, b in zip(got, differences, strict=True))
    assert error[np.float64] < 1e-7
    assert error[np.float32] > 0.1


def test_what_is_repeated_along_the_third_leading_axis_gets_the_sum_of_its_copies():
    q, k, v, d_output = inputs(2, 3, 4)
    q = q[:, :, :1]
    repeated, _, _ = gradients.attention_backward(q.repeat(4, axis=2), k, v, d_output)
    dq, _, _ = gradients.attention_backward(q, k, v, d_output)
    assert_allclose(dq, repeated.sum(axis=2, keepdims=True), atol=1e-12)


@for_each(("n_q", "n_k"), [(0, 3), (2, 0), (0, 0)])
def test_empty_sequences(n_q, n_k):
    q, k, v, d_output = inputs(n_q=n_q, n_k=n_k)
    for gradient, x in zip(gradients.attention_backward(q, k, v, d_output), (q, k, v), strict=True):
        assert gradient.shape == x.shape
        assert_array_equal(gradient, 0)


def test_inputs_are_never_changed():
    arrays = [*inputs(), random_mask(N_Q, N_K)]
    copies = [x.copy() for x in arrays]
    for x in arrays:
        x.flags.writeable = False
    gradients.attention_backward(*arrays)
    a = softmax(arrays[0])
    a.flags.writeable = False
    gradients.softmax_backward(a, a)
    gradients.softmax_jacobian(a)
    for x, copy in zip(arrays, copies, strict=True):
        assert_array_equal(x, copy)


FAULTS = [
    ({"d_output": np.ones((2, 3))}, r"d_output is \(2, 3\) but the output is \(2, 5\)"),
    ({"d_output": np.ones((7, 2, 5))}, r"d_output is \(7, 2, 5\) but the output is \(2, 5\)"),
    ({"d_output": np.full((2, 5), np.nan)}, r"d_output\[0, 0\] is nan"),
    ({"q": np.ones((2, 2))}, r"q is \(2, 2\) but k is \(3, 4\)"),
    ({"v": np.ones((2, 5))}, r"k is \(3, 4\) but v is \(2, 5\)"),
    ({"k": np.full((3, 4), np.inf)}, r"k\[0, 0\] is inf"),
    ({"mask": np.ones((3, 3), bool)}, r"mask is \(3, 3\) but the scores are \(2, 3\)"),
    ({"mask": np.full((2, 3), np.nan)}, r"mask\[0, 0\] is nan"),
    ({"scale": np.inf}, r"scale is inf"),
]


@for_each(("wrong", "sentence"), FAULTS)
def test_what_does_not_fit_is_said(wrong, sentence):
    right = {
        "q": np.ones((2, 4)),
        "k": np.ones((3, 4)),
        "v": np.ones((3, 5)),
        "d_output": np.ones((2, 5)),
    }
    with pytest.raises(ValueError, match=r"^attention_backward: " + sentence):
        gradients.attention_backward(**(right | wrong))


def test_types_that_mean_nothing_are_refused():
    q, k, v, d_output = inputs()
    with pytest.raises(TypeError, match=r"^attention_backward: mask is int"):
        gradients.attention_backward(q, k, v, d_output, np.ones((N_Q, N_K), int))
    with pytest.raises(TypeError, match=r"^attention_backward: d_output must hold real numbers"):
        gradients.attention_backward(q, k, v, d_output + 1j)
    with pytest.raises(ValueError, match=r"^softmax_backward: d_weights is \(3,\) but"):
        gradients.softmax_backward([0.5, 0.5], [1, 2, 3])
    with pytest.raises(ValueError, match=r"^softmax_jacobian: weights\[1\] is nan"):
        gradients.softmax_jacobian([0.5, np.nan])
