"""The one list of lessons, `lessons.toml`, read; and the table that README makes of it."""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

NOTEBOOKS = Path(__file__).resolve().parent
README = NOTEBOOKS.parent / "README.md"
TABLE = re.compile(r"^\| \| English \| 中文 \|\n\|---\|---\|---\|\n(?:\|.*\n)*", re.M)


class Listed(NamedTuple):
    """One lesson of the list."""

    number: str  # "07"
    name: str  # "07_softmax", the name of its files
    en: str  # its titles
    zh: str
    explorers: list  # functions of attention_core.explorers
    picture: str  # a file of images/
    claims: dict  # "C7.1" -> what the lesson shows

    def heading(self, language):
        """The first line of the lesson: "07 · Turn scores into routing weights"."""
        return f"{self.number} · {getattr(self, language)}"


def read_list(root=NOTEBOOKS):
    """All lessons in the order of the course; ValueError names the entry that has a fault."""
    entries = tomllib.loads((root / "lessons.toml").read_text(encoding="utf-8"))["lesson"]
    lessons = []
    for entry in entries:
        where = f"lessons.toml, {entry.get('name', 'an entry without a name')}"
        try:
            lesson = Listed(**entry)
        except TypeError:
            wanted = ", ".join(Listed._fields)
            raise ValueError(f"{where}: has {', '.join(entry)}; needs {wanted}") from None
        if not lesson.name.startswith(f"{lesson.number}_"):
            raise ValueError(f"{where}: the name begins with the number, {lesson.number}_")
        lessons.append(lesson)
    numbers = [lesson.number for lesson in lessons]
    if numbers != sorted(set(numbers)):
        raise ValueError(f"lessons.toml: the numbers rise, each once; they are {numbers}")
    return lessons


def with_table(readme, lessons):
    """The text of README with its table of lessons renewed."""
    rows = "".join(
        f"| {one.number} | [{one.en}](notebooks/en/{one.name}.ipynb) "
        f"| [{one.zh}](notebooks/zh/{one.name}.ipynb) |\n"
        for one in lessons
    )
    return TABLE.sub(lambda found: "".join(found.group().splitlines(True)[:2]) + rows, readme)
