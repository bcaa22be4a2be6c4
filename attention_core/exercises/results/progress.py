"""How far a lesson's exercises and predictions are."""

from collections.abc import Sequence
from typing import Any

from attention_core.exercises.checking.diagnose import CORRECT, NOT_STARTED, NOT_YET
from attention_core.exercises.checking.exercise import Exercise
from attention_core.exercises.checking.lessons import (
    all_exercises,
    all_questions,
    lesson_numbers,
    of_lesson,
)
from attention_core.exercises.checking.question import Question
from attention_core.exercises.checking.sentences import tell
from attention_core.exercises.checking.show import fold
from attention_core.exercises.predictions.answers import FIRST, LATER, OPEN, WRONG, state_of
from attention_core.exercises.results.memory import recall

__all__ = ["lines", "progress"]

_STATES = {
    NOT_STARTED: "listed_not_started",
    NOT_YET: "listed_not_yet",
    CORRECT: "listed_correct",
    OPEN: "listed_not_answered",
    WRONG: "listed_wrong",
    LATER: "listed_right_later",
    FIRST: "listed_right",
}


def progress(lesson: str | None = None) -> Any:
    """Show how far a lesson's exercises and predictions are; what is shown follows the answers.

    Parameters
    ----------
    lesson : str, optional
        The lesson's number: "07". Without it one sentence says how far the whole course is.

    Returns
    -------
    Progress, or None when there is no such lesson
        Put it last in a cell; it shows itself.
    """
    if lesson is None:
        counts = _counts(all_exercises(), all_questions())[0]
        print(fold(tell("progress_of_all", **counts)))
        return None
    number = f"{lesson!s:0>2}"
    if number not in lesson_numbers():
        first, last = lesson_numbers()[0], lesson_numbers()[-1]
        print(fold(tell("no_lesson", lesson=repr(lesson), first=first, last=last)))
        return None
    from attention_core.exercises.results.view import Progress  # widgets are slow

    return Progress(lambda: lines(number))


def lines(lesson: str) -> tuple[str, list[tuple[str, str]]]:
    """One sentence about a lesson, and the name and the state of each thing in it."""
    counts, states = _counts(*of_lesson(lesson))
    listed = [(name, tell(_STATES[state])) for name, state in states.items()]
    return tell("progress", lesson=lesson, **counts), listed


def _counts(
    exercises: Sequence[Exercise], questions: Sequence[Question]
) -> tuple[dict[str, int], dict[str, str]]:
    """How many there are and how many are right, and the state of each by its name."""
    results = recall()
    checked = {one.name: _checked(results.get(one.name)) for one in exercises}
    answered = {one.key: state_of(one, results) for one in questions}
    counts = {"done": list(checked.values()).count(CORRECT), "exercises": len(exercises)}
    counts |= {"right": list(answered.values()).count(FIRST), "questions": len(questions)}
    return counts, checked | answered


def _checked(state: object) -> str:
    return state if state in (NOT_YET, CORRECT) else NOT_STARTED
