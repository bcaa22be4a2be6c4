"""Reading lessons for the tests: sources as the build reads them, outputs from the notebooks."""

import functools
import html
import re
from pathlib import Path
from typing import NamedTuple

import nbformat

from notebooks import lesson_list
from notebooks.building import files, making, reading

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
LANGUAGES = ("en", "zh")


LISTED = lesson_list.read_list()


class Studied(NamedTuple):
    """A lesson as the rules see it: the source's cells, and what each code cell put out."""

    name: str
    cells: list  # reading.Cell
    outputs: dict  # language -> one list of outputs for each code cell of the source
    notebooks: dict  # language -> the notebook, or None where it is missing

    @property
    def number(self):
        """The two digits of the lesson."""
        return self.name[:2]

    @property
    def listed(self):
        """Its entry in the list of lessons; None for a lesson made up by a test."""
        return next((one for one in LISTED if one.name == self.name), None)

    @property
    def code(self):
        """The sources of the code cells."""
        return [cell.text["en"] for cell in self.cells if cell.kind == "code"]

    def prose(self, language):
        """Pairs (position in the source from 1, markdown) of the prose cells in a language."""
        return [
            (position, cell.text[language])
            for position, cell in enumerate(self.cells, start=1)
            if cell.kind == "prose"
        ]

    def shown(self, position):
        """The English outputs of the code cell at this position (from 1) in the source."""
        before = sum(cell.kind == "code" for cell in self.cells[: position - 1])
        outputs = self.outputs["en"]
        return outputs[before] if before < len(outputs) else []


def names():
    """The names of all lessons, in the order of the course."""
    return [lesson.name for lesson in LISTED]


@functools.cache
def study(name):
    """A committed lesson: its source and both its notebooks."""
    lesson = reading.read_lesson(NOTEBOOKS / "source" / f"{name}.md")
    notebooks = {
        language: files.read(NOTEBOOKS / language / f"{name}.ipynb") for language in LANGUAGES
    }
    return _studied(lesson, notebooks)


def study_text(text, outputs=(), name="07_example"):
    """A lesson made up by a test: `outputs` holds the printed text of each code cell in turn."""
    lesson = reading.parse_lesson(name, text)
    notebooks = {}
    for language in LANGUAGES:
        notebook = making.make_notebook(lesson, language, {})
        printed = [None, *outputs]
        for cell, shown in zip(files.code_cells(notebook), printed, strict=False):
            if shown is not None:
                cell.outputs = [shown if not isinstance(shown, str) else _stream(shown)]
        notebooks[language] = notebook
    return _studied(lesson, notebooks)


def _stream(text):
    return nbformat.v4.new_output("stream", name="stdout", text=text)


def _studied(lesson, notebooks):
    """Put source and notebooks together; the set-up cell's outputs are left out."""
    outputs = {
        language: []
        if notebook is None
        else [cell.outputs for cell in files.code_cells(notebook)[1:]]
        for language, notebook in notebooks.items()
    }
    return Studied(lesson.name, lesson.cells, outputs, notebooks)


# ---------------------------------------------------------------- markdown, in parts

FENCE = re.compile(r"^```.*?^```", re.M | re.S)
CODE_SPAN = re.compile(r"`[^`\n]+`")
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.S)
INLINE = re.compile(r"(?<!\\)\$([^$]+?)(?<!\\)\$")
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]*)\)")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]*)\)")
TAG = re.compile(r"<[^>\n]+>")
HEADING = re.compile(r"^(#{1,6}) +(.+?)\s*$", re.M)
TABLE_ROW = re.compile(r"^\s*\|.*$", re.M)
CJK = re.compile(r"[\u3400-\u9fff]")


def without_code(markdown):
    """Markdown with its code blocks and code spans gone."""
    return CODE_SPAN.sub(" ", FENCE.sub("", markdown))


def formulas(markdown):
    """The formulas of a cell: a list of the displayed ones, a list of those in the line."""
    text = without_code(markdown)
    displayed = DISPLAY.findall(text)
    return displayed, INLINE.findall(DISPLAY.sub(" ", text))


def headings(markdown):
    """(level, text) of every heading."""
    return [(len(marks), text) for marks, text in HEADING.findall(FENCE.sub("", markdown))]


def plain_words(markdown):
    """What is read as running text: no code, formulas, pictures, link targets, tags."""
    text = IMAGE.sub(" ", without_code(markdown))
    text = INLINE.sub(" ", DISPLAY.sub(" ", text))
    return html.unescape(TAG.sub(" ", LINK.sub(r"\1", text)))


def count_words(markdown, language):
    """The length of a prose cell: words in English, characters in Chinese.

    Headings, tables, pictures, displayed formulas, link targets and tags count nothing; a formula
    in the line, a code span and, in Chinese, a Latin word or a number count one.

    >>> count_words("## Try it\\n\\nMix $v_1$ and `v` [here](a.md).", "en")
    5
    >>> count_words("把 softmax 的每一行 $a$ 加起来。", "zh")
    10
    """
    text = TABLE_ROW.sub("", HEADING.sub("", FENCE.sub("", markdown)))
    text = DISPLAY.sub(" ", IMAGE.sub(" ", text))
    text = INLINE.sub(" x ", CODE_SPAN.sub(" x ", text))
    text = html.unescape(TAG.sub(" ", LINK.sub(r"\1", text)))
    others = len(re.findall(r"[^\W\u3400-\u9fff]+(?:['’.-]\w+)*", text))
    return others + (len(CJK.findall(text)) if language == "zh" else 0)


# ---------------------------------------------------------------- the glossary


def table_rows(section, name="glossary.md"):
    """The cells of the table in one section of the glossary, without its head."""
    text = (NOTEBOOKS / name).read_text(encoding="utf-8")
    body = text.split(f"\n## {section}\n", 1)[1].split("\n## ", 1)[0]
    rows = [line.strip().strip("|") for line in body.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.split("|")] for row in rows[2:]]


def fixed_headings(language):
    """The headings every lesson has, in their order."""
    return [row[LANGUAGES.index(language)] for row in table_rows("Headings")]


class Term(NamedTuple):
    """One row of the glossary."""

    en: str
    zh: str
    never: list


def terms():
    """The terms of the course."""
    return [
        Term(en, zh, [word.strip() for word in never.split(",") if word.strip()])
        for en, zh, _, never in table_rows("Terms")
    ]
