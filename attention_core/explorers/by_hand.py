"""Lesson 09: the five steps by hand, in two worked examples and for any numbers typed in."""

from html import escape

from attention_core.explorers.base import Explorer
from attention_core.explorers.chain import (
    chain_matrices,
    chain_rows,
    chain_sentence,
    compute_chain,
    explain_chain,
    paint_chain,
    scaling_check,
)
from attention_core.explorers.controls import Choice, Slider
from attention_core.explorers.panel import Panel
from attention_core.explorers.presets import MINE, preset_choice, preset_masks
from attention_core.language import QUERY, Words, say

# Section 9 of the document, and an example in which no two sizes are equal.
EXAMPLES = {
    "first": (
        [[1, 0], [0, 1], [1, 1]],
        [[1, 0], [0, 1], [1, 1]],
        [[1, 0], [0, 2], [3, 1]],
    ),
    "second": (
        [[1, 0, 2], [0, 1, 1]],
        [[1, 1, 0], [0, 2, 1], [2, 0, 1], [1, 0, 0]],
        [[1, 0, 2, 0, 1], [0, 3, 1, 1, 0], [2, 1, 0, 0, 4], [1, 0, 0, 5, 2]],
    ),
}
DECIMALS = 4

_SUFFIX = {"first": "", "second": "_2"}  # of the names of its controls and views
_PRESET = {"first": "causal", "second": "none"}
_EDITED = ("Q", "K", "V", "mask", "query")
_EXAMPLE = Words("example", "例子")
_NAMES = {
    "first": Words("first: Q = K", "第一个：Q = K"),
    "second": Words("second: Q ≠ K", "第二个：Q ≠ K"),
}
_STEPS = {
    "scores": Words("1 · Scores", "第 1 步 · 分数"),
    "scaled": Words("2 · Scaling", "第 2 步 · 缩放"),
    "masked": Words("3 · Mask", "第 3 步 · 掩码"),
    "weights": Words("4 · Softmax", "第 4 步 · softmax"),
    "output": Words("5 · Mix the values", "第 5 步 · 聚合值"),
}


class ByHand(Explorer):
    """An explorer with two examples of different sizes; the rows of one of them are shown."""

    def _rows_shown(self):
        shown = self.controls["example"].value
        return [row for row in self._rows if _belongs(row) in (shown, None)]

    def _settle(self):
        super()._settle()
        shown = self._rows_shown()
        for row, line in zip(self._rows, self.children, strict=False):
            line.layout.display = None if row in shown else "none"

    def _changed(self, name):
        if name == "example" and not self._busy:
            self._busy = True
            self.controls["preset"].value = _PRESET[self.controls["example"].value]
            self._busy = False
        super()._changed(name)


def by_hand_explorer(example="first"):
    """Follow the five steps for numbers that the learner types, each cell written out.

    Parameters
    ----------
    example : {"first", "second"}
        The one to begin with: section 9 of the document (Q = K, causal mask), or one with
        Q ≠ K, n_q = 2, n_k = 4, d_k = 3, d_v = 5 and no mask. The names of the second one's
        controls end in "_2".

    Returns
    -------
    Explorer

    Raises
    ------
    ValueError
        For any other example.
    """
    if example not in EXAMPLES:
        raise ValueError(
            f'by_hand_explorer: example is {example!r}; it must be "first" or "second"'
        )
    names = [say(name) for name in _NAMES.values()]
    preset = _PRESET[example]
    controls = {"example": Choice(say(_EXAMPLE), list(EXAMPLES), example, names)}
    controls |= {"preset": preset_choice(preset), "scaled": scaling_check()}
    views, rows, masks = {}, [["example", "preset", "scaled"]], {}
    for name, (q, k, v) in EXAMPLES.items():
        suffix = _SUFFIX[name]
        masks[name] = preset_masks(len(q), len(k))
        matrices, results = chain_matrices(q, k, v, masks[name][preset], suffix=suffix)
        controls |= matrices
        controls["query" + suffix] = Slider(f"{say(QUERY)} i", [i + 1 for i in range(len(q))])
        views |= {**results, "board" + suffix: Panel()}
        rows += [*chain_rows(suffix), ["query" + suffix], ["board" + suffix]]

    def prepare(settings):
        if settings["preset"] == MINE:
            return settings
        chosen = {"mask" + _SUFFIX[name]: masks[name][settings["preset"]] for name in EXAMPLES}
        return {**settings, **chosen}

    explorer = ByHand(
        controls=controls,
        views=views,
        compute=lambda **settings: compute_chain(**_of_example(settings)),
        paint=_paint,
        sentence=lambda result, _: chain_sentence(result, DECIMALS),
        rows=[*rows, ["detail"]],
        framed=("preset", "scaled"),
        prepare=prepare,
        overrides={"mask": ("preset", MINE), "mask_2": ("preset", MINE)},
        explain=_explain,
    )
    for name in (*EXAMPLES, example):  # every view has something to show, also while hidden
        explorer.controls["example"].value = name
    return explorer


def _belongs(row):
    """The example that a row of names belongs to; None for what both share."""
    plain = row[0].removesuffix("_2")
    if plain in ("example", "detail"):
        return None
    return "second" if row[0].endswith("_2") else "first"


def _of_example(settings):
    """The settings of the example on screen, without the suffix."""
    suffix = _SUFFIX[settings["example"]]
    own = {name: settings[name + suffix] for name in _EDITED}
    return {"scaled": settings["scaled"], **own}


def _paint(result, settings):
    own, suffix = _of_example(settings), _SUFFIX[settings["example"]]
    frames = {**paint_chain(result, own, DECIMALS), "board": blackboard(result, own)}
    return {name + suffix: frame for name, frame in frames.items()}


def _explain(view, i, j, result, settings):
    if view.endswith("_2") != (settings["example"] == "second"):
        return None
    return explain_chain(view.removesuffix("_2"), i, j, result, _of_example(settings))


def blackboard(result, settings):
    """The five steps of one query, every cell of its row written out."""
    i = settings["query"] - 1
    columns = []
    for step, title in _STEPS.items():
        width = result[step].shape[1]
        lines = [explain_chain(step, i, j, result, settings) for j in range(width)]
        text = "\n".join(map(escape, lines))
        columns.append(
            f'<div style="margin:0 18px 8px 0"><b>{escape(say(title))}</b>'
            f'<p class="arithmetic">{text}</p></div>'
        )
    return f'<div style="display:flex;flex-flow:row wrap">{"".join(columns)}</div>'
