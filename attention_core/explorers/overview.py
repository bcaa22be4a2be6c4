"""Lesson 00: the whole machine on one sentence, from the token vectors to the outputs."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.example import HEADS, LAST, features, hidden, tokens
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Explorer,
    Frame,
    GuessCells,
    Mission,
    Picture,
    Reading,
    mask_frame,
)
from attention_core.language import Words, say
from attention_core.projections import project

_LAST_WORD = Words("last word", "最后一个词")
_SENTENCE = Words(
    "Weights A = {a}; output O = {o}. {reading}.", "权重 A = {a}；输出 O = {o}。{reading}。"
)
_GUESS = Words(
    "Guess first: the last word becomes “{wide}”. Mark the cells of $Q$, $K$, $V$, $A$ and $O$ "
    "that will change.",
    "先猜：最后一个词换成“{wide}”。标出 $Q$、$K$、$V$、$A$、$O$ 里会变的格子。",
)
_HIDE = Words(
    "Hide the future: choose the causal mask. What is left for {street} to read?",
    "遮住未来：选因果掩码。{street}还能读谁？",
)
_TURN = Words(
    "Change one number of $W_Q$ so that the last word reads the other noun.",
    "改 $W_Q$ 里的一个数，让最后一个词去读另一个名词。",
)
_EVEN = Words(
    "Make the last word read all four alike, without touching the mask.",
    "不动掩码，让最后一个词平均地读四个词元。",
)


class Overview(Explorer):
    """X, the three projections, and the five steps of attention."""

    def compute(self, X, WQ, WK, WV, M, scaled):
        q, k, v = (project(X, w) for w in (WQ, WK, WV))
        steps = attention_steps(q, k, v, M, scale=None if scaled else 1.0)
        return {"Q": q, "K": k, "V": v, "S": steps.scores, "Z": steps.masked,
                "A": steps.weights, "O": steps.output}  # fmt: skip

    def picture(self, result, settings):
        words = tokens("wide" if settings["word"] == "wide" else "tired")
        allowed, pairs = settings["M"], {"rows": words, "cols": words}
        frames = {name: Frame(result[name], rows=words) for name in ("Q", "K", "V", "O")}
        frames |= {
            "X": Frame(settings["X"], rows=words),
            "M": mask_frame(allowed, **pairs),
            "S": Frame(result["S"], **pairs),
            "Z": machine.masked_frame(
                result["Z"], allowed, title=machine.logits_title(settings["scaled"]), **pairs
            ),
            "A": machine.weights_frame(result["A"], allowed, **pairs),
        }
        lines = machine.reading_lines(result["A"], words, words)
        weights = machine.matrix_text(result["A"], machine.weight_text)
        sentence = say(_SENTENCE, a=weights, o=machine.matrix_text(result["O"]), reading=lines[-1])
        root = {"root": "√2" if settings["scaled"] else "1"}
        return Picture(frames, sentence, lines, facts=root)


def overview_explorer():
    """Play with the whole machine on the running example.

    Returns
    -------
    Explorer
        `result` holds Q, K, V, S, Z (scaled, with mask), A and O.
    """
    words, names = tokens(), features()
    parts = {
        "word": machine.named_values(
            _LAST_WORD, LAST, {last: {"X": (3, hidden(last)[3])} for last in LAST}
        ),
        "mask": machine.mask_preset(),
        "scaled": machine.scaling_check(),
        **{
            f"W{letter}": machine.matrix(f"W{letter}", names, features(letter.lower()), w, hide="r")
            for letter, w in zip("QKV", HEADS[0], strict=True)
        },
        "X": machine.matrix("X", words, names, hidden(), hide="c"),
        "Q": machine.matrix("Q", words, features("q"), hide="rc"),
        "K": machine.matrix("K", words, features("k"), hide="rc"),
        "V": machine.matrix("V", words, features("v"), hide="rc"),
        "S": machine.matrix("S", words, words, then="+"),
        "M": machine.matrix("M", words, words, np.ones((4, 4), bool), hide="r", then="="),
        "Z": machine.matrix("Z", words, words, hide="r", then="→"),
        "A": machine.matrix("A", words, words, then="$·V$ →", hide="n"),
        "O": machine.matrix("O", words, features("v"), hide="r"),
        "reading": Reading("A", values="V", output="O"),
    }
    return Overview(
        parts,
        {
            "proj": ["WQ", "WK", "WV", "X", "Q", "K", "V"],
            "f1": ["S", "M", "Z"],
            "f2": ["A", "O"],
            "read": ["reading"],
        },
        framed=("word", "mask", "scaled"),
        missions=(
            GuessCells(
                say(_GUESS, wide=say(LAST["wide"])), {"word": "wide"}, ("Q", "K", "V", "A", "O")
            ),
            Mission(say(_HIDE, street=words[1]), lambda _, s: s["mask"] == "causal"),
            Mission(say(_TURN), _is_turned),
            Mission(say(_EVEN), _is_even),
        ),
        formula=machine.formula_map(parts),
        selected=("S", 3, 0),
    )


def _is_turned(result, settings):
    """W_Q was edited, and the last word reads the noun that it did not read before."""
    last = "wide" if settings["word"] == "wide" else "tired"
    noun = {"tired": 1, "wide": 0}[last]
    is_edited = (settings["WQ"] != HEADS[0][0]).any()
    return bool(is_edited and result["A"][3].argmax() == noun)


def _is_even(result, settings):
    return bool(settings["M"].all() and np.ptp(result["A"][3]) < 0.005)
