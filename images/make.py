"""Draw the picture at the head of every lesson: images/00.svg … 17.svg.

    python images/make.py           draw them all
    python images/make.py --check   only compare; ends with an error when a file is out of date

The drawings are in `one_head.py` and `many_heads.py`. They hold symbols and tokens but no words,
so both languages share them, and every number in them is computed by attention_core.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import many_heads  # noqa: E402  (the folders above must be on the path)
import one_head  # noqa: E402

from attention_core.drawing.svg.canvas import standalone  # noqa: E402


def pictures():
    """Every file name with its text."""
    return {
        f"{number}.svg": standalone(draw())
        for number, draw in (one_head.DRAWINGS | many_heads.DRAWINGS).items()
    }


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
