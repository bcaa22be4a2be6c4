"""What a prediction is: a question to answer before the lesson shows the result."""

from dataclasses import dataclass

from attention_core.exercises.checking.sentences import words
from attention_core.language import Words

__all__ = ["Question"]


@dataclass(frozen=True)
class Question:
    """A prediction to make before the lesson shows the result.

    Parameters
    ----------
    key : str
        The lesson's two digits, a dot and a number: "07.1".
    text : Words
        The question. Text between backticks is set as code.
    options : tuple of Words
        What may be chosen.
    answer : int
        The index of the one right option.
    why : Words
        What one would see, and why; shown only after an answer.
    replies : tuple of Words or None
        What is said to somebody who chose this option; None where nothing special is said.
    """

    key: str
    text: Words
    options: tuple[Words, ...]
    answer: int
    why: Words
    replies: tuple[Words | None, ...] = ()

    @property
    def lesson(self) -> str:
        """The two digits of the lesson."""
        return self.key.partition(".")[0]

    @classmethod
    def from_table(cls, table: dict) -> "Question":
        """A question as it stands in ``lesson_NN.toml``; the right option has ``right = true``."""
        options = table["options"]
        return cls(
            key=table["key"],
            text=words(table),
            options=tuple(map(words, options)),
            answer=[one.get("right", False) for one in options].index(True),
            why=words(table["why"]),
            replies=tuple(words(one["reply"]) if "reply" in one else None for one in options),
        )
