"""Results: kept in the learner's folder, by several kernels at once, and nowhere else."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from attention_core.exercises import check, progress
from attention_core.exercises.checking.lessons import all_exercises, find_exercise, of_lesson
from attention_core.exercises.predictions.prediction import Prediction
from attention_core.exercises.results import kept
from attention_core.exercises.results.memory import forget, recall, remember
from attention_core.exercises.results.view import Progress
from attention_core.language import use_language

UNTESTED = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
SOLVED = find_exercise("softmax_rows").solution


@pytest.fixture(autouse=True)
def fresh_memory():
    """Every test starts like a restarted kernel."""
    forget()
    yield
    forget()
    use_language("en")


@pytest.fixture
def work(tmp_path):
    """A learner's folder as the launcher makes it."""
    (tmp_path / "course.py").write_text("")
    (tmp_path / "work/en").mkdir(parents=True)
    (tmp_path / "work/zh").mkdir()
    (tmp_path / "work/.lessons.json").write_text("{}")
    return tmp_path / "work"


@pytest.fixture
def learner(work, monkeypatch):
    """This process as a kernel that runs a lesson in the learner's folder."""
    monkeypatch.setattr(kept, "UNDER_TEST", ())
    monkeypatch.chdir(work / "en")
    forget()
    yield work
    monkeypatch.undo()


def kernel(folder, code, **environ):
    """Run code in a fresh process, as a kernel in this folder would; give what it printed."""
    code = "from attention_core.exercises import *\n" + code
    command = [sys.executable, "-W", "error", "-c", code]
    environ = {**UNTESTED, **environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout


SOLVE = "from attention_core import softmax; check('softmax_rows', lambda scores: softmax(scores))"


def test_results_survive_a_restart_and_are_seen_from_other_lessons(work):
    kernel(work / "en", f"{SOLVE}; p = predict('07.1'); p.choice = 0; p.choice = 1")
    kept_so_far = json.loads((work / "results.json").read_text("utf-8"))
    assert kept_so_far["softmax_rows"] == "correct" and set(kept_so_far) == {"softmax_rows", "07.1"}
    elsewhere = kernel(work / "zh", "print(predict('07.1').choice); print(progress('07'))")
    assert elsewhere.splitlines()[0] == "1"
    assert "  softmax_rows   ✓ correct\n" in elsewhere
    assert sorted(path.name for path in work.iterdir()) == [
        ".lessons.json",
        ".results.lock",
        "en",
        "results.json",
        "zh",
    ]


@pytest.mark.parametrize("where", ["outside", "no launcher", "no manifest", "under test"])
def test_nothing_is_written_elsewhere(where, work):
    environ, folder = {}, work / "en"
    if where == "outside":
        folder = work.parent
    elif where == "no launcher":
        (work.parent / "course.py").unlink()
    elif where == "no manifest":
        (work / ".lessons.json").unlink()
    else:
        environ = {"PYTEST_VERSION": "9"}
    before = sorted(work.parent.rglob("*"))
    said = kernel(folder, f"{SOLVE}; predict('07.1').choice = 0; print(progress('07'))", **environ)
    assert "✓ correct" in said, "the kernel itself remembers"
    assert sorted(work.parent.rglob("*")) == before


def test_in_the_tests_there_is_no_place():
    assert kept.place() is None


def test_many_kernels_at_once_lose_nothing(work):
    """Each of several processes writes its own entries, all at the same time."""
    code = (
        "import sys\n"
        "from attention_core.exercises.results.memory import remember\n"
        "for number in range(29):\n"
        "    remember(f'{sys.argv[1]} {number}', number)\n"
    )
    environ = {**UNTESTED, "PYTHONPATH": os.pathsep.join(sys.path)}
    running = [
        subprocess.Popen([sys.executable, "-c", code, name], cwd=work / "en", env=environ)
        for name in "abcde"
    ]
    assert [process.wait() for process in running] == [0] * 5
    found = json.loads((work / "results.json").read_text("utf-8"))
    assert found == {f"{name} {number}": number for name in "abcde" for number in range(29)}


@pytest.mark.parametrize("content", [b"{", b"", b"[1, 2]", b"\xff\xfe\x00", b"null"])
def test_a_damaged_file_is_set_aside_with_a_sentence(content, learner, capsys):
    (learner / "results.json").write_bytes(content)
    assert recall() == {}
    said = capsys.readouterr().out
    assert said.count("\n") == 1 and "work/results-damaged.json" in said
    assert (learner / "results-damaged.json").read_bytes() == content
    remember("softmax_rows", "correct")
    assert recall() == {"softmax_rows": "correct"} and capsys.readouterr().out == ""
    (learner / "results.json").write_bytes(content)
    remember("07.1", {})
    assert (learner / "results-damaged-2.json").read_bytes() == content


def test_odd_entries_are_no_answers(learner):
    odd = {"07.1": [1], "07.2": {"tried": 3}, "07.3": {"tried": [["x"], 1]}, "softmax_rows": {}}
    (learner / "results.json").write_text(json.dumps(odd))
    assert repr(progress("07")).splitlines()[0].startswith("Lesson 07: 0 of")
    assert Prediction(of_lesson("07")[1][2]).choice == -1


def test_a_folder_that_cannot_be_written_gets_a_sentence(learner, capsys, monkeypatch):
    def refuse(*arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(kept.os, "replace", refuse)
    remember("softmax_rows", "correct")
    assert "Permission denied" in capsys.readouterr().out
    assert recall() == {"softmax_rows": "correct"}
    assert {path.name for path in learner.glob(".results*")} <= {".results.lock", ".results.part"}
    monkeypatch.undo()


def test_an_interrupted_write_leaves_the_old_file(learner, monkeypatch):
    """The file is replaced in one step or not at all."""
    remember("a", 1)
    before = (learner / "results.json").read_bytes()

    def stop(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(kept.os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        kept.put(learner / "results.json", {"b": 2})
    assert (learner / "results.json").read_bytes() == before
    assert {path.name for path in learner.glob(".results*")} <= {".results.lock", ".results.part"}


# --- progress ---------------------------------------------------------------------------------


def test_progress_counts_the_first_try_and_follows_without_a_re_run():
    question = of_lesson("07")[1][0]
    view, before = progress("07"), repr(progress("07"))
    assert "07.1           ○ not answered" in before
    check("softmax_rows", SOLVED)
    assert "  softmax_rows   ✓ correct" in repr(view)
    prediction = Prediction(question)
    prediction.choice = (question.answer + 1) % 3
    assert "  07.1           ✗ not right yet" in repr(view)
    prediction.choice = question.answer
    assert "  07.1           ◐ right, but not at the first try" in repr(view)
    assert repr(view).splitlines()[0].endswith("0 of 4 predictions right at the first try.")
    second = of_lesson("07")[1][1]
    Prediction(second).choice = second.answer
    assert repr(view).splitlines()[0].endswith("1 of 4 predictions right at the first try.")
    assert "✓ right at the first try" in view.value
    assert view._repr_mimebundle_()["text/html"] == view.value


def test_progress_keeps_its_language():
    use_language("zh")
    view = progress("07")
    use_language("en")
    check("softmax_rows", lambda scores: scores)
    assert "✗ 还不对" in repr(view) and "✗ not yet" in repr(progress("07"))


def test_an_untouched_stub_takes_nothing_back():
    check("softmax_rows", SOLVED)
    check("softmax_rows", ...)
    assert recall()["softmax_rows"] == "correct"
    check("softmax_rows", lambda scores: np.zeros(3))
    assert recall()["softmax_rows"] == "not yet"


@pytest.mark.parametrize("lesson", [None, "42", 42, "x", True, [7], len, "{x}"])
def test_progress_says_one_sentence(lesson, capsys):
    assert progress(lesson) is None
    said = capsys.readouterr().out
    assert len(said.strip()) > 20 and "Traceback" not in said and len(said) < 250


def test_progress_without_a_lesson_counts_the_course(capsys):
    check("softmax_rows", SOLVED)
    capsys.readouterr()
    progress()
    said = capsys.readouterr().out
    assert said.startswith(f"In the whole course 1 of {len(all_exercises())} exercises")


@pytest.mark.parametrize("lesson", ["07", "7", 7])
def test_a_lesson_may_be_named_by_its_number(lesson):
    assert isinstance(progress(lesson), Progress)


def test_importing_the_exercises_makes_no_widget():
    """Only `predict` and `progress` need the widget libraries."""
    code = "import sys, attention_core.exercises; print('ipywidgets' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
