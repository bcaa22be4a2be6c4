"""The picture of lesson 11: two heads read one sentence, then stand side by side."""

from pieces import INK, O, V, X, arrow, block, matrix, page, token

from attention_core import attention, example


def draw():
    """The two heads of the running example; Concat and O drawn to scale."""
    canvas = page(396, "[head_0, head_1]W_O")
    words = [
        word.en for word in (example.ANIMAL, example.STREET, example.IT, example.LAST["tired"])
    ]
    token(canvas, 360, 34, "X", X, solid=True)
    for head, left in enumerate((130, 440)):
        _, weights = attention(*example.qkv("tired", head))
        canvas.arrow(360, 50, left + 74, 84)
        maps = {"kind": "weights", "cell": (37, 30), "numbers": False}
        matrix(canvas, left, 116, weights, f"head_{head}", rows=words, **maps)
        canvas.arrow(left + 74, 242, 222 + 66 * head, 286, ink=V)
        block(canvas, 190 + 66 * head, 292, 4, 3, V, "", unit=22, solid=head == 0)
    canvas.rect(190, 292, 132, 88, ink=INK, width=2)
    arrow(canvas, 334, 336, 420, 336, "W_O")
    block(canvas, 430, 292, 4, 5, O, "O", unit=22)
    return canvas
