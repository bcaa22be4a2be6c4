"""Write the stubs of a new lesson and say what to do next.

    python3 course.py new NN_name

Every stub is a file of `stubs/` with NN for the number and NAME for the name; nothing that exists
is overwritten.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from notebooks.lesson_list import NOTEBOOKS, read_list

STUBS = NOTEBOOKS / "stubs"
PLACES = {  # stub -> where it goes, seen from the root of the project
    "source.md": "notebooks/source/NN_NAME.md",
    "exercises.py": "attention_core/exercises/lesson_NN.py",
    "exercises.toml": "attention_core/exercises/lesson_NN.toml",
    "answers.py": "tests/answers/lesson_NN.py",
    "explorer.py": "attention_core/explorers/NAME.py",
    "picture.py": "images/lesson_NN.py",
}
NEXT = """\
Now, in this order:
  1. notebooks/lessons.toml            its titles, and what the lesson claims
  2. notebooks/source/NN_NAME.md       each claim visible in a code cell, then the words around it
  3. attention_core/exercises/lesson_NN.py and .toml, tests/answers/lesson_NN.py
  4. attention_core/explorers/NAME.py  and images/lesson_NN.py (python images/make.py)
  5. python3 course.py build NN        both notebooks, and README's table
  6. python -m tests.one_lesson NN     until nothing is left to complain about
notebooks/source/README.md says how; every "TODO" has to go."""


def fill(text, number, name):
    """A stub with its number and its name.

    >>> fill("NN_NAME: class CamelExplorer", "18", "two_words")
    '18_two_words: class TwoWordsExplorer'
    """
    camel = "".join(part.title() for part in name.split("_"))
    return text.replace("NN", number).replace("NAME", name).replace("Camel", camel)


def upcoming(root):
    """The number of the lesson after the last one, in two digits."""
    return f"{int(read_list(root / 'notebooks')[-1].number) + 1:02}"


def fault(lesson, root):
    """What is wrong with the name of a new lesson, in a sentence; None when nothing is."""
    free = upcoming(root)
    if not re.fullmatch(r"\d\d_[a-z][a-z0-9_]*", lesson):
        return f"{lesson!r} is no name for a lesson; write number and small letters: {free}_name"
    if lesson[:2] != free:
        return f"{lesson}: lessons are numbered without a gap, so the next one is {free}"
    taken = [path for path in paths(lesson, root).values() if path.exists()]
    return f"{lesson}: {taken[0].relative_to(root)} is there already" if taken else None


def paths(lesson, root):
    """Stub -> the file that it becomes."""
    return {stub: root / fill(place, lesson[:2], lesson[3:]) for stub, place in PLACES.items()}


def write_stubs(lesson, root):
    """Write all stubs, enter the lesson in the list and its explorer among the explorers."""
    number, name = lesson[:2], lesson[3:]
    for stub, path in paths(lesson, root).items():
        text = fill((STUBS / stub).read_text(encoding="utf-8"), number, name)
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"wrote {path.relative_to(root)}")
    entry = fill((STUBS / "entry.toml").read_text(encoding="utf-8"), number, name)
    _append(root / "notebooks" / "lessons.toml", entry)
    words = fill((STUBS / "words.toml").read_text(encoding="utf-8"), number, name)
    _append(root / "attention_core" / "figures" / "words.toml", words)
    _enter_explorer(root / "attention_core" / "explorers" / "__init__.py", name)


def _append(path, text):
    old = path.read_text(encoding="utf-8").rstrip("\n")
    path.write_text(f"{old}\n\n{text}", encoding="utf-8", newline="\n")
    print(f"entered in {path.name}")


def _enter_explorer(path, name):
    """The two lines that make an explorer importable, in alphabetical order."""
    text = path.read_text(encoding="utf-8")
    line = f"from attention_core.explorers.{name} import {name}_explorer\n"
    imports = re.findall(r"^from attention_core\.explorers\..*\n", text, re.M)
    text = text.replace("".join(imports), "".join(sorted([*imports, line])))
    names = re.findall(r'^    "\w+",\n', text, re.M)
    text = text.replace("".join(names), "".join(sorted([*names, f'    "{name}_explorer",\n'])))
    path.write_text(text, encoding="utf-8", newline="\n")
    print(f"entered in explorers/{path.name}")


def main(arguments, root=NOTEBOOKS.parent):
    """Run the command line; return the exit status."""
    if len(arguments) != 1:
        print(
            f"give the lesson a name: python3 course.py new {upcoming(root)}_name", file=sys.stderr
        )
        return 1
    (lesson,) = arguments
    wrong = fault(lesson, root)
    if wrong:
        print(wrong, file=sys.stderr)
        return 1
    write_stubs(lesson, Path(root))
    print(fill(NEXT, lesson[:2], lesson[3:]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
