"""The picture of lesson NN: TODO."""

from pieces import K, Q, page, token


def draw():
    """TODO: symbols and tokens only, and no answer to a question of the lesson."""
    canvas = page(260, "NAME")
    token(canvas, 240, 130, "q", Q, solid=True)
    token(canvas, 480, 130, "k", K, solid=True)
    return canvas
