"""The picture of lesson 00: the last word asks, the others answer, what they hand over is mixed."""

from pieces import INK, K, O, Q, V, X, arrow, curve_between, page, token

from attention_core import attention, example

PLACES = (100, 270, 440, 620)
WORDS, VALUES, OUTPUT = 128, 232, 292


def draw():
    """Arcs as strong as the weights, and values flowing into the output of the last token."""
    canvas = page(336, "q of the last token, k of each, v mixed into o")
    _, weights = attention(*example.qkv("tired"))
    words = (example.ANIMAL, example.STREET, example.IT, example.LAST["tired"])
    last = PLACES[3]
    for j, (x, word, weight) in enumerate(zip(PLACES, words, weights[3], strict=True)):
        ink = Q if j == 3 else X
        token(canvas, x, WORDS, word.en, ink, wide=96, tall=36, solid=j == 3)
        canvas.text(x, WORDS + 31, word.zh, size=14, ink=ink)
        token(canvas, x, VALUES, f"v_{j + 1}", V, wide=54, tall=30, solid=True)
        flow = {"colour": V, "width": 1.2 + 6 * weight}
        if j == 3:
            canvas.symbol(x + 34, WORDS - 30, "q_4", size=16, ink=Q, bold=True)
            arrow(canvas, x, VALUES + 18, x, OUTPUT - 20, **flow)
            continue
        top, bend = WORDS - 20, (last - x) / 6
        curve_between(canvas, last - 8, top, x + 8, top, Q, 1.5 + 9 * weight, bend)
        canvas.symbol(x - 34, WORDS - 30, f"k_{j + 1}", size=16, ink=K, bold=True)
        arrow(canvas, x + 30, VALUES + 8, last - 42, OUTPUT, **flow)
    token(canvas, last, OUTPUT, "o_4", O, wide=64, tall=34, solid=True)
    canvas.symbol(PLACES[0] + 60, 36, "α_4j", size=17, ink=INK, bold=True)
    return canvas
