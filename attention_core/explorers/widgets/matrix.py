"""A matrix: its symbol, its labels, its links, and its value where the learner changes it."""

import numpy as np
import traitlets

from attention_core.explorers.widgets.links import read_rule
from attention_core.explorers.widgets.parts import Part
from attention_core.explorers.widgets.typeset import plain, role_of, typeset
from attention_core.language import Words, say

_BAD_VALUES = Words(
    "{title}: the new values are {got}, but the matrix is {shape} and every entry must be finite",
    "{title}：新的数值形状是 {got}，但矩阵是 {shape}，而且每个数都必须有限",
)


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


def _labels(labels):
    return [str(i + 1) for i in range(labels)] if isinstance(labels, int) else [*map(str, labels)]
