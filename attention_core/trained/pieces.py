"""Cut a text into word pieces: of all ways to spell it, the most probable one.

Each piece has a score, the logarithm of how often it is used. A way to spell the text has the sum
of its pieces' scores, and the best way to spell a beginning of the text is a best shorter
beginning and one piece more (Viterbi's algorithm).
"""

import re
import unicodedata

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
SPACE = "▁"  # stands for a space: a piece that begins a word carries it in front
_SPACES = re.compile(r"[\s\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]+")
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # control signs that are left when spaces are gone


class TextError(ValueError):
    """A text that cannot be read; `reason` is "empty", "long" or "unknown"."""

    def __init__(self, reason, sentence):
        super().__init__(sentence)
        self.reason = reason


class WordPieces:
    """The word pieces that a model knows, with their scores.

    Parameters
    ----------
    pieces : list of str
        In the order of the rows of the model's embedding.
    scores : sequence of float

    Examples
    --------
    >>> known = WordPieces(["<s>", "</s>", "<unk>", "▁", "▁cat", "s"], [0, 0, 0, -4, -2, -3])
    >>> known.cut("cats"), known.rows(["▁cat", "?"])
    (['<s>', '▁cat', 's', '</s>'], [4, 2])
    """

    def __init__(self, pieces, scores):
        self._row = {piece: row for row, piece in enumerate(pieces)}
        self._score = dict(zip(pieces, scores, strict=True))
        for special in (START, END, UNKNOWN):  # their letters, typed in a text, are only letters
            del self._score[special]

    def __len__(self):
        return len(self._row)

    def cut(self, text):
        """The tokens of a text, with one that starts and one that ends it.

        Signs that no piece knows are tokens of their own: see `unknown`.
        """
        return [START, *best_spelling(clean(text), self._score), END]

    def rows(self, tokens):
        """Each token's row of the embedding; all unknown ones share a row."""
        return [self._row.get(token, self._row[UNKNOWN]) for token in tokens]

    def unknown(self, tokens):
        """The tokens that have no row of their own."""
        return [token for token in tokens if token not in self._row]


def clean(text):
    """A text with full-width signs and the like in their common form, and every gap as one `▁`.

    Examples
    --------
    >>> clean("  Ａ\\tcat，  a\\ndog "), clean("\\n")
    ('▁A▁cat,▁a▁dog', '')
    """
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # half a pair: �
    text = unicodedata.normalize("NFKC", _SPACES.sub(" ", text))
    words = _INVISIBLE.sub("", _SPACES.sub(" ", text)).split()
    return "".join(SPACE + word for word in words)


def best_spelling(text, score):
    """The pieces that spell the text and whose scores add up to the most.

    Parameters
    ----------
    text : str
    score : dict of piece -> float
        A sign that no piece covers may stand alone, far below the least score.

    Returns
    -------
    list of str

    Notes
    -----
    Kudo 2018, "Subword Regularization", section 3.2; Viterbi 1967.

    Examples
    --------
    >>> best_spelling("abab", {"a": -3.0, "b": -3.0, "ab": -4.0, "aba": -4.5})
    ['aba', 'b']
    """
    longest = max(map(len, score))
    unknown = min(score.values()) - 10
    best = [(0.0, 0)]  # for each end: the best sum, and where its last piece begins
    for end in range(1, len(text) + 1):
        ways = [(best[end - 1][0] + unknown, end - 1)]
        for begin in range(max(0, end - longest), end):
            if text[begin:end] in score:
                ways.append((best[begin][0] + score[text[begin:end]], begin))
        best.append(max(ways, key=lambda way: way[0]))
    return _read_back(text, best)


def _read_back(text, best):
    """From the end: the last piece, the last before it, and so on."""
    pieces, end = [], len(text)
    while end:
        begin = best[end][1]
        pieces.append(text[begin:end])
        end = begin
    return pieces[::-1]
