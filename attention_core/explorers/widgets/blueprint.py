"""How an explorer stands on the page: its layout checked, and all that the browser is told once."""

from collections import Counter

from attention_core.explorers.widgets.parts import Press
from attention_core.explorers.widgets.settings import Setting
from attention_core.explorers.widgets.vocabulary import vocabulary
from attention_core.language import say

_LAYOUT_WORDS = ("say", "calc", "changes", "legend")


def check_layout(parts, layout):
    """Every part on screen has one place in the layout.

    Raises
    ------
    ValueError
        If a name is no part, or a part stands nowhere or twice.
    """
    rows = layout.values() if isinstance(layout, dict) else layout
    items = [item for row in rows for item in row]
    named = Counter(n for item in items for n in ([item] if isinstance(item, str) else item))
    seen = {n for n, p in parts.items() if not isinstance(p, Setting | Press)}
    unknown = set(named) - set(parts) - set(_LAYOUT_WORDS)
    missing = seen - set(named)
    twice = {name for name, count in named.items() if count > 1}
    if unknown or missing or twice:
        raise ValueError(
            f"Explorer: the layout names {sorted(unknown)} that are no parts, "
            f"leaves out {sorted(missing)} and repeats {sorted(twice)}"
        )


def blueprint(parts, layout, framed, missions, formula, selected, quiet):
    """Return what the browser must know of an explorer, before any picture."""
    words = vocabulary() if quiet is None else {**vocabulary(), "quietPlain": say(quiet)}
    is_areas = isinstance(layout, dict)
    return {
        "parts": {name: part.spec() for name, part in parts.items()},
        "areas": layout if is_areas else None, "rows": None if is_areas else layout,
        "framed": list(framed), "formula": formula, "selected": selected,
        "missions": [{**mission.spec(), "at": _places(mission, parts)} for mission in missions],
        "words": words,
    }  # fmt: skip


def _places(mission, parts):
    """The indices of what a guess changes, if they are all settings."""
    change = getattr(mission, "change", {})
    if not all(isinstance(parts[name], Setting) for name in change):
        return None
    return {name: parts[name].values.index(value) for name, value in change.items()}
