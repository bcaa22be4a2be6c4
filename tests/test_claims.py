"""Every claim of the course is shown by a cell with an output, or asked in an exercise.

A cell of a source carries ``:claims: [C7.1]``; an exercise carries ``claims=("C7.1",)``. A lesson
is excused only while its source does not exist.
"""

import re

from attention_core.exercises.checking.lessons import of_lesson
from tests.claims import LESSONS
from tests.lessons import NOTEBOOKS, names, study, study_text
from tests.loops import for_each


def missing_claims(lesson, claims, exercises=()):
    """Complaints: claims nobody shows, demonstrations of claims that do not exist."""
    cells = [(position, cell) for position, cell in enumerate(lesson.cells, start=1) if cell.claims]
    shown = set()
    complaints = []
    for position, cell in cells:
        if lesson.shown(position):
            shown.update(cell.claims)
        else:
            complaints.append(f"cell {position}: claims {list(cell.claims)}, but shows nothing")
    for exercise in exercises:
        asked = f'check("{exercise.name}"'
        if any(asked in code for code in lesson.code):
            shown.update(exercise.claims)
        elif exercise.claims:
            complaints.append(f"exercise {exercise.name} is not in the lesson")
    complaints += [
        f"{claim}: '{claims[claim]}' is shown nowhere" for claim in claims.keys() - shown
    ]
    complaints += [f"{claim} is no claim of this lesson" for claim in sorted(shown - claims.keys())]
    return sorted(complaints)


@for_each("name", names())
def test_a_lesson_shows_all_its_claims(name):
    lesson = study(name)
    exercises, _ = of_lesson(lesson.number)
    assert missing_claims(lesson, LESSONS[name], exercises) == []


def test_every_source_is_a_lesson_of_the_plan():
    assert set(names()) <= set(LESSONS)


def test_claims_carry_their_lesson_and_are_counted_from_one():
    for name, claims in LESSONS.items():
        prefix = f"C{int(name[:2])}."
        assert list(claims) == [f"{prefix}{k}" for k in range(1, len(claims) + 1)], name


def test_no_claim_hides_in_a_source_that_is_not_read():
    """A claim in a file with another ending or name would be counted nowhere."""
    for path in (NOTEBOOKS / "source").glob("*.md"):
        if path.stem not in LESSONS and path.name != "README.md":
            assert not re.search(r":claims:", path.read_text(encoding="utf-8")), path.name


TITLE = '+++ {"lang": "en"}\n\n# 07 · A\n\n+++ {"lang": "zh"}\n\n# 07 · 甲\n\n'
CELL = "```{code-cell}\n:claims: [C7.1]\n\nprint(1)\n```\n"


class Asked:
    """An exercise, as far as claims go."""

    name = "softmax_rows"
    claims = ("C7.1",)


@for_each(
    ("text", "outputs", "exercises", "complaint"),
    [
        (TITLE + CELL, ["1"], (), None),
        (TITLE + CELL, [None], (), "cell 2: claims ['C7.1'], but shows nothing"),
        (TITLE + CELL.replace("7.1", "7.9"), ["1"], (), "C7.9 is no claim of this lesson"),
        (TITLE + CELL.replace(":claims: [C7.1]\n", ""), ["1"], (), "C7.1: 'x' is shown nowhere"),
        (TITLE, [], (Asked,), "exercise softmax_rows is not in the lesson"),
        (TITLE + '```{code-cell}\ncheck("softmax_rows", 1)\n```\n', [], (Asked,), None),
    ],
)
def test_a_claim_without_a_demonstration_is_found(text, outputs, exercises, complaint):
    complaints = missing_claims(study_text(text, outputs), {"C7.1": "x"}, exercises)
    assert complaint in complaints if complaint else complaints == []
