"""Call a function that may do anything, and keep what came of it.

Nothing that it does gets out: its error is kept, its prints and warnings are dropped, and it
works on copies, so that changed inputs are noticed and do no harm.
"""

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Outcome", "error_text", "quiet", "run"]


class Outcome(NamedTuple):
    """What a call gave: a value or an error, and the inputs as the call left them."""

    value: Any
    error: BaseException | None
    inputs: tuple


class _Nowhere(io.TextIOBase):
    def write(self, text: str) -> int:
        return len(text)


@contextmanager
def quiet() -> Iterator[None]:
    """Drop prints and warnings."""
    nowhere = _Nowhere()
    with (
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
    ):
        warnings.simplefilter("ignore")
        yield


def run(function: Callable, inputs: tuple) -> Outcome:
    """Call a function on copies, in silence, whatever it does."""
    copies = deepcopy(inputs)
    with quiet():
        try:
            return Outcome(function(*copies), None, copies)
        except (Exception, SystemExit) as error:
            error.__traceback__ = None  # it would keep the caller's frames, and answers, alive
            return Outcome(None, error, copies)


def error_text(error: BaseException) -> str:
    """An error's text on one line, cut where it is long."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # an error may fail at its own text, too
        return ""
    return text if len(text) <= 200 else text[:197] + "..."
