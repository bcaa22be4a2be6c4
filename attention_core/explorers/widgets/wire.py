"""What Python and the browser tell each other, and what is left without a kernel."""

from uuid import uuid4

import anywidget
import traitlets

from attention_core.explorers.widgets.settings import Setting
from attention_core.explorers.widgets.style import SCRIPT, STYLE


class Wire(anywidget.AnyWidget):
    """The traits that the browser reads, and the messages that it sends."""

    _esm, _css = SCRIPT, STYLE
    me = traitlets.Unicode().tag(sync=True)
    lang = traitlets.Unicode().tag(sync=True)
    spec = traitlets.Dict().tag(sync=True)
    pool = traitlets.List().tag(sync=True)
    pictures = traitlets.List().tag(sync=True)
    first = traitlets.Dict().tag(sync=True)
    axes = traitlets.Dict().tag(sync=True)
    at = traitlets.Dict().tag(sync=True)
    limits = traitlets.Dict().tag(sync=True)
    closed = traitlets.Dict().tag(sync=True)
    history = traitlets.List().tag(sync=True)
    done = traitlets.List().tag(sync=True)
    round = traitlets.Int(0).tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    stamp = traitlets.Int(0).tag(sync=True)

    def __init__(self):
        self.controls, name = {}, uuid4().hex
        super().__init__(model_id=name, me=name)
        self.observe(lambda _: self._picked(), "at")
        self.on_msg(self._on_message)

    def open(self):
        """Speak to the browser once there is something to show: one message holds it all."""
        if self.pictures:
            super().open()

    def _tell(self, **traits):
        """Everything that the browser must hear of a change, in one message."""
        settings = {n: p for n, p in self.controls.items() if isinstance(p, Setting)}
        with self.hold_sync():
            for name, value in traits.items():
                setattr(self, name, value)
            self.limits = {name: part.limit for name, part in settings.items()}
            self.closed = {name: list(part.closed) for name, part in settings.items()}
            self.at = {name: part.index for name, part in settings.items()}
            self.stamp += 1

    def _tick(self, missions):
        self.done = sorted({*self.done, *missions})

    def _picked(self):
        """A setting was moved in the browser."""
        with self.together():
            for name, index in self.at.items():
                part = self.controls[name]
                if part.index != index:
                    part.value = part.values[index]

    def _on_message(self, _, message, __):
        act = message.get("do")
        if act == "edit":
            self.controls[message["name"]].set_cells(message["cells"])
        elif act == "type":
            self.controls[message["name"]].value = message["text"]
        elif act == "drag":
            with self.together():
                self.drag(message["name"], message["x"], message["y"], message["grabbed"])
        elif act == "press":
            with self.together():
                self.press(message["name"])
        elif act in ("undo", "redo", "reset"):
            getattr(self, act)()
        elif act == "reveal":
            self.reveal(message["mission"])
        elif act == "repeat":  # the browser heard nothing
            self.send_state()
        elif act == "tick":
            self._tick([message["mission"]])
        self.stamp += 1  # heard, also where nothing changed

    def __repr__(self):
        return self.sentence

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        bundle["text/plain"] = self.sentence
        bundle["text/html"] = self.static_html()
        return bundle, metadata
