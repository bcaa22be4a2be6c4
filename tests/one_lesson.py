"""What the rules say about one lesson, for its author: python -m tests.one_lesson 07"""

import sys

from attention_core.exercises.checking.lessons import of_lesson
from tests.claims import LESSONS
from tests.lesson_rules import RULES
from tests.lessons import LISTED, study
from tests.teaching_rules import TEACHING_RULES
from tests.test_claims import missing_claims


def complaints(name):
    """Every complaint about a lesson, with the rule that makes it."""
    lesson = study(name)
    exercises, _ = of_lesson(lesson.number)
    found = [
        f"{rule.__name__}: {one}" for rule in (*RULES, *TEACHING_RULES) for one in rule(lesson)
    ]
    missing = missing_claims(lesson, LESSONS[name], exercises)
    return found + [f"claims: {one}" for one in missing]


if __name__ == "__main__":
    chosen = [one.name for one in LISTED if one.number in sys.argv[1:]]
    lines = [f"{name}: {line}" for name in chosen for line in complaints(name)]
    print("\n".join(lines) if lines else f"nothing to complain about: {', '.join(chosen)}")
    raise SystemExit(1 if lines or not chosen else 0)
