"""Views that keep all their pictures ready: Python computes them once, the browser picks one."""

from pathlib import Path

import anywidget
import traitlets

_HERE = Path(__file__).parent
AXES = ("axis0", "axis1", "axis2", "axis3")


def script(name):
    """The ES module of a view: what all views share, and its own part."""
    return (_HERE / "frames.js").read_text("utf-8") + (_HERE / name).read_text("utf-8")


STYLE = (_HERE / "style.css").read_text("utf-8")


class FramedView(anywidget.AnyWidget):
    """A view whose frames are numbered by up to four controls, the last one running fastest."""

    _css = STYLE
    frames = traitlets.List().tag(sync=True)
    frame_shape = traitlets.List(traitlets.Int()).tag(sync=True)
    axis0 = traitlets.Int(0).tag(sync=True)
    axis1 = traitlets.Int(0).tag(sync=True)
    axis2 = traitlets.Int(0).tag(sync=True)
    axis3 = traitlets.Int(0).tag(sync=True)

    def __repr__(self):
        return f"<{type(self).__name__}>"
