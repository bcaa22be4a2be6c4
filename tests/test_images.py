"""The lessons' pictures: up to date, without words, in the page's width, never remote."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

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
def test_a_picture_stands_on_white_at_the_width_of_a_lesson(number):
    image = root(number)
    assert image.get("width") == "720" and 240 <= float(image.get("height")) <= 440
    ground = image.find(SVG + "rect")
    assert ground.get("fill") == "#ffffff" and ground.get("rx")
    assert image.get("color") == "#222222"
    assert len(image.findtext(SVG + "title")) > 3
    text = (IMAGES / f"{number}.svg").read_text(encoding="utf-8")
    assert len(text.encode()) < 64_000
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


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
        if rect.get("width") != "100%":
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
