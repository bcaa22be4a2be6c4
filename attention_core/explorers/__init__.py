"""Explorers: one file per lesson; controls wired to matrices and pictures, no mathematics."""

from attention_core.explorers.by_hand import by_hand_explorer
from attention_core.explorers.causal_mask import causal_mask_explorer
from attention_core.explorers.clinic import clinic_explorer
from attention_core.explorers.closing import closing_explorer
from attention_core.explorers.cross import cross_explorer
from attention_core.explorers.dot_product import dot_product_explorer
from attention_core.explorers.gradients import gradients_explorer
from attention_core.explorers.head_shapes import head_shapes_explorer
from attention_core.explorers.heads import heads_explorer
from attention_core.explorers.long import long_explorer
from attention_core.explorers.match import match_explorer
from attention_core.explorers.overview import overview_explorer
from attention_core.explorers.parameters import parameters_explorer
from attention_core.explorers.project import project_explorer
from attention_core.explorers.roles import roles_explorer
from attention_core.explorers.scaling import scaling_explorer
from attention_core.explorers.scores import scores_explorer
from attention_core.explorers.search import search_explorer
from attention_core.explorers.softmax import softmax_explorer
from attention_core.explorers.trained import trained_explorer

__all__ = [
    "by_hand_explorer",
    "causal_mask_explorer",
    "clinic_explorer",
    "closing_explorer",
    "cross_explorer",
    "dot_product_explorer",
    "gradients_explorer",
    "head_shapes_explorer",
    "heads_explorer",
    "long_explorer",
    "match_explorer",
    "overview_explorer",
    "parameters_explorer",
    "project_explorer",
    "roles_explorer",
    "scaling_explorer",
    "scores_explorer",
    "search_explorer",
    "softmax_explorer",
    "trained_explorer",
]
