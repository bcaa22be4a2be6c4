"""Controls with names that people and screen readers can read."""

from html import escape

import anywidget
import traitlets

from attention_core.explorers.frames import STYLE, script
from attention_core.language import Words, say

_NOT_AN_OPTION = Words(
    "{label}: {value!r} is not one of its settings: {options}",
    "{label}：{value!r} 不是可选的设置：{options}",
)


class Control(anywidget.AnyWidget):
    """A setting chosen from a list: `value` is the setting, `index` its place in the list."""

    _esm = script("controls.js")
    _css = STYLE
    look = traitlets.Unicode().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    index = traitlets.Int(0).tag(sync=True)
    value = traitlets.Any()

    def __init__(self, look, label, values, value, texts=None):
        self.values = list(values)
        super().__init__(
            look=look,
            label=label,
            options=[str(v) for v in self.values] if texts is None else list(texts),
        )
        self.value = self.start = self.values[0] if value is None else value

    def __repr__(self):
        return f"<{type(self).__name__} {self.label}>"

    @traitlets.validate("value")
    def _check_value(self, proposal):
        if proposal["value"] not in self.values:
            options = ", ".join(map(str, self.values))
            message = say(
                _NOT_AN_OPTION, label=self.label, value=proposal["value"], options=options
            )
            raise traitlets.TraitError(message)
        return self.values[self.values.index(proposal["value"])]

    @traitlets.validate("index")
    def _check_index(self, proposal):
        return min(max(proposal["value"], 0), max(len(self.options) - 1, 0))

    @traitlets.observe("value")
    def _value_changed(self, _):
        self.index = self.values.index(self.value)

    @traitlets.observe("index")
    def _index_changed(self, _):
        self.value = self.values[self.index]

    def offer(self, values, texts):
        """Offer other settings; the chosen one stays if it is among them, else the first."""
        values = list(values)
        chosen = self.value if self.value in values else values[0]
        with self.hold_sync():
            self.values, self.options = values, list(texts)
            self.value = chosen
            self.index = values.index(chosen)

    def static_html(self, _=0):
        """The setting in words."""
        return f"<p>{escape(self.label)} {escape(self.options[self.index])}</p>"


class Slider(Control):
    """A slider over the given settings, smallest first.

    Parameters
    ----------
    label : str
        Its name, such as "d_k".
    values : sequence
        The settings; the slider moves from one to the next.
    value : optional
        Where it starts; default: the first.
    texts : sequence of str, optional
        How the settings are written; default: as they are.
    """

    def __init__(self, label, values, value=None, texts=None):
        super().__init__("slider", label, values, value, texts)

    @property
    def min(self):
        """The first setting."""
        return self.values[0]

    @property
    def max(self):
        """The last setting."""
        return self.values[-1]


class Choice(Control):
    """Radio buttons: one of a few named settings."""

    def __init__(self, label, values, value=None, texts=None):
        super().__init__("choice", label, values, value, texts)


class Check(Control):
    """A check box: off (False) or on (True)."""

    def __init__(self, label, value=False):
        super().__init__("check", label, [False, True], value, ["☐", "☑"])


class Button(anywidget.AnyWidget):
    """A button; `on_click` gets a function without arguments."""

    _esm = script("controls.js")
    _css = STYLE
    look = traitlets.Unicode("button").tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    index = traitlets.Int(0).tag(sync=True)

    def __init__(self, label):
        super().__init__(label=label)

    def __repr__(self):
        return f"<Button {self.label}>"

    def on_click(self, act):
        """Call `act()` at every click."""
        self.observe(lambda _: act(), "index")

    def static_html(self, _=0):
        """Without a kernel there is nothing to press."""
        return ""
