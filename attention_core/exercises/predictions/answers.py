"""What has been answered to a question: every choice in order, the first of which counts.

Choices are remembered by the option's English words, so they survive another order of the options.
"""

from attention_core.exercises.checking.question import Question
from attention_core.exercises.results.memory import recall, remember

__all__ = [
    "FIRST",
    "LATER",
    "OPEN",
    "WRONG",
    "add_choice",
    "choices",
    "note_shown",
    "state_of",
    "was_shown",
]

OPEN, FIRST, LATER, WRONG = "open", "right at once", "right later", "wrong"


def _entry(question: Question, results: dict | None) -> dict:
    entry = (recall() if results is None else results).get(question.key)
    return entry if isinstance(entry, dict) else {}


def choices(question: Question, results: dict | None = None) -> list[int]:
    """The options that have been chosen, in order."""
    tried = _entry(question, results).get("tried")
    options = [option.en for option in question.options]
    return [options.index(one) for one in tried if one in options] if type(tried) is list else []


def was_shown(question: Question) -> bool:
    """Whether the results were looked at before an answer."""
    return _entry(question, None).get("shown") is True


def state_of(question: Question, results: dict | None = None) -> str:
    """OPEN, right at the FIRST try, right LATER, or still WRONG."""
    chosen = choices(question, results)
    if not chosen:
        return OPEN
    if question.answer == chosen[0]:
        return FIRST
    return LATER if question.answer in chosen else WRONG


def add_choice(question: Question, choice: int) -> None:
    """Remember one more choice."""
    tried = [question.options[one].en for one in (*choices(question), choice)]
    remember(question.key, {**_entry(question, None), "tried": tried})


def note_shown(question: Question) -> None:
    """Remember that the results were looked at before an answer."""
    remember(question.key, {**_entry(question, None), "shown": True})
