"""Lesson 15: every head of a whole model, on a text that the learner types."""

from functools import cache, lru_cache
from html import escape

import numpy as np

from attention_core.attention import attention_scores
from attention_core.drawing.numbers import number_text
from attention_core.explorers import machine
from attention_core.explorers import trained_words as texts
from attention_core.explorers.head_words import KINDS, label_text, plain
from attention_core.explorers.widgets import (
    Bars,
    Explorer,
    Frame,
    Matrix,
    Mission,
    Pair,
    Panel,
    Picture,
    Reading,
    Text,
    Wall,
    bars_data,
    pair_data,
    wall_data,
)
from attention_core.explorers.widgets.typeset import formula, typeset
from attention_core.language import KEY, QUERY, Words, say
from attention_core.trained import (
    TextError,
    carried,
    compare,
    head_labels,
    load_model,
    reliabilities,
    same_places,
)

EXAMPLES = (
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    "这只动物没有过马路，它太累了。",
    "这只动物没有过马路，它太宽了。",
    "The child dropped the cup, and it broke.",
    "小鸟离开了窝，它饿了。",
)
MOST = 40  # tokens: more would not be seen
RELATIONS = ("pron", "adj")
SPAN = 0.5  # the colours of the difference reach at least so far


class Heads(Explorer):
    """One text in every head, one head large, and a second text beside it."""

    quiet = Words(
        "Type a text, choose a head, or point at a cell.",
        "输入一个句子，选一个头，或者指向一个格子。",
    )

    def compute(self, text, other, heads):
        (first, labels), (second, _) = _run(text), _run(other)
        layer, head = heads
        both = compare(first, second)
        maps = first.weights.reshape(-1, len(first.tokens), len(first.tokens))
        a, v = first.weights[heads], first.v[heads]
        return {
            "tokens": first.tokens, "others": second.tokens, "shared": both.tokens,
            "places": both.places,
            "maps": maps, "labels": labels,
            "A": a, "C": carried(a, v), "B": second.weights[heads],
            "D": both.difference[layer, head],
            "Q": first.q[heads], "K": first.k[heads],
            "S": attention_scores(first.q[heads], first.k[heads]),
        }  # fmt: skip

    def picture(self, result, settings):
        words, others = (list(map(plain, result[name])) for name in ("tokens", "others"))
        shared = [plain(a) if a == b else f"{plain(a)} / {plain(b)}" for a, b in result["shared"]]
        name = "L{}H{}".format(*settings["heads"])
        pairs = {"rows": words, "cols": words}
        same = same_places(words, others)
        lines = machine.reading_lines(result["A"], words, words)
        number = settings["heads"][0] * 12 + settings["heads"][1]
        label = label_text(result["labels"][number], result["tokens"])
        frames = {
            "A": machine.weights_frame(result["A"], title=_title("A", name), **pairs),
            "B": machine.weights_frame(result["B"], rows=others, cols=others, tokens=same),
            "D": Frame(
                result["D"],
                rows=shared,
                cols=shared,
                span=SPAN,
                tokens=[place for place, _ in result["places"]],
            ),
        }
        wall = wall_data(
            result["maps"],
            [label_text(one, result["tokens"]) for one in result["labels"]],
            [one.kind for one in result["labels"]],
            {kind: say(text) for kind, text in KINDS.items()},
            _telling(result["A"]),
        )
        series = (
            ("a", say(texts.WEIGHT), result["A"]),
            ("v", say(texts.CARRIED), result["C"]),
        )
        it = _telling(result["A"])[0]
        return Picture(
            frames,
            sentence=say(texts.SENTENCE, head=name, text=settings["text"], label=label,
                         lines=lines[it]),
            summary=lines,
            panels={
                "label": _big_label(name, label, settings["heads"], result["tokens"]),
                "both": _both(words, same),
            },
            data={
                "text": settings["text"], "other": settings["other"], "heads": wall,
                "bars": bars_data("A", series),
                "pair": pair_data(result["Q"], result["K"], result["S"]),
            },
        )  # fmt: skip


def _both(words, same):
    """How much the two texts share, and what the colours of their difference mean."""
    shared = [words[i] for i in same if i >= 0]
    has_words = not {"<s>", "</s>"}.issuperset(shared)
    first = (
        say(texts.SHARED, shared=len(shared), all=len(words))
        if has_words
        else say(texts.MARKS_ONLY)
    )
    return f'<div class="attn-note-line">{escape(first)} {escape(say(texts.SPAN, span=SPAN))}</div>'


def _title(symbol, name):
    return formula(symbol) + f'<span class="u"> {name}</span>'


def _big_label(name, label, place, tokens):
    """The name of the head, what it does here, and how well it does so elsewhere."""
    model = load_model()
    parts = []
    for relation in RELATIONS:
        found = []
        for language, word in texts.LANGUAGE.items():
            over = _over_twenty(language)[relation]
            mean, often = number_text(over.mean[place], 2), f"{over.largest[place]:.0%}"
            found.append(f"{say(word)} {mean} ({often})")
        parts.append(f"{say(texts.RELATION[relation])} " + ", ".join(found))
    under = say(texts.RELIABLE, parts=" · ".join(parts))
    unknown = model.pieces.unknown(tokens)
    if unknown:
        under = say(texts.UNKNOWN, signs=" ".join(unknown)) + " " + under
    return (
        f'<div class="attn-biglabel"><span class="where">{name}</span>'
        f'<span class="num">{typeset(label)}</span>'
        f'<span class="alt">{typeset(under)}</span></div>'
    )


@cache
def _over_twenty(language):
    return reliabilities(load_model(), language, RELATIONS)


def _run(text):
    try:
        if len(load_model().tokens(text)) > MOST:
            raise TextError("long", "")
        return _kept_run(text)
    except TextError as error:
        raise ValueError(say(texts.REFUSED[error.reason], most=MOST)) from None


@lru_cache(8)
def _kept_run(text):
    run = load_model().run(text)
    return run, head_labels(run.weights, run.tokens)


def trained_explorer(text=EXAMPLES[0], other=EXAMPLES[1], layer=8, head=8):
    """Look at all 144 heads of multilingual-e5-small on any text, and at one of them closely.

    Parameters
    ----------
    text, other : str
        English or Chinese; the second is compared with the first.
    layer, head : int
        The head to begin with, counted from 0.

    Returns
    -------
    Explorer
        `result` holds the tokens, the maps of all heads with their labels, and of the chosen one
        A, C (the shares of α‖v‖), Q, K, S; B is A on the second text, D the difference.
    """
    words = [plain(token) for token in load_model().tokens(text)]
    others = [plain(token) for token in load_model().tokens(other)]
    both = {"dense": True, "made": "", "sum": "", "equation": ""}
    at = {"row_axis": say(QUERY), "col_axis": say(KEY), "dense": True}
    parts = {
        "text": Text(say(texts.TEXT), dict.fromkeys([text, *EXAMPLES])),
        "other": Text(say(texts.OTHER), dict.fromkeys([other, *EXAMPLES])),
        "heads": Wall(say(texts.HEADS), 12, 12, (layer, head)),
        "label": Panel(height=72),
        "A": machine.matrix("A", words, words, about=say(texts.ABOUT["A"]), **both,
                            words=machine.say_open(texts.CELL["A"])),
        "bars": Bars(),
        "reading": Reading("A", high=440),
        "pair": Pair(say(texts.PAIR)),
        "both": Panel(height=60),
        "B": Matrix("A", others, others, reads="rc", about=say(texts.ABOUT["B"]),
                    equation=say(texts.SECOND), words=machine.say_open(texts.CELL["A"]), **at),
        "D": Matrix("A", words, words, reads="rc", about=say(texts.ABOUT["D"]),
                    equation=say(texts.DIFFERENCE), words=machine.say_open(texts.CELL["D"]), **at),
    }  # fmt: skip
    row, column = _telling(load_model().run(text).weights[layer, head])
    return Heads(
        parts,
        [
            ["text", "other"], ["label"], ["heads", "A"], ["calc"], ["bars"], ["reading", "pair"],
            ["B", "D", "both"], ["changes"],
        ],
        missions=tuple(
            Mission(say(text_), goal)
            for text_, goal in zip(texts.MISSIONS, (_is_next, _has_chinese_it, _takes_nothing),
                                   strict=True)
        ),
        selected=("A", row, column),
    )  # fmt: skip


def _telling(weights):
    """The largest weight between two different words: neither start nor end."""
    inner = np.where(np.eye(len(weights), dtype=bool), 0, weights)[1:-1, 1:-1]
    row, column = np.unravel_index(inner.argmax(), inner.shape)
    return [int(row) + 1, int(column) + 1]


def _is_next(result, settings):
    layer, head = settings["heads"]
    return result["labels"][layer * 12 + head].kind == "next"


def _has_chinese_it(result, settings):
    return settings["heads"] == (8, 8) and "它" in result["tokens"]


def _takes_nothing(result, settings):
    return bool(((result["A"] > 0.5) & (result["C"] < 0.1)).any())
