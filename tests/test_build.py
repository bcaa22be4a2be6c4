"""The build: the same bytes twice, clear faults, and a check that sees every edit."""

import doctest
import json
import re
import shutil

import pytest
from nbformat import v4

from notebooks import build, lesson_list
from notebooks.building import comparing, files, making, reading, running
from tests.lessons import LANGUAGES, NOTEBOOKS
from tests.loops import for_each

EN, ZH = '+++ {"lang": "en"}\n\n', '+++ {"lang": "zh"}\n\n'
TITLE = f"{EN}# 01 · Small\n\n{ZH}# 01 · 小\n\n"
LESSON = f"""{TITLE}```{{code-cell}}
:claims: [C1.1]
:tags: [data]

a = np.arange(3)
print(a)
print(a + 1)
```

{EN}Look: $a_1$.

{ZH}看：$a_1$。

```{{code-cell}}
a
```

{EN}Look again.

{ZH}再看。

```{{code-cell}}
a
```

```{{code-cell}}
from ipywidgets import IntSlider

slider = IntSlider()
view = "application/vnd.jupyter.widget-view+json"
still = {{"text/html": "<b>0</b>", "text/plain": "0"}}
display({{view: {{"model_id": slider.model_id}}, **still}}, raw=True)
```
"""
SECOND = LESSON.replace("01 · Small", "02 · Second").replace("01 · 小", "02 · 第二课")


def cells(*codes):
    """A lesson with these code cells."""
    return TITLE + "\n".join(f"```{{code-cell}}\n{code}\n```\n" for code in codes)


def course(folder, **sources):
    """A folder of notebooks with these sources."""
    (folder / "source").mkdir(parents=True, exist_ok=True)
    for name, text in sources.items():
        path = folder / "source" / f"{name.removeprefix('_')}.md"
        path.write_text(text, encoding="utf-8")
    rows = []
    for path in sorted((folder / "source").glob("*.md")):
        heads = re.findall(r"^# \d\d · (.+)$", path.read_text(encoding="utf-8"), re.M)[:2] or "XX"
        fields = {"number": path.stem[:2], "name": path.stem, "picture": "", "explorers": []}
        fields |= dict(zip(LANGUAGES, heads, strict=True))
        rows += ["[[lesson]]", *(f"{key} = {json.dumps(one)}" for key, one in fields.items())]
        rows.append("claims = {}")
    (folder / "lessons.toml").write_text("\n".join(rows), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def built_once(tmp_path_factory):
    """Two small lessons, built; tests copy them."""
    root = course(tmp_path_factory.mktemp("built"), _01_small=LESSON, _02_second=SECOND)
    assert build.build(root=root) == []
    return root


@pytest.fixture
def built(built_once, tmp_path):
    """Two small lessons of one's own, built."""
    return shutil.copytree(built_once, tmp_path / "course")


def load(root, language="en", name="01_small"):
    """A notebook, its path and its code cells."""
    path = root / language / f"{name}.ipynb"
    notebook = files.read(path)
    return notebook, path, files.code_cells(notebook)


def test_the_examples_in_the_build_are_true():
    assert doctest.testmod(reading).failed == 0


# ---------------------------------------------------------------- what is built


def test_two_builds_are_the_same_bytes(built):
    paths = sorted(built.glob("*/*.ipynb"))
    before = [path.read_bytes() for path in paths]
    assert len(before) == 4
    assert build.build(root=built) == []
    assert [path.read_bytes() for path in paths] == before


def test_code_is_shared_and_prose_is_not(built):
    english, _, english_code = load(built)
    chinese, _, chinese_code = load(built, "zh")
    assert [cell.source for cell in english_code][1:] == [cell.source for cell in chinese_code][1:]
    first = [reading.without_comments(code[0].source) for code in (english_code, chinese_code)]
    assert first[0].endswith('use_language("en")')
    assert first[1] == first[0].replace('"en"', '"zh"')
    assert english.cells[3].source == "Look: $a_1$."
    assert chinese.cells[3].source == "看：$a_1$。"


def test_a_comment_in_one_language_only_is_refused():
    with pytest.raises(reading.SourceError, match="a comment has both languages"):
        reading.parse_lesson("01_small", cells("# en: only English\na = 1"))


def test_a_new_comment_needs_no_run(built):
    course(built, _01_small=LESSON.replace("print(a)", "print(a)  # en: all  # zh: 全部"))
    assert build.build(["01"], root=built, prose_only=True) == []
    assert load(built, "zh")[2][1].source.splitlines()[1] == "print(a)  # 全部"


def test_ids_are_unique_and_shared_by_the_languages(built):
    ids = {language: [cell.id for cell in load(built, language)[0].cells] for language in LANGUAGES}
    assert ids["en"] == ids["zh"]
    assert len(set(ids["en"])) == len(ids["en"])
    assert sum(one.endswith("-2") for one in ids["en"]) == 1  # the cell that occurs twice


def test_an_id_does_not_move_when_another_cell_changes(built):
    before = [cell.id for cell in load(built)[0].cells]
    lesson = reading.parse_lesson("01_small", LESSON.replace("Look again.", "Once more."))
    after = [cell.id for cell in making.make_notebook(lesson, "en", {}).cells]
    assert [a == b for a, b in zip(after, before, strict=False)].count(False) == 1


def test_what_is_stored(built):
    notebook, path, code = load(built)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.language_info.file_extension == ".py"
    assert set(notebook.metadata) == {"kernelspec", "language_info", "digest"}
    assert [cell.execution_count for cell in code] == [1, 2, 3, 4, 5]
    assert code[1].outputs == [
        {"output_type": "stream", "name": "stdout", "text": "[0 1 2]\n[1 2 3]\n"}
    ]
    assert code[1].metadata == {"tags": ["data"]}
    assert code[4].outputs[0].data == {"text/html": "<b>0</b>", "text/plain": "0"}
    text = path.read_text(encoding="utf-8")
    assert text == json.dumps(json.loads(text), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    assert "widget-view" not in str([cell.outputs for cell in code])


def test_neighbours_are_linked_by_their_own_titles(built):
    assert load(built, "en", "01_small")[0].cells[-1].source == "[02 · Second](02_second.ipynb) →"
    assert load(built, "zh", "02_second")[0].cells[-1].source == "← [01 · 小](01_small.ipynb)"


def test_a_middle_lesson_has_both_neighbours():
    known = {f"0{k}_x": {"en": f"0{k} · X", "zh": f"0{k} · 甲"} for k in (1, 2, 3)}
    assert making.navigation("02_x", "zh", known) == (
        "← [01 · 甲](01_x.ipynb) &nbsp; · &nbsp; [03 · 甲](03_x.ipynb) →"
    )


def test_only_the_lesson_asked_for_is_built(tmp_path):
    root = course(tmp_path, _01_small=LESSON, _02_second="not a lesson")
    assert build.build(["01"], root=root) == []
    assert sorted(path.name for path in root.glob("*/*.ipynb")) == ["01_small.ipynb"] * 2


def test_new_prose_keeps_the_outputs(built):
    course(built, _01_small=LESSON.replace("Look again.", "Once more."))
    before = [cell.outputs for cell in load(built)[2]]
    assert build.build(["01"], root=built, prose_only=True) == []
    notebook, _, code = load(built)
    assert notebook.cells[5].source == "Once more."
    assert [cell.outputs for cell in code] == before
    assert comparing.check(root=built) == []


def test_new_code_needs_a_run(built):
    course(built, _01_small=LESSON.replace("a + 1", "a + 2"))
    complaints = build.build(["01"], root=built, prose_only=True)
    assert complaints[0] == "en/01_small.ipynb: the code has changed, so build it without --prose"


# ---------------------------------------------------------------- faults of a source


@for_each(
    ("text", "message"),
    [
        (f"{TITLE}{EN}One.\n\n{EN}Two.\n", 'cell 4 ("Two."): the English cell before it has no'),
        (f"{TITLE}{EN}One.\n", 'last cell ("One."): no Chinese cell follows'),
        (f"{TITLE}{ZH}一。\n", 'cell 3 ("一。"): a Chinese cell comes right after its English one'),
        (
            f"{TITLE}{EN}One.\n\n```{{code-cell}}\na\n```\n\n{ZH}一。",
            'cell 4 ("a"): the English cell',
        ),
        (f"{TITLE}+++\n\nOne.\n", 'cell 3 ("One."): prose needs +++ {"lang": "en"}'),
        (f'{TITLE}+++ {{"lang": "fr"}}\n\nUn.\n', 'or "zh", not fr'),
        (f"{TITLE}```{{code-cell}}\n:lang: en\n\na\n```\n", "a code cell serves both languages"),
        (f"{TITLE}```{{code-cell}}\n:claim: [C1.1]\n\na\n```\n", "unknown metadata ['claim']"),
        (f"{TITLE}```{{code-cell}}\n:claims: C1.1\n\na\n```\n", "claims is a list"),
        (f'{TITLE}+++ {{"lang": "en", "claims": ["C1.1"]}}\n\nA.\n', "prose shows no claim"),
        (f"{TITLE}{EN}{ZH}一。\n", "a Chinese cell comes right after"),
        (f'{TITLE}+++ {{"lang": en}}\n\nA.\n', "cannot be read as MyST"),
        ("```{code-cell}\na\n```\n", "the first cell is a prose pair that begins with '# title'"),
        ("", "the first cell is a prose pair"),
    ],
)
def test_a_broken_source_is_named_with_its_cell(text, message):
    with pytest.raises(reading.SourceError) as error:
        reading.parse_lesson("01_small", text)
    assert message in str(error.value)
    assert str(error.value).startswith("01_small.md")


def test_a_lesson_has_a_proper_name():
    with pytest.raises(reading.SourceError, match=r"named NN_name\.md"):
        reading.parse_lesson("1-Small", TITLE)


def test_an_unknown_number_is_refused(tmp_path):
    with pytest.raises(reading.SourceError, match="there is no lesson 07"):
        build.build(["07"], root=course(tmp_path, _01_small=LESSON))


# ---------------------------------------------------------------- faults of a run


def test_cells_that_raise_warn_or_show_addresses_fail_the_build(tmp_path):
    root = course(
        tmp_path,
        _01_raises=cells("a = 1", "a / 0", "a"),
        _02_warns=cells('import warnings\nwarnings.warn("w", stacklevel=1)'),
        _03_address=cells("object()"),
        _04_widget=cells("from ipywidgets import IntSlider, VBox\nVBox([IntSlider()])"),
    )
    complaints = build.build(root=root)
    english = [complaint for complaint in complaints if complaint.startswith("en/")]
    assert english[0] == (
        'en/01_raises.ipynb, code cell 3 ("a / 0"): ZeroDivisionError: division by zero'
    )
    assert 'en/02_warns.ipynb, code cell 2 ("import warnings") writes to stderr:' in english[1]
    assert 'en/03_address.ipynb, code cell 2 ("object()") shows \'at 0x' in english[2]
    assert "shows 'VBox(children'" in english[3]
    assert len(complaints) == 8
    assert list(root.glob("*/*.ipynb")) == []  # nothing broken is written


def test_the_first_cell_is_two_imports_and_the_language():
    for language in LANGUAGES:
        lines = reading.without_comments(making.set_up(language)).splitlines()
        assert [line.split()[0] for line in lines[:2]] == ["import", "from"]
        assert lines[2:] == ["", f'use_language("{language}")']


def stopped(folder, *before, language="en"):
    """What the reader sees of a first cell that stops."""
    codes = [*before, making.set_up(language)]
    notebook = v4.new_notebook(cells=[v4.new_code_cell(code) for code in codes])
    with pytest.raises(running.BuildError):
        running.execute(notebook, folder, "alone.ipynb")
    (error,) = [one for one in notebook.cells[-1].outputs if one.output_type == "error"]
    return re.sub(r"\x1b\[[\d;]*m", "", "\n".join(error.traceback))


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_the_package_the_first_cell_says_what_to_run(tmp_path, language):
    """A notebook that was moved elsewhere: the line that fails has the sentence above it."""
    shown = stopped(tmp_path, "import sys\nsys.modules['attention_core'] = None", language=language)
    said = {"en": "Not found? Start with", "zh": "找不到？请用"}[language]
    assert f"{said} python3 course.py" in shown


@pytest.mark.parametrize("name", ["numpy.py", "matplotlib.py", "ipywidgets/__init__.py"])
def test_a_file_that_hides_a_library_is_named(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("array = list\n", encoding="utf-8")
    last = stopped(tmp_path).splitlines()[-1]
    assert last.startswith(f"ImportError: {tmp_path / name.split('/')[0]} hides ")
    assert last.endswith("give it another name and restart the kernel")


def test_neighbouring_streams_join_and_widget_views_go():
    """However the kernel cut its output, the stored form is one."""
    new = v4.new_output
    cleaned = running.clean_outputs(
        [
            new("stream", name="stdout", text="a"),
            new("stream", name="stdout", text="b"),
            new("display_data", data={running.WIDGET_VIEW: {}}),
            new("stream", name="stdout", text="c"),
            new("stream", name="stderr", text="d"),
            new("display_data", data={running.WIDGET_VIEW: {}, "text/plain": "e"}),
            new("stream", name="stdout", text="f"),
        ]
    )
    assert [one.get("text", one.get("data")) for one in cleaned] == [
        "abc",
        "d",
        {"text/plain": "e"},
        "f",
    ]


# ---------------------------------------------------------------- --check


def test_a_fresh_build_passes_the_check(built):
    assert comparing.check(root=built) == []


def edit(root, change):
    """Change the English notebook of lesson 01 as a text editor would."""
    path = root / "en" / "01_small.ipynb"
    text = path.read_text(encoding="utf-8")
    old, new = change
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("Look: $a_1$.", "See: $a_1$."), 'cell 4 ("Look: $a_1$."): its source is not'),
        (("print(a)", "print(-a)"), "its source is not what the source makes"),
        (("[0 1 2]\\n", "[0 1 3]\\n"), "edited by hand after it was built"),
        (('"execution_count": 3', '"execution_count": 9'), "execution counts are not 1 to 5"),
        (('"data"\n', '"other"\n'), "its metadata is not"),
        (('"id": "set-up"', '"id": "set_up"'), "its id is not"),
        (('"name": "python3"', '"name": "python311"'), "edited by hand"),
        ((' "nbformat": 4', '  "nbformat": 4'), "edited by hand"),
        (('"cells"', '"cell"'), "not a notebook"),
        (("02 · Second", "02 · Third"), "run python notebooks/build.py --prose"),
    ],
)
def test_the_check_sees_an_edited_notebook(built, change, message):
    edit(built, change)
    problems = comparing.check(root=built)
    assert len(problems) == 1, problems
    assert problems[0].startswith("en/01_small.ipynb: ")
    assert message in problems[0]


def test_the_check_sees_an_edited_source(built):
    course(built, _01_small=LESSON.replace("再看。", "再看一次。"))
    (problem,) = comparing.check(root=built)
    assert problem.startswith('zh/01_small.ipynb: cell 6 ("再看一次。"): its source is not')


def test_the_check_sees_an_added_cell(built):
    course(built, _01_small=LESSON + "\n```{code-cell}\na\n```\n")
    problems = comparing.check(root=built)
    assert len(problems) == 2
    assert "9 cells, but the source makes 10; run python notebooks/build.py 01" in problems[0]


def test_the_check_sees_a_broken_source(built):
    course(built, _02_second=f"{SECOND}{EN}Alone.\n")
    (problem,) = comparing.check(root=built)
    assert problem == '02_second.md, last cell ("Alone."): no Chinese cell follows'


def test_the_check_sees_a_notebook_that_never_ran(built):
    notebook, path, code = load(built)
    for cell in code:
        cell.outputs = []
    files.write(notebook, path)
    assert comparing.check(root=built) == [
        "en/01_small.ipynb: no outputs; run python notebooks/build.py 01"
    ]


def test_the_check_sees_missing_and_extra_files(built):
    (built / "zh" / "01_small.ipynb").unlink()
    (built / "en" / "03_extra.ipynb").write_text("{}", encoding="utf-8")
    (built / "en" / ".ipynb_checkpoints").mkdir()
    shutil.copy(built / "source" / "02_second.md", built / "source" / "02_other.md")
    assert comparing.check(root=built)[:2] == [
        "source/02_other.md: not in lessons.toml",
        "en/03_extra.ipynb: no source makes this file; delete it",
    ]
    missing = "zh/01_small.ipynb: missing; run python notebooks/build.py 01"
    assert missing in comparing.check(root=built)
    assert missing in comparing.check(["01"], root=built)


def test_a_listed_lesson_without_a_source_is_named(built):
    (built / "source" / "02_second.md").unlink()
    said = "source/02_second.md: in lessons.toml, but missing"
    assert said in comparing.check(root=built)
    assert build.build(["02"], root=built) == [said]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('name = "02_second"', 'name = "second"'), "second: the name begins with the number, 02_"),
        (('number = "02"', 'numbers = "02"'), "02_second: has numbers, name"),
        (("02", "01"), "the numbers rise, each once"),
    ],
)
def test_a_fault_of_the_list_is_named(built, change, message):
    path = built / "lessons.toml"
    path.write_text(path.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        lesson_list.read_list(built)


def test_an_old_table_of_lessons_in_the_readme_is_renewed():
    text = lesson_list.README.read_text(encoding="utf-8")
    old = text.replace("/en/07_softmax", "/en/07_soft")
    assert old != text
    assert lesson_list.with_table(old, lesson_list.read_list()) == text


def test_the_command_line_says_it_with_its_exit_status(built, monkeypatch, capsys):
    monkeypatch.setattr(build, "check", lambda numbers: [f"{numbers[0]} is old"] if numbers else [])
    assert build.main(["--check"]) == 0
    assert capsys.readouterr().out == ""
    assert build.main(["--check", "06"]) == 1
    assert capsys.readouterr().out == "06 is old\n"
    assert build.main(["99"]) == 1
    assert "there is no lesson 99" in capsys.readouterr().err


# ---------------------------------------------------------------- the committed notebooks


def test_the_committed_notebooks_are_what_the_sources_make():
    assert (NOTEBOOKS / "source").is_dir()
    assert comparing.check() == []
