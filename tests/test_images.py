"""The lessons' pictures: up to date, without words, in the page's width, never remote."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from attention_core.drawing.screen import contrast
from tests.lessons import LISTED
from tests.loops import for_each

IMAGES = Path(__file__).resolve().parent.parent / "images"
NUMBERS = [lesson.picture.removesuffix(".svg") for lesson in LISTED]
SVG = "{http://www.w3.org/2000/svg}"

# Symbols, function names of the formulas, and the tokens of the examples; nothing else is a word.
NAMES = {"LN", "FFN", "softmax", "max", "exp", "Concat", "mold", "head", "model", "cos"}
NAMES |= {"dO", "dS", "dA", "AᵀdO", "dSᵀQ"}
TOKENS = {"animal", "street", "it", "tired", "wide"}
SENTENCE = "[CLS] the animal didn ' t cross the street because it was too tired . [SEP]".split()


def make(*arguments, folder=IMAGES):
    return subprocess.run(
        [sys.executable, "-W", "error", str(folder / "make.py"), *arguments],
        capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip


def root(number):
    return ElementTree.parse(IMAGES / f"{number}.svg").getroot()


def shown(number):
    return ["".join(text.itertext()) for text in root(number).iter(SVG + "text")]


def test_every_lesson_has_its_picture_and_no_other_is_left():
    assert sorted(file.stem for file in IMAGES.glob("*.svg")) == NUMBERS


def test_the_pictures_are_up_to_date():
    run = make("--check")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_a_picture_that_was_changed_missed_or_left_over_is_named(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(IMAGES))
    import make as images_make

    fresh = images_make.pictures()
    for name, text in fresh.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert images_make.out_of_date(tmp_path) == []
    (tmp_path / "03.svg").write_text(fresh["03.svg"] + " ", encoding="utf-8")
    (tmp_path / "05.svg").unlink()
    (tmp_path / "99.svg").write_text("", encoding="utf-8")
    assert images_make.out_of_date(tmp_path) == ["03.svg", "05.svg", "99.svg"]


@for_each("number", NUMBERS)
def test_a_picture_holds_symbols_and_tokens_but_no_words(number):
    allowed = NAMES | TOKENS | ({*SENTENCE, "CLS", "SEP"} if number == "15" else set())
    for text in shown(number):
        words = re.findall(r"[A-Za-zᵀ]{2,}", text)
        unknown = [w for w in words if w not in allowed and not re.fullmatch(r"[QKVAWXO][A-Zᵀ]+|"
                   r"[a-zA-Z][ijkvqQKVO]|Sij|d(model|head)|αij|Σj", w)]  # fmt: skip
        assert not unknown, text


@for_each("number", NUMBERS)
def test_a_picture_has_no_ground_and_the_width_of_a_lesson(number):
    image = root(number)
    assert image.get("width") == "720" and 240 <= float(image.get("height")) <= 440
    for rect in image.iter(SVG + "rect"):
        area = float(rect.get("width")) * float(rect.get("height"))
        assert rect.get("fill") == "none" or area < 0.1 * 720 * 240
    assert len(image.findtext(SVG + "title")) > 3
    text = (IMAGES / f"{number}.svg").read_text(encoding="utf-8")
    assert len(text.encode()) < 64_000
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


# Colours on the page, light and dark ---------------------------------------------------------

PAGES = {"light": "#ffffff", "dark": "#111111"}


def colours(image, theme):
    """From (attribute, colour as written) to the colour that is seen in a theme."""
    rules = re.findall(r'\[(fill|stroke)="(#\w+)"\]\{\1:(#\w+)\}', image.findtext(SVG + "style"))
    given = {(key, light): dark for key, light, dark in rules} if theme == "dark" else {}
    ink = re.search(r"svg\{color:(#\w+)\}", image.findtext(SVG + "style"))[1]
    own = {"light": image.get("color"), "dark": ink}[theme]
    return lambda key, colour: own if colour == "currentColor" else given.get((key, colour), colour)


def mixed(over, under, share):
    pairs = ((int(over[i : i + 2], 16), int(under[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def ground_of(text, image, seen, page):
    """What is painted under the middle of a text, by the rectangles before it."""
    x = float(text.get("x"))
    y = float(text.get("y")) - 0.35 * float(text.get("font-size"))
    reach = 0.3 * float(text.get("font-size")) * len("".join(text.itertext()))
    x += {"middle": 0, "end": -reach, None: reach}[text.get("text-anchor")]
    for shape in image:
        if shape is text:
            return page
        if shape.tag == SVG + "rect" and shape.get("fill") != "none":
            left, top, wide, tall = (float(shape.get(k)) for k in ("x", "y", "width", "height"))
            if left <= x <= left + wide and top <= y <= top + tall:
                share = float(shape.get("fill-opacity", 1))
                page = mixed(seen("fill", shape.get("fill")), page, share)
    raise AssertionError("the text is not in the picture")


def weak_texts(number, theme, page, least):
    image = root(number)
    seen = colours(image, theme)
    for text in image.iter(SVG + "text"):
        ground = ground_of(text, image, seen, page)
        against = contrast(seen("fill", text.get("fill")), ground)
        if against < least:
            yield "".join(text.itertext()), ground, round(against, 2)


@for_each("number", NUMBERS)
def test_every_text_reads_in_both_themes_and_is_seen_on_the_other_page(number):
    for theme, page in PAGES.items():
        assert not [*weak_texts(number, theme, page, 4.5)]
    for theme, page in zip(PAGES, reversed(PAGES.values()), strict=True):
        assert not [*weak_texts(number, theme, page, 3)]


@for_each("number", NUMBERS)
def test_every_line_and_frame_is_seen_on_either_page(number):
    image = root(number)
    for theme in PAGES:
        seen = colours(image, theme)
        for shape in image.iter():
            ink = shape.get("stroke")
            if ink and not shape.get("stroke-opacity"):
                assert min(contrast(seen("stroke", ink), page) for page in PAGES.values()) >= 3, ink


@for_each("number", NUMBERS)
def test_nothing_leaves_the_picture_and_small_print_is_legible(number):
    image = root(number)
    width, height = float(image.get("width")), float(image.get("height"))
    for text in image.iter(SVG + "text"):
        size, x, y = (float(text.get(key)) for key in ("font-size", "x", "y"))
        reach = 0.62 * size * len("".join(text.itertext()))
        share = {"middle": 0.5, "end": 1.0, None: 0.0}[text.get("text-anchor")]
        assert size >= 10.5
        assert -4 <= x - share * reach and x + (1 - share) * reach <= width + 4
        assert size * 0.6 <= y <= height
    for rect in image.iter(SVG + "rect"):
        x, y, w, h = (float(rect.get(key)) for key in ("x", "y", "width", "height"))
        assert 0 <= x and x + w <= width and 0 <= y and y + h <= height


# Numbers worked out apart from the package --------------------------------------------------


def test_the_worked_example_shows_its_raw_scores_only():
    texts = shown("09")
    assert texts[-9:].count("1") >= 2 and "2" in texts
    assert not any("." in text for text in texts)  # what comes out is worked out in the lesson


def test_the_scores_picture_adds_up():
    assert "S41 = q4·k1 = 1·1 + 2·1 = 3" in shown("04")


def test_the_causal_picture_hides_exactly_the_future():
    assert shown("08").count("−∞") == 6 and shown("08").count("0") == 10


def test_the_wall_holds_real_heads_that_differ():
    cells = [rect for rect in root("15").iter(SVG + "rect") if rect.get("fill") != "none"]
    assert sum(rect.get("width") == "88" for rect in root("15").iter(SVG + "rect")) == 24
    assert len(cells) > 300
