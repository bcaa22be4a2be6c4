"""Tasks, layer, optimiser and the five experiments: each effect over five seeds, with a margin."""

import math
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attention_core import causal_mask
from attention_core.experiments import (
    heads_experiment,
    layer,
    next_token_experiment,
    next_token_logits,
    partner_experiment,
    recall_experiment,
    saturation,
    scaling_experiment,
    training,
)
from attention_core.experiments.layer import Batch, Layer, backward, forward
from attention_core.experiments.losses import cross_entropy, one_hot, read_out_loss, squared_error
from attention_core.experiments.tasks import (
    look_back_batch,
    partner_batch,
    partner_items,
    partner_world,
    recall_batch,
    with_positions,
)
from attention_core.experiments.toy_language import language, text
from attention_core.experiments.training import adam, init_params, n_parameters, sgd, train
from attention_core.gradients import softmax_jacobian
from attention_core.measures import entropy
from tests import reference
from tests.loops import for_each
from tests.planted import planted

SEEDS = range(5)
recall, partners, heads, next_token, scaling = map(
    cache,
    (
        recall_experiment,
        partner_experiment,
        heads_experiment,
        next_token_experiment,
        scaling_experiment,
    ),
)


def rng(seed=0):
    return np.random.default_rng(seed)


def refuses(check, *arguments):
    """The check must be able to fail: with its arguments exchanged it does."""
    with pytest.raises(AssertionError):
        check(*arguments)


# --- the layer: every gradient against central differences ---

B, N_Q, N_K, D_Q, D_KV, H, D_K, D_OUT = 2, 3, 5, 7, 11, 2, 6, 13
SHAPES = {"w_q": (D_Q, D_K), "w_k": (D_KV, D_K), "w_v": (D_KV, D_K), "w_o": (D_K, D_OUT)}


def tiny(tied=False, square=False):
    r = rng(3)
    d_q = D_KV if square else D_Q
    x_q, x_kv = r.normal(size=(B, N_Q, d_q)), r.normal(size=(B, N_K, D_KV))
    shapes = {**SHAPES, "w_q": (d_q, D_K)}
    params = init_params(
        r, **{name: shapes[name] for name in shapes if not (tied and name == "w_v")}
    )
    batch = Batch(x_q, x_kv, x_kv, r.normal(size=(B, N_Q, D_OUT)))
    mask = causal_mask(N_Q, N_K)
    return params, batch, Layer(h=H, mask=mask, tied={"w_v": "w_k"} if tied else {})


def loss_and_gradients(params, batch, fixed, loss_of):
    trace = forward(params, batch, fixed)
    loss, d_output = loss_of(trace.output, batch.target)
    return loss, backward(params, batch, trace, d_output, fixed)


def gradients_hold(params, batch, fixed, loss_of=squared_error, step=1e-5):
    _, gradients = loss_and_gradients(params, batch, fixed, loss_of)
    assert gradients.keys() == params.keys()
    for name, w in params.items():
        slopes = np.empty_like(w)
        for at in np.ndindex(w.shape):
            sides = []
            for move in (step, -step):
                moved = w.copy()
                moved[at] += move
                trace = forward({**params, name: moved}, batch, fixed)
                sides.append(loss_of(trace.output, batch.target)[0])
            slopes[at] = (sides[0] - sides[1]) / (2 * step)
        assert_allclose(gradients[name], slopes, rtol=1e-6, atol=1e-9)


@for_each("tied", [False, True])
def test_gradients_agree_with_central_differences(tied):
    gradients_hold(*tiny(tied))


def test_one_matrix_for_queries_and_keys_gets_the_sum_of_both_gradients():
    params, batch, fixed = tiny(square=True)
    del params["w_k"]
    gradients_hold(params, batch, fixed._replace(tied={"w_k": "w_q"}))


def test_gradients_without_value_matrix_and_read_out():
    r = rng(5)
    params = init_params(r, w_q=(7, 3), w_k=(11, 3))
    batch = Batch(r.normal(size=(3, 7)), r.normal(size=(5, 11)), np.eye(5), np.array([4, 0, 2]))
    gradients_hold(params, batch, Layer(scale=0.7), read_out_loss)


def test_cross_entropy_gradient_cuts_answers_and_skips_missing_ones():
    target = np.array([[[1, 0], [-1, -1]], [[2, 2], [0, 1]]])
    output = rng(1).normal(size=(2, 2, 6))
    _, gradient = cross_entropy(output, target)
    for at in np.ndindex(output.shape):
        moved = [output.copy(), output.copy()]
        moved[0][at] += 1e-5
        moved[1][at] -= 1e-5
        slope = (cross_entropy(moved[0], target)[0] - cross_entropy(moved[1], target)[0]) / 2e-5
        assert_allclose(gradient[at], slope, atol=1e-9)
    assert not gradient[0, 1].any()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("gradients[name] +=", "gradients[name] ="),  # a shared matrix hears one role only
        ("d_output @ w_o.mT", "d_output @ w_o.mT * 0.5"),
        ("scale=layer.scale)\n    inputs", "scale=1.0)\n    inputs"),
        ("layer.mask, scale=layer.scale)\n    inputs", "None, scale=layer.scale)\n    inputs"),
        ("(*map(merge_heads, d_qkv), d_output)", "(*map(merge_heads, d_qkv), 2 * d_output)"),
    ],
)
def test_a_wrong_way_back_is_noticed(monkeypatch, old, new):
    monkeypatch.setitem(globals(), "backward", planted(layer, old, new).backward)
    refuses(gradients_hold, *tiny(tied=True))


def test_layer_agrees_with_the_slow_reference():
    r = rng(7)
    params = init_params(r, w_q=(7, 3), w_k=(7, 3), w_v=(7, 3), w_o=(3, 5))
    x = r.normal(size=(5, 7))
    trace = forward(params, Batch(x, x, x, None), Layer(mask=causal_mask(5)))
    q, k, v = (reference.matmul(x.tolist(), params[n].tolist()) for n in ("w_q", "w_k", "w_v"))
    mixed, weights = reference.attention(q, k, v, causal_mask(5).tolist())
    assert_allclose(trace.weights[0], weights, rtol=1e-12, atol=1e-15)
    assert_allclose(trace.output, reference.matmul(mixed, params["w_o"].tolist()), rtol=1e-12)


# --- the optimiser, by hand ---


def adam_holds(step):
    """Two steps on one number, gradients 1 and then 3, rate 0.1, worked out by hand."""
    params, state = step({"w": np.array([2.0])}, {"w": np.array([1.0])}, {}, rate=0.1)
    # both running means are corrected to 1, so the first step is 0.1 / (1 + 1e-8)
    assert_allclose(params["w"], 2 - 0.1 / (1 + 1e-8), rtol=1e-14)
    params, _ = step(params, {"w": np.array([3.0])}, state, rate=0.1)
    # mean (0.9 * 0.1 + 0.1 * 3) / 0.19 = 0.39 / 0.19
    # square (0.999 * 0.001 + 0.001 * 9) / 0.001999 = 0.009999 / 0.001999
    move = 0.1 * (0.39 / 0.19) / (math.sqrt(0.009999 / 0.001999) + 1e-8)
    assert_allclose(params["w"], 2 - 0.1 / (1 + 1e-8) - move, rtol=1e-12)


def test_adam_takes_the_steps_of_a_hand_calculation():
    adam_holds(adam)


@for_each(
    ("old", "new"),
    [
        ("(1 - beta_1**t)", "(1 - beta_1)"),
        ("(1 - beta_2**t)", "1"),
        ("gradients[name] ** 2", "gradients[name]"),
        ("w - rate * mean", "w + rate * mean"),
        ("beta_2=0.999", "beta_2=0.99"),
    ],
)
def test_a_wrong_adam_is_noticed(old, new):
    refuses(adam_holds, planted(training, old, new).adam)


def test_optimisers_leave_their_inputs_alone():
    params, gradients = {"w": np.ones(3)}, {"w": np.full(3, 2.0)}
    _, state = adam(params, gradients, {}, rate=0.1)
    kept = {n: np.copy(v) for n, v in state.items()}
    adam(params, gradients, state, rate=0.1)
    sgd(params, gradients, {}, rate=0.1)
    assert_array_equal(params["w"], np.ones(3))
    assert_array_equal(gradients["w"], np.full(3, 2.0))
    assert all(np.array_equal(kept[n], state[n]) for n in kept)


def test_training_lowers_the_rate_over_the_second_half():
    rates = []

    def watch(params, gradients, state, rate):
        rates.append(rate)
        return params, state

    x = np.ones((1, 1))
    train({"w_v": x}, lambda: Batch(x, x, x, x), squared_error, steps=4, rate=8.0, update=watch)
    assert rates == [8.0, 8.0, 8.0, 4.0]


def test_same_seed_same_numbers():
    first, second = (recall_experiment(3, True, (2,)) for _ in range(2))
    assert_array_equal(first.error, second.error)
    assert first.error != recall_experiment(4, True, (2,)).error


# --- the tasks ---


def test_recall_asks_for_the_content_stored_under_the_address():
    batch = recall_batch(rng(), 200, n_keys=7, n=5, d_value=3)
    for question, tokens, target in zip(batch.x_q, batch.x_k, batch.target, strict=True):
        (found,) = [t for t in tokens if (t[:7] == question[0, :7]).all()]
        assert_array_equal(found[7:], target[0])
    assert not batch.x_q[..., 7:].any()


def test_partner_world_has_look_alikes_and_rings_of_three():
    vectors, partner = partner_world(rng(), n=12)
    cosines = vectors @ vectors.mT
    expected = np.block([[np.eye(12), 0.95 * np.eye(12)], [0.95 * np.eye(12), np.eye(12)]])
    assert_allclose(cosines, expected, atol=1e-12)
    i = np.arange(12)
    assert_array_equal(partner[partner[partner]], i)
    assert (partner != i).all() and (partner[partner] != i).all()


def test_partner_lists_hold_partner_look_alike_seeker_and_never_the_query():
    vectors, partner = partner_world(rng())
    query = rng(1).integers(12, size=500)
    items = partner_items(rng(2), query, partner)
    assert_array_equal(items[:, 0], partner[query])
    assert_array_equal(items[:, 1], query + 12)
    assert_array_equal(partner[items[:, 2]], query)
    assert (items != query[:, None]).all()
    assert all(len(set(row)) == 8 for row in items.tolist())
    batch = partner_batch(rng(3), query, vectors, partner)
    assert_array_equal(batch.target[:, 0], batch.x_v[:, 0].argmax(axis=-1))
    assert (batch.x_v.sum(axis=1) == 1).all()


def test_entropy_of_the_language_by_two_other_roads():
    chances = language(rng(3))
    assert_allclose(chances.sum(axis=1), 1)
    assert not np.diag(chances).any()
    by_hand = -sum(p * math.log(p) for p in (0.6, 0.3, 0.1))
    assert_allclose(entropy(chances).mean(), by_hand, rtol=1e-12)
    words = text(rng(4), chances, 4000, 17)
    seen = np.zeros((12, 12))
    np.add.at(seen, (words[:, :-1], words[:, 1:]), 1)
    share = seen / seen.sum(axis=1, keepdims=True)
    measured = -(seen[seen > 0] * np.log(share[seen > 0])).sum() / seen.sum()
    assert_allclose(measured, by_hand, atol=0.01)
    assert (seen[chances == 0] == 0).all()


def test_look_back_names_the_right_words():
    batch = look_back_batch(rng(), 50, n_words=7, n=11, back=(2, 5))
    words = batch.x_q[..., :7].argmax(axis=-1)
    assert_array_equal(batch.x_q, with_positions(words, 7, 11))
    assert (batch.target[:, :5] == -1).all()
    for place in range(5, 11):
        assert_array_equal(batch.target[:, place, 0], words[:, place - 2])
        assert_array_equal(batch.target[:, place, 1], words[:, place - 5])


# --- lesson 03: address and content compete for the same dimensions ---


def sharing_costs_width(separate, tied):
    """Widths 4, 5, 8: apart, four dimensions are enough; tied, eight are."""
    assert (separate.error < 0.01).all()
    assert tied.error[0] > 0.45 and tied.error[1] > 0.25
    assert tied.error[2] < 0.02
    assert (tied.weight[:2] < 0.8).all() and (separate.weight > 0.93).all()
    assert (tied.parameters < separate.parameters).all()


@for_each("seed", SEEDS)
def test_sharing_keys_and_values_costs_width(seed):
    arms = [recall(seed, tied, (4, 5, 8)) for tied in (False, True)]
    sharing_costs_width(*arms)
    refuses(sharing_costs_width, *arms[::-1])


@for_each("seed", SEEDS)
def test_with_more_parameters_the_tied_head_is_still_worse(seed):
    """Separate with width 4 has 160 parameters, tied with width 6 has 168."""
    separate, tied = recall(seed, False, (4, 5, 8)), recall(seed, True, (6,))
    assert separate.parameters[0] == 160 < tied.parameters[0] == 168
    assert separate.error[0] < 0.01 < 0.02 < tied.error[0]


def test_reading_the_mean_of_the_list_costs_three_quarters():
    batch = recall_batch(rng(), 20_000)
    mean = batch.x_k[..., 8:].mean(axis=1, keepdims=True)
    assert_allclose(np.mean((mean - batch.target) ** 2), 0.75, atol=0.01)
    assert_allclose(np.mean(batch.target**2), 1, atol=0.02)


# --- lesson 05: what matches is learned ---


def match_is_learned(learned, raw):
    assert learned.accuracy > 0.99 and learned.to_partner > 0.95
    assert learned.to_look_alike < 0.01 and learned.to_seeker < 0.01
    assert -0.35 < learned.correlation < 0.2
    assert raw.accuracy < 0.01 and raw.to_look_alike > 0.99
    assert raw.correlation > 0.9999


def one_way(result):
    """From i to its partner every score is high, back every score is low."""
    i = np.arange(12)
    there, back = result.scores[i, result.partner], result.scores[result.partner, i]
    assert there.min() > 6 and back.max() < 4


@for_each("seed", SEEDS)
def test_the_best_match_is_the_learned_one_not_the_most_alike(seed):
    learned, raw = partners(seed), partners(seed, "raw")
    match_is_learned(learned, raw)
    refuses(match_is_learned, raw, learned)
    others = np.where(np.eye(12, 24, dtype=bool), -np.inf, learned.scores)
    assert_array_equal(others.argmax(axis=1), learned.partner)
    alike = np.where(np.eye(12, 24, dtype=bool), -np.inf, learned.cosines)
    assert_array_equal(alike.argmax(axis=1), np.arange(12) + 12)


@for_each("seed", SEEDS)
def test_attention_can_go_one_way(seed):
    one_way(partners(seed))
    refuses(one_way, partners(seed, "shared"))


@for_each("seed", SEEDS)
@for_each("d_k", [16, 32])  # 32: as many parameters as two matrices of 16
def test_one_matrix_for_both_looks_as_much_at_the_seeker_as_at_the_partner(seed, d_k):
    learned, shared = partners(seed), partners(seed, "shared", d_k)
    assert shared.accuracy <= 2 / 3 + 1e-12 < learned.accuracy
    assert abs(shared.to_partner - shared.to_seeker) < 0.01
    assert 0.35 < shared.to_partner < 0.5
    assert_allclose(shared.scores[:, :12], shared.scores[:, :12].mT, rtol=1e-9, atol=1e-12)
    assert shared.parameters == learned.parameters * d_k // 32


def test_an_unknown_match_is_refused():
    with pytest.raises(ValueError, match=r"'both'.*separate"):
        partner_experiment(match="both")


# --- lesson 06: the root of d_k ---


def test_saturation_grows_with_d_k_unless_scaled():
    raw, scaled, by_d_k = (saturation(power) for power in (0, 0.5, 1))
    assert_allclose(raw.std, np.sqrt(raw.sizes), rtol=0.05)
    assert_allclose(scaled.std, 1, rtol=0.05)
    assert_allclose(by_d_k.std, 1 / np.sqrt(raw.sizes), rtol=0.05)
    assert (np.diff(raw.largest) > 0).all() and raw.largest[-1] > 0.9
    assert raw.saturated[-1] > 0.55 and not scaled.saturated.any()
    assert (np.abs(scaled.entropy - 0.885) < 0.015).all() and raw.entropy[-1] < 0.06
    assert by_d_k.entropy[-1] > 0.999
    assert raw.jacobian_median[-1] < 0.005 < 0.15 < scaled.jacobian_median.min()
    assert raw.jacobian[1] > scaled.jacobian[1]  # at small d_k the raw gradient is larger


def test_saturation_jacobian_is_the_norm_of_the_matrix():
    r = np.random.default_rng(0)
    q, k = r.normal(size=(500, 16)), r.normal(size=(64, 16))
    scores = q @ k.mT / 4
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    norms = np.linalg.norm(softmax_jacobian(weights), axis=(1, 2))
    result = saturation(sizes=(16,))
    assert_allclose(
        [result.jacobian[0], result.jacobian_median[0]], [norms.mean(), np.median(norms)]
    )


def scaling_helps(scaled, unscaled):
    assert scaled.losses.min() < 0.11 and scaled.right == 1 and scaled.saturated == 0
    assert unscaled.losses.min() == unscaled.chance and unscaled.right < 0.4
    assert unscaled.saturated > 0.4


@for_each("seed", SEEDS)
def test_unscaled_training_fails_at_every_rate_scaled_succeeds(seed):
    scaled, unscaled = scaling(seed), scaling(seed, 0)
    scaling_helps(scaled, unscaled)
    refuses(scaling_helps, unscaled, scaled)
    assert (scaled.losses[3:7] < 0.2).all()  # rates 0.03 to 1 all work
    assert scaled.losses.min() > scaled.floor


@for_each("seed", SEEDS)
def test_dividing_by_d_k_itself_works_only_at_large_rates(seed):
    """So the root is not the only way; it is the one that needs no new rate for each width."""
    by_d_k = scaling(seed, 1)
    assert (by_d_k.losses[:6] > 2).all() and by_d_k.losses[-1] < 0.15 and by_d_k.right == 1


@for_each("seed", SEEDS)
def test_unscaled_training_works_from_a_small_start(seed):
    control = scaling(seed, 0, shrink=256**-0.25, rates=(0.01, 0.03))
    assert control.losses.min() < 0.11 and control.right == 1 and control.saturated == 0


# --- lesson 08: reading the future ---


def leak_shows(honest, leaking):
    assert leaking.train_loss < leaking.entropy - 0.6  # below what is possible without reading on
    assert abs(leaking.held_out_loss - leaking.train_loss) < 0.05  # new texts do not give it away
    assert leaking.prefix_loss > 3.5 and leaking.prefix_accuracy < 0.4
    assert leaking.legal < 0.7
    for loss in (honest.train_loss, honest.held_out_loss, honest.prefix_loss):
        assert abs(loss - honest.entropy) < 0.04
    assert 0.57 < honest.prefix_accuracy < 0.63 and honest.legal > 0.99


@for_each("seed", SEEDS)
def test_without_the_mask_the_model_learns_to_read_the_answer(seed):
    honest, leaking = next_token(seed), next_token(seed, False)
    leak_shows(honest, leaking)
    refuses(leak_shows, leaking, honest)
    i = np.arange(15)
    assert honest.weights[i, i].mean() > 0.9 and not honest.weights[i, i + 1].any()
    assert leaking.weights[i, i + 1].mean() > 0.6 and leaking.weights[i, i].mean() < 0.2
    assert_allclose(honest.prefix_losses.mean(), honest.held_out_loss, rtol=1e-12)


def test_a_changed_future_word_moves_only_the_leaking_model():
    words = text(rng(9), language(rng(0)), 3, 16)
    changed = words.copy()
    changed[:, 10] = (changed[:, 10] + 1) % 12
    for causal in (True, False):
        params = next_token(0, causal).params
        before, after = (next_token_logits(params, w, causal)[:, :10] for w in (words, changed))
        if causal:
            assert_array_equal(before, after)
        else:
            assert np.abs(before - after).max() > 1


# --- lesson 11: heads ---


def two_beat_one(two, one):
    assert two.parameters == one.parameters == 4352
    assert two.accuracy > 0.99 and one.accuracy < 0.6


@for_each("seed", SEEDS)
def test_two_heads_reach_what_one_of_the_same_total_size_does_not(seed):
    two, one = heads(seed, 2), heads(seed, 1)
    two_beat_one(two, one)
    refuses(two_beat_one, one, two)
    assert (np.abs(one.looks - 0.47) < 0.06).all()  # one head stands with a foot on each word


def test_the_seed_decides_which_head_does_what():
    """Each head takes one place, the two heads never the same; which one differs by seed."""
    roles = []
    for seed in SEEDS:
        looks = heads(seed, 2).looks
        assert (looks.max(axis=1) > 0.7).all() and (looks.min(axis=1) < 0.2).all()
        assert set(looks.argmax(axis=1)) == {0, 1}
        roles.append(int(looks[0].argmax()))
    assert set(roles) == {0, 1}


@for_each("seed", SEEDS)
def test_heads_that_start_the_same_stay_the_same(seed):
    clones, two = heads(seed, 2, True), heads(seed, 2)
    assert clones.gap == 0.0 and clones.accuracy < 0.6
    assert two.gap > 1
    assert_array_equal(clones.weights[0], clones.weights[1])


def test_exchanging_heads_with_the_rows_of_w_o_changes_nothing():
    params, batch = heads(0, 2).params, look_back_batch(rng(1), 5)
    swapped = {n: np.roll(w, 16, axis=0 if n == "w_o" else 1) for n, w in params.items()}
    fixed = Layer(h=2, mask=causal_mask(12))
    before, after = forward(params, batch, fixed), forward(swapped, batch, fixed)
    assert_allclose(before.output, after.output, rtol=1e-12, atol=1e-12)
    assert_allclose(before.weights, after.weights[:, ::-1], rtol=1e-12, atol=1e-15)


def test_results_are_plain_numbers():
    """A lesson prints them: no np.float64(...) on the page."""
    for result in (partners(0), next_token(0), heads(0, 2), scaling(0)):
        for value in result:
            assert isinstance(value, (float, int, np.ndarray, dict)) and not isinstance(
                value, np.generic
            )


def test_one_hot_and_count():
    assert_array_equal(one_hot([[2], [0]], 3), [[[0, 0, 1]], [[1, 0, 0]]])
    assert n_parameters({"a": np.zeros((2, 3)), "b": np.zeros(5)}) == 11
