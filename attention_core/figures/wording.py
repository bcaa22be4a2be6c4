"""The words on tables and plots: a lesson writes them in English, the reader sees their language.

`words.toml` holds every such word with its Chinese, so that the code of a lesson is the same in
both languages. What is not listed there, a symbol or a token, is shown as it is.
"""

import tomllib
from functools import cache
from pathlib import Path

from attention_core.language import Token, Words, say

PLACE = Path(__file__).with_name("words.toml")


@cache
def vocabulary():
    """Every word of tables and plots: English -> Words.

    Raises
    ------
    ValueError
        When one English wording has two Chinese ones.
    """
    found = {}
    for section, words in tomllib.loads(PLACE.read_text(encoding="utf-8")).items():
        for en, zh in words.items():
            if found.setdefault(en, Words(en, zh)).zh != zh:
                raise ValueError(f"words.toml, [{section}]: {en!r} is also {found[en].zh!r}")
    return found


def worded(text):
    """A word of `words.toml` in the language in use; anything else, and every token, as it is.

    Examples
    --------
    >>> worded("query"), worded("d_k")
    ('query', 'd_k')
    """
    words = None if isinstance(text, Token) else vocabulary().get(text)
    return str(text) if words is None else say(words)
