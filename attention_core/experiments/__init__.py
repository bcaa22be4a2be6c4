"""Experiments that put the claims of the lessons to the test: each one trains, then measures.

One file per lesson. Every function takes a seed and one switch, is deterministic, and returns a
NamedTuple of plain numbers and arrays. Run it with the switch both ways and compare.
"""

from attention_core.experiments.heads import Heads, heads_experiment
from attention_core.experiments.next_token import (
    NextToken,
    next_token_experiment,
    next_token_logits,
    next_token_start,
)
from attention_core.experiments.partners import Partners, partner_experiment
from attention_core.experiments.recall import Recall, recall_experiment
from attention_core.experiments.scaling import Saturation, Scaling, saturation, scaling_experiment

__all__ = [
    "Heads",
    "NextToken",
    "Partners",
    "Recall",
    "Saturation",
    "Scaling",
    "heads_experiment",
    "next_token_experiment",
    "next_token_logits",
    "next_token_start",
    "partner_experiment",
    "recall_experiment",
    "saturation",
    "scaling_experiment",
]
