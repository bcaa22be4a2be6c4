"""What this kernel remembers: the last state of each exercise and prediction."""

__all__ = ["OPEN", "RIGHT", "WRONG", "forget", "remember", "state_of"]

RIGHT, WRONG, OPEN = "right", "wrong", "open"

_states: dict[str, str] = {}


def forget() -> None:
    """Start afresh, as a restarted kernel does."""
    _states.clear()


def remember(key: str, state: str) -> None:
    """Keep the state of an exercise or a prediction for `progress`."""
    _states[key] = state


def state_of(key: str, default: str) -> str:
    """The last state of an exercise or a prediction."""
    return _states.get(key, default)
