"""One test over many values: it tries them all and complains of every one that fails."""

import functools
import inspect
import sys

import pytest

PARAMETERS = type(pytest.param())


def speak_english():
    """The language as a test finds it."""
    language = sys.modules.get("attention_core.language")
    if language is not None:
        language.use_language("en")


def for_each(names, values):
    """Like `pytest.mark.parametrize`, but one test: all values are tried, all failures told.

    For tests that leave nothing behind: what needs a fresh fixture each time needs cases.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    cases = [_arguments(names, value) for value in values]
    if not cases:
        raise ValueError("for_each: there is nothing to try")

    def decorate(test):
        signature = inspect.signature(test)

        @functools.wraps(test)
        def loop(**fixtures):
            failures = []
            for case in cases:
                try:
                    test(**fixtures, **case)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"with {case}"[:1000])
                    failures.append(error)
                finally:
                    speak_english()
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(cases)} fail", failures)

        left = [p for name, p in signature.parameters.items() if name not in names]
        loop.__signature__ = signature.replace(parameters=left)
        return loop

    return decorate


def _arguments(names, value):
    if isinstance(value, PARAMETERS):
        value = value.values
    elif len(names) == 1:
        value = [value]
    return dict(zip(names, value, strict=True))
