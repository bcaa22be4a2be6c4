"""Lesson 15: real heads of four trained models, one at a time."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.drawing.numbers import number_text
from attention_core.drawing.svg import bars_svg, curves_svg
from attention_core.explorers import spell
from attention_core.explorers.base import Explorer
from attention_core.explorers.controls import Choice, Slider
from attention_core.explorers.head_words import label_text
from attention_core.explorers.matrix_view import MatrixView, cells
from attention_core.explorers.panel import Panel
from attention_core.language import KEY, QUERY, Words, say
from attention_core.trained import (
    MODELS,
    Label,
    frame_times,
    head_labels,
    head_weights,
    heads,
    load_head,
    loudness,
    moves_on,
    row_entropy,
    score_std,
    sentences,
)

TEXTS = tuple((model, sentence) for model in MODELS for sentence in sentences(model))
SLICES = 11  # of sound, added up in one column: 242 would be too many

_TEXT, _HEAD = Words("model · text", "模型 · 文本"), Words("head", "头")
_ROW = Words("row of", "看这一行")
_MODELS = {
    "encoder": Words("encoder", "编码器"),
    "decoder": Words("decoder", "解码器"),
    "multilingual": Words("multilingual", "多语言"),
    "speech": Words("speech", "语音"),
}
_TEXTS = {
    "tired": "tired", "wide": "wide", "password": "password",
    "en": "en", "zh": "中文", "speech": "0…4.82 s",
}  # fmt: skip
_BARS = Words("Weights of the row {token}", "{token} 这一行的权重")
_CURVE = Words(
    "Weights of the row {token} over seconds, with the loudness",
    "{token} 这一行在各时刻的权重，以及响度",
)
_LOUDNESS = Words("loudness", "响度")
_NUMBERS = {
    "std": Words("standard deviation of q·k", "q·k 的标准差"),
    "root": Words("if all were independent: √d_head", "若各维独立：√d_head"),
    "entropy": Words("entropy / largest possible, mean of the rows", "熵 / 最大可能值，各行平均"),
}
_SENTENCE = Words(
    "{model}, {text}, {head}: {token} looks most at {target} ({weight}). Standard deviation of "
    "q·k {std} (√d_head = {root}), entropy {entropy} of the largest possible.",
    "{model}，{text}，{head}：{token} 看得最多的是 {target}（{weight}）。"
    "q·k 的标准差 {std}（√d_head = {root}），熵是最大可能值的 {entropy}。",
)


def trained_explorer(model="encoder", sentence="tired", layer=3, head=1, token="it"):
    """Look at any stored head of four trained models: its map, one row of it, three numbers.

    Parameters
    ----------
    model, sentence, layer, head
        What to begin with; see `trained.load_head`.
    token : str
        The row to begin with.

    Returns
    -------
    Explorer
        `result` holds the steps of attention, `head`, `shown` (the matrix on screen: weights,
        for speech added up over eleven slices of sound), `row`, and the three numbers.
    """
    text = (model, sentence)
    rows = load_head(model, sentence, layer, head).rows
    return _TrainedExplorer(
        controls={
            "text": Choice(say(_TEXT), TEXTS, text, [_text_name(one) for one in TEXTS]),
            "head": Slider(say(_HEAD), _heads(text), (layer, head), _head_names(text)),
            "row": Slider(say(_ROW), range(len(rows)), rows.index(token), rows),
        },
        views={
            "weights": MatrixView("A", rows, rows, row_axis=say(QUERY), col_axis=say(KEY)),
            "line": Panel(),
            "numbers": Panel(),
        },
        compute=_compute,
        paint=_paint,
        sentence=_sentence,
        rows=[["text"], ["head", "row"], ["weights"], ["detail"], ["line", "numbers"]],
        explain=_explain,
    )


class _TrainedExplorer(Explorer):
    """Each text has heads and tokens of its own: the two sliders follow it."""

    def _changed(self, name):
        if name == "text" and not self._busy:
            self._busy = True
            with self._speak():
                self._follow(self.controls["text"].value)
            self._busy = False
        super()._changed(name)

    def _follow(self, text):
        row = self.controls["row"]
        token = row.options[row.index]
        self.controls["head"].offer(_heads(text), _head_names(text))
        rows = load_head(*text, *self.controls["head"].value).rows
        row.offer(range(len(rows)), rows)
        kept = (rows.index(one) for one in (token, "it", "它") if one in rows)
        row.value = next(kept, len(rows) - 1)
        self.views["weights"].selected = []


def _text_name(text):
    model, sentence = text
    return f"{say(_MODELS[model])} · {_TEXTS[sentence]}"


def _heads(text):
    return sorted(heads(*text))


def _head_names(text):
    """Each head with what it does on this text, computed from its weights."""
    return [f"{_short(place)} · {_kind(load_head(*text, *place))}" for place in _heads(text)]


def _kind(head):
    weights = head_weights(head)
    if len(head.rows) != len(head.columns):  # columns are moments of sound
        return label_text(Label("later", moves_on(weights)), head.rows)
    return label_text(head_labels([weights], head.rows, head.mask)[0], head.rows)


def _short(place):
    return "L{}H{}".format(*place)


def _compute(text, head, row):
    real = load_head(*text, *head)
    v = np.zeros((len(real.k), 1), np.float32) if real.v is None else real.v
    steps = attention_steps(real.q, real.k, v, real.mask)
    shown = steps.weights
    if text[0] == "speech":
        shown = shown.reshape(len(real.rows), -1, SLICES).sum(axis=-1)
    return {
        **steps._asdict(),
        "head": real,
        "shown": shown,
        "row": steps.weights[row],
        "std": float(score_std(real)),
        "root": real.q.shape[-1] ** 0.5,
        "entropy": float(row_entropy(real).mean()),
    }


def _columns(result, settings):
    if settings["text"][0] == "speech":
        return [f"{second:.1f}" for second in frame_times()[::SLICES]]
    return list(result["head"].columns)


def _paint(result, settings):
    head, at = result["head"], settings["row"]
    masked = None if head.mask is None else ~head.mask
    number = _heads(settings["text"]).index(settings["head"])
    title = f"A · {_head_names(settings['text'])[number]}"
    return {
        "weights": cells(
            result["shown"], "weights", masked=masked, title=title,
            rows=list(head.rows), cols=_columns(result, settings),
        ),
        "line": _line(result["row"], head, at, settings["text"][0] == "speech"),
        "numbers": _table(result),
    }  # fmt: skip


def _line(row, head, at, is_sound):
    token = head.rows[at]
    if not is_sound:
        title = say(_BARS, token=token)
        return bars_svg(row.round(2), head.columns, ylim=(0, 1.1), title=title, width=760)
    loud = loudness()
    curves = {token: row, say(_LOUDNESS): loud * (row.max() / loud.max())}
    title = say(_CURVE, token=token)
    return curves_svg(frame_times(), curves, symbols=("t / s", "α"), title=title, width=760)


def _table(result):
    lines = "".join(
        f'<tr><th style="text-align:left" scope="row">{say(words)}</th>'
        f"<td>{number_text(result[name], 2)}</td></tr>"
        for name, words in _NUMBERS.items()
    )
    return f"<table>{lines}</table>"


def _explain(view, i, j, result, settings):
    at = spell.subscript(i, j)
    if settings["text"][0] == "speech":
        part = slice(j * SLICES, (j + 1) * SLICES)
        terms = " + ".join(number_text(a, 4) for a in result["weights"][i, part])
        return f"{terms} = {number_text(result['shown'][i, j], 4)}"
    head = result["head"]
    if head.mask is not None and not head.mask[i, j]:
        return spell.masking(f"(S + M){at}", result["scaled"][i, j], -np.inf)
    names = f"q{spell.subscript(i)} · k{spell.subscript(j)}"
    return "\n".join(
        [
            spell.dot(f"(QKᵀ){at}", head.q[i], head.k[j], names=names),
            spell.scaling(f"S{at}", result["scores"][i, j], len(head.q[i]), result["scaled"][i, j]),
            spell.sharing(f"A{at}", result["masked"][i], j, result["weights"][i, j]),
        ]
    )


def _sentence(result, settings):
    model, sentence = settings["text"]
    head, best = result["head"], int(result["row"].argmax())
    target = f"{head.columns[best]} s" if model == "speech" else head.columns[best]
    return say(
        _SENTENCE,
        model=say(_MODELS[model]),
        text=_TEXTS[sentence],
        head=_short(settings["head"]),
        token=head.rows[settings["row"]],
        target=target,
        weight=number_text(result["row"][best], 2),
        **{name: number_text(result[name], 2) for name in _NUMBERS},
    )
