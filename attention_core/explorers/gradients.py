"""Lesson 16: a target, a loss, the gradients of attention, and a step that lowers the loss."""

import numpy as np

from attention_core.attention import attention_scores, attention_steps
from attention_core.drawing.numbers import cell_text
from attention_core.drawing.svg import curves_svg
from attention_core.example import features, qkv, tokens
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Explorer,
    Frame,
    GuessCells,
    Matrix,
    Mission,
    Panel,
    Picture,
    Press,
    Reading,
    Slider,
    mask_frame,
)
from attention_core.explorers.widgets.typeset import role_of
from attention_core.gradients import attention_backward, softmax_backward
from attention_core.language import KEY, QUERY, Words, say

RATES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
ETAS = tuple(sorted({*RATES, *np.geomspace(RATES[0], RATES[-1], 21).tolist()}))  # of the curve
SMALL = 0.05  # the loss that a mission asks for

_RATE = Words("learning rate $η$", "学习率 $η$")
_STEP = Words("Take one step", "走一步")
_TARGET = Words("what the outputs should be.", "希望得到的输出。")
_TARGET_CELL = Words(
    "What the output of {row} should be in dimension {j}: edit it.",
    "希望 {row} 的输出在第 {j} 维是多少：可以改。",
)
_GRADIENT = Words(
    "how the loss changes with each number of ${of}$.", "${of}$ 的每个数变化时，损失怎样变化。"
)
_GRADIENT_CELL = Words(
    "If this number of ${of}$ grows by a little, the loss grows by {=} times as much.",
    "${of}$ 的这个数增大一点，损失就增大它的 {=} 倍。",
)
_SENTENCE = Words(
    "Loss {loss}. Gradients: dV = {dv}; dQ = {dq}; dK = {dk}.",
    "损失 {loss}。梯度：dV = {dv}；dQ = {dq}；dK = {dk}。",
)
_SUMMARY = Words(
    "Loss {loss}; one step with $η$ = {rate} makes it {after}",
    "损失 {loss}；以 $η$ = {rate} 走一步，就变成 {after}",
)
_CURVE = Words("the loss after one step, at every $η$", "走一步之后的损失，随 $η$ 的变化")
_CURVE_TITLE = Words(
    "The loss after one step: now {now}; {points}; at η = {rate} it is {after}",
    "走一步之后的损失：现在 {now}；{points}；η = {rate} 时是 {after}",
)
_LOWER = Words("Take steps until the loss is below {small}.", "一步一步走，直到损失低于 {small}。")
_WORSE = Words(
    "Find a learning rate with which one step makes the loss larger.",
    "找一个学习率，让走一步之后损失反而变大。",
)
_GUESS = Words(
    "Guess first: the causal mask is chosen. Mark the cells of $dA$, $dS$ and $dV$ that change.",
    "先猜：选上因果掩码。标出 $dA$、$dS$、$dV$ 里会变的格子。",
)
_FRACTION = '<span class="frac"><span>{}</span><span>{}</span></span>'


class Gradients(Explorer):
    """Q, K, V and a target; the loss is half the squared distance of O from it."""

    def compute(self, Q, K, V, T, M, scaled, rate):
        scale = None if scaled else 1.0
        steps = attention_steps(Q, K, V, M, scale=scale)
        d_output = steps.output - T
        d_weights = attention_scores(d_output, V)  # a weight is worth what its value does
        dq, dk, dv = attention_backward(Q, K, V, d_output, M, scale=scale)
        curve = [_loss(_moved((Q, K, V), (dq, dk, dv), eta, M, scale) - T) for eta in ETAS]
        return {
            "Z": steps.masked, "A": steps.weights, "O": steps.output,
            "dO": d_output, "dA": d_weights,
            "dS": softmax_backward(steps.weights, d_weights), "dQ": dq, "dK": dk, "dV": dv,
            "loss": _loss(d_output), "curve": curve, "loss_after": curve[ETAS.index(rate)],
        }  # fmt: skip

    def press(self, name):
        """One step against the gradients."""
        for letter in "QKV":
            part = self.controls[letter]
            part.value = part.value - self.controls["rate"].value * self.result["d" + letter]

    def picture(self, result, settings):
        allowed = settings["M"]
        frames = {name: Frame(result[name]) for name in ("O", "dO", "dQ", "dK", "dV")}
        frames |= {
            "M": mask_frame(allowed),
            "Z": machine.masked_frame(
                result["Z"], allowed, title=machine.logits_title(settings["scaled"])
            ),
            "A": machine.weights_frame(result["A"], allowed),
            "dA": Frame(result["dA"]),
            "dS": Frame(
                result["dS"],
                hidden=~allowed,
                fixed=machine.alone(allowed),
                explain=_through_softmax(result),
            ),
        }
        loss, after = (cell_text(result[name]) for name in ("loss", "loss_after"))
        texts = {name.lower(): machine.matrix_text(result[name]) for name in ("dV", "dQ", "dK")}
        summary = say(_SUMMARY, loss=loss, after=after, rate=settings["rate"])
        root = {"root": "√2" if settings["scaled"] else "1"}
        panels = {"curve": _curve(result, settings["rate"])}
        return Picture(frames, say(_SENTENCE, loss=loss, **texts), summary, panels, root)


def gradients_explorer():
    """Edit Q, K, V and the target; see the gradients, and take steps that lower the loss.

    Returns
    -------
    Explorer
        `result` holds A, O, their gradients dO, dA, dS, dQ, dK and dV, the loss, and the loss
        after one step.
    """
    words, names = tokens(), features("v")
    q, k, v = qkv()
    target = np.array(attention_steps(q, k, v).output)  # three words are right already
    target[3] = [0, 1, 0]  # the last one shall say the other noun
    parts = {
        "mask": machine.mask_preset(),
        "scaled": machine.scaling_check(),
        "rate": Slider(say(_RATE), RATES, 0.3),
        "step": Press(say(_STEP)),
        "Q": machine.matrix("Q", words, features("q"), q),
        "K": machine.matrix("K", words, features("k"), k, hide="r"),
        "V": machine.matrix("V", words, names, v, hide="r"),
        "M": machine.matrix("M", words, words, np.ones((4, 4), bool), hide="r"),
        "Z": machine.matrix("Z", words, words, then="→", **machine.logits_of_qk()),
        "A": machine.matrix("A", words, words, hide="r", then="$·V$ →"),
        "O": machine.matrix("O", words, names, hide="r", then="−"),
        "T": Matrix("T", words, names, target, role="o", reads="r-", hide="r",
                    row_axis=say(QUERY), col_axis=say(machine.DIMENSION), about=say(_TARGET),
                    words=machine.say_open(_TARGET_CELL), then="="),
        "dO": _gradient("O", words, names, "r-", "O[r,c] T[r,c]",
                        "{me} = {O[r,c]} − {T[r,c]} = {=}"),
        "dA": _gradient("A", words, words, "rc", "dO[r,k] V[c,k]",
                        "{me} = {dO[r,k]·V[c,k]} = {=}"),
        "dS": _gradient("S", words, words, "rc", "A[r,k] dA[r,k]", ""),
        "dQ": _gradient("Q", words, features("q"), "r-", "dS[r,k] K[k,c]",
                        f"{{me}} = {_FRACTION.format('{dS[r,k]·K[k,c]}', '{root}')} = {{=}}"),
        "dK": _gradient("K", words, features("k"), "s-", "dS[k,r] Q[k,c]",
                        f"{{me}} = {_FRACTION.format('{dS[k,r]·Q[k,c]}', '{root}')} = {{=}}",
                        hide="r"),
        "dV": _gradient("V", words, names, "s-", "A[k,r] dO[k,c]",
                        "{me} = {A[k,r]·dO[k,c]} = {=}", hide="r"),
        "reading": Reading("A", values="V", output="O"),
        "curve": Panel(say(_CURVE), height=200),
    }  # fmt: skip
    return Gradients(
        parts,
        [["Q", "K", "V", "M", "reading"], ["Z", "A", "O", "T"],
         ["dO", "dA", "dS"], ["calc"], ["dQ", "dK", "dV", "curve"], ["changes"]],
        framed=("mask", "scaled"),
        missions=(
            Mission(say(_LOWER, small=SMALL), lambda r, _: r["loss"] < SMALL),
            Mission(say(_WORSE), lambda r, _: r["loss_after"] > r["loss"]),
            GuessCells(say(_GUESS), {"mask": "causal"}, ("dA", "dS", "dV")),
        ),
        formula=machine.formula_map(("Q", "K", "V", "M", "Z", "A", "O")),
        selected=("dA", 3, 1),
    )  # fmt: skip


def _gradient(of, rows, cols, reads, made, total, hide=""):
    axes = {"r-": (QUERY, machine.DIMENSION), "s-": (KEY, machine.DIMENSION), "rc": (QUERY, KEY)}
    row_axis, col_axis = axes[reads]
    words = Words(*(text.replace("{of}", of) for text in _GRADIENT_CELL))
    return Matrix(
        f"d{of}", rows, cols, made=made, sum=total, reads=reads, role=role_of(of),
        row_axis=say(row_axis), col_axis=say(col_axis), about=say(_GRADIENT, of=of),
        words=machine.say_open(words), hide=hide,
    )  # fmt: skip


def _curve(result, rate):
    """The loss after one step for every learning rate; the line tells where it stands now."""
    texts = {"now": cell_text(result["loss"]), "after": cell_text(result["loss_after"])}
    curve, loss = result["curve"], result["loss"]
    points = ", ".join(f"η = {eta:g}: {cell_text(curve[ETAS.index(eta)])}" for eta in RATES)
    return curves_svg(
        ETAS, {"L_η": curve, "L": [loss] * len(ETAS)}, symbols=("η", ""), xlog=True, at=rate,
        ylim=(0, 1.1 * max(loss, *curve) or 1), width=290, height=200,
        title=say(_CURVE_TITLE, points=points, rate=rate, **texts),
    )  # fmt: skip


def _moved(numbers, gradients, rate, mask, scale):
    """The output after a step against the gradients."""
    stepped = (x - rate * d for x, d in zip(numbers, gradients, strict=True))
    return attention_steps(*stepped, mask, scale=scale).output


def _loss(difference):
    """Half the sum of the squares."""
    return float((difference**2).sum() / 2)


def _through_softmax(result):
    """dS = A · (dA − Σ A dA), cell by cell."""
    sums = (result["A"] * result["dA"]).sum(axis=-1)
    return [
        [
            f"{{me}} = {{A[r,c]}}·({{dA[r,c]}} − {_bracketed(total)}) = {{=}}"
            for _ in range(result["A"].shape[1])
        ]
        for total in sums.tolist()
    ]


def _bracketed(number):
    text = cell_text(number)
    return f"({text})" if text.startswith("−") else text
