"""The one interactive matrix: numbers on colours to read, edit, toggle and select."""

import math
import re
from html import escape

import numpy as np
import traitlets

from attention_core.drawing.numbers import number_text
from attention_core.drawing.palette import cell_colours, token_label
from attention_core.explorers.frames import FramedView, script
from attention_core.language import COLUMN, NOT_ALLOWED, ROW, Words, say

_BAD_VALUES = Words(
    "{title}: the new values are {got}, but the matrix is {shape} and every entry must be finite",
    "{title}：新的数值形状是 {got}，但矩阵是 {shape}，而且每个数都必须有限",
)
_HATCH = "repeating-linear-gradient(45deg,#b4b4b4 0 1px,transparent 1px 6px)"


def cells(
    matrix,
    kind="scores",
    *,
    masked=None,
    outlined=None,
    notes=(),
    note_title="",
    decimals=2,
    texts=None,
    scale=None,
    title="",
    rows=None,
    cols=None,
):
    """One frame of a matrix: what stands in every cell and how it looks.

    Parameters
    ----------
    matrix : array_like, shape (n_rows, n_cols)
    kind : {"weights", "scores"}
        The colour scale; see `palette.cell_colours`.
    masked, outlined : ndarray of bool, optional
        Cells that are hatched (hidden by the mask), and cells that are framed in red.
    notes : sequence of str, optional
        One remark behind each row, under the heading `note_title`.
    decimals : int
    texts : nested list of str, optional
        Shown instead of the numbers.
    scale : (low, high), optional
        One colour scale for several matrices.
    title : str, optional
        Shown in this frame instead of the matrix's own title.
    rows, cols : sequence of str, optional
        Labels of this frame, where its shape is another than the view's.
    """
    matrix = np.asarray(matrix, dtype=float)
    nowhere = np.zeros(matrix.shape, bool)
    masked = nowhere if masked is None else np.asarray(masked, bool)
    outlined = nowhere if outlined is None else np.asarray(outlined, bool)
    fills, inks = cell_colours(matrix, kind, masked=masked, scale=scale)
    numbers = matrix.tolist()
    if texts is None:
        texts = [[number_text(x, decimals) for x in row] for row in numbers]
    return {
        "values": [[round(x, 9) if math.isfinite(x) else None for x in row] for row in numbers],
        "texts": texts,
        "fills": fills,
        "inks": inks,
        "hatched": masked.tolist(),
        "outlined": outlined.tolist(),
        "notes": list(notes),
        "note_title": note_title,
        "title": title,
        "rows": rows and [token_label(row) for row in rows],
        "cols": cols and [token_label(col) for col in cols],
    }


def mask_cells(allowed, outlined=None):
    """One frame of a mask, written as the M of the formula: 0 where allowed, −∞ where not."""
    allowed = np.asarray(allowed, bool)
    texts = [["0" if may else "−∞" for may in row] for row in allowed.tolist()]
    return cells(np.zeros(allowed.shape), masked=~allowed, outlined=outlined, texts=texts)


class MatrixView(FramedView):
    """A matrix on screen; as a control its `.value` is the array the learner has made.

    Parameters
    ----------
    title : str
        The symbol above it, such as "QKᵀ".
    rows, cols : sequence of str
        The labels; tokens may repeat and lose the marks of word-piece tokenisers.
    value : array_like, optional
        The starting values of a matrix that can be edited (numbers) or toggled (bool).
    mode : {"read", "edit", "toggle"}
    row_axis, col_axis : str
        What rows and columns are called; read aloud before each label.
    name : str
        The name that a screen reader says; default: the title.
    """

    _esm = script("matrix_view.js")
    title = traitlets.Unicode().tag(sync=True)
    name = traitlets.Unicode().tag(sync=True)
    rows = traitlets.List(traitlets.Unicode()).tag(sync=True)
    cols = traitlets.List(traitlets.Unicode()).tag(sync=True)
    row_axis = traitlets.Unicode().tag(sync=True)
    col_axis = traitlets.Unicode().tag(sync=True)
    hidden_word = traitlets.Unicode().tag(sync=True)
    mode = traitlets.Enum(("read", "edit", "toggle"), "read").tag(sync=True)
    step = traitlets.Float(0.5).tag(sync=True)
    selected = traitlets.List(traitlets.Int()).tag(sync=True)
    value = traitlets.Any()

    def __init__(
        self, title, rows, cols, value=None, *, mode="read", row_axis=None, col_axis=None, name=None
    ):
        super().__init__(
            title=title,
            name=name or title,
            rows=[token_label(row) for row in rows],
            cols=[token_label(col) for col in cols],
            row_axis=say(ROW) if row_axis is None else row_axis,
            col_axis=say(COLUMN) if col_axis is None else col_axis,
            hidden_word=say(NOT_ALLOWED),
            mode=mode,
        )
        self.start = None
        if value is not None:
            self.value = value
            self.start = self.value
            self.frames = [self.own_frame()]
        self.on_msg(self._on_event)

    @property
    def shape(self):
        """The numbers of rows and columns."""
        return len(self.rows), len(self.cols)

    @traitlets.validate("value")
    def _check_value(self, proposal):
        array = np.array(proposal["value"], dtype=bool if self.mode == "toggle" else float)
        if array.shape != self.shape or not np.isfinite(array).all():
            message = say(_BAD_VALUES, title=self.title, got=array.shape, shape=self.shape)
            raise traitlets.TraitError(message)
        array.flags.writeable = (
            False  # a changed entry is a new array, so that every change is seen
        )
        return array

    def own_frame(self):
        """The frame that shows the value itself."""
        if self.mode == "toggle":
            return mask_cells(self.value)
        texts = [[f"{x:.6g}".replace("-", "−") for x in row] for row in self.value.tolist()]
        return cells(self.value, texts=texts)

    def _on_event(self, _, event, __):
        i, j = int(event["row"]), int(event["col"])
        changed = self.value.copy()
        changed[i, j] = not changed[i, j] if self.mode == "toggle" else float(event["text"])
        self.value = changed

    def set_cell(self, i, j, number):
        """Change one entry, as the learner does by typing or clicking."""
        changed = self.value.copy()
        changed[i, j] = number
        self.value = changed

    def static_html(self, number=0):
        """The same table without a kernel: coloured cells, nothing to click."""
        frame = self.frames[min(number, len(self.frames) - 1)]
        cell = "padding:3px 7px;text-align:center;"
        rows, cols = frame["rows"] or self.rows, frame["cols"] or self.cols
        head = "".join(f'<th style="{cell}">{escape(label)}</th>' for label in cols)
        if frame["notes"]:
            head += f'<th style="{cell}">{escape(frame["note_title"])}</th>'
        lines = []
        for i, label in enumerate(rows):
            line = f'<th style="{cell}">{escape(label)}</th>'
            for j in range(len(cols)):
                line += _static_cell(frame, i, j, cell)
            if frame["notes"]:
                line += f'<td style="{cell}">{escape(frame["notes"][i])}</td>'
            lines.append(f"<tr>{line}</tr>")
        return (
            f"<table><caption>{_lowered(frame['title'] or self.title)}</caption>"
            f'<thead><tr><th style="{cell}"></th>{head}</tr></thead>'
            f"<tbody>{''.join(lines)}</tbody></table>"
        )


def _static_cell(frame, i, j, style):
    look = f"background-color:{frame['fills'][i][j]};color:{frame['inks'][i][j]};"
    if frame["hatched"][i][j]:
        look += f"background-image:{_HATCH};"
    if frame["outlined"][i][j]:
        look += "border:2px solid #d62728;"
    return f'<td style="{style}{look}">{escape(frame["texts"][i][j])}</td>'


def _lowered(text):
    """A symbol such as "d_k" as HTML: what follows "_" is lowered."""
    return re.sub(r"_(\w+)", r"<sub>\1</sub>", escape(text))
