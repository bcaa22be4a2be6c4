"""The picture of lesson 18: the whole model, and where the lessons stand in it."""

from pieces import INK, K, O, Q, V, X, arrow, page, token

LEFT, TOP, RIGHT = 190, 60, 606  # the block that is repeated


def draw():
    """Tokens, embedding and place; twelve times attention and feed-forward; the mean."""
    canvas = page(330, "E + p, 12 × (attention, + , norm, feed-forward, +, norm), mean")
    for y, word in ((110, "它"), (160, "太"), (210, "累")):
        token(canvas, 34, y, word, X, wide=44)
        arrow(canvas, 60, y, 92, y)
        token(canvas, 126, y, "E + p", X, wide=62)
        arrow(canvas, 160, y, LEFT - 4, y)
    canvas.rect(LEFT, TOP, RIGHT - LEFT, 216, ink=INK, width=2, radius=12)
    canvas.symbol(RIGHT - 26, TOP + 20, "× 12", size=18, bold=True)
    for x, y, text, colour in ((236, 110, "Q", Q), (236, 160, "K", K), (236, 222, "V", V)):
        token(canvas, x, y, text, colour, wide=40, solid=True)
        lesson(canvas, x, y + 24, "01, 02")
    token(canvas, 322, 135, "S/√d_k", INK, wide=84)
    lesson(canvas, 322, 109, "04–06")
    token(canvas, 322, 190, "softmax", INK, wide=84)
    lesson(canvas, 322, 217, "07, 08")
    arrow(canvas, 258, 114, 277, 128)
    arrow(canvas, 258, 156, 277, 142)
    arrow(canvas, 322, 151, 322, 174)
    token(canvas, 406, 206, "A V", O, wide=54, solid=True)
    lesson(canvas, 406, 231, "03, 09")
    arrow(canvas, 365, 192, 378, 199)
    arrow(canvas, 258, 228, 378, 214, colour=V)
    token(canvas, 406, 130, "W_O", O, wide=54)
    lesson(canvas, 406, 106, "11, 12")
    arrow(canvas, 406, 189, 406, 147)
    for x in (462, 566):
        token(canvas, x, 160, "+ LN", X, wide=52)
    token(canvas, 514, 160, "FFN", X, wide=38)
    arrow(canvas, 434, 136, 452, 143)
    arrow(canvas, 488, 160, 495, 160)
    arrow(canvas, 533, 160, 540, 160)
    residual(canvas, LEFT + 8, 462, 84)
    residual(canvas, 491, 566, 108)
    arrow(canvas, RIGHT, 160, 634, 160)
    token(canvas, 672, 160, "s", O, wide=56, solid=True)
    lesson(canvas, 672, 190, "18")
    return canvas


def lesson(canvas, x, y, numbers):
    """The numbers of the lessons about this part."""
    canvas.text(x, y, numbers, size=11.5)


def residual(canvas, start, end, top):
    """What x brings along past a part, to be added behind it."""
    canvas.polyline([(start, 160), (start, top), (end, top)], ink=X, width=2, dash="5 4")
    canvas.arrow(end, top, end, 143, ink=X, width=2, head=8, dash="5 4")
