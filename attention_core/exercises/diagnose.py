"""Say what is wrong with an answer: how it differs, on which input, and the likely cause."""

import inspect
from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from attention_core.exercises.compare import altered, difference, is_blank, same, size
from attention_core.exercises.framework import Exercise, Mistake, as_written
from attention_core.exercises.show import show, show_pair, type_name
from attention_core.exercises.trial import Outcome, error_text, run
from attention_core.language import Words, say

__all__ = ["CORRECT", "NOT_STARTED", "NOT_YET", "Verdict", "diagnose", "planted"]

CORRECT, NOT_YET, NOT_STARTED = "correct", "not yet", "not started"

_RAISED = Words("It raised {kind}: {text}", "运行时报错 {kind}：{text}")
_RAISED_BARE = Words("It raised {kind}.", "运行时报错 {kind}。")
_ARGUMENTS = Words(
    "It is called with {count}: {names}. Yours cannot take that.",
    "检查时会传入 {count}：{names}，而你的函数接收不了。",
)
_ONE_ARGUMENT = Words("1 argument", "1 个参数")
_MANY_ARGUMENTS = Words("{count} arguments", "{count} 个参数")
_CHANGED = Words(
    "It changes its input `{name}`. Work on a new array instead: the caller still needs the old.",
    "函数改动了输入 `{name}`。请生成新的数组：调用者还要用原来的那个。",
)
_NEEDS_FUNCTION = Words(
    "The answer here is a function. Hand over the function itself, without calling it: "
    'check("{name}", {name})',
    '这里的答案是一个函数。请把函数本身交给 check，不要先调用它：check("{name}", {name})',
)
_NEEDS_VALUE = Words(
    "The answer here is a value, not a function.",
    "这里的答案是一个值，不是函数。",
)
_INPUT = Words("Smallest input that fails:", "出错的最小输入：")
_EXPECTED = Words("Expected:", "应为：")
_GOT = Words("Got:", "得到：")
_LIKELY = Words("Likely cause: {message}", "可能的原因：{message}")


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
        return None if exercise.wants_value else say(_NEEDS_FUNCTION, name=exercise.name)
    try:
        signature = inspect.signature(answer)
    except (TypeError, ValueError):
        return None
    names = _names(exercise)
    try:
        signature.bind(*next(iter(exercise.cases())))
    except TypeError:
        if exercise.wants_value:
            return say(_NEEDS_VALUE)
        many = _ONE_ARGUMENT if len(names) == 1 else _MANY_ARGUMENTS
        return say(_ARGUMENTS, count=say(many, count=len(names)), names=", ".join(names))
    return None


def _fault(exercise: Exercise, trial: Trial) -> str | None:
    """The sentence that says what is wrong in one trial, or None."""
    error = trial.got.error
    if error is not None:
        text = error_text(error)
        sentence = _RAISED if text else _RAISED_BARE
        return say(sentence, kind=type_name(error), text=text)
    sentence = difference(
        trial.expected, trial.got.value, exercise.tolerance, reveal=not exercise.wants_value
    )
    if sentence:
        return sentence
    for name, before, after in zip(_names(exercise), trial.inputs, trial.got.inputs, strict=False):
        if altered(before, after):
            return say(_CHANGED, name=name)
    return None


def _explain(exercise: Exercise, trials: list[Trial], failing: Trial) -> tuple[str, ...]:
    lines = [_fault(exercise, failing), *_inputs_shown(exercise, failing)]
    if not exercise.wants_value:
        lines += _outputs_shown(failing)
    mistake = _likely_mistake(exercise, trials, failing)
    if mistake:
        lines.append(say(_LIKELY, message=as_written(mistake.message)))
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
    lines = [say(_INPUT)]
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
    return [say(_EXPECTED), *_indented(expected_text), say(_GOT), *_indented(got_text)]


def _indented(text: str, hang: int = 0) -> list[str]:
    first, *rest = text.split("\n")
    return ["  " + first, *("  " + " " * hang + line for line in rest)]


def _likely_mistake(exercise: Exercise, trials: list[Trial], failing: Trial) -> Mistake | None:
    """The known mistake that gives what the answer gave, on the failing case and most others."""
    best, most = None, 0
    for mistake in exercise.mistakes:
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
