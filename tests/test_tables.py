"""`table`: every number has its names, in both languages, as text and as HTML."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from attention_core import use_language
from attention_core.drawing.figure_text import width
from attention_core.figures import bars, heatmap, table
from attention_core.figures.wording import vocabulary, worded
from attention_core.language import Token
from attention_core.trained import load_head, load_model, tokens

NARROW = np.array([[1.0, 0.0], [0.25, 0.75], [2 / 3, 1 / 3]])


@pytest.fixture(autouse=True)
def english_again():
    yield
    use_language("en")


class Parts(HTMLParser):
    """The texts of an HTML table by the tag that they stand in, and the classes of its cells."""

    def __init__(self, shown):
        super().__init__()
        self.found, self.looks, self.open = {}, [], []
        self.feed(shown._repr_html_())

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag in ("td", "th", "caption"):
            self.found.setdefault(tag, []).append("")
        if tag == "td":
            self.looks.append(dict(attrs)["class"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        for tag in ("td", "th", "caption"):
            if tag in self.open:
                self.found[tag][-1] += data


def test_a_matrix_carries_its_labels_as_text_and_as_html():
    shown = table(A=NARROW, rows=["a", "b", "c"], cols=["x", "y"], corner="query")
    assert str(shown).splitlines() == [
        "A · weights (3 × 2)",
        "query     x     y",
        "    a     1     0",
        "    b  0.25  0.75",
        "    c  0.67  0.33",
    ]
    parts = Parts(shown)
    assert parts.found["th"] == ["query", "x", "y", "a", "b", "c"]
    assert parts.found["td"] == ["1", "0", "0.25", "0.75", "0.67", "0.33"]
    assert parts.found["caption"] == ["A · weights (3 × 2)"]


def test_columns_stay_aligned_under_chinese_labels():
    use_language("zh")
    lines = str(table(A=NARROW, rows=["动物", "它", "x"], cols=["动物", "马路"])).splitlines()
    assert lines[0] == "A · 注意力权重 (3 × 2)"
    assert len({width(line) for line in lines[1:]}) == 1


def test_words_follow_the_language_and_symbols_do_not():
    assert str(table(variance=2.5, d_k=4)) == "variance  2.50\n     d_k     4"
    use_language("zh")
    assert str(table(variance=2.5, d_k=4)) == "方差  2.50\n d_k     4"


def test_rows_of_numbers_stand_below_one_another():
    shown = table(scores=[2, -1.5, 0], weights=[0.9, 0.02, 0.08], cols=["a", "b", "c"])
    assert str(shown).splitlines()[1].split() == ["scores", "2", "−1.50", "0"]
    assert Parts(shown).looks[3:] == ["wt strong", "wt", "wt"]


def test_looks_tell_sign_weight_zero_and_mask():
    signed = table(S=[[3, -0.5, 0, -np.inf]], cols="abcd")
    assert Parts(signed).looks == ["pos strong", "neg", "zero", "off"]
    hidden = table(A=[[1, 0]], masked=[[False, True]], cols="ab")
    assert Parts(hidden).looks == ["wt strong", "off"]
    one_of_two = table(A=[[1, 0]], A_M=[[1, 0]], masked={"A_M": [[False, True]]}, cols="ab")
    assert Parts(one_of_two).looks == ["wt strong", "zero", "wt strong", "off"]
    assert Parts(table([[1, 2]], cols="ab")).looks == ["plain", "plain"]
    assert Parts(table([[1, -2]], cols="ab", kind="scores")).looks == ["pos", "neg strong"]


def test_numbers_are_never_cut_and_never_minus_zero():
    shown = str(table(a=-0.0, b=-0.001, c=0.0004, d=1e308, e=-1234567, f=np.nan, g=np.inf))
    texts = [line.split()[1] for line in shown.splitlines()]
    assert texts == ["0", "−1e−3", "4e−4", "1e308", "−1234567", "·", "∞"]


def test_matrices_of_several_sizes_take_the_labels_that_fit():
    shown = table(Q=np.ones((3, 2)), S=np.ones((3, 3)), rows="abc", cols={"S": "xyz"})
    assert str(shown).splitlines()[1].split() == ["1", "2"]
    assert str(shown).splitlines()[7].split() == ["x", "y", "z"]


def test_single_things_may_be_words_shapes_and_truths():
    use_language("zh")
    lines = str(table({"S": (4, 2), "query": True, "key": "no"})).splitlines()
    assert [line.split(maxsplit=1)[1] for line in lines] == ["(4, 2)", "是", "否"]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: table(), "nothing to show"),
        (lambda: table([[1]], kind="wrong"), "kind is 'wrong' but must be"),
        (lambda: table([[1, 2]], cols=["a"]), "1 cols labels but the sizes are"),
        (lambda: table(A=np.ones((2, 2, 2))), "A has 3 axes"),
    ],
)
def test_bad_calls_get_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_what_a_table_shows_cannot_write_html():
    shown = table([[1]], rows=["<b>"], cols=["&"])._repr_html_()
    assert "&lt;b&gt;" in shown and '<th scope="col">&amp;</th>' in shown


def test_the_style_knows_both_themes_and_every_look():
    style = re.search(r"<style>(.*)</style>", table([[1]])._repr_html_()).group(1)
    assert 'body[data-jp-theme-light="false"]' in style
    for look in ("pos", "neg", "wt", "zero", "off", "plain", "strong"):
        assert f".{look} " in style or f".{look}," in style, look


def test_vocabulary_is_chinese_on_its_chinese_side():
    for en, words in vocabulary().items():
        assert re.search(r"[\u3400-\u9fff]", words.zh) and not re.search(r"[\u3400-\u9fff]", en)
    assert worded("nothing that is listed") == "nothing that is listed"


def test_what_stands_above_a_table_is_in_the_readers_language():
    use_language("zh")
    shown = table({"undivided": [[1, 2]], "W_Q": [[3, 4]]}, kind="plain")
    assert str(shown).split("\n")[0] == "不除" and "W_Q" in str(shown)
    assert "<b>不除</b>" in shown._repr_html_()


@pytest.mark.parametrize("word", ["time", "key", "no"])
def test_a_token_is_no_label(word):
    """A sentence may hold a word that is also the English of a label."""
    use_language("zh")
    token, label = Token(word), worded(word)
    assert label != word
    for shown in (
        table([[1, 2]], rows=[token], cols=[token, word]),
        heatmap([[1, 2]], [token], [token, word]),
        bars([1, 2], [token, word]),
    ):
        seen = str(shown).split()
        assert token in seen and label in seen


def test_what_a_model_read_are_tokens():
    read = (*tokens("decoder", "tired"), *load_head("multilingual", "zh", 8, 8).rows)
    assert {type(token) for token in (*read, *load_model().tokens("no time"))} == {Token}
