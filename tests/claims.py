"""What the course claims, lesson by lesson; test_claims.py asks each lesson to show all of it."""

from tests.lessons import LISTED

LESSONS = {lesson.name: lesson.claims for lesson in LISTED}
