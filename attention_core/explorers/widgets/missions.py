"""What to try: goals that tick themselves, and guesses that come before the truth."""

from typing import NamedTuple

from attention_core.explorers.widgets.typeset import plain, typeset


class Mission(NamedTuple):
    """Something to bring about.

    Attributes
    ----------
    text : str
        What to try, in one line; may be typeset.
    goal : callable(result, settings) -> bool
        False at the start; ticked when it holds.
    """

    text: str
    goal: object

    def spec(self):
        """What the browser must know."""
        return {"type": "goal", "text": typeset(self.text), "plain": plain(self.text)}


class GuessCells(NamedTuple):
    """Mark the cells that will change, then see which do.

    Attributes
    ----------
    text : str
    change : dict of control -> value
        What is changed when the learner has guessed; arrays as nested lists.
    among : tuple of matrix names
        Where cells can be marked.
    """

    text: str
    change: dict
    among: tuple

    def spec(self):
        """What the browser must know."""
        return {
            "type": "cells", "text": typeset(self.text), "plain": plain(self.text),
            "among": list(self.among),
        }  # fmt: skip


class GuessRow(NamedTuple):
    """Draw a row of weights, then see it.

    Attributes
    ----------
    text : str
    row : int
        The reader whose row is drawn, from 0.
    of : str
        The matrix of weights.
    change : dict of control -> value, optional
        What is changed when the learner has guessed.
    """

    text: str
    row: int
    of: str = "A"
    change: dict = {}  # noqa: RUF012 (never changed)

    def spec(self):
        """What the browser must know."""
        return {
            "type": "row", "text": typeset(self.text), "plain": plain(self.text),
            "row": self.row, "of": self.of,
        }  # fmt: skip
