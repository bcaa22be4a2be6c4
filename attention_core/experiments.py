"""Experiments that put the claims of the lessons to the test: each one trains, then measures.

Every function takes a seed and one switch, is deterministic, and returns a NamedTuple of plain
numbers and arrays. Run it with the switch on and off and compare; the tests do so for five seeds.
"""

from typing import NamedTuple

import numpy as np

from attention_core.attention import attention, attention_scores
from attention_core.layer import (
    PLAIN,
    Batch,
    Layer,
    cross_entropy,
    forward,
    one_hot,
    squared_error,
)
from attention_core.masks import causal_mask
from attention_core.tasks import (
    draw_words,
    entropy,
    language,
    look_back_batch,
    partner_batch,
    partner_world,
    placed,
    recall_batch,
    sgd,
    start,
    text,
    train,
)

READ_OUT = 5.0  # one-hot contents are read as logits after this stretch: floor ln(1 + (n - 1) / e^5)


def read_out_loss(output, target):
    """Cross-entropy of a fixed read-out: the mixture of one-hot contents, five times, as logits.

    Examples
    --------
    >>> loss, _ = read_out_loss(np.array([[1.0, 0.0]]), np.array([0]))
    >>> round(loss, 4)
    0.0067
    """
    loss, gradient = cross_entropy(READ_OUT * output, target)
    return loss, READ_OUT * gradient


def _count(params):
    return sum(w.size for w in params.values())


# Lesson 03: keys and values apart, or one matrix for both -----------------------------------------


class Recall(NamedTuple):
    """One entry per width: held-out error, weight on the right token, number of parameters."""

    widths: np.ndarray
    error: np.ndarray
    weight: np.ndarray
    parameters: np.ndarray


def recall_experiment(seed=0, tied=False, widths=(2, 3, 4, 5, 6, 8)):
    """Fetch the content stored under an address, with W_K and W_V apart or one matrix for both.

    A token is [one of 8 addresses | 4 random numbers]; a list holds 4 tokens; the query is an
    address. The error is the mean squared error on 1000 new lists: 1 for always answering zero,
    0.75 for the mean of the list, 0 for perfect recall.

    Parameters
    ----------
    seed : int
    tied : bool
        True: V = K, and the layer has one matrix less.
    widths : sequence of int
        d_k = d_v to try.

    Returns
    -------
    Recall

    Examples
    --------
    >>> recall_experiment(widths=(4,)).error.round(1), recall_experiment(0, True, (4,)).error > 0.4
    (array([0.]), array([ True]))
    """
    rows = [_recall(seed, tied, d) for d in widths]
    return Recall(np.array(widths), *(np.array(column) for column in zip(*rows, strict=True)))


def _recall(seed, tied, d):
    rng = np.random.default_rng(seed)
    shapes = dict(w_q=(12, d), w_k=(12, d), w_o=(d, 4)) | ({} if tied else dict(w_v=(12, d)))
    layer = Layer(tied={"w_v": "w_k"}) if tied else PLAIN
    params, _ = train(
        start(rng, **shapes), lambda: recall_batch(rng, 64), squared_error, layer,
        steps=400, rate=0.02,
    )
    batch = recall_batch(rng, 1000)
    trace = forward(params, batch, layer)
    error, _ = squared_error(trace.output, batch.target)
    return error, trace.weights[:, 0, 0, 0].mean(), _count(params)


# Lesson 05: what matches is learned ----------------------------------------------------------------


class Partners(NamedTuple):
    """Accuracy, mean weight on the partner, the look-alike and the seeker, and two (12, 24) maps.

    `scores` are scaled scores of each symbol (row) with the 12 symbols and their 12 look-alikes,
    `cosines` the same for the raw vectors; `partner[i]` is the symbol that i looks for;
    `correlation` is between the two maps, each symbol with itself left out.
    """

    accuracy: float
    to_partner: float
    to_look_alike: float
    to_seeker: float
    correlation: float
    scores: np.ndarray
    cosines: np.ndarray
    partner: np.ndarray
    parameters: int


def partner_experiment(seed=0, match="separate", d_k=16):
    """Fetch the label that the partner carries, while a look-alike of oneself is in the list.

    Twelve symbols form rings of three: a looks for b, b for c, c for a. The list always holds the
    one that looks for me, too (the seeker). Only the matching is trained: values are one-hot labels.
    One matrix for both makes scores symmetric; then, in each ring, one of the three must prefer
    its seeker or be undecided, so at most 2/3 of the answers can be right.

    Parameters
    ----------
    seed : int
    match : "separate", "shared" or "raw"
        W_Q and W_K; one matrix for both; or no matrix at all, scores being 10 times the cosine.
    d_k : int

    Returns
    -------
    Partners

    Raises
    ------
    ValueError
        If `match` is none of the three.

    Examples
    --------
    >>> result = partner_experiment()
    >>> round(result.accuracy, 2), result.to_partner > 0.9, abs(result.correlation) < 0.3
    (1.0, True, True)
    """
    rng = np.random.default_rng(seed)
    vectors, partner = partner_world(rng)
    params, layer = _matching(rng, match, len(vectors), d_k)
    params, _ = train(
        params, lambda: partner_batch(rng, rng.integers(12, size=32), vectors, partner),
        read_out_loss, layer, steps=300 if params else 0, rate=0.03,
    )
    batch = partner_batch(rng, np.tile(np.arange(12), 200), vectors, partner)
    trace = forward(params, batch, layer)
    accuracy = (trace.output.argmax(axis=-1) == batch.target).mean()
    to_partner, to_look_alike, to_seeker = trace.weights[:, 0, 0, :3].mean(axis=0)
    scores, cosines = _score_map(params, layer, vectors), vectors[: len(partner)] @ vectors.T
    others = ~np.eye(*cosines.shape, dtype=bool)
    correlation = np.corrcoef(scores[others], cosines[others])[0, 1]
    return Partners(
        accuracy, to_partner, to_look_alike, to_seeker, correlation,
        scores, cosines, partner, _count(params),
    )


def _matching(rng, match, d_model, d_k):
    if match == "raw":
        return {}, Layer(scale=10.0)
    if match == "shared":
        return start(rng, w_q=(d_model, d_k)), Layer(tied={"w_k": "w_q"})
    if match == "separate":
        return start(rng, w_q=(d_model, d_k), w_k=(d_model, d_k)), PLAIN
    raise ValueError(f'match is {match!r}, but must be "separate", "shared" or "raw"')


def _score_map(params, layer, vectors):
    """Scaled scores of every symbol with every vector."""
    trace = forward(params, Batch(vectors, vectors, vectors, None), layer)
    q, k = trace.q[0], trace.k[0]
    scale = q.shape[-1] ** -0.5 if layer.scale is None else layer.scale
    return scale * attention_scores(q, k)[: len(vectors) // 2]


# Lesson 06: why the scores are divided --------------------------------------------------------------


class Saturation(NamedTuple):
    """One entry per d_k, over 500 random queries and 64 random keys.

    Standard deviation of the scores, mean largest weight, mean entropy divided by ln 64, share of
    queries with a weight above 0.99, mean and median norm of the softmax Jacobian.
    """

    sizes: np.ndarray
    std: np.ndarray
    largest: np.ndarray
    entropy: np.ndarray
    saturated: np.ndarray
    jacobian: np.ndarray
    jacobian_median: np.ndarray


def saturation(power=0.5, sizes=(4, 16, 64, 256, 1024), seed=0):
    """Look at softmax weights when q k is divided by d_k ** power, before any training.

    Power 0 divides by nothing, 0.5 by the root, 1 by d_k itself. Components of q and k are
    independent normal numbers of mean 0 and variance 1.

    Examples
    --------
    >>> saturation(power=0).std.round(0), saturation(power=0.5).std.round(1)
    (array([ 2.,  4.,  8., 16., 32.]), array([1., 1., 1., 1., 1.]))
    """
    rows = [_saturation(np.random.default_rng(seed), d_k, power) for d_k in sizes]
    return Saturation(np.array(sizes), *np.array(rows).T)


def _saturation(rng, d_k, power):
    q, k = rng.normal(size=(500, d_k)), rng.normal(size=(64, d_k))
    scale = float(d_k) ** -power
    _, a = attention(q, k, np.zeros((64, 1)), scale=scale)
    surprise = -np.log(np.where(a > 0, a, 1))
    # |diag(a) - a aᵀ|² summed over all entries, without building the matrix
    square = (a**2).sum(axis=-1)
    jacobian = np.sqrt(np.maximum(square - 2 * (a**3).sum(axis=-1) + square**2, 0))
    return (
        (scale * attention_scores(q, k)).std(), a.max(axis=-1).mean(),
        (a * surprise).sum(axis=-1).mean() / np.log(64), (a.max(axis=-1) > 0.99).mean(),
        jacobian.mean(), np.median(jacobian),
    )  # fmt: skip


class Scaling(NamedTuple):
    """Final loss and share of right answers for each learning rate; the best one; its curve.

    `saturated` is the share of queries with a weight above 0.99 before training, `chance` the
    loss of looking everywhere alike, `floor` the lowest loss there is.
    """

    rates: np.ndarray
    losses: np.ndarray
    right: np.ndarray
    best: int
    curve: np.ndarray
    saturated: float
    chance: float
    floor: float


RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


def scaling_experiment(seed=0, power=0.5, d_k=256, shrink=1.0, rates=RATES):
    """Train W_Q and W_K to find 16 random keys, dividing the scores by d_k ** power.

    Each query must put its weight on the key made from the same vector. Plain gradient descent,
    200 steps, once for every learning rate, so that each power is judged at its own best one.

    Parameters
    ----------
    seed : int
    power : float
        0 divides by nothing, 0.5 by the root, 1 by d_k itself.
    d_k : int
    shrink : float
        Factor on the starting W_Q and W_K: ``d_k ** -0.25`` makes unscaled scores start small.
    rates : sequence of float

    Returns
    -------
    Scaling

    Examples
    --------
    >>> result = scaling_experiment(d_k=64, rates=(0.3,))
    >>> round(result.losses[0], 1), result.right[0], result.saturated
    (0.1, np.float64(1.0), np.float64(0.0))
    """
    rng = np.random.default_rng(seed)
    x, labels = rng.normal(size=(16, 64)), np.arange(16)
    batch = Batch(x, x, one_hot(labels, 16), labels)
    layer = Layer(scale=float(d_k) ** -power)
    params = {name: shrink * w for name, w in start(rng, w_q=(64, d_k), w_k=(64, d_k)).items()}
    first = forward(params, batch, layer).weights[0]
    curves, right = [], []
    for rate in rates:
        trained, curve = train(
            params, lambda: batch, read_out_loss, layer, steps=200, rate=rate, update=sgd
        )
        trace = forward(trained, batch, layer)
        curves.append(np.append(curve, read_out_loss(trace.output, labels)[0]))
        right.append((trace.weights[0].argmax(axis=-1) == labels).mean())
    losses = np.array([curve[-1] for curve in curves])
    best = int(losses.argmin())
    return Scaling(
        np.array(rates), losses, np.array(right), best, curves[best],
        (first.max(axis=-1) > 0.99).mean(), np.log(16), np.log1p(15 * np.exp(-READ_OUT)),
    )  # fmt: skip


# Lesson 08: reading the future ------------------------------------------------------------------------

N_WORDS, N_PLACES = 12, 16


class NextToken(NamedTuple):
    """What the trained model scores, in nats, and how it writes.

    `train_loss` is the mean of the last 20 steps; `held_out_loss` on new texts shown whole, as in
    training; `prefix_losses[t]` when only t + 1 words are shown; `prefix_loss` and
    `prefix_accuracy` their mean; `legal` the share of steps in its own texts that the language
    allows (chance 0.25); `weights` (16, 16) the mean over new texts; `entropy` of the language.
    """

    train_loss: float
    held_out_loss: float
    prefix_loss: float
    prefix_losses: np.ndarray
    prefix_accuracy: float
    legal: float
    weights: np.ndarray
    curve: np.ndarray
    entropy: float
    params: dict


def next_token_logits(params, words, causal=True):
    """Run the model on words (..., n), at most 16 of them: logits (..., n, 12) of the next word.

    Examples
    --------
    >>> next_token_logits(next_token_start(), np.array([[3, 1, 4]])).shape
    (1, 3, 12)
    """
    return _read(params, words, causal).output


def next_token_start(seed=0):
    """Give the untrained model: one head with d_k = d_v = 16.

    Examples
    --------
    >>> next_token_start()["w_o"].shape
    (16, 12)
    """
    d_model = N_WORDS + N_PLACES
    shapes = dict(w_q=(d_model, 16), w_k=(d_model, 16), w_v=(d_model, 16), w_o=(16, N_WORDS))
    return start(np.random.default_rng(seed), **shapes)


def _read(params, words, causal):
    x = placed(words, N_WORDS, N_PLACES)
    layer = Layer(mask=causal_mask(words.shape[-1]) if causal else None)
    return forward(params, Batch(x, x, x, None), layer)


def next_token_experiment(seed=0, causal=True):
    """Train one head to name the next word, with or without the causal mask, and test it honestly.

    The language has 12 words, each followed by one of three (0.6, 0.3, 0.1), so no model that
    sees only the past can get below its entropy, 0.90 nats.

    Parameters
    ----------
    seed : int
    causal : bool

    Returns
    -------
    NextToken

    Examples
    --------
    >>> leak = next_token_experiment(causal=False)
    >>> leak.held_out_loss < 0.3 < leak.entropy < leak.prefix_loss
    True
    """
    rng = np.random.default_rng(seed)
    chances = language(rng)
    layer = Layer(mask=causal_mask(N_PLACES) if causal else None)

    def draw(size=32):
        words = text(rng, chances, size, N_PLACES + 1)
        x = placed(words[:, :-1], N_WORDS, N_PLACES)
        return Batch(x, x, x, words[:, 1:])

    params, curve = train(
        next_token_start(seed), draw, cross_entropy, layer, steps=300, rate=0.02
    )
    words = text(rng, chances, 500, N_PLACES + 1)
    whole = _read(params, words[:, :-1], causal)
    held_out_loss, _ = cross_entropy(whole.output, words[:, 1:])
    prefix_losses, prefix_accuracy = _prefix_only(params, words, causal)
    return NextToken(
        curve[-20:].mean(), held_out_loss, prefix_losses.mean(), prefix_losses, prefix_accuracy,
        _legal(params, rng, words[:, :1], chances, causal), whole.weights[:, 0].mean(axis=0),
        curve, entropy(chances), params,
    )  # fmt: skip


def _prefix_only(params, words, causal):
    """Loss for each length of prefix, and the accuracy, when no later word exists."""
    losses, right = [], []
    for t in range(1, words.shape[-1]):
        last = next_token_logits(params, words[:, :t], causal)[:, -1]
        losses.append(cross_entropy(last, words[:, t])[0])
        right.append((last.argmax(axis=-1) == words[:, t]).mean())
    return np.array(losses), np.mean(right)


def _legal(params, rng, words, chances, causal):
    """Share of allowed steps in texts that the model writes word by word."""
    while words.shape[-1] < N_PLACES:
        last = next_token_logits(params, words, causal)[:, -1]
        likely = np.exp(last - last.max(axis=-1, keepdims=True))
        word = draw_words(rng, likely / likely.sum(axis=-1, keepdims=True))
        words = np.concatenate([words, word[:, None]], axis=-1)
    return (chances[words[:, :-1], words[:, 1:]] > 0).mean()


# Lesson 11: several heads -------------------------------------------------------------------------------


class Heads(NamedTuple):
    """Joint accuracy, accuracy per read-out, and what each head looks at.

    `looks` (h, 2): mean weight on the word 1 back and 3 back; `weights` (h, 12, 12) the mean over
    new texts; `gap` the largest difference between any head's matrices and those of head 0.
    """

    accuracy: float
    accuracy_each: np.ndarray
    looks: np.ndarray
    weights: np.ndarray
    gap: float
    parameters: int
    params: dict


def heads_experiment(seed=0, h=2, same_start=False):
    """Name the words 1 and 3 places back, with h heads that share 32 dimensions.

    The number of parameters is the same for every h. Words are random, so nothing but looking
    at the right two places helps.

    Parameters
    ----------
    seed : int
    h : int
        1, 2 or 4.
    same_start : bool
        True: all heads start from the same numbers.

    Returns
    -------
    Heads

    Examples
    --------
    >>> heads_experiment(h=2).accuracy > 0.99 > 0.6 > heads_experiment(h=1).accuracy
    True
    >>> heads_experiment(h=2, same_start=True).gap
    0.0
    """
    rng = np.random.default_rng(seed)
    params = start(rng, w_v=(32, 32), w_q=(32, 32), w_k=(32, 32), w_o=(32, 40))
    if same_start:
        params = _clone_first_head(params, h)
    layer = Layer(h=h, mask=causal_mask(12))
    params, _ = train(
        params, lambda: look_back_batch(rng, 32), cross_entropy, layer, steps=200, rate=0.02
    )
    batch = look_back_batch(rng, 500)
    trace = forward(params, batch, layer)
    right = (trace.output.reshape(500, 12, 2, 20).argmax(axis=-1) == batch.target)[:, 3:]
    weights, place = trace.weights.mean(axis=0), np.arange(3, 12)
    looks = np.stack([weights[:, place, place - b].mean(axis=-1) for b in (1, 3)], axis=-1)
    return Heads(
        right.all(axis=-1).mean(), right.mean(axis=(0, 1)), looks, weights,
        _gap(params, h), _count(params), params,
    )  # fmt: skip


def _by_head(params, h):
    """Cut every matrix into its heads: columns of W_Q, W_K, W_V, rows of W_O."""
    return {n: np.stack(np.split(w, h, axis=0 if n == "w_o" else 1)) for n, w in params.items()}


def _clone_first_head(params, h):
    return {
        n: np.concatenate([heads[0]] * h, axis=0 if n == "w_o" else 1)
        for n, heads in _by_head(params, h).items()
    }


def _gap(params, h):
    return float(max(np.abs(w - w[0]).max() for w in _by_head(params, h).values()))
