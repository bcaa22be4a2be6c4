"""What stands in a matrix at one moment, and how it goes to the browser."""

from typing import NamedTuple

import numpy as np

from attention_core.drawing.numbers import cell_text, weight_text
from attention_core.drawing.screen import scale_end, signed_share


class Frame(NamedTuple):
    """One picture of a matrix.

    Attributes
    ----------
    values : array_like, shape (n_rows, n_cols)
        Numbers; NaN is unknown (an empty look of its own).
    kind : {"signed", "weight", "mask"}
        The colour scale: all signed matrices of an explorer share one; weights go from 0 to 1;
        a mask is an array of bool, True = may look.
    hidden : ndarray of bool, optional
        Cells that the mask hides; hatched.
    marked : ndarray of bool, optional
        Cells with a frame that means something; the matrix says what (`Matrix.mark`).
    rows, cols : sequences of str, optional
        Labels of this frame, where they are not those of the matrix.
    notes : sequence of str, optional
        One remark behind each row.
    title : str, optional
        A typeset title of this frame, such as "$S$" where nothing is divided.
    explain : nested list of str, optional
        The arithmetic of each cell (HTML of `typeset`), where `Matrix.sum` cannot say it.
    texts : nested list of str, optional
        Shown instead of the numbers.
    fixed : ndarray of bool, optional
        Cells that no number changes, such as the weight 1 of a row that may look at one key.
    made, sum : str, optional
        Where this picture's cells come from, and their arithmetic, if not as the matrix says.
    reads : str, optional
        Whose rows and columns these are in this picture; see `Matrix`.
    span : float, optional
        The signed scale reaches at least so far: small numbers then stay pale.
    tokens : sequence of int, optional
        Rows and columns in another order: which token of the other matrices each one is; −1: none.
    """

    values: object
    kind: str = "signed"
    hidden: object = None
    marked: object = None
    rows: object = None
    cols: object = None
    notes: object = None
    title: str = ""
    explain: object = None
    texts: object = None
    fixed: object = None
    made: str = ""
    sum: str = ""
    reads: str = ""
    span: float = 0.0
    tokens: object = None


class Picture(NamedTuple):
    """All that an explorer shows at one moment.

    Attributes
    ----------
    frames : dict of name -> Frame
        Matrices that are not here (or all that the learner edits) show their own values.
    sentence : str
        The result in one plain sentence with its numbers: the text form.
    summary : str or list of str, optional
        The always visible line, may be typeset; one for each reader, or one for all.
        Default: the sentence.
    panels : dict of name -> str
        SVG or HTML of the panels.
    facts : dict of name -> str
        Typeset pieces that `Matrix.sum` names, such as {"root": "√2"}.
    data : dict of name -> plain data
        What parts of other kinds show (a text, a wall of heads).
    """

    frames: dict
    sentence: str
    summary: object = ""
    panels: dict = {}  # noqa: RUF012 (never changed)
    facts: dict = {}  # noqa: RUF012
    data: dict = {}  # noqa: RUF012


def mask_frame(allowed, **more):
    """Return the frame of a mask, written as the M of the formula: 0 or −∞."""
    allowed = np.asarray(allowed, bool)
    return Frame(np.where(allowed, 0.0, -np.inf), "mask", hidden=~allowed, **more)


def largest(frames):
    """Return the largest finite size in the signed frames, or their span: what the scale holds."""
    sizes = [0.0]
    for frame in frames:
        if frame.kind == "signed":
            values = np.abs(np.asarray(frame.values, dtype=float))
            sizes.append(values[np.isfinite(values)].max(initial=frame.span))
    return max(sizes)


def to_browser(frame, end):
    """Return a frame as plain lists: values, texts, shares of the scale, hidden cells."""
    values = np.atleast_2d(np.asarray(frame.values, dtype=float))
    finite = np.isfinite(values)
    shown = np.where(finite, values, 0.0)
    text = weight_text if frame.kind == "weight" else cell_text
    shares = {"weight": lambda: np.clip(shown, 0, 1), "signed": lambda: signed_share(shown, end)}
    t = shares[frame.kind]() if frame.kind in shares else np.zeros(values.shape)
    # What rounding left of a zero is written as one.
    noise = 1e-14 * np.abs(shown).max(initial=0.0)
    rows = np.where(finite & (np.abs(shown) < noise), 0.0, values).tolist()
    return {
        "v": [[x if ok else None for x, ok in zip(*line, strict=True)]
              for line in zip(rows, finite.tolist(), strict=True)],
        "x": frame.texts or [[text(x) for x in row] for row in rows],
        "t": t.round(3).tolist(),
        "kind": frame.kind,
        "u": _places(np.isnan(values)),
        "h": _places(frame.hidden),
        "m": _places(frame.marked),
        "f": _places(frame.fixed),
        "rows": _strings(frame.rows),
        "cols": _strings(frame.cols),
        "notes": _strings(frame.notes),
        "title": frame.title,
        "explain": frame.explain,
        "made": frame.made,
        "sum": frame.sum,
        "reads": frame.reads,
        "tokens": None if frame.tokens is None else list(frame.tokens),
    }  # fmt: skip


def scale_of(frames):
    """Return the end of the scale that these frames share."""
    return scale_end(largest(frames))


def _places(array):
    return None if array is None or not np.any(array) else np.asarray(array, int).tolist()


def _strings(texts):
    return None if texts is None else [str(text) for text in texts]
