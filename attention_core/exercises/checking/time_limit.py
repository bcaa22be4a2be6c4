"""Stop a call that takes too long, on every system, in the middle of a plain Python loop too.

A second thread waits; when the time is over it has `TooSlow` raised in the first one, between two
steps of Python. Where Python has no threads, in the browser, there is no limit.
"""

import ctypes
import threading

__all__ = ["TimeLimit", "TooSlow"]

AGAIN = 0.05


class TooSlow(BaseException):
    """The time is over. No `except Exception` of a learner's function holds it up."""


def _raise_there(thread: int, error: type[TooSlow] | None) -> None:
    """Have an error raised in another thread; None takes back one that is still to come."""
    raised = ctypes.py_object() if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


class TimeLimit:
    """A block that may run for so many seconds; then `TooSlow` is raised in it.

    It may come as late as on the way out of the block: whoever catches it calls `call_off`.

    Examples
    --------
    >>> with TimeLimit(60):
    ...     print(1 + 1)
    2
    """

    def __init__(self, seconds: float):
        self._seconds = seconds
        self._worker = threading.get_ident()
        self._over, self._turn = threading.Event(), threading.Lock()
        self._watched = True

    def __enter__(self) -> "TimeLimit":
        try:
            threading.Thread(target=self._watch, daemon=True).start()
        except RuntimeError:
            self._watched = False
        except TooSlow:
            self.call_off()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.call_off()

    def _watch(self) -> None:
        wait = self._seconds
        while not self._over.wait(wait):  # again and again: a bare `except:` swallows one
            with self._turn:
                if not self._over.is_set():
                    _raise_there(self._worker, TooSlow)
            wait = AGAIN

    def call_off(self) -> None:
        """End the watch; an error that was on its way is caught here and goes no further."""
        while self._watched:
            try:
                self._over.set()
                with self._turn:
                    _raise_there(self._worker, None)
                return
            except TooSlow:
                continue
