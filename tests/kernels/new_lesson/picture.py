"""The picture of lesson NN: a query and a key."""

from pieces import K, Q, page, token


def draw():
    """Two boxes."""
    canvas = page(260, "NAME")
    token(canvas, 240, 130, "q", Q, solid=True)
    token(canvas, 480, 130, "k", K, solid=True)
    return canvas
