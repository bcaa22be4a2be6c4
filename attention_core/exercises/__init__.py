"""Exercises that check themselves, and predictions to make before a result is shown.

In a lesson: ``check("name", answer)``, ``hint("name")``, ``solution("name")``,
``progress("07")`` and ``predict("07.1")``. For authors: ``Exercise``, ``Mistake`` and
``Question``, from which each ``lesson_NN.py`` makes its ``EXERCISES`` and ``QUESTIONS``.
"""

from attention_core.exercises.commands import check, hint, predict, progress, solution
from attention_core.exercises.framework import Exercise, Mistake, Question

__all__ = [
    "Exercise",
    "Mistake",
    "Question",
    "check",
    "hint",
    "predict",
    "progress",
    "solution",
]
