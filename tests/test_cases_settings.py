"""Pictures do not depend on what a reader told matplotlib, and change none of it."""

import matplotlib as mpl
import numpy as np
import pytest

from attention_core import figures

HOSTILE = {
    "text.usetex": True,
    "text.parse_math": False,
    "font.family": ["monospace"],
    "font.size": 31,
    "mathtext.fontset": "stix",
    "axes.grid": True,
    "axes.facecolor": "black",
    "axes.edgecolor": "red",
    "axes.linewidth": 9,
    "axes.labelsize": 40,
    "axes.titlesize": 40,
    "axes.titlelocation": "right",
    "axes.unicode_minus": False,
    "axes.prop_cycle": mpl.cycler(color=["red"]),
    "axes.xmargin": 0.4,
    "axes.autolimit_mode": "round_numbers",
    "axes.formatter.use_mathtext": True,
    "lines.linewidth": 20,
    "lines.markersize": 30,
    "patch.force_edgecolor": True,
    "hatch.linewidth": 8,
    "hatch.color": "red",
    "image.cmap": "jet",
    "image.origin": "lower",
    "image.interpolation": "bicubic",
    "xtick.direction": "in",
    "xtick.minor.visible": True,
    "ytick.labelsize": 40,
    "ytick.color": "red",
    "xtick.top": True,
    "legend.fontsize": 40,
    "legend.loc": "lower left",
    "legend.frameon": True,
    "legend.facecolor": "red",
    "figure.facecolor": "red",
    "figure.dpi": 30,
    "figure.figsize": (1, 1),
    "figure.autolayout": True,
    "figure.subplot.left": 0.4,
    "figure.constrained_layout.w_pad": 1,
    "savefig.dpi": 20,
    "savefig.bbox": "tight",
    "savefig.transparent": True,
    "path.sketch": (5, 100, 2),
    "text.color": "red",
    "text.antialiased": False,
    "text.hinting": "none",
    "agg.path.chunksize": 1,
}
DRAWN = {
    "weights": lambda: figures.heatmap(np.eye(3), ["the", "cat", "猫"]),
    "scores": lambda: figures.heatmap([[1, -2.5], [3, -np.inf]], kind="scores"),
    "without numbers": lambda: figures.heatmap(np.eye(40)),
    "several": lambda: figures.heatmaps(np.eye(2)[None].repeat(2, 0), titles=["h_1", "h_2"]),
    "bars": lambda: figures.bars({"α": [0.2, 0.8], "β": [0.5, 0.5]}, ["the", "cat"]),
    "arrows": lambda: figures.arrows({"q": [1, 2], "k_1": [2, -1]}, {"o": [0.5, 0.5]}),
    "curves": lambda: figures.curves([1, 10, 100], {"a": [1, 2, 3], "b_1": [3, 1, 2]}, xlog=True),
    "histogram": lambda: figures.histogram({"d_k": np.arange(50) ** 0.5}),
    "points": lambda: figures.points({"a": ([1, 2], [3, 4])}),
}


@pytest.mark.parametrize("name", DRAWN)
def test_pictures_are_the_same_under_any_settings_and_change_none(name):
    as_shipped = DRAWN[name]().png()
    with mpl.rc_context():
        mpl.rcParams.update(HOSTILE)
        before = dict(mpl.rcParams)
        assert DRAWN[name]().png() == as_shipped
        assert dict(mpl.rcParams) == before
