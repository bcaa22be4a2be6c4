"""Measures of rows of weights, and of what heads cost: each stands here once."""

from attention_core.measures.costs import Step, head_steps, matrix_product
from attention_core.measures.sharpness import (
    entropy,
    jacobian_size,
    largest_weight,
    normal_density,
)

__all__ = [
    "Step",
    "entropy",
    "head_steps",
    "jacobian_size",
    "largest_weight",
    "matrix_product",
    "normal_density",
]
