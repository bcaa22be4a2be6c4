"""Trained models, run and measured with the course's own functions (lessons 15 and 18).

Sources and licences stand beside the data: data/NOTICE.md.
"""

from attention_core.trained.encoder import PREFIX, Encoder, Run
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

__all__ = [
    "MODELS",
    "PREFIX",
    "Encoder",
    "Head",
    "Run",
    "changed_rows",
    "decoder_survey",
    "encoder_input",
    "encoder_weights",
    "frame_times",
    "head_output",
    "head_weights",
    "heads",
    "independent_head",
    "load_head",
    "load_model",
    "loudness",
    "next_tokens",
    "peak_times",
    "row_entropy",
    "score_std",
    "sentences",
    "tokens",
]
