"""The lessons as the site needs them: found by looking, so a new one is never forgotten."""

import json
import re
from pathlib import Path
from typing import NamedTuple

NOTEBOOKS = Path(__file__).resolve().parents[1]
LANGUAGES = ("en", "zh")


class Lesson(NamedTuple):
    """One built lesson in one language."""

    name: str  # 06_scaling
    language: str
    title: str  # 06 · Divide by ...
    path: Path

    @property
    def number(self):
        """The two digits at the front of the name."""
        return self.name[:2]


def lessons(language, root=NOTEBOOKS):
    """Return the lessons of a language in their order."""
    paths = sorted((root / language).glob("[0-9][0-9]_*.ipynb"))
    return [Lesson(path.stem, language, title(read(path)), path) for path in paths]


def read(path):
    """Return a notebook as a dictionary in which every source is one string."""
    notebook = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


def title(notebook):
    """Return the first level-one heading of a notebook, or nothing."""
    for cell in notebook["cells"]:
        found = re.search(r"^# +(.+)$", cell["source"], flags=re.M)
        if cell["cell_type"] == "markdown" and found:
            return found.group(1).strip()
    return ""
