"""Figures: what is plotted, how it is labelled, and that nothing else happens on the way."""

import io
import os
import re
import subprocess
import sys
import warnings
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from PIL import Image

from attention_core import attention, causal_mask, figures, use_language
from attention_core.drawing.palette import INK, dark_of
from attention_core.drawing.screen import contrast, fill, luminance
from attention_core.figures import drawing, matrix_drawing
from tests.loops import for_each

SVG = "{http://www.w3.org/2000/svg}"
MINUS = "\N{MINUS SIGN}"
TOKENS = ["the", "cat", "sat"]


@pytest.fixture(autouse=True)
def english():
    use_language("en")
    yield
    use_language("en")


def axes_of(picture):
    return picture.axes[0]


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def cells(axes):
    """The cells of a matrix, as they are coloured."""
    return axes.collections[0]


def plotted(axes):
    """The numbers behind the colours, in the shape of the axes."""
    rows, cols = (round(abs(end - start)) for end, start in (axes.get_ylim(), axes.get_xlim()))
    return cells(axes).get_array().reshape(rows, cols)


def cell_texts(picture):
    """The numbers in the cells, row by row, read from the Text artists by their position."""
    texts = sorted(axes_of(picture).texts, key=lambda t: (t.get_position()[1], t.get_position()[0]))
    return [text.get_text() for text in texts]


def pixels(picture):
    return np.asarray(Image.open(io.BytesIO(picture.png())).convert("RGBA"))


def rgb(colour):
    return [int(colour[k : k + 2], 16) for k in (1, 3, 5)]


def drawn_colour(picture, i, j):
    """The colour and opacity that the png shows near the upper left corner of cell (i, j)."""
    picture.png()
    scale = drawing.SHARPNESS
    x, y = axes_of(picture).transData.transform((j - 0.38, i - 0.32))
    image = pixels(picture)
    # transData belongs to the page's resolution, the png is finer and counts rows downwards
    return image[image.shape[0] - round(y * scale), round(x * scale)]


# What is plotted -----------------------------------------------------------------------------


def test_the_plotted_array_is_the_array_given():
    weights = np.array([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]])
    picture = figures.heatmap(weights, ["a", "b"], ["x", "y", "z"])
    assert np.array_equal(plotted(axes_of(picture)), weights)
    corners = [path.vertices.mean(axis=0) for path in cells(axes_of(picture)).get_paths()]
    assert np.argmax([x for x, _ in corners]) == 2 and np.argmax([y for _, y in corners]) == 3


def test_after_causal_attention_the_picture_holds_the_returned_weights():
    q = np.arange(6.0).reshape(3, 2)
    _, weights = attention(q, q, q, mask=causal_mask(3))
    shown = plotted(axes_of(figures.heatmap(weights)))
    assert np.array_equal(shown, weights)
    assert shown[0, 1] == shown[0, 2] == shown[1, 2] == 0


def test_every_cell_carries_its_number():
    assert cell_texts(figures.heatmap([[0.0, 0.25, 0.75], [1.0, 0.125, 0.5]])) == [
        "0.00", "0.25", "0.75", "1.00", "0.12", "0.50",
    ]  # fmt: skip


def test_nothing_is_hidden_without_a_mask():
    axes = axes_of(figures.heatmap(np.full((2, 2), 0.5)))
    assert not np.ma.getmaskarray(plotted(axes)).any()
    assert axes.collections[1].get_paths() == []


@for_each("n_q, n_k", [(2, 7), (7, 2), (1, 1), (3, 5), (11, 13)])
def test_row_zero_is_on_top_and_no_cell_is_cut(n_q, n_k):
    axes = axes_of(figures.heatmap(np.zeros((n_q, n_k))))
    assert axes.get_ylim() == (n_q - 0.5, -0.5)
    assert axes.get_xlim() == (-0.5, n_k - 0.5)


def test_the_first_row_is_painted_above_the_last():
    picture = figures.heatmap([[1.0, 1.0], [0.5, 0.5]])
    rows_of_one, rows_of_half = (
        np.nonzero(np.abs(pixels(picture)[:, :, :3].astype(int) - wanted).max(axis=2) < 8)[0]
        for wanted in (rgb(fill(1, kind="weight")), rgb(fill(0.5, kind="weight")))
    )
    assert min(rows_of_one.size, rows_of_half.size) > 1000
    assert np.median(rows_of_one) < np.median(rows_of_half)


# Labels --------------------------------------------------------------------------------------


def test_queries_go_down_and_keys_across():
    axes = axes_of(figures.heatmap(np.full((2, 3), 1 / 3), ["a", "b"], ["x", "y", "z"]))
    assert labels(axes.yaxis) == ["a", "b"] and labels(axes.xaxis) == ["x", "y", "z"]
    assert axes.get_ylabel().startswith("q") and axes.get_xlabel().startswith("k")


def test_swapped_labels_are_an_error_that_names_both_sizes():
    with pytest.raises(ValueError, match="3 rows labels but the matrix has 2 rows"):
        figures.heatmap(np.zeros((2, 3)), ["x", "y", "z"], ["a", "b"])


def test_repeated_tokens_keep_their_own_columns():
    axes = axes_of(figures.heatmap(np.eye(3), ["the", "cat", "the"], ["the", "cat", "the"]))
    assert labels(axes.xaxis) == ["the", "cat", "the"]
    assert plotted(axes).shape == (3, 3)
    bars = axes_of(figures.bars([0.2, 0.3, 0.5], ["the", "cat", "the"]))
    assert len(bars.patches) == 3 and labels(bars.xaxis) == ["the", "cat", "the"]


@for_each(
    "token, shown",
    [("Ġthe", "the"), ("▁cat", "cat"), ("##ing", "ing"), (" animal", "animal"), (" ", "␣"),
     ("\n", "⏎"), ("$5_a$", "$5_a$"), ("<s>", "<s>")],
)  # fmt: skip
def test_word_piece_marks_and_blanks(token, shown):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture = figures.heatmap([[1.0]], [token], [token])
        picture.png()
    assert labels(axes_of(picture).xaxis) == [shown]


def test_chinese_tokens_draw_without_a_missing_glyph():
    tokens = list("注意力猫，")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture = figures.heatmap(np.eye(5) - 0.5, tokens, tokens, kind="scores")
        figures.bars([0.5, 0.5], ["它", "−"]).png()
        picture.png()
    assert labels(axes_of(picture).yaxis) == tokens


def test_a_character_no_font_has_becomes_a_box_in_the_picture_and_stays_in_the_text():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture = figures.heatmap([[1.0]], ["a\U0001f408"], ["b"])
        picture.png()
    assert labels(axes_of(picture).yaxis) == ["a□"]
    assert "a\U0001f408" in repr(picture)


def test_the_bundled_font_has_every_common_character_and_its_licence():
    from attention_core.figures.fonts import make

    have = drawing._characters(drawing.CHINESE_FONT)
    assert {chr(c) for c in map(ord, make.wanted_characters()) if c not in have} == set()
    assert len(make.common_chinese()) == 3755
    assert drawing.CHINESE_FONT.stat().st_size < 1.5e6
    licence = drawing.CHINESE_FONT.with_name("OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence


# Masks and colours ---------------------------------------------------------------------------


def test_minus_infinity_and_its_like_stay_out_of_the_colours():
    for hidden in (-np.inf, -1e9, -9e15, np.nan):
        axes = axes_of(figures.heatmap([[0.0, hidden], [1.0, 2.0]], kind="scores"))
        assert cells(axes).get_clim() == (-2.0, 2.0)
        assert np.ma.getmaskarray(plotted(axes)).tolist() == [[False, True], [False, False]]


def test_scores_are_centred_on_zero_and_weights_fixed():
    assert cells(axes_of(figures.heatmap([[-1.0, 2.5]], kind="scores"))).get_clim() == (-3, 3)
    assert cells(axes_of(figures.heatmap([[0.2, 0.3]]))).get_clim() == (0, 1)
    assert cells(axes_of(figures.heatmap([[0.0, 0.0]], kind="scores"))).get_clim() == (-1, 1)


def test_a_hidden_cell_is_hatched_and_reads_minus_infinity():
    masked = np.array([[False, True], [False, False]])
    picture = figures.heatmap([[1.0, 5.0], [2.0, 3.0]], kind="scores", masked=masked)
    hatched = axes_of(picture).collections[1]
    assert hatched.get_hatch() and len(hatched.get_paths()) == 1
    assert hatched.get_paths()[0].vertices.mean(axis=0) == pytest.approx([0.9, -0.1], abs=0.11)
    assert cell_texts(picture) == ["1", f"{MINUS}∞", "2", "3"]
    assert cells(axes_of(picture)).get_clim() == (-3, 3)


def test_a_hidden_weight_still_shows_its_number():
    masked = ~causal_mask(2)
    assert cell_texts(figures.heatmap([[1.0, 0.0], [0.4, 0.6]], masked=masked))[1] == "0.00"


@for_each("kind", ["weights", "scores"])
@for_each("value", [np.nan, -np.inf])
def test_a_matrix_without_a_visible_cell_draws(kind, value):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture = figures.heatmap(np.full((2, 2), value), kind=kind)
        picture.png()
    assert np.isfinite(cells(axes_of(picture)).get_clim()).all()
    assert "nothing visible" in repr(picture)


@for_each("shape", [(0, 3), (3, 0), (0, 0)])
def test_an_empty_matrix_draws(shape):
    picture = figures.heatmap(np.zeros(shape))
    picture.png()
    assert f"{shape[0]} × {shape[1]}" in repr(picture)


def test_the_weights_darken_evenly():
    colours = cells(axes_of(figures.heatmap([[0.0, 1.0]]))).get_cmap()
    light = [luminance(mpl.colors.to_hex(colours(x))) for x in np.linspace(0.01, 1, 256)]
    assert np.all(np.diff(light) <= 0) and light[0] > 0.9 and light[-1] < 0.1


def test_zero_is_the_lightest_score_and_signs_differ():
    colours = cells(axes_of(figures.heatmap([[-1.0, 1.0]], kind="scores"))).get_cmap()
    light = np.array([luminance(mpl.colors.to_hex(colours(x))) for x in np.linspace(0, 1, 257)])
    assert np.all(np.diff(light[:128]) >= 0) and np.all(np.diff(light[129:]) <= 0)
    assert colours(0.5)[3] == 0 and colours(0.49)[3] == colours(0.51)[3] == 1
    assert mpl.colors.to_hex(colours(0.0)) != mpl.colors.to_hex(colours(1.0))


@for_each("kind", ["weights", "scores"])
def test_numbers_can_be_read_on_their_cells(kind):
    values = np.linspace(-1 if kind == "scores" else 0, 1, 10)[None]
    picture = figures.heatmap(values, kind=kind)
    image = cells(axes_of(picture))
    for text, value in zip(axes_of(picture).texts, values[0], strict=True):
        ground, ink = image.get_cmap()(image.norm(value)), mpl.colors.to_hex(text.get_color())
        ground = mpl.colors.to_hex(ground) if ground[3] else "#ffffff"
        assert contrast(ground, ink) >= 4.5
        ground = "#111111" if ground == "#ffffff" else dark_of()[ground]
        assert contrast(ground, dark_of()[ink]) >= 4.5


def test_the_png_shows_the_palette_colours():
    from attention_core.drawing.palette import cell_colours

    values = [[0.2, 0.35], [0.65, 1.0]]
    fills, _ = cell_colours(values, "weights")
    picture = figures.heatmap(values)
    for i, j in np.ndindex(2, 2):
        wanted = [*rgb(fills[i][j]), 255]
        assert np.abs(drawn_colour(picture, i, j).astype(int) - wanted).max() <= 6
        assert np.abs(np.array(rgb(fills[i][j])) - rgb(fill(values[i][j], kind="weight"))).max() < 4


def test_zero_is_the_page():
    """And in a PNG, whose scale cannot turn round, it is white on every page."""
    for zeros in (1, 2):
        svg = figures.heatmap([[0.0] * zeros + [1.0]]).svg()
        assert len(re.findall('<path d="[^"]+" style="fill: #', svg)) == 1
        assert svg.count("fill: #111a2d") == 2  # one cell and its rule
    assert drawn_colour(figures.heatmap([[0.0, 1.0]]), 0, 0).min() >= 254


# Several matrices ----------------------------------------------------------------------------


def test_heads_share_one_scale_and_keep_their_order():
    stack = [np.full((2, 3), 1.0), np.full((2, 3), -4.0), np.full((2, 3), 2.0)]
    picture = figures.heatmaps(stack, titles=["h_1", "h_2", "h_3"], kind="scores")
    assert [cells(axes).get_clim() for axes in picture.axes] == [(-5, 5)] * 3
    assert [plotted(axes)[0, 0] for axes in picture.axes] == [1, -4, 2]
    assert [line for line in repr(picture).splitlines() if line.startswith("h_")] == [
        "h_1", "h_2", "h_3",
    ]  # fmt: skip


def test_large_heads_get_one_colour_bar_without_a_layout_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture = figures.heatmaps(np.full((5, 8, 8), 1 / 8))
        picture.png()
    assert len(picture.matrices) == 5
    assert sum(axes.get_label() == "<colorbar>" for axes in picture.axes) == 1


def test_matrices_of_different_shapes_with_their_own_labels_and_masks():
    picture = figures.heatmaps(
        [np.eye(2), np.ones((1, 3))], rows=[["a", "b"], ["c"]], cols=[["x", "y"], ["p", "q", "r"]],
        masked=[~causal_mask(2), np.array([[False, False, True]])],
    )  # fmt: skip
    assert [labels(axes.xaxis) for axes in picture.axes] == [["x", "y"], ["p", "q", "r"]]
    assert [len(axes.collections[1].get_paths()) for axes in picture.axes] == [1, 1]


def test_a_title_too_few_is_an_error():
    with pytest.raises(ValueError, match="1 titles but 2 matrices"):
        figures.heatmaps(np.zeros((2, 3, 3)), titles=["h_1"])


@for_each(
    "call, error, words",
    [
        (lambda: figures.heatmap(np.zeros(3)), ValueError, r"\(3,\)"),
        (lambda: figures.heatmap([[1.0]], kind="heat"), ValueError, "'heat'"),
        (lambda: figures.heatmap([[1.0]], masked=[[1]]), TypeError, "int"),
        (lambda: figures.heatmap(np.eye(2), masked=[[True]]), ValueError, r"\(1, 1\).*\(2, 2\)"),
        (lambda: figures.curves([1, 2], {"y": [1, 2, 3]}), ValueError, r"\(3,\).*2"),
        (lambda: figures.bars([1.0, 2.0], ["a"]), ValueError, r"\(2,\).*1"),
        (lambda: figures.arrows({"q": [1, 2, 3]}), ValueError, r"\(3,\)"),
        (lambda: figures.points({"g": [1, 2, 3]}), ValueError, r"\(3,\)"),
        (lambda: figures.histogram([]), ValueError, "no samples"),
    ],
)
def test_what_does_not_fit_is_an_error_that_names_it(call, error, words):
    with pytest.raises(error, match=words):
        call()


# The text form -------------------------------------------------------------------------------


def test_the_text_is_the_table_of_numbers():
    masked = ~causal_mask(2)
    assert repr(figures.heatmap([[1.0, 0.0], [0.4, 0.6]], ["猫", "cat"], masked=masked)) == (
        "weights (2 × 2): rows query, columns key\n"
        "hidden cells: 1\n"
        "        1       2\n"
        " 猫  1.00   [0.00]\n"
        "cat  0.40    0.60"
    )


def test_the_text_speaks_the_language_in_use():
    use_language("zh")
    text = repr(figures.heatmap([[0.5, 0.5]]))
    assert "权重" in text and "weights" not in text


@for_each(
    "picture",
    [
        lambda: figures.heatmap([[-0.001, 0.0]], kind="scores"),
        lambda: figures.curves([-0.0, 1], {"y": [-0.0, -1e-17]}),
        lambda: figures.bars([-0.0, 1.0]),
        lambda: figures.arrows({"q": [-0.0, 1.0]}),
    ],
)
def test_no_negative_zero_and_a_real_minus(picture):
    text = repr(picture())
    assert not re.search(r"[-−]0(\.0+)?(?![.\d])", text)
    assert "-" not in text


def test_a_large_matrix_is_summarised_by_its_peaks():
    weights = np.full((20, 23), 0.01)
    weights[np.arange(20), (np.arange(20) * 7) % 23] = 0.78
    text = repr(figures.heatmap(weights))
    assert re.search(r"^ 2  →   8  0\.78$", text, re.MULTILINE)
    assert len(text.splitlines()) < 20


def test_two_runs_give_the_same_text_and_the_same_bytes():
    one, two = (figures.heatmap([[0.25, 0.75]], ["a"], ["b", "c"]) for _ in range(2))
    assert repr(one) == repr(two) == str(one)
    assert one.png() == two.png() == one.png()
    assert "0x" not in repr(one)


# The other figures ---------------------------------------------------------------------------


def test_curves_hold_their_points_and_differ_by_more_than_colour():
    x = np.array([1.0, 4.0, 16.0])
    axes = axes_of(figures.curves(x, {"σ": x**0.5, "√d_k": x / 2}, xlog=True))
    one, two = axes.lines
    assert np.array_equal(one.get_ydata(), [1, 2, 4]) and np.array_equal(one.get_xdata(), x)
    assert one.get_color() != two.get_color() and one.get_linestyle() != two.get_linestyle()
    assert axes.get_xscale() == "log" and labels(axes.xaxis) == ["1", "4", "16"]


def test_a_histogram_has_area_one_and_its_curve():
    samples = np.array([0.0, 0.1, 0.2, 0.9, 1.9])
    axes = axes_of(figures.histogram(samples, bins=[0, 1, 2], density=([0, 2], [0.5, 0.5])))
    assert axes.patches[0].get_data().values.tolist() == pytest.approx([0.8, 0.2])
    assert list(axes.lines[0].get_ydata()) == [0.5, 0.5]
    text = repr(figures.histogram(samples, symbols=("q·k", "p")))
    assert re.search(r"q·k +5 +0\.62 ", text)  # the mean of the five, by hand: 3.1 / 5


def test_bars_have_the_heights_given():
    axes = axes_of(figures.bars({"α_j": [0.2, 0.8], "β_j": [0.5, 0.5]}, ["a", "b"]))
    assert [patch.get_height() for patch in axes.patches] == [0.2, 0.8, 0.5, 0.5]


def test_arrows_end_where_the_vectors_do():
    picture = figures.arrows({"q": [3.0, 4.0], "k_1": [0.0, -2.0]})
    ends = [note.xy for note in axes_of(picture).texts if hasattr(note, "arrow_patch")]
    assert [list(end) for end in ends] == [[3, 4], [0, -2]]
    assert re.search(r"q +3 +4 +5 +53\.1°", repr(picture))
    assert re.search(rf"k_1 +0 +{MINUS}2 +2 +{MINUS}90°", repr(picture))


# What a notebook gets ------------------------------------------------------------------------

PICTURES = {
    "heatmap": lambda: figures.heatmap(np.full((8, 8), 1 / 8), list("abcdefgh"), list("abcdefgh")),
    "heads": lambda: figures.heatmaps(np.full((8, 12, 12), 1 / 12)),
    "scores": lambda: figures.heatmap(np.linspace(-3, 3, 100).reshape(10, 10), kind="scores"),
    "curves": lambda: figures.curves(range(9), {f"h_{k}": np.arange(9) * k for k in range(6)}),
    "histogram": lambda: figures.histogram(np.linspace(-1, 1, 99) ** 3),
    "bars": lambda: figures.bars(np.arange(7) / 7, top=1),
    "arrows": lambda: figures.arrows({"q": [1, 2], "k_1": [-1, 1]}, {"x": [0, 0]}),
    "points": lambda: figures.points({"h_1": [[0, 1], [2, 3]], "h_2": [[1, 1]]}),
}


@for_each("name", PICTURES)
def test_a_png_has_no_ground_and_is_sharp_and_small(name):
    picture = PICTURES[name]()
    bundle, look = picture._repr_mimebundle_()
    image = Image.open(io.BytesIO(bundle["image/png"])).convert("RGBA")
    for corner in ((0, 0), (image.width - 1, image.height - 1)):
        assert image.getpixel(corner)[3] == 0
    assert image.width == pytest.approx(drawing.SHARPNESS * look["image/png"]["width"], abs=2)
    assert len(bundle["image/png"]) < 40_000
    assert bundle["text/plain"] == repr(picture)
    assert look["image/png"]["alt"] == repr(picture).splitlines()[0]


def parsed(picture):
    return ElementTree.fromstring(picture.svg())


@for_each("name", PICTURES)
def test_an_svg_is_named_small_and_always_the_same(name):
    picture = PICTURES[name]()
    first = parsed(picture)
    assert first.findtext(f"{SVG}title") == repr(picture).splitlines()[0]
    assert float(first.get("width")[:-2]) * 4 / 3 == pytest.approx(
        picture.get_size_inches()[0] * 96, abs=1
    )
    assert PICTURES[name]().svg() == PICTURES[name]().svg()
    assert len(picture.svg()) < 140_000
    assert next(first.iter(f"{SVG}image"), None) is None  # an image would not follow the theme


@for_each("name", PICTURES)
def test_every_colour_of_an_svg_follows_the_theme_and_stands_on_the_page(name):
    """Inks are read in both themes and seen on the other page; nothing is a white slab."""
    svg = PICTURES[name]().svg()
    used = set(re.findall(r'style="[^"]*?(?:fill|stroke): (#[0-9a-f]{6})', svg))
    rules = dict(re.findall(r'(#[0-9a-f]{6})"\]\{\w+:(#[0-9a-f]{6})!', svg))
    assert used - rules.keys() <= {"#868b94"}  # the one grey for helping lines
    for group in parsed(PICTURES[name]()).iter(f"{SVG}path"):
        style = group.get("style", "")
        assert not re.search(r"fill: (#ffffff|white)", style), "a white slab"
    assert INK in used and rules[INK] == dark_of()[INK]
    for page, ink in (("#ffffff", INK), ("#111111", dark_of()[INK])):
        assert contrast(page, ink) >= 4.5
    for page, ink in (("#111111", INK), ("#ffffff", dark_of()[INK])):
        assert contrast(page, ink) >= 3


@for_each("name", PICTURES)
def test_ipython_shows_svg_png_and_the_text(name):
    picture = PICTURES[name]()
    bundle, _ = DisplayFormatter().format(picture)
    assert set(bundle) == {"text/plain", "image/svg+xml", "image/png"}
    assert bundle["text/plain"] == repr(picture)


@for_each("name", PICTURES)
def test_a_reader_s_dark_settings_do_not_reach_the_picture(name):
    usual = PICTURES[name]().png()
    with mpl.rc_context({"text.color": "white", "axes.facecolor": "black", "font.size": 30,
                         "figure.facecolor": "black", "xtick.color": "white",
                         "axes.labelcolor": "white", "font.family": ["serif"]}):  # fmt: skip
        assert PICTURES[name]().png() == usual


@for_each("backend", ["agg", "svg"])
def test_settings_backend_and_pyplot_are_left_alone(backend):
    script = (
        "import matplotlib, sys\n"
        f"matplotlib.use({backend!r})\n"
        "before = dict(matplotlib.rcParams)\n"
        "from attention_core import figures\n"
        "figures.heatmap([[1.0]]).png()\n"
        "assert dict(matplotlib.rcParams) == before\n"
        f"assert matplotlib.get_backend() == {backend!r}\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    run = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_the_first_run_says_nothing(tmp_path):
    script = (
        "import threading\n"
        "slow = threading.Timer\n"
        "threading.Timer = lambda seconds, call: slow(0, call)\n"  # the message comes at once
        "from attention_core import figures\n"
        "figures.heatmap([[1.0, 0.0]], ['猫'], ['it', '它']).png()\n"
    )
    home = {**os.environ, "HOME": str(tmp_path), "MPLCONFIGDIR": str(tmp_path / "mpl")}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, env=home
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


# Each test above seen to fail: one breakage each ---------------------------------------------


def _transposed(values, *rest):
    return _read(np.asarray(values).mT, *rest)


_read = figures._read


@pytest.mark.parametrize(
    "module, name, broken, test",
    [
        (figures, "_read", _transposed, test_the_plotted_array_is_the_array_given),
        (figures, "LIKE_MINUS_INFINITY", -np.inf,
         test_minus_infinity_and_its_like_stay_out_of_the_colours),
        (figures, "_labels", lambda name, labels, size: list(dict.fromkeys(labels)),
         test_repeated_tokens_keep_their_own_columns),
        (matrix_drawing, "PolyCollection", lambda squares, **look: mpl.collections.PolyCollection(
            squares), test_a_hidden_cell_is_hatched_and_reads_minus_infinity),
        (matrix_drawing, "_write_numbers", lambda *a: None, test_every_cell_carries_its_number),
        (matrix_drawing, "_colour_bar", lambda *a: None,
         test_large_heads_get_one_colour_bar_without_a_layout_warning),
        (drawing, "CHINESE_FONT", drawing.LATIN_FONT,
         test_chinese_tokens_draw_without_a_missing_glyph),
    ],
)  # fmt: skip
def test_a_breakage_is_noticed(monkeypatch, module, name, broken, test):
    monkeypatch.setattr(module, name, broken)
    with pytest.raises((AssertionError, ValueError, UserWarning)):
        test()


def test_labels_of_any_type_become_text():
    for labels in ([0, 1], [b"0", b"1"], np.array([0, 1]), ("0", "1")):
        shown = repr(figures.heatmap(np.eye(2), rows=labels, cols=labels))
        assert [line.split()[0] for line in shown.splitlines()[1:]] == ["0", "0", "1"]


def test_words_on_figures_follow_the_language():
    use_language("zh")
    try:
        drawn = figures.curves(
            [1, 2], {"variance": [1, 2], "mean": [2, 3]}, symbols=("query", "key")
        )
        axes = drawn.axes[0]
        shown = [axes.get_xlabel(), *(text.get_text() for text in axes.get_legend().get_texts())]
        assert shown == ["查询", "方差", "均值"]
        files = [axes.xaxis.label.get_fontproperties(), axes.get_legend().get_texts()[0]]
        names = [
            getattr(one, "get_fontproperties", lambda one=one: one)().get_file() for one in files
        ]
        assert all(name.endswith("course_cjk.otf") for name in names)
    finally:
        use_language("en")
