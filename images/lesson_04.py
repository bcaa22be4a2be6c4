"""The picture of lesson 04: one row of Q and one column of Kᵀ give one cell of S."""

from pieces import FAINT, INK, K, Q, X, matrix, page, plate

from attention_core import example

WIDE, TALL, LEFT, TOP = 66, 40, 380, 168


def draw():
    """The running example; one score is worked out, the others are left to the lesson."""
    canvas = page(384, "S_41 = q_4·k_1")
    words = [
        word.en for word in (example.ANIMAL, example.STREET, example.IT, example.LAST["tired"])
    ]
    q, k, _ = example.qkv("tired")
    cell = {"cell": (WIDE, TALL), "decimals": 0, "scale": (-3.0, 3.0)}
    matrix(canvas, 180, TOP, q, "Q", ink=Q, rows=words, **cell)
    matrix(canvas, LEFT, 54, k.mT, "", ink=K, cols=words, **cell)
    plate(canvas, LEFT - 26, 94, "Kᵀ", K, size=15)
    for i in range(4):
        for j in range(4):
            x, y = LEFT + j * WIDE + 4, TOP + i * TALL + 4  # an unknown cell
            canvas.rect(x, y, WIDE - 8, TALL - 8, ink=FAINT, radius=4)
    canvas.rect(LEFT, TOP, 4 * WIDE, 4 * TALL, ink=X, width=2, radius=5)
    plate(canvas, LEFT + 4 * WIDE + 24, TOP + 2 * TALL, "S", X, size=15)
    row = TOP + 3 * TALL
    canvas.rect(180, row, 2 * WIDE, TALL, ink=Q, width=4)
    canvas.rect(LEFT, 54, WIDE, 2 * TALL, ink=K, width=4)
    canvas.rect(LEFT, row, WIDE, TALL, ink=INK, width=4)
    score = q[3] @ k[0]
    canvas.text(LEFT + WIDE / 2, row + TALL / 2, f"{score:g}", size=16, bold=True)
    products = " + ".join(f"{a:g}·{b:g}" for a, b in zip(q[3], k[0], strict=True))
    canvas.symbol(360, 360, f"S_41 = q_4·k_1 = {products} = {score:g}", size=18, bold=True)
    return canvas
