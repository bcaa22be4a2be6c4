"""The launcher: what it does to learners' files, when it installs, what it says if it cannot."""

import ast
import errno
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

import course
import tests.__main__ as sections

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
    shutil.copy(ROOT / "notebooks" / "lessons.toml", tmp_path / "notebooks")
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


def test_what_is_not_in_the_list_is_not_copied(house):
    notebooks, work = house
    (notebooks / "en" / "99_stray.ipynb").write_bytes(notebook("x = 1"))
    course.copy_lessons(notebooks, work)
    assert [path.name for path in (work / "en").glob("*.ipynb")] == [course.FIRST_LESSON]
    assert course.listed(notebooks)[0] == course.FIRST_LESSON


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

    def make_venv(path, lock):
        log.append("make")
        path.mkdir(exist_ok=True)
        for old in path.iterdir():
            old.unlink()
        (path / "python").touch()

    def install(venv, packages, lock, extra):
        log.append(extra or "learner")

    monkeypatch.setattr(course, "make_venv", make_venv)
    monkeypatch.setattr(course, "venv_works", lambda path, modules: (path / "python").exists())
    monkeypatch.setattr(course, "install", install)
    return root, venv, log


def ensure(root, venv, extra=None):
    """Bring the environment up to date, as nobody else does just now."""
    course.ensure_environment(root, venv, None, extra)


def test_second_start_installs_nothing(machine):
    root, venv, log = machine
    ensure(root, venv)
    ensure(root, venv)
    assert log == ["make", "learner"]


def test_tests_add_their_extra_once_and_serve_the_learner_too(machine):
    root, venv, log = machine
    ensure(root, venv, "test")
    ensure(root, venv, "test")
    ensure(root, venv)
    assert log == ["make", "test"]


@pytest.mark.parametrize(
    ("name", "old", "new", "again"),
    [
        ("requirements.txt", "numpy", "scipy\nnumpy", ["learner", "test"]),
        ("pyproject.toml", '"pytest>', '"scipy>=1,<2", "pytest>', ["test"]),
    ],
)
def test_changed_requirements_install_again(machine, name, old, new, again):
    root, venv, log = machine
    ensure(root, venv, "test")
    text = (root / name).read_text()
    (root / name).write_text(text.replace(old, new, 1))
    ensure(root, venv)
    ensure(root, venv, "test")
    assert log == ["make", "test", *again]


def test_style_settings_do_not_install_again(machine):
    root, venv, log = machine
    ensure(root, venv)
    text = (root / "pyproject.toml").read_text()
    (root / "pyproject.toml").write_text(text.replace("line-length = 100", "line-length = 99"))
    ensure(root, venv)
    assert log == ["make", "learner"]


def test_interrupted_installation_starts_from_an_empty_environment(machine, monkeypatch):
    root, venv, log = machine
    with monkeypatch.context() as patch:
        patch.setattr(course, "install", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            ensure(root, venv)
    (venv / "half").touch()
    ensure(root, venv)
    assert log == ["make", "make", "learner"]
    assert not (venv / "half").exists()


def test_update_without_network_keeps_the_environment(machine, monkeypatch):
    root, venv, log = machine
    ensure(root, venv)
    (root / "requirements.txt").write_text("scipy\n")
    with monkeypatch.context() as patch:
        patch.setattr(
            course, "install", lambda *_: (_ for _ in ()).throw(course.Trouble("no network"))
        )
        with pytest.raises(course.Trouble):
            ensure(root, venv)
    ensure(root, venv)
    assert log == ["make", "learner", "learner"]
    assert (venv / "python").exists()


def test_broken_interpreter_is_replaced(machine):
    root, venv, log = machine
    ensure(root, venv)
    (venv / "python").unlink()
    ensure(root, venv)
    assert log == ["make", "learner"] * 2


def test_venv_works_tells_a_real_environment_from_a_broken_one(tmp_path):
    assert course.venv_works(Path(sys.prefix), course.PACKAGES)
    assert not course.venv_works(Path(sys.prefix), ("pip", "no_such_module_of_the_course"))
    assert not course.venv_works(tmp_path, ())


def test_environment_without_pip_does_not_work(tmp_path):
    venv.create(tmp_path, with_pip=False)
    assert course.venv_works(tmp_path, ())
    assert not course.venv_works(tmp_path, course.PACKAGES[:1])


def test_children_see_nothing_from_outside_the_environment(monkeypatch, tmp_path):
    outside = (
        "PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONWARNINGS PYTHONOPTIMIZE PYTHONBREAKPOINT "
        "JUPYTER_PATH JUPYTER_CONFIG_PATH JUPYTER_CONFIG_DIR JUPYTER_NO_CONFIG JUPYTER_TOKEN "
        "JUPYTERLAB_DIR JUPYTERLAB_SETTINGS_DIR JUPYTERLAB_WORKSPACES_DIR JUPYTER_PREFER_ENV_PATH "
        "JPY_PARENT_PID IPYTHONDIR MATPLOTLIBRC MPLCONFIGDIR MPLBACKEND VIRTUAL_ENV PIP_TARGET "
        "ANYWIDGET_HMR PYTEST_ADDOPTS RUFF_CONFIG"
    )
    for name in outside.split():
        monkeypatch.setenv(name, "elsewhere")
    environ = course.clean_environ(tmp_path, EXTRA="t")
    assert [name for name, value in environ.items() if value == "elsewhere"] == []
    assert environ["EXTRA"] == "t"
    assert environ["PATH"] == os.environ["PATH"]
    for name in course.OWN_FOLDERS:
        assert Path(environ[name]).parent == tmp_path


def test_a_kernels_debugger_starts_without_a_warning(tmp_path):
    attach = "import debugpy; debugpy.listen(('127.0.0.1', 0))"
    environ = course.clean_environ(tmp_path)
    started = subprocess.run([sys.executable, "-c", attach], env=environ, capture_output=True)
    assert (started.returncode, started.stderr) == (0, b"")


def test_package_is_linked_by_a_path_that_a_moved_folder_keeps(tmp_path):
    root = tmp_path / "here"
    place = root / ".venv/lib/python3.11/site-packages"
    place.mkdir(parents=True)
    (place / "__editable__.attention_core-0.1.0.pth").write_text("/old/place")
    course.link_package(root, root / ".venv")
    moved = root.rename(tmp_path / "there")
    place = moved / ".venv/lib/python3.11/site-packages"
    (link,) = place.iterdir()
    assert (place / link.read_text().strip()).resolve() == moved


def test_requirements_and_package_state_the_same_ranges():
    """A learner's requirements name the package's own ranges, and each has both ends."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    ranges = [line for line in lines if line and not line.startswith(("#", "-e"))]
    extras = project["optional-dependencies"]
    assert set(project["dependencies"]) <= set(ranges)
    assert {line for line in ranges if line.startswith("nbval")} <= set(extras["test"])
    everything = [*ranges, *extras["test"], *extras["author"]]
    assert all(re.fullmatch(r"[\w.-]+>=[\d.]+,<[\d.]+", line) for line in everything)
    assert course.wanted_packages(ROOT) == ranges
    assert course.wanted_packages(ROOT, "test") == ranges + extras["test"]
    named = [re.split(">=", line)[0] for line in ranges]
    assert named == ["jupyterlab", "numpy", "matplotlib", "ipywidgets", "anywidget", "nbval"]


def test_binder_installs_the_package_on_a_python_that_the_course_supports():
    """repo2docker reads runtime.txt as python-X.Y and installs requirements.txt at the root."""
    runtime = re.fullmatch(r"python-(\d+)\.(\d+)\n", (ROOT / "runtime.txt").read_text("utf-8"))
    assert runtime and tuple(map(int, runtime.groups())) >= course.OLDEST_PYTHON
    assert "-e ." in (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    # Any of these would be read instead of the two.
    others = ("environment.yml", "Pipfile", "setup.py", "Dockerfile", "binder", ".binder")
    assert not [name for name in others if (ROOT / name).exists()]


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


def test_missing_network_is_told_with_pips_last_word(monkeypatch):
    """A real pip, pointed at a port where nothing listens."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    with pytest.raises(course.Trouble) as trouble:
        course.install(Path(sys.prefix), ["no-such-package-of-the-course"], None)
    message = str(trouble.value)
    assert message.startswith("The package index cannot be reached: the first start needs")
    assert "(pip said: ERROR: No matching distribution found" in message
    assert "\n" not in message


PIP_SAID = {
    "noise\nERROR: wheel is broken\nnote: more\n": "(pip said: ERROR: wheel is broken).",
    "  × python setup.py egg_info did not run successfully.\n  ╰─> [3 lines of output]\n"
    "      ValueError: no compiler\n  note: This error originates from a subprocess.\n"
    "ERROR: subprocess-exited-with-error\n": "(pip said: ValueError: no compiler).",
}


@pytest.mark.parametrize("output", PIP_SAID)
def test_other_failure_of_pip_is_told_with_its_cause(output):
    message = course.explain_pip(output)
    assert message.startswith("The installation failed")
    assert message.endswith(PIP_SAID[output])


@pytest.mark.parametrize("sign", course.FULL_SIGNS)
def test_full_disk_is_told_before_any_headline_of_pip(sign):
    output = f"OSError: {sign}: 'numpy'\nConnection broken\nERROR: subprocess-exited-with-error"
    assert course.explain_pip(output).startswith(f"The disk is full ({sign})")


FILE_TROUBLES = [
    (OSError(errno.ENOSPC, "No space left on device", "/a/b"), "The disk is full (No space left"),
    (PermissionError(errno.EACCES, "Permission denied", "/a/b"), "/a/b may not be written by you"),
    (OSError(errno.EROFS, "Read-only file system", "/a/b"), "/a/b may not be written by you"),
    (OSError(errno.EIO, "Input/output error", "/a/b"), "/a/b: Input/output error"),
]


@pytest.mark.parametrize(("error", "words"), FILE_TROUBLES)
def test_any_trouble_with_files_is_one_sentence(error, words, monkeypatch, capsys):
    monkeypatch.setattr(course, "start", lambda _: (_ for _ in ()).throw(error))
    assert course.main([]) == 1
    assert words in said(capsys)


def test_missing_lesson_is_told(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(course, "ROOT", tmp_path)
    assert course.main(["--lang", "zh"]) == 1
    assert "notebooks/zh/00_overview.ipynb is missing" in said(capsys)


@pytest.mark.parametrize(
    "arguments", [["--lang", "fr"], ["--nonsense"], ["--port", "x"], ["--port", "99999"], ["tset"]]
)
def test_wrong_use_ends_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        course.main(arguments)
    assert end.value.code == 2
    assert "usage: course.py" in capsys.readouterr().err


# ---------------------------------------------------------------- JupyterLab and tests


def test_lab_settings_are_json_for_this_environment_only(tmp_path):
    course.write_lab_settings(tmp_path)
    course.write_lab_settings(tmp_path)
    written = json.loads((tmp_path / "share/jupyter/lab/settings/overrides.json").read_text())
    assert written["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"
    assert written["@jupyter-widgets/jupyterlab-manager:plugin"] == {"saveState": True}


# ---------------------------------------------------------------- the other commands


ALL = ["lint", "unit", "launcher", "build", "nbval", "browser", "site"]


@pytest.mark.parametrize(
    ("arguments", "names", "rest"),
    [
        ([], ALL, []),
        (["--all"], [*ALL, "attacks"], []),
        (["-k", "softmax"], ["unit", "launcher", "nbval", "browser", "site"], ["-k", "softmax"]),
        (["nbval", "unit", "-k", "unit"], ["unit", "nbval"], ["-k", "unit"]),
        (["lint", "-x"], ["lint"], ["-x"]),
        (["attacks"], ["attacks"], []),
    ],
)
def test_arguments_of_test_name_sections_or_go_to_pytest(arguments, names, rest):
    assert sections.chosen_sections(arguments) == (names, rest)


@pytest.fixture
def run_log(monkeypatch):
    """Return (log, fail): the commands that ran, and the words that give one of them a code."""
    log, fail = [], {}

    def call(command, **_):
        log.append(" ".join(map(str, command)))
        return next((code for word, code in fail.items() if word in log[-1]), 0)

    monkeypatch.setattr(course, "ensure_environment", lambda *_: None)
    monkeypatch.setattr(course.subprocess, "call", call)
    return log, fail


def test_all_sections_run_and_a_failure_is_reported_at_the_end(run_log, capsys):
    log, fail = run_log
    fail["not browser"] = 1
    assert sections.main([]) == 1
    printed = capsys.readouterr().out
    assert re.findall(r"^=== (\w+)", printed, re.MULTILINE) == [*ALL, "Report"]
    reported = dict(re.findall(r"^(\w+) +(passed|FAILED)", printed, re.MULTILINE))
    assert reported == dict.fromkeys(ALL, "passed") | {"unit": "FAILED"}
    assert len(log) == 11


def test_a_site_whose_parts_cannot_be_had_is_reported_as_not_run(run_log, capsys):
    log, fail = run_log
    fail["course.py site"] = sections.UNAVAILABLE
    assert sections.main(["lint", "site"]) == 0
    assert "tests/site" not in log[-1]
    assert re.search(r"^site +not run", capsys.readouterr().out, re.MULTILINE)
    fail["course.py site"] = 1
    assert sections.main(["site"]) == 1


def test_all_passed_ends_with_0(run_log):
    assert sections.main([]) == 0


def test_code_is_linted_first(run_log):
    log, _ = run_log
    sections.main([])
    assert log[0].endswith("-m ruff check .")
    assert log[1].endswith("-m ruff format --check .")


def test_cells_of_one_notebook_stay_on_one_worker(run_log):
    log, _ = run_log
    sections.main(["nbval"])
    assert len(log) == 2
    assert log[1].endswith("tests/kernels")
    for flag in ("--nbval ", "--nbval-current-env", "-n 2", "startup-timeout"):
        assert flag in log[0]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "--dist=loadscope" in settings["tool"]["pytest"]["ini_options"]["addopts"]


def test_build_compares_only_when_asked(run_log):
    log, _ = run_log
    assert course.main(["build", "07", "--check"]) == 0
    assert [line.split(" -P ", 1)[1] for line in log] == [
        "notebooks/build.py 07 --check",
        "images/make.py --check",
    ]


def test_test_runs_the_sections_in_the_environment(run_log):
    log, fail = run_log
    assert course.main(["test", "unit", "-x"]) == 0
    assert log[-1].endswith("-P -m tests unit -x")
    fail["tests"] = 1
    assert course.main(["test"]) == 1


def test_site_is_built_in_an_environment_of_its_own(run_log):
    log, _ = run_log
    assert course.main(["site", "--serve"]) == 0
    assert len(log) == 1
    assert log[0].endswith("-P -m notebooks.site --serve")
    assert str(course.SITE_VENV) in log[0]


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
