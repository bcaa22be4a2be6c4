"""A source read: its cells, with code for both languages and prose in each of them."""

import io
import re
import tokenize
import warnings
from typing import NamedTuple

import jupytext

from notebooks.lesson_list import NOTEBOOKS, read_list

LANGUAGES = ("en", "zh")
COMMENT = re.compile(r"# en: (?P<en>.+?)  # zh: (?P<zh>.+)")


class SourceError(ValueError):
    """A lesson's source breaks a rule of the format."""


class Cell(NamedTuple):
    """One cell of a source: code shared by both languages, or prose in each of them."""

    kind: str  # "code" or "prose"
    text: dict  # language -> source; the same for both when the cell is code
    claims: tuple  # the statements of the syllabus that this cell shows
    tags: tuple


class Lesson(NamedTuple):
    """A source, read: its file name without the ending, and its cells."""

    name: str
    cells: list

    @property
    def number(self):
        """The two digits at the front of the name."""
        return self.name[:2]


def sources(root=NOTEBOOKS):
    """The paths of the listed lessons' sources, in the order of the course."""
    return [root / "source" / f"{lesson.name}.md" for lesson in read_list(root)]


def chosen(numbers, root):
    """The sources with these numbers; SourceError for a number that no lesson has."""
    paths = sources(root)
    unknown = sorted(set(numbers) - {path.name[:2] for path in paths})
    if unknown:
        raise SourceError(f"there is no lesson {', '.join(unknown)} in notebooks/source")
    return [path for path in paths if not numbers or path.name[:2] in numbers]


def read_lesson(path):
    """Read ``source/NN_name.md``; SourceError names the file and the cell of the first fault."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SourceError(f"source/{path.name}: in lessons.toml, but missing") from None
    return parse_lesson(path.stem, text)


def parse_lesson(name, text):
    """Turn the text of a source into a Lesson, holding the rules of the format.

    >>> source = '+++ {"lang": "en"}\\n\\n# A\\n\\n+++ {"lang": "zh"}\\n\\n# B\\n'
    >>> parse_lesson("00_a", source).cells[0].text
    {'en': '# A', 'zh': '# B'}
    """
    if not re.fullmatch(r"\d\d_[a-z0-9_]+", name):
        raise SourceError(f"{name}.md: a lesson is named NN_name.md, in small letters")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # metadata that is not JSON would only be a warning
        try:
            raw = jupytext.reads(text, fmt="md:myst").cells
        except Exception as error:  # the parser raises many kinds
            raise SourceError(f"{name}.md cannot be read as MyST: {error}") from error
    cells = list(_pair(name, raw))
    if not cells or cells[0].kind != "prose" or _title(cells[0].text["en"]) is None:
        raise SourceError(f"{name}.md: the first cell is a prose pair that begins with '# title'")
    return Lesson(name, cells)


def _pair(name, raw):
    """Walk the cells of a source; yield one Cell for each code cell and each en/zh pair."""
    english = None
    for position, cell in enumerate(raw, start=1):
        where = f'{name}.md, cell {position} ("{begin(cell.source)}")'
        language = cell.metadata.get("lang")
        unknown = sorted(set(cell.metadata) - {"lang", "claims", "tags"})
        if unknown:
            raise SourceError(f"{where}: unknown metadata {unknown}; known: lang, claims, tags")
        if cell.cell_type == "code" and language is not None:
            raise SourceError(f"{where}: a code cell serves both languages, so it has no lang")
        if cell.cell_type != "code" and language not in LANGUAGES:
            raise SourceError(f'{where}: prose needs +++ {{"lang": "en"}} or "zh", not {language}')
        if english is not None and language != "zh":
            raise SourceError(f"{where}: the English cell before it has no Chinese one")
        if english is None and language == "zh":
            raise SourceError(f"{where}: a Chinese cell comes right after its English one")
        if cell.cell_type != "code" and "claims" in cell.metadata:
            raise SourceError(f"{where}: prose shows no claim; put claims on a code cell")
        if language == "en":
            english = cell
            continue
        first = cell if english is None else english
        if cell.cell_type == "code":
            text = {name: in_language(cell.source, name, where) for name in LANGUAGES}
        else:
            text = {"en": first.source, "zh": cell.source}
        yield Cell(
            cell.cell_type if cell.cell_type == "code" else "prose",
            text,
            _names(where, "claims", cell.metadata),
            _names(where, "tags", first.metadata),
        )
        english = None
    if english is not None:
        raise SourceError(
            f'{name}.md, last cell ("{begin(english.source)}"): no Chinese cell follows'
        )


def in_language(code, language, where=""):
    """Code with its comments in one language; a comment is written `# en: …  # zh: …`.

    >>> in_language("a = 1  # en: one  # zh: 一", "zh")
    'a = 1  # 一'
    """
    lines = [COMMENT.sub(rf"# \g<{language}>", line) for line in code.split("\n")]
    for line in lines:
        if re.search(r"# (en|zh): ", line):
            raise SourceError(f"{where}: a comment has both languages, '# en: …  # zh: …': {line}")
    return "\n".join(lines)


def comments(code):
    """The comments of a piece of code, each from its # on."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def without_comments(code):
    """The code that runs: two languages share it to the byte.

    >>> without_comments("# why\\na = '#'  # how")
    "a = '#'"
    """
    lines = code.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip() or None
    return "\n".join(line for line in lines if line is not None)


def _names(where, key, metadata):
    """A metadata value that must be a list of strings, as a tuple."""
    value = metadata.get(key, [])
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise SourceError(f"{where}: {key} is a list, like [C7.1], not {value!r}")
    return tuple(value)


def begin(source, length=40):
    """The first line of a cell, short enough for a message."""
    line = source.strip().split("\n", 1)[0]
    return line if len(line) <= length else line[: length - 1] + "…"


def _title(markdown):
    """The text of the level-one heading that a cell begins with, or None."""
    found = re.match(r"\s*# +(.+)", markdown)
    return found.group(1).strip() if found else None
