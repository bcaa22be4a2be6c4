"""What an exercise is: a solution, the cases that try an answer, and its known mistakes.

The functions stand in ``lesson_NN.py``, the words in ``lesson_NN.toml`` beside it;
`checking.lessons` joins the two.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from inspect import getsource
from textwrap import dedent
from typing import Any, NamedTuple

from attention_core.exercises.checking.compare import Rule
from attention_core.language import Words

__all__ = ["Exercise", "Mistake"]


def _no_arguments() -> Iterable[tuple]:
    return [()]


class Mistake(NamedTuple):
    """A typical wrong answer, and what to say to somebody who gives it."""

    key: str
    wrong: Any
    message: Words


@dataclass(frozen=True)
class Exercise:
    """One task of a lesson.

    Parameters
    ----------
    solution : callable or value
        The function that `solution` shows and that answers are compared with. Where a value is
        asked for: the value, or a function without arguments that computes it.
    cases : callable
        Gives the argument tuples, smallest first. Left out where a value is asked for.
    mistakes : dict
        At least three: a key, under which the message stands in the TOML file, and what this
        mistake would hand in: a function with the solution's arguments, or, where a value is asked
        for, the wrong value. For a dictionary the wrong entries are enough.
    tolerance : float
        Numbers this close to the solution are right: absolute, plus the same relative to size.
    exact_zeros : bool
        Whether what is 0 in the solution must be exactly 0: hidden weights.
    is_mask : bool
        Whether True and False may not be 1 and 0: in a mask, numbers mean something else.
    also_right : callable, optional
        Says of a value that is not the solution's whether the text allows it all the same.
    stands_for : tuple of str
        The course's own functions that do what is to be written here.
    name : str
        The name in ``check(name, answer)``; the solution's own name where it has one.
    lesson, hints, messages, claims
        What the TOML file adds: the lesson's two digits; at least two hints, each one step
        further; one message for each mistake; the claims of the syllabus that this demonstrates.
    """

    solution: Any
    cases: Callable[[], Iterable[tuple]] = _no_arguments
    mistakes: Mapping[str, Any] = field(default_factory=dict)
    tolerance: float = 1e-6
    exact_zeros: bool = False
    is_mask: bool = False
    also_right: Callable[[Any], bool] | None = None
    stands_for: tuple[str, ...] = ()
    name: str = ""
    lesson: str = ""
    hints: tuple[Words, ...] = ()
    messages: Mapping[str, Words] = field(default_factory=dict)
    claims: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.solution.__name__)

    @property
    def wants_value(self) -> bool:
        """Whether the answer is a value; otherwise it is a function."""
        return self.cases is _no_arguments

    @property
    def known_mistakes(self) -> list[Mistake]:
        """The mistakes with their messages."""
        return [Mistake(key, wrong, self.messages[key]) for key, wrong in self.mistakes.items()]

    @property
    def rule(self) -> Rule:
        """When numbers count as equal here."""
        return Rule(self.tolerance, self.exact_zeros, self.is_mask)

    def planted(self, wrong: Any) -> Any:
        """The answer that somebody who makes a mistake would hand in."""
        if not isinstance(wrong, dict):
            return wrong
        right = self.solution() if callable(self.solution) else self.solution
        return {**right, **wrong}

    def source(self) -> str:
        """The solution as code that could replace the lesson's stub."""
        if callable(self.solution):
            return dedent(getsource(self.solution)).rstrip("\n")
        return f"{self.name} = {self.solution!r}"
