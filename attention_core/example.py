"""The running example: a sentence whose last word decides where that word reads from.

    The animal didn't cross the street because it was too tired.   动物没有过马路，因为它太累了。

With "wide" (宽) as its last word it reads from elsewhere. Four words are the tokens. The numbers
are made by hand so that they can be read. All sizes differ: n 4, d_model 5, d_k 2, d_v 3.
"""

import numpy as np

from attention_core.language import Words, say
from attention_core.projections import MultiHeadWeights, project

SENTENCE = Words(
    "The animal didn't cross the street because it was too {last}.",
    "动物没有过马路，因为它太{last}了。",
)
ANIMAL, STREET, IT = Words("animal", "动物"), Words("street", "马路"), Words("it", "它")
LAST = {"tired": Words("tired", "累"), "wide": Words("wide", "宽")}
_EN = "thing", "living", "pronoun", "feeling", "size"
_ZH = "事物", "生物", "代词", "感受", "大小"
FEATURES = {
    "x": tuple(map(Words, _EN, _ZH)),
    "q": (Words("seeks a thing", "找事物"), Words("seeks the living", "找生物")),
    "k": (Words("is a thing", "是事物"), Words("is living", "是生物")),
    "v": (ANIMAL, STREET, Words("quality", "性质")),
}


def _fixed(rows):
    """A matrix of floats that nobody can change by mistake."""
    matrix = np.array(rows, dtype=float)
    matrix.flags.writeable = False
    return matrix


#                thing living pronoun feeling size
_X = {
    "animal": (1, 1, 0, 0, 0),
    "street": (1, -1, 0, 0, 0),
    "it": (1, 0, 1, 0, 0),
    "tired": (0, 0, 0, 1, 0),
    "wide": (0, 0, 0, 0, 1),
}
# The rows of the projections are the five features.
W_Q = _fixed([[0, 0], [0, 0], [1, 0], [1, 2], [1, -2]])
W_K = _fixed([[1, 0], [0, 1], [0, 0], [0, 0], [0, 0]])
W_V = _fixed([[0.5, 0.5, 0], [0.5, -0.5, 0], [-0.5, -0.5, 0], [0, 0, 1], [0, 0, 1]])
# Head 0: "who is it that is tired?"  Head 1: "what do I, a pronoun, stand for?"
_W_Q_1 = _fixed([[0, 0], [0, 0], [3, 0], [0, 0], [0, 0]])
_W_K_1 = _fixed([[1, 0], [0, 0], [-1, 0], [0, 0], [0, 0]])
HEADS = (W_Q, W_K, W_V), (_W_Q_1, _W_K_1, W_V)
W_O = _fixed([[1, 1, 0, 0, 0], [1, -1, 0, 0, 0], [0, 0, 0, 0, 0]] * 2)
# Lesson 10: the translation reads. Queries and keys: living, pronoun, quality.
CROSS = (
    _fixed([[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2], [0, 0, 2]]),
    _fixed([[0, 0, 0], [2, 0, 0], [-1, 2, 0], [0, 0, 2], [0, 0, 2]]),
    _fixed([[0, 0], [1, 0], [0, 0], [0, 1], [0, -1]]),
)


def sentence(last="tired"):
    """The whole sentence in the language in use.

    Examples
    --------
    >>> sentence("wide")
    "The animal didn't cross the street because it was too wide."
    """
    return say(SENTENCE, last=tokens(last)[3])


def tokens(last="tired"):
    """The four tokens in the language in use.

    Examples
    --------
    >>> tokens("wide")
    ['animal', 'street', 'it', 'wide']
    """
    return [say(word) for word in (ANIMAL, STREET, IT, LAST[_known("tokens", last)])]


def features(of="x"):
    """The names of the features of x, or of a query, key or value of head 0.

    Examples
    --------
    >>> features(), features("q")
    (['thing', 'living', 'pronoun', 'feeling', 'size'], ['seeks a thing', 'seeks the living'])
    """
    return [say(name) for name in FEATURES[of]]


def hidden(last="tired"):
    """X, the hidden representations of the four tokens: a new array, shape (4, 5).

    Examples
    --------
    >>> hidden("tired")[3], hidden("wide")[3]
    (array([0., 0., 0., 1., 0.]), array([0., 0., 0., 0., 1.]))
    """
    return np.array(
        [_X[word] for word in ("animal", "street", "it", _known("hidden", last))], float
    )


def qkv(last="tired", head=0):
    """Q (4, 2), K (4, 2) and V (4, 3) of head 0 or head 1.

    Examples
    --------
    >>> Q, K, V = qkv("tired")
    >>> Q[3], K[0], V[0]
    (array([1., 2.]), array([1., 1.]), array([1., 0., 0.]))
    """
    x = hidden(last)
    return tuple(project(x, w) for w in HEADS[head])


def multi_head_weights():
    """Both heads side by side, and W_O: what `multi_head_attention` takes.

    Examples
    --------
    >>> [w.shape for w in multi_head_weights()]
    [(5, 4), (5, 4), (5, 6), (6, 5)]
    """
    return MultiHeadWeights(*(np.hstack(w) for w in zip(*HEADS, strict=True)), W_O)


def translation(last="tired"):
    """Three tokens of the sentence in the *other* language, and their hidden representations.

    Examples
    --------
    >>> words, y = translation("tired")
    >>> words, y.shape
    (['动物', '它', '累'], (3, 5))
    """
    other = {"animal": "zh", "动物": "en"}[say(ANIMAL)]
    words = (ANIMAL, IT, LAST[_known("translation", last)])
    return [getattr(word, other) for word in words], hidden(last)[[0, 2, 3]]


def _known(where, last):
    if last not in LAST:
        raise ValueError(f'{where}: the last word is {last!r} but must be "tired" or "wide"')
    return last
