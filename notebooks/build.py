"""Build the lessons: one bilingual source each, two executed notebooks.

    python notebooks/build.py           all lessons
    python notebooks/build.py 06 07     only these
    python notebooks/build.py --prose   new prose and links; outputs are kept, so the code must be
                                        the same
    python notebooks/build.py --check   executes nothing; one line per problem, exit status 1

``source/NN_name.md`` holds the code once and the prose twice; ``en/NN_name.ipynb`` and
``zh/NN_name.ipynb`` are made from it and never edited. Built twice, they are the same bytes.
"""

import argparse
import copy
import hashlib
import io
import os
import re
import subprocess
import sys
import tempfile
import tokenize
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

import jupytext
import nbformat
from lesson_list import NOTEBOOKS, README, read_list, with_table
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

LANGUAGES = ("en", "zh")
SECONDS_PER_CELL = 120

SET_UP = """\
# en: Not found? Start with python3 course.py  # zh: 找不到？请用 python3 course.py 启动
import numpy as np
from attention_core.lesson import check, hint, predict, progress, solution, table, use_language

use_language("{language}")"""

KERNEL = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}

COMMENT = re.compile(r"# en: (?P<en>.+?)  # zh: (?P<zh>.+)")
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
UNSTABLE = re.compile(r"\bat 0x[0-9a-f]{4,}|model not found|\b\w*Box\(children")


class SourceError(ValueError):
    """A lesson's source breaks a rule of the format."""


class BuildError(RuntimeError):
    """A lesson's code did not run cleanly."""


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


# ---------------------------------------------------------------- source -> cells


def sources(root=NOTEBOOKS):
    """The paths of the listed lessons' sources, in the order of the course."""
    return [root / "source" / f"{lesson.name}.md" for lesson in read_list(root)]


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
        where = f'{name}.md, cell {position} ("{_begin(cell.source)}")'
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
            f'{name}.md, last cell ("{_begin(english.source)}"): no Chinese cell follows'
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


def _begin(source, length=40):
    """The first line of a cell, short enough for a message."""
    line = source.strip().split("\n", 1)[0]
    return line if len(line) <= length else line[: length - 1] + "…"


def _title(markdown):
    """The text of the level-one heading that a cell begins with, or None."""
    found = re.match(r"\s*# +(.+)", markdown)
    return found.group(1).strip() if found else None


# ---------------------------------------------------------------- cells -> notebook


def titles(root=NOTEBOOKS):
    """Name -> {language: title}, as the list of lessons has them."""
    return {
        lesson.name: {language: lesson.heading(language) for language in LANGUAGES}
        for lesson in read_list(root)
    }


def navigation(name, language, known):
    """Links to the lesson before and the lesson after, with the titles they give themselves."""
    names = [*known] if name in known else [*known, name]
    place = names.index(name)
    links = []
    if place > 0:
        before = names[place - 1]
        links.append(f"← [{known[before][language]}]({before}.ipynb)")
    if place + 1 < len(names):
        after = names[place + 1]
        links.append(f"[{known[after][language]}]({after}.ipynb) →")
    return " &nbsp; · &nbsp; ".join(links)


def set_up(language):
    """The first code cell: two imports and the language."""
    return in_language(SET_UP, language).format(language=language)


def make_notebook(lesson, language, known):
    """The notebook of a lesson in one language, not yet executed."""
    first = new_code_cell(set_up(language), id="set-up")
    cells = []
    seen = {}
    for cell in lesson.cells:
        make = new_code_cell if cell.kind == "code" else new_markdown_cell
        metadata = {"tags": list(cell.tags)} if cell.tags else {}
        cells.append(make(cell.text[language], id=_stable_id(cell, seen), metadata=metadata))
    cells.insert(1, first)
    links = navigation(lesson.name, language, known)
    if links:
        cells.append(new_markdown_cell(links, id="neighbours"))
    notebook = new_notebook(cells=cells, metadata=copy.deepcopy(KERNEL))
    notebook.nbformat_minor = 5
    return notebook


def _stable_id(cell, seen):
    """An id made of the code or the English text: both languages share it, and it never drifts."""
    digest = hashlib.sha256(f"{cell.kind}\n{cell.text['en']}".encode()).hexdigest()[:12]
    seen[digest] = seen.get(digest, 0) + 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


# ---------------------------------------------------------------- execution


def execute(notebook, folder, where):
    """Run all cells in a fresh kernel that starts in `folder`; BuildError if one complains."""
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=SECONDS_PER_CELL,
        record_timing=False,
        store_widget_state=False,
        shutdown_kernel="immediate",
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(folder)}},
    )
    with tempfile.TemporaryDirectory() as profile:  # nobody's start-up files, no shared history
        try:
            client.execute(env={**os.environ, "IPYTHONDIR": profile})
        except CellExecutionError as error:
            message = f"{error.ename}: {error.evalue}"
            raise BuildError(f"{where}, {_failing(notebook)}: {message}") from None
        except (CellTimeoutError, DeadKernelError) as error:
            message = str(error).split("\n", 1)[0]
            raise BuildError(f"{where}, {_failing(notebook)}: {message}") from None
    for position, cell in enumerate(code_cells(notebook), start=1):
        cell.outputs = clean_outputs(cell.outputs)
        place = f'{where}, code cell {position} ("{_begin(cell.source)}")'
        for output in cell.outputs:
            _refuse_noise(output, place)
    notebook.metadata = nbformat.from_dict(copy.deepcopy(KERNEL))


def code_cells(notebook):
    """The code cells of a notebook, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _failing(notebook):
    """Which code cell stopped a run: the one with an error, or the first without a count."""
    for position, cell in enumerate(code_cells(notebook), start=1):
        failed = any(output.output_type == "error" for output in cell.outputs)
        if failed or cell.execution_count is None:
            return f'code cell {position} ("{_begin(cell.source)}")'
    return "after the last cell"


def clean_outputs(outputs):
    """Join neighbouring streams and drop widget views, so that what stays is the still form."""
    cleaned = []
    for output in copy.deepcopy(outputs):
        if output.output_type == "stream":
            last = cleaned[-1] if cleaned else None
            if last is not None and last.output_type == "stream" and last.name == output.name:
                last.text += output.text
                continue
        elif "data" in output:
            output.data.pop(WIDGET_VIEW, None)
            output.metadata.pop(WIDGET_VIEW, None)
            if not output.data:
                continue
        cleaned.append(output)
    return cleaned


def _refuse_noise(output, place):
    """BuildError for what no reader should see: warnings, memory addresses, dead widgets."""
    if output.output_type == "stream" and output.name == "stderr":
        raise BuildError(f"{place} writes to stderr: {output.text.strip()}")
    for text in output_texts(output):
        found = UNSTABLE.search(text)
        if found:
            raise BuildError(f"{place} shows '{found.group()}', which no reader can use")


def output_texts(output):
    """Every text that an output carries: streams, text/plain, text/html, SVG."""
    if output.output_type == "stream":
        return [output.text]
    if output.output_type == "error":
        return ["\n".join(output.traceback)]
    kinds = ("text/plain", "text/html", "text/markdown", "text/latex", "image/svg+xml")
    return [output.data[kind] for kind in kinds if kind in output.data]


def _warm_up():
    """Build matplotlib's font cache now: the first import on a machine reports it on stderr."""
    subprocess.run(
        [sys.executable, "-c", "import matplotlib.font_manager"], capture_output=True, check=False
    )


# ---------------------------------------------------------------- files


def dumps(notebook):
    """The one way a notebook is written: sorted keys, one space, no escapes, a last newline."""
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n"


def digest(notebook):
    """A fingerprint of everything in a notebook, outputs included, but the fingerprint itself."""
    bare = copy.deepcopy(notebook)
    bare.metadata.pop("digest", None)
    return hashlib.sha256(dumps(bare).encode()).hexdigest()


def write(notebook, path):
    """Sign and write a notebook; a reader never meets half a file."""
    notebook.metadata["digest"] = digest(notebook)
    nbformat.validate(notebook)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(dumps(notebook), encoding="utf-8", newline="\n")
    part.replace(path)


def read(path):
    """A committed notebook, or None when there is no such file or it is not a notebook."""
    try:
        return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    except (OSError, ValueError, nbformat.ValidationError):
        return None


# ---------------------------------------------------------------- build


def build_one(path, language, root=NOTEBOOKS, prose_only=False):
    """Build one lesson in one language."""
    notebook = make_notebook(read_lesson(path), language, titles(root))
    target = root / language / f"{path.stem}.ipynb"
    where = f"{language}/{target.name}"
    if prose_only:
        keep_outputs(notebook, read(target), where)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        execute(notebook, target.parent, where)
    write(notebook, target)


def keep_outputs(notebook, old, where):
    """Take the outputs of an earlier build, if its code is the code of now."""
    new_code = code_cells(notebook)
    old_code = [] if old is None else code_cells(old)
    if [without_comments(cell.source) for cell in new_code] != [
        without_comments(cell.source) for cell in old_code
    ]:
        raise BuildError(f"{where}: the code has changed, so build it without --prose")
    for new, before in zip(new_code, old_code, strict=True):
        new.outputs = before.outputs
        new.execution_count = before.execution_count


def _attempt(task):
    """build_one for a worker process: the name of the notebook and the complaint, or None."""
    path, language, root, prose_only = task
    try:
        build_one(path, language, root, prose_only)
    except (SourceError, BuildError) as error:
        return f"{language}/{path.stem}.ipynb", str(error)
    return f"{language}/{path.stem}.ipynb", None


def build(numbers=(), root=NOTEBOOKS, prose_only=False):
    """Build the lessons with these numbers (all if none); return the complaints."""
    tasks = [
        (path, language, root, prose_only)
        for path in _chosen(numbers, root)
        for language in LANGUAGES
    ]
    complaints = []
    if root == NOTEBOOKS:
        text = README.read_text(encoding="utf-8")
        README.write_text(with_table(text, read_list()), encoding="utf-8", newline="\n")
    if not prose_only:
        _warm_up()
    with ProcessPoolExecutor(max_workers=2) as pool:
        for name, complaint in pool.map(_attempt, tasks):
            if complaint is None:
                print(f"built {name}", flush=True)
            elif complaint not in complaints:  # a fault of the source is met in both languages
                complaints.append(complaint)
                print(complaint, file=sys.stderr, flush=True)
    return complaints


def _chosen(numbers, root):
    """The sources with these numbers; SourceError for a number that no lesson has."""
    paths = sources(root)
    unknown = sorted(set(numbers) - {path.name[:2] for path in paths})
    if unknown:
        raise SourceError(f"there is no lesson {', '.join(unknown)} in notebooks/source")
    return [path for path in paths if not numbers or path.name[:2] in numbers]


# ---------------------------------------------------------------- check


def check(numbers=(), root=NOTEBOOKS):
    """Compare the committed notebooks with their sources; return one line per problem."""
    problems = [] if numbers else _strays(root)
    known = titles(root)
    for path in _chosen(numbers, root):
        try:
            lesson = read_lesson(path)
        except SourceError as error:
            problems.append(str(error))
            continue
        for language in LANGUAGES:
            target = root / language / f"{path.stem}.ipynb"
            expected = make_notebook(lesson, language, known)
            problem = _difference(expected, target)
            if problem:
                problems.append(f"{language}/{target.name}: {problem}")
    return problems


def _strays(root):
    """Files that belong to no listed lesson, sources that are missing, and an old README."""
    names = [path.stem for path in sources(root)]
    kept = {path.stem for path in (root / "source").glob("[0-9]*.md")}
    problems = [
        f"source/{name}.md: in lessons.toml, but missing" for name in names if name not in kept
    ]
    problems += [f"source/{name}.md: not in lessons.toml" for name in sorted(kept - set(names))]
    for language in LANGUAGES:
        for path in sorted((root / language).glob("*")):
            hidden = path.name.startswith(".")
            if not hidden and (path.suffix != ".ipynb" or path.stem not in names):
                problems.append(f"{language}/{path.name}: no source makes this file; delete it")
    if root == NOTEBOOKS:
        text = README.read_text(encoding="utf-8")
        if with_table(text, read_list()) != text:
            problems.append(
                "README.md: its table of lessons is old; run python notebooks/build.py --prose"
            )
    return problems


def _difference(expected, path):
    """What is wrong with a committed notebook, in a sentence; None when nothing is."""
    again = f"run python notebooks/build.py {path.name[:2]}"
    if not path.exists():
        return f"missing; {again}"
    found = read(path)
    if found is None:
        return f"not a notebook; {again}"
    if len(found.cells) != len(expected.cells):
        return f"{len(found.cells)} cells, but the source makes {len(expected.cells)}; {again}"
    for position, (is_cell, should) in enumerate(
        zip(found.cells, expected.cells, strict=True), start=1
    ):
        for key in ("cell_type", "source", "id", "metadata"):
            if is_cell.get(key) != should[key]:
                links = should["id"] == "neighbours"
                how = "run python notebooks/build.py --prose" if links else again
                where = f'cell {position} ("{_begin(should.source)}")'
                return f"{where}: its {key} is not what the source makes; {how}"
    counts = [cell.execution_count for cell in code_cells(found)]
    if counts != list(range(1, len(counts) + 1)):
        return f"execution counts are not 1 to {len(counts)}; {again}"
    if not any(cell.outputs for cell in code_cells(found)):
        return f"no outputs; {again}"
    signed = found.metadata.get("digest")
    if signed != digest(found) or dumps(found) != path.read_text(encoding="utf-8"):
        return f"edited by hand after it was built; {again}"
    return None


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description="Build the lessons from notebooks/source.")
    parser.add_argument("numbers", nargs="*", metavar="NN", help="only these lessons, e.g. 06 07")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="execute nothing, only compare")
    mode.add_argument("--prose", action="store_true", help="keep the outputs, renew the prose")
    options = parser.parse_args(arguments)
    try:
        if options.check:
            problems = check(options.numbers)
            print("\n".join(problems), end="\n" if problems else "")
        else:
            problems = build(options.numbers, prose_only=options.prose)
    except SourceError as error:
        print(error, file=sys.stderr)
        return 1
    return 1 if problems else 0


if __name__ == "__main__":
    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")  # this Python's kernel, not another's
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    raise SystemExit(main())
