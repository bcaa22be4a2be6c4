"""An explorer: controls, a computation, and views of its result. No mathematics here."""

from html import escape
from itertools import product

import ipywidgets

from attention_core.explorers.controls import Button, Control
from attention_core.explorers.frames import AXES
from attention_core.explorers.matrix_view import MatrixView
from attention_core.explorers.panel import Panel
from attention_core.language import Words, say, speaking

_RUN_ME = Words(
    "Run this cell to move the controls. {sentence}", "运行这个单元格就能拖动控件。{sentence}"
)
_SELECT = Words("Select a cell to see its arithmetic.", "选中一个格子，看它是怎么算出来的。")
_RESET = Words("Start again", "恢复初始值")
_ERROR = Words("These settings do not work: {error}", "这组设置算不出来：{error}")


class Explorer(ipywidgets.VBox):
    """Controls wired to views: one change, one computation, one redraw.

    Parameters
    ----------
    controls : dict of name -> Control or MatrixView
        What the learner changes. A MatrixView here is edited or toggled.
    views : dict of name -> MatrixView or Panel
        What is shown.
    compute : callable(**settings) -> dict
        From the settings (name -> value) to the result; calls attention_core and nothing else.
    paint : callable(result, settings) -> dict of name -> frame
        For views, and for controls that show more than their own value.
    sentence : callable(result, settings) -> str
        The result in one sentence with its numbers: the text form.
    rows : list of lists of names
        Which controls and views stand side by side.
    framed : tuple of names
        Controls with few settings: all their combinations are computed at once, and the
        browser picks the frame without asking Python.
    prepare : callable(settings) -> settings, optional
        Derives settings from settings, such as the mask that belongs to a preset.
    overrides : dict of name -> (other, value), optional
        When the learner changes `name`, the control `other` is set to `value`.
    explain : callable(view, i, j, result, settings) -> str or None, optional
        The arithmetic behind a selected cell.
    """

    def __init__(
        self,
        *,
        controls,
        views,
        compute,
        paint,
        sentence,
        rows,
        framed=(),
        prepare=None,
        overrides=None,
        explain=None,
    ):
        shared = sorted(controls.keys() & views.keys())
        if shared:  # one would stand in the other's place, and the other be seen nowhere
            raise ValueError(f"Explorer: {shared} names a control and a view; each needs its own")
        self.controls, self.views = controls, views
        self._compute, self._paint, self._sentence = compute, paint, sentence
        self._framed, self._prepare = tuple(framed), prepare or (lambda settings: settings)
        self._overrides, self._explain = overrides or {}, explain
        self._speak = speaking()
        self.message, self.detail = Panel(live=True), Panel(live=True)
        self._everything = {**views, **controls, "detail": self.detail}
        self._rows = [list(row) for row in rows]
        self._busy = False
        super().__init__(children=self._layout())
        self.add_class("attn-explorer")
        self._wire()
        self.refresh()

    # What the learner sees.

    @property
    def sentence(self):
        """The result in one sentence, with its numbers."""
        with self._speak():
            return self._sentence(self.result, self.settings)

    def __repr__(self):
        return self.sentence

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle["text/plain"] = self.sentence
        bundle["text/html"] = self.static_html()
        return bundle

    def static_html(self):
        """What a reader sees without a kernel: the sentence and every view as it stands."""
        number = self._frame_number()
        lines = []
        for row in self._rows_shown():
            parts = [self._everything[name].static_html(number) for name in row if name != "detail"]
            boxes = (f'<div style="display:inline-block;margin:4px">{part}</div>' for part in parts)
            lines.append(f"<div>{''.join(boxes)}</div>")
        with self._speak():
            words = say(_RUN_ME, sentence=self.sentence)
        return f"<p>{escape(words)}</p>{''.join(lines)}"

    def _rows_shown(self):
        """The rows on screen: all of them, unless an explorer has several examples."""
        return self._rows

    # How a change travels: control -> settings -> compute -> frames -> views.

    @property
    def settings(self):
        """The values of all controls, by name."""
        return self._prepare({name: control.value for name, control in self.controls.items()})

    def refresh(self):
        """Compute every combination of the framed controls and hand the frames to the views."""
        with self._speak():
            try:
                self._refresh()
                self._tell("")
            except Exception as error:  # an exception in a callback is invisible in JupyterLab
                self._tell(say(_ERROR, error=str(error) or type(error).__name__))

    def reset(self):
        """Go back to the values that the explorer started with."""
        self._busy = True
        for control in self.controls.values():
            control.value = control.start
        self._busy = False
        self.refresh()

    def _refresh(self):
        settings = {name: control.value for name, control in self.controls.items()}
        choices = [self.controls[name].values for name in self._framed]
        results, frames = [], {}
        for combination in product(*choices):
            chosen = self._prepare(
                {**settings, **dict(zip(self._framed, combination, strict=True))}
            )
            results.append(self._compute(**chosen))
            for name, frame in self._paint(results[-1], chosen).items():
                frames.setdefault(name, []).append(frame)
        self._results = results
        for name, control in self.controls.items():
            if isinstance(control, MatrixView) and name not in frames:
                frames[name] = [control.own_frame()]
        for name, pictures in frames.items():
            self._everything[name].frames = pictures
        self._settle()

    def _settle(self):
        """Read the result of the frame on screen; the learner's own matrices follow it."""
        self.result = self._results[self._frame_number()]
        self._busy = True
        for name, value in self.settings.items():
            self.controls[name].value = value
        self._busy = False
        self._explain_selected()

    def _frame_number(self):
        number = 0
        for name in self._framed:
            number = number * len(self.controls[name].values) + self.controls[name].index
        return number

    def _changed(self, name):
        if self._busy:
            return
        if name in self._overrides:
            other, value = self._overrides[name]
            self._busy = True
            self.controls[other].value = value
            self._busy = False
        if name in self._framed and not self.message.frames[0]:
            with self._speak():
                self._settle()  # the browser has picked the frame already
        else:
            self.refresh()

    # Selecting a cell.

    def _selected(self, name):
        if self._busy or not self._everything[name].selected:
            with self._speak():
                self._explain_selected()
            return
        self._busy = True
        for other, view in self._matrices():
            if other != name:
                view.selected = []
        self._busy = False
        with self._speak():
            self._explain_selected()

    def _explain_selected(self):
        if self._explain is None:
            return
        text = say(_SELECT)
        for name, view in self._matrices():
            if view.selected:
                i, j = view.selected
                text = self._explain(name, i, j, self.result, self.settings) or text
        self.detail.frames = [f'<p class="arithmetic">{escape(text)}</p>']

    def _matrices(self):
        return [(n, view) for n, view in self._everything.items() if isinstance(view, MatrixView)]

    def _tell(self, text):
        self.message.frames = [f'<p class="error">{escape(text)}</p>' if text else ""]

    # Building.

    def _layout(self):
        lines = []
        for row in self._rows:
            line = ipywidgets.HBox([self._everything[name] for name in row])
            line.add_class("attn-row")
            lines.append(line)
        if any(isinstance(control, MatrixView) for control in self.controls.values()):
            button = Button(say(_RESET))
            button.on_click(self.reset)
            lines.append(button)
        return [*lines, self.message]

    def _wire(self):
        for name, control in self.controls.items():
            control.observe(lambda _, name=name: self._changed(name), "value")
        for name, view in self._matrices():
            view.observe(lambda _, name=name: self._selected(name), "selected")
        sizes = [len(self.controls[name].values) for name in self._framed]
        self._links = []
        for view in self._everything.values():
            if view is self.detail or isinstance(view, Control):
                continue
            view.frame_shape = sizes
            for axis, name in zip(AXES, self._framed, strict=False):
                setattr(view, axis, self.controls[name].index)
                link = ipywidgets.jsdlink((self.controls[name], "index"), (view, axis))
                self._links.append(link)
