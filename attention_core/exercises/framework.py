"""What an exercise is, what a prediction is, and where to find them by name.

A lesson's exercises live in ``lesson_NN.py`` beside this file: two tuples, ``EXERCISES`` and
``QUESTIONS``. Nothing has to be registered; the files are found by their names.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from inspect import getsource
from pkgutil import iter_modules
from textwrap import dedent
from typing import Any

from attention_core.language import Words, language

__all__ = [
    "Exercise",
    "Mistake",
    "Question",
    "all_exercises",
    "all_questions",
    "as_written",
    "close_names",
    "find_exercise",
    "find_question",
    "lesson_numbers",
    "of_lesson",
]


def _no_arguments() -> Iterable[tuple]:
    return [()]


@dataclass(frozen=True)
class Mistake:
    """A typical wrong answer, and what to say to somebody who gives it.

    Parameters
    ----------
    wrong : callable or value
        What this mistake would hand in: a function with the solution's arguments, or, where a
        value is asked for, the wrong value. For a dictionary the wrong entries are enough.
    message : Words
        One or two sentences: what happened, and where to look. They stand on their own.
    """

    wrong: Any
    message: Words


@dataclass(frozen=True)
class Exercise:
    """One task of a lesson: its solution, the cases that try an answer, its known mistakes.

    Parameters
    ----------
    name : str
        The name in ``check(name, answer)``; for a function, the function's own name.
    lesson : str
        Two digits, for example "07".
    solution : callable or value
        The function that `solution` shows and that answers are compared with. Where a value is
        asked for: the value, or a function without arguments that computes it.
    mistakes : tuple of Mistake
        At least three.
    hints : tuple of Words
        At least two, each one step further.
    cases : callable
        Gives the argument tuples, smallest first. Left out where a value is asked for.
    tolerance : float
        Numbers this close to the solution are right: absolute, plus the same relative to size.
    claims : tuple of str
        The claims of the syllabus that this exercise demonstrates.
    """

    name: str
    lesson: str
    solution: Any
    mistakes: tuple[Mistake, ...]
    hints: tuple[Words, ...]
    cases: Callable[[], Iterable[tuple]] = _no_arguments
    tolerance: float = 1e-6
    claims: tuple[str, ...] = ()

    @property
    def wants_value(self) -> bool:
        """Whether the answer is a value; otherwise it is a function."""
        return self.cases is _no_arguments

    def source(self) -> str:
        """The solution as code that could replace the lesson's stub."""
        if callable(self.solution):
            return dedent(getsource(self.solution)).rstrip("\n")
        return f"{self.name} = {self.solution!r}"


@dataclass(frozen=True)
class Question:
    """A prediction to make before the lesson shows the result.

    Parameters
    ----------
    key : str
        The lesson's two digits, a dot and a number: "07.1".
    text : Words
        The question. Text between backticks is set as code.
    options : tuple of Words or str
        What may be chosen; a plain string serves both languages (numbers, symbols, shapes).
    answer : int
        The index of the one right option.
    why : Words
        What one would see, and why; shown only after an answer.
    """

    key: str
    text: Words
    options: tuple[Words | str, ...]
    answer: int
    why: Words

    @property
    def lesson(self) -> str:
        """The two digits of the lesson."""
        return self.key.partition(".")[0]


def as_written(text: Words | str) -> str:
    """An author's text in the language in use, word for word: braces in it are just braces.

    Examples
    --------
    >>> as_written(Words("a set {1, 2}", "集合 {1, 2}")), as_written("(2, 3)")
    ('a set {1, 2}', '(2, 3)')
    """
    return text if isinstance(text, str) else getattr(text, language())


def lesson_numbers() -> list[str]:
    """The lessons that have exercises or predictions, in order."""
    folder = import_module("attention_core.exercises").__path__
    names = [module.name for module in iter_modules(folder)]
    return sorted(name.removeprefix("lesson_") for name in names if name.startswith("lesson_"))


def of_lesson(lesson: str) -> tuple[tuple[Exercise, ...], tuple[Question, ...]]:
    """The exercises and the questions of one lesson; both empty when it has none."""
    if lesson not in lesson_numbers():
        return (), ()
    module = import_module(f"attention_core.exercises.lesson_{lesson}")
    return getattr(module, "EXERCISES", ()), getattr(module, "QUESTIONS", ())


def all_exercises() -> list[Exercise]:
    """Every exercise of the course, in the order of the lessons."""
    return [exercise for lesson in lesson_numbers() for exercise in of_lesson(lesson)[0]]


def all_questions() -> list[Question]:
    """Every prediction of the course, in the order of the lessons."""
    return [question for lesson in lesson_numbers() for question in of_lesson(lesson)[1]]


def find_exercise(name: object) -> Exercise | None:
    """The exercise called `name`, or None."""
    return next((one for one in all_exercises() if one.name == name), None)


def find_question(key: object) -> Question | None:
    """The question called `key`, or None."""
    lesson = key.partition(".")[0] if isinstance(key, str) else ""
    return next((one for one in of_lesson(lesson)[1] if one.key == key), None)


def close_names(name: str) -> list[Exercise]:
    """The exercises whose names look like `name`, the likeliest first."""
    exercises = {one.name: one for one in all_exercises()}
    return [exercises[close] for close in get_close_matches(name, exercises)]
