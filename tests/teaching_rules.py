"""How a lesson teaches, as far as a test can tell: each rule returns its complaints."""

import ast
import re

from attention_core.figures.wording import vocabulary
from tests.lesson_rules import _calls, _is_figure, sections
from tests.lessons import (
    CJK,
    CODE_SPAN,
    FENCE,
    HEADING,
    IMAGE,
    LANGUAGES,
    LINK,
    fixed_headings,
    table_rows,
)

LAST_WITH_EXAMPLE = 14  # the running example goes through lessons 00 to 14
BOX = '<div class="alert alert-info">'
PLOTS = {"curves", "histogram", "bars", "points"}


# ---------------------------------------------------------------- terms


def first_uses():
    """(English, Chinese, number of the lesson that introduces it), from the glossary."""
    return [(en, zh, number) for en, zh, number in table_rows("First use")]


def sentences_of(markdown):
    """Prose as it is read: no code, headings, links' targets, pictures; bold stays marked."""
    text = HEADING.sub("", FENCE.sub("", markdown))
    text = LINK.sub(" ", IMAGE.sub(" ", text))
    return CODE_SPAN.sub(" ", text)


def term_pattern(term):
    """How a term is found: whole words in English, in any number; as it stands in Chinese."""
    if CJK.search(term):
        return re.compile(re.escape(term))
    return re.compile(rf"(?<![\w-]){re.escape(term)}(?:s|es)?(?![\w-])", re.I)


def defined_before_use(lesson):
    """A listed term stands in no lesson before its own; there its first use is bold."""
    complaints = []
    for english, chinese, number in first_uses():
        for language, term in (("en", english), ("zh", chinese)):
            pattern = term_pattern(term)
            found = [
                (position, text, match)
                for position, text in (
                    (position, sentences_of(markdown))
                    for position, markdown in lesson.prose(language)
                )
                for match in [_first(pattern, text, term)]
                if match
            ]
            if found and lesson.number < number:
                complaints.append(
                    f"cell {found[0][0]} ({language}): '{term}' is introduced in lesson {number}"
                )
            if lesson.number == number:
                if not found:
                    complaints.append(f"({language}): '{term}' is introduced here, but not found")
                elif not _is_bold(found[0][1], found[0][2]):
                    complaints.append(
                        f"cell {found[0][0]} ({language}): the first '{term}' is bold and defined"
                    )
    return complaints


# Longer words in which a short Chinese term means something else.
OTHER_WORDS = {"头": ("开头", "从头", "箭头", "回头", "表头", "头尾", "头脑", "前头", "里头"),
               "层": ("各层次", "层次", "层归一化"), "熵": (), "填充": ("填充色",)}  # fmt: skip


def _first(pattern, text, term):
    """The first place where a term stands for itself."""
    for word in OTHER_WORDS.get(term, ()):
        text = text.replace(word, "＿" * len(word))
    return pattern.search(text)


def _is_bold(text, match):
    """Whether what was found stands between two pairs of stars."""
    before = text[: match.start()]
    return before.count("**") % 2 == 1 and "**" in text[match.end() :]


def phrases(lesson):
    """No turn of phrase from the glossary's list."""
    return [
        f"cell {position} ({language}): '{phrase}': {why}"
        for phrase, why in table_rows("Not in a lesson")
        for language in LANGUAGES
        for position, markdown in lesson.prose(language)
        if phrase.lower() in markdown.lower()
    ]


# ---------------------------------------------------------------- numbers and pictures


UNNAMED = re.compile(r"^(?=.*(?:\d|True|False))(?:True|False|None|inf|nan|e[+-]?\d|[\W\d_])*$")


def named_numbers(lesson):
    """No output is a row of numbers without a name: `table` gives them names."""
    complaints = []
    for position, cell in enumerate(lesson.cells, start=1):
        if cell.kind != "code":
            continue
        for output in lesson.shown(position):
            if output.output_type == "stream":
                text = output.text
            elif set(output.get("data", {})) == {"text/plain"}:
                text = output.data["text/plain"]
            else:
                continue
            bare = [line for line in text.splitlines() if UNNAMED.match(line)]
            if bare:
                complaints.append(f"cell {position}: numbers without a name: {bare[0].strip()}")
    return complaints


def axes_in_words(lesson):
    """Every plot names its two axes with words of words.toml."""
    complaints = []
    for position, cell in enumerate(lesson.cells, start=1):
        if cell.kind != "code":
            continue
        for node in ast.walk(ast.parse(cell.text["en"])):
            called = getattr(node, "func", None)
            if getattr(called, "id", getattr(called, "attr", None)) not in PLOTS:
                continue
            given = {keyword.arg: keyword.value for keyword in node.keywords}.get("symbols")
            names = [
                one.value for one in getattr(given, "elts", []) if isinstance(one, ast.Constant)
            ]
            if len(names) != 2 or not set(names) <= set(vocabulary()):
                complaints.append(f"cell {position}: symbols={tuple(names)}: not in words.toml")
    return complaints


# ---------------------------------------------------------------- order


def running_example(lesson):
    """Lessons 00 to 14 open with the running example and return to it."""
    if int(lesson.number) > LAST_WITH_EXAMPLE:
        return []
    places = [k for k, code in enumerate(lesson.code) if re.search(r"\bexample\b", code)]
    complaints = []
    if not places or places[0] > 2:
        complaints.append("the running example is not in the first three code cells")
    if not any(place >= len(lesson.code) / 2 for place in _users(lesson)):
        complaints.append("the second half does not return to the running example")
    return complaints


def _users(lesson):
    """The code cells that use the example or a name made from it."""
    names, places = {"example"}, []
    for place, code in enumerate(lesson.code):
        for statement in ast.parse(code).body:
            used = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
            if used & names:
                places.append(place)
                if isinstance(statement, ast.Assign):
                    names |= {
                        node.id
                        for target in statement.targets
                        for node in ast.walk(target)
                        if isinstance(node, ast.Name)
                    }
    return places


def counted(lesson):
    """Exercises are 1, 2, 3 …, one for each check; predictions come in their order."""
    complaints = []
    for heading, cells in sections(lesson):
        if heading != fixed_headings("en")[3]:
            continue
        checks = sum(cell.text["en"].count("check(") for _, cell in cells if cell.kind == "code")
        for language in LANGUAGES:
            text = "\n".join(cell.text[language] for _, cell in cells if cell.kind == "prose")
            numbers = [int(number) for number in re.findall(r"^\*\*(\d+)\.\*\*", text, re.M)]
            if numbers != list(range(1, checks + 1)):
                complaints.append(f"({language}): exercises {numbers}, but {checks} checks")
    asked = re.findall(r'predict\("([^"]+)"\)', "\n".join(lesson.code))
    if asked != [f"{lesson.number}.{k}" for k in range(1, len(asked) + 1)]:
        complaints.append(f"predictions are asked in this order: {asked}")
    return complaints


def explorer_first(lesson):
    """In *Try it* nothing is drawn between the question and the explorer."""
    complaints = []
    for heading, cells in sections(lesson):
        if heading == fixed_headings("en")[2]:
            code = [(p, cell) for p, cell in cells if cell.kind == "code"]
            figures = [(p, cell) for p, cell in code if _is_figure(cell, lesson.shown(p))]
            explorers = [p for p, cell in figures if _calls(cell, "_explorer")]
            if explorers and figures[0][0] != explorers[0]:
                complaints.append(f"cell {figures[0][0]}: a figure before the explorer")
    return complaints


def closing(lesson):
    """The lesson ends with one sentence to remember in a box, and one question that leads on."""
    complaints = []
    heading, cells = sections(lesson)[-1]
    for language, mark in (("en", "?"), ("zh", "？")):
        text = "\n".join(cell.text[language] for _, cell in cells if cell.kind == "prose")
        if text.count(BOX) != 1:
            complaints.append(f"({language}): '{heading}' has one box: {BOX} … </div>")
        elif mark not in text.partition("</div>")[2]:
            complaints.append(f"({language}): after the box comes a question")
    return complaints


TEACHING_RULES = (
    defined_before_use,
    phrases,
    named_numbers,
    axes_in_words,
    running_example,
    counted,
    explorer_first,
    closing,
)
