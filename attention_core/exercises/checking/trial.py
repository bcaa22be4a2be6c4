"""Call a function that may do anything, and keep what came of it.

Nothing that it does gets out: its error and what it prints are kept, its warnings are dropped, and
it works on copies, so that changed inputs are noticed and do no harm.
"""

import io
import linecache
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from copy import deepcopy
from traceback import walk_tb
from typing import Any, NamedTuple

import numpy as np

from attention_core.exercises.checking.time_limit import TooSlow

__all__ = ["Outcome", "error_text", "quiet", "run"]

MOST_PRINTED = 1000


class Outcome(NamedTuple):
    """What a call gave: a value or an error, the inputs as it left them, and what it printed."""

    value: Any
    error: BaseException | None
    inputs: tuple
    printed: str = ""
    line: tuple[int, str] | None = None


class _Kept(io.TextIOBase):
    """The beginning of what is written; the rest is dropped."""

    def __init__(self, most: int = 0):
        self._most = most
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text[: self._most - len(self.text)]
        return len(text)


@contextmanager
def quiet(most: int = 0) -> Iterator[_Kept]:
    """Drop prints and warnings, but for the first `most` characters."""
    kept = _Kept(most)
    with (
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        redirect_stdout(kept),
        redirect_stderr(_Kept()),
    ):
        warnings.simplefilter("ignore")
        yield kept


def run(function: Callable, inputs: tuple) -> Outcome:
    """Call a function on copies, in silence, whatever it does."""
    copies = deepcopy(inputs)
    with quiet(MOST_PRINTED) as kept:
        try:
            value, error, line = function(*copies), None, None
        except (Exception, SystemExit, TooSlow) as raised:
            value, error, line = None, raised, _failing_line(raised, function)
            error.__traceback__ = None  # it would keep the caller's frames, and answers, alive
    return Outcome(value, error, copies, kept.text, line)


def _failing_line(error: BaseException, function: Callable) -> tuple[int, str] | None:
    """The line of the function's own cell or file where the error arose: its number and text."""
    code = getattr(function, "__code__", None)
    lines = [
        (number, linecache.getline(frame.f_code.co_filename, number, frame.f_globals).strip())
        for frame, number in walk_tb(error.__traceback__)
        if code and frame.f_code.co_filename == code.co_filename
    ]
    return lines[-1] if lines else None


def error_text(error: BaseException) -> str:
    """An error's text on one line, cut where it is long."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # an error may fail at its own text, too
        return ""
    return text if len(text) <= 200 else text[:197] + "..."
