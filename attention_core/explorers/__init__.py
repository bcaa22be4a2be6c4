"""Explorers: one file per lesson; controls wired to matrices and pictures, no mathematics."""

from attention_core.explorers.causal_mask import causal_mask_explorer
from attention_core.explorers.overview import overview_explorer
from attention_core.explorers.softmax import softmax_explorer

__all__ = ["causal_mask_explorer", "overview_explorer", "softmax_explorer"]
