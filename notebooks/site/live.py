"""Explorers that are alive in a page without Python: what they have ready is picked there."""

import gzip
import json
import re
from base64 import b64encode
from functools import cache

from attention_core import explorers, use_language
from attention_core.explorers.widgets import Explorer
from attention_core.explorers.widgets.style import SCRIPT, STYLE

CALL = re.compile(r"^(\w+_explorer)\(\)$", re.M)
LARGEST = 400_000  # characters of a state that a page has to read
NEED_PYTHON = ("text",)  # parts that only a kernel can answer


def called(source):
    """Return the name of the explorer that a cell makes, or None."""
    found = CALL.search(source)
    return found[1] if found and found[1] in explorers.__all__ else None


@cache
def state(name, language):
    """Return an explorer's state for a page without Python, or None: JSON, packed as base64.

    What a page cannot compute is taken out: editing, missions, settings that are not prepared.
    """
    use_language(language)
    explorer = getattr(explorers, name)()
    if not isinstance(explorer, Explorer):
        return None
    traits = {key: value for key, value in explorer.get_state().items() if key[0] != "_"}
    spec = json.loads(json.dumps(traits["spec"]))
    placed = set(_names(spec["areas"] or spec["rows"]))
    parts = spec["parts"]
    if any(part["type"] in NEED_PYTHON for part in parts.values()):
        return None
    for part_name, part in list(parts.items()):
        if part["type"] == "matrix":
            part["mode"] = "read"
        elif part_name not in placed and part_name not in spec["framed"]:
            del parts[part_name]
    spec["missions"] = []
    pictures = [{**picture, "goals": []} for picture in traits["pictures"]]
    traits |= {"spec": spec, "pictures": pictures, "history": [0, 0]}
    text = json.dumps(traits, ensure_ascii=False, separators=(",", ":"), default=str)
    if len(text) >= LARGEST:
        return None
    return b64encode(gzip.compress(text.encode("utf-8"), mtime=0)).decode()


def _names(layout):
    """Every name in a layout, however it is nested: areas, rows, rows of rows."""
    if isinstance(layout, str):
        return [layout]
    inner = layout.values() if isinstance(layout, dict) else layout
    return [name for part in inner for name in _names(part)]


def script():
    """The explorers' own script, which exports what draws one."""
    return SCRIPT


def style():
    """The explorers' own style sheet."""
    return STYLE
