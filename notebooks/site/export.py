"""One lesson, the learner's own or as it was made, as HTML in one file and as PDF.

python3 course.py export 06                  work/en/06_... as build/export/06_....html and .pdf
python3 course.py export 06 --lang zh        the Chinese one
python3 course.py export my/notebook.ipynb   any notebook
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .lessons import LANGUAGES, NOTEBOOKS
from .pages import whole_page

ROOT = NOTEBOOKS.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
FLAGS = ("--headless", "--disable-gpu", "--no-pdf-header-footer", "--no-first-run")
FLAGS += ("--disable-background-networking",)


class ExportError(Exception):
    """Something the user can mend; the message is one sentence that says how."""


def find_lesson(name, language):
    """Return the notebook that is meant: a path, or a lesson's number or name, one's own first."""
    path = Path(name)
    if path.suffix == ".ipynb":
        if path.exists():
            return path.resolve()
        raise ExportError(f"{name} does not exist: name a notebook, or a lesson by its number.")
    for folder in (ROOT / "work" / language, NOTEBOOKS / language):
        found = sorted(folder.glob(f"{name}*.ipynb"))
        if name and len(found) == 1:
            return found[0]
    lessons = sorted(path.stem for path in (NOTEBOOKS / language).glob("*.ipynb"))
    raise ExportError(f"{name!r} names no lesson, or several; there are {', '.join(lessons)}.")


def find_browser():
    """Return the path of a Chromium, or None."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


def to_pdf(page, target, browser):
    """Print an HTML file through Chromium; it may use no network."""
    with tempfile.TemporaryDirectory() as profile:
        flags = [*FLAGS, f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            flags.append("--no-sandbox")
        command = [browser, *flags, f"--print-to-pdf={target}", page.as_uri()]
        subprocess.run(command, capture_output=True, check=False, timeout=120)
    if not target.exists():
        raise ExportError(f"{browser} made no PDF: print {page} from your browser instead.")


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="course.py export",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("lesson", help="a lesson's number or name, or the path of a notebook")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the lesson")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "export", help="the folder")
    options = parser.parse_args(arguments)
    try:
        lesson = find_lesson(options.lesson, options.lang)
        if lesson.parent.name in LANGUAGES:
            options.lang = lesson.parent.name
        return export(lesson, options.lang, options.out.resolve())
    except ExportError as error:
        print(f"course.py: {error}", file=sys.stderr)
        return 1


def export(lesson, language, out):
    """Write the HTML, and the PDF if there is a Chromium; say where they are."""
    number = re.match(r"\d\d(?=_)", lesson.name)
    out.mkdir(parents=True, exist_ok=True)
    page = out / f"{lesson.stem}.{language}.html"
    page.write_text(whole_page(lesson, language, number and number[0]), "utf-8")
    print(page, flush=True)
    browser = find_browser()
    if browser is None:
        print("No Chromium is here, so no PDF: open the file and print it from your browser.")
        return 0
    target = page.with_suffix(".pdf")
    target.unlink(missing_ok=True)
    to_pdf(page, target, browser)
    print(target)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
