"""Settings for every test: no test is timed, and none leaves a language behind."""

import os

import pytest
from hypothesis import settings

from tests.loops import speak_english

# A deadline would time the machine, not the code; on CI the same examples every time.
settings.register_profile("course", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("course")


@pytest.fixture(autouse=True)
def english_afterwards():
    """Put the language back, so that the order of the tests cannot matter."""
    yield
    speak_english()
