"""The likely cause of a wrong answer: a known mistake that explains all of it, or its code."""

from collections.abc import Callable
from typing import Any, NamedTuple

from attention_core.exercises.checking.compare import Rule, altered, same, with_known_keys
from attention_core.exercises.checking.exercise import Exercise, Mistake
from attention_core.exercises.checking.reading import (
    course_functions,
    notebook_variables,
    parameters,
    unread_parameters,
)
from attention_core.exercises.checking.sentences import as_written, tell
from attention_core.exercises.checking.trial import Outcome, error_text, run

__all__ = [
    "Trial",
    "as_function",
    "likely_cause",
    "likely_mistake",
    "own_function_called",
    "variable_read",
]

SIZES = {"n", "n_q", "n_k", "d", "d_k", "d_v", "d_model", "d_head", "h"}


class Trial(NamedTuple):
    """One case, with what the solution and the answer make of it."""

    inputs: tuple
    expected: Any
    got: Outcome


def as_function(thing: Any) -> Callable:
    """An answer, a solution or a mistake as a function of the cases' arguments."""
    return thing if callable(thing) else lambda *inputs: thing


def likely_cause(exercise: Exercise, answer: Any, trials: list[Trial]) -> str | None:
    """One or two sentences on where a wrong answer comes from, or None."""
    mistake = likely_mistake(exercise, trials)
    if mistake:
        return as_written(mistake.message)
    return variable_read(answer)


def likely_mistake(exercise: Exercise, trials: list[Trial]) -> Mistake | None:
    """The known mistake that does what the answer does on every case; of several, the narrowest."""
    alike = [
        mistake
        for mistake in exercise.known_mistakes
        if all(_agrees(exercise, mistake, trial) for trial in trials)
    ]
    return min(alike, key=_entries, default=None)


def _entries(mistake: Mistake) -> int:
    return len(mistake.wrong) if isinstance(mistake.wrong, dict) else 0


def _agrees(exercise: Exercise, mistake: Mistake, trial: Trial) -> bool:
    """Whether a mistake explains what the answer did in one trial."""
    would = run(as_function(mistake.wrong), trial.inputs)
    got = trial.got
    if would.error is not None or got.error is not None:
        return _error(would) == _error(got)
    if isinstance(trial.expected, dict) and isinstance(would.value, dict):
        return _explains(trial.expected, would.value, got.value, exercise.rule)
    if not same(would.value, got.value, exercise.rule):
        return False
    return altered(trial.inputs, would.inputs) == altered(trial.inputs, got.inputs)


def _error(outcome: Outcome) -> tuple:
    return type(outcome.error), outcome.error is not None and error_text(outcome.error)


def _explains(expected: dict, would: dict, got: Any, rule: Rule) -> bool:
    """For dictionaries: every entry that is wrong is wrong just as this mistake makes it."""
    if not isinstance(got, dict):
        return False
    got = with_known_keys(expected, got)
    wrong = [key for key in got if key not in expected or not same(expected[key], got[key], rule)]
    return bool(wrong) and all(key in would and same(would[key], got[key], rule) for key in wrong)


def variable_read(answer: Any) -> str | None:
    """The code reads a variable of the notebook where it should read its own parameter."""
    ignored, own = unread_parameters(answer), parameters(answer)
    folded = {name.casefold().strip("_") for name in own} | SIZES
    outside = [
        name
        for name in notebook_variables(answer)
        if ignored or name.casefold().strip("_") in folded
    ]
    if not outside:
        return None
    names = ", ".join(f"`{name}`" for name in outside)
    return tell("variable_read", names=names, parameters=", ".join(f"`{one}`" for one in own))


def own_function_called(exercise: Exercise, answer: Any) -> str | None:
    """A kind word where the answer calls the very function that is to be written."""
    called = [name for name in course_functions(answer) if name in exercise.stands_for]
    return tell("own_function_called", name=called[0]) if called else None
