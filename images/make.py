"""Draw the picture at the head of every lesson: images/00.svg, 01.svg ….

    python images/make.py           draw them all
    python images/make.py --check   only compare; ends with an error when a file is out of date

Each lesson of the list has its picture: `draw()` in `lesson_NN.py`, else one of `one_head.py` and
`many_heads.py`. They hold symbols and tokens but no words, so both languages share them, and every
number in them is computed by attention_core.
"""

import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import many_heads  # noqa: E402  (the folders above must be on the path)
import one_head  # noqa: E402

from attention_core.drawing.svg.canvas import standalone  # noqa: E402
from notebooks.lesson_list import read_list  # noqa: E402


def pictures():
    """Every file name with its text."""
    return {lesson.picture: standalone(_drawing(lesson.number)()) for lesson in read_list()}


def _drawing(number):
    """The function that draws the picture of a lesson."""
    if (HERE / f"lesson_{number}.py").exists():
        return import_module(f"lesson_{number}").draw
    return (one_head.DRAWINGS | many_heads.DRAWINGS)[number]


def out_of_date(folder=HERE):
    """The names of the files that are missing, changed, or no longer drawn."""
    fresh = pictures()
    kept = {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.svg")}
    return sorted(name for name in fresh.keys() | kept.keys() if fresh.get(name) != kept.get(name))


def main(arguments):
    """Write the pictures, or with --check say which ones differ."""
    if arguments == ["--check"]:
        stale = out_of_date()
        return f"images: out of date: {', '.join(stale)}; run python images/make.py" if stale else 0
    for name, text in pictures().items():
        (HERE / name).write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
