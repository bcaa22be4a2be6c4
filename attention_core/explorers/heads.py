"""Lesson 11: three heads side by side, what each reads, and how their results are joined."""

import numpy as np

from attention_core.attention import attention_steps
from attention_core.drawing.numbers import number_text
from attention_core.drawing.palette import colour_scale
from attention_core.explorers import spell
from attention_core.explorers.base import Explorer
from attention_core.explorers.chain import matrix_text
from attention_core.explorers.controls import Check, Choice
from attention_core.explorers.matrix_view import MatrixView, cells
from attention_core.heads import merge_heads, split_heads
from attention_core.language import FEATURE, KEY, QUERY, Words, say
from attention_core.masks import causal_mask
from attention_core.projections import MultiHeadWeights, init_multi_head, project

N, D_MODEL, H = 4, 6, 3
D_HEAD = D_MODEL // H
ORDERS = {"kept": (0, 1, 2), "moved": (2, 0, 1), "moved_alone": (2, 0, 1)}

_KINDS = ("different", "alike")
_LABELS = {
    "heads": Words("heads", "各头的矩阵"),
    "order": Words("order of the heads", "头的顺序"),
    "shown": Words("shown", "显示"),
    "causal": Words("causal mask", "因果掩码"),
}
_NAMES = {
    "different": Words("all different", "各不相同"),
    "alike": Words("all like head 1", "都与头 1 相同"),
    "kept": Words("1 2 3", "1 2 3"),
    "moved": Words("3 1 2, rows of W_O too", "3 1 2，W_O 的行一起换"),
    "moved_alone": Words("3 1 2, W_O untouched", "3 1 2，W_O 不动"),
    "weights": Words("weights", "权重"),
    "scores": Words("scores", "分数"),
}
_HEAD = Words("head {i}", "头 {i}")
_TITLE = Words("head {i}: {symbol}", "头 {i}：{symbol}")
_PLACE = Words("place {i}", "第 {i} 个位置")
_MEAN = Words("mean of the heads", "各头的平均")
_AND = Words("; ", "；")
_SENTENCE = Words(
    "Weights of token 1: {a}. Mean of the heads for token 1: {mean}; output o₁ = {o}.",
    "词元 1 的权重：{a}。词元 1 的各头平均：{mean}；输出 o₁ = {o}。",
)


def heads_explorer(seed=37):
    """Put heads side by side; make them alike, change their order, and watch mean and output.

    Parameters
    ----------
    seed : int
        Of the tokens and of the matrices of the three heads.

    Returns
    -------
    Explorer
        `result` holds scores and weights (3, 4, 4), heads (3, 4, 2), mean, joined and output.
    """
    rng = np.random.default_rng(seed)
    x = (2 * rng.normal(size=(N, D_MODEL))).round() + 0.0  # no −0
    drawn = MultiHeadWeights(*(w.round(1) for w in init_multi_head(rng, D_MODEL, H)))
    tokens = [f"x{spell.subscript(i)}" for i in range(N)]
    slots = [f"{i + 1}" for i in range(H)]
    features = [str(c + 1) for c in range(D_MODEL)]
    mask = causal_mask(N)

    def compute(X, heads, order, causal, **_):
        return _compute(X, _layer(drawn, heads, order), mask if causal else None)

    def vectors(title, width, value=None, name=None):
        return MatrixView(
            title, tokens, features[:width], value, mode="read" if value is None else "edit",
            col_axis=say(FEATURE), name=name,
        )  # fmt: skip

    maps = {
        f"map{i}": MatrixView(
            f"A{s}", tokens, tokens, row_axis=say(QUERY), col_axis=say(KEY),
            name=f"A, {say(_PLACE, i=s)}",
        )
        for i, s in enumerate(slots)
    }  # fmt: skip
    mixtures = {
        f"head{i}": vectors("", D_HEAD, name=f"A V, {say(_PLACE, i=s)}")
        for i, s in enumerate(slots)
    }
    return Explorer(
        controls={
            "heads": _choice("heads", _KINDS),
            "order": _choice("order", ORDERS),
            "shown": _choice("shown", ("weights", "scores")),
            "causal": Check(say(_LABELS["causal"])),
            "X": vectors("X", D_MODEL, x),
        },
        views={
            **maps,
            **mixtures,
            "mean": vectors(say(_MEAN), D_HEAD),
            "output": vectors("O = Concat · W_O", D_MODEL),
        },
        compute=compute,
        paint=_paint,
        sentence=_sentence,
        rows=[
            ["heads", "order", "shown", "causal"],
            [*maps],
            [*mixtures, "mean"],
            ["output", "X"],
            ["detail"],
        ],
        framed=("heads", "order", "shown", "causal"),
        explain=_explain,
    )


def _choice(name, values):
    return Choice(say(_LABELS[name]), list(values), None, [say(_NAMES[v]) for v in values])


def _layer(drawn, heads, order):
    """The drawn matrices, with the heads made alike or put in another order."""
    columns = np.arange(D_MODEL).reshape(H, D_HEAD)
    if heads == "alike":
        first = np.tile(columns[0], H)
        drawn = MultiHeadWeights(*(w[:, first] for w in drawn[:3]), drawn.w_o)
    moved = columns[list(ORDERS[order])].ravel()
    w_o = drawn.w_o if order == "moved_alone" else drawn.w_o[moved]
    return MultiHeadWeights(*(w[:, moved] for w in drawn[:3]), w_o)


def _compute(x, layer, mask):
    q, k, v = (split_heads(project(x, w), H) for w in layer[:3])
    steps = attention_steps(q, k, v, mask)
    joined = merge_heads(steps.output)
    return {
        **steps._asdict(),
        "q": q,
        "k": k,
        "v": v,
        "heads": steps.output,
        "mean": steps.output.mean(axis=0),
        "joined": joined,
        "w_o": layer.w_o,
        "output": project(joined, layer.w_o),
    }


def _paint(result, settings):
    hidden = np.isneginf(result["masked"][0])
    kind = settings["shown"]
    maps = result["weights"] if kind == "weights" else result["masked"]
    scale = colour_scale(maps, kind)
    frames = {"output": cells(result["output"])}
    mixed = colour_scale(result["heads"], "scores")
    frames["mean"] = cells(result["mean"], scale=mixed)
    for i, source in enumerate(ORDERS[settings["order"]]):
        number = spell.subscript(source)
        symbol = f"A{number}" if kind == "weights" else f"S{number} = Q{number}K{number}ᵀ / √d_head"
        title = say(_TITLE, i=source + 1, symbol=symbol)
        frames[f"map{i}"] = cells(maps[i], kind, masked=hidden, scale=scale, title=title)
        title = say(_TITLE, i=source + 1, symbol=f"A{number}V{number}")
        frames[f"head{i}"] = cells(result["heads"][i], scale=mixed, title=title)
    return frames


def _explain(view, i, j, result, settings):
    at = spell.subscript(i, j)
    if view == "output":
        names = f"concat{spell.subscript(i)} · W_O[:, {j + 1}]"
        return spell.dot(f"O{at}", result["joined"][i], result["w_o"][:, j], names=names)
    if view == "mean":
        terms = [number_text(x, 4) for x in result["heads"][:, i, j]]
        total = " + ".join(f"({t})" if t[0] == "−" else t for t in terms)
        return f"({total}) / {H} = {number_text(result['mean'][i, j], 4)}"
    if view == "X":
        return None
    place = int(view[-1])
    head = "⁽" + "¹²³"[ORDERS[settings["order"]][place]] + "⁾"
    if view.startswith("head"):
        column = result["v"][place, :, j]
        value = result["heads"][place, i, j]
        return spell.mixing(f"(AV){head}{at}", result["weights"][place, i], column, value)
    if settings["shown"] == "weights":
        row, weight = result["masked"][place, i], result["weights"][place, i, j]
        return spell.sharing(f"A{head}{at}", row, j, weight)
    steps = ("q", "k", "scores", "scaled", "masked")
    return _score(head, i, j, *(result[name][place] for name in steps))


def _score(head, i, j, q, k, scores, scaled, masked):
    """The dot product and the scaling of one score of one head, and the mask where it hides."""
    at, names = spell.subscript(i, j), f"q{head}{spell.subscript(i)} · k{head}{spell.subscript(j)}"
    lines = [
        spell.dot(f"(QKᵀ){head}{at}", q[i], k[j], names=names),
        spell.scaling(f"S{head}{at}", scores[i, j], D_HEAD, scaled[i, j]),
    ]
    if np.isneginf(masked[i, j]):
        lines.append(spell.masking(f"(S + M){head}{at}", scaled[i, j], masked[i, j]))
    return "\n".join(lines)


def _sentence(result, settings):
    order = ORDERS[settings["order"]]
    weights = say(_AND).join(
        f"{say(_HEAD, i=source + 1)} {matrix_text(a[0])}"
        for source, a in zip(order, result["weights"], strict=True)
    )
    mean, o = (matrix_text(result[name][0]) for name in ("mean", "output"))
    return say(_SENTENCE, a=weights, mean=mean, o=o)
