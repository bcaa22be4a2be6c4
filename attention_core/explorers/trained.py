"""Lesson 15: every head of a whole model, on a text that the learner types."""

from functools import cache, lru_cache
from html import escape

import numpy as np

from attention_core.attention import attention_scores
from attention_core.drawing.numbers import number_text
from attention_core.explorers import machine
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
    matching,
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

_TEXT, _OTHER = Words("your text", "你的句子"), Words("compare with", "和它比较")
_HEADS = Words("12 layers × 12 heads", "12 层 × 12 个头")
_PAIR = Words("$q$ and $k$ of this pair, and their product", "这一对的 $q$ 和 $k$，以及它们的乘积")
_WEIGHT, _CARRIED = Words("weight $α$", "权重 $α$"), Words("share of $α‖v‖$", "$α‖v‖$ 的份额")
_SECOND = Words("the second text", "第二个句子")
_DIFFERENCE = Words("second − first", "第二个 − 第一个")
_SHARED = Words(
    "{shared} of the {all} tokens of your text stand in the second one, too: choose one in either, "
    "and it is marked in both.",
    "你的句子有 {all} 个词元，其中 {shared} 个第二个句子里也有：在任何一边选中，两边都会标出。",
)
_MARKS_ONLY = Words(
    "The two texts share no word, only start and end.", "两个句子没有相同的词元，只有首尾符号相同。"
)
_SPAN = Words(
    "The colours of the difference reach at least to ±{span}: a small change stays pale.",
    "差的颜色至少覆盖 ±{span}：变化小，颜色就淡。",
)
_ABOUT = {
    "A": Words("the weights of the chosen head.", "所选的头的权重。"),
    "B": Words("the same head on the second text.", "同一个头，读第二个句子。"),
    "D": Words("what changed between the tokens that both texts share.",
               "两个句子共有的词元之间，权重变了多少。"),
}  # fmt: skip
_CELL = {
    "A": Words("{row} takes {=} of its reading from {col}.", "{row} 有 {=} 的份额读自 {col}。"),
    "D": Words("From {row} to {col}: {=} more or less than before.",
               "从 {row} 到 {col}：和第一个句子相差 {=}。"),
}  # fmt: skip
_RELIABLE = Words(
    "Over twenty sentences, mean weight (how often the largest): {parts}",
    "二十个句子上的平均权重（有多少次最大）：{parts}",
)
_RELATION = {
    "pron": Words("pronoun → its noun", "代词 → 它指的名词"),
    "adj": Words("adjective → its noun", "形容词 → 它说的名词"),
}
_LANGUAGE = {"en": Words("English", "英文"), "zh": Words("Chinese", "中文")}
_UNKNOWN = Words("The model does not know {signs}.", "模型不认识 {signs}。")
REFUSED = {
    "empty": Words("the text is empty; type at least one word", "句子是空的，请至少输入一个词"),
    "long": Words("the text is too long; this wall shows at most {most} tokens",
                  "句子太长了，这面墙最多显示 {most} 个词元"),
    "unknown": Words("the model knows none of these signs; type English or Chinese",
                     "模型不认识这些符号，请输入英文或中文"),
}  # fmt: skip
_SENTENCE = Words("{head} on “{text}”: {label}. {lines}.", "{head} 读“{text}”：{label}。{lines}。")
_MISSIONS = (
    Words("Find a head in which every word reads the next one.",
          "找一个头，每个词都读后一个词元。"),
    Words("Type a Chinese sentence with 它 and choose L8H8. Which noun does 它 read?",
          "输入一个带“它”的中文句子，选 L8H8。“它”读的是哪个名词？"),
    Words("Find a head that gives a token most of a row and takes almost nothing from it ($α‖v‖$).",
          "找一个头：一行的大部分权重给了某个词元，却几乎没从它取到内容（看 $α‖v‖$）。"),
)  # fmt: skip


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
                tokens=[i for i, _ in matching(result["tokens"], result["others"])],
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
            ("a", say(_WEIGHT), result["A"]),
            ("v", say(_CARRIED), result["C"]),
        )
        it = _telling(result["A"])[0]
        return Picture(
            frames,
            sentence=say(_SENTENCE, head=name, text=settings["text"], label=label, lines=lines[it]),
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
    first = say(_SHARED, shared=len(shared), all=len(words)) if has_words else say(_MARKS_ONLY)
    return f'<div class="attn-note-line">{escape(first)} {escape(say(_SPAN, span=SPAN))}</div>'


def _title(symbol, name):
    return formula(symbol) + f'<span class="u"> {name}</span>'


def _big_label(name, label, place, tokens):
    """The name of the head, what it does here, and how well it does so elsewhere."""
    model = load_model()
    parts = []
    for relation in RELATIONS:
        found = []
        for language, word in _LANGUAGE.items():
            over = _over_twenty(language)[relation]
            mean, often = number_text(over.mean[place], 2), f"{over.largest[place]:.0%}"
            found.append(f"{say(word)} {mean} ({often})")
        parts.append(f"{say(_RELATION[relation])} " + ", ".join(found))
    under = say(_RELIABLE, parts=" · ".join(parts))
    unknown = model.pieces.unknown(tokens)
    if unknown:
        under = say(_UNKNOWN, signs=" ".join(unknown)) + " " + under
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
        raise ValueError(say(REFUSED[error.reason], most=MOST)) from None


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
        "text": Text(say(_TEXT), dict.fromkeys([text, *EXAMPLES])),
        "other": Text(say(_OTHER), dict.fromkeys([other, *EXAMPLES])),
        "heads": Wall(say(_HEADS), 12, 12, (layer, head)),
        "label": Panel(height=72),
        "A": machine.matrix("A", words, words, about=say(_ABOUT["A"]), **both,
                            words=machine.say_open(_CELL["A"])),
        "bars": Bars(),
        "reading": Reading("A", high=440),
        "pair": Pair(say(_PAIR)),
        "both": Panel(height=60),
        "B": Matrix("A", others, others, reads="rc", about=say(_ABOUT["B"]),
                            equation=say(_SECOND), words=machine.say_open(_CELL["A"]), **at),
        "D": Matrix("A", words, words, reads="rc", about=say(_ABOUT["D"]),
                            equation=say(_DIFFERENCE), words=machine.say_open(_CELL["D"]), **at),
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
            for text_, goal in zip(_MISSIONS, (_is_next, _has_chinese_it, _takes_nothing),
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
