"""What a learner calls about an exercise: check, hint, solution."""

from collections import Counter
from typing import Any

from attention_core.exercises.checking.diagnose import (
    CORRECT,
    NOT_STARTED,
    NOT_YET,
    Verdict,
    diagnose,
)
from attention_core.exercises.checking.exercise import Exercise
from attention_core.exercises.checking.lessons import close_names, find_exercise
from attention_core.exercises.checking.sentences import as_written, tell
from attention_core.exercises.checking.show import fold, show, type_name
from attention_core.exercises.checking.trial import quiet
from attention_core.exercises.results.memory import remember

__all__ = ["check", "forget_hints", "hint", "solution"]

NOTHING = object()  # no answer at all; None is a stub's

_hints_given: Counter[str] = Counter()


def forget_hints() -> None:
    """Start the hints of every exercise from the first again."""
    _hints_given.clear()


def check(name: Any = None, answer: Any = NOTHING, *more: Any) -> None:
    """Try an answer on growing inputs and say: not started, not yet (and why), or correct.

    Never raises, so that running all cells always reaches the end.

    Parameters
    ----------
    name : str
        The name of the exercise, as it stands in the lesson.
    answer : callable or value
        The function itself, not a call of it; or a value, where a value is asked for.

    Examples
    --------
    >>> check("softmax_rows", ...)
    ○ softmax_rows: not started. Replace the ... and check again.
    >>> check("softmax_rows")
    The answer is missing: check("softmax_rows", softmax_rows)
    """
    exercise = _known(name, 'check("{name}", {name})')
    if exercise is None:
        return
    name = exercise.name
    if answer is NOTHING or more:
        print(tell("answer_missing" if answer is NOTHING else "one_answer", name=name))
        return
    try:
        verdict = _verdict(exercise, answer)
    except KeyboardInterrupt:
        print(tell("interrupted", name=name))
        return
    if verdict.state != NOT_STARTED:  # an untouched stub takes nothing back
        remember(name, verdict.state)
    lines = {NOT_STARTED: "not_started", NOT_YET: "not_yet", CORRECT: "correct"}
    text = [fold(tell(lines[verdict.state], name=name))]
    for line in verdict.lines:  # sentences are folded, values stay as they are
        text.append("  " + line if line.startswith(" ") else fold(line, "  "))
    if verdict.state == NOT_YET:
        text.append("  " + tell("more", name=name))
    print("\n".join(text))


def _verdict(exercise: Exercise, answer: Any) -> Verdict:
    try:
        with quiet():
            return diagnose(exercise, answer)
    except Exception:  # an answer so odd that it cannot even be looked at
        return Verdict(NOT_YET, (tell("unreadable", kind=type_name(answer)),))


def hint(name: Any = None) -> None:
    """Help one step further, each time it is called; the last step is repeated.

    Parameters
    ----------
    name : str
        The name of the exercise.
    """
    exercise = _known(name, 'hint("{name}")')
    if exercise is None:
        return
    total = len(exercise.hints)
    step = min(_hints_given[exercise.name] + 1, total)
    _hints_given[exercise.name] = step
    lines = [tell("hint", step=step, total=total, text=as_written(exercise.hints[step - 1]))]
    if step == total:
        lines.append(tell("last_hint", name=exercise.name))
    print("\n".join(map(fold, lines)))


def solution(name: Any = None) -> None:
    """Show one way to do it: the very code that answers are compared with.

    Parameters
    ----------
    name : str
        The name of the exercise.
    """
    exercise = _known(name, 'solution("{name}")')
    if exercise is not None:
        print(exercise.source())


def _known(name: Any, call: str) -> Exercise | None:
    """The exercise called `name`; otherwise one sentence says how the call is written."""
    if not isinstance(name, str):
        meant = find_exercise(getattr(name, "__name__", None))
        example = call.format(name=meant.name if meant else "softmax_rows")
        print(tell("name_first", call=example))
        return None
    exercise = find_exercise(name.strip())
    if exercise is None:
        print(fold(_not_known(name)))
    return exercise


def _not_known(name: str) -> str:
    close = close_names(name)[:1]
    if close:
        return tell("unknown_but_close", name=show(name), close=show(close[0].name))
    return tell("unknown", name=show(name))
