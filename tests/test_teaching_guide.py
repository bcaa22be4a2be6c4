"""The teaching guide: each lesson in it, in both languages, and its numbers computed."""

import re

import numpy as np
import pytest

from attention_core import attention, attention_scores, example, explorers, softmax
from tests.lessons import LISTED, NOTEBOOKS

GUIDES = {lang: (NOTEBOOKS / f"teaching.{lang}.md").read_text("utf-8") for lang in ("en", "zh")}
POINTS = {
    "en": ("Open with", "Change", "Wrong answer", "Refute it", "Exam 1", "Exam 2"),
    "zh": ("开场问题", "当堂改动", "预料中的错误答案", "怎样推翻", "考题 1", "考题 2"),
}
ANSWER = {"en": "*Answer*:", "zh": "*答*："}


def parts(language):
    """The guide's part on each lesson, by its number."""
    pieces = re.split(r"^### (\d\d) · ", GUIDES[language], flags=re.M)[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


@pytest.mark.parametrize("language", POINTS)
def test_every_lesson_has_its_points_in_the_order_of_the_course(language):
    found = parts(language)
    assert list(found) == [lesson.number for lesson in LISTED]
    faults = []
    for lesson in LISTED:
        text = found[lesson.number]
        if not text.startswith(getattr(lesson, language)):
            faults.append(f"{lesson.number}: the title is not the lesson's")
        faults += [f"{lesson.number}: no {p}" for p in POINTS[language] if f"**{p}" not in text]
        if text.count(ANSWER[language]) != 2:
            faults.append(f"{lesson.number}: two exam questions have two answers")
    assert faults == []


def test_both_languages_say_the_same_numbers():
    english, chinese = parts("en"), parts("zh")
    number = re.compile(r"(?<![\w.])\d+\.\d+")
    for key in english:
        assert sorted(number.findall(english[key])) == sorted(number.findall(chinese[key])), key


def test_numbers_of_the_guide_are_the_courses():
    q, k, v = example.qkv("tired")
    output, weights = attention(q, k, v)
    wide = attention(*example.qkv("wide"))[1]
    claims = {
        "00": (weights[3, 0], 0.70),
        "03": (weights[3, 2], 0.17),
        "07": (np.array([0.2, 0.3, 0.5]) @ [1, 0, 4], 2.2),
        "09": (softmax([0, 0.71])[1], 0.67),
        "17": (np.exp(2 - 5), 0.05),
    }
    for lesson, (value, said) in claims.items():
        assert round(float(value), 2) == said, lesson
        assert f"{said}" in parts("en")[lesson], lesson
    assert round(float(wide[3, 1]), 2) == 0.70
    scores = attention_scores(q, k)
    assert (scores[3, 0], scores[0, 3]) == (3, 0)
    assert (v[2] == 0).all()
    assert output.shape == (4, 3)
    assert 4096**2 * 4 == 64 * 2**20


def test_what_the_guide_sets_in_an_explorer_can_be_set_and_does_it():
    softmax_ = explorers.softmax_explorer()
    before = softmax_.result["A"]
    softmax_.controls["c"].value = 1000
    assert np.allclose(softmax_.result["A"], before)
    softmax_.controls["T"].value = 0.25
    assert (softmax_.result["A"].max(axis=-1) >= before.max(axis=-1)).all()
    saturated = explorers.gradients_explorer()
    for column in (0, 1):
        saturated.controls["Q"].set_cell(3, column, 20)
    result = saturated.result
    assert np.allclose(result["A"][3], [1, 0, 0, 0], atol=0.005)
    assert np.abs(result["dQ"][3]).max() < 0.005 and np.abs(result["dK"]).max() < 0.005
    assert np.allclose(result["dV"][0], [1, -1, 0], atol=0.005)
    long_ = explorers.long_explorer()
    long_.controls["text"].value = 4096
    assert long_.controls["text"].value == 4096 and "step" in long_.controls
    words = explorers.parameters_explorer()
    queries = words.result["Q"]
    words.controls["sentence"].value = "wide"
    assert (words.result["Q"] != queries).any(axis=-1).sum() == 1
