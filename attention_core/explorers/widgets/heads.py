"""Parts for a model with many heads: a typed text, the wall of thumbnails, bars, one pair."""

from base64 import b64encode

import numpy as np
import traitlets

from attention_core.explorers.widgets.frames import Frame, scale_of, to_browser
from attention_core.explorers.widgets.parts import Part
from attention_core.explorers.widgets.settings import Setting
from attention_core.explorers.widgets.typeset import plain, typeset


class Text(Part):
    """A text that the learner types; `values` are examples that can be chosen instead."""

    value = traitlets.Unicode()

    def __init__(self, label, values):
        self.label, self.values = label, list(values)
        super().__init__()
        self.value = self.start = self.values[0]

    @property
    def index(self):
        """The place of the value among the examples; −1 for a text of the learner's own."""
        return self.values.index(self.value) if self.value in self.values else -1

    @property
    def limit(self):
        """The last example that is offered."""
        return len(self.values) - 1

    def spec(self):
        """What the browser must know."""
        return {"type": "text", "label": typeset(self.label), "name": plain(self.label),
                "options": self.values}  # fmt: skip


class Wall(Setting):
    """Thumbnails of all heads; its value is the chosen (layer, head).

    `Picture.data` holds what it shows: see `wall_data`.
    """

    look = "wall"

    def __init__(self, label, layers, heads, value, of="A"):
        places = [(layer, head) for layer in range(layers) for head in range(heads)]
        names = [f"L{layer}H{head}" for layer, head in places]
        self.shape, self.of = (layers, heads), of
        super().__init__(label, places, value, names)

    def spec(self):
        """What the browser must know."""
        return {**super().spec(), "shape": self.shape, "of": self.of}


class Bars(Part):
    """The row of the reader as bars, one for each source; `Picture.data` holds `bars_data`."""

    def spec(self):
        """What the browser must know."""
        return {"type": "bars"}


class Pair(Part):
    """q of the reader, k of the source and their products, number by number; folded away.

    `Picture.data` holds what it shows: see `pair_data`; the weights are the frame A.
    """

    def __init__(self, label):
        self.label = label
        super().__init__()

    def spec(self):
        """What the browser must know."""
        return {"type": "pair", "label": typeset(self.label)}


def wall_data(weights, labels, kinds, names, telling):
    """Return what a wall shows.

    Parameters
    ----------
    weights : ndarray, shape (number of heads, n, n)
    labels : sequence of str
        One for each head.
    kinds : sequence of str
        The kind of each head; heads of one kind can be picked out together.
    names : dict of kind -> str
    telling : (row, column)
        The cell of the chosen head that is selected when there is a new text.
    """
    bytes_ = np.round(np.clip(weights, 0, 1) * 255).astype(np.uint8).tobytes()
    return {
        "n": int(weights.shape[-1]), "maps": b64encode(bytes_).decode(),
        "labels": list(labels), "kinds": list(kinds), "names": names, "telling": telling,
    }  # fmt: skip


def pair_data(q, k, scores):
    """Return what a pair shows: q and k (n, d_head) on one scale of their own, scores (n, n)."""
    vectors = {"Q": Frame(q), "K": Frame(k)}
    end = scale_of(vectors.values())
    shown = {name: to_browser(frame, end) for name, frame in vectors.items()}
    return {**{name: {key: one[key] for key in "vxt"} for name, one in shown.items()},
            "S": {"x": to_browser(Frame(scores), end)["x"]}}  # fmt: skip


def bars_data(of, series):
    """Return what bars show: rows of `of`, a matrix, in several series (role, label, weights)."""
    shown = [
        {"role": role, "label": typeset(label), **{key: one[key] for key in "vx"}}
        for role, label, weights in series
        for one in [to_browser(Frame(weights, "weight"), 1)]
    ]
    return {"of": of, "series": shown}
