"""The label of a head in words: what it does with the text on screen, with its number."""

from attention_core.drawing.numbers import number_text
from attention_core.language import Words, say

KINDS = {
    "previous": Words("previous token", "前一个词元"),
    "next": Words("next token", "后一个词元"),
    "itself": Words("own token", "自己"),
    "first": Words("first token", "第一个词元"),
    "ends": Words("start and end", "首尾符号"),
    "same": Words("same token", "相同的词元"),
    "punctuation": Words("punctuation", "标点"),
    "repeat": Words("what came next last time", "上次接在后面的词元"),
    "broad": Words("broad", "分散"),
    "pair": Words("one pair of words", "一对词"),
    "mixed": Words("no clear pattern", "没有明显规律"),
    "later": Words("later and later", "越来越靠后"),
}


def plain(token):
    """A token without the mark of its space.

    >>> plain("▁animal"), plain("▁")
    ('animal', '▁')
    """
    return token.lstrip("▁ ") or token


def label_text(label, tokens):
    """Write a Label with its number, such as "it → animal 0.55" or "next token 1".

    >>> from attention_core.trained import Label
    >>> label_text(Label("pair", 0.553, 0, 1), ["▁it", "▁animal"])
    'it → animal 0.55'
    """
    if label.kind == "mixed":
        return say(KINDS["mixed"])
    if label.kind == "pair":
        name = f"{plain(tokens[label.reader])} → {plain(tokens[label.source])}"
    else:
        name = say(KINDS[label.kind])
    return f"{name} {number_text(label.value, 2)}"
