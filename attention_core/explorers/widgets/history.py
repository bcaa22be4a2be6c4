"""What undo and redo go back to."""

from attention_core.explorers.widgets.settings import same_settings

REMEMBERED = 100  # steps of undo


class History:
    """The states of an explorer, one after the other; a state is a dict of settings."""

    def __init__(self, start):
        self.start = self.now = start
        self._past, self._future = [], []

    @property
    def steps(self):
        """How many steps can be taken back, and how many made again."""
        return [len(self._past), len(self._future)]

    def go_on(self, state):
        """A change was made; one that changes nothing is no step."""
        if not same_settings(state, self.now):
            self._past = [*self._past, self.now][-REMEMBERED:]
            self._future, self.now = [], state

    def back(self):
        """Return the state before the last step, or None."""
        return self._move(self._past, self._future)

    def forward(self):
        """Return the state that was taken back last, or None."""
        return self._move(self._future, self._past)

    def _move(self, source, target):
        if not source:
            return None
        target.append(self.now)
        self.now = source.pop()
        return self.now
