"""The frame that curves, bars and arrows share: axes, fonts and inks that depend on no setting."""

from matplotlib.ticker import FixedLocator

from attention_core.drawing.figure_text import width
from attention_core.drawing.palette import INK
from attention_core.figures.drawing import Picture, label, symbol

DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)))
MARKS = "osD^vP"
WIDTH, HEIGHT = 5.2, 3.2
LONGEST_SYMBOL = 5  # columns of text; what is longer is a word


def plot_page(text, symbols, size=(WIDTH, HEIGHT)):
    """A Picture with one pair of axes, named by `symbols`."""
    picture = Picture(*size, text)
    axes = picture.add_subplot()
    axes.set_facecolor("none")
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(INK)
    across, up = map(symbol, symbols)
    axes.set_xlabel(across[0], fontproperties=across[1], color=INK)
    if width(symbols[1]) > LONGEST_SYMBOL:  # words stand above their axis, not on their side
        axes.set_title(up[0], loc="left", fontproperties=up[1], color=INK)
    else:
        axes.set_ylabel(up[0], fontproperties=up[1], color=INK)
        axes.yaxis.label.set(rotation=0, ha="right", va="center")
    return picture, axes


def finish(picture, axes, with_legend):
    """Fonts and inks that do not depend on the reader's settings, and a legend of symbols."""
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_tick_params(which="both", color=INK, labelcolor=INK)
        if not isinstance(axis.get_major_locator(), FixedLocator):
            axis.set_tick_params(which="both", labelsize=9, labelfontfamily="DejaVu Sans")
    if with_legend:
        names = "".join(axes.get_legend_handles_labels()[1])
        legend = axes.legend(prop=label(names, 10)[1], frameon=False, labelcolor=INK)
        legend.set_zorder(10)
    return picture


def same_length(name, y, x):
    """The array `y`, which must have one number for each place of `x`."""
    if y.shape != (len(x),):
        raise ValueError(f"{name} is {y.shape} but there are {len(x)} places along the axis")
    return y
