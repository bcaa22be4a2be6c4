"""Say what is wrong with an answer: how it differs, on which input, and the likely cause."""

import inspect
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from attention_core.drawing.numbers import code_text
from attention_core.exercises.checking.causes import (
    Trial,
    as_function,
    likely_cause,
    own_function_called,
)
from attention_core.exercises.checking.compare import altered
from attention_core.exercises.checking.difference import difference
from attention_core.exercises.checking.exercise import Exercise
from attention_core.exercises.checking.sentences import tell
from attention_core.exercises.checking.show import show, show_pair, type_name
from attention_core.exercises.checking.time_limit import TimeLimit, TooSlow
from attention_core.exercises.checking.trial import Outcome, error_text, run
from attention_core.exercises.checking.values import is_blank, size

__all__ = ["CORRECT", "NOT_STARTED", "NOT_YET", "SECONDS", "Verdict", "diagnose"]

CORRECT, NOT_YET, NOT_STARTED = "correct", "not yet", "not started"
SECONDS = 5.0  # for all cases of one exercise together; right answers take milliseconds

MOST_LINES = 8  # of what a function prints


class Verdict(NamedTuple):
    """What `check` found: one of the three states, and the lines that explain it."""

    state: str
    lines: tuple[str, ...] = ()


def diagnose(exercise: Exercise, answer: Any) -> Verdict:
    """Judge an answer: not started, not yet (with the reasons), or correct."""
    if answer is None or is_blank(answer):
        return Verdict(NOT_STARTED)
    wrong_kind = _wrong_kind(exercise, answer)
    if wrong_kind:
        return Verdict(NOT_YET, (wrong_kind,))
    trials = try_all(exercise, answer)
    if trials[0].got.error is None and is_blank(trials[0].got.value):
        return Verdict(NOT_STARTED)
    remark = own_function_called(exercise, answer)
    remarks = (remark,) if remark else ()
    failing = next((trial for trial in trials if _fault(exercise, trial)), None)
    if failing is None:
        return Verdict(CORRECT, remarks)
    return Verdict(NOT_YET, (*_explain(exercise, answer, trials, failing), *remarks))


def try_all(exercise: Exercise, answer: Any) -> list[Trial]:
    """The answer on every case, smallest first; one that takes too long is the last."""
    solve, attempt = as_function(exercise.solution), as_function(answer)
    known = [(inputs, solve(*deepcopy(inputs))) for inputs in exercise.cases()]
    trials: list[Trial] = []
    limit = TimeLimit(SECONDS)
    try:
        with limit:
            for inputs, expected in known:
                trials.append(Trial(inputs, expected, run(attempt, inputs)))
                if isinstance(trials[-1].got.error, TooSlow):
                    break
    except TooSlow as late:  # between two calls
        limit.call_off()
        inputs, expected = known[min(len(trials), len(known) - 1)]
        trials.append(Trial(inputs, expected, Outcome(None, late, inputs)))
    return trials


def _names(exercise: Exercise) -> list[str]:
    if not callable(exercise.solution):
        return []
    return list(inspect.signature(exercise.solution).parameters)


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
    if trial.got.error is not None:
        return _error_said(trial.got.error)
    if exercise.also_right and _also_right(exercise, trial.got.value):
        return None
    sentence = difference(
        trial.expected, trial.got.value, exercise.rule, reveal=not exercise.wants_value
    )
    if sentence:
        return sentence
    for name, before, after in zip(_names(exercise), trial.inputs, trial.got.inputs, strict=False):
        if altered(before, after):
            return tell("changed", name=name)
    return None


def _also_right(exercise: Exercise, value: Any) -> bool:
    try:
        return bool(exercise.also_right(value))
    except Exception:  # a value of another kind altogether
        return False


def _error_said(error: BaseException) -> str:
    if isinstance(error, TooSlow):
        return tell("too_slow", seconds=code_text(SECONDS))
    text = error_text(error)
    return tell("raised" if text else "raised_bare", kind=type_name(error), text=text)


def _explain(
    exercise: Exercise, answer: Any, trials: list[Trial], failing: Trial
) -> tuple[str, ...]:
    lines = [_fault(exercise, failing), *_line_shown(failing), *_inputs_shown(exercise, failing)]
    if not exercise.wants_value:
        lines += _outputs_shown(failing)
    lines += _printed_shown(failing)
    cause = likely_cause(exercise, answer, trials)
    if cause:
        lines.append(tell("likely", message=cause))
    return tuple(lines)


def _line_shown(trial: Trial) -> list[str]:
    """Where in the answer's own code an error arose."""
    if trial.got.line is None or isinstance(trial.got.error, TooSlow):
        return []
    number_of_line, code = trial.got.line
    return [tell("raised_at" if code else "raised_at_line", line=number_of_line, code=code)]


def _printed_shown(trial: Trial) -> list[str]:
    printed = trial.got.printed.rstrip().split("\n")
    if printed == [""]:
        return []
    if len(printed) > MOST_LINES:
        printed = [*printed[:MOST_LINES], "..."]
    return [tell("printed"), *(f"  {line}" for line in printed)]


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
