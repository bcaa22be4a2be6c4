"""The whole chain on screen: Q, K, V, mask and scaling in; scores, weights and output follow."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.explorers import spell
from attention_core.explorers.base import Explorer
from attention_core.explorers.controls import Check, Slider
from attention_core.explorers.matrix_view import MatrixView, cells, mask_cells
from attention_core.explorers.panel import Panel
from attention_core.explorers.presets import MINE, follow_preset, preset_choice, preset_masks
from attention_core.palette import number_text
from attention_core.words import KEY, QUERY, Words, say

_FEATURE = Words("feature", "特征")
_NOTHING = Words("sees nothing", "什么也看不到")
_SENTENCE = Words("Weights A = {a}; output O = {o}.", "权重 A = {a}；输出 O = {o}。")


def chain_explorer(
    q, k, v, *, preset="none", scaled=True, rows=None, cols=None, decimals=2, board=None
):
    """Edit Q, K and V, click the mask, switch the scaling; every step of attention follows.

    Parameters
    ----------
    q, k, v : array_like, shapes (n_q, d_k), (n_k, d_k), (n_k, d_v)
        The starting values.
    preset : str
        The mask to begin with.
    scaled : bool
        Whether the scores are divided by √d_k to begin with.
    rows, cols : sequences of str, optional
        Names of the queries and of the keys; default: 1, 2, 3, …
    decimals : int
        Decimals of the numbers shown.
    board : callable(result, settings) -> str, optional
        Writes out, as HTML, the steps of the query that a slider chooses (settings["query"]).

    Returns
    -------
    Explorer
    """
    q, k, v = (np.asarray(x, dtype=float) for x in (q, k, v))
    rows = _numbers(len(q)) if rows is None else list(rows)
    cols = _numbers(len(k)) if cols is None else list(cols)
    masks = preset_masks(len(q), len(k))
    names = _axis_names()

    def pairs(title, mode="read", value=None):
        return MatrixView(title, rows, cols, value, mode=mode, **names)

    def vectors(title, labels, width, mode="read", value=None):
        return MatrixView(title, labels, _numbers(width), value, mode=mode, col_axis=say(_FEATURE))

    controls = {
        "Q": vectors("Q", rows, q.shape[1], "edit", q),
        "K": vectors("K", cols, k.shape[1], "edit", k),
        "V": vectors("V", cols, v.shape[1], "edit", v),
        "preset": preset_choice(preset),
        "mask": pairs("M", "toggle", masks.get(preset, masks["none"])),
        "scaled": Check("÷ √d_k", scaled),
    }
    views = {
        "scores": pairs("QKᵀ"),
        "scaled_scores": pairs("S = QKᵀ / √d_k"),
        "masked": pairs("S + M"),
        "weights": pairs("A = softmax(S + M)"),
        "output": vectors("O = A V", rows, v.shape[1]),
    }
    layout = [
        ["preset", "scaled"],
        ["Q", "K", "V", "mask"],
        ["scores", "scaled_scores", "masked"],
        ["weights", "output"],
        ["detail"],
    ]
    if board is not None:
        controls["query"] = Slider(f"{say(QUERY)} i", range(len(q)), 0, rows)
        views["board"] = Panel()
        layout += [["query"], ["board"]]

    def paint(result, settings):
        frames = _paint(result, settings, decimals)
        return frames if board is None else {**frames, "board": board(result, settings)}

    return Explorer(
        controls=controls,
        views=views,
        compute=_compute,
        paint=paint,
        sentence=lambda result, _: _sentence(result, decimals),
        rows=layout,
        framed=("preset", "scaled"),
        prepare=follow_preset(masks),
        overrides={"mask": ("preset", MINE)},
        explain=_explain,
    )


def _compute(Q, K, V, mask, scaled, **_):
    steps = attention_steps(Q, K, V, mask, scale=None if scaled else 1.0)
    return {**steps._asdict(), "mask": mask}


def _paint(result, settings, decimals):
    mask, style = result["mask"], {"decimals": decimals}
    title = "" if settings["scaled"] else "S = QKᵀ"
    return {
        "mask": mask_cells(mask),
        "scores": cells(result["scores"], **style),
        "scaled_scores": cells(result["scaled"], title=title, **style),
        "masked": cells(result["masked"], masked=~mask, **style),
        "weights": weight_cells(result["weights"], mask, **style),
        "output": cells(result["output"], **style),
    }


def weight_cells(weights, mask, outlined=None, **style):
    """Weights with their row sums behind them; a row that sees nothing says so."""
    notes = [
        number_text(row.sum(), 2) if may.any() else say(_NOTHING)
        for row, may in zip(weights, mask, strict=True)
    ]
    return cells(
        weights, "weights", masked=~mask, outlined=outlined, notes=notes, note_title="Σ", **style
    )


def _explain(view, i, j, result, settings):
    step = "scaled" if view == "scaled_scores" else view
    steps = _Steps(result)
    return spell.chain_cell(
        step, i, j, steps, settings["Q"], settings["K"], settings["V"], settings["scaled"]
    )


class _Steps:
    """The steps by name, as the blackboard wants them."""

    def __init__(self, result):
        self.__dict__.update(result)


def _sentence(result, decimals):
    weights, output = (matrix_text(result[name], decimals) for name in ("weights", "output"))
    return say(_SENTENCE, a=weights, o=output)


def matrix_text(matrix, decimals=2):
    """A matrix in one line: [1.00, 0.00; 0.33, 0.67]."""
    rows = (", ".join(number_text(x, decimals) for x in row) for row in np.atleast_2d(matrix))
    return f"[{'; '.join(rows)}]"


def _numbers(n):
    return [str(i + 1) for i in range(n)]


def _axis_names():
    return {"row_axis": say(QUERY), "col_axis": say(KEY)}
