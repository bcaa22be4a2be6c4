"""What a learner has answered, by the name of an exercise or the number of a prediction.

In the learner's folder a file remembers it, for all lessons and kernels; elsewhere the kernel
remembers it as long as it runs.
"""

from typing import Any, Protocol
from weakref import WeakSet

from attention_core.exercises.checking.sentences import tell
from attention_core.exercises.results import kept

__all__ = ["forget", "recall", "remember", "tell_about_changes"]


class Listener(Protocol):
    """Something that shows results."""

    def refresh(self) -> None:
        """Show the results as they are now."""


_here: dict[str, Any] = {}  # what is not in the file, because there is none or it cannot be written
_listeners: WeakSet[Listener] = WeakSet()


def recall() -> dict[str, Any]:
    """Everything that is remembered."""
    path = kept.place()
    if path is None:
        return dict(_here)
    try:
        return kept.read(path) | _here
    except OSError:
        return dict(_here)


def remember(key: str, value: Any) -> None:
    """Remember one result in the place of an earlier one, and tell those who show results."""
    _here[key] = value
    path = kept.place()
    if path is not None:
        try:
            kept.put(path, _here)
            _here.clear()
        except OSError as error:
            print(tell("results_not_kept", error=error.strerror or type(error).__name__))
    for listener in list(_listeners):
        listener.refresh()


def tell_about_changes(listener: Listener) -> None:
    """Refresh `listener` whenever something is remembered, as long as it is in use."""
    _listeners.add(listener)


def forget() -> None:
    """Start afresh, as a restarted kernel does; the file stays as it is."""
    _here.clear()
    _listeners.clear()
    kept.place.cache_clear()
