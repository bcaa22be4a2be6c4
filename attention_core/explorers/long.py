"""Lesson 17: read the keys block by block; what is remembered, and what it costs up to n = 4096."""

import numpy as np

from attention_core.blockwise.costs import plain_cost
from attention_core.blockwise.running import output_so_far, shifted_exponentials
from attention_core.explorers import long_words as written
from attention_core.explorers import machine
from attention_core.explorers.long_pictures import bars_svg, costs_svg, costs_table, held_svg
from attention_core.explorers.long_steps import D_V, WIDTH, blocks_to_read, reading, tiled_cost
from attention_core.explorers.widgets import (
    Check,
    Choice,
    Explorer,
    Frame,
    GuessCells,
    Matrix,
    Mission,
    Panel,
    Picture,
    Slider,
)
from attention_core.language import KEY, QUERY, Words, language, say

LENGTHS, BLOCKS = (8, 16, 32), (2, 4, 8)
TEXTS = tuple(2**k for k in range(3, 13))  # 8 … 4096 tokens, for the costs
_LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_QUARTERS = (1, 2, 3, 4)
MANY = 1_000_000

_STEP = Words("blocks read", "已读的块")
_TEXT = Words("tokens, for the cost", "算代价：词元数")
_CAUSAL = Words("causal", "因果")
_ABOUT = {
    "S": Words("the scaled scores of this block.", "这一块的缩放分数。"),
    "P": Words("measured from the largest score yet.", "以目前最大的分数为基准。"),
    "VT": Words("the values of this block, one in each column.", "这一块的值，每列一个。"),
    "mold": Words("the largest score before this block.", "读这一块之前的最大分数。"),
    "m": Words("the largest score now.", "现在的最大分数。"),
    "rescale": Words("the factor for what was summed before.", "之前的和要乘的系数。"),
    "lold": Words("the sum before.", "之前的总和。"),
    "l": Words("the sum now.", "现在的总和。"),
    "oold": Words("the mixture before.", "之前的混合。"),
    "o": Words("the mixture now, not divided yet.", "现在的混合，还没有除。"),
    "O": Words("the output over the keys read so far.", "到目前为止读过的键给出的输出。"),
}
_ALL = Words("Play until $o$ / $ℓ$ is the exact output.", "播放，直到 $o$ / $ℓ$ 成为精确的输出。")
_GUESS = Words(
    "Guess first: block 3 is read, and no score in it is larger than $m$. Mark which of $m$, $ℓ$ "
    "and $o$ change.",
    "先猜：读第 3 块，其中没有比 $m$ 更大的分数。标出 $m$、$ℓ$、$o$ 里会变的格子。",
)
_SKIP = Words(
    "Choose “causal” and a query that skips half of the blocks or more.",
    "勾上“因果”，选一个至少跳过一半块的查询。",
)
_MILLION = Words(
    "From how many tokens on are more than a million scores held in the plain form?",
    "词元多到多少时，直接计算要同时保存一百万个以上的分数？",
)


class Long(Explorer):
    """One query, the blocks of keys it has read, and the cost of a whole text."""

    def settle(self):
        """Only blocks that exist and may be read are offered; a block is no longer than needed."""
        n, block, causal, quarter = (
            self.controls[name].value for name in ("n", "block", "causal", "quarter")
        )
        self.controls["step"].limit = blocks_to_read(n, block, causal, quarter) - 1

    def compute(self, n, block, causal, quarter, step, text):
        exact, states, v = reading(n, block, causal, quarter)
        needed = blocks_to_read(n, block, causal, quarter)
        done = min(step, needed)
        before, now = states[done - 1], states[done]
        keys = slice((done - 1) * block, done * block)
        scores = exact.masked[:, : done * block]
        powers = shifted_exponentials(scores, now.maximum)
        return {
            "n": n, "block": block, "query": quarter * n // 4 - 1, "done": done, "needed": needed,
            "skipped": n // block - needed, "keys": keys, "powers": powers[0],
            "powers_before": shifted_exponentials(scores[:, : keys.start], before.maximum)[0],
            "S": scores[:, keys], "P": powers[:, keys], "VT": v[keys].mT,
            "mold": before.maximum[:, None], "m": now.maximum[:, None],
            "rescale": shifted_exponentials(before.maximum[:, None], now.maximum),
            "lold": before.denominator[:, None], "l": now.denominator[:, None],
            "oold": before.accumulator, "o": now.accumulator,
            "O": output_so_far(now), "exact": exact.output,
            "plain": plain_cost(text, WIDTH, WIDTH), "blockwise": tiled_cost(text, block, causal),
        }  # fmt: skip

    def picture(self, result, settings):
        keys = range(result["keys"].start, result["keys"].stop)
        rows, cols = ["q" + str(result["query"] + 1).translate(_LOW)], [str(j + 1) for j in keys]
        hidden = ~np.isfinite(result["S"])
        frames = {name: Frame(result[name], rows=rows) for name in _ABOUT}
        frames["S"] = Frame(result["S"], rows=rows, cols=cols, hidden=hidden)
        frames["P"] = Frame(
            result["P"], rows=rows, cols=cols, hidden=hidden, explain=written.powers(result)
        )
        frames["VT"] = Frame(result["VT"], rows=["1", "2"], cols=cols)
        frames["m"] = frames["m"]._replace(explain=[[written.maximum(result)]])
        frames["l"] = frames["l"]._replace(explain=[[written.total(result)]])
        frames["o"] = frames["o"]._replace(explain=[written.mixture(result)])
        frames["O"] = frames["O"]._replace(explain=[written.divided(result)])
        pictured = {name: result[name] for name in ("n", "block", "query", "done", "needed")}
        costs = settings["text"], settings["block"], WIDTH
        panels = {
            "bars": bars_svg(result["powers"], result["powers_before"], **pictured),
            "held": held_svg(causal=settings["causal"], **pictured),
            "costs": costs_svg(TEXTS, *costs, language()),
            "table": costs_table(settings["text"], result["plain"], result["blockwise"], WIDTH),
        }
        return Picture(frames, written.sentence(result, settings), written.summary(result), panels)


def long_explorer(n=32, block=4, causal=False):
    """Read the keys of one query block by block, until the exact output stands there.

    Parameters
    ----------
    n : int
        Tokens: 8, 16 or 32.
    block : int
        Queries and keys in a tile: 2, 4 or 8.
    causal : bool

    Returns
    -------
    Explorer
        `result` holds the scores S and exponentials P of the block read last; m, ℓ (`l`) and o
        before it and after it; `rescale`, the output O so far, the `exact` one, the counts `done`,
        `needed` and `skipped`, and the two costs of a text of `text` tokens.
    """
    parts = {
        "n": Choice("$n$", LENGTHS, n),
        "block": Choice("$b$", BLOCKS, block),
        "causal": Check(say(_CAUSAL), causal),
        "quarter": Choice(say(QUERY), _QUARTERS, 4, ["$n$/4", "$n$/2", "3$n$/4", "$n$"]),
        "step": Slider(
            say(_STEP), range(1, LENGTHS[-1] // BLOCKS[0] + 1), min(2, n // block), play=True
        ),
        "text": Slider(say(_TEXT), TEXTS, 256, play=True),
        "bars": Panel(height=250),
        "held": Panel(height=250),
        "S": _matrix("S/√d_k", "S", block),
        "P": _matrix("p", "P", block, "S[r,c] m[r,*]", equation="= exp(s − m)"),
        "VT": _matrix("V^T", "VT", block, rows=2),
        "mold": _matrix("m_old", "mold"),
        "m": _matrix("m", "m", 1, "mold[r,c] S[r,k]"),
        "rescale": _matrix(
            "rescale", "rescale", 1, "mold[r,c] m[r,c]",
            sum=f"{{me}} = {written.power('{mold[r,c]}', '{m[r,c]}')} = {{=}}",
        ),
        "lold": _matrix("ℓ_old", "lold"),
        "l": _matrix("ℓ", "l", 1, "lold[r,c] rescale[r,c] P[r,k]"),
        "oold": _matrix("o_old", "oold", D_V),
        "o": _matrix("o", "o", D_V, "oold[r,c] rescale[r,*] P[r,k] VT[c,k]"),
        "O": _matrix("O", "O", D_V, "o[r,c] l[r,*]", equation="= o / ℓ"),
        "costs": Panel(height=250),
        "table": Panel(height=250),
    }  # fmt: skip
    return Long(
        parts,
        [["bars", "held", "changes"], ["calc"],
         ["S", "P", "VT"],
         ["mold", "m", "rescale", "lold", "l", "oold", "o", "O"],
         ["costs", "table"]],
        missions=(
            GuessCells(say(_GUESS), {"step": 3}, ("m", "l", "o")),
            Mission(say(_ALL), lambda r, _: r["done"] == r["needed"] > 1),
            Mission(say(_SKIP), lambda r, s: s["causal"] and r["skipped"] >= r["needed"]),
            Mission(say(_MILLION), lambda r, _: r["plain"].held > MANY),
        ),
        formula=_map(),
        selected=("l", 0, 0),
    )  # fmt: skip


def _map():
    """What a block does to m, ℓ and o, and their quotient at the end."""
    now = {name: machine.symbol(name, shown) for name, shown in zip("mlo", "mℓo", strict=True)}
    old = {
        name: machine.symbol(f"{name}old", f"{shown}_old")
        for name, shown in zip("mlo", "mℓo", strict=True)
    }
    scores, powers, values, by = (
        machine.symbol(*one)
        for one in (("S", "S/√d_k"), ("P", "p"), ("VT", "V"), ("rescale", "rescale"))
    )
    rows = (
        f"{now['m']} = max({old['m']}, {scores})",
        f"{now['l']} = {by}·{old['l']} + Σ {powers}",
        f"{now['o']} = {by}·{old['o']} + {powers} {values}",
        f"{machine.symbol('O')} = {now['o']} / {now['l']}",
    )
    lets = "".join(f"<div>{row}</div>" for row in rows)
    return f'<div class="lets" style="border:0;font-size:19px;line-height:26px">{lets}</div>'


def _hidden(name, cols):
    """One query has all these rows: its name stands once; V^T numbers its own rows."""
    return ("" if name in ("S", "VT", "mold") else "r") + ("c" if cols == 1 else "")


def _matrix(symbol, name, cols=1, made="", rows=1, **more):
    col_axis = say(KEY if name in ("S", "P", "VT") else machine.DIMENSION)
    return Matrix(symbol, rows, cols, made=made, about=say(_ABOUT[name]), row_axis=say(QUERY),
                  col_axis=col_axis, words=say(_ABOUT[name]), hide=_hidden(name, cols),
                  role={"VT": "v", "O": "o"}.get(name, "n"), **more)  # fmt: skip
