"""Words from TOML files: English and Chinese stand side by side there, not in the code."""

import tomllib
from pathlib import Path

from attention_core.language import Words, language, say

__all__ = ["SENTENCES", "as_written", "read", "tell", "words"]


def read(path: Path) -> dict:
    """A TOML file as nested dictionaries."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def words(table: dict) -> Words:
    """One text of a TOML file: ``en`` and ``zh``, or ``text`` where both languages say the same.

    Examples
    --------
    >>> words({"en": "key", "zh": "jian"}), words({"text": "(3, 2)"}).zh
    (Words(en='key', zh='jian'), '(3, 2)')
    """
    if "text" in table:
        return Words(table["text"], table["text"])
    return Words(table["en"], table["zh"])


def as_written(text: Words) -> str:
    """An author's text in the language in use, word for word: braces in it are just braces.

    Examples
    --------
    >>> as_written(Words("a set {1, 2}", "..."))
    'a set {1, 2}'
    """
    return getattr(text, language())


SENTENCES = {
    key: words(table) for key, table in read(Path(__file__).with_name("sentences.toml")).items()
}


def tell(key: str, /, **values: object) -> str:
    """A sentence of ``sentences.toml`` in the language in use, with the values filled in.

    Examples
    --------
    >>> tell("many_arguments", count=3)
    '3 arguments'
    """
    return say(SENTENCES[key], **values)
