"""Lesson 03: one query, the keys it meets, the values it is handed."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.example import features, qkv, tokens
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Choice,
    Explorer,
    Frame,
    GuessCells,
    Mission,
    Picture,
    Reading,
)
from attention_core.explorers.widgets.typeset import typeset
from attention_core.language import Words, say

_LABEL = Words("handed over", "交出去的是")
_HANDED = {"V": Words("the values $V$", "值 $V$"), "K": Words("the keys $K$", "键 $K$")}
_SENTENCE = Words("Weights α = {a}; output o = {o}.", "权重 α = {a}；输出 o = {o}。")
_GUESS = Words(
    "Guess first: the values of {first} and {second} change places. Mark what will change in "
    "$A$ and $O$.",
    "先猜：{first}和{second}的值对调。标出 $A$ 和 $O$ 里会变的格子。",
)
_ROUTE = Words(
    "Change $K$ so that {last} reads mostly {other}. Which of $A$ and $O$ moves?",
    "改 $K$，让{last}主要读{other}。$A$ 和 $O$ 哪个会变？",
)
_GIVE = Words(
    "{it} is found and hands over nothing. Change one number so that it hands over something, "
    "and no weight moves.",
    "{it}被找到了，却什么也没有交出。只改一个数，让它交出一点东西，而权重一个也不变。",
)
_KEYS = Words(
    "Hand over the keys by mistake: how many numbers has the output now?",
    "故意用错：交出键。输出现在有几个数？",
)


class Roles(Explorer):
    """The row of the last word: q meets K, the weights take from V."""

    def compute(self, Q, K, V, handed):
        steps = attention_steps(Q, K, V if handed == "V" else K)
        return {"S": steps.scores, "Z": steps.scaled, "A": steps.weights, "O": steps.output}

    def picture(self, result, settings):
        words = tokens()
        handed = settings["handed"]
        frames = {
            "S": Frame(result["S"]),
            "Z": Frame(result["Z"]),
            "A": machine.weights_frame(result["A"]),
            "O": Frame(
                result["O"],
                cols=features(handed.lower()),
                made=f"A[r,k] {handed}[k,c]",
                sum=f"{{me}} = {{A[r,k]·{handed}[k,c]}} = {{=}}",
                title=typeset(f"$O = A {handed}$"),
            ),
        }
        weights = machine.matrix_text(result["A"], machine.weight_text)
        sentence = say(_SENTENCE, a=weights, o=machine.matrix_text(result["O"]))
        lines = machine.reading_lines(result["A"], words[3:], words)
        return Picture(frames, sentence, lines, facts={"root": "√2"})


def roles_explorer():
    """Change only V, or only K, and see what moves: the weights, the output, or both.

    Returns
    -------
    Explorer
        `result` holds S, Z (scaled), A and O of the last word.
    """
    words = tokens()
    q, k, v = qkv()
    parts = {
        "handed": Choice(say(_LABEL), list(_HANDED), "V", [say(w) for w in _HANDED.values()]),
        "Q": machine.matrix("Q", words[3:], features("q"), q[3:]),
        "K": machine.matrix("K", words, features("k"), k),
        "V": machine.matrix("V", words, features("v"), v, hide="r"),
        "S": machine.matrix("S", words[3:], words, then="→"),
        "Z": machine.matrix("Z", words[3:], words, hide="r", then="→", **machine.scaled_only()),
        "A": machine.matrix("A", words[3:], words, hide="r", then="→"),
        "O": machine.matrix("O", words[3:], 3, hide="r", equation=""),
        "reading": Reading("A", values="V", output="O"),
    }
    swapped = np.array(v)[[1, 0, 2, 3]]
    return Roles(
        parts,
        [["Q", "K", "V", "reading"], ["calc"], ["S", "Z", "A", "O"], ["changes"]],
        framed=("handed",),
        missions=(
            GuessCells(
                say(_GUESS, first=words[0], second=words[1]), {"V": swapped.tolist()}, ("A", "O")
            ),
            Mission(
                say(_ROUTE, last=words[3], other=words[1]),
                lambda r, s: (s["K"] != k).any() and r["A"][0].argmax() == 1,
            ),
            Mission(
                say(_GIVE, it=words[2]),
                lambda r, s: (s["V"] != v).sum() == 1 and (s["V"][2] != 0).any(),
            ),
            Mission(say(_KEYS), lambda _, s: s["handed"] == "K"),
        ),
        formula=machine.formula_map(parts),
        selected=("S", 0, 0),
    )
