"""Ask a question before a lesson shows the result."""

from typing import Any

from attention_core.exercises.checking.lessons import find_question, lesson_numbers, of_lesson
from attention_core.exercises.checking.question import Question
from attention_core.exercises.checking.results import OPEN, RIGHT, remember, state_of
from attention_core.exercises.checking.sentences import tell
from attention_core.exercises.checking.show import fold

__all__ = ["predict"]


def predict(key: str) -> Any:
    """Ask a question before the lesson shows the result; the explanation follows an answer.

    Parameters
    ----------
    key : str
        The lesson's number, a dot, and the question's number: "07.1".

    Returns
    -------
    Prediction, or None when there is no such question
        Put it last in a cell; it shows itself.
    """
    question = find_question(key)
    if question is None:
        print(fold(tell("unknown_question", key=key, keys=", ".join(_neighbours(key)))))
        return None
    from attention_core.exercises.prediction import Prediction  # only here: widgets are slow

    return Prediction(question, on_answer=lambda state: _answered(question, state))


def _answered(question: Question, state: str) -> None:
    """A prediction once answered right stays right, whatever is tried afterwards."""
    if state_of(question.key, OPEN) != RIGHT:
        remember(question.key, state)


def _neighbours(key: object) -> list[str]:
    """The questions of the same lesson, or of all lessons where it has none."""
    lesson = key.partition(".")[0] if isinstance(key, str) else ""
    questions = of_lesson(lesson)[1]
    lessons = [lesson] if questions else lesson_numbers()
    return [one.key for number in lessons for one in of_lesson(number)[1]]
