"""The package and its layers: imports point one way, and the mathematics stays readable.

The rules stand in pyproject.toml (import-linter and ruff); here they are run, and seen red.
What they cannot express is read from the source. Every list is made from the files there are.
"""

import ast
import shutil
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

import attention_core

PACKAGE = "attention_core"
FOLDER = Path(attention_core.__file__).parent
ROOT = FOLDER.parent
GRAPH = grimp.build_graph(PACKAGE, include_external_packages=True, cache_dir=None)
READS_INPUT = f"{PACKAGE}.inputs"
ON_TOP = tuple(f"{PACKAGE}.{name}" for name in ("explorers", "exercises", "lesson"))
# A learner reads these to the last line.
TAUGHT = ("projections", "attention", "softmax", "masks", "heads", "gradients")
MAX_LINES, MAX_STATEMENTS, MAX_FUNCTION_LINES, MAX_TOP_LEVEL = 150, 18, 25, 10
# Beside numpy and the standard library; matplotlib brings PIL, ipywidgets traitlets.
LIBRARIES = {"numpy", "matplotlib", "PIL", "ipywidgets", "anywidget", "traitlets"}


def inside(module, *packages):
    return module.startswith(tuple(f"{package}." for package in packages)) or module in packages


OURS = sorted(module for module in GRAPH.modules if inside(module, PACKAGE))
MATHEMATICS = [
    module
    for module in OURS
    if not inside(module, *ON_TOP) and module != PACKAGE
    if any(inside(below, READS_INPUT) for below in {module} | GRAPH.find_upstream_modules(module))
]


def file_of(module):
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def tree(module):
    return ast.parse(file_of(module).read_text(encoding="utf-8"))


def functions(module):
    """Functions at the top of a module."""
    return [node for node in tree(module).body if isinstance(node, ast.FunctionDef)]


def body_of(function):
    """The statements of a function, without its docstring."""
    return function.body[1:] if ast.get_docstring(function) else function.body


def statements(function):
    return [node for line in body_of(function) for node in ast.walk(line)
            if isinstance(node, ast.stmt)]  # fmt: skip


def code_lines(function):
    """Lines from the first statement after the docstring to the last."""
    rows = [row for node in statements(function) for row in (node.lineno, node.end_lineno)]
    return max(rows) - min(rows) + 1 if rows else 0


def test_the_lists_are_not_empty():
    """A rule over an empty list would hold for ever."""
    assert {f"{PACKAGE}.{name}" for name in (*TAUGHT, "inputs.arrays")} <= set(MATHEMATICS)
    assert not [m for m in MATHEMATICS if inside(m, f"{PACKAGE}.drawing", f"{PACKAGE}.figures")]
    assert all(file_of(module).exists() for module in OURS)
    assert len(OURS) == len(list(FOLDER.rglob("*.py")))


# --- one way ---


def lint_imports(folder):
    command = [sys.executable, "-c", "import sys; from importlinter.cli import lint_imports_command"
               "; sys.path.insert(0, ''); lint_imports_command()", "--no-cache"]  # fmt: skip
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_imports_point_one_way():
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_is_no_circle():
    """Nor inside of a folder, where the linter does not look."""
    imports = {module: GRAPH.find_modules_directly_imported_by(module) for module in OURS}
    order = list(TopologicalSorter(imports).static_order())
    assert set(OURS) <= set(order)


WRONG_IMPORTS = {
    "softmax.py": ("import attention_core.heads", "softmax -> attention_core.heads"),
    "measures/sharpness.py": ("import matplotlib", "sharpness -> matplotlib"),
    "inputs/arrays.py": ("import attention_core.drawing.palette", "arrays -> attention_core.drawi"),
    "drawing/palette.py": ("import attention_core.masks", "palette -> attention_core.masks"),
    "heads.py": ("import attention_core.explorers", "heads -> attention_core.explorers"),
    "explorers/cross.py": ("import attention_core.exercises", "cross -> attention_core.exercises"),
    "one_more.py": ('"""A module that no layer names."""', "one_more"),
}


def test_a_planted_import_is_noticed(tmp_path):
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for source in FOLDER.rglob("*.py"):
        copy = tmp_path / PACKAGE / source.relative_to(FOLDER)
        copy.parent.mkdir(parents=True, exist_ok=True)
        planted = WRONG_IMPORTS.get(source.relative_to(FOLDER).as_posix(), ("",))[0]
        copy.write_text(source.read_text(encoding="utf-8") + f"\n{planted}\n", encoding="utf-8")
    (tmp_path / PACKAGE / "one_more.py").write_text(WRONG_IMPORTS["one_more.py"][0])
    done = lint_imports(tmp_path)
    assert done.returncode != 0
    assert [said for _, said in WRONG_IMPORTS.values() if said not in done.stdout] == []


def test_only_known_libraries():
    """Nothing that a learner's installation lacks; what authors use stays in make files."""
    foreign = {
        module: {
            name
            for name in GRAPH.find_modules_directly_imported_by(module)
            if not inside(name, PACKAGE) and name not in sys.stdlib_module_names
        }
        for module in OURS
    }
    authors = {module for module in OURS if module.endswith(".make")}
    found = {(m, x) for m, names in foreign.items() if m not in authors for x in names - LIBRARIES}
    assert found == set()
    assert {name for names in foreign.values() for name in names} >= LIBRARIES


WRONG_LINES = {
    "S101": "assert True",
    "NPY002": "import numpy as np\n\nnp.random.seed(0)",
    "TID251": "import numpy as np\n\nnp.seterr(all='raise')",
    "D100": "x = 1",
    "D103": '"""Said."""\n\n\ndef f():\n    pass',
}


def test_ruff_refuses_what_would_be_set_globally():
    """No assert, no seed, no pyplot, no setting of the reader's; every function says what it is."""
    for rule, line in WRONG_LINES.items():
        command = [sys.executable, "-m", "ruff", "check", "--stdin-filename",
                   f"{PACKAGE}/module.py", "--output-format", "concise", "-"]  # fmt: skip
        done = subprocess.run(
            command, cwd=ROOT, input=line + "\n", capture_output=True, text=True, check=False
        )
        assert rule in done.stdout, (rule, done.stdout, done.stderr)


CALCULATIONS = {"exp", "dot", "matmul", "einsum", "inner", "outer", "tensordot", "linalg"}


def test_explorers_calculate_nothing():
    """Every number on the screen comes from the functions that the lesson teaches."""
    found = []
    for module in filter(lambda module: inside(module, f"{PACKAGE}.explorers"), OURS):
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.MatMult):
                found.append(f"{module}: @")
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ("np", "numpy"):
                if node.attr in CALCULATIONS:
                    found.append(f"{module}:{node.lineno}: np.{node.attr}")
    assert found == []


# --- what comes along ---


def loaded_after(statement):
    """Top-level names of the modules that a statement adds to those of `import numpy`."""
    script = (
        "import sys, numpy; before = set(sys.modules); "
        f"{statement}; print(*sorted({{m.split('.')[0] for m in set(sys.modules) - before}}))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split()) - set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    "names",
    [[PACKAGE], [f"{PACKAGE}.exercises"], MATHEMATICS],
    ids=["the package", "exercises bring no widgets", "all mathematics"],
)
def test_importing_brings_only_numpy(names):
    assert loaded_after(f"import {', '.join(names)}") == {PACKAGE}


# --- readable ---


def test_the_top_level_holds_what_the_lessons_teach():
    files = [path.stem for path in FOLDER.glob("*.py")]
    assert len(files) <= MAX_TOP_LEVEL, sorted(files)
    assert set(TAUGHT) <= set(files)
    docstring = ast.get_docstring(tree(PACKAGE))
    assert [name for name in TAUGHT if f"{name}.py" not in docstring] == []


def not_mathematics(module, function):
    """Lines before the result that read, refuse or set: all but the formula."""
    readers = {
        alias.asname or alias.name
        for node in tree(module).body
        if isinstance(node, ast.ImportFrom) and inside(node.module, READS_INPUT)
        for alias in node.names
    }
    for node in statements(function):
        if isinstance(node, (ast.With, ast.Try, ast.Raise, ast.Import, ast.ImportFrom, ast.Global)):
            yield node
        elif not isinstance(node, ast.Return):
            names = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
            if names & readers:
                yield node


def test_one_line_reads_and_the_rest_is_mathematics():
    """In what a learner opens after a lesson, the formula stands free."""
    found = [
        f"{name}.{function.name}: {len(lines)} lines"
        for name in TAUGHT
        for function in functions(f"{PACKAGE}.{name}")
        if len(lines := list(not_mathematics(f"{PACKAGE}.{name}", function))) > 1
    ]
    assert found == []
    attention_steps = next(
        f for f in functions(f"{PACKAGE}.attention") if f.name == "attention_steps"
    )
    assert len(list(not_mathematics(f"{PACKAGE}.attention", attention_steps))) == 1


def test_mathematics_keeps_its_budgets():
    """At most three screens a module, and functions that are seen at once."""
    found = []
    for module in MATHEMATICS:
        lines = len(file_of(module).read_text(encoding="utf-8").splitlines())
        if lines > MAX_LINES:
            found.append(f"{module}: {lines} lines")
        for function in functions(module):
            if len(statements(function)) > MAX_STATEMENTS:
                found.append(f"{module}.{function.name}: {len(statements(function))} statements")
            if code_lines(function) > MAX_FUNCTION_LINES:
                found.append(f"{module}.{function.name}: {code_lines(function)} lines")
    assert found == []


def test_mathematics_shows_an_example_of_every_function():
    """But for what reads the caller's input: its sentences are tested one by one."""
    assert [
        f"{module}.{function.name}"
        for module in MATHEMATICS
        if not inside(module, READS_INPUT)
        for function in functions(module)
        if not function.name.startswith("_") and ">>> " not in (ast.get_docstring(function) or "")
    ] == []


SOURCES = ("Lesson", "Vaswani", "Milakov", "of `attention`")


def test_public_functions_name_their_source():
    exported = {name for name in attention_core.__all__ if name[0].islower()}
    looked_at, found = {"use_language"}, []
    for module in MATHEMATICS:
        for function in functions(module):
            if function.name in exported:
                text = ast.get_docstring(function)
                looked_at.add(function.name)
                if not any(source in text for source in SOURCES):
                    found.append(f"{module}.{function.name} names no source")
                if not text.split("\n\n")[0].endswith("."):
                    found.append(f"{module}.{function.name} does not open with a sentence")
    assert found == []
    assert looked_at >= exported
