"""Vectors and mixtures in the plane, as SVG text."""

import numpy as np

from attention_core.drawing.palette import LINES
from attention_core.drawing.svg.axes import Axes
from attention_core.drawing.svg.canvas import Canvas


def vectors_svg(vectors, *, reach=None, between=None, title="", size=320):
    """2-D arrows from the origin, such as a query and its keys, with the angle between two.

    Parameters
    ----------
    vectors : dict of symbol -> array_like, shape (2,)
    reach : float, optional
        Where the axes end; default a little beyond the longest vector.
    between : (symbol, symbol), optional
        The two vectors whose angle is drawn and written in degrees.
    title : str

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If a vector does not have two numbers.

    Examples
    --------
    >>> "90°" in vectors_svg({"q": [1, 0], "k": [0, 1]}, between=("q", "k"))
    True
    """
    vectors = {name: np.asarray(v, dtype=float) for name, v in vectors.items()}
    for name, v in vectors.items():
        if v.shape != (2,):
            raise ValueError(f"vectors_svg: {name} is {v.shape} but must be (2,)")
    canvas = Canvas(size, size, title)
    reach = reach or 1.15 * max((np.abs(v).max() for v in vectors.values()), default=1) or 1
    axes = Axes(canvas, (-reach, reach), (-reach, reach), ("", ""), crossed=True)
    if between is not None:
        axes.angle(*(vectors[name] for name in between))
    for k, (name, v) in enumerate(vectors.items()):
        axes.arrow(v, LINES[k % len(LINES)], name)
    return str(canvas)


def triangle_svg(corners, point, *, weights=None, reach=None, name="o", title="", size=320):
    """A mixture of three vectors as a point inside their triangle.

    Parameters
    ----------
    corners : dict of symbol -> array_like, shape (2,)
        The vectors that are mixed, such as v_1, v_2, v_3 (any number of them is drawn).
    point : array_like, shape (2,)
        The mixture.
    weights : array_like, optional
        One for each corner: the thicker the line to the point, the larger the weight;
        a weight of exactly zero draws no line.
    reach : float, optional
        Half a side of the picture, around the middle of the corners; default: room for them.
    name : str
        The symbol of the point.
    title : str

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there are more or fewer weights than corners.

    Examples
    --------
    >>> corners = {"v_1": [0, 0], "v_2": [4, 0], "v_3": [2, 3]}
    >>> triangle_svg(corners, [2, 1], weights=[0.5, 0.5, 0.0]).count("stroke-dasharray")
    2
    """
    places = np.array([*corners.values()], dtype=float)
    if weights is not None and len(weights) != len(places):
        raise ValueError(f"triangle_svg: {len(weights)} weights but {len(places)} corners")
    canvas = Canvas(size, size, title)
    middle = (places.max(axis=0) + places.min(axis=0)) / 2
    reach = reach or 0.6 * np.ptp(places, axis=0).max() or 1
    ends = [(m - reach, m + reach) for m in middle]
    axes = Axes(canvas, *ends, ("", ""), bare=True)
    canvas.polygon([axes.at(p) for p in places], fill=LINES[0], ink="currentColor", opacity=0.12)
    for k, place in enumerate(places):
        share = 1 / len(places) if weights is None else float(weights[k])
        if share > 0:
            canvas.line(
                *axes.at(place), *axes.at(point), ink=LINES[1], width=1 + 5 * share, dash="2 3"
            )
    for symbol, place in zip(corners, places, strict=True):
        axes.named_dot(place, symbol, LINES[0], middle)
    axes.named_dot(point, name, LINES[1], None)
    return str(canvas)
