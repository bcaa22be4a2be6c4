"""Lesson 13: a variant of attention, one line changed, beside the reference."""

from html import escape

import numpy as np

from attention_core.attention import attention_steps
from attention_core.experiments.variants import VARIANTS, changed_line, run_variant
from attention_core.explorers import machine
from attention_core.explorers.widgets import (
    Check,
    Choice,
    Explorer,
    Frame,
    Mission,
    Panel,
    Picture,
    Reading,
)
from attention_core.explorers.widgets.typeset import formula
from attention_core.language import Words, say
from attention_core.masks import causal_mask

REFERENCE = "reference"
_VARIANT = Words("variant", "变体")
_NAME = Words("reference", "参照")
_SHOW = Words("show the changed line", "显示改动的那一行")
_SECRET = Words("One line is changed. Which?", "有一行被改动了。是哪一行？")
_NOTHING = Words("No line is changed.", "没有改动任何一行。")
_OF_REFERENCE = Words("of the reference.", "参照的。")
_OF_VARIANT = Words("of the variant.", "变体的。")
_DIFFERS = Words("Here the variant differs from the reference.", "这里变体与参照不同。")
_SENTENCE = Words(
    "Variant {variant}: weights {a}, output {o}.", "变体 {variant}：权重 {a}，输出 {o}。"
)
_COUNT = Words(
    "{variant}: {a} weights and {o} outputs differ from the reference",
    "{variant}：与参照相比，{a} 个权重、{o} 个输出不同",
)
_RIGHT_A = Words(
    "Find a variant whose weights are right and whose output is wrong.",
    "找一个权重对、输出却错的变体。",
)
_LEAK = Words(
    "Find a variant that gives weight to a hidden place.", "找一个把权重分给被屏蔽位置的变体。"
)
_SUM = Words(
    "Find a variant whose rows of $A$ do not add up to 1.", "找一个 $A$ 的各行加起来不是 1 的变体。"
)


class Clinic(Explorer):
    """The same Q, K and V for both; red frames where the variant differs."""

    def compute(self, variant, line, Q, K, V):
        allowed = causal_mask(len(Q))
        output, weights = run_variant(variant, Q, K, V, allowed)
        right, right_weights = run_variant(REFERENCE, Q, K, V, allowed)
        is_told = line and variant != REFERENCE
        return {
            "A": weights, "O": output, "RA": right_weights, "RO": right,
            "Z": attention_steps(Q, K, V, allowed).masked, "allowed": allowed,
            "line": changed_line(variant) if is_told else None,
        }  # fmt: skip

    def picture(self, result, settings):
        allowed = result["allowed"]
        other = {n: ~np.isclose(result[n], result["R" + n]) for n in ("A", "O")}
        sums = [f"Σ {machine.cell_text(row.sum())}" for row in result["A"]]
        frames = {
            "Z": machine.masked_frame(result["Z"], allowed),
            "RA": machine.weights_frame(result["RA"], allowed),
            "RO": Frame(result["RO"]),
            "A": Frame(result["A"], "weight", marked=other["A"], notes=sums),
            "O": Frame(result["O"], marked=other["O"]),
        }
        name = say(_NAME) if settings["variant"] == REFERENCE else settings["variant"]
        sentence = say(
            _SENTENCE, variant=name, o=machine.matrix_text(result["O"]),
            a=machine.matrix_text(result["A"], machine.weight_text),
        )  # fmt: skip
        counts = {n.lower(): int(where.sum()) for n, where in other.items()}
        panels = {"code": f'<p style="width:400px">{_line(result, settings)}</p>'}
        summary = say(_COUNT, variant=name, **counts)
        return Picture(frames, sentence, summary, panels, {"root": "√3"})


def clinic_explorer(variant=REFERENCE, seed=13):
    """Compare the weights and the output of a variant with those of the reference.

    Parameters
    ----------
    variant : str
        "reference" or one of "p1" … "p12".
    seed : int
        Of Q, K and V; four tokens, d_k = 3, d_v = 3, causal mask.

    Returns
    -------
    Explorer
        `result` holds A and O of the variant, RA and RO of the reference, and its Z.
    """
    rng = np.random.default_rng(seed)
    q, k = 1.5 * rng.normal(size=(2, 4, 3)).round(1)
    v = rng.normal(size=(4, 3)).round(1)
    mine, reference, mark = say(_OF_VARIANT), say(_OF_REFERENCE), say(_DIFFERS)
    alone = {
        "made": "",
        "sum": "{me} = {=}",
        "equation": say(_VARIANT),
        "mark": mark,
        "about": mine,
    }
    z = machine.scaled_only() | {"made": "Q[r,k] K[c,k]", "symbol": "S/√d_k + M"}
    z["sum"] = z["sum"].replace("{S:rc}", "{q:r}·{k:c}").replace("{S[r,c]}", "{Q[r,k]·K[c,k]}")
    parts = {
        "variant": Choice(
            say(_VARIANT), [REFERENCE, *VARIANTS], variant, [say(_NAME), *VARIANTS]
        ),
        "line": Check(say(_SHOW)),
        "Q": machine.matrix("Q", 4, 3, q),
        "K": machine.matrix("K", 4, 3, k),
        "V": machine.matrix("V", 4, 3, v),
        "code": Panel(height=70),
        "Z": machine.matrix("Z", 4, 4, **z),
        "RA": machine.matrix("A", 4, 4, about=reference, equation=say(_NAME)),
        "RO": machine.matrix("O", 4, 3, about=reference, equation=say(_NAME),
                             made="RA[r,k] V[k,c]",
                             sum="{me} = {RA[r,k]·V[k,c]} = {=}"),
        "A": machine.matrix("A", 4, 4, symbol="A′", role="a", **alone),
        "O": machine.matrix("O", 4, 3, symbol="O′", role="o", **alone),
        "reading": Reading("A"),
    }  # fmt: skip
    return Clinic(
        parts,
        [["Q", "K", "V", "Z"], ["calc"], ["RA", "A", "RO", "O"], ["code", "reading"], ["changes"]],
        framed=("variant", "line"),
        missions=(
            Mission(say(_RIGHT_A), _only_the_output_is_wrong),
            Mission(say(_LEAK), lambda r, _: (r["A"][~r["allowed"]] > 0).any()),
            Mission(say(_SUM), lambda r, _: not np.allclose(r["A"].sum(axis=-1), 1)),
        ),
        formula=_map(),
        selected=("Z", 2, 1),
    )


def _map():
    """The formula with its mask; the matrices of both sides stand below."""
    scores = (
        f"{machine.symbol('Q')} {machine.symbol('K', 'K^T')} / {formula('√d_k')} + {formula('M')}"
    )
    logits = f'<span class="grp">{scores}{machine.brace("Z", 0, formula("S/√d_k + M"))}</span>'
    return f'<div class="main">{formula("O")} = softmax({logits}) {machine.symbol("V")}</div>'


def _only_the_output_is_wrong(result, _):
    same = {n: np.allclose(result[n], result["R" + n]) for n in ("A", "O")}
    return same["A"] and not same["O"]


def _line(result, settings):
    if settings["variant"] == REFERENCE:
        return say(_NOTHING)
    return f"<code>{escape(result['line'])}</code>" if result["line"] else say(_SECRET)
