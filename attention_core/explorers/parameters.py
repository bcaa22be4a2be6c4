"""Lesson 02: what two layers keep and what they make, for two sentences and changed weights."""

from html import escape

import numpy as np

from attention_core.attention import attention
from attention_core.drawing.numbers import number_text
from attention_core.drawing.palette import cell_colours
from attention_core.explorers.base import Explorer
from attention_core.explorers.controls import Choice
from attention_core.explorers.panel import Panel
from attention_core.language import Words, say
from attention_core.projections import project

SENTENCES = (("it", "was", "because", "it", "was"), ("it", "was", "the", "wide", "street"))
D_MODEL, D_K = 4, 3  # d_v is d_model, so that x + o can enter the next layer
ROLES = ("w_q", "w_k", "w_v")
KEPT, MADE = ROLES, ("x", "q", "k", "v")
NUDGES = (-0.4, 0.3, 0.6)  # what changed weights differ by, in every entry

_SENTENCE_LABEL = Words("sentence", "句子")
_WEIGHTS_LABEL = Words("weights", "权重矩阵")
_WEIGHTS = {
    0: Words("as learned", "学到的"),
    1: Words("W of layer 1 changed", "改动第 1 层的 W"),
    2: Words("W of layer 2 changed", "改动第 2 层的 W"),
}
_LAYER = Words("Layer {layer}", "第 {layer} 层")
_STORED = Words("kept: parameters", "保存：参数")
_FRESH = Words("made in this pass: activations", "本次前向传播产生：激活值")
_SAME = Words("unchanged", "未变")
_CHANGED = Words("changed: {count} of {total}", "改变：{count} / {total}")
_LEGEND = Words(
    "Red frames: numbers that differ from the start (first sentence, weights as learned).",
    "红框：与初始状态（第一个句子、学到的权重矩阵）不同的数。",
)
_SENTENCE = Words(
    "“{sentence}”, {weights}: kept {kept} numbers, of which {kept_changed} differ from the start; "
    "made {made} numbers for Q, K and V, of which {made_changed} differ.",
    "“{sentence}”，{weights}：保存 {kept} 个数，其中 {kept_changed} 个与初始状态不同；"
    "Q、K、V 共产生 {made} 个数，其中 {made_changed} 个不同。",
)


def parameters_explorer():
    """Change the sentence, or the W of one layer, and see which numbers change.

    Returns
    -------
    Explorer
        `result` holds "layers", for each layer a dict of w_q, w_k, w_v, x, q, k, v and of the
        Boolean "changed" for each of them; and the counts kept, made, kept_changed, made_changed.
    """
    vectors, learned, nudges = _draw()
    start = _run(vectors, learned, SENTENCES[0])

    def compute(sentence, weights):
        used = [
            {role: w + nudges[layer][role] * (layer + 1 == weights) for role, w in one.items()}
            for layer, one in enumerate(learned)
        ]
        return _compare(_run(vectors, used, SENTENCES[sentence]), start)

    return Explorer(
        controls={
            "sentence": Choice(say(_SENTENCE_LABEL), (0, 1), 0, list(map(" ".join, SENTENCES))),
            "weights": Choice(
                say(_WEIGHTS_LABEL), list(_WEIGHTS), 0, list(map(say, _WEIGHTS.values()))
            ),
        },
        views={name: Panel() for name in ("legend", "layer_1", "layer_2")},
        compute=compute,
        paint=_paint,
        sentence=_say_counts,
        rows=[["sentence", "weights"], ["legend"], ["layer_1"], ["layer_2"]],
        framed=("sentence", "weights"),
    )


def _draw():
    """One vector for each token; three matrices for each layer, and what to add to change them."""
    rng = np.random.default_rng(13158)  # no change hides behind equal small numbers
    tokens = dict.fromkeys(token for sentence in SENTENCES for token in sentence)
    vectors = {token: rng.integers(-2, 3, D_MODEL) for token in tokens}
    widths = {"w_q": D_K, "w_k": D_K, "w_v": D_MODEL}
    learned, nudges = (
        [
            {role: rng.choice(choices, (D_MODEL, width)) for role, width in widths.items()}
            for _ in range(2)
        ]
        for choices in ((-1.0, 0.0, 1.0), NUDGES)
    )
    return vectors, learned, nudges


def _run(vectors, weights, sentence):
    """Both layers, one after the other: everything they use and make."""
    x = np.array([vectors[token] for token in sentence], dtype=float)
    layers = []
    for one in weights:
        q, k, v = (project(x, one[role]) for role in ROLES)
        layers.append({**one, "x": x, "q": q, "k": k, "v": v})
        x = x + attention(q, k, v)[0]
    return layers


def _compare(layers, start):
    """Mark what differs from the start, and count."""
    marked = [
        {**layer, "changed": {name: ~np.isclose(layer[name], before[name]) for name in before}}
        for layer, before in zip(layers, start, strict=True)
    ]
    made = MADE[1:]
    return {
        "layers": marked,
        "kept": sum(layer[name].size for layer in marked for name in KEPT),
        "made": sum(layer[name].size for layer in marked for name in made),
        "kept_changed": sum(int(layer["changed"][name].sum()) for layer in marked for name in KEPT),
        "made_changed": sum(int(layer["changed"][name].sum()) for layer in marked for name in made),
    }


def _say_counts(result, settings):
    counts = {name: result[name] for name in ("kept", "made", "kept_changed", "made_changed")}
    sentence = " ".join(SENTENCES[settings["sentence"]])
    return say(_SENTENCE, sentence=sentence, weights=say(_WEIGHTS[settings["weights"]]), **counts)


# What stands on the page.


def _paint(result, settings):
    tokens = SENTENCES[settings["sentence"]]
    panels = {
        f"layer_{number}": _layer_html(number, layer, tokens)
        for number, layer in enumerate(result["layers"], start=1)
    }
    return {**panels, "legend": f"<p>{say(_LEGEND)}</p>"}


def _layer_html(number, layer, tokens):
    """A solid box with what the layer keeps, a dashed one with what it makes."""
    kept = "".join(_table(name, layer, [""] * D_MODEL) for name in KEPT)
    made = "".join(_table(name, layer, tokens) for name in MADE)
    boxes = _box(say(_STORED), kept, "3px solid") + _box(say(_FRESH), made, "2px dashed")
    return (
        f"<b>{say(_LAYER, layer=number)}</b>"
        f'<div style="display:flex;flex-flow:row wrap;align-items:flex-start">{boxes}</div>'
    )


def _box(title, tables, border):
    return (
        f'<div style="border:{border} #8a8a8a;border-radius:6px;padding:2px 8px 6px;'
        f'margin:2px 8px 6px 0"><i>{title}</i>'
        f'<div style="display:flex;flex-flow:row wrap">{tables}</div></div>'
    )


def _table(name, layer, labels):
    """One matrix with its shape, its changed numbers framed, and the verdict in words."""
    matrix, changed = layer[name], layer["changed"][name]
    fills, inks = cell_colours(matrix, "scores")
    rows = "".join(
        f'<tr><th scope="row" style="font-weight:400;text-align:right;padding:0 3px 0 0">'
        f"{escape(label)}</th>{''.join(map(_cell, *line))}</tr>"
        for label, *line in zip(labels, matrix.tolist(), fills, inks, changed.tolist(), strict=True)
    )
    verdict = _CHANGED if changed.any() else _SAME
    return (
        '<table style="border-spacing:1px;border-collapse:separate;margin:0 10px 0 0;'
        'font-size:12px;width:auto;color:inherit"><caption style="caption-side:top;text-align:left;'
        f'white-space:nowrap;color:inherit"><b>{_symbol(name)}</b> {matrix.shape}</caption>'
        f'<tbody>{rows}</tbody><tfoot><tr><td colspan="9" style="text-align:left;padding:0">'
        f"{say(verdict, count=int(changed.sum()), total=changed.size)}</td></tr></tfoot></table>"
    )


def _cell(number, fill, ink, changed):
    frame = "box-shadow:inset 0 0 0 2px #d62728;" if changed else ""
    return (
        f'<td style="background:{fill};color:{ink};{frame}padding:1px 5px;min-width:2.2em;'
        f'text-align:center">{number_text(number, 1)}</td>'
    )


def _symbol(name):
    head, _, low = name.upper().partition("_")
    return f"{head}<sub>{low}</sub>" if low else head
