"""Lesson 08: click the mask, and see who reads whom, and what a change of the future does."""

from types import SimpleNamespace

import numpy as np

from attention_core.attention import attention_steps
from attention_core.drawing.numbers import number_text
from attention_core.explorers import spell
from attention_core.explorers.base import Explorer
from attention_core.explorers.chain import matrix_text, weight_cells
from attention_core.explorers.controls import Slider
from attention_core.explorers.matrix_view import MatrixView, cells, mask_cells
from attention_core.explorers.presets import MINE, follow_preset, preset_choice, preset_masks
from attention_core.language import FEATURE, KEY, QUERY, Words, say
from attention_core.masks import causal_mask

# The best match of the first query is the last key: related, and yet hidden by a causal mask.
Q = [[1, 0], [0, 1], [1, 1], [1, -1]]
K = [[1, 0], [0, 1], [1, 1], [2, 1]]
V = [[1, 0], [0, 2], [3, 1], [2, 2]]
FACTORS = [1, 10, 1000]

_SENTENCE = Words(
    "Weights A = {a}; cells that read the future: {leaks}; outputs that move when k₄ and v₄ are "
    "multiplied by {factor}: {moved}.",
    "权重 A = {a}；读到未来的格子：{leaks} 个；k₄、v₄ 乘以 {factor} 之后变化的输出：{moved}。",
)
_NONE = Words("none", "无")
_AND = Words(", ", "、")


def causal_mask_explorer(preset="none"):
    """Click the mask or choose one: weights, row sums and cells that read the future follow.

    Framed in red: in M the keys of the future that may be read, in A those that get weight.
    The last token can be made larger; the change of each row of the output stands behind it.

    Parameters
    ----------
    preset : str
        The mask to begin with: none, causal, padding, causal+padding or window.

    Returns
    -------
    Explorer
        `result` holds the steps of attention, the mask, the framed cells `future` and `leaks`,
        and `change`: how far each row of the output moved.
    """
    tokens = [f"T{i + 1}" for i in range(len(Q))]
    masks = preset_masks(len(Q), len(K))
    controls = {
        "preset": preset_choice(preset),
        "factor": Slider("k₄, v₄ ×", FACTORS, 1),
        "Q": _vectors("Q", tokens, Q),
        "K": _vectors("K", tokens, K),
        "V": _vectors("V", tokens, V),
        "mask": _pairs("M", tokens, masks[preset]),
    }
    views = {
        "scaled": _pairs("S = QKᵀ / √d_k", tokens),
        "masked": _pairs("S + M", tokens),
        "weights": _pairs("A = softmax(S + M)", tokens),
        "output": _vectors("O = A V", tokens),
    }
    return Explorer(
        controls=controls,
        views=views,
        compute=_compute,
        paint=_paint,
        sentence=_sentence,
        rows=[
            ["preset", "factor"],
            ["scaled", "mask", "masked"],
            ["weights", "output"],
            ["detail"],
            ["Q", "K", "V"],
        ],
        framed=("preset", "factor"),
        prepare=follow_preset(masks),
        overrides={"mask": ("preset", MINE)},
        explain=_explain,
    )


def _pairs(title, tokens, value=None):
    mode = "read" if value is None else "toggle"
    names = {"row_axis": say(QUERY), "col_axis": say(KEY)}
    return MatrixView(title, tokens, tokens, value, mode=mode, **names)


def _vectors(title, tokens, value=None):
    mode = "read" if value is None else "edit"
    return MatrixView(title, tokens, ["1", "2"], value, mode=mode, col_axis=say(FEATURE))


def _compute(Q, K, V, mask, factor, **_):
    before = attention_steps(Q, K, V, mask)
    k, v = _louder(K, factor), _louder(V, factor)
    steps = attention_steps(Q, k, v, mask)
    future = mask & ~causal_mask(*mask.shape)
    return {
        **steps._asdict(),
        "k": k,
        "v": v,
        "mask": mask,
        "future": future,
        "leaks": future & (steps.weights > 0),
        "change": np.abs(steps.output - before.output).max(axis=-1),
    }


def _louder(x, factor):
    """The last token's vector times a factor."""
    return np.concatenate([x[:-1], factor * x[-1:]])


def _paint(result, settings):
    mask, scaled, masked, output = (result[x] for x in ("mask", "scaled", "masked", "output"))
    moves = [_short(x) if x else "0" for x in result["change"]]
    return {
        "mask": mask_cells(mask, outlined=result["future"]),
        "scaled": cells(scaled, texts=_texts(scaled)),
        "masked": cells(masked, masked=~mask, texts=_texts(masked)),
        "weights": weight_cells(result["weights"], mask, outlined=result["leaks"]),
        "output": cells(output, texts=_texts(output), notes=moves, note_title="|Δ|"),
    }


def _texts(matrix):
    return [[_short(x) for x in row] for row in matrix]


def _short(x):
    """Two decimals, or none where the number is long without them."""
    return number_text(x, 2 if abs(x) < 100 else 0)


def _explain(view, i, j, result, settings):
    steps = SimpleNamespace(**result)
    inputs = settings["Q"], result["k"], result["v"]
    line = spell.chain_cell(view, i, j, steps, *inputs)
    if view == "scaled":
        return "\n".join([spell.chain_cell("scores", i, j, steps, *inputs), line])
    return line


def _sentence(result, settings):
    moved = say(_AND).join(f"T{i + 1}" for i in np.flatnonzero(result["change"]))
    return say(
        _SENTENCE,
        a=matrix_text(result["weights"]),
        leaks=int(result["leaks"].sum()),
        factor=settings["factor"],
        moved=moved or say(_NONE),
    )
