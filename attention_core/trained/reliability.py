"""How well does each head keep to a relation? Measured over twenty sentences, not over one."""

from typing import NamedTuple

import numpy as np

from attention_core.trained.patterns import patterns, row_hits, row_shares
from attention_core.trained.readers import places
from attention_core.trained.texts import annotated


class Reliability(NamedTuple):
    """How well every head keeps to a relation over twenty sentences."""

    mean: np.ndarray  # (layers, h): mean weight on the right place
    largest: np.ndarray  # (layers, h): share of the rows in which it is the largest weight
    cases: int


def reliability(model, language, relation):
    """How well every head keeps to a relation, over twenty sentences.

    Parameters
    ----------
    model : Encoder
    language : {"en", "zh"}
    relation : str
        "pron" (a pronoun reads its noun), "adj" (an adjective reads its noun), or the name of one
        of the `patterns`.

    Returns
    -------
    Reliability

    Examples
    --------
    >>> from attention_core.trained import load_model, strongest
    >>> found = reliability(load_model(), "zh", "pron")
    >>> found.cases, strongest(found.mean, count=1)[0][:2]
    (13, (8, 8))
    """
    return reliabilities(model, language, [relation])[relation]


def reliabilities(model, language, relations):
    """Measure several relations, each text running only once: a dict of relation -> Reliability.

    >>> from attention_core.trained import load_model
    >>> [one.cases for one in reliabilities(load_model(), "en", ["pron", "adj"]).values()]
    [13, 23]
    """
    shares, hits = ({relation: [] for relation in relations} for _ in range(2))
    for example in annotated(language):
        run = model.run(example.text)
        drawn = patterns(run.tokens) | {
            kind: word_pairs(run.tokens, example.pairs, kind) for kind in ("pron", "adj")
        }
        for relation in relations:
            shares[relation].append(row_shares(run.weights, drawn[relation]))
            hits[relation].append(row_hits(run.weights, drawn[relation]))
    return {relation: _over_all(shares[relation], hits[relation]) for relation in relations}


def _over_all(shares, hits):
    share, hit = np.concatenate(shares, axis=-1), np.concatenate(hits, axis=-1)
    return Reliability(share.mean(axis=-1), hit.mean(axis=-1), share.shape[-1])


def word_pairs(tokens, pairs, kind):
    """Mark on a map (n, n) where each reader of one kind should look.

    >>> word_pairs(["▁dog", "▁it"], [("pron", "it", "dog")], "pron")[1]
    array([ True, False])
    """
    marked = np.zeros((len(tokens), len(tokens)), bool)
    for found, reader, source in pairs:
        row, columns = places(tokens, reader)[-1], places(tokens, source)
        if found == kind and row not in columns:
            marked[row, columns] = True
    return marked
