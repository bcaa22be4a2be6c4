"""The machinery of the explorers: parts, frames, links, missions, and the widget itself.

How to write an explorer: README.md beside this folder.
"""

from attention_core.explorers.widgets.explorer import Explorer
from attention_core.explorers.widgets.frames import Frame, Picture, mask_frame
from attention_core.explorers.widgets.heads import (
    Bars,
    Pair,
    Text,
    Wall,
    bars_data,
    pair_data,
    wall_data,
)
from attention_core.explorers.widgets.matrix import Matrix
from attention_core.explorers.widgets.missions import GuessCells, GuessRow, Mission
from attention_core.explorers.widgets.parts import Board, Panel, Press, Reading
from attention_core.explorers.widgets.settings import MINE, Check, Choice, Preset, Slider

__all__ = [
    "MINE",
    "Bars",
    "Board",
    "Check",
    "Choice",
    "Explorer",
    "Frame",
    "GuessCells",
    "GuessRow",
    "Matrix",
    "Mission",
    "Pair",
    "Panel",
    "Picture",
    "Preset",
    "Press",
    "Reading",
    "Slider",
    "Text",
    "Wall",
    "bars_data",
    "mask_frame",
    "pair_data",
    "wall_data",
]
