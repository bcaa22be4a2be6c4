"""Exercises that check themselves, and predictions to make before a result is shown.

In a lesson: ``check("name", answer)``, ``hint("name")``, ``solution("name")``,
``progress("07")`` and ``predict("07.1")``. A lesson's functions stand in ``lesson_NN.py``, all its
words in ``lesson_NN.toml``; the engine is in ``checking``.
"""

from attention_core.exercises.checking.commands import check, hint, solution
from attention_core.exercises.predictions.predict import predict
from attention_core.exercises.results.progress import progress

__all__ = ["check", "hint", "predict", "progress", "solution"]
