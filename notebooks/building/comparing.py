"""The committed notebooks compared with their sources, without executing anything."""

from notebooks.building.files import code_cells, digest, dumps, read
from notebooks.building.making import make_notebook, titles
from notebooks.building.reading import (
    LANGUAGES,
    SourceError,
    begin,
    chosen,
    read_lesson,
    sources,
)
from notebooks.lesson_list import NOTEBOOKS, README, read_list, with_table


def check(numbers=(), root=NOTEBOOKS):
    """Compare the committed notebooks with their sources; return one line per problem."""
    problems = [] if numbers else _strays(root)
    known = titles(root)
    for path in chosen(numbers, root):
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
                where = f'cell {position} ("{begin(should.source)}")'
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
