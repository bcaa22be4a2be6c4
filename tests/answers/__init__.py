"""Wrong answers and right ones beside the mistakes that the lessons name, and how `check` judges.

A file for each lesson, ``lesson_NN.py``, holds two dictionaries, from an exercise's name to its
answers under a label each:

``WRONG``
    What must be refused. A label that opens with the key of a known mistake, "over_columns: by
    transposing", is that mistake in other clothes: its message may be given, no other. All others
    must get no cause.
``RIGHT``
    What must be accepted: the same thing done in another way, or written in another way.

Besides, every function is tried on the general wrong answers of ``general.py``.

Of a dictionary the entries that differ from the solution are enough. ``python -m tests.answers``
prints the counts and every answer that is misjudged.
"""

from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from attention_core.exercises.checking import causes
from attention_core.exercises.checking.diagnose import CORRECT, diagnose, try_all
from attention_core.exercises.checking.lessons import lesson_numbers, of_lesson
from attention_core.exercises.checking.trial import quiet
from tests.answers.general import general

FOLDER = Path(__file__).parent

# General wrong answers that are a known mistake.
GENERAL_CAUSES = {
    ("may_move", "argument 2, too large by 1"): "row_p_missing",
    ("read_values", "argument 1, columns reversed"): "values_reversed",
    ("read_values", "argument 2, rows reversed"): "values_reversed",
    ("join_heads", "argument 1, rows reversed"): "reversed",
}


class Judged(NamedTuple):
    """One answer: what it is, and what `check` made of it."""

    exercise: str
    label: str
    is_right: bool
    accepted: bool
    expected_cause: str | None = None
    cause: str | None = None

    @property
    def cause_found(self):
        """Of a wrong answer: whether the cause that was named is the right one."""
        if self.cause is None:
            return "silent"
        return "right" if self.cause == self.expected_cause else "wrong"


def more_answers(lesson):
    """The wrong and the right answers of a lesson's file; both empty where there is none."""
    if not (FOLDER / f"lesson_{lesson}.py").exists():
        return {}, {}
    module = import_module(f"tests.answers.lesson_{lesson}")
    return module.WRONG, module.RIGHT


def cause_of(exercise, answer):
    """The key of the known mistake that is named, "variable_read", or None."""
    with quiet():
        mistake = causes.likely_mistake(exercise, try_all(exercise, answer))
    if mistake:
        return mistake.key
    return "variable_read" if causes.variable_read(answer) else None


def judge(exercise, label, answer, is_right, expected_cause=None):
    """Hand in one answer."""
    answer = exercise.planted(answer)
    with quiet():
        accepted = diagnose(exercise, answer).state == CORRECT
    cause = None if accepted else cause_of(exercise, answer)
    return Judged(exercise.name, label, is_right, accepted, expected_cause, cause)


def judged(lesson):
    """Every answer of a lesson, judged: its known mistakes, then what stands in its file."""
    wrong, right = more_answers(lesson)
    for exercise in of_lesson(lesson)[0]:
        for key, answer in exercise.mistakes.items():
            yield judge(exercise, key, answer, False, key)
        for label, answer in wrong.get(exercise.name, {}).items():
            key = label.partition(":")[0]
            known = key if key in {*exercise.mistakes, "variable_read"} else None
            yield judge(exercise, label, answer, False, known)
        for label, answer in general(exercise).items():
            yield judge(exercise, label, answer, False, GENERAL_CAUSES.get((exercise.name, label)))
        for label, answer in right.get(exercise.name, {}).items():
            yield judge(exercise, label, answer, True)


def complaints(lesson):
    """The answers that are misjudged, one line each."""
    for one in judged(lesson):
        where = f"{lesson} {one.exercise}: {one.label}"
        if one.is_right and not one.accepted:
            yield f"{where}: refused though right"
        if not one.is_right and one.accepted:
            yield f"{where}: accepted though wrong"
        if not one.is_right and one.cause_found == "wrong":
            yield f"{where}: taken for {one.cause!r}"


def counts(lessons=None):
    """How many answers were tried, and how they were judged."""
    found = Counter()
    for lesson in lessons or lesson_numbers():
        for one in judged(lesson):
            found["right answers" if one.is_right else "wrong answers"] += 1
            found["refused though right"] += one.is_right and not one.accepted
            found["accepted though wrong"] += not one.is_right and one.accepted
            if not one.is_right:
                found[f"causes {one.cause_found}"] += 1
    return found


def few(lesson):
    """The exercises with less than eight wrong answers or less than three right ones."""
    wrong, right = more_answers(lesson)
    for exercise in of_lesson(lesson)[0]:
        planted = len(exercise.mistakes) + len(wrong.get(exercise.name, {}))
        variants = len(right.get(exercise.name, {}))
        if planted < 8 or variants < 3:
            yield f"{lesson} {exercise.name}: {planted} wrong, {variants} right"
    unknown = {*wrong, *right} - {exercise.name for exercise in of_lesson(lesson)[0]}
    yield from (f"{lesson}: there is no exercise {name}" for name in sorted(unknown))
