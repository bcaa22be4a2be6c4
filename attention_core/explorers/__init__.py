"""Explorers: one file per lesson; controls wired to matrices and pictures, no mathematics."""
