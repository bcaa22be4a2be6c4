"""A prediction on the screen: the question, radio buttons, and after an answer the explanation.

The browser gets the question and the options only. Which option is right, and why, stays in
Python until the learner has answered.
"""

from collections.abc import Callable
from html import escape
from pathlib import Path

import anywidget
import traitlets

from attention_core.exercises.checking.question import Question
from attention_core.exercises.checking.sentences import as_written
from attention_core.language import Words, language, say

__all__ = ["Prediction"]

_HERE = Path(__file__).parent
_SUBMIT = Words("Answer", "提交")
_CHOOSE = Words("Choose one of the options first.", "请先选择一项。")
_ASLEEP = Words(
    "Python has not replied yet. If the kernel was restarted, run this cell again.",
    "Python 还没有回应。如果重启过内核，请重新运行这个单元格。",
)
_RIGHT = Words("✓ Right: {letter}. {why}", "✓ 答对了，选 {letter}。{why}")
_WRONG = Words(
    "✗ Not {letter}. {why} Now choose again.",
    "✗ 不是 {letter}。{why}现在可以再选一次。",
)
_STATIC = Words("Run this cell to answer.", "运行这个单元格即可作答。")
_TAGS = {"en": "en", "zh": "zh-CN"}


def _letter(index: int) -> str:
    return chr(ord("A") + index)


def _html(text: str) -> str:
    """Plain text as HTML, with what stands between backticks as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{p}</code>" if i % 2 else p for i, p in enumerate(parts))


def _reply(question: Question, choice: int) -> tuple[str, str]:
    """The state and the verdict that an answer leads to."""
    state, words = ("right", _RIGHT) if choice == question.answer else ("wrong", _WRONG)
    return state, say(words, letter=_letter(choice), why=as_written(question.why))


class Prediction(anywidget.AnyWidget):
    """One question, answered by mouse or keyboard.

    Parameters
    ----------
    question : Question
    on_answer : callable, optional
        Told "right" or "wrong" after each answer.

    Attributes
    ----------
    choice : int
        The option that was answered, -1 before; setting it answers.
    state : str
        "open", "right" or "wrong".
    verdict : str
        What is said after an answer; empty before.
    """

    _esm = _HERE / "prediction.js"
    _css = _HERE / "prediction.css"

    lang = traitlets.Unicode().tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    choice = traitlets.Int(-1).tag(sync=True)
    state = traitlets.Unicode("open").tag(sync=True)
    verdict = traitlets.Unicode("").tag(sync=True)
    answers = traitlets.Int(0).tag(sync=True)

    def __init__(self, question: Question, on_answer: Callable[[str], None] | None = None):
        self._question = question
        self._on_answer = on_answer or (lambda state: None)
        self._static = say(_STATIC)
        self._replies = [_reply(question, choice) for choice in range(len(question.options))]
        super().__init__(
            lang=_TAGS[language()],
            text=as_written(question.text),
            options=[as_written(option) for option in question.options],
            words={"submit": say(_SUBMIT), "choose": say(_CHOOSE), "asleep": say(_ASLEEP)},
        )

    @traitlets.observe("choice")
    def _judge(self, change: dict) -> None:
        if not 0 <= change.new < len(self.options):
            return
        state, verdict = self._replies[change.new]
        with self.hold_sync():
            self.state = state
            self.verdict = verdict
            self.answers += 1
        self._on_answer(state)

    def __repr__(self) -> str:
        lines = [f"{self._question.key}  {self.text}"]
        lines += [f"  {_letter(i)}  {option}" for i, option in enumerate(self.options)]
        return "\n".join([*lines, self._static])

    def _as_html(self) -> str:
        """The question for readers without a kernel."""
        items = "".join(f"<li>{_html(option)}</li>" for option in self.options)
        return (
            f'<div lang="{self.lang}"><p><strong>{_html(self.text)}</strong></p>'
            f'<ol type="A">{items}</ol><p><em>{escape(self._static)}</em></p></div>'
        )

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/html": self._as_html(), "text/plain": repr(self)}, metadata
