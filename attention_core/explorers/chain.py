"""The whole chain on screen: Q, K, V, mask and scaling in; scores, weights and output follow."""

from types import SimpleNamespace

import numpy as np

from attention_core.attention import attention_steps
from attention_core.drawing.numbers import number_text
from attention_core.explorers import spell
from attention_core.explorers.base import Explorer
from attention_core.explorers.controls import Check
from attention_core.explorers.matrix_view import MatrixView, cells, mask_cells
from attention_core.explorers.presets import MINE, follow_preset, preset_choice, preset_masks
from attention_core.language import FEATURE, KEY, QUERY, Words, say

_NOTHING = Words("sees nothing", "什么也看不到")
_SENTENCE = Words("Weights A = {a}; output O = {o}.", "权重 A = {a}；输出 O = {o}。")


def chain_explorer(q, k, v, *, preset="none", scaled=True, rows=None, cols=None):
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

    Returns
    -------
    Explorer
    """
    masks = preset_masks(len(q), len(k))
    matrices, views = chain_matrices(q, k, v, masks[preset], rows=rows, cols=cols)
    return Explorer(
        controls={
            **matrices,
            "preset": preset_choice(preset),
            "scaled": scaling_check(scaled),
        },
        views=views,
        compute=compute_chain,
        paint=paint_chain,
        sentence=lambda result, _: chain_sentence(result),
        rows=[["preset", "scaled"], *chain_rows(), ["detail"]],
        framed=("preset", "scaled"),
        prepare=follow_preset(masks),
        overrides={"mask": ("preset", MINE)},
        explain=explain_chain,
    )


def scaling_check(value=True):
    """The switch for the division by √d_k."""
    return Check("÷ √d_k", value)


def chain_matrices(q, k, v, mask, *, rows=None, cols=None, suffix=""):
    """The matrices of one chain: what the learner changes, and what follows.

    Parameters
    ----------
    q, k, v, mask : array_like
        The starting values.
    rows, cols : sequences of str, optional
        Names of the queries and of the keys; default: 1, 2, 3, …
    suffix : str
        Ends every name, where one explorer shows several chains.

    Returns
    -------
    controls, views : dicts of name -> MatrixView
        Q, K, V, mask; scores, scaled_scores, masked, weights, output.
    """
    q, k, v = (np.asarray(x, dtype=float) for x in (q, k, v))
    rows = _numbers(len(q)) if rows is None else list(rows)
    cols = _numbers(len(k)) if cols is None else list(cols)

    def matrix(title, labels, tops, mode, value, **axes):
        name = f"{title} {suffix}".strip()
        return MatrixView(title, labels, tops, value, mode=mode, name=name, **axes)

    def pairs(title, mode="read", value=None):
        return matrix(title, rows, cols, mode, value, row_axis=say(QUERY), col_axis=say(KEY))

    def vectors(title, labels, width, mode="read", value=None):
        return matrix(title, labels, _numbers(width), mode, value, col_axis=say(FEATURE))

    controls = {
        "Q": vectors("Q", rows, q.shape[1], "edit", q),
        "K": vectors("K", cols, k.shape[1], "edit", k),
        "V": vectors("V", cols, v.shape[1], "edit", v),
        "mask": pairs("M", "toggle", mask),
    }
    views = {
        "scores": pairs("QKᵀ"),
        "scaled_scores": pairs("S = QKᵀ / √d_k"),
        "masked": pairs("S + M"),
        "weights": pairs("A = softmax(S + M)"),
        "output": vectors("O = A V", rows, v.shape[1]),
    }
    return tuple({name + suffix: m for name, m in part.items()} for part in (controls, views))


def chain_rows(suffix=""):
    """How the matrices of one chain stand on screen."""
    rows = (
        ("Q", "K", "V", "mask"),
        ("scores", "scaled_scores", "masked"),
        ("weights", "output"),
    )
    return [[name + suffix for name in row] for row in rows]


def compute_chain(Q, K, V, mask, scaled, **_):
    """All steps of attention for these settings, and the mask that was used."""
    steps = attention_steps(Q, K, V, mask, scale=None if scaled else 1.0)
    return {**steps._asdict(), "mask": mask}


def paint_chain(result, settings, decimals=2):
    """The frames of one chain's matrices."""
    mask, style = result["mask"], {"decimals": decimals}
    title = "" if settings["scaled"] else "S = QKᵀ"
    scores = [[_short(x, decimals) for x in row] for row in result["scores"]]
    return {
        "mask": mask_cells(mask),
        "scores": cells(result["scores"], texts=scores),
        "scaled_scores": cells(result["scaled"], title=title, **style),
        "masked": cells(result["masked"], masked=~mask, **style),
        "weights": weight_cells(result["weights"], mask, **style),
        "output": cells(result["output"], **style),
    }


def _short(x, decimals):
    """A number without trailing zeros: dot products of whole numbers are whole numbers."""
    text = number_text(x, decimals)
    return text.rstrip("0").rstrip(".") if "." in text else text


def weight_cells(weights, mask, outlined=None, **style):
    """Weights with their row sums behind them; a row that sees nothing says so."""
    notes = [
        number_text(row.sum(), 2) if may.any() else say(_NOTHING)
        for row, may in zip(weights, mask, strict=True)
    ]
    return cells(
        weights, "weights", masked=~mask, outlined=outlined, notes=notes, note_title="Σ", **style
    )


def explain_chain(view, i, j, result, settings):
    """The arithmetic of one cell of a chain."""
    step = "scaled" if view == "scaled_scores" else view
    q, k, v = settings["Q"], settings["K"], settings["V"]
    return spell.chain_cell(step, i, j, SimpleNamespace(**result), q, k, v, settings["scaled"])


def chain_sentence(result, decimals=2):
    """Weights and output in one sentence."""
    weights, output = (matrix_text(result[name], decimals) for name in ("weights", "output"))
    return say(_SENTENCE, a=weights, o=output)


def matrix_text(matrix, decimals=2):
    """A matrix in one line: [1.00, 0.00; 0.33, 0.67]."""
    rows = (", ".join(number_text(x, decimals) for x in row) for row in np.atleast_2d(matrix))
    return f"[{'; '.join(rows)}]"


def _numbers(n):
    return [str(i + 1) for i in range(n)]
