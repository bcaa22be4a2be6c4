"""Say what is wrong with an answer: how it differs, on which input, and the likely cause."""

import inspect
from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from attention_core.exercises.checking.compare import altered, difference, is_blank, same, size
from attention_core.exercises.checking.exercise import Exercise, Mistake
from attention_core.exercises.checking.sentences import as_written, tell
from attention_core.exercises.checking.show import show, show_pair, type_name
from attention_core.exercises.checking.trial import Outcome, error_text, run

__all__ = ["CORRECT", "NOT_STARTED", "NOT_YET", "Verdict", "diagnose", "planted"]

CORRECT, NOT_YET, NOT_STARTED = "correct", "not yet", "not started"


class Trial(NamedTuple):
    """One case, with what the solution and the answer make of it."""

    inputs: tuple
    expected: Any
    got: Outcome


class Verdict(NamedTuple):
    """What `check` found: one of the three states, and the lines that explain "not yet"."""

    state: str
    lines: tuple[str, ...] = ()


def _as_function(exercise: Exercise, thing: Any) -> Callable:
    """An answer, a solution or a mistake as a function of the cases' arguments."""
    return thing if callable(thing) else lambda *inputs: thing


def _names(exercise: Exercise) -> list[str]:
    if not callable(exercise.solution):
        return []
    return list(inspect.signature(exercise.solution).parameters)


def diagnose(exercise: Exercise, answer: Any) -> Verdict:
    """Judge an answer: not started, not yet (with the reasons), or correct."""
    if answer is None or is_blank(answer):
        return Verdict(NOT_STARTED)
    wrong_kind = _wrong_kind(exercise, answer)
    if wrong_kind:
        return Verdict(NOT_YET, (wrong_kind,))
    solve, attempt = _as_function(exercise, exercise.solution), _as_function(exercise, answer)
    trials = [
        Trial(inputs, solve(*deepcopy(inputs)), run(attempt, inputs)) for inputs in exercise.cases()
    ]
    if trials[0].got.error is None and is_blank(trials[0].got.value):
        return Verdict(NOT_STARTED)
    failing = next((trial for trial in trials if _fault(exercise, trial)), None)
    if failing is None:
        return Verdict(CORRECT)
    return Verdict(NOT_YET, _explain(exercise, trials, failing))


def _wrong_kind(exercise: Exercise, answer: Any) -> str | None:
    """A value for a function, a function for a value, or too few or too many arguments."""
    if not callable(answer):
        return None if exercise.wants_value else tell("needs_function", name=exercise.name)
    try:
        signature = inspect.signature(answer)
    except (TypeError, ValueError):
        return None
    names = _names(exercise)
    try:
        signature.bind(*next(iter(exercise.cases())))
    except TypeError:
        if exercise.wants_value:
            return tell("needs_value")
        many = "one_argument" if len(names) == 1 else "many_arguments"
        return tell("arguments", count=tell(many, count=len(names)), names=", ".join(names))
    return None


def _fault(exercise: Exercise, trial: Trial) -> str | None:
    """The sentence that says what is wrong in one trial, or None."""
    error = trial.got.error
    if error is not None:
        text = error_text(error)
        sentence = "raised" if text else "raised_bare"
        return tell(sentence, kind=type_name(error), text=text)
    sentence = difference(
        trial.expected, trial.got.value, exercise.tolerance, reveal=not exercise.wants_value
    )
    if sentence:
        return sentence
    for name, before, after in zip(_names(exercise), trial.inputs, trial.got.inputs, strict=False):
        if altered(before, after):
            return tell("changed", name=name)
    return None


def _explain(exercise: Exercise, trials: list[Trial], failing: Trial) -> tuple[str, ...]:
    lines = [_fault(exercise, failing), *_inputs_shown(exercise, failing)]
    if not exercise.wants_value:
        lines += _outputs_shown(failing)
    mistake = _likely_mistake(exercise, trials, failing)
    if mistake:
        lines.append(tell("likely", message=as_written(mistake.message)))
    return tuple(lines)


def _readable(trial: Trial) -> Any:
    """What came back, as an array where an array of numbers was asked for."""
    value = trial.got.value
    if isinstance(trial.expected, np.ndarray) and isinstance(value, list | tuple):
        try:
            return np.asarray(value, dtype=float)
        except Exception:
            return value
    return value


def _inputs_shown(exercise: Exercise, trial: Trial) -> list[str]:
    if not trial.inputs:
        return []
    lines = [tell("input")]
    for name, value in zip(_names(exercise), trial.inputs, strict=False):
        lines += _indented(f"{name} = {show(value)}", len(name) + 3)
    return lines


def _outputs_shown(trial: Trial) -> list[str]:
    """Expected and got, where there is more to see than the one number already named."""
    got = _readable(trial)
    if trial.got.error is not None or got is None or size(trial.expected) == size(got) == 1:
        return []
    expected_text, got_text = show_pair(trial.expected, got)
    if expected_text == got_text:
        return []
    return [tell("expected"), *_indented(expected_text), tell("got"), *_indented(got_text)]


def _indented(text: str, hang: int = 0) -> list[str]:
    first, *rest = text.split("\n")
    return ["  " + first, *("  " + " " * hang + line for line in rest)]


def _likely_mistake(exercise: Exercise, trials: list[Trial], failing: Trial) -> Mistake | None:
    """The known mistake that gives what the answer gave, on the failing case and most others."""
    best, most = None, 0
    for mistake in exercise.known_mistakes:
        if not _agrees(exercise, mistake, failing):
            continue
        agreeing = sum(_agrees(exercise, mistake, trial) for trial in trials)
        if agreeing > most:
            best, most = mistake, agreeing
    return best


def _agrees(exercise: Exercise, mistake: Mistake, trial: Trial) -> bool:
    """Whether a mistake explains what the answer did in one trial."""
    would = run(_as_function(exercise, mistake.wrong), trial.inputs)
    got = trial.got
    if would.error is not None or got.error is not None:
        return _error(would) == _error(got)
    if isinstance(trial.expected, dict) and isinstance(would.value, dict):
        return _agrees_in_part(exercise, trial.expected, would.value, got.value)
    if not same(would.value, got.value, exercise.tolerance):
        return False
    return altered(trial.inputs, would.inputs) == altered(trial.inputs, got.inputs)


def _error(outcome: Outcome) -> tuple:
    return type(outcome.error), outcome.error is not None and error_text(outcome.error)


def _agrees_in_part(exercise: Exercise, expected: dict, would: dict, got: Any) -> bool:
    """For dictionaries: the answer shares the entries that make this mistake."""
    wrong = [key for key in would if not same(expected.get(key), would[key], exercise.tolerance)]
    return isinstance(got, dict) and all(
        key in got and same(would[key], got[key], exercise.tolerance) for key in wrong
    )


def planted(exercise: Exercise, mistake: Mistake) -> Any:
    """The answer that somebody who makes this mistake would hand in."""
    if not isinstance(mistake.wrong, dict):
        return mistake.wrong
    right = exercise.solution() if callable(exercise.solution) else exercise.solution
    return {**right, **mistake.wrong}
