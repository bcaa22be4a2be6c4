"""Break the mathematics on purpose: every planted mistake must turn a named check red.

A check that has never been red may be one that cannot fail.
"""

import warnings

import pytest

import attention_core
from tests.core_checks import CHECKS
from tests.planted import Mutant, planted_package, unnoticed

MUTANTS = [
    # the scale
    Mutant(
        "drop the scale",
        "attention",
        "scaled = scores * scale",
        "scaled = scores * 1.0",
        "attention_of_the_worked_example",
    ),
    Mutant(
        "divide by d_k instead of its root",
        "inputs.qkv",
        "1 / math.sqrt(d_k)",
        "1 / d_k",
        "scale_comes_from_the_width_of_the_keys",
    ),
    Mutant(
        "d_k ** 1/2 is d_k / 2",
        "inputs.qkv",
        "1 / math.sqrt(d_k)",
        "1 / (d_k ** 1/2)",
        "scale_comes_from_the_width_of_the_keys",
    ),
    Mutant(
        "multiply by the root",
        "inputs.qkv",
        "1 / math.sqrt(d_k)",
        "math.sqrt(d_k)",
        "attention_of_the_worked_example",
    ),
    Mutant(
        "a frozen scale",
        "inputs.qkv",
        "1 / math.sqrt(d_k)",
        "1 / 8",
        "scale_comes_from_the_width_of_the_keys",
    ),
    Mutant(
        "scale from d_v",
        "inputs.qkv",
        "d_k=q.shape[-1])",
        "d_k=v.shape[-1])",
        "scale_comes_from_the_width_of_the_keys",
    ),
    Mutant(
        "scale from the number of keys",
        "inputs.qkv",
        "d_k=q.shape[-1])",
        "d_k=k.shape[-2])",
        "scale_comes_from_the_width_of_the_keys",
    ),
    Mutant(
        "scale from d_model",
        "heads",
        "attention_in_heads(q, k, v, h, mask)",
        "attention_in_heads(q, k, v, h, mask, scale=np.shape(x)[-1] ** -0.5)",
        "multi_head_equals_one_head_after_another",
    ),
    Mutant(
        "forget the caller's scale",
        "attention",
        "attention_steps(q, k, v, mask, scale=scale)",
        "attention_steps(q, k, v, mask)",
        "attention_equals_the_slow_reference",
    ),
    Mutant(
        "scale after the mask",
        "attention",
        "masked = scaled if mask is None else scaled + mask",
        "masked = scaled if mask is None else (scores + mask) * scale",
        "attention_equals_the_slow_reference",
    ),
    # scores and mixture
    Mutant(
        "transpose the scores",
        "attention",
        "scores = q @ k.mT",
        "scores = k @ q.mT",
        "attention_equals_the_slow_reference",
    ),
    Mutant(
        "swap the roles of q and k in square scores",
        "attention",
        "scores = q @ k.mT",
        "scores = (k @ q.mT) if q.shape == k.shape else (q @ k.mT)",
        "attention_equals_the_slow_reference",
    ),
    Mutant(
        "transpose every axis",
        "attention",
        "q @ k.mT",
        "q @ k.T",
        "attention_in_batches_equals_the_slow_reference",
    ),
    Mutant(
        "cosine instead of the dot product",
        "attention",
        "scores = q @ k.mT",
        "scores = q @ k.mT / np.linalg.norm(k, axis=-1)[..., None, :]",
        "attention_of_the_worked_example",
    ),
    Mutant(
        "k for v",
        "attention",
        "output = weights @ v",
        "output = weights @ k",
        "attention_of_the_worked_example",
    ),
    Mutant(
        "mix with the scores",
        "attention",
        "output = weights @ v",
        "output = scaled @ v",
        "attention_of_the_worked_example",
    ),
    Mutant(
        "squeeze the output",
        "attention",
        "output = weights @ v",
        "output = (weights @ v).squeeze()",
        "an_axis_of_length_one_stays",
    ),
    Mutant(
        "return the masked scores as weights",
        "attention",
        "return steps.output, steps.weights",
        "return steps.output, steps.masked",
        "attention_of_the_worked_example",
    ),
    Mutant(
        "show the step before the mask as masked",
        "attention",
        "AttentionSteps(scores, scaled, masked,",
        "AttentionSteps(scores, scaled, scaled,",
        "steps_follow_the_formula",
    ),
    # softmax
    Mutant(
        "softmax over the queries",
        "attention",
        "weights = softmax(masked)",
        "weights = softmax(masked, axis=-2)",
        "attention_of_the_worked_example",
    ),
    Mutant(
        "softmax over the first axis",
        "softmax",
        "axis=-1):",
        "axis=0):",
        "softmax_sums_over_the_last_axis_of_any_rank",
    ),
    Mutant(
        "axis 1, counted from the front",
        "attention",
        "weights = softmax(masked)",
        "weights = softmax(masked, axis=1)",
        "attention_in_batches_equals_the_slow_reference",
    ),
    Mutant(
        "softmax twice",
        "attention",
        "weights = softmax(masked)",
        "weights = softmax(softmax(masked))",
        "hidden_keys_weigh_exactly_nothing_and_rows_sum_to_one",
    ),
    Mutant(
        "forget the largest score",
        "softmax",
        "np.exp(scores - largest)",
        "np.exp(scores)",
        "softmax_of_huge_scores",
    ),
    Mutant(
        "max(0, largest)",
        "softmax",
        "np.exp(scores - largest)",
        "np.exp(scores - np.maximum(0, largest))",
        "softmax_of_huge_scores",
    ),
    Mutant(
        "shift by the mean",
        "softmax",
        "np.exp(scores - largest)",
        "np.exp(scores - scores.mean(axis=axis, keepdims=True))",
        "softmax_of_nothing_to_choose",
    ),
    Mutant(
        "drop the guard of the shift",
        "softmax",
        "initial=np.finfo(scores.dtype).min",
        "initial=-np.inf",
        "softmax_of_nothing_to_choose",
    ),
    Mutant(
        "drop the guard of the empty row",
        "softmax",
        "weights /= total + (total == 0)",
        "weights /= total",
        "softmax_of_nothing_to_choose",
    ),
    Mutant(
        "a small number below the line",
        "softmax",
        "total + (total == 0)",
        "(total + 1e-6)",
        "softmax_sums_over_the_last_axis_of_any_rank",
    ),
    Mutant("no exponential", "softmax", "np.exp(", "np.abs(", "softmax_is_e_to_the_x_over_the_sum"),
    Mutant(
        "write into the scores",
        "softmax",
        "np.exp(scores - largest)",
        "np.exp(np.subtract(scores, largest, out=scores))",
        "inputs_stay_as_they_were",
    ),
    Mutant(
        "let infinity through",
        "inputs.arrays",
        "if not scores.max(initial=-np.inf) < np.inf:",
        "if False:",
        "softmax_refuses_what_is_no_score",
    ),
    Mutant(
        "warn about scores that are far apart",
        "softmax",
        '@np.errstate(all="ignore")',
        "",
        "far_apart_scores_give_no_warning",
    ),
    # masks
    Mutant(
        "invert the mask",
        "inputs.masks",
        "np.where(mask, dtype.type(0), dtype.type(-np.inf))",
        "np.where(mask, dtype.type(-np.inf), dtype.type(0))",
        "attention_of_the_worked_example",
    ),
    Mutant(
        "zero instead of −∞",
        "inputs.masks",
        "np.where(mask, dtype.type(0), dtype.type(-np.inf))",
        "np.where(mask, dtype.type(0), dtype.type(0))",
        "attention_of_the_worked_example",
    ),
    Mutant(
        "a finite number instead of −∞",
        "inputs.masks",
        "np.where(mask, dtype.type(0), dtype.type(-np.inf))",
        "np.where(mask, dtype.type(0), dtype.type(-1e9))",
        "a_row_that_may_look_nowhere_is_zero",
    ),
    Mutant(
        "+∞, a slip of the sign",
        "inputs.masks",
        "np.where(mask, dtype.type(0), dtype.type(-np.inf))",
        "np.where(mask, dtype.type(0), dtype.type(np.inf))",
        "attention_of_the_worked_example",
    ),
    Mutant(
        "mask after softmax",
        "attention",
        "weights = softmax(masked)",
        "weights = softmax(scaled) * np.isfinite(masked)",
        "hidden_keys_weigh_exactly_nothing_and_rows_sum_to_one",
    ),
    Mutant(
        "ignore the mask",
        "attention",
        "masked = scaled if mask is None else scaled + mask",
        "masked = scaled",
        "the_future_never_changes_the_past",
    ),
    Mutant(
        "multiply a float mask",
        "attention",
        "masked = scaled if mask is None else scaled + mask",
        "masked = scaled if mask is None else scaled * mask",
        "both_forms_of_a_mask_agree",
    ),
    Mutant(
        "(1 − m) · −∞",
        "masks",
        "np.where(allowed, 0.0, -np.inf)",
        "(1.0 - allowed) * -np.inf",
        "both_forms_of_a_mask_agree",
    ),
    Mutant(
        "the diagonal hides itself",
        "masks",
        "k=n_k - n_q,",
        "k=n_k - n_q - 1,",
        "causal_mask_is_aligned_bottom_right",
    ),
    Mutant(
        "one step into the future",
        "masks",
        "k=n_k - n_q,",
        "k=n_k - n_q + 1,",
        "the_future_never_changes_the_past",
    ),
    Mutant(
        "aligned top-left",
        "masks",
        "k=n_k - n_q,",
        "k=0,",
        "causal_mask_is_aligned_bottom_right",
    ),
    Mutant(
        "look only ahead",
        "masks",
        "return np.tri(n_q, n_k, k=n_k - n_q, dtype=bool)",
        "return np.tri(n_k, n_q, k=n_k - n_q, dtype=bool).T",
        "causal_mask_is_aligned_bottom_right",
    ),
    Mutant(
        "padding along the queries",
        "masks",
        "np.arange(n_k) < lengths[:, None, None]",
        "np.arange(n_k)[:, None] < lengths[:, None, None]",
        "padding_hides_keys_from_every_query",
    ),
    Mutant(
        "one padding too few",
        "masks",
        "np.arange(n_k) < lengths",
        "np.arange(n_k) <= lengths",
        "padding_hides_keys_from_every_query",
    ),
    Mutant(
        "combine by or",
        "masks",
        "np.logical_and.reduce",
        "np.logical_or.reduce",
        "masks_combine_by_and",
    ),
    Mutant(
        "any mask that broadcasts",
        "inputs.masks",
        "if mask.ndim < 2 or mask.shape[-1] != n_k or mask.shape[-2] not in rows:",
        "if False:",
        "a_flat_mask_is_never_read_as_a_batch",
    ),
    Mutant(
        "integers as masks",
        "inputs.masks",
        'if mask.dtype.kind not in "bf":',
        'if mask.dtype.kind not in "bfiu":',
        "an_integer_mask_is_refused",
    ),
    # heads
    Mutant(
        "split without moving the axis",
        "heads",
        "x.reshape(*leading, n, h, d_head).swapaxes(-3, -2)",
        "x.reshape(*leading, h, n, d_head)",
        "heads_are_cut_along_the_width",
    ),
    Mutant(
        "heads take every h-th column",
        "heads",
        "x.reshape(*leading, n, h, d_head).swapaxes(-3, -2)",
        "np.moveaxis(x.reshape(*leading, n, d_head, h), -1, -3)",
        "heads_are_cut_along_the_width",
    ),
    Mutant(
        "merge without moving the axis back",
        "heads",
        "x.swapaxes(-3, -2).reshape",
        "x.reshape",
        "merging_undoes_splitting",
    ),
    Mutant(
        "the sentences' mask lands on the heads",
        "inputs.heads",
        "else np.expand_dims(mask, -3)",
        "else mask",
        "a_batch_equals_its_sentences_one_by_one",
    ),
    Mutant(
        "every head its own sentence's mask",
        "inputs.heads",
        "else np.expand_dims(mask, -3)",
        "else np.expand_dims(mask, 0)",
        "a_batch_equals_its_sentences_one_by_one",
    ),
    Mutant(
        "take a mask with a head axis",
        "inputs.heads",
        "if np.ndim(mask) > axes:",
        "if False:",
        "a_mask_with_a_head_axis_is_refused",
    ),
    Mutant(
        "compare the mask with the scores only",
        "inputs.qkv",
        "common_shape(where, mask.shape[:-2], shape[:-2], v.shape[:-2])",
        "pass",
        "a_mask_and_values_of_other_batches_are_refused",
    ),
    Mutant(
        "split, then project",
        "heads",
        "project(x, weights.w_q)",
        "project(x, weights.w_q[:, ::-1])",
        "multi_head_equals_one_head_after_another",
    ),
    Mutant(
        "values by the key matrix",
        "heads",
        "project(context, weights.w_v)",
        "project(context, np.resize(weights.w_k, weights.w_v.shape))",
        "multi_head_equals_one_head_after_another",
    ),
    Mutant(
        "keys from x in cross-attention",
        "heads",
        "context = x if context is None else context",
        "context = x",
        "multi_head_equals_one_head_after_another",
    ),
    Mutant(
        "queries from the context",
        "heads",
        "project(x, weights.w_q)",
        "project(context, weights.w_q)",
        "multi_head_equals_one_head_after_another",
    ),
    Mutant(
        "forget W_O",
        "heads",
        "return project(mixed, weights.w_o), a",
        "return mixed[..., : x.shape[-1]], a",
        "self_attention_takes_everything_from_x",
    ),
    Mutant(
        "average the heads' weights",
        "heads",
        "weights.w_o), a",
        "weights.w_o), a.mean(axis=-3)",
        "multi_head_equals_one_head_after_another",
    ),
    Mutant(
        "any number of heads",
        "inputs.heads",
        "if width % h or width == 0:",
        "if False:",
        "heads_that_do_not_fit_are_refused",
    ),
    Mutant(
        "transpose the learned matrix",
        "projections",
        "(x @ w)",
        "(x @ w.T if w.shape[0] == w.shape[1] else x @ w[::-1])",
        "projecting_multiplies_every_token",
    ),
    Mutant(
        "weights of variance one",
        "projections",
        "scale=rows**-0.5",
        "scale=1.0",
        "new_weights_have_the_promised_sizes_and_spread",
    ),
    # what is read and what comes back
    Mutant(
        "let NumPy warn before the sentence",
        "attention",
        '@np.errstate(all="ignore")',
        "",
        "too_large_results_are_a_sentence_and_not_a_warning",
    ),
    Mutant(
        "let the product overflow",
        "inputs.heads",
        "if not bound <",
        "if not True or bound <",
        "too_large_results_are_a_sentence_and_not_a_warning",
    ),
    Mutant(
        "project anything",
        "inputs.heads",
        'require_finite(where, "w", w)',
        "1.0",
        "what_is_projected_is_finite",
    ),
    Mutant(
        "truncate integers",
        "inputs.arrays",
        "[x.astype(compute_type, copy=False) for x in read]",
        "[x for x in read]",
        "types_are_kept",
    ),
    Mutant(
        "everything becomes float64",
        "inputs.arrays",
        "result_type = np.result_type(",
        "result_type = np.result_type(np.float64, ",
        "types_are_kept",
    ),
    Mutant(
        "add many half-precision numbers",
        "inputs.arrays",
        "np.float32 if result_type == np.float16 else result_type",
        "result_type",
        "types_are_kept",
    ),
    Mutant(
        "a wider mask widens the result",
        "inputs.masks",
        "mask = mask.astype(dtype, copy=False)",
        "",
        "types_are_kept",
    ),
    Mutant(
        "a float mask adds nothing to the bound",
        "inputs.masks",
        "return mask, mask.max(initial=0.0)",
        "return mask, 0.0",
        "a_score_that_its_mask_lifts_over_the_largest_float_is_refused",
    ),
    Mutant(
        "do not look for NaN",
        "inputs.qkv",
        "return [require_finite(where, name, x) for name, x in named.items()]",
        "return [1.0 for name, x in named.items()]",
        "what_is_not_finite_is_refused_even_when_hidden",
    ),
    Mutant(
        "no largest of nothing",
        "softmax",
        "scores.max(axis=axis, keepdims=True, initial=np.finfo(scores.dtype).min)",
        "scores.max(axis=axis, keepdims=True)",
        "empty_sequences_are_no_accident",
    ),
]


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_the_package_passes(check):
    check(attention_core)


def test_an_unbroken_copy_passes():
    """So that a mutant is red for its mistake and not for being a copy."""
    copy = planted_package("attention")
    assert copy.attention is not attention_core.attention
    copied = copy.softmax.__wrapped__.__globals__["unchecked_softmax"]
    assert copy.attention.__globals__["softmax"] is copied
    for check in CHECKS.values():
        check(copy)


def test_planted_mistakes_are_noticed_and_every_check_has_been_red():
    def copy_with(mutant):
        return planted_package(mutant.module, mutant.old, mutant.new)

    assert unnoticed(MUTANTS, CHECKS, copy_with) == []


def test_a_mistake_that_changes_nothing_is_told():
    same = Mutant("none", "attention", "scores * scale", "scale * scores", "masks_combine_by_and")
    told = unnoticed(
        [same],
        {"masks_combine_by_and": CHECKS["masks_combine_by_and"], "never": None},
        lambda mutant: planted_package(mutant.module, mutant.old, mutant.new),
    )
    assert told == ["none: masks_combine_by_and noticed nothing", "never was never red"]


def test_warnings_are_errors_here():
    """Several mutants are noticed by their warning only."""
    with pytest.raises(RuntimeWarning):
        warnings.warn("seen", RuntimeWarning, stacklevel=1)
