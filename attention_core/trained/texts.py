"""Short texts in English and Chinese, written for this course, to search and to measure with."""

from importlib.resources import files
from typing import NamedTuple


class Texts(NamedTuple):
    """Sentences that say the same in both languages; sentence i of one belongs to i of the other.

    In a set of questions, `answers[i]` is the number of the sentence that answers question i.
    """

    en: tuple
    zh: tuple
    answers: tuple


class Annotated(NamedTuple):
    """A sentence and its pairs of words (kind, reader, source): kind is "pron" or "adj"."""

    language: str
    text: str
    pairs: tuple


def sentence_pairs():
    """Forty everyday sentences, each in both languages.

    Examples
    --------
    >>> len(sentence_pairs().en), sentence_pairs().zh[29]
    (40, '光比声音传播得快。')
    """
    return _texts("pairs")


def near_twins():
    """Forty sentences in which 2i and 2i + 1 differ only in who does what to whom.

    Examples
    --------
    >>> near_twins().en[:2]
    ('The dog chases the cat.', 'The cat chases the dog.')
    """
    return _texts("twins")


def questions():
    """Twenty questions that share few words with the sentence pair that answers them.

    Examples
    --------
    >>> asked = questions()
    >>> asked.en[1], sentence_pairs().en[asked.answers[1]]
    ('Is anyone learning a musical instrument?', 'My brother is learning to play the guitar.')
    """
    rows = _rows("questions")
    numbers = tuple(int(number) - 1 for number, _, _ in rows)
    return Texts(tuple(en for _, _, en in rows), tuple(zh for _, zh, _ in rows), numbers)


def annotated(language):
    """Twenty sentences with their pronouns and adjectives and the nouns these belong to.

    Examples
    --------
    >>> annotated("zh")[1].pairs
    (('adj', '累', '狗'), ('pron', '它', '狗'))
    """
    found = (row for row in _rows("annotated") if row[0] == language)
    return tuple(
        Annotated(language, text, tuple(_pair(note) for note in notes if note))
        for _, text, *notes in found
    )


def _pair(note):
    kind, words = note.split(":")
    return kind, *words.split(">")


def _texts(name):
    en, zh = zip(*_rows(name), strict=True)
    return Texts(en, zh, tuple(range(len(en))))


def _rows(name):
    data = files("attention_core.trained") / "data" / f"{name}.tsv"
    return [tuple(line.split("\t")) for line in data.read_text(encoding="utf-8").splitlines()]
