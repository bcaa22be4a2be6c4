"""What must hold of the mathematics, as functions of the package: also of a broken copy.

`tests/test_mutants.py` runs every check on the package as it is (green) and on copies with one
planted mistake each (red). No randomness but a fixed seed, a different prime for every axis.
"""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from tests import reference

B, N_Q, N_K, D_K, D_V, H = 2, 5, 7, 11, 13, 3
D_MODEL = 17
CHECKS = {}


def core_check(function):
    """Put a check on the list under its own name."""
    CHECKS[function.__name__] = function
    return function


def normal(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def qkv(*leading, n_q=N_Q, n_k=N_K, d_k=D_K, d_v=D_V, seed=0):
    return (
        normal(*leading, n_q, d_k, seed=seed),
        normal(*leading, n_k, d_k, seed=seed + 1),
        normal(*leading, n_k, d_v, seed=seed + 2),
    )


def random_mask(*shape, seed=5):
    """About two thirds may look, and each query at least at the first key."""
    mask = np.random.default_rng([seed, *shape]).random(shape) < 2 / 3
    mask[..., 0] = True
    return mask


def head_weights(core, h=H, d_model=D_MODEL, d_k=D_K, d_v=D_V, seed=0):
    return core.MultiHeadWeights(
        normal(d_model, h * d_k, seed=seed) / 4,
        normal(d_model, h * d_k, seed=seed + 1) / 4,
        normal(d_model, h * d_v, seed=seed + 2) / 4,
        normal(h * d_v, d_model, seed=seed + 3) / 4,
    )


def as_lists(*arrays):
    return [None if x is None else np.asarray(x).tolist() for x in arrays]


def assert_attention(core, q, k, v, mask=None, scale=None):
    """Output and weights are those of the slow reference."""
    output, weights = core.attention(q, k, v, mask, scale=scale)
    expected = reference.batched_attention(*as_lists(q, k, v, mask), scale=scale)
    assert_allclose(output, expected[0], rtol=1e-12, atol=1e-14)
    assert_allclose(weights, expected[1], rtol=1e-12, atol=1e-14)


@core_check
def softmax_is_e_to_the_x_over_the_sum(core):
    scores = normal(N_Q, N_K)
    expected = [reference.softmax(row) for row in scores.tolist()]
    assert_allclose(core.softmax(scores), expected, rtol=1e-13)
    assert_allclose(core.softmax(scores.mT, axis=0), np.transpose(expected), rtol=1e-13)


@core_check
def softmax_sums_over_the_last_axis_of_any_rank(core):
    for shape in [(N_K,), (N_Q, N_K), (B, N_Q, N_K), (B, H, N_Q, N_K)]:
        assert_allclose(core.softmax(normal(*shape)).sum(axis=-1), 1, rtol=1e-14)


@core_check
def softmax_of_huge_scores(core):
    expected = [0.0320586033, 0.0871443187, 0.2368828181, 0.6439142599]
    for start in (0.0, 10000.0, -10000.0):
        assert_allclose(core.softmax(start + np.arange(4.0)), expected, atol=1e-10)
    assert_array_equal(core.softmax([-20000.0, -10000.0]), [0, 1])
    assert_array_equal(core.softmax([-10000.0, -10000.0]), [0.5, 0.5])


@core_check
def far_apart_scores_give_no_warning(core):
    for dtype in (np.float16, np.float32, np.float64):
        largest = np.finfo(dtype).max
        assert_array_equal(core.softmax(np.array([largest, -largest], dtype)), [1, 0])


@core_check
def too_large_results_are_a_sentence_and_not_a_warning(core):
    one = np.ones((1, 1))
    for call, said in [
        (lambda: core.attention(1e200 * one, 1e200 * one, one), "scores[0, 0] is inf"),
        (lambda: core.attention(1e200 * one, one, one, scale=1e200), "scaled scores[0, 0] is inf"),
        (lambda: core.project(1e200 * one, 1e200 * one), "the product[0, 0] is inf"),
        (lambda: core.project(np.float16([[300]]), np.float16([[300]])), "product[0, 0] is inf"),
    ]:
        try:
            call()
        except ValueError as error:
            assert said in str(error)
        else:
            raise AssertionError(f"nobody said: {said}")


@core_check
def what_is_projected_is_finite(core):
    for x, w, said in [
        ([[np.nan]], [[0]], "x[0, 0] is nan"),
        ([[1]], [[np.inf]], "w[0, 0] is inf"),
    ]:
        try:
            core.project(x, w)
        except ValueError as error:
            assert said in str(error)
        else:
            raise AssertionError(f"nobody said: {said}")


@core_check
def softmax_of_nothing_to_choose(core):
    weights = core.softmax([[-np.inf, -np.inf, -np.inf], [0, -np.inf, 0]])
    assert_array_equal(weights, [[0, 0, 0], [0.5, 0, 0.5]])


@core_check
def softmax_refuses_what_is_no_score(core):
    for bad in (np.nan, np.inf):
        try:
            core.softmax([0.0, bad])
        except ValueError as error:
            assert "scores[1]" in str(error)
        else:
            raise AssertionError(f"softmax accepted {bad}")


@core_check
def attention_equals_the_slow_reference(core):
    assert_attention(core, *qkv())
    assert_attention(core, *qkv(n_q=N_K))  # where transposed scores would fit
    assert_attention(core, *qkv(), scale=0.7)
    assert_attention(core, *qkv(), mask=random_mask(N_Q, N_K))
    assert_attention(core, *qkv(), mask=normal(N_Q, N_K))


@core_check
def attention_in_batches_equals_the_slow_reference(core):
    assert_attention(core, *qkv(B, H))
    assert_attention(core, *qkv(B), mask=random_mask(N_Q, N_K))
    assert_attention(core, *qkv(B), mask=random_mask(B, N_Q, N_K))
    assert_attention(core, *qkv(B), mask=random_mask(B, 1, N_K))


@core_check
def attention_of_the_worked_example(core):
    q = k = np.array([[1.0, 0], [0, 1], [1, 1]])
    v = np.array([[1.0, 0], [0, 2], [3, 1]])
    output, weights = core.attention(q, k, v, core.causal_mask(3))
    a, b = 0.330238, 0.669762
    c, d = 0.248255, 0.503490
    assert_allclose(weights, [[1, 0, 0], [a, b, 0], [c, c, d]], atol=5e-7)
    assert_allclose(output, [[1, 0], [a, 1.339523], [1.758725, 1]], atol=1e-6)


@core_check
def scale_comes_from_the_width_of_the_keys(core):
    scores = core.attention_steps(np.ones((1, 16)), np.ones((1, 16)), np.ones((1, 3))).scaled
    assert_array_equal(scores, [[4.0]])
    steps = core.attention_steps(*qkv())
    assert_allclose(steps.scaled, steps.scores / 11**0.5, rtol=1e-15)


@core_check
def steps_follow_the_formula(core):
    q, k, v = qkv()
    mask = random_mask(N_Q, N_K)
    steps = core.attention_steps(q, k, v, mask)
    assert_allclose(steps.scores, reference.matmul(q.tolist(), k.mT.tolist()), rtol=1e-12)
    assert_array_equal(steps.masked[mask], steps.scaled[mask])
    assert (steps.masked[~mask] == -np.inf).all()
    expected = [reference.softmax(*row) for row in zip(*as_lists(steps.scaled, mask), strict=True)]
    assert_allclose(steps.weights, expected, rtol=1e-12, atol=0)
    assert_allclose(steps.output, reference.matmul(expected, v.tolist()), rtol=1e-12)
    assert_array_equal(core.attention_scores(q, k), steps.scores)


@core_check
def hidden_keys_weigh_exactly_nothing_and_rows_sum_to_one(core):
    mask = random_mask(N_Q, N_K)
    _, weights = core.attention(*qkv(), mask)
    assert (weights[~mask] == 0).all()
    assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)


@core_check
def a_row_that_may_look_nowhere_is_zero(core):
    mask = random_mask(N_Q, N_K)
    mask[2] = False
    for form in (mask, np.where(mask, 0.0, -np.inf)):
        output, weights = core.attention(*qkv(), form)
        assert_array_equal(weights[2], np.zeros(N_K))
        assert_array_equal(output[2], np.zeros(D_V))
        assert_allclose(np.delete(weights, 2, axis=0).sum(axis=-1), 1, rtol=1e-14)


@core_check
def both_forms_of_a_mask_agree(core):
    mask = random_mask(N_Q, N_K)
    expected = core.attention(*qkv(), mask)
    for got, want in zip(core.attention(*qkv(), core.additive_mask(mask)), expected, strict=True):
        assert np.isfinite(want).all()
        assert_array_equal(got, want)
    assert_array_equal(core.additive_mask(np.array([True, False])), [0, -np.inf])


@core_check
def the_future_never_changes_the_past(core):
    q, k, v = qkv(n_q=N_K)
    before, weights = core.attention(q, k, v, core.causal_mask(N_K))
    for t in range(1, N_K):
        k_2, v_2, q_2 = k.copy(), v.copy(), q.copy()
        k_2[t:], v_2[t:], q_2[t:] = 1e30, -1e30, 1e30
        after, weights_2 = core.attention(q_2, k_2, v_2, core.causal_mask(N_K))
        assert_array_equal(after[:t], before[:t])
        assert_array_equal(weights_2[:t], weights[:t])
        assert not np.array_equal(after[t:], before[t:])


@core_check
def causal_mask_is_aligned_bottom_right(core):
    assert_array_equal(core.causal_mask(3), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    assert_array_equal(core.causal_mask(2, 5), [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]])
    assert_array_equal(core.causal_mask(3, 2), [[0, 0], [1, 0], [1, 1]])
    assert core.causal_mask(2, 5).dtype == bool


@core_check
def padding_hides_keys_from_every_query(core):
    mask = core.padding_mask([2, 4, 0], 4)
    assert_array_equal(mask, [[[1, 1, 0, 0]], [[1, 1, 1, 1]], [[0, 0, 0, 0]]])
    zeros = np.zeros((3, 4, D_K))
    _, weights = core.attention(zeros, zeros, zeros, mask)
    assert_array_equal(weights[0], [[0.5, 0.5, 0, 0]] * 4)


@core_check
def masks_combine_by_and(core):
    square = core.causal_mask(3)
    padded = core.padding_mask([2, 3], 3)
    expected = [[[1, 0, 0], [1, 1, 0], [1, 1, 0]], [[1, 0, 0], [1, 1, 0], [1, 1, 1]]]
    assert_array_equal(core.combine_masks(square, None, padded), expected)
    assert core.combine_masks(None, None) is None


@core_check
def heads_are_cut_along_the_width(core):
    assert_array_equal(
        core.split_heads(np.arange(8).reshape(1, 2, 4), 2), [[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]]
    )
    x = normal(B, N_Q, H * 11)
    assert core.split_heads(x, H).shape == (B, H, N_Q, 11)
    for head in range(H):
        assert_array_equal(core.split_heads(x, H)[:, head], x[..., head * 11 : (head + 1) * 11])


@core_check
def merging_undoes_splitting(core):
    x = np.arange(12).reshape(1, 3, 4)
    assert_array_equal(core.merge_heads(core.split_heads(x, 2)), x)
    heads = normal(B, H, N_Q, D_V)
    joined = np.concatenate([heads[:, head] for head in range(H)], axis=-1)
    assert_array_equal(core.merge_heads(heads), joined)


@core_check
def projecting_multiplies_every_token(core):
    x, w = normal(N_Q, D_MODEL), normal(D_MODEL, D_K)
    assert_allclose(core.project(x, w), reference.matmul(*as_lists(x, w)), rtol=1e-12)


@core_check
def multi_head_equals_one_head_after_another(core):
    x, context, weights = normal(N_Q, D_MODEL), normal(N_K, D_MODEL), head_weights(core)
    for mask in (None, random_mask(N_Q, N_K)):
        output, a = core.multi_head_attention(x, weights, H, context=context, mask=mask)
        wanted = reference.multi_head_attention(
            *as_lists(x), as_lists(*weights), H, *as_lists(context, mask)
        )
        assert_allclose(output, wanted[0], rtol=1e-11, atol=1e-13)
        assert_allclose(a, wanted[1], rtol=1e-11, atol=1e-13)


@core_check
def self_attention_takes_everything_from_x(core):
    x, weights = normal(N_Q, D_MODEL), head_weights(core)
    output, _ = core.multi_head_attention(x, weights, H)
    wanted = reference.multi_head_attention(*as_lists(x), as_lists(*weights), H)
    assert_allclose(output, wanted[0], rtol=1e-11, atol=1e-13)


@core_check
def a_batch_equals_its_sentences_one_by_one(core):
    """With as many sentences as heads, a mask that lands on the head axis fits and is wrong."""
    x, weights = normal(H, N_Q, D_MODEL), head_weights(core)
    mask = core.combine_masks(core.padding_mask([5, 2, 3], N_Q), core.causal_mask(N_Q))
    output, a = core.multi_head_attention(x, weights, H, mask=mask)
    for b in range(H):
        alone = core.multi_head_attention(x[b], weights, H, mask=mask[b])
        assert_allclose(output[b], alone[0], rtol=1e-12, atol=1e-14)
        assert_allclose(a[b], alone[1], rtol=1e-12, atol=1e-14)


@core_check
def a_mask_with_a_head_axis_is_refused(core):
    """One sentence, or as many as heads: there it would broadcast to something else."""
    for b in (1, 2, H):
        x, mask = normal(b, N_Q, D_MODEL), np.ones((b, H, N_Q, N_Q), bool)
        try:
            core.multi_head_attention(x, head_weights(core), H, mask=mask)
        except ValueError as error:
            assert "leave the head axis out" in str(error)
        else:
            raise AssertionError("a mask with a head axis was accepted")


@core_check
def a_mask_and_values_of_other_batches_are_refused(core):
    q, k, v = qkv()
    v = np.broadcast_to(v, (3, *v.shape))
    try:
        core.attention(q, k, v, np.ones((2, N_Q, N_K), bool))
    except ValueError as error:
        assert str(error) == "attention: the sizes (2,) and (3,) do not fit together"
    else:
        raise AssertionError("a mask for 2 and values for 3 were accepted")


@core_check
def new_weights_have_the_promised_sizes_and_spread(core):
    weights = core.init_multi_head(np.random.default_rng(0), 256, 4, d_k=32, d_v=128)
    assert [w.shape for w in weights] == [(256, 128), (256, 128), (256, 512), (512, 256)]
    for w in weights:
        assert abs(w.mean()) < 1e-3
        assert_allclose(w.std(), len(w) ** -0.5, rtol=0.02)
    assert not np.array_equal(weights.w_q, weights.w_k)


@core_check
def inputs_stay_as_they_were(core):
    """Read-only arrays are accepted; writable ones are the same bytes afterwards."""
    x, weights, mask = normal(B, N_Q, D_MODEL), head_weights(core), random_mask(B, N_Q, N_Q)
    q, k, v = qkv(B)
    added = normal(N_Q, N_K)
    scores = normal(N_Q, N_K)
    given = [x, *weights, mask, q, k, v, added, scores]
    copies = [one.copy() for one in given]
    for writeable in (True, False):
        for one in given:
            one.flags.writeable = writeable
        core.softmax(scores)
        core.attention(q, k, v)
        core.attention(q, k, v, added)
        core.attention_scores(q, k)
        core.multi_head_attention(x, weights, H, mask=mask)
        core.combine_masks(mask, mask)
        core.additive_mask(mask)
        core.merge_heads(core.split_heads(v, D_V))
        for one, copy in zip(given, copies, strict=True):
            assert_array_equal(one, copy)


@core_check
def types_are_kept(core):
    for dtype, computed in [("f2", "f4"), ("f4", "f4"), ("f8", "f8"), ("i1", "f8"), ("i8", "f8")]:
        wanted = np.dtype(dtype if dtype[0] == "f" else "f8")
        q, k, v = ((10 * x).astype(dtype) for x in qkv())
        steps = core.attention_steps(q, k, v, core.additive_mask(random_mask(N_Q, N_K)))
        assert [steps.weights.dtype, steps.output.dtype] == [wanted, wanted]
        assert {x.dtype for x in steps[:3]} == {np.dtype(computed)}
        assert core.softmax(q).dtype == wanted
        assert core.project(q, k.mT).dtype == wanted
    assert_array_equal(core.attention_scores(np.int8([[100, 100]]), np.int8([[100, 100]])), 20000)


@core_check
def an_integer_mask_is_refused(core):
    try:
        core.attention(*qkv(), np.ones((N_Q, N_K), int))
    except TypeError as error:
        assert "bool" in str(error)
    else:
        raise AssertionError("an integer mask was accepted")


@core_check
def a_flat_mask_is_never_read_as_a_batch(core):
    """(n_k,) and (1, n_k) and a transposed mask are refused even where they would broadcast."""
    for shape in [(N_K,), (1, N_K), (N_Q, 1), (N_K, N_Q)]:
        try:
            core.attention(*qkv(), np.ones(shape, bool))
        except ValueError as error:
            assert str(shape) in str(error)
        else:
            raise AssertionError(f"a mask {shape} was accepted")


@core_check
def what_is_not_finite_is_refused_even_when_hidden(core):
    for name in "qkv":
        for bad in (np.nan, np.inf, -np.inf):
            arrays = dict(zip("qkv", qkv(), strict=True))
            arrays[name][4, 3] = bad
            mask = np.ones((N_Q, N_K), bool)
            mask[:, 4] = mask[4] = False
            try:
                core.attention(**arrays, mask=mask)
            except ValueError as error:
                assert f"{name}[4, 3]" in str(error)
            else:
                raise AssertionError(f"{bad} in {name} was accepted")


@core_check
def a_score_that_its_mask_lifts_over_the_largest_float_is_refused(core):
    q = k = [[5e153]]  # scores of 2.5e307: far enough below the largest float by themselves
    assert core.attention(q, k, [[7.0]], np.array([[0.5]]), scale=1.0)[0] == 7
    try:
        core.attention(q, k, [[7.0]], np.array([[1.7e308]]), scale=1.0)
    except ValueError as error:
        assert "score + mask[0, 0] is inf" in str(error)
    else:
        raise AssertionError("a score of infinity was accepted")


@core_check
def empty_sequences_are_no_accident(core):
    output, weights = core.attention(*qkv(n_q=0))
    assert (output.shape, weights.shape) == ((0, D_V), (0, N_K))
    output, weights = core.attention(*qkv(n_k=0))
    assert weights.shape == (N_Q, 0)
    assert_array_equal(output, np.zeros((N_Q, D_V)))


@core_check
def an_axis_of_length_one_stays(core):
    output, weights = core.attention(np.ones((1, 1, 4)), np.ones((1, 1, 4)), [[[7, -2, 5]]])
    assert_array_equal(output, [[[7, -2, 5]]])
    assert_array_equal(weights, [[[1]]])
    weights = head_weights(core, h=1)
    output, a = core.multi_head_attention(normal(1, 1, D_MODEL), weights, 1)
    assert (output.shape, a.shape) == ((1, 1, D_MODEL), (1, 1, 1, 1))


@core_check
def heads_that_do_not_fit_are_refused(core):
    for width, h in [(5, 2), (4, 8), (4, 0), (4, -1)]:
        try:
            core.split_heads(np.ones((3, width)), h)
        except ValueError as error:
            assert str(error).startswith("split_heads: ") and str(h) in str(error)
        else:
            raise AssertionError(f"{width} was split into {h} heads")
