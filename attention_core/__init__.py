"""attention_core: attention in plain NumPy, written so that it reads like the formulas.

    softmax(Q Kᵀ / √d_k + M) V

Which lesson explains which file:
    01, 02          projections.py   X W_Q, X W_K, X W_V
    03-06, 09, 10   attention.py     scores, scaling, mask, softmax, mixture
    07              softmax.py       from scores to weights
    08              masks.py         who may look at whom
    11, 12          heads.py         several heads in parallel
    16              gradients.py     the backward pass
    17              blockwise/       the same answer in O(n) memory
Beside them: example.py (the sentence of lessons 00 to 14), trained/ (15, 18: heads of real models),
experiments/ (what lessons 03, 05, 06, 08, 11 and 13 try out), measures/, figures/, explorers/,
exercises/; inputs/ reads and refuses arguments, drawing/ knows colours and numbers as text.

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
