"""The script and the style sheet of the explorers, each joined from its files."""

from pathlib import Path

from attention_core.drawing.screen import tokens_css

_HERE = Path(__file__).parent
_SCRIPTS = (
    "numbers", "links", "cells", "matrix", "arithmetic", "changes", "reading", "board", "controls",
    "missions", "guess", "typed", "wall", "bars", "pair", "keys", "editor", "drags", "events",
    "light", "strip", "layout", "page", "legend", "wire", "explorer",
)  # fmt: skip


def _read(name):
    return (_HERE / name).read_text("utf-8")


SCRIPT = "\n".join(_read(f"{name}.js") for name in _SCRIPTS)
_SHEETS = ("look.css", "layout.css", "heads.css", "forced.css")
STYLE = "\n".join([tokens_css(), *((_HERE / name).read_text("utf-8") for name in _SHEETS)])
