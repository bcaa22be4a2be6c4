"""What a function reads: its parameters, the notebook's variables, the course's functions."""

import dis
from collections.abc import Callable, Iterator
from numbers import Number
from types import CodeType, ModuleType
from typing import Any

import numpy as np

__all__ = ["course_functions", "notebook_variables", "unread_parameters"]

COURSE = "attention_core"


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code, and that of the lambdas and comprehensions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _names(function: Callable, *operations: str) -> list[str]:
    """The names that some operations use, each once, in their order."""
    code = getattr(function, "__code__", None)
    names: dict[str, None] = {}
    for part in _codes(code) if isinstance(code, CodeType) else ():
        for step in dis.get_instructions(part):
            if step.opname.startswith(operations):
                found = step.argval if isinstance(step.argval, tuple) else (step.argval,)
                names.update(dict.fromkeys(one for one in found if isinstance(one, str)))
    return list(names)


def _globals(function: Callable) -> dict[str, Any]:
    known = getattr(function, "__globals__", {})
    return {name: known[name] for name in _names(function, "LOAD_GLOBAL") if name in known}


def parameters(function: Callable) -> list[str]:
    """The names of a function's parameters."""
    code = getattr(function, "__code__", None)
    return list(code.co_varnames[: code.co_argcount]) if isinstance(code, CodeType) else []


def unread_parameters(function: Callable) -> list[str]:
    """The parameters that the code never reads.

    Examples
    --------
    >>> unread_parameters(lambda q, k: q + 1)
    ['k']
    """
    read = _names(function, "LOAD_FAST", "LOAD_DEREF", "LOAD_CLOSURE", "STORE_FAST_LOAD_FAST")
    return [name for name in parameters(function) if name not in read]


def notebook_variables(function: Callable) -> list[str]:
    """The arrays and numbers that the code reads from outside, as the notebook holds them."""
    return [
        name
        for name, value in _globals(function).items()
        if isinstance(value, np.ndarray | Number | list | tuple | dict)
    ]


def course_functions(function: Callable) -> list[str]:
    """The functions of the course that the code calls by name; a function of it is one itself."""
    itself = {getattr(function, "__name__", ""): function}
    known = {**itself, **_globals(function)}
    found = [one.__name__ for one in known.values() if _of_the_course(one)]
    if any(isinstance(one, ModuleType) and _is_ours(one.__name__) for one in known.values()):
        found += _names(function, "LOAD_ATTR", "LOAD_METHOD")
    return found


def _of_the_course(thing: Any) -> bool:
    return callable(thing) and _is_ours(getattr(thing, "__module__", None) or "")


def _is_ours(module: str) -> bool:
    return module.split(".")[0] == COURSE and not module.startswith(f"{COURSE}.exercises")
