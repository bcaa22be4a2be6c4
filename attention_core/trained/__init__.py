"""Trained models, run and measured with the course's own functions (lessons 15 and 18).

Sources and licences stand beside the data: data/NOTICE.md.
"""

from attention_core.trained.broken import BROKEN
from attention_core.trained.comparing import Comparison, compare, same_places
from attention_core.trained.encoder import PREFIX, Encoder, Run
from attention_core.trained.finding import best_matches, cosines, hits, margin, search_test
from attention_core.trained.handed_in import every_head, written
from attention_core.trained.labels import Label, head_labels, moves_on
from attention_core.trained.measured import (
    changed_rows,
    head_output,
    head_weights,
    independent_head,
    peak_times,
    row_entropy,
    score_std,
)
from attention_core.trained.model_file import load_model
from attention_core.trained.mystery import MYSTERY
from attention_core.trained.patterns import patterns, row_hits, row_shares
from attention_core.trained.pieces import TextError
from attention_core.trained.readers import carried, places, reads, strongest
from attention_core.trained.reliability import Reliability, reliabilities, reliability
from attention_core.trained.stored_file import (
    MODELS,
    decoder_survey,
    encoder_input,
    encoder_weights,
    frame_times,
    loudness,
    next_tokens,
)
from attention_core.trained.stored_heads import Head, heads, load_head, sentences, tokens
from attention_core.trained.texts import annotated, near_twins, questions, sentence_pairs

__all__ = [
    "BROKEN",
    "MODELS",
    "MYSTERY",
    "PREFIX",
    "Comparison",
    "Encoder",
    "Head",
    "Label",
    "Reliability",
    "Run",
    "TextError",
    "annotated",
    "best_matches",
    "carried",
    "changed_rows",
    "compare",
    "cosines",
    "decoder_survey",
    "encoder_input",
    "encoder_weights",
    "every_head",
    "frame_times",
    "head_labels",
    "head_output",
    "head_weights",
    "heads",
    "hits",
    "independent_head",
    "load_head",
    "load_model",
    "loudness",
    "margin",
    "moves_on",
    "near_twins",
    "next_tokens",
    "patterns",
    "peak_times",
    "places",
    "questions",
    "reads",
    "reliabilities",
    "reliability",
    "row_entropy",
    "row_hits",
    "row_shares",
    "same_places",
    "score_std",
    "search_test",
    "sentence_pairs",
    "sentences",
    "strongest",
    "tokens",
    "written",
]
