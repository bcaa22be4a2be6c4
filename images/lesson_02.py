"""The picture of lesson 02: two sentences go through one box of matrices."""

from pieces import K, Q, V, X, arrow, block, page, panel

from attention_core import example

HEADS = ((Q, "Q", 2), (K, "K", 2), (V, "V", 3))


def draw():
    """Drawn to scale; whether Q, K, V differ between the sentences is the lesson's question."""
    canvas = page(360, "X, X′ → W_Q, W_K, W_V → Q, K, V and Q′, K′, V′")
    panel(canvas, 284, 84, 148, 192)
    for k, (ink, name, wide) in enumerate(HEADS):
        block(canvas, 300 + 44 * k, 128, 5, wide, ink, f"W_{name}", unit=14, solid=True)
    for top, mark, last in ((52, "", "tired"), (228, "′", "wide")):
        for i, word in enumerate((example.ANIMAL, example.STREET, example.IT, example.LAST[last])):
            canvas.text(88, top + 10 + 20 * i, f"{word.en} {word.zh}", size=13, anchor="end")
        block(canvas, 96, top, 4, 5, X, f"X{mark}", unit=20)
        towards = 150 if top < 180 else 210
        arrow(canvas, 202, top + 40, 278, towards)
        arrow(canvas, 438, towards, 492, top + 40)
        for k, (ink, name, wide) in enumerate(HEADS):
            block(canvas, 502 + 68 * k, top, 4, wide, ink, f"{name}{mark}", unit=20)
    return canvas
