"""Every lesson teaches by teaching_rules.py, and every rule has been seen to complain."""

import nbformat

from tests import teaching_rules
from tests.lessons import names, study, study_text, table_rows
from tests.loops import for_each
from tests.teaching_rules import TEACHING_RULES
from tests.test_lessons import code, pair


@for_each("name", names())
def test_a_lesson_teaches_by_the_rules(name):
    complaints = [
        f"{rule.__name__}: {complaint}"
        for rule in TEACHING_RULES
        for complaint in rule(study(name))
    ]
    assert complaints == []


def test_terms_are_introduced_by_lessons_that_exist():
    numbers = {name[:2] for name in names()}
    assert {number for _, _, number in teaching_rules.first_uses()} <= numbers


def test_the_notation_has_one_meaning_for_one_letter():
    for section in ("Sizes · 尺寸", "Matrices · 矩阵"):
        letters = [row[0] for row in table_rows(section, "notation.md")]
        assert letters and len(set(letters)) == len(letters)


BOX = '<div class="alert alert-info">\n\n{}\n\n</div>\n\n{}'
GOOD = [
    pair("# 07 · Share it out", "# 07 · 分配权重"),
    pair("## Mix\n\nA **temperature** divides.", "## 混合\n\n**温度**是除数。"),
    code('A = example.A\ntable(A)\ncurves(A, {}, symbols=("query", "key"))'),
    pair("## Try it", "## 动手试一试"),
    code('predict("07.1")'),
    code("softmax_explorer()"),
    code("heatmap(A)"),
    pair("## Exercises\n\n**1.** Write.", "## 练习\n\n**1.** 写一写。"),
    code('check("softmax_rows", ...)'),
    pair("**2.** Write.", "**2.** 写一写。"),
    code('check("mix", ...)'),
    pair("## Next\n\n" + BOX.format("One.", "Two?"), "## 下一课\n\n" + BOX.format("一。", "二？")),
]


def picture():
    """What a figure puts out."""
    return nbformat.v4.new_output("display_data", data={"image/png": "", "text/plain": "1 2"})


def plain(text):
    """The result of a cell that is no table."""
    return nbformat.v4.new_output("display_data", data={"text/plain": text})


PICTURES = (None, None, picture(), picture())


def lesson(*changes, outputs=PICTURES, add=""):
    """The good lesson with pieces of its text replaced, and something put before *Try it*."""
    text = "".join([*GOOD[:3], add, *GOOD[3:]])
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return study_text(text, outputs)


def test_the_good_lesson_is_good():
    assert [rule(lesson()) for rule in TEACHING_RULES] == [[]] * len(TEACHING_RULES)


BAD = [
    ("defined_before_use", lesson(("A **temp", "Induction heads. **Temp")), "introduced in"),
    ("defined_before_use", lesson(("**温度**", "归纳头，**温度**")), "introduced in lesson 15"),
    ("defined_before_use", lesson(("**温度**", "温度")), "(zh): the first '温度' is bold"),
    ("defined_before_use", lesson(("**temperature**", "x")), "'temperature' is introduced here"),
    ("phrases", lesson(("A **temp", "To be honest, a **temp")), "'To be honest'"),
    ("phrases", lesson(("是除数", "是除数，听不见分数")), "'听不见分数'"),
    ("named_numbers", lesson(outputs=["Q\n[[0.25 1.  ]\n"]), "without a name: [[0.25 1.  ]"),
    ("named_numbers", lesson(outputs=["False True"]), "without a name: False True"),
    ("named_numbers", lesson(outputs=[plain("(4, 4)")]), "without a name: (4, 4)"),
    ("axes_in_words", lesson(('("query", "key")', '("t", "L")')), "not in words.toml"),
    ("axes_in_words", lesson((', symbols=("query", "key")', "")), "not in words.toml"),
    ("running_example", lesson(("example.A", "a")), "not in the first three code cells"),
    ("running_example", lesson(("heatmap(A)", "b")), "does not return"),
    ("counted", lesson(("**2.** Write", "Write")), "(en): exercises [1], but 2 checks"),
    ("counted", lesson(("**2.** 写", "**3.** 写")), "(zh): exercises [1, 3], but 2 checks"),
    ("counted", lesson(("07.1", "07.2")), "in this order: ['07.2']"),
    ("explorer_first", lesson(('predict("07.1")', "heatmap(A)"), outputs=[None, picture()] * 2),
     "a figure before the explorer"),
    ("closing", lesson((BOX[:32], "<div>")), "has one box"),
    ("closing", lesson(("二？", "二。")), "(zh): after the box comes a question"),
]  # fmt: skip


@for_each(("rule", "bad", "complaint"), BAD)
def test_the_rule_complains(rule, bad, complaint):
    complaints = getattr(teaching_rules, rule)(bad)
    assert any(complaint in found for found in complaints), complaints


def test_every_rule_has_been_seen_to_complain():
    assert {rule.__name__ for rule in TEACHING_RULES} == {rule for rule, _, _ in BAD}


@for_each("shown", ["Q (4, 2)", "animal  0.25", "d_k = 4", ""])
def test_numbers_with_a_name_are_fine(shown):
    assert teaching_rules.named_numbers(lesson(outputs=[shown])) == []
