"""Cut the Chinese font down to the characters a lesson can show (authors only; needs fonttools).

    python attention_core/figures/fonts/make.py NotoSansCJK-Regular.ttc

The source is Noto Sans CJK (Debian package ``fonts-noto-cjk``), SIL Open Font License 1.1; OFL.txt
has its text. Run it again only when a test says that a token of a lesson has no glyph.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FACE = 2  # "Noto Sans CJK SC", the simplified Chinese face of the collection
TARGET = Path(__file__).with_name("course_cjk.otf")
SYMBOLS = "·×÷±−√∞∑∂≈≠≤≥←↑→↓□■○●…—–‘’“”°′″½¹²³"
GREEK = "".join(map(chr, [*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)])).replace("\u03a2", "")
RARER = "熵"  # terms of the course beyond the common characters
CHINESE_MARKS = "。，、；：？！（）《》「」『』【】〈〉～￥％"


def common_chinese():
    """The 3755 characters of GB 2312 level 1, in their order."""
    cells = (bytes([row, cell]) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF))
    return "".join(pair.decode("gb2312", errors="ignore") for pair in cells)


def wanted_characters():
    """Every character the bundled font must draw."""
    ascii_and_latin = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x100)]))
    return ascii_and_latin + SYMBOLS + GREEK + CHINESE_MARKS + RARER + common_chinese()


def make(source, target=TARGET):
    """Write the subset of `source` to `target`; the same source gives the same bytes."""
    options = subset.Options(
        hinting=False,
        desubroutinize=False,
        layout_features=[],
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14],
        notdef_outline=True,
        drop_tables=["GSUB", "GPOS", "BASE", "VORG", "vhea", "vmtx", "DSIG"],
    )
    font = TTFont(source, fontNumber=FACE, recalcTimestamp=False)
    cutter = subset.Subsetter(options)
    cutter.populate(text=wanted_characters())
    cutter.subset(font)
    font.save(target)


if __name__ == "__main__":
    make(sys.argv[1])
