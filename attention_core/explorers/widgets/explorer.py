"""An explorer: parts that the learner changes, a computation, and the pictures of its result."""

from contextlib import contextmanager

import numpy as np

from attention_core.explorers.widgets.album import Album
from attention_core.explorers.widgets.blueprint import blueprint, check_layout
from attention_core.explorers.widgets.history import History
from attention_core.explorers.widgets.settings import Preset, Setting
from attention_core.explorers.widgets.static import static_html
from attention_core.explorers.widgets.vocabulary import ERROR
from attention_core.explorers.widgets.wire import Wire
from attention_core.language import language, say, speaking


class Explorer(Wire):
    """One widget with everything in it; a lesson's explorer says what is computed and shown.

    A subclass has two hooks: `compute(**settings)` returns a dict of results from the values of
    the controls (by name) and calls attention_core for all mathematics; `picture(result,
    settings)` returns the `Picture` of it. A third, `settle`, brings controls in line with each
    other where the choices of one depend on another. `quiet` may name the Words in the line of
    changes before anything has changed.

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

    quiet = None

    def __init__(self, parts, layout, *, framed=(), missions=(), formula="", selected=None):
        super().__init__()
        self.parts, self.missions = parts, tuple(missions)
        self.controls = {name: part for name, part in parts.items() if part.is_control}
        self._framed, self._speak, self._depth = tuple(framed), speaking(), 0
        self._album = None
        check_layout(parts, layout)
        self.lang = language()
        self.spec = blueprint(parts, layout, framed, self.missions, formula, selected, self.quiet)
        for name, part in self.controls.items():
            part.observe(lambda _, name=name: self._changed(name), "value")
        self._history = History(self._state())
        with self.together():
            pass
        self.first = self._as_first()
        self.open()

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
        return self._album.shown[self._number]

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
        self._restore(self._history.back())

    def redo(self):
        """Make the change again that was taken back last."""
        self._restore(self._history.forward())

    def reset(self):
        """Go back to the values that the explorer started with; all missions are open again."""
        self.round, self.done = self.round + 1, []
        self._restore(self._history.start)

    def reveal(self, number):
        """Make the change of a guess."""
        with self.together():
            for name, value in self.missions[number].change.items():
                self.controls[name].value = value
        self._tick([number])

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
        if state is not None:
            with self.together():
                self._set(state)

    def _follow(self):
        self.settle()
        for part in self.controls.values():
            if isinstance(part, Setting) and part.index != part.nearest():
                part.value = part.values[part.nearest()]
            if isinstance(part, Preset):
                part.value = part.matching(self.settings)
        self._history.go_on(self._state())
        if self._album and not self.note and self._album.holds(self.settings):
            self._answer()
        else:
            self._paint()

    def _paint(self):
        """Compute every combination of the framed settings and send the pictures."""
        try:
            album = Album(self, self._framed)
        except Exception as error:  # an exception in a callback is invisible in JupyterLab
            if not self.pictures:
                raise  # an explorer that cannot start is a mistake in the lesson
            return self._answer(note=say(ERROR, error=str(error) or type(error).__name__))
        self._album = album
        pool, pictures = album.to_browser(self.missions)
        self._answer(pool=pool, pictures=pictures, axes=album.axes)

    def _as_first(self):
        picture = self.pictures[self._number]
        shown = {name: self.pool[place] for name, place in picture["frames"].items()}
        return {**picture, "frames": shown}

    def _answer(self, note="", **traits):
        """Tell the browser what has become of a change: other pictures, or what went wrong."""
        if not note:
            self._number = self._album.number()
            self.result = self._album.results[self._number]
        self._tell(note=note, history=self._history.steps, **traits)
        if not note and self.history[0]:
            goals = self.pictures[self._number]["goals"]
            self._tick(number for number, reached in enumerate(goals) if reached)

    def static_html(self):
        """What a reader sees without a kernel: the sentence and every matrix as it stands."""
        with self._speak():
            return static_html(self.parts, self.shown)
