"""Lesson 05: what matches is learned, not a likeness of the tokens."""

from typing import NamedTuple

import numpy as np

from attention_core.attention import attention_scores
from attention_core.experiments.layer import PLAIN, Batch, Layer, forward
from attention_core.experiments.losses import read_out_loss
from attention_core.experiments.tasks import partner_batch, partner_world
from attention_core.experiments.training import init_params, n_parameters, train


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
    """How well the label of the partner is fetched, while distractors are in the list.

    Twelve symbols form rings of three: a looks for b, b for c, c for a. The list always holds the
    one that looks for me, too (the seeker). Only the matching is trained: values are one-hot
    labels. One matrix for both makes scores symmetric; then, in each ring, one of the three must
    prefer its seeker or be undecided, so at most 2/3 of the answers can be right.

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
    if params:
        params, _ = train(
            params, lambda: partner_batch(rng, rng.integers(12, size=32), vectors, partner),
            read_out_loss, layer, steps=300, rate=0.03,
        )  # fmt: skip
    batch = partner_batch(rng, np.tile(np.arange(12), 200), vectors, partner)
    trace = forward(params, batch, layer)
    looks = trace.weights[:, 0, 0, :3].mean(axis=0).tolist()
    scores, cosines = _score_map(params, layer, vectors), vectors[:12] @ vectors.mT
    others = ~np.eye(12, 24, dtype=bool)
    correlation = np.corrcoef(scores[others], cosines[others])[0, 1]
    accuracy = (trace.output.argmax(axis=-1) == batch.target).mean()
    return Partners(
        float(accuracy), *looks, float(correlation), scores, cosines, partner, n_parameters(params)
    )


def _matching(rng, match, d_model, d_k):
    if match == "raw":
        return {}, Layer(scale=10.0)
    if match == "shared":
        return init_params(rng, w_q=(d_model, d_k)), Layer(tied={"w_k": "w_q"})
    if match == "separate":
        return init_params(rng, w_q=(d_model, d_k), w_k=(d_model, d_k)), PLAIN
    raise ValueError(f'match is {match!r}, but must be "separate", "shared" or "raw"')


def _score_map(params, layer, vectors):
    """Scaled scores of every symbol with every vector."""
    trace = forward(params, Batch(vectors, vectors, vectors, None), layer)
    q, k = trace.q, trace.k
    scale = q.shape[-1] ** -0.5 if layer.scale is None else layer.scale
    return scale * attention_scores(q, k)[: len(vectors) // 2]
