"""A picture of arrows from the origin whose heads can be dragged."""

import traitlets

from attention_core.explorers.frames import script
from attention_core.explorers.panel import Panel


class VectorPad(Panel):
    """A square `vectors_svg` picture that tells where a mouse or a finger drags.

    Parameters
    ----------
    reach : float
        Where the axes of the picture end.
    edge : float
        The margin around the axes, in pixels of the picture.
    """

    _esm = script("vector_pad.js")
    reach = traitlets.Float(1.0).tag(sync=True)
    edge = traitlets.Float(12.0).tag(sync=True)
    hand = traitlets.List().tag(sync=True)  # [0 grabbed | 1 moved, x, y]

    def __init__(self, reach, edge=12.0):
        super().__init__()
        self.reach, self.edge = reach, edge

    def on_hand(self, act):
        """Call `act(grabbed, x, y)` when an arrow is grabbed, and at every move after it."""
        self.observe(lambda change: act(change["new"][0] == 0, *change["new"][1:]), "hand")
