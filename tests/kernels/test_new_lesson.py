"""A new lesson: stubs that are filled pass all rules of a lesson, in a copy of the project."""

import os
import subprocess
import sys

import pytest

from course import COMMANDS
from notebooks import new
from tests.copies import copied_project
from tests.lessons import LISTED, ROOT

FILLED = ROOT / "tests" / "kernels" / "new_lesson"
NUMBER = f"{int(LISTED[-1].number) + 1:02d}"
LESSON = f"{NUMBER}_echo"
SUITE = ["lessons", "teaching", "claims", "images", "readme"]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project, as git would hand it over but without its history."""
    return copied_project(tmp_path_factory.mktemp("project") / "course")


def run(project, *command, code=0):
    """A command of the copy that ends with this code; what it printed."""
    done = subprocess.run(
        [sys.executable, *command], cwd=project, capture_output=True, text=True, encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(project), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert done.returncode == code, done.stdout[-3000:] + done.stderr[-2000:]
    return done.stdout


def fill(project):
    """Put the fixture's files in the place of the stubs."""
    for stub, path in new.paths(LESSON, project).items():
        text = (FILLED / stub).read_text(encoding="utf-8")
        path.write_text(new.fill(text, NUMBER, "echo"), encoding="utf-8")
    for name, path in (
        ("entry.toml", project / "notebooks" / "lessons.toml"),
        ("words.toml", project / "attention_core" / "figures" / "words.toml"),
    ):
        stub, filled = (
            new.fill((folder / name).read_text(encoding="utf-8"), NUMBER, "echo")
            for folder in (new.STUBS, FILLED)
        )
        text = path.read_text(encoding="utf-8")
        assert stub in text
        path.write_text(text.replace(stub, filled), encoding="utf-8")


def rules(project, code=0):
    """What the rules of a lesson say about the new one."""
    return run(project, "-m", "tests.one_lesson", NUMBER, code=code)


def test_a_new_lesson_passes_once_its_stubs_are_filled(project):
    said = run(project, "course.py", "new", LESSON)
    assert f"wrote notebooks/source/{LESSON}.md" in said
    assert "python3 course.py build " + NUMBER in said
    run(project, "images/make.py")
    run(project, "notebooks/build.py", NUMBER)  # bare stubs can be looked at
    assert f"{LESSON}: finished: unfinished: TODO" in rules(project, code=1)
    fill(project)
    run(project, "images/make.py")
    run(project, "notebooks/build.py", NUMBER)
    run(project, "notebooks/build.py", "--prose", f"{int(NUMBER) - 1:02d}")  # its link to the next
    tests = [f"tests/test_{name}.py" for name in SUITE]
    tests.append(
        f"tests/kernels/test_used_lessons.py::test_a_lesson_is_used_in_any_order[{LESSON}]"
    )
    tests.append("tests/test_build.py::test_the_committed_notebooks_are_what_the_sources_make")
    options = ["-q", "-n", "0", "-p", "no:cacheprovider"]
    assert " passed" in run(project, "-m", "pytest", *options, *tests)
    assert "nothing to complain about" in rules(project)
    built = [f"notebooks/{language}/{LESSON}.ipynb" for language in ("en", "zh")]
    options += ["--nbval", "--nbval-current-env"]
    assert " passed" in run(project, "-m", "pytest", *options, *built)


def test_stubs_say_todo_so_that_no_stub_is_taken_for_a_lesson():
    for stub in (*new.PLACES, "entry.toml", "words.toml"):
        assert "TODO" in (new.STUBS / stub).read_text(encoding="utf-8"), stub
        assert "TODO" not in (FILLED / stub).read_text(encoding="utf-8"), stub


@pytest.mark.parametrize(
    ("lesson", "sentence"),
    [
        ("echo", "is no name for a lesson"),
        ("99_Echo", "is no name for a lesson"),
        ("03_echo", f"the next one is {NUMBER}"),
        ("98_echo", f"the next one is {NUMBER}"),
        (f"{NUMBER}_scaling", "attention_core/explorers/scaling.py is there already"),
    ],
)
def test_a_wrong_name_gets_a_sentence_and_writes_nothing(lesson, sentence, capsys):
    assert new.main([lesson]) == 1
    assert sentence in capsys.readouterr().err
    assert new.main([]) == 1
    assert "give the lesson a name" in capsys.readouterr().err


def test_the_launcher_knows_the_command():
    assert "new" in COMMANDS
