"""The same answer in O(n) memory: running softmax, tiles, and what both forms cost (lesson 17)."""

from attention_core.blockwise.attention import blockwise_attention

__all__ = ["blockwise_attention"]
