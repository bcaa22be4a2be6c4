"""What the commands of the exercises say, and a toy exercise to try them on."""

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace

import numpy as np

from attention_core.exercises.checking import commands
from attention_core.exercises.checking.exercise import Exercise
from attention_core.language import Words


def heard(command, *arguments):
    """What a command printed; nothing may ever reach stderr."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        command(*arguments)
    assert err.getvalue() == ""
    return out.getvalue()


def heard_afresh(command, *arguments):
    """The same, as in a kernel that has just been started."""
    commands.forget_hints()
    return heard(command, *arguments)


def squeezed(text):
    """Text without spaces and line ends: where lines are folded does not matter."""
    return "".join(text.split())


def unclean(text):
    """What is wrong with a sentence: empty, or something left over from formatting."""
    if not text.strip():
        return "an empty text"
    left_over = re.search(r"\{[a-z_!]+\}| object at 0x|Words\(", text)
    return f"{left_over[0]!r} in {text!r}" if left_over else None


def double(x):
    return x * 2


TOY = Exercise(
    double,
    cases=lambda: [(np.array([[1.0, -2.0]]),), (np.array([[0.0, 1.0, 3.0], [5.0, 7.0, 9.0]]),)],
    mistakes={
        "added": lambda x: x + 2,
        "squared": lambda x: x**2,
        "transposed": lambda x: x.mT * 2,
    },
    lesson="99",
    hints=(Words("one", "一"), Words("two", "二"), Words("three", "三")),
    messages={
        "added": Words("added", "加了"),
        "squared": Words("squared", "平方了"),
        "transposed": Words("transposed", "转置了"),
    },
)


def with_mistakes(exercise, **mistakes):
    """The exercise with other mistakes, whose messages are their keys."""
    messages = {key: Words(key, key) for key in mistakes}
    return replace(exercise, mistakes=mistakes, messages=messages)


def toy_value(solution, tolerance=1e-6, **mistakes):
    """An exercise that asks for a value."""
    return with_mistakes(Exercise(solution, tolerance=tolerance, name="toy"), **mistakes)
