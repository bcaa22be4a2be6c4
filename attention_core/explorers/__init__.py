"""Explorers: one file per lesson; controls wired to matrices and pictures, no mathematics."""

from attention_core.explorers.overview import overview_explorer

__all__ = ["overview_explorer"]
