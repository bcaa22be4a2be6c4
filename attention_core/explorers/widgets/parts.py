"""The parts of an explorer: matrices, settings, panels. Those with a `value` are its controls."""

import numpy as np
import traitlets

from attention_core.explorers.widgets.links import read_rule
from attention_core.explorers.widgets.typeset import plain, role_of, typeset
from attention_core.language import Words, say

MINE = "yours"  # the place of a Preset when the learner's own values match none of its options
_NOT_AN_OPTION = Words(
    "{label}: {value!r} is not one of its settings: {options}",
    "{label}：{value!r} 不是可选的设置：{options}",
)
_BAD_VALUES = Words(
    "{title}: the new values are {got}, but the matrix is {shape} and every entry must be finite",
    "{title}：新的数值形状是 {got}，但矩阵是 {shape}，而且每个数都必须有限",
)
_MINE = Words("yours", "自定义")


class Part(traitlets.HasTraits):
    """Something on screen. A part with a `start` is a control: it has a `value`."""

    start = None

    @property
    def is_control(self):
        """Whether the learner can change it."""
        return self.start is not None


class Matrix(Part):
    """A matrix with its symbol, its labels and where its cells come from.

    Parameters
    ----------
    symbol : str
        Typeset above it, such as "W_Q" or "S/√d_k + M".
    rows, cols : sequences of str
        Labels of the rows and columns, or a number of them (1, 2, 3, …).
    start : array_like, optional
        Makes it a control: numbers that can be edited, or bool (a mask) that can be toggled.
    made : str
        What a cell is made of, such as "Q[r,k] K[c,k]"; see `links`.
    sum : str
        The arithmetic of a cell. `{me}` is its name, `{=}` its value, `{q:r}` the symbol q with
        the number of the row, `{S[r,c]}` a value, `{Q[r,k]·K[c,k]}` a dot product, `{softmax:Z}`
        a share of a row, any other `{word}` a fact of the picture. Default: from `made`.
    words, hidden_words : str
        What a cell says in words: `{row}`, `{col}`, `{i}`, `{j}` and `{=}` are filled in.
    about : str
        What the matrix is, in one sentence.
    equation : str
        Behind the symbol, such as "= Q K^T".
    role : {"q", "k", "v", "o", "n", "a"}, optional
        Its colour; default: that of the symbol.
    reads : str
        Names whose rows are what: "rc" readers in rows and sources in columns, "r-" readers,
        "s-" sources in rows, "f-" features in rows, "tf" tokens and features, "--" nothing.
    row_axis, col_axis : str
        Read aloud before each label: "query", "key".
    mark : str
        What a marked cell means.
    then : str
        The operator that stands behind it, such as "=" or "$·V$".
    kind : str
        Of the frame that shows its own values.
    hide : str
        "r", "c" or "rc": labels that a neighbour shows already, hidden for the eye; "n": row
        labels that are hidden where the matrices of the chain stand on one line.
    dense : bool
        A large map: of one size whatever it holds, with numbers only where there is room.
    free : bool
        Whether its value may take another shape; its frames then carry the labels.
    """

    value = traitlets.Any()

    def __init__(
        self, symbol, rows, cols, start=None, *, made="", sum="", words="", hidden_words="",
        about="", equation="", role=None, reads="--", row_axis="", col_axis="", mark="", then="",
        hide="", dense=False, free=False,
    ):  # fmt: skip
        self.free = free
        self.symbol, self.rows, self.cols = symbol, _labels(rows), _labels(cols)
        read_rule(made)
        self.made, self.role = made, role or role_of(symbol)
        self.texts = {
            "sum": sum, "words": typeset(words), "hiddenWords": typeset(hidden_words),
            "about": typeset(about), "name": plain(about) or plain(symbol),
            "symbol": typeset(f"${symbol}$"), "equation": typeset(f"${equation}$"),
            "then": typeset(then), "mark": typeset(mark), "plain": plain(symbol),
        }  # fmt: skip
        self.axes, self.reads, self.hide = (row_axis, col_axis), reads, hide
        self.dense = dense
        super().__init__()
        if start is not None:
            self.toggles = np.asarray(start).dtype == bool
            self.value = start
            self.start = self.value

    @traitlets.validate("value")
    def _check_value(self, proposal):
        array = np.array(proposal["value"], dtype=bool if self.toggles else float)
        shape = (len(self.rows), len(self.cols))
        fits = array.ndim == 2 and array.size if self.free else array.shape == shape
        if not fits or not np.isfinite(array).all():
            message = say(_BAD_VALUES, title=plain(self.symbol), got=array.shape, shape=shape)
            raise traitlets.TraitError(message)
        array.flags.writeable = False  # a changed entry is a new array: every change is seen
        return array

    def set_cell(self, i, j, number):
        """Change one entry, as the learner does by typing or clicking."""
        self.set_cells([(i, j, number)])

    def set_cells(self, cells):
        """Change several entries (i, j, number) at once."""
        changed = self.value.copy()
        for i, j, number in cells:
            changed[i, j] = number
        self.value = changed

    def spec(self):
        """What the browser must know."""
        mode = "read" if not self.is_control else "toggle" if self.toggles else "edit"
        return {
            "type": "matrix", "mode": mode, "role": self.role, "made": self.made,
            "rows": self.rows, "cols": self.cols, "axes": self.axes, "reads": self.reads,
            "hide": self.hide, "dense": self.dense, **self.texts,
        }  # fmt: skip


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


def same_settings(one, other):
    """Whether two dicts of settings hold the same values."""
    return one.keys() == other.keys() and all(
        np.array_equal(value, other[name]) for name, value in one.items()
    )


def _labels(labels):
    return [str(i + 1) for i in range(labels)] if isinstance(labels, int) else [*map(str, labels)]
