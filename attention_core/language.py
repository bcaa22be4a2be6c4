"""The words that code says, English and Chinese side by side."""

from contextlib import contextmanager
from typing import NamedTuple


class Words(NamedTuple):
    """One message in both languages; `{names}` in it are filled in by `say`."""

    en: str
    zh: str


class Token(str):
    """A piece of a text, shown as it stands: "time" in a sentence is no label that says time.

    Examples
    --------
    >>> Token("time")
    'time'
    """

    __slots__ = ()


_state = {"language": "en"}


def use_language(language):
    """Choose the language in which checks, hints and explorers speak.

    Parameters
    ----------
    language : {"en", "zh"}

    Raises
    ------
    ValueError
        For any other language.

    Examples
    --------
    >>> use_language("en")
    """
    if language not in Words._fields:
        raise ValueError(f'use_language: {language!r} is not here; it must be "en" or "zh"')
    _state["language"] = language


def language():
    """The language in use, "en" or "zh"."""
    return _state["language"]


def say(words, **values):
    """A message in the language in use, with the values filled in.

    Examples
    --------
    >>> say(Words("{n} keys", "{n} 个键"), n=3)
    '3 keys'
    """
    return getattr(words, _state["language"]).format(**values)


def speaking():
    """A context that speaks the language in use now, whenever it is entered."""
    remembered = language()

    @contextmanager
    def block():
        before = language()
        use_language(remembered)
        try:
            yield
        finally:
            use_language(before)

    return block


QUERY = Words("query", "查询")
KEY = Words("key", "键")
ROW = Words("row", "行")
