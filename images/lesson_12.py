"""The picture of lesson 12: Q, K, V are cut into heads; X is not."""

from pieces import INK, K, O, Q, V, X, arrow, cell_at, page

SIZE, TALL, HEADS = 100, 60, 8


def wide(canvas, x, y, colour, name, *, cut):
    """A block of 100 × 512, to no scale; cut into heads, or whole."""
    parts = HEADS if cut else 1
    for k in range(parts):
        cell_at(canvas, x + SIZE * k / parts, y, SIZE / parts, TALL, colour, 0.35)
    canvas.rect(x, y, SIZE, TALL, ink=colour, width=2)
    canvas.symbol(x + SIZE / 2, y - 13, name, size=16, ink=colour, bold=True)


def draw():
    """One layer with eight heads, from X to O; its shapes are the questions of the lesson."""
    canvas = page(340, "X → Q, K, V → (h, n, n) → Concat → W_O → O")
    wide(canvas, 16, 150, X, "X", cut=False)
    for y, colour, name in ((50, Q, "Q"), (150, K, "K"), (250, V, "V")):
        arrow(canvas, 120, 180, 176, y + TALL / 2, colour=colour)
        at = {"Q": (140, 80), "K": (158, 196), "V": (140, 284)}[name]
        canvas.symbol(*at, f"W_{name}", size=13, ink=colour)
        wide(canvas, 182, y, colour, name, cut=True)
    for k in reversed(range(HEADS)):
        canvas.rect(334 + 5 * k, 110 - 5 * k + 20, 62, 62, ink=INK, width=1.5, radius=4)
    arrow(canvas, 286, 84, 328, 130, colour=Q)
    arrow(canvas, 286, 178, 328, 168, colour=K)
    arrow(canvas, 438, 170, 474, 204, colour=INK)
    arrow(canvas, 286, 282, 474, 232, colour=V)
    wide(canvas, 480, 188, V, "Concat", cut=True)
    arrow(canvas, 584, 218, 612, 218)
    canvas.symbol(598, 196, "W_O", size=14)
    canvas.rect(616, 188, 92, TALL, fill=O, opacity=0.35)
    canvas.rect(616, 188, 92, TALL, ink=O, width=2)
    canvas.symbol(662, 175, "O", size=16, ink=O, bold=True)
    return canvas
