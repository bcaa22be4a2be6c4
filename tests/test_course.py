"""The launcher: what it does to learners' files, when it installs, what it says if it cannot."""

import ast
import json
import os
import re
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import course

ROOT = Path(course.__file__).parent


def notebook(*sources, outputs=(), metadata=None):
    """Return the bytes of a small notebook with one code cell per source."""
    cells = [
        {
            "cell_type": "code",
            "id": f"c{number}",
            "execution_count": 1 if outputs else None,
            "metadata": {},
            "outputs": list(outputs),
            "source": source,
        }
        for number, source in enumerate(sources)
    ]
    whole = {"cells": cells, "metadata": metadata or {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole).encode()


@pytest.fixture
def house(tmp_path):
    """Return (notebooks, work): one lesson in two languages, nothing copied yet."""
    for language in course.LANGUAGES:
        folder = tmp_path / "notebooks" / language
        folder.mkdir(parents=True)
        (folder / course.FIRST_LESSON).write_bytes(notebook("x = 1", "..."))
    return tmp_path / "notebooks", tmp_path / "work"


LESSON = Path("en") / course.FIRST_LESSON


# ---------------------------------------------------------------- lessons


def test_first_start_copies_both_languages(house):
    notebooks, work = house
    assert course.copy_lessons(notebooks, work) == []
    for language in course.LANGUAGES:
        copy = work / language / course.FIRST_LESSON
        assert copy.read_bytes() == (notebooks / language / course.FIRST_LESSON).read_bytes()
    assert not list(work.rglob("*.part"))


def test_answer_survives_a_newer_lesson(house):
    notebooks, work = house
    course.copy_lessons(notebooks, work)
    answer = notebook("x = 1", "my answer")
    (work / LESSON).write_bytes(answer)
    (notebooks / LESSON).write_bytes(notebook("x = 2", "..."))
    for _ in range(3):
        assert course.copy_lessons(notebooks, work) == [LESSON.as_posix()]
        assert (work / LESSON).read_bytes() == answer


def test_answer_is_kept_in_silence_while_the_lesson_is_the_same(house):
    notebooks, work = house
    course.copy_lessons(notebooks, work)
    answer = notebook("x = 1", "my answer")
    (work / LESSON).write_bytes(answer)
    assert course.copy_lessons(notebooks, work) == []
    assert (work / LESSON).read_bytes() == answer


def test_untouched_lesson_is_refreshed(house):
    notebooks, work = house
    course.copy_lessons(notebooks, work)
    newer = notebook("x = 2", "...")
    (notebooks / LESSON).write_bytes(newer)
    assert course.copy_lessons(notebooks, work) == []
    assert (work / LESSON).read_bytes() == newer


def test_run_and_saved_lesson_still_counts_as_untouched(house):
    notebooks, work = house
    course.copy_lessons(notebooks, work)
    output = {"output_type": "stream", "name": "stdout", "text": "1\n"}
    run = notebook("x = 1", ["..."], outputs=[output], metadata={"widgets": {}})
    (work / LESSON).write_bytes(run)
    assert course.copy_lessons(notebooks, work) == []
    assert (work / LESSON).read_bytes() == run, "nothing newer: the outputs stay"
    newer = notebook("x = 2", "...")
    (notebooks / LESSON).write_bytes(newer)
    course.copy_lessons(notebooks, work)
    assert (work / LESSON).read_bytes() == newer


@pytest.mark.parametrize(
    "changed",
    [
        notebook("x = 1"),
        notebook("...", "x = 1"),
        notebook("x = 1", "...", "a cell of mine"),
        b"not a notebook",
        b"",
        b"[]",
        "[\u00e9]".encode("latin-1"),
    ],
    ids=["cell deleted", "order", "cell added", "no JSON", "empty", "list", "not UTF-8"],
)
def test_any_change_of_cells_is_the_learners(house, changed):
    notebooks, work = house
    course.copy_lessons(notebooks, work)
    (work / LESSON).write_bytes(changed)
    (notebooks / LESSON).write_bytes(notebook("x = 2", "..."))
    assert course.copy_lessons(notebooks, work) == [LESSON.as_posix()]
    assert (work / LESSON).read_bytes() == changed


def test_kinds_and_pasted_pictures_are_part_of_the_sources():
    plain = json.loads(notebook("x"))
    marked = json.loads(notebook("x"))
    marked["cells"][0]["cell_type"] = "markdown"
    pasted = json.loads(notebook("x"))
    pasted["cells"][0]["attachments"] = {"a.png": {"image/png": "AA"}}
    digests = {course.source_digest(json.dumps(x).encode()) for x in (plain, marked, pasted)}
    assert len(digests) == 3


def test_deleted_copy_comes_back(house):
    notebooks, work = house
    course.copy_lessons(notebooks, work)
    (work / LESSON).unlink()
    course.copy_lessons(notebooks, work)
    assert (work / LESSON).read_bytes() == (notebooks / LESSON).read_bytes()


@pytest.mark.parametrize("manifest", [None, "{", "[]"])
def test_without_a_record_nothing_is_overwritten(house, manifest):
    notebooks, work = house
    course.copy_lessons(notebooks, work)
    record = work / ".lessons.json"
    if manifest is None:
        record.unlink()
    else:
        record.write_text(manifest)
    answer = notebook("x = 1", "my answer")
    (work / LESSON).write_bytes(answer)
    assert course.copy_lessons(notebooks, work) == [LESSON.as_posix()]
    assert (work / LESSON).read_bytes() == answer
    # The copy nobody changed is recognised by its sources and looked after again.
    newer = notebook("x = 2", "...")
    (notebooks / "zh" / course.FIRST_LESSON).write_bytes(newer)
    course.copy_lessons(notebooks, work)
    assert (work / "zh" / course.FIRST_LESSON).read_bytes() == newer


def test_changing_back_makes_it_untouched_again(house):
    notebooks, work = house
    course.copy_lessons(notebooks, work)
    (work / LESSON).write_bytes(notebook("x = 1", "my answer"))
    newer = notebook("x = 2", "...")
    (notebooks / LESSON).write_bytes(newer)
    assert course.copy_lessons(notebooks, work)
    (work / LESSON).write_bytes(notebook("x = 1", "..."))
    assert course.copy_lessons(notebooks, work) == []
    assert (work / LESSON).read_bytes() == newer


# ---------------------------------------------------------------- the environment


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Return (root, venv, log): a project whose environment is faked and whose steps are logged."""
    root, venv, log = tmp_path / "root", tmp_path / "root/.venv", []
    root.mkdir()
    for name in ("pyproject.toml", "requirements.txt"):
        (root / name).write_bytes((ROOT / name).read_bytes())

    def make_venv(path):
        log.append("make")
        path.mkdir(exist_ok=True)
        for old in path.iterdir():
            old.unlink()
        (path / "python").touch()

    monkeypatch.setattr(course, "make_venv", make_venv)
    monkeypatch.setattr(course, "venv_works", lambda path: (path / "python").exists())
    monkeypatch.setattr(course, "install", lambda root, venv, extra: log.append(extra or "learner"))
    return root, venv, log


def test_second_start_installs_nothing(machine):
    root, venv, log = machine
    course.ensure_environment(root, venv)
    course.ensure_environment(root, venv)
    assert log == ["make", "learner"]


def test_tests_add_their_extra_once_and_serve_the_learner_too(machine):
    root, venv, log = machine
    course.ensure_environment(root, venv, "test")
    course.ensure_environment(root, venv, "test")
    course.ensure_environment(root, venv)
    assert log == ["make", "test"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("requirements.txt", "numpy", "scipy\nnumpy"),
        ("pyproject.toml", '"anywidget', '"scipy", "anywidget'),
    ],
)
def test_changed_requirements_install_again(machine, name, old, new):
    root, venv, log = machine
    course.ensure_environment(root, venv, "test")
    text = (root / name).read_text()
    (root / name).write_text(text.replace(old, new, 1))
    course.ensure_environment(root, venv)
    course.ensure_environment(root, venv, "test")
    assert log == ["make", "test", "learner", "test"]


def test_style_settings_do_not_install_again(machine):
    root, venv, log = machine
    course.ensure_environment(root, venv)
    text = (root / "pyproject.toml").read_text()
    (root / "pyproject.toml").write_text(text.replace("line-length = 100", "line-length = 99"))
    course.ensure_environment(root, venv)
    assert log == ["make", "learner"]


def test_interrupted_installation_starts_from_an_empty_environment(machine, monkeypatch):
    root, venv, log = machine
    with monkeypatch.context() as patch:
        patch.setattr(course, "install", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            course.ensure_environment(root, venv)
    (venv / "half").touch()
    course.ensure_environment(root, venv)
    assert log == ["make", "make", "learner"]
    assert not (venv / "half").exists()


def test_update_without_network_keeps_the_environment(machine, monkeypatch):
    root, venv, log = machine
    course.ensure_environment(root, venv)
    (root / "requirements.txt").write_text("scipy\n")
    with monkeypatch.context() as patch:
        patch.setattr(
            course, "install", lambda *_: (_ for _ in ()).throw(course.Trouble("no network"))
        )
        with pytest.raises(course.Trouble):
            course.ensure_environment(root, venv)
    course.ensure_environment(root, venv)
    assert log == ["make", "learner", "learner"]


def test_broken_interpreter_is_replaced(machine):
    root, venv, log = machine
    course.ensure_environment(root, venv)
    (venv / "python").unlink()
    course.ensure_environment(root, venv)
    assert log == ["make", "learner"] * 2


def test_venv_works_tells_a_real_environment_from_a_broken_one(tmp_path):
    assert course.venv_works(Path(sys.prefix))
    assert not course.venv_works(tmp_path)


def test_children_see_nothing_from_outside_the_environment(monkeypatch):
    for name in ("PYTHONPATH", "PYTHONHOME", "JUPYTER_PATH", "MPLBACKEND"):
        monkeypatch.setenv(name, "elsewhere")
    environ = course.clean_environ(JUPYTER_TOKEN="t")
    assert "elsewhere" not in environ.values()
    assert environ["JUPYTER_TOKEN"] == "t"
    assert environ["PATH"] == os.environ["PATH"]


def test_requirements_and_package_state_the_same_ranges():
    """A learner's requirements name the package's own ranges, and each has both ends."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    ranges = [line for line in lines if line and not line.startswith(("#", "-e"))]
    extras = project["optional-dependencies"]
    assert set(project["dependencies"]) <= set(ranges)
    assert {line for line in ranges if line.startswith("nbval")} <= set(extras["test"])
    everything = [*ranges, *extras["test"], *extras["author"]]
    assert all(re.fullmatch(r"[\w.-]+>=[\d.]+,<\d+", line) for line in everything)
    named = [re.split(">=", line)[0] for line in ranges]
    assert named == ["jupyterlab", "numpy", "matplotlib", "ipywidgets", "anywidget", "nbval"]


# ---------------------------------------------------------------- what it says


def test_old_python_can_parse_the_launcher():
    ast.parse((ROOT / "course.py").read_text("utf-8"), feature_version=(3, 6))


def test_old_python_is_told(monkeypatch, capsys):
    monkeypatch.setattr(course.sys, "version_info", (3, 9, 2, "final", 0))
    assert course.main([]) == 1
    assert "This is Python 3.9, but the course needs Python 3.11 or newer" in said(capsys)


def test_old_python_is_told_before_anything_newer_is_imported():
    """Everything the launcher imports at its top existed in Python 3.6."""
    tree = ast.parse((ROOT / "course.py").read_text("utf-8"))
    top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in top for alias in node.names}
    assert "tomllib" not in names
    assert {name.split(".")[0] for name in names} <= set(sys.stdlib_module_names) | {"Path"}


def said(capsys):
    """Return the one line of complaint."""
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("course.py: ")
    return lines[0]


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_missing_venv_module_is_told(module, monkeypatch):
    find = course.importlib.util.find_spec
    monkeypatch.setattr(
        course.importlib.util, "find_spec", lambda name: None if name == module else find(name)
    )
    with pytest.raises(course.Trouble, match=f"no {module} module: install it .*python3-venv"):
        course.check_venv_module()


def test_missing_network_is_told_with_pips_last_word(tmp_path, monkeypatch):
    """A real pip, pointed at a port where nothing listens."""
    (tmp_path / "requirements.txt").write_text("no-such-package-of-the-course\n")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_NO_INDEX", "0")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    with pytest.raises(course.Trouble) as trouble:
        course.install(tmp_path, Path(sys.prefix), None)
    message = str(trouble.value)
    assert message.startswith("The package index cannot be reached: the first start needs")
    assert "(pip said: ERROR: No matching distribution found" in message
    assert "\n" not in message


def test_other_failure_of_pip_is_told_with_pips_last_word():
    message = course.explain_pip("noise\nERROR: disk full\nnote: more\n")
    assert message.endswith("(pip said: ERROR: disk full).")
    assert "network" not in message


@pytest.fixture
def taken_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def test_taken_port_is_told_before_anything_is_installed(taken_port, monkeypatch, capsys, tmp_path):
    (tmp_path / "notebooks/en").mkdir(parents=True)
    (tmp_path / "notebooks/en" / course.FIRST_LESSON).touch()
    monkeypatch.setattr(course, "ROOT", tmp_path)
    monkeypatch.setattr(course, "ensure_environment", lambda *_: pytest.fail("too late"))
    assert course.main(["--port", str(taken_port)]) == 1
    assert f"Port {taken_port} is taken by another program" in said(capsys)


def test_without_a_port_the_next_free_one_is_taken(taken_port, monkeypatch):
    monkeypatch.setattr(course, "DEFAULT_PORT", taken_port)
    assert taken_port < course.choose_port(None) < taken_port + 100


def test_impossible_port_is_told():
    with pytest.raises(course.Trouble, match="Port 99999 is "):
        course.choose_port(99999)


def test_missing_lesson_is_told(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(course, "ROOT", tmp_path)
    assert course.main(["--lang", "zh"]) == 1
    assert "notebooks/zh/00_overview.ipynb is missing" in said(capsys)


@pytest.mark.parametrize("arguments", [["--lang", "fr"], ["--nonsense"], ["--port", "x"]])
def test_wrong_use_ends_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        course.main(arguments)
    assert end.value.code == 2
    assert "usage: course.py" in capsys.readouterr().err


def test_server_that_dies_is_told():
    server = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(course.Trouble, match=r"stopped before it was ready \(exit code 3\)"):
        course.wait_until_served("http://127.0.0.1:9/", server)


# ---------------------------------------------------------------- JupyterLab and tests


def test_lab_settings_are_json_for_this_environment_only(tmp_path):
    course.write_lab_settings(tmp_path)
    course.write_lab_settings(tmp_path)
    written = json.loads((tmp_path / "share/jupyter/lab/settings/overrides.json").read_text())
    assert written["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"
    assert written["@jupyter-widgets/jupyterlab-manager:plugin"] == {"saveState": True}


def test_token_is_never_on_the_command_line():
    command = course.lab_command(Path("python"), ROOT, 8888)
    assert "token" not in " ".join(command).lower()
    assert "--ServerApp.port=8888" in command


@pytest.mark.parametrize(
    ("arguments", "names", "rest"),
    [
        ([], [], []),
        (["-k", "softmax"], [], ["-k", "softmax"]),
        (["unit", "nbval", "-k", "unit"], ["unit", "nbval"], ["-k", "unit"]),
    ],
)
def test_arguments_of_test_name_sections_or_go_to_pytest(arguments, names, rest):
    assert course.split_test_arguments(arguments) == (names, rest)


@pytest.fixture
def run_log(monkeypatch):
    """Return (log, fail): the commands `test` runs, and the words that make one of them fail."""
    log, fail = [], set()

    def call(command, **_):
        log.append(" ".join(map(str, command)))
        return int(any(word in log[-1] for word in fail))

    monkeypatch.setattr(course, "ensure_environment", lambda *_: None)
    monkeypatch.setattr(course.subprocess, "call", call)
    return log, fail


def test_all_sections_run_and_a_failure_is_reported_at_the_end(run_log, capsys):
    log, fail = run_log
    fail.add("not browser")
    assert course.main(["test"]) == 1
    printed = capsys.readouterr().out
    headings = re.findall(r"^=== (\w+)", printed, re.MULTILINE)
    assert headings == ["unit", "build", "nbval", "browser", "Report"]
    assert re.findall(r"^(\w+) +(passed|FAILED)", printed, re.MULTILINE) == [
        ("unit", "FAILED"),
        ("build", "passed"),
        ("nbval", "passed"),
        ("browser", "passed"),
    ]
    assert len(log) == 5


def test_all_passed_ends_with_0(run_log):
    assert course.main(["test"]) == 0


def test_cells_of_one_notebook_stay_on_one_worker(run_log):
    log, _ = run_log
    course.main(["test", "nbval"])
    assert len(log) == 1
    for flag in ("--nbval ", "--nbval-current-env", "-n 2", "startup-timeout"):
        assert flag in log[0]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "--dist=loadscope" in settings["tool"]["pytest"]["ini_options"]["addopts"]


def test_build_compares_only_when_asked(run_log):
    log, _ = run_log
    assert course.main(["build", "07", "--check"]) == 0
    assert [line.split(" ", 1)[1] for line in log] == [
        "notebooks/build.py 07 --check",
        "images/make.py --check",
    ]


# ---------------------------------------------------------------- Chromium


@pytest.mark.parametrize(
    ("ci", "code", "outcome"),
    [("true", 1, "1 error"), ("", 0, "1 skipped")],
    ids=["in CI a failure", "at home said"],
)
def test_missing_chromium_is_told(ci, code, outcome):
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-k", "themes", "tests/browser/test_harness.py"],
        cwd=ROOT,
        env=os.environ | {"CHROMIUM": "/no/such/chromium", "CI": ci, "COLUMNS": "400"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == code, run.stdout
    assert outcome in run.stdout
    assert "sudo apt install chromium" in run.stdout
