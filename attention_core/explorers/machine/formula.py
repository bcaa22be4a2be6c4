"""The formula on top of an explorer: a symbol is a button that lights its matrix."""

from attention_core.explorers.machine.kinds import KINDS
from attention_core.explorers.widgets.typeset import formula
from attention_core.language import Words, say


def symbol(name, written=None):
    """Return a symbol of the map: `name` is a matrix of the explorer."""
    kind = KINDS.get(name)
    written = written or (kind.symbol if kind else name)
    role = {"W": name[1:2].lower()}.get(
        name[:1], {"Q": "q", "K": "k", "V": "v", "O": "o"}.get(name.rstrip("12"), "n")
    )
    return (
        f'<button type="button" class="attn-sym" data-mat="{name}" data-role="{role}">'
        f"{formula(written)}</button>"
    )


def brace(name, level, written):
    """Return a brace under a part of the formula: what this part is called."""
    return (
        f'<span class="brace" style="--lv:{level}"><button type="button" data-mat="{name}">'
        f"{written}</button></span>"
    )


def formula_map(names):
    """Return softmax(QKᵀ/√d_k + M)V with a button for each matrix of the explorer.

    Parameters
    ----------
    names : collection of str
        The matrices that the explorer shows; with X the projections stand before the formula.
    """

    def sym(name, written=None):
        return symbol(name, written) if name in names else formula(written or name)

    def under(name, level, written):
        return brace(name, level, written) if name in names else ""

    lets = ""
    if "X" in names:
        rows = (f"{sym(m)} = {sym('X')} {sym('W' + m, 'W_' + m)}" for m in "QKV" if m in names)
        lets = f'<div class="lets">{"".join(f"<div>{row}</div>" for row in rows)}</div>'
    key = "KT" if "KT" in names else "K"
    score = under("S", 0, formula("S"))
    scores = f'<span class="grp">{sym("Q")} {sym(key, "K^T")}{score}</span>'
    inner = f"{scores} / {formula('√d_k')}"
    scaled = say(Words("scaled", "缩放"))
    if "M" in names:
        inner = f"{inner} + {sym('M')}"
        scaled = say(Words("scaled, with mask", "缩放，加掩码"))
    weights = f"{formula('A')} {say(Words('weights', '权重'))}"
    logits = f'<span class="grp">{inner}{under("Z", 1, scaled)}</span>'
    shares = f'<span class="grp">softmax({logits}){under("A", 2, weights)}</span>'
    return f'{lets}<div class="main">{sym("O")} = {shares} {sym("V")}</div>'
