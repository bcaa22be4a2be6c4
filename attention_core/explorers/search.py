"""Lesson 18: ask in one language, find in the other, with the right attention or a broken one."""

from functools import lru_cache
from html import escape

import numpy as np

from attention_core.attention import attention
from attention_core.drawing.numbers import number_text
from attention_core.explorers import machine
from attention_core.explorers.trained_words import REFUSED
from attention_core.explorers.widgets import (
    Choice,
    Explorer,
    Frame,
    Matrix,
    Mission,
    Panel,
    Picture,
    Text,
)
from attention_core.language import Words, say
from attention_core.trained import (
    BROKEN,
    TextError,
    best_matches,
    cosines,
    hits,
    load_model,
    margin,
    sentence_pairs,
)

SHOWN = 5
LANGUAGES = ("en", "zh")
FAULTS = {
    "right": Words("right", "正确"),
    "no_scale": Words("no $√d_k$", "没有 $√d_k$"),
    "heads_averaged": Words("heads averaged", "各头取平均"),
    "causal": Words("causal mask", "因果掩码"),
    "q_k_exchanged": Words("$Q$ and $K$ exchanged", "$Q$、$K$ 对调"),
    "k_returned": Words("$K$ for $V$", "$K$ 当作 $V$"),
    "wrong_axis": Words("wrong axis", "沿错了轴"),
    "uniform": Words("uniform", "平均"),
    "nothing": Words("nothing", "什么也不带来"),
}
QUESTIONS = (
    "怎么在雨天去学校？",
    "Why did the app suddenly quit?",
    "我把开门的东西弄丢了。",
    "What is the point of getting a jab?",
)
_ASK = Words("ask", "问")
_OWN = Words("a sentence of your own", "你自己的句子")
_IN, _WITH = Words("search in", "在哪里找"), Words("attention", "注意力")
_NAMES = {"en": Words("English", "英文"), "zh": Words("Chinese", "中文")}
_OWN_START = {"en": "My cat is afraid of thunder.", "zh": "我的猫害怕打雷。"}
_COSINE = Words("cosine", "余弦")
_ABOUT = Words("the cosines of the five best matches.", "最像的五句的余弦。")
_CELL = Words("The cosine of match {j}: {=}.", "第 {j} 句的余弦：{=}。")
_ROW = Words("asked", "问题")
_SUMMARY = Words(
    "Forty sentences with this attention: {zh} found zh → en, {en} en → zh, margin {margin}",
    "用这个注意力搜索四十句：中 → 英找到 {zh} 句，英 → 中找到 {en} 句，差距 {margin}",
)
_SENTENCE = Words(
    "{fault}: “{ask}” finds “{found}” ({cosine}). {summary}.",
    "{fault}：“{ask}”找到“{found}”（{cosine}）。{summary}。",
)
_MISSIONS = (
    Words("Find a fault that leaves all forty sentences found, both ways.",
          "找一个错误，两个方向四十句仍然全都找得到。"),
    Words("Find a fault that is worse than “nothing”.", "找一个比“什么也不带来”还糟的错误。"),
    Words("Type a sentence of your own, and a question in the other language that finds it.",
          "输入一个你自己的句子，再用另一种语言问一个能找到它的问题。"),
)  # fmt: skip


class Search(Explorer):
    """A question, forty sentences and one of the learner's own, and the attention in between."""

    quiet = Words("Type a question, or choose an attention.", "输入一个问题，或者选一种注意力。")

    def compute(self, ask, own, language, fault):
        asked, added = (_vectors((text,), fault) for text in (ask, own))
        offered = (*getattr(sentence_pairs(), language), own)
        vectors = np.concatenate([_pair_vectors(fault)[language], added])
        likeness = cosines(asked, vectors)[0]
        best = np.argsort(-likeness, kind="stable")[:SHOWN]
        both = _pair_vectors(fault)
        return {
            "best": best, "cosines": likeness[best], "offered": offered,
            "hits": (hits(both["zh"], both["en"]), hits(both["en"], both["zh"])),
            "margin": margin(both["en"], both["zh"]),
            "first": int(best_matches(asked, vectors)[0]),
        }  # fmt: skip

    def picture(self, result, settings):
        found = [result["offered"][k] for k in result["best"]]
        zh, en = result["hits"]
        summary = say(_SUMMARY, zh=zh, en=en, margin=number_text(result["margin"], 2))
        fault = FAULTS[settings["fault"]]
        return Picture(
            {"C": Frame(result["cosines"][None], "weight")},
            sentence=say(
                _SENTENCE, fault=say(fault).replace("$", ""), ask=settings["ask"], found=found[0],
                cosine=number_text(result["cosines"][0], 3), summary=summary,
            ),
            summary=summary,
            panels={"found": _listed(found, result)},
            data={"ask": settings["ask"], "own": settings["own"]},
        )  # fmt: skip


def _listed(found, result):
    """The best matches, each with its cosine."""
    lines = "".join(
        f"<li{' class=own' if k == 40 else ''}><b>{number_text(cosine, 3)}</b> {escape(text)}</li>"
        for text, cosine, k in zip(found, result["cosines"], result["best"], strict=True)
    )
    return f'<ol class="attn-matches">{lines}</ol>'


def _attention(fault):
    return attention if fault == "right" else BROKEN[fault]


@lru_cache(64)
def _vectors(texts, fault):
    try:
        return load_model().encode(texts, _attention(fault))
    except TextError as error:
        raise ValueError(say(REFUSED[error.reason], most=250)) from None


@lru_cache(16)
def _pair_vectors(fault):
    pairs = sentence_pairs()
    return {language: _vectors(getattr(pairs, language), fault) for language in LANGUAGES}


def search_explorer(ask=QUESTIONS[0], own=None, language="en", fault="right"):
    """Search forty sentences and one of your own, across two languages.

    Parameters
    ----------
    ask, own : str
        The question, and a sentence that is added to the forty.
    language : {"en", "zh"}
        Of the sentences that are searched.
    fault : str
        "right", or the name of one of the broken attentions.

    Returns
    -------
    Explorer
        `result` holds the numbers of the five best, their cosines, the hits and the margin.
    """
    owns = [own] if own else []
    owns += [_OWN_START[language], *(_OWN_START[each] for each in LANGUAGES if each != language)]
    parts = {
        "ask": Text(say(_ASK), dict.fromkeys([ask, *QUESTIONS])),
        "own": Text(say(_OWN), dict.fromkeys(owns)),
        "language": Choice(say(_IN), LANGUAGES, language, [say(_NAMES[one]) for one in LANGUAGES]),
        "fault": Choice(say(_WITH), list(FAULTS), fault, [say(words) for words in FAULTS.values()]),
        "found": Panel(height=190),
        "C": Matrix("C", [say(_ROW)], SHOWN, about=say(_ABOUT), equation=say(_COSINE),
                    words=machine.say_open(_CELL), role="a"),
    }  # fmt: skip
    goals = (_still_perfect, _worse_than_nothing, _own_is_found)
    return Search(
        parts,
        [["ask", "own"], ["found"], ["C"], ["calc"], ["changes"]],
        missions=tuple(
            Mission(say(text), goal) for text, goal in zip(_MISSIONS, goals, strict=True)
        ),
        selected=("C", 0, 0),
    )


def _still_perfect(result, settings):
    return settings["fault"] != "right" and result["hits"] == (40, 40)


def _worse_than_nothing(result, settings):
    return sum(result["hits"]) < 36 + 32


def _own_is_found(result, settings):
    is_own = settings["own"] not in _OWN_START.values()
    return is_own and result["first"] == 40 and _is_other_language(settings)


def _is_other_language(settings):
    """One of the two texts is in Chinese, the other is not."""
    chinese = [
        any("\u4e00" <= sign <= "\u9fff" for sign in settings[one]) for one in ("ask", "own")
    ]
    return chinese[0] != chinese[1]
