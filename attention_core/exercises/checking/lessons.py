"""Every exercise and prediction of the course, found by its file's name, joined with its words.

A lesson's functions live in ``lesson_NN.py``, its words in ``lesson_NN.toml``. Nothing has to be
registered.
"""

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path

from attention_core.exercises.checking.exercise import Exercise
from attention_core.exercises.checking.question import Question
from attention_core.exercises.checking.sentences import read, words

__all__ = [
    "all_exercises",
    "all_questions",
    "close_names",
    "complaints",
    "find_exercise",
    "find_question",
    "lesson_numbers",
    "of_lesson",
]

FOLDER = Path(__file__).parents[1]


@cache
def lesson_numbers() -> list[str]:
    """The lessons that have exercises or predictions, in order."""
    return sorted(path.stem.removeprefix("lesson_") for path in FOLDER.glob("lesson_*.toml"))


@cache
def tables(lesson: str) -> dict:
    """All words of one lesson, as they stand in its TOML file."""
    return read(FOLDER / f"lesson_{lesson}.toml")


def _functions(lesson: str) -> tuple[Exercise, ...]:
    return import_module(f"attention_core.exercises.lesson_{lesson}").EXERCISES


@cache
def of_lesson(lesson: str) -> tuple[tuple[Exercise, ...], tuple[Question, ...]]:
    """The exercises and the questions of one lesson; both empty when it has none."""
    if lesson not in lesson_numbers():
        return (), ()
    exercises = (_with_words(one, lesson) for one in _functions(lesson))
    questions = tables(lesson).get("question", ())
    return tuple(exercises), tuple(map(Question.from_table, questions))


def _with_words(exercise: Exercise, lesson: str) -> Exercise:
    table = words_of(tables(lesson)["exercise"][exercise.name])
    return replace(
        exercise,
        lesson=lesson,
        claims=tuple(table.get("claims", ())),
        hints=tuple(map(words, table["hints"])),
        messages={key: words(message) for key, message in table.get("mistakes", {}).items()},
    )


def words_of(table: dict) -> dict:
    """An exercise's words; one that extends another takes over what it does not say itself.

    A `note` is added to every message that is taken over.
    """
    if "extends" not in table:
        return table
    base = next(
        told["exercise"][table["extends"]]
        for told in map(tables, lesson_numbers())
        if table["extends"] in told.get("exercise", {})
    )
    note = table.get("note", {"en": "", "zh": ""})
    messages = {
        key: {language: message[language] + note[language] for language in note}
        for key, message in base["mistakes"].items()
    }
    return {"hints": base["hints"], **table, "mistakes": messages | table.get("mistakes", {})}


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


def complaints() -> list[str]:
    """What is missing or left over between functions and words, for all lessons at once."""
    return [
        f"lesson_{lesson}.toml: {complaint}"
        for lesson in lesson_numbers()
        for complaint in (
            *_exercise_complaints(_functions(lesson), _words_of_all(lesson)),
            *_question_complaints(lesson, tables(lesson).get("question", [])),
        )
    ]


def _words_of_all(lesson: str) -> dict[str, dict]:
    told = tables(lesson).get("exercise", {})
    return {name: words_of(table) for name, table in told.items()}


def _exercise_complaints(exercises: tuple[Exercise, ...], told: dict) -> Iterator[str]:
    functions = {one.name: one for one in exercises}
    yield from (f"{name}: no words for this exercise" for name in functions.keys() - told.keys())
    yield from (f"{name}: words without an exercise" for name in told.keys() - functions.keys())
    for name in functions.keys() & told.keys():
        planted, messages = functions[name].mistakes, told[name].get("mistakes", {})
        yield from (f"{name}: no message for {key!r}" for key in planted.keys() - messages.keys())
        yield from (f"{name}: no mistake {key!r}" for key in messages.keys() - planted.keys())
        if len(told[name].get("hints", ())) < 2:
            yield f"{name}: at least two hints"
        yield from _untold(name, [*told[name].get("hints", ()), *messages.values()])


def _question_complaints(lesson: str, questions: list[dict]) -> Iterator[str]:
    for one in questions:
        key, options = one.get("key", "?"), one.get("options", [])
        if not key.startswith(f"{lesson}."):
            yield f"question {key}: the key starts with {lesson}."
        if sum(option.get("right", False) for option in options) != 1:
            yield f"question {key}: one option has right = true"
        if any(option.get("right", False) == ("reply" in option) for option in options):
            yield f"question {key}: a reply for each wrong option, and only there"
        replies = [option["reply"] for option in options if "reply" in option]
        yield from _untold(f"question {key}", [one, one.get("why", {}), *options, *replies])


def _untold(where: str, texts: list[dict]) -> Iterator[str]:
    """Texts that do not speak both languages."""
    for text in texts:
        if "text" not in text and not {"en", "zh"} <= text.keys():
            yield f"{where}: en and zh, or text for both: {text}"
