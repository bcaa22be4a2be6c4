"""What explorers of softmax(QKᵀ/√d_k + M)V share: kinds of matrices, masks, words, the map."""

from attention_core.explorers.machine.formula import brace, formula_map, symbol
from attention_core.explorers.machine.kinds import (
    DIMENSION,
    FEATURE_AXIS,
    KINDS,
    fraction,
    logits_of_qk,
    matrix,
    scaled_only,
)
from attention_core.explorers.machine.masks import (
    MASKS,
    alone,
    logits_title,
    mask_preset,
    masked_frame,
    scaling_check,
    weights_frame,
)
from attention_core.explorers.machine.readings import (
    cell_text,
    matrix_text,
    reading_lines,
    weight_text,
)
from attention_core.explorers.machine.words import named_values, say_open

__all__ = [
    "DIMENSION",
    "FEATURE_AXIS",
    "KINDS",
    "MASKS",
    "alone",
    "brace",
    "cell_text",
    "formula_map",
    "fraction",
    "logits_of_qk",
    "logits_title",
    "mask_preset",
    "masked_frame",
    "matrix",
    "matrix_text",
    "named_values",
    "reading_lines",
    "say_open",
    "scaled_only",
    "scaling_check",
    "symbol",
    "weight_text",
    "weights_frame",
]
