"""How far a lesson's exercises and predictions are."""

from collections import Counter

from attention_core.exercises.checking.diagnose import CORRECT, NOT_STARTED, NOT_YET
from attention_core.exercises.checking.lessons import lesson_numbers, of_lesson
from attention_core.exercises.checking.results import OPEN, RIGHT, WRONG, state_of
from attention_core.exercises.checking.sentences import tell

__all__ = ["progress"]

_STATES = {
    NOT_STARTED: "listed_not_started",
    NOT_YET: "listed_not_yet",
    CORRECT: "listed_correct",
    OPEN: "listed_not_answered",
    WRONG: "listed_wrong",
    RIGHT: "listed_right",
}


def progress(lesson: str) -> None:
    """Say how far a lesson's exercises and predictions are, in this kernel.

    Parameters
    ----------
    lesson : str
        The lesson's number: "07".
    """
    lesson = f"{lesson:0>2}"
    exercises, questions = of_lesson(lesson)
    if not exercises and not questions:
        print(tell("no_lesson", lesson=lesson, lessons=", ".join(lesson_numbers())))
        return
    states = {one.name: state_of(one.name, NOT_STARTED) for one in exercises}
    states |= {one.key: state_of(one.key, OPEN) for one in questions}
    found = Counter(states.values())
    counts = {"done": found[CORRECT], "exercises": len(exercises)}
    counts |= {"right": found[RIGHT], "questions": len(questions)}
    width = max(map(len, states))
    print(tell("progress", lesson=lesson, **counts))
    for key, state in states.items():
        print(f"  {key:<{width}}  {tell(_STATES[state])}")
