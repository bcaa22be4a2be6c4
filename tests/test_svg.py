"""The SVG canvas and its plots: well-formed, small, the same every time, legible in both themes."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from attention_core.drawing.palette import INK, LINES, dark_of
from attention_core.drawing.screen import luminance
from attention_core.drawing.svg import canvas as canvas_module
from attention_core.drawing.svg import (
    curves_svg,
    histogram_svg,
    mixture_svg,
)
from attention_core.drawing.svg.axes import Axes, log_ticks, nice_ticks
from attention_core.drawing.svg.canvas import Canvas, number, standalone
from tests.loops import for_each

SVG = "{http://www.w3.org/2000/svg}"
CORNERS = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 2.0]])
PLOTS = {
    "curves": lambda: curves_svg([1, 2, 4], {"σ": [1, 3, 2], "√d_k": [3, 1, 1]}, title="σ"),
    "log": lambda: curves_svg([1, 10, 1000], {"y": [1, 0.1, 9]}, xlog=True, ylog=True, at=10),
    "histogram": lambda: histogram_svg([0, 1, 3], [0.4, 0.3], ([0, 3], [0.4, 0.2])),
    "triangle": lambda: mixture_svg(CORNERS, [[1, 1]], [0.25, 0.25, 0.5]),
}


def parsed(svg):
    return ElementTree.fromstring(str(svg))


def all_of(svg, name):
    return list(parsed(svg).iter(SVG + name))


def texts(svg):
    return ["".join(element.itertext()) for element in all_of(svg, "text")]


def numbers(element, *names):
    return [float(element.get(name)) for name in names]


def points(element):
    return np.array([pair.split(",") for pair in element.get("points").split()], dtype=float)


# The canvas ----------------------------------------------------------------------------------


@for_each("name", PLOTS)
def test_a_plot_is_an_image_with_a_name_and_no_identifiers(name):
    root = parsed(PLOTS[name]())
    assert root.get("role") == "img" and root[0].tag == SVG + "title"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    # Two pictures in one page must not share an id.
    assert not [element for element in root.iter() if element.get("id")]


@for_each("name", PLOTS)
def test_a_plot_is_the_same_every_time_small_and_rounded(name):
    svg = PLOTS[name]()
    assert svg == PLOTS[name]() and len(svg) < 6000
    decimals = [w for w in svg.replace('"', " ").replace(",", " ").split() if w.count(".") == 1]
    drawn = [w for w in decimals if w.replace(".", "").lstrip("-").isdigit()]
    assert all(len(w.split(".")[1]) <= 2 for w in drawn)


@for_each("name", PLOTS)
def test_text_and_axes_follow_the_theme_of_the_page(name):
    root = parsed(PLOTS[name]())
    inks = {element.get("fill") for element in root.iter(SVG + "text")}
    assert {ink for ink in inks if not ink.startswith("var(--")} <= {"currentColor"}
    lines = {element.get("stroke") for element in root.iter(SVG + "line")}
    assert {ink for ink in lines if not ink.startswith("var(--")} <= {"currentColor", *LINES}
    assert not list(root.iter(SVG + "style")) and root.get("color") is None


@for_each("ink", LINES)
@for_each("ground", ["#ffffff", "#111111"])
def test_lines_stand_out_on_light_and_dark(ink, ground):
    light, dark = sorted((luminance(ink), luminance(ground)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3


@for_each("token", ["<s>", "a&b", '"', "猫", "\x00", "\n", "]]>", "it's", "\ufffe"])
def test_any_token_gives_well_formed_xml(token):
    canvas = Canvas(40, 20, title=token)
    canvas.text(20, 10, token)
    canvas.symbol(20, 10, token)
    shown = texts(canvas)
    assert shown[0] == shown[1] == parsed(canvas)[0].text
    if token.isprintable():
        assert shown[0] == token


def test_a_symbol_is_lowered_and_a_token_is_not():
    canvas = Canvas(90, 20)
    canvas.symbol(45, 10, "q_i·k_j = 1")
    canvas.text(45, 10, "is_a")
    symbol, token = all_of(canvas, "text")
    assert [(part.text, float(part.get("dy")) > 0) for part in symbol] == [
        ("i", True), ("·k", False), ("j", True), (" = 1", False),
    ]  # fmt: skip
    assert sum(float(part.get("dy")) for part in symbol) == pytest.approx(0)
    assert token.text == "is_a" and len(token) == 0


def test_an_arrow_ends_at_its_tip_and_has_equal_sides():
    canvas = Canvas(50, 50)
    canvas.arrow(10, 40, 40, 10)
    tip, one, two = points(all_of(canvas, "polygon")[0])
    assert tip.tolist() == [40, 10]
    assert np.hypot(*(tip - one)) == pytest.approx(np.hypot(*(tip - two)), abs=0.1)
    canvas.arrow(5, 5, 5, 5)  # no length: a dot, not a division by zero
    assert len(all_of(canvas, "circle")) == 1


@for_each("w, h", [(30, 20), (20, 30), (25, 25)])
def test_hatching_stays_inside_its_cell(w, h):
    canvas = Canvas(60, 60)
    canvas.hatch(7, 11, w, h)
    lines = all_of(canvas, "line")
    assert len(lines) >= 5
    for line in lines:
        x1, x2, y1, y2 = numbers(line, "x1", "x2", "y1", "y2")
        assert 7 <= min(x1, x2) and max(x1, x2) <= 7 + w
        assert 11 <= min(y1, y2) and max(y1, y2) <= 11 + h
        assert x1 - x2 == pytest.approx(y2 - y1, abs=0.11)


def test_numbers_have_one_decimal_and_no_negative_zero():
    assert [number(x) for x in (1, 2.0, 3.14159, -0.04, -1.25)] == ["1", "2", "3.1", "0", "-1.2"]


def test_standing_alone_its_colours_follow_the_theme():
    canvas = Canvas(40, 20, title="q")
    canvas.line(0, 0, 40, 20, ink=LINES[0])
    root = parsed(standalone(canvas))
    assert [child.tag for child in root] == [SVG + "title", SVG + "style", SVG + "line"]
    assert root.get("color") == INK
    rule = f'[stroke="{LINES[0]}"]{{stroke:{dark_of()[LINES[0]]}}}'
    dark = f"svg{{color:{dark_of()[INK]}}}{rule}"
    assert root[1].text == f"@media (prefers-color-scheme: dark){{{dark}}}"


# Ticks ---------------------------------------------------------------------------------------


@for_each(
    "ends, ticks",
    [
        ((0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ((-16, 16), [-10, 0, 10]),
        ((0, 0.07), [0, 0.02, 0.04, 0.06]),
        ((3, 3), [3]),
        ((0, 300), [0, 100, 200, 300]),
    ],
)
def test_ticks_are_round(ends, ticks):
    assert nice_ticks(*ends) == pytest.approx(ticks)


def test_log_ticks_are_powers():
    assert log_ticks(0.001, 10) == pytest.approx([0.001, 0.01, 0.1, 1, 10])
    assert log_ticks(4, 64) == [4, 8, 16, 32, 64]


# The plots -----------------------------------------------------------------------------------


def test_a_curve_goes_through_its_points():
    svg = curves_svg(
        [0, 5, 10], {"y": [0, 1, 0.5]}, xlim=(0, 10), ylim=(0, 1), width=480, height=280
    )
    (line,) = all_of(svg, "polyline")
    places = points(line)
    # equal steps in x; the second is the top of the frame, the third halfway down
    assert places[1, 0] - places[0, 0] == pytest.approx(places[2, 0] - places[1, 0], abs=0.1)
    assert places[1, 1] < places[2, 1] < places[0, 1]
    assert places[2, 1] == pytest.approx((places[0, 1] + places[1, 1]) / 2, abs=0.1)


def test_a_log_axis_spaces_powers_evenly():
    x = points(all_of(curves_svg([1, 10, 100], {"y": [1, 2, 3]}, xlog=True), "polyline")[0])[:, 0]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.1)


def test_curves_differ_by_colour_and_dashes_and_are_named():
    svg = PLOTS["curves"]()
    one, two = all_of(svg, "polyline")
    assert one.get("stroke") != two.get("stroke")
    assert one.get("stroke-dasharray") != two.get("stroke-dasharray")
    assert {"σ", "√dk", "x", "y"} <= set(texts(svg))


def test_a_gap_and_a_value_outside_do_not_break_a_curve():
    svg = curves_svg([1, 2, 3, 4], {"y": [1, np.nan, 2, 1e9]}, ylim=(0, 3))
    runs = [points(line) for line in all_of(svg, "polyline")]
    assert [len(run) for run in runs] == [1, 2]
    assert runs[1][1, 1] >= 0
    flat = curves_svg([1, 1], {"y": [2, 2]})
    assert "nan" not in flat and "inf" not in flat
    assert "nan" not in curves_svg([0, 1], {"y": [0, 5]}, xlog=True, ylog=True)
    lonely = curves_svg([0.0], {"y": [1.0]}, xlog=True)
    assert "nan" not in lonely


def test_a_mark_sits_on_every_curve():
    svg = curves_svg([1, 2, 4], {"a": [1, 2, 3], "b": [3, 2.5, 1]}, at=2)
    dots = [numbers(dot, "cx", "cy") for dot in all_of(svg, "circle")]
    lines = [points(line)[1].tolist() for line in all_of(svg, "polyline")]
    assert dots == lines


def test_histogram_blocks_have_their_edges_and_heights():
    svg = histogram_svg([0, 1, 3], [0.4, 0.2], xlim=(0, 3), ylim=(0, 0.4))
    outline = points(all_of(svg, "polygon")[0])
    left, right = outline[:, 0].min(), outline[:, 0].max()
    bottom, top = outline[:, 1].max(), outline[:, 1].min()
    step = outline[np.isclose(outline[:, 1], (top + bottom) / 2, atol=0.1)]
    assert step[:, 0].min() == pytest.approx(left + (right - left) / 3, abs=0.1)
    assert step[:, 0].max() == pytest.approx(right, abs=0.1)


def angle_between(first, second):
    """The degrees that stand at the arc from one arrow to another."""
    canvas = Canvas(320, 320)
    Axes(canvas, (-2, 2), (-2, 2), ("", ""), crossed=True).angle(np.array(first), np.array(second))
    return [text for text in texts(str(canvas)) if "°" in text]


def test_the_angle_is_written_at_its_arc():
    assert angle_between([2.0, 0.0], [1.0, 1.0]) == ["45°"]
    assert angle_between([1.0, 0.0], [-1.0, 0.0]) == ["180°"]
    assert angle_between([0.0, 0.0], [1.0, 0.0]) == ["0°"]


def test_the_mixture_lies_where_its_weights_put_it():
    shares = np.array([0.25, 0.25, 0.5])
    svg = mixture_svg(CORNERS, [shares @ CORNERS], shares)
    corners = points(all_of(svg, "polygon")[0])
    dot = all_of(svg, "circle")[-1]
    assert numbers(dot, "cx", "cy") == pytest.approx((shares @ corners).tolist(), abs=0.1)
    assert dot.get("data-cell") == "O 0 0"
    widths = [float(line.get("stroke-width")) for line in all_of(svg, "line")]
    assert widths[2] > widths[0] == widths[1]


def test_four_values_span_all_their_triangles_and_a_point_outside_has_room():
    four = [*CORNERS.tolist(), [5, 5]]
    svg = mixture_svg(four, [[1, 1], [9, -2]], [0.2, 0.3, 0.5, 0.1], chosen=0)
    assert len(all_of(svg, "polygon")) == 4
    for dot in all_of(svg, "circle"):
        assert all(0 < x < 320 for x in numbers(dot, "cx", "cy"))


def test_a_weight_of_zero_draws_no_line():
    svg = mixture_svg(CORNERS, [[0, 0]], [1.0, 0.0, 0.0])
    assert len(all_of(svg, "line")) == 1


@for_each(
    "call, words",
    [
        (lambda: curves_svg([1, 2], {"y": [1, 2, 3]}), r"\(3,\).*\(2,\)"),
        (lambda: histogram_svg([0, 1], [1, 2]), "2 edges but 2 heights"),
        (lambda: mixture_svg(CORNERS, [[0, 0]], [1.0]), "1 weights but 3 values"),
    ],
)
def test_what_does_not_fit_is_an_error_that_names_it(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize(
    "name, broken, test, arguments",
    [
        ("clean", str, test_any_token_gives_well_formed_xml, ("<s>",)),
        ("_lowered", lambda text, size: text, test_a_symbol_is_lowered_and_a_token_is_not, ()),
        ("number", str, test_a_plot_is_the_same_every_time_small_and_rounded, ("triangle",)),
        (
            "INK",
            "#000000",
            test_standing_alone_its_colours_follow_the_theme,
            (),
        ),
    ],
)
def test_a_breakage_is_noticed(monkeypatch, name, broken, test, arguments):
    monkeypatch.setattr(canvas_module, name, broken)
    with pytest.raises((AssertionError, ElementTree.ParseError)):
        getattr(test, "__wrapped__", test)(*arguments)
