"""Lesson 08: click the mask, and see who reads whom, and what a loud future does."""

from attention_core.attention import attention_steps
from attention_core.example import features, qkv, tokens
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Explorer,
    Frame,
    GuessCells,
    Mission,
    Picture,
    Preset,
    Reading,
    mask_frame,
)
from attention_core.language import Words, say
from attention_core.masks import causal_mask

LOUD_KEY, LOUD_VALUE = [5.0, 5.0], [0.0, 0.0, 1000.0]

_LOUD = Words("{last}: key and value", "{last}的键和值")
_LOUDNESS = (Words("as they are", "原样"), Words("very large", "很大"))
_FUTURE = Words("This reads the future.", "这里读到了未来。")
_SENTENCE = Words(
    "Weights A = {a}; output O = {o}; cells that read the future: {leaks}.",
    "权重 A = {a}；输出 O = {o}；读到未来的格子：{leaks} 个。",
)
_GUESS = Words(
    "Guess first: under the causal mask the key and value of {last} become very large. Mark the "
    "cells of $A$ and $O$ that will change.",
    "先猜：有因果掩码时，{last}的键和值变得很大。标出 $A$ 和 $O$ 里会变的格子。",
)
_CLOSE = Words(
    "Choose a mask under which nobody reads the future (no red frame).",
    "选一个掩码，让谁都读不到未来（没有红框）。",
)
_NOWHERE = Words(
    "Click the mask so that one row may look nowhere. What does it put out?",
    "点掩码，让某一行什么都看不到。它的输出是什么？",
)
_SAME = Words(
    "Make {last} very large so that only its own row of $O$ moves.",
    "让{last}变得很大，而 $O$ 里只有它自己那一行变化。",
)


class CausalMask(Explorer):
    """Q, K, V, and the mask that decides which keys a query may see."""

    def compute(self, Q, K, V, M):
        steps = attention_steps(Q, K, V, M)
        future = M & ~causal_mask(*M.shape)
        return {
            "S": steps.scores, "Z": steps.masked, "A": steps.weights, "O": steps.output,
            "future": future, "leaks": future & (steps.weights > 0),
        }  # fmt: skip

    def picture(self, result, settings):
        words, allowed = tokens(), settings["M"]
        frames = {
            "M": mask_frame(allowed, marked=result["future"]),
            "S": Frame(result["S"]),
            "Z": machine.masked_frame(result["Z"], allowed),
            "A": machine.weights_frame(result["A"], allowed, marked=result["leaks"]),
            "O": Frame(result["O"]),
        }
        sentence = say(
            _SENTENCE,
            a=machine.matrix_text(result["A"], machine.weight_text),
            o=machine.matrix_text(result["O"]),
            leaks=int(result["leaks"].sum()),
        )
        lines = machine.reading_lines(result["A"], words, words)
        return Picture(frames, sentence, lines, facts={"root": "√2"})


def causal_mask_explorer(mask="none"):
    """Click the mask or choose one: weights, outputs and cells that read the future follow.

    Framed in red: in M the keys of the future that may be read, in A those that get weight.

    Parameters
    ----------
    mask : str
        The mask to begin with: none, causal, padding, causal+padding or window.

    Returns
    -------
    Explorer
        `result` holds S, Z, A and O, and the framed cells `future` and `leaks`.
    """
    words = tokens()
    q, k, v = qkv()
    mark, last = say(_FUTURE), len(words) - 1
    loud = {"K": (last, LOUD_KEY), "V": (last, LOUD_VALUE)}
    quiet = {"K": (last, k[last]), "V": (last, v[last])}
    allowed = machine.MASKS[mask][0](4, 4)
    parts = {
        "mask": machine.mask_preset(tuple(machine.MASKS)),
        "loud": Preset(
            say(_LOUD, last=words[last]),
            {"quiet": quiet, "loud": loud},
            [say(text) for text in _LOUDNESS],
        ),
        "Q": machine.matrix("Q", words, features("q"), q),
        "K": machine.matrix("K", words, features("k"), k, hide="r"),
        "V": machine.matrix("V", words, features("v"), v, hide="r"),
        "S": machine.matrix("S", words, words, then="+"),
        "M": machine.matrix("M", words, words, allowed, hide="r", then="=", mark=mark),
        "Z": machine.matrix("Z", words, words, hide="r", then="→"),
        "A": machine.matrix("A", words, words, then="$·V$ →", mark=mark),
        "O": machine.matrix("O", words, features("v"), hide="r"),
        "reading": Reading("A", values="V", output="O"),
    }
    under_causal = {"mask": "causal", "loud": "loud"}
    return CausalMask(
        parts,
        [["Q", "K", "V", "reading"], ["calc"], ["S", "M", "Z", "A", "O"], ["changes"]],
        framed=("mask", "loud"),
        missions=(
            Mission(say(_CLOSE), lambda r, _: not r["leaks"].any()),
            GuessCells(say(_GUESS, last=words[last]), under_causal, ("A", "O")),
            Mission(say(_NOWHERE), lambda _, s: not s["M"].any(axis=1).all()),
            Mission(say(_SAME, last=words[last]), _only_the_last_row_moves),
        ),
        formula=machine.formula_map(parts),
        selected=("A", 2, 3),
    )


def _only_the_last_row_moves(result, settings):
    """The last token is loud, seen by itself and hidden from all others."""
    is_loud = settings["loud"] == "loud"
    seen = settings["M"][:, -1]
    return bool(is_loud and seen[-1] and not seen[:-1].any())
