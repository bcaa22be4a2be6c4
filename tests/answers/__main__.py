"""Print how every planted answer is judged: ``python -m tests.answers``, or with lessons, 07 08."""

import sys

from attention_core.exercises.checking.lessons import lesson_numbers
from tests.answers import complaints, counts, few

KINDS = (
    "wrong answers",
    "accepted though wrong",
    "right answers",
    "refused though right",
    "causes right",
    "causes silent",
    "causes wrong",
)

lessons = sys.argv[1:] or lesson_numbers()
found = counts(lessons)
for kind in KINDS:
    print(f"{found[kind]:5}  {kind}")
for lesson in lessons:
    for complaint in (*complaints(lesson), *few(lesson)):
        print(complaint)
