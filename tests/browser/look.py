"""Look at a lesson as a learner sees it: a picture of every explorer.

python -m tests.browser.look en/00_overview --theme dark --out /tmp/pictures
"""

import argparse
import tempfile
from pathlib import Path

from tests.browser.chromium import MISSING, browser, find_chromium
from tests.browser.lesson import Lesson
from tests.browser.server import jupyterlab


def look(names, themes, out, width):
    """Open and run the lessons, and write pictures of their explorers in each theme."""
    executable = find_chromium()
    if executable is None:
        raise SystemExit(MISSING)
    with (
        tempfile.TemporaryDirectory() as folder,
        jupyterlab(Path(folder)) as server,
        browser(executable) as chromium,
    ):
        for name in names:
            language, lesson_name = name.split("/")
            page = chromium.new_page(viewport={"width": width, "height": 1000})
            lesson = Lesson(page, server).open(lesson_name, language).run_all()
            for theme in themes:
                lesson.theme(theme)
                for number, explorer in enumerate(lesson.explorers().all()):
                    path = out / f"{language}_{lesson_name}_{number}_{theme}.png"
                    print(lesson.screenshot(path, explorer))
            lesson.shutdown()
            page.close()


def main():
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lesson", nargs="+", help="LANG/NAME, for example zh/06_scaling")
    parser.add_argument("--theme", choices=["dark", "light", "both"], default="both")
    parser.add_argument("--out", type=Path, default=Path("/tmp/look"))
    parser.add_argument("--width", type=int, default=1400, help="of the window, in pixels")
    arguments = parser.parse_args()
    themes = ["light", "dark"] if arguments.theme == "both" else [arguments.theme]
    look(arguments.lesson, themes, arguments.out, arguments.width)


if __name__ == "__main__":
    main()
