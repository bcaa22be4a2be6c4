"""Progress on the screen: it follows the answers without being run again."""

from collections.abc import Callable
from html import escape

import ipywidgets

from attention_core.exercises.results.memory import tell_about_changes
from attention_core.language import speaking

__all__ = ["Progress"]


class Progress(ipywidgets.HTML):
    """How far one lesson is, now and after each answer.

    Parameters
    ----------
    lines : callable
        Gives one sentence, and the name and the state of each thing to list below it.
    """

    def __init__(self, lines: Callable[[], tuple[str, list[tuple[str, str]]]]):
        self._lines = lines
        self._speaking = speaking()
        super().__init__()
        self.refresh()
        tell_about_changes(self)

    def refresh(self) -> None:
        """Show the results as they are now."""
        with self._speaking():
            self._sentence, self._listed = self._lines()
        rows = "".join(
            f'<tr><th scope="row" style="text-align: left"><code>{escape(name)}</code></th>'
            f'<td style="text-align: left">{escape(state)}</td></tr>'
            for name, state in self._listed
        )
        self.value = f"<p>{escape(self._sentence)}</p><table><tbody>{rows}</tbody></table>"

    def __repr__(self) -> str:
        width = max(len(name) for name, _ in self._listed)
        return "\n".join(
            [self._sentence, *(f"  {name:<{width}}  {state}" for name, state in self._listed)]
        )

    def _repr_mimebundle_(self, **kwargs: object) -> dict:
        data = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/html": self.value, "text/plain": repr(self)}
