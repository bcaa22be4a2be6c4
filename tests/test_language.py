"""The words that code says: both languages, the same values in both."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

import attention_core
from attention_core.language import Words, language, say, speaking, use_language
from tests.loops import for_each

ROOT = Path(attention_core.__file__).parent
HELLO = Words("{n} keys, {x:.2f}", "{n} 个键,{x:.2f}")


def pairs():
    """Every `Words(en, zh)` of the package whose texts stand in the source."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Words":
                texts = node.args + [keyword.value for keyword in node.keywords]
                if all(isinstance(text, ast.Constant) for text in texts):
                    where = f"{path.relative_to(ROOT)}:{node.lineno}"
                    yield pytest.param(*(text.value for text in texts), id=where)


PAIRS = list(pairs())


def fields(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def test_english_until_chosen():
    assert language() == "en"
    assert say(HELLO, n=3, x=0.5) == "3 keys, 0.50"


def test_chinese_when_chosen():
    use_language("zh")
    assert language() == "zh"
    assert say(HELLO, n=3, x=0.5) == "3 个键,0.50"


def test_the_package_chooses_for_all_of_it():
    attention_core.use_language("zh")
    assert say(Words("a", "甲")) == "甲"
    attention_core.use_language("en")
    assert say(Words("a", "甲")) == "a"


@for_each("wrong", ["fr", "EN", "zh-CN", "", None, 1])
def test_another_language_is_refused_and_changes_nothing(wrong):
    use_language("zh")
    with pytest.raises(ValueError) as error:
        use_language(wrong)
    assert str(error.value) == f'use_language: {wrong!r} is not here; it must be "en" or "zh"'
    assert language() == "zh"


def test_a_remembered_language_is_spoken_in_its_block_only():
    use_language("zh")
    in_chinese = speaking()
    use_language("en")
    with in_chinese():
        assert say(Words("a", "甲")) == "甲"
    assert language() == "en"
    with pytest.raises(KeyError), in_chinese():
        raise KeyError
    assert language() == "en"


def test_the_pairs_were_found():
    assert len(PAIRS) > 20


@for_each(("en", "zh"), PAIRS)
def test_both_languages_say_it_with_the_same_values(en, zh):
    assert fields(en) == fields(zh)
    assert bool(en.strip()) == bool(zh.strip())


@for_each(("en", "zh"), PAIRS)
def test_each_language_is_itself(en, zh):
    """No Chinese in the English but a word that both quote; Chinese has its own characters."""
    chinese = re.compile(r"[\u4e00-\u9fff]")
    quoted = re.findall("“([^”]*)”", zh)
    assert set(re.findall(chinese.pattern + "+", en)) <= set(quoted)
    if en == zh and re.search(r"[=(]", en):
        return  # a line of code reads the same in both
    words = re.sub(r"`[^`]*`|\{[^}]*\}|\$[^$]*\$", "", en)
    if len(re.findall(r"[A-Za-z]{3,}", words)) > 2:
        assert chinese.search(zh)
