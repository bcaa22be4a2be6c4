"""The parts of an explorer that hold no value: buttons, panels, readings, boards."""

import traitlets

from attention_core.explorers.widgets.typeset import plain, typeset


class Part(traitlets.HasTraits):
    """Something on screen. A part with a `start` is a control: it has a `value`."""

    start = None

    @property
    def is_control(self):
        """Whether the learner can change it."""
        return self.start is not None


class Press(Part):
    """A button; pressing it calls `press(name)` of the explorer, as one step of undo."""

    def __init__(self, label):
        self.label = label
        super().__init__()

    def spec(self):
        """What the browser must know."""
        return {"type": "press", "label": typeset(self.label), "name": plain(self.label)}


class Panel(Part):
    """A place for a picture (SVG with a title) or a few words.

    Parameters
    ----------
    label : str
    height : int
        In pixels; keeps what stands below in its place.
    drag : bool
        Whether a hand moves in it; the SVG says how far its axes reach (``data-reach``) and how
        wide its edge is (``data-edge``), and `drag(name, x, y, grabbed)` hears of the hand.
    """

    def __init__(self, label="", height=0, drag=False):
        self.label, self.height, self.drag = label, height, drag
        super().__init__()

    def spec(self):
        """What the browser must know."""
        return {
            "type": "panel", "label": typeset(self.label), "height": self.height,
            "drag": self.drag,
        }  # fmt: skip


class Reading(Part):
    """The lines from each reader to its sources, as wide as the weight.

    Parameters
    ----------
    weights : str
        The name of the matrix of weights.
    values, output : str, optional
        Matrices whose rows are drawn as small strips beside sources and readers.
    high : int, optional
        A height in pixels that all tokens share; default: as much as they need.
    """

    def __init__(self, weights="A", values="", output="", high=0):
        self.of = {"weights": weights, "values": values, "output": output, "high": high}
        super().__init__()

    def spec(self):
        """What the browser must know."""
        return {"type": "reading", **self.of}


class Board(Part):
    """The arithmetic of every cell in the row of the reader, step by step.

    Parameters
    ----------
    of : dict of matrix name -> str
        The steps and what each is called.
    """

    def __init__(self, of):
        self.of = of
        super().__init__()

    def spec(self):
        """What the browser must know."""
        return {"type": "board", "of": {name: typeset(text) for name, text in self.of.items()}}
