"""What every lesson has at hand from its first cell on."""

from attention_core.exercises import check, hint, predict, progress, solution
from attention_core.figures import table
from attention_core.language import use_language

__all__ = ["check", "hint", "predict", "progress", "solution", "table", "use_language"]
