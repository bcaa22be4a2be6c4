"""How far a lesson's exercises and predictions are."""

from collections import Counter

from attention_core.exercises.checking.diagnose import CORRECT, NOT_STARTED, NOT_YET
from attention_core.exercises.checking.lessons import lesson_numbers, of_lesson
from attention_core.exercises.checking.results import OPEN, RIGHT, WRONG, state_of
from attention_core.exercises.checking.sentences import tell
from attention_core.exercises.checking.show import fold

__all__ = ["progress"]

_STATES = {
    NOT_STARTED: "listed_not_started",
    NOT_YET: "listed_not_yet",
    CORRECT: "listed_correct",
    OPEN: "listed_not_answered",
    WRONG: "listed_wrong",
    RIGHT: "listed_right",
}


def progress(lesson: object = None) -> None:
    """Say how far a lesson's exercises and predictions are; without a lesson, how far all are.

    Parameters
    ----------
    lesson : str or int, optional
        The lesson's number: "07".
    """
    if lesson is None:
        print(fold(tell("progress_in_all", **_counts(_all_states()))))
        return
    lesson = f"{lesson!s:0>2}"
    states = _states_of(lesson)
    if not states:
        numbers = lesson_numbers()
        print(tell("no_lesson", lesson=lesson, first=numbers[0], last=numbers[-1]))
        return
    print(tell("progress", lesson=lesson, **_counts(states)))
    width = max(map(len, states))
    for key, state in states.items():
        print(f"  {key:<{width}}  {tell(_STATES[state])}")


def _states_of(lesson: str) -> dict[str, str]:
    exercises, questions = of_lesson(lesson)
    states = {one.name: state_of(one.name, NOT_STARTED) for one in exercises}
    return states | {one.key: state_of(one.key, OPEN) for one in questions}


def _all_states() -> dict[str, str]:
    return {key: state for one in lesson_numbers() for key, state in _states_of(one).items()}


def _counts(states: dict[str, str]) -> dict[str, int]:
    """How many exercises and predictions there are, and how many of them are right."""
    found = Counter(states.values())
    questions = found[OPEN] + found[WRONG] + found[RIGHT]
    done, right = found[CORRECT], found[RIGHT]
    exercises = len(states) - questions
    return {"done": done, "exercises": exercises, "right": right, "questions": questions}
