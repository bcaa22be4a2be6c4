"""The picture of lesson 10: where Q comes from, and where K and V come from."""

from pieces import FAINT, K, O, Q, V, X, block, page, token

from attention_core import example

READ = (example.ANIMAL, example.STREET, example.IT, example.LAST["tired"])


def draw():
    """Drawn to scale, without numbers: only the sources differ."""
    canvas = page(392, "X → Q, K, V; or Y → Q and X → K, V")
    chinese = [example.ANIMAL.zh, example.IT.zh, example.LAST["tired"].zh]
    for left, rows, ink in ((20, [word.en for word in READ], X), (380, chinese, O)):
        for j, word in enumerate(READ):
            x = left + 138 + 52 * j
            token(canvas, x, 46, word.en, X, wide=50)
            canvas.arrow(x, 66, x, 138, ink=K, width=1.5)
        for i, text in enumerate(rows):
            y = 170 + 52 * i
            token(canvas, left + 36, y, text, ink, wide=62)
            canvas.arrow(left + 70, y, left + 108, y, ink=Q, width=1.5)
        block(canvas, left + 112, 144, len(rows), 4, Q, "", unit=52)
        canvas.symbol(left + 88, 132, "Q", size=17, ink=Q, bold=True)
        canvas.symbol(left + 96, 84, "K", size=17, ink=K, bold=True)
        canvas.symbol(left + 96, 108, "V", size=17, ink=V, bold=True)
        size = "n × n" if ink == X else "n_q × n_k"
        canvas.symbol(left + 216, 376, size, size=17, bold=True)
    canvas.line(360, 24, 360, 372, ink=FAINT, dash="3 5")
    return canvas
