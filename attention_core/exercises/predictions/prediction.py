"""A prediction on the screen: the question, radio buttons, and after an answer the verdict.

The browser gets the question and the options only. Which option is right, and why, stays in
Python until the learner has answered.
"""

from html import escape
from pathlib import Path

import anywidget
import traitlets

from attention_core.exercises.checking.question import Question
from attention_core.exercises.checking.sentences import as_written, tell
from attention_core.exercises.predictions.answers import (
    add_choice,
    choices,
    note_shown,
    was_shown,
)
from attention_core.language import language, speaking

__all__ = ["Prediction"]

_HERE = Path(__file__).parent
_TAGS = {"en": "en", "zh": "zh-CN"}


def _letter(index: int) -> str:
    return chr(ord("A") + index)


def _html(text: str) -> str:
    """Plain text as HTML, with what stands between backticks as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{p}</code>" if i % 2 else p for i, p in enumerate(parts))


def _verdict(question: Question, chosen: list[int]) -> str:
    """What is said after these choices; the reason comes after the right or the second one."""
    letter, why = _letter(chosen[-1]), as_written(question.why)
    if chosen[-1] == question.answer:
        return tell("right", letter=letter, why=why)
    reply = as_written(question.replies[chosen[-1]])
    if len(chosen) == 1:
        return tell("wrong", letter=letter, reply=reply)
    return tell("wrong_again", letter=letter, reply=reply, why=why)


class Prediction(anywidget.AnyWidget):
    """One question, answered by mouse or keyboard; an earlier answer is there again.

    Parameters
    ----------
    question : Question

    Attributes
    ----------
    choice : int
        The option that was answered, -1 before; setting it answers.
    state : str
        "open", "right" or "wrong".
    verdict : str
        What is said after an answer; empty before.
    lifted : bool
        Whether what follows in the notebook may be seen.
    """

    _esm = "\n".join((_HERE / name).read_text("utf-8") for name in ("veil.js", "prediction.js"))
    _css = _HERE / "prediction.css"

    lang = traitlets.Unicode().tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    choice = traitlets.Int(-1).tag(sync=True)
    state = traitlets.Unicode("open").tag(sync=True)
    verdict = traitlets.Unicode("").tag(sync=True)
    answers = traitlets.Int(0).tag(sync=True)
    lifted = traitlets.Bool(False).tag(sync=True)

    def __init__(self, question: Question):
        self._question = question
        self._speaking = speaking()
        self._static = tell("run_to_answer")
        chosen = choices(question)
        super().__init__(
            lang=_TAGS[language()],
            text=as_written(question.text),
            options=[as_written(option) for option in question.options],
            words={name: tell(name) for name in ("submit", "show", "veiled", "choose", "asleep")},
            lifted=bool(chosen) or was_shown(question),
            **(self._after(chosen) if chosen else {}),
        )
        self.observe(self._answer, "choice")
        self.observe(self._show, "lifted")

    def _after(self, chosen: list[int]) -> dict:
        right = chosen[-1] == self._question.answer
        with self._speaking():
            verdict = _verdict(self._question, chosen)
        return {
            "choice": chosen[-1],
            "state": "right" if right else "wrong",
            "verdict": verdict,
            "answers": len(chosen),
        }

    def _answer(self, change: dict) -> None:
        if not 0 <= change.new < len(self.options):
            return
        add_choice(self._question, change.new)
        with self.hold_sync():
            self.set_trait("lifted", True)
            for name, value in self._after(choices(self._question)).items():
                self.set_trait(name, value)

    def _show(self, change: dict) -> None:
        if self.choice < 0:
            note_shown(self._question)

    def __repr__(self) -> str:
        lines = [f"{self._question.key}  {self.text}"]
        lines += [f"  {_letter(i)}  {option}" for i, option in enumerate(self.options)]
        return "\n".join([*lines, self._static])

    def _as_html(self) -> str:
        """The question for readers without a kernel; letters as text, which every page keeps."""
        items = "".join(
            f"<p><b>{_letter(i)}</b>&ensp;{_html(option)}</p>"
            for i, option in enumerate(self.options)
        )
        return (
            f'<div lang="{self.lang}"><p><strong>{_html(self.text)}</strong></p>'
            f"{items}<p><em>{escape(self._static)}</em></p></div>"
        )

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/html": self._as_html(), "text/plain": repr(self)}, metadata
