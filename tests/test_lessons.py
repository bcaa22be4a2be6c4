"""All lessons keep the rules of lesson_rules.py, and every rule has been seen to complain."""

import nbformat

from notebooks.building import files, running
from tests import lesson_rules
from tests.lessons import NOTEBOOKS, fixed_headings, names, study, study_text, terms
from tests.loops import for_each


def test_there_are_lessons():
    assert names()


@for_each("rule", lesson_rules.RULES)
@for_each("name", names())
def test_a_lesson_keeps_the_rule(name, rule):
    assert rule(study(name)) == []


# ---------------------------------------------------------------- a lesson that keeps every rule


def pair(english, chinese):
    """A prose cell in both languages."""
    return f'+++ {{"lang": "en"}}\n\n{english}\n\n+++ {{"lang": "zh"}}\n\n{chinese}\n\n'


def code(source, options=""):
    """A code cell."""
    return f"```{{code-cell}}\n{options}{source}\n```\n\n"


PICTURE = "![{}](../../images/07.svg)"
GOOD = [
    pair("# 07 · Share it out", "# 07 · 分配权重"),
    pair(
        "## You will\n\nShare.\n\n## You need\n\nLesson 06.",
        "## 学习目标\n\n分配。\n\n## 预备知识\n\n第 6 课。",
    ),
    pair("## Mix\n\n$$a_1 + 0.5$$\n\nIt is 0.25.", "## 混合\n\n$$a_1 + 0.5$$\n\n结果是 0.25。"),
    code("a = 0.5\nprint(a * a)"),
    pair("## Try it\n\nWhich?", "## 动手试一试\n\n哪一个？"),
    code("x = softmax_explorer()\nx"),
    pair("<details>\n\nThis.\n\n</details>", "<details>\n\n这个。\n\n</details>"),
    pair("## Exercises\n\nWrite.", "## 练习\n\n写一写。"),
    code('def f(s):\n    return ...\n\n\ncheck("softmax_rows", f)'),
    pair("## In practice\n\nFine.", "## 工程实践\n\n好。"),
    pair("## Next\n\nMasks.", "## 下一课\n\n掩码。"),
]
OUTPUTS = ["0.25\n", "-0.50\n", "…\n"]


def lesson(*changes, outputs=OUTPUTS, add=""):
    """The good lesson with pieces of its text replaced, and something put behind its mixing."""
    text = "".join([*GOOD[:4], add, *GOOD[4:]])
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return study_text(text, outputs)


EXEMPT = ("title_picture",)  # its picture would have to exist


@for_each("rule", lesson_rules.RULES)
def test_the_good_lesson_is_good(rule):
    if rule.__name__ in EXEMPT:
        old = "# 07 · Share it out", "# 07 · 分配权重"
        good = lesson(*((title, f"{title}\n\n{PICTURE.format('x')}") for title in old))
    else:
        good = lesson()
    assert rule(good) == []


def broken_notebook(change):
    """The good lesson, with its English notebook changed by hand."""
    good = lesson()
    change(good.notebooks["en"])
    return good


def store(**fields):
    """A change that puts an output into the second code cell."""

    def change(notebook):
        output = nbformat.v4.new_output(**fields)
        files.code_cells(notebook)[1].outputs = [output]

    return change


WORDS = "word " * 119
LONG_CODE = "\n".join(f"a_{k} = {k}" for k in range(16))

BAD = [
    ("budgets", lesson(("Share.", WORDS)), "length 121 > 120"),
    ("budgets", lesson(("分配。", "字" * 238)), "(zh): length 241 > 240"),
    ("budgets", lesson(add=code(LONG_CODE)), "16 lines > 15"),
    (
        "budgets",
        lesson(("print(a * a)", "1\n2\n3\n4\n5"), ("x\n```", "x\n1\n2\n3\n4\n```")),
        "half of",
    ),
    ("budgets", lesson(add=code("a") * 60), "cells > 60"),
    ("budgets", lesson(("Share.", "| a |\n" * 15)), "15 table rows"),
    ("file_size", lesson(outputs=["0.25" * 200_000]), "characters > 500000"),
    ("comments_translated", lesson(add=code("# reads its key")), "not translated: # reads its"),
    ("comments_translated", lesson(add=code("# 读键")), "Chinese comment: # 读键"),
    ("no_words_in_code", lesson(add=code('print("The answer is")')), "words in code"),
    ("no_words_in_code", lesson(add=code('print("profit", a)')), "(profit)"),
    ("no_words_in_code", lesson(add=code('print(f"result = {a}")')), "(result)"),
    ("no_words_in_code", lesson(add=code('f(title="Weights")')), "(Weights)"),
    ("no_words_in_code", lesson(add=code('def g(s):\n    """Add."""')), "(Add)"),
    ("no_words_in_code", lesson(add=code('["权重"]')), "words in code"),
    ("no_words_in_code", lesson(add=code("%time a")), "not plain Python"),
    ("tidy_code", lesson(add=code("%time a")), "magic: %time a"),
    ("tidy_code", lesson(add=code("import time")), "no timings"),
    ("tidy_code", lesson(add=code("np.random.seed(0)")), "global random state"),
    ("tidy_code", lesson(add=code("interact(f)")), "use an explorer"),
    ("tidy_code", lesson(add=code('warnings.simplefilter("ignore")')), "met, not hidden"),
    ("tidy_code", lesson(add=code("S = Q @ K.T")), "turns every axis"),
    ("tidy_code", lesson(add=code('solution("softmax_rows")')), "shows itself"),
    (
        "same_code",
        broken_notebook(lambda notebook: notebook.cells[4].update(source="a = 1")),
        "the code cells differ",
    ),
    (
        "same_code",
        broken_notebook(lambda notebook: notebook.cells[1].update(source="import numpy as np")),
        "the set-up cells differ",
    ),
    ("same_code", lesson()._replace(notebooks={"en": None, "zh": None}), "not built"),
    ("outline", lesson(("## 混合", "### 混合")), "differ in number or level"),
    ("outline", lesson(("## Mix", "# Mix"), ("## 混合", "# 混合")), "one level-one heading"),
    ("outline", lesson(("# 07 · Share", "# Share")), "the title is '# 07 · …'"),
    ("outline", lesson(("## Exercises", "## Exercise")), "'Exercises' stands 0 times"),
    ("outline", lesson(("## 工程实践", "## 实践")), "'工程实践' stands 0 times"),
    ("outline", lesson(("## Mix", "## Next"), ("## 混合", "## 下一课")), "stands 2 times"),
    ("outline", lesson(("## Mix\n", ""), ("## 混合\n", "")), "no step between"),
    (
        "outline",
        lesson(("## In practice", "## Next"), ("## Next\n\nM", "## In practice\n\nM")),
        "order",
    ),
    (
        "outline",
        lesson(("## 混合", "## 动手试一试"), ("## 动手试一试\n\n哪", "## 混合\n\n哪")),
        "no step between",
    ),
    ("outline", lesson(("Masks.", "Masks.\n\n## A"), ("掩码。", "掩码。\n\n## 甲")), "comes last"),
    ("outline", lesson(("Masks.", "### Try it"), ("掩码。", "### 动手试一试")), "is a level-two"),
    ("question_first", lesson(("Which?", "Look.")), "en: 'Try it' asks nothing"),
    ("question_first", lesson(("哪一个？", "看。")), "zh: 'Try it' asks nothing"),
    ("question_first", lesson(("x = softmax_explorer()\nx", "a")), "no explorer and no figure"),
    (
        "question_first",
        lesson(("<details>\n\nT", "T"), ("s.\n\n</details>", "s.")),
        "no folded answer",
    ),
    ("exercises_checked", lesson(('check("softmax_rows", f)', "f")), "no check"),
    ("exercises_checked", lesson(("return ...", "return s")), "no stub"),
    ("decimals", lesson(("It is 0.25.", "It is 0.26.")), "(en): 0.26 is not shown"),
    ("decimals", lesson(("结果是 0.25。", "结果是 −0.25。")), "(zh): −0.25 is not shown"),
    ("decimals", lesson(("It is 0.25.", "It is 0.250."), outputs=["0.2512"]), "0.250 is not shown"),
    ("decimals", lesson(("It is 0.25.", "[1.5,0.77]")), "0.77 is not shown"),
    ("decimals", lesson(("It is 0.25.", "$x \\approx 0.77$")), "0.77 is not shown"),
    ("decimals", lesson(("It is 0.25.", "It is 24.9 %.")), "24.9 is not shown"),
    ("formulas_sound", lesson(("It is 0.25.", "It is $a.")), "a $ has no partner"),
    ("formulas_sound", lesson(("It is 0.25.", "$a_{1$")), "unequal braces"),
    ("formulas_sound", lesson(("It is 0.25.", r"$\text{d_k}$")), "bare _ in \\text"),
    ("formulas_sound", lesson(("It is 0.25.", "$softmax(S)$")), "'softmax' without"),
    ("formulas_sound", lesson(("It is 0.25.", r"$\left( a$")), "\\left without"),
    ("formulas_sound", lesson(("It is 0.25.", r"$\begin{bmatrix} a$")), "\\begin without"),
    ("formulas_sound", lesson(("结果是 0.25。", "$头_1$")), "Chinese outside"),
    ("same_formulas", lesson(("$$a_1 + 0.5$$\n\nI", "$$a_1 + 1$$\n\nI")), "formulas differ"),
    ("links_resolve", lesson(("Share.", "[a](99_none.ipynb)")), "99_none.ipynb leads nowhere"),
    ("links_resolve", lesson(("Share.", "![a](../../images/none.svg)")), "none.svg leads nowhere"),
    ("links_resolve", lesson(("Share.", "![](../../README.md)")), "no alternative text"),
    ("links_resolve", lesson(("Share.", "![a](https://example.org/a.png)")), "would be fetched"),
    ("links_resolve", lesson(("Share.", "![a](../../README.md)")), "pictures differ"),
    ("links_resolve", lesson(("Share.", '<img src="a.png">')), "raw HTML"),
    ("title_picture", lesson(), "0 pictures in the title cell"),
    ("finished", lesson(("Share.", "TODO")), "unfinished: TODO"),
    ("finished", lesson(("分配。", "待补充")), "unfinished: 待补充"),
    ("glossary_words", lesson(("分配。", "令牌")), "write 词元"),
    ("glossary_words", lesson(("分配。", "每个 token 都有")), "'token'; write 词元"),
    ("glossary_words", lesson(("Share.", "look-ahead mask")), "'look-ahead mask'"),
    ("right_language", lesson(("Share.", "分配注意力")), "Chinese in English"),
    ("right_language", lesson(("写一写。", "Write."), ("## 练习\n", "")), "not translated"),
    ("right_language", lesson(("分配。", "分配,混合。")), "half-width"),
    (
        "notebooks_clean",
        broken_notebook(lambda notebook: notebook.metadata.kernelspec.update(name="py311")),
        "not python3",
    ),
    (
        "notebooks_clean",
        broken_notebook(lambda notebook: notebook.metadata.update(widgets={})),
        "widget state",
    ),
    (
        "notebooks_clean",
        broken_notebook(store(output_type="stream", name="stderr", text="Warning")),
        "an error or a warning",
    ),
    (
        "notebooks_clean",
        broken_notebook(store(output_type="error", ename="E", evalue="", traceback=[])),
        "an error or a warning",
    ),
    (
        "notebooks_clean",
        broken_notebook(store(output_type="display_data", data={running.WIDGET_VIEW: {}})),
        "a widget view is stored",
    ),
    (
        "notebooks_clean",
        broken_notebook(store(output_type="display_data", data={"text/plain": "<A at 0x7f12ab>"})),
        "at 0x7f12ab",
    ),
    (
        "notebooks_clean",
        broken_notebook(store(output_type="display_data", data={"text/plain": "VBox(children=("})),
        "VBox(children",
    ),
]


@for_each(("rule", "bad", "complaint"), BAD)
def test_the_rule_complains(rule, bad, complaint):
    complaints = getattr(lesson_rules, rule)(bad)
    assert any(complaint in found for found in complaints), complaints


def test_every_rule_has_been_seen_to_complain():
    assert {rule.__name__ for rule in lesson_rules.RULES} == {rule for rule, _, _ in BAD}


ALLOWED = [
    code('table(a, rows=["query"], title="mean")'),
    code('check("split_heads", f)'),
    code('print(f"a = {a:.2f}, d_k: {a}", "→ q·k", "T1", "x_1")'),
    code('w = np.einsum("...id,...jd->...ij", q, k)'),
    code('for kind in ("none", "causal"):\n    print(kind)'),
    code('tokens = "The animal didn\'t cross the street because it was too tired.".split()'),
    code('tokens = ["动物", "没有", "过", "马路"]\n["The", "animal", "didn\'t", "."]'),
    code('loss = a\nprint("loss", loss)'),
    code('x.controls["d_k"].value = 4'),
    code('print(*"ABC", sep=" · ")'),
]


@for_each("cell", ALLOWED)
def test_symbols_names_and_tokens_are_allowed_in_code(cell):
    assert lesson_rules.no_words_in_code(lesson(add=cell)) == []


def test_comments_are_written_once_in_each_language():
    add = code("# en: mix  # zh: 混合\na = 0.5  # en: half  # zh: 一半")
    found = lesson(add=add, outputs=[None, *OUTPUTS])
    cells = [files.code_cells(found.notebooks[name])[2].source for name in ("en", "zh")]
    assert cells == ["# mix\na = 0.5  # half", "# 混合\na = 0.5  # 一半"]
    assert [rule(found) for rule in (lesson_rules.same_code, lesson_rules.comments_translated)] == [
        [],
        [],
    ]


SHOWN = ["-0.50 1e-3 1234.5", "0.3333", "[1. 2.]", "<td title='0.77'>0.125</td>"]


@for_each(
    ("shown", "said"),
    [
        ("-0.50", "−0.5"),
        ("-0.50", "$-0.5$"),
        ("1e-3", "0.001"),
        ("0.3333", "0.33"),
        ("[1. 2.]", "1.0"),
        ("0.3333", "33.3 %"),
        ("0.3333", r"$33.3\%$"),
        ("0.77", 'lesson `predict("07.1")`, 0.77'),
    ],
)
def test_a_number_may_be_said_in_its_rounded_forms(shown, said):
    text = lesson(("It is 0.25.", said), ("结果是 0.25。", "好。"), outputs=[shown])
    assert lesson_rules.decimals(text) == []


def test_numbers_in_attributes_are_not_shown():
    table = nbformat.v4.new_output(
        "display_data", data={"text/html": "<td title='0.77'>0.25</td>", "text/plain": ""}
    )
    text = lesson(("It is 0.25.", "It is 0.77."), outputs=[table])
    assert lesson_rules.decimals(text) == ["cell 3 (en): 0.77 is not shown"]


def test_a_prediction_is_question_and_answer():
    changes = [
        ("Which?", "Look."),
        ("哪一个？", "看。"),
        ("<details>\n\nThis.\n\n</details>", "This."),
        ("<details>\n\n这个。\n\n</details>", "这个。"),
        ("x = softmax_explorer()", 'predict("07.1")\nx = softmax_explorer()'),
    ]
    assert lesson_rules.question_first(lesson(*changes[:4])) != []
    split = [
        *changes[:4],
        (
            "x = softmax_explorer()",
            'predict("07.1")\n```\n\n```{code-cell}\nx = softmax_explorer()',
        ),
    ]
    assert lesson_rules.question_first(lesson(*split, outputs=[])) == []


def test_the_glossary_has_one_term_for_one_term():
    english = [term.en for term in terms()]
    chinese = [term.zh for term in terms()]
    assert len(set(english)) == len(english)
    assert len(set(chinese)) == len(chinese)
    for term in terms():
        for other in terms():
            for word in term.never:
                assert word not in other.zh, f"{word} is forbidden, but {other.zh} contains it"


def test_headings_are_fixed_in_both_languages():
    assert len(fixed_headings("en")) == len(fixed_headings("zh")) == 6
    assert (NOTEBOOKS / "glossary.md").exists()
