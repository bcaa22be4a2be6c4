"""attention_core: attention in plain NumPy, written so that it reads like the formulas.

    softmax(Q Kᵀ / √d_k + M) V

Shapes, everywhere in this course:
    n_q  queries       d_model  size of a token vector     h       heads
    n_k  keys          d_k      size of a query or key     d_head  size of one head
    n    tokens        d_v      size of a value            ...     leading axes, carried along

Layout (..., n, d); heads (..., h, n, d_head); weights (..., h, n_q, n_k).
A Boolean mask is True where a query may look; a float mask is added to the scaled scores.
"""

from attention_core.inputs.libraries import refuse_hidden_libraries

refuse_hidden_libraries()  # before anything imports NumPy

# ruff: noqa: E402
from attention_core.attention import (
    AttentionSteps,
    attention,
    attention_scores,
    attention_steps,
)
from attention_core.blockwise import blockwise_attention
from attention_core.gradients import attention_backward
from attention_core.heads import merge_heads, multi_head_attention, split_heads
from attention_core.language import use_language
from attention_core.masks import additive_mask, causal_mask, combine_masks, padding_mask
from attention_core.projections import MultiHeadWeights, init_multi_head, project
from attention_core.softmax import softmax

__all__ = [
    "AttentionSteps",
    "MultiHeadWeights",
    "additive_mask",
    "attention",
    "attention_backward",
    "attention_scores",
    "attention_steps",
    "blockwise_attention",
    "causal_mask",
    "combine_masks",
    "init_multi_head",
    "merge_heads",
    "multi_head_attention",
    "padding_mask",
    "project",
    "softmax",
    "split_heads",
    "use_language",
]
