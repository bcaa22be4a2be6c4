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
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from notebooks.building.comparing import check
from notebooks.building.files import code_cells, read, write
from notebooks.building.making import make_notebook, titles
from notebooks.building.reading import (
    LANGUAGES,
    SourceError,
    chosen,
    read_lesson,
    without_comments,
)
from notebooks.building.running import BuildError, execute, warm_up
from notebooks.lesson_list import NOTEBOOKS, README, read_list, with_table


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
        for path in chosen(numbers, root)
        for language in LANGUAGES
    ]
    complaints = []
    if root == NOTEBOOKS:
        text = README.read_text(encoding="utf-8")
        README.write_text(with_table(text, read_list()), encoding="utf-8", newline="\n")
    if not prose_only:
        warm_up()
    with ProcessPoolExecutor(max_workers=2) as pool:
        for name, complaint in pool.map(_attempt, tasks):
            if complaint is None:
                print(f"built {name}", flush=True)
            elif complaint not in complaints:  # a fault of the source is met in both languages
                complaints.append(complaint)
                print(complaint, file=sys.stderr, flush=True)
    return complaints


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
