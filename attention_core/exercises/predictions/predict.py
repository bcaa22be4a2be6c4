"""Ask a question before a lesson shows the result."""

from typing import Any

from attention_core.exercises.checking.lessons import find_question, lesson_numbers, of_lesson
from attention_core.exercises.checking.sentences import tell
from attention_core.exercises.checking.show import fold

__all__ = ["predict"]


def predict(key: str | None = None) -> Any:
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
        print(fold(_no_such_question(key)))
        return None
    from attention_core.exercises.predictions.prediction import Prediction  # widgets are slow

    return Prediction(question)


def _no_such_question(key: object) -> str:
    """One sentence: how to name a prediction, or the name that was probably meant."""
    lesson, dot, number = str(key).partition(".")
    meant = f"{lesson:0>2}.{number}" if dot and number.isdigit() else ""
    if find_question(meant) is not None:
        return tell("meant_question", key=repr(key), meant=meant)
    known = [one.key for one in of_lesson(f"{lesson:0>2}")[1]]
    if known and (dot or isinstance(key, str)):
        return tell("unknown_question", key=repr(key), first=known[0], last=known[-1])
    lessons = lesson_numbers()
    return tell("name_question", first=lessons[0], last=lessons[-1])
