"""The picture of lesson 08: which cells of the score matrix stay open under the causal mask."""

from pieces import INK, K, Q, curve_between, matrix, page, token

from attention_core import causal_mask, example

WORDS = (example.ANIMAL, example.STREET, example.IT, example.LAST["tired"])
PLACES = (70, 150, 230, 310)


def draw():
    """On the left who may look at whom, on the right the same as the matrix M."""
    canvas = page(300, "token i looks at tokens 1 … i: M is 0 there and −∞ elsewhere")
    for i, x in enumerate(PLACES):
        for j in range(i):
            bend = (x - PLACES[j]) / 2.6
            curve_between(canvas, x - 4, 168, PLACES[j] + 4, 168, Q, 1.8, bend)
        token(canvas, x, 190, WORDS[i].en, INK, wide=72, tall=34)
        canvas.text(x, 222, WORDS[i].zh, size=14)
    allowed = causal_mask(4)
    labels = [word.en for word in WORDS]
    cell = {"cell": (58, 44), "decimals": 0, "hidden": ~allowed}
    matrix(canvas, 450, 76, 0.0 * allowed, "", rows=labels, cols=labels, **cell)
    canvas.symbol(566, 30, "M", size=18, bold=True)
    canvas.symbol(450 - 60, 60, "q_i", size=16, ink=Q, bold=True)
    canvas.symbol(694, 64, "k_j", size=16, ink=K, bold=True)
    return canvas
