"""Settings: values chosen from a list, and names for values of other controls."""

import numpy as np
import traitlets

from attention_core.explorers.widgets.parts import Part
from attention_core.explorers.widgets.typeset import plain, typeset
from attention_core.language import Words, say

MINE = "yours"  # the place of a Preset when the learner's own values match none of its options
_NOT_AN_OPTION = Words(
    "{label}: {value!r} is not one of its settings: {options}",
    "{label}：{value!r} 不是可选的设置：{options}",
)
_MINE = Words("yours", "自定义")


class Setting(Part):
    """A value chosen from a list."""

    look = "choice"
    value = traitlets.Any()

    def __init__(self, label, values, value=None, texts=None, about=""):
        self.label, self.about, self.values = label, about, list(values)
        self.texts = [str(v) for v in self.values] if texts is None else list(texts)
        super().__init__()
        self.limit = len(self.values) - 1  # the last place that is offered now; see `settle`
        self.closed = ()  # places before it that are not offered now
        self.value = self.start = self.values[0] if value is None else value

    @traitlets.validate("value")
    def _check_value(self, proposal):
        if proposal["value"] not in self.values:
            options = ", ".join(map(str, self.values))
            label = plain(self.label)
            message = say(_NOT_AN_OPTION, label=label, value=proposal["value"], options=options)
            raise traitlets.TraitError(message)
        return self.values[self.values.index(proposal["value"])]

    @property
    def index(self):
        """The place of the value in the list."""
        return self.values.index(self.value)

    def nearest(self):
        """The place of the value, or of the last one before it that is offered."""
        return max(k for k in range(self.limit + 1) if k <= self.index and k not in self.closed)

    def spec(self):
        """What the browser must know."""
        return {
            "type": self.look, "label": typeset(self.label), "name": plain(self.label),
            "options": [typeset(text) for text in self.texts], "about": plain(self.about),
            "plainOptions": [plain(text) for text in self.texts],
        }  # fmt: skip


class Choice(Setting):
    """One of a few named settings, side by side."""


class Slider(Setting):
    """A slider over the given settings, smallest first; `play` gives it a button that walks it."""

    look = "slider"

    def __init__(self, label, values, value=None, texts=None, about="", play=False):
        super().__init__(label, values, value, texts, about)
        self.play = play

    def spec(self):
        """What the browser must know."""
        return {**super().spec(), "play": self.play}


class Check(Setting):
    """Off (False) or on (True)."""

    look = "check"

    def __init__(self, label, value=False, about=""):
        super().__init__(label, [False, True], value, ["0", "1"], about)


class Preset(Setting):
    """Named values of other controls; it shows the name that fits them, else "yours".

    Parameters
    ----------
    label : str
    options : dict of name -> {control: array or (index, values) or callable}
        What each name sets: the whole value, or a part of it, or `callable(settings)` of it.
    texts : sequence of str
        How the names are written.
    """

    look = "preset"

    def __init__(self, label, options, texts, about=""):
        self.options = options
        super().__init__(label, [*options, MINE], None, [*texts, say(_MINE)], about)

    def apply(self, settings):
        """Return these settings with what the chosen name sets."""
        return self.applied(settings, self.value)

    def applied(self, settings, name):
        """Return these settings with what this name sets."""
        changed = dict(settings)
        for control, setting in self.options.get(name, {}).items():
            if callable(setting):
                changed[control] = setting(settings)
            elif isinstance(setting, tuple):
                index, values = setting
                changed[control] = np.array(settings[control])
                changed[control][index] = values
            else:
                changed[control] = np.asarray(setting)
        return changed

    def matching(self, settings):
        """Return the first name whose values these settings have, or "yours"."""
        for name in self.options:
            if same_settings(self.applied(settings, name), settings):
                return name
        return MINE


def same_settings(one, other):
    """Whether two dicts of settings hold the same values."""
    return one.keys() == other.keys() and all(
        np.array_equal(value, other[name]) for name, value in one.items()
    )
