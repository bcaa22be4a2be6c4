"""Lesson 13: examine a broken attention beside the healthy one."""

import numpy as np

from attention_core.drawing.numbers import number_text
from attention_core.experiments.variants import VARIANTS, changed_line, run_variant
from attention_core.explorers.base import Explorer
from attention_core.explorers.chain import matrix_text
from attention_core.explorers.controls import Check, Choice
from attention_core.explorers.matrix_view import MatrixView, cells
from attention_core.explorers.panel import Panel
from attention_core.language import FEATURE, KEY, QUERY, Words, say
from attention_core.masks import causal_mask

HEALTHY = "reference"
_PATIENT = Words("patient", "病人")
_WELL = Words("healthy", "健康")
_SHOW = Words("show the line", "显示这一行代码")
_SECRET = Words("One line is changed. Which?", "有一行被改动了。是哪一行？")
_NOTHING = Words("No line is changed.", "没有改动任何一行。")
_OURS = Words("A of the patient", "病人的 A")
_THEIRS = Words("A, healthy", "健康的 A")
_OUTPUT = Words("O of the patient", "病人的 O")
_RIGHT = Words("O, healthy", "健康的 O")
_SENTENCE = Words(
    "Patient {patient}: weights {a}, output {o}.", "病人 {patient}：权重 {a}，输出 {o}。"
)


def clinic_explorer(patient=HEALTHY, seed=13):
    """Compare the weights and the output of a patient with the healthy ones.

    Parameters
    ----------
    patient : str
        "reference" or one of "p1" … "p12".
    seed : int
        Of Q, K and V; four tokens, d_k = 3, d_v = 3, causal mask.
    """
    rng = np.random.default_rng(seed)
    q, k = 1.5 * rng.normal(size=(2, 4, 3)).round(1)
    v = rng.normal(size=(4, 3)).round(1)
    allowed = causal_mask(4)
    tokens, features = ["1", "2", "3", "4"], ["1", "2", "3"]

    def pairs(words):
        return MatrixView(say(words), tokens, tokens, row_axis=say(QUERY), col_axis=say(KEY))

    def vectors(words):
        return MatrixView(say(words), tokens, features, col_axis=say(FEATURE))

    def compute(patient, line):
        output, weights = run_variant(patient, q, k, v, allowed)
        right, right_weights = run_variant(HEALTHY, q, k, v, allowed)
        return {
            "output": output,
            "weights": weights,
            "healthy_output": right,
            "healthy_weights": right_weights,
            "line": changed_line(patient) if line and patient != HEALTHY else None,
        }

    def paint(result, settings):
        return {
            "ours": _weights(result["weights"], ~allowed & (result["weights"] > 0)),
            "theirs": _weights(result["healthy_weights"], None),
            "output": cells(result["output"]),
            "right": cells(result["healthy_output"]),
            "code": f"<p>{_line(result, settings)}</p>",
        }

    names = [say(_WELL), *VARIANTS]
    return Explorer(
        controls={
            "patient": Choice(say(_PATIENT), [HEALTHY, *VARIANTS], patient, names),
            "line": Check(say(_SHOW)),
        },
        views={
            "ours": pairs(_OURS),
            "theirs": pairs(_THEIRS),
            "output": vectors(_OUTPUT),
            "right": vectors(_RIGHT),
            "code": Panel(live=True),
        },
        compute=compute,
        paint=paint,
        sentence=_sentence,
        rows=[["patient", "line"], ["code"], ["ours", "theirs"], ["output", "right"]],
        framed=("patient", "line"),
    )


def _weights(weights, outlined):
    sums = [number_text(total) for total in weights.sum(axis=-1)]
    return cells(weights, "weights", outlined=outlined, notes=sums, note_title="Σ")


def _line(result, settings):
    if settings["patient"] == HEALTHY:
        return say(_NOTHING)
    return f"<code>{result['line']}</code>" if result["line"] else say(_SECRET)


def _sentence(result, settings):
    texts = {"a": matrix_text(result["weights"]), "o": matrix_text(result["output"])}
    patient = say(_WELL) if settings["patient"] == HEALTHY else settings["patient"]
    return say(_SENTENCE, patient=patient, **texts)
