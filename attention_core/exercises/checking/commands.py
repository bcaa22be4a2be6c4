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
from attention_core.exercises.checking.lessons import (
    all_exercises,
    close_names,
    find_exercise,
    of_lesson,
)
from attention_core.exercises.checking.results import remember
from attention_core.exercises.checking.sentences import as_written, tell
from attention_core.exercises.checking.show import fold, type_name
from attention_core.exercises.checking.trial import quiet

__all__ = ["check", "forget_hints", "hint", "solution"]

_hints_given: Counter[str] = Counter()


def forget_hints() -> None:
    """Start the hints of every exercise from the first again."""
    _hints_given.clear()


def check(name: str, answer: Any) -> None:
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
    """
    exercise = _known(name)
    if exercise is None:
        return
    verdict = _verdict(exercise, answer)
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


def hint(name: str) -> None:
    """Help one step further, each time it is called; the last step is repeated.

    Parameters
    ----------
    name : str
        The name of the exercise.
    """
    exercise = _known(name)
    if exercise is None:
        return
    total = len(exercise.hints)
    step = min(_hints_given[name] + 1, total)
    _hints_given[name] = step
    lines = [tell("hint", step=step, total=total, text=as_written(exercise.hints[step - 1]))]
    if step == total:
        lines.append(tell("last_hint", name=name))
    print("\n".join(map(fold, lines)))


def solution(name: str) -> None:
    """Show one way to do it: the very code that answers are compared with.

    Parameters
    ----------
    name : str
        The name of the exercise.
    """
    exercise = _known(name)
    if exercise is not None:
        print(exercise.source())


def _known(name: Any) -> Exercise | None:
    """The exercise called `name`; otherwise say which names there are."""
    if not isinstance(name, str):
        print(tell("name_first"))
        return None
    exercise = find_exercise(name)
    if exercise is None:
        print("\n".join(map(fold, _names_offered(name))))
    return exercise


def _names_offered(name: str) -> list[str]:
    close = close_names(name)[:1]
    lessons = [one.lesson for one in close] or sorted({one.lesson for one in all_exercises()})
    lines = [tell("unknown", name=name), *(tell("close", name=one.name) for one in close)]
    for lesson in lessons:
        names = ", ".join(one.name for one in of_lesson(lesson)[0])
        lines.append(tell("lesson_names", lesson=lesson, names=names))
    return lines
