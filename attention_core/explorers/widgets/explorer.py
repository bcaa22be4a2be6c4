"""An explorer: parts that the learner changes, a computation, and the pictures of its result."""

from collections import Counter
from contextlib import contextmanager
from itertools import product
from math import prod

import anywidget
import numpy as np
import traitlets

from attention_core.explorers.widgets import frames
from attention_core.explorers.widgets.missions import Mission
from attention_core.explorers.widgets.parts import (
    MINE,
    Matrix,
    Preset,
    Press,
    Setting,
    same_settings,
)
from attention_core.explorers.widgets.static import static_html
from attention_core.explorers.widgets.style import SCRIPT, STYLE
from attention_core.explorers.widgets.typeset import typeset
from attention_core.explorers.widgets.vocabulary import ERROR, vocabulary
from attention_core.language import language, say, speaking

REMEMBERED = 100  # steps of undo
_LAYOUT_WORDS = ("say", "calc", "changes", "legend")


class Explorer(anywidget.AnyWidget):
    """One widget with everything in it; a lesson's explorer says what is computed and shown.

    A subclass has two hooks: `compute(**settings)` returns a dict of results from the values of
    the controls (by name) and calls attention_core for all mathematics; `picture(result,
    settings)` returns the `Picture` of it. A third, `settle`, brings controls in line with each
    other where the choices of one depend on another.

    Parameters
    ----------
    parts : dict of name -> Part
        Everything on screen; those with a value become `controls`.
    layout : list of rows of names, or dict of area -> names
        How the matrices, panels and readings stand; "calc" (the arithmetic), "say" (the summary)
        and "changes" may be placed, too.
    framed : tuple of names
        Settings with few values: all their combinations are computed at once, and the browser
        picks the picture without asking Python.
    missions : sequence of Mission, GuessCells or GuessRow
    formula : str
        HTML of `formula_map`: the map on top.
    selected : (matrix, row, column)
        The most telling cell; selected at the start.
    """

    _esm, _css = SCRIPT, STYLE
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
    note = traitlets.Unicode().tag(sync=True)
    stamp = traitlets.Int(0).tag(sync=True)

    def __init__(self, parts, layout, *, framed=(), missions=(), formula="", selected=None):
        super().__init__()
        self.parts, self.missions = parts, tuple(missions)
        self.controls = {name: part for name, part in parts.items() if part.is_control}
        self._framed, self._speak, self._depth = tuple(framed), speaking(), 0
        self._undo, self._redo = [], []
        self._check(layout)
        self.lang = language()
        self.spec = self._spec(layout, formula, selected)
        for name, part in self.controls.items():
            part.observe(lambda _, name=name: self._changed(name), "value")
        self.observe(lambda _: self._picked(), "at")
        self.on_msg(self._on_message)
        self._start = self._now = self._state()
        with self.together():
            pass
        self.first = self._as_first()

    # The two hooks, and the one that few explorers need.

    def compute(self, **settings):
        """Return the results that belong to these settings, by name."""
        raise NotImplementedError

    def picture(self, result, settings):
        """Return the `Picture` of this result."""
        raise NotImplementedError

    def settle(self):
        """Bring controls in line with each other; called before every computation.

        Where the values that a setting offers depend on others, set its `limit` here: the place
        of the last one that is offered, or `closed`: the places of a `Choice` that are not. A
        value that is not offered moves back to the last one before it that is.
        """

    def press(self, name):
        """Do what the button of this name stands for; its changes are one step of undo."""

    def drag(self, name, x, y, grabbed):
        """Follow the hand in the panel of this name; `grabbed` where it has just come down."""

    # What a learner, a test or a lesson does.

    @property
    def settings(self):
        """The values of all controls, by name."""
        return {name: part.value for name, part in self.controls.items()}

    @property
    def shown(self):
        """The picture on screen."""
        return self._shown[self._number()]

    @property
    def sentence(self):
        """The result in one sentence, with its numbers."""
        return self.shown.sentence

    @contextmanager
    def together(self):
        """Several changes, one computation, one redraw, one step of undo."""
        self._depth += 1
        try:
            with self._speak():
                yield
                if self._depth == 1:
                    self._follow()
        finally:
            self._depth -= 1

    def undo(self):
        """Take the last change back."""
        if self._undo:
            self._redo.append(self._now)
            self._restore(self._undo.pop())

    def redo(self):
        """Make the change again that was taken back last."""
        if self._redo:
            self._undo.append(self._now)
            self._restore(self._redo.pop())

    def reset(self):
        """Go back to the values that the explorer started with."""
        before = self._now
        self._restore(self._start)
        if not same_settings(before, self._now):
            self._undo, self._redo = [*self._undo, before], []
            self._answer()

    def reveal(self, number):
        """Make the change of a guess."""
        with self.together():
            for name, value in self.missions[number].change.items():
                self.controls[name].value = value

    # How a change travels: control -> settings -> compute -> picture -> browser.

    def _changed(self, name):
        with self.together():
            part = self.controls[name]
            if isinstance(part, Preset):
                self._set(part.apply(self.settings))

    def _set(self, settings):
        for name, value in settings.items():
            if not np.array_equal(self.controls[name].value, value):
                self.controls[name].value = value

    def _state(self):
        """What must be kept to come back: all settings but those that follow from others."""
        return {n: p.value for n, p in self.controls.items() if not isinstance(p, Preset)}

    def _restore(self, state):
        with self.together():
            self._now = state
            self._set(state)

    def _follow(self):
        self.settle()
        for part in self.controls.values():
            if isinstance(part, Setting) and part.index != part.nearest():
                part.value = part.values[part.nearest()]
            if isinstance(part, Preset):
                part.value = part.matching(self.settings)
        state = self._state()
        if not same_settings(state, self._now):
            self._undo = [*self._undo, self._now][-REMEMBERED:]
            self._redo, self._now = [], state
        prepared = getattr(self, "_prepared", [])
        if not self.note and any(same_settings(self.settings, one) for one in prepared):
            self._answer()
        else:
            self._paint()

    def _paint(self):
        """Compute every combination of the framed settings and send the pictures."""
        self._axes = {name: self._offered(name) for name in self._framed}
        try:
            computed = [self._computed(choice) for choice in product(*self._axes.values())]
        except Exception as error:  # an exception in a callback is invisible in JupyterLab
            if not self.pictures:
                raise  # an explorer that cannot start is a mistake in the lesson
            self._prepared = []
            return self._answer(note=say(ERROR, error=str(error) or type(error).__name__))
        self._prepared, self._results, self._shown = map(list, zip(*computed, strict=True))
        pool, pictures = self._to_browser()
        self._answer(pool=pool, pictures=pictures, axes=self._axes)

    def _offered(self, name):
        part = self.controls[name]
        indices = list(range(len(part.values)))
        if isinstance(part, Preset) and part.value != MINE:
            indices.pop()
        return indices

    def _computed(self, choice):
        settings = self.settings
        for name, index in zip(self._framed, choice, strict=True):
            part = self.controls[name]
            settings[name] = part.values[index]
            if isinstance(part, Preset):
                settings = part.applied(settings, settings[name])
        for name, part in self.controls.items():
            if isinstance(part, Preset):
                settings[name] = part.matching(settings)
        inputs = {n: v for n, v in settings.items() if not isinstance(self.controls[n], Preset)}
        result = self.compute(**inputs)
        return settings, result, self._complete(self.picture(result, settings), settings)

    def _complete(self, picture, settings):
        """Matrices that the learner edits show their own values."""
        own = {}
        for name, part in self.controls.items():
            if isinstance(part, Matrix) and name not in picture.frames:
                mask = part.toggles
                own[name] = (
                    frames.mask_frame(settings[name]) if mask else frames.Frame(settings[name])
                )
        return picture._replace(frames={**picture.frames, **own})

    def _number(self):
        number = 0
        for name, offered in self._axes.items():
            number = number * len(offered) + offered.index(self.controls[name].index)
        return number

    def _to_browser(self):
        """All pictures; a frame that several of them show is sent once."""
        pool, pictures, places = [], [], {}
        for settings, result, shown in zip(self._prepared, self._results, self._shown, strict=True):
            end = frames.scale_of(shown.frames.values())
            picture = {"scale": end, "frames": {}, "panels": shown.panels, "data": shown.data}
            for name, frame in shown.frames.items():
                key = _key(frame, end)
                if key not in places:
                    places[key] = len(pool)
                    pool.append(frames.to_browser(frame, end))
                picture["frames"][name] = places[key]
            lines = shown.summary or shown.sentence
            lines = [lines] if isinstance(lines, str) else lines
            picture["summary"] = [typeset(line) for line in lines]
            picture["facts"] = {name: typeset(text) for name, text in shown.facts.items()}
            picture["goals"] = [
                bool(isinstance(m, Mission) and m.goal(result, settings)) for m in self.missions
            ]
            pictures.append(picture)
        return pool, pictures

    def _as_first(self):
        picture = self.pictures[self._number()]
        shown = {name: self.pool[place] for name, place in picture["frames"].items()}
        return {**picture, "frames": shown}

    def _answer(self, note="", **traits):
        """Everything that the browser must hear of a change, in one message."""
        if not note:
            self.result = self._results[self._number()]
        with self.hold_sync():
            for name, value in traits.items():
                setattr(self, name, value)
            self.note = note
            self.history = [len(self._undo), len(self._redo)]
            settings = {n: p for n, p in self.controls.items() if isinstance(p, Setting)}
            self.limits = {name: part.limit for name, part in settings.items()}
            self.closed = {name: list(part.closed) for name, part in settings.items()}
            self.at = {name: part.index for name, part in settings.items()}
            self.stamp += 1
        if not note and self._undo:
            goals = self.pictures[self._number()]["goals"]
            self._tick([*self.done, *(n for n, reached in enumerate(goals) if reached)])

    def _tick(self, done):
        self.done = sorted(set(done))

    # What the browser sends.

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
        elif act == "tick":
            self._tick([*self.done, message["mission"]])
        self.stamp += 1  # heard, also where nothing changed

    # Without a kernel.

    def __repr__(self):
        return self.sentence

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        bundle["text/plain"] = self.sentence
        bundle["text/html"] = self.static_html()
        return bundle, metadata

    def static_html(self):
        """What a reader sees without a kernel: the sentence and every matrix as it stands."""
        with self._speak():
            return static_html(self.parts, self.shown)

    # Building.

    def _check(self, layout):
        rows = layout.values() if isinstance(layout, dict) else layout
        items = [item for row in rows for item in row]
        named = Counter(n for item in items for n in ([item] if isinstance(item, str) else item))
        seen = {n for n, p in self.parts.items() if not isinstance(p, Setting | Press)}
        unknown = set(named) - set(self.parts) - set(_LAYOUT_WORDS)
        missing = seen - set(named)
        twice = {name for name, count in named.items() if count > 1}
        if unknown or missing or twice:
            raise ValueError(
                f"Explorer: the layout names {sorted(unknown)} that are no parts, "
                f"leaves out {sorted(missing)} and repeats {sorted(twice)}"
            )

    def _spec(self, layout, formula, selected):
        guesses = [{**mission.spec(), "at": self._places(mission)} for mission in self.missions]
        is_areas = isinstance(layout, dict)
        return {
            "parts": {name: part.spec() for name, part in self.parts.items()},
            "areas": layout if is_areas else None, "rows": None if is_areas else layout,
            "framed": list(self._framed), "missions": guesses, "formula": formula,
            "selected": selected, "words": vocabulary(),
        }  # fmt: skip

    def _places(self, mission):
        """The indices of what a guess changes, if they are all settings."""
        change = getattr(mission, "change", {})
        if not all(isinstance(self.controls[name], Setting) for name in change):
            return None
        return {name: self.controls[name].values.index(value) for name, value in change.items()}


def combinations(explorer):
    """How many pictures an explorer keeps ready."""
    return prod(len(offered) for offered in explorer._axes.values())


def _key(frame, end):
    """What makes two frames look the same."""
    parts = []
    for value in frame:
        parts.append(
            value.tobytes() + str(value.shape).encode()
            if isinstance(value, np.ndarray)
            else repr(value)
        )
    return (*parts, end if frame.kind == "signed" else 0)
