"""The package as a building: imports point one way, and the mathematics stays readable.

Everything is read from the source with `ast`, so a module that is added later is held to the
same rules without being named here.
"""

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import attention_core

ROOT = Path(attention_core.__file__).parent
PACKAGE = "attention_core"

# Bottom to top: a module may import only what stands on an earlier line.
CORE = (
    ("inputs", "inputs.arrays"),
    "softmax",
    ("inputs.masks", "inputs.qkv"),
    "masks",
    "attention",
    "projections",
    "heads",
)
CORE_LEVEL = {
    name: level
    for level, names in enumerate(CORE)
    for name in (names if isinstance(names, tuple) else (names,))
}
# What draws or writes: arrays and words in, pictures out.
VIEWS = (
    "drawing",
    "figures",
    "explorers.base",
    "explorers.controls",
    "explorers.matrix_view",
    "explorers.picture",
)
SCREEN_LIBRARIES = {"matplotlib", "PIL", "IPython", "ipywidgets", "anywidget", "traitlets"}
MAX_LINES, MAX_STATEMENTS, MAX_FUNCTION_LINES = 150, 18, 25


def module_name(path):
    """explorers/base.py -> explorers.base; the package itself has the empty name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


@cache
def tree(module):
    return ast.parse(FILES[module].read_text(encoding="utf-8"))


def imported_names(module, syntax):
    """Full names of everything imported anywhere in this syntax, lazy imports included."""
    inside = FILES[module].name == "__init__.py"
    here = [PACKAGE, *filter(None, module.split("."))]
    for node in ast.walk(syntax):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = here[: len(here) - node.level + inside] if node.level else []
            base = ".".join([*up, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def own_module(name):
    """The module of this package that an imported name comes from."""
    parts = name.split(".")[1:]
    while ".".join(parts) not in FILES:
        parts.pop()
    return ".".join(parts)


@cache
def imports(module):
    """(modules of this package, other libraries) that a module imports."""
    names = list(imported_names(module, tree(module)))
    ours = {own_module(name) for name in names if name.split(".")[0] == PACKAGE}
    others = {name.split(".")[0] for name in names} - {PACKAGE}
    return frozenset(ours - {module}), frozenset(others)


@cache
def reachable(module):
    """Every module of this package that comes along with this one, however far away."""
    found, waiting = set(), [module]
    while waiting:
        new = imports(waiting.pop())[0] - found
        found |= new
        waiting += new
    return frozenset(found)


def room(module):
    """The ground floor, or the folder a module lives in."""
    return module.split(".")[0] if module.split(".")[0] in ("explorers", "exercises") else ""


def knows_mathematics(module):
    return module in CORE_LEVEL or not reachable(module).isdisjoint(CORE_LEVEL)


def is_view(module):
    """One of the views, or a module inside of one."""
    return any(f"{module}.".startswith(f"{view}.") for view in VIEWS)


def is_screen(module):
    return is_view(module) or not imports(module)[1].isdisjoint(SCREEN_LIBRARIES)


def filter_files(wanted):
    return [module for module in FILES if wanted(module)]


GROUND_FLOOR = [module for module in FILES if not room(module)]
MATHEMATICS = [module for module in GROUND_FLOOR if module and knows_mathematics(module)]
each_module = pytest.mark.parametrize("module", FILES)
each_mathematics = pytest.mark.parametrize("module", MATHEMATICS)


def functions(module):
    """Functions at the top of a module."""
    return [node for node in tree(module).body if isinstance(node, ast.FunctionDef)]


def statements(function):
    """All statements of a function but its docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return [node for line in body for node in ast.walk(line) if isinstance(node, ast.stmt)]


def code_lines(function):
    """Lines from the first statement after the docstring to the last."""
    rows = [row for node in statements(function) for row in (node.lineno, node.end_lineno)]
    return max(rows) - min(rows) + 1 if rows else 0


# --- the reader itself ---


def test_the_reader_sees_what_is_there():
    """A rule over an empty list would hold for ever."""
    assert set(CORE_LEVEL) <= set(MATHEMATICS)
    assert imports("heads")[0] == {"attention", "projections"}
    assert "inputs.arrays" in reachable("heads")
    assert imports("")[0] >= {"softmax", "masks", "attention", "heads"}
    assert any("matplotlib" in imports(module)[1] for module in FILES if is_view(module))
    assert is_screen("figures") and is_screen("explorers.matrix_view")
    assert not is_screen("softmax")
    assert not knows_mathematics("drawing.palette")
    assert knows_mathematics("")
    assert own_module("attention_core.softmax.softmax") == "softmax"
    assert own_module("attention_core.no_such_name") == ""


# --- one way ---


def test_there_is_no_circle():
    graph = {module: imports(module)[0] for module in FILES}
    assert len(list(TopologicalSorter(graph).static_order())) == len(FILES)


@pytest.mark.parametrize("module", CORE_LEVEL)
def test_the_core_is_a_staircase(module):
    """inputs ← softmax ← masks ← attention ← projections ← heads, and nothing beside."""
    ours, others = imports(module)
    assert ours <= set(CORE_LEVEL)
    assert all(CORE_LEVEL[below] < CORE_LEVEL[module] for below in ours)
    assert others <= {"numpy"} | set(sys.stdlib_module_names)


@each_mathematics
def test_mathematics_knows_no_screen(module):
    """Not even indirectly: no picture, no widget, no colours, no exercises."""
    for below in {module} | reachable(module):
        assert not is_screen(below), f"{module} comes with {below}"
        assert not room(below), f"{module} comes with {below}"


def draws_only(module):
    """A view or whatever else touches the screen, but for what brings both together."""
    return is_view(module) or (is_screen(module) and not room(module))


@pytest.mark.parametrize("module", filter_files(draws_only))
def test_what_draws_knows_no_mathematics(module):
    """Arrays come in as they are; only an explorer of a lesson brings both together."""
    assert not knows_mathematics(module), sorted(reachable(module) & set(CORE_LEVEL))


@each_module
def test_nothing_imports_explorers_or_exercises(module):
    """They are the top of the building; each knows only its own folder."""
    for top in ("explorers", "exercises"):
        if room(module) != top and module != "lesson":  # what a lesson has at hand
            assert not [below for below in imports(module)[0] if room(below) == top]


@each_module
def test_only_known_libraries(module):
    """Nothing that a learner's installation lacks; what authors use stays in make files."""
    known = {"numpy", "matplotlib", "PIL", "ipywidgets", "anywidget", "traitlets", "IPython"}
    if FILES[module].name == "make.py":
        known.add("fontTools")
    assert imports(module)[1] <= known | set(sys.stdlib_module_names)


# `spell` writes the arithmetic of one cell out in full: what e^0.71 is, and 0·1 + 1·1.
MAY_CALCULATE = {"explorers.spell": {"exp", "dot"}}
CALCULATIONS = {"exp", "dot", "matmul", "einsum", "inner", "outer", "tensordot", "linalg"}


@pytest.mark.parametrize("module", filter_files(lambda module: room(module) == "explorers"))
def test_explorers_calculate_nothing(module):
    """Every number on the screen comes from the functions that the lesson teaches."""
    for node in ast.walk(tree(module)):
        where = f"{module}:{getattr(node, 'lineno', 0)}"
        assert not isinstance(node, ast.MatMult), module
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ("np", "numpy"):
            assert node.attr not in CALCULATIONS - MAY_CALCULATE.get(module, set()), where


@each_module
def test_nothing_is_set_globally(module):
    """No seed, no global draws, no rcParams, no pyplot, no assert; see the contract."""
    for node in ast.walk(tree(module)):
        where = f"{module}:{getattr(node, 'lineno', 0)}"
        assert not isinstance(node, ast.Assert), where
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in (
            "np.random",
            "numpy.random",
        ):
            assert node.attr in {"default_rng", "Generator"}, where
        if isinstance(node, ast.Attribute):
            assert ast.unparse(node) not in {"np.seterr", "np.set_printoptions", "mpl.use"}, where
    assert not [
        x for x in imported_names(module, tree(module)) if x.startswith("matplotlib.pyplot")
    ]


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


def test_importing_the_package_brings_only_numpy():
    assert loaded_after("import attention_core") == {PACKAGE}


def test_importing_exercises_brings_no_widgets():
    assert loaded_after("import attention_core.exercises") == {PACKAGE}


def test_importing_every_piece_of_mathematics_brings_only_numpy():
    names = ", ".join(f"{PACKAGE}.{module}" for module in MATHEMATICS)
    assert loaded_after(f"import {names}") == {PACKAGE}


# --- readable ---


@each_mathematics
def test_mathematics_fits_on_three_screens(module):
    lines = FILES[module].read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MAX_LINES


@each_mathematics
def test_functions_are_short(module):
    for function in functions(module):
        assert len(statements(function)) <= MAX_STATEMENTS, function.name
        assert code_lines(function) <= MAX_FUNCTION_LINES, function.name


def is_lesson_of_exercises(module):
    """The functions there are what learners write; the lesson explains them."""
    return module.startswith("exercises.lesson_")


@pytest.mark.parametrize("module", filter_files(lambda module: not is_lesson_of_exercises(module)))
def test_every_module_and_public_function_has_a_docstring(module):
    assert ast.get_docstring(tree(module)), f"{module} says nothing of itself"
    for function in functions(module):
        if not function.name.startswith("_"):
            assert ast.get_docstring(function), function.name


# What reads the caller's input for the public functions; its sentences are tested there.
INPUT_RULES = {
    "inputs.arrays",
    "inputs.masks",
    "inputs.qkv",
    "masks.apply_mask",
    "projections.head_size",
}


@each_mathematics
def test_mathematics_shows_an_example_of_every_function(module):
    for function in functions(module):
        internal = {module, f"{module}.{function.name}"} & INPUT_RULES
        if not function.name.startswith("_") and not internal:
            assert ">>> " in (ast.get_docstring(function) or ""), function.name


# Beside the names that `attention_core` itself exports.
MORE_PUBLIC = {"gradients": ["attention_backward"], "blockwise.attention": ["blockwise_attention"]}
SOURCES = ("Section", "Vaswani", "of `attention`", "source")


def public_functions():
    """(module, function) for each function of the public interface that exists already."""
    names = {module: list(attention_core.__all__) for module in CORE_LEVEL} | MORE_PUBLIC
    for module, wanted in names.items():
        for function in functions(module) if module in FILES else ():
            if function.name in wanted:
                yield pytest.param(module, function, id=function.name)


@pytest.mark.parametrize(("module", "function"), list(public_functions()))
def test_public_functions_show_an_example_and_their_source(module, function):
    text = ast.get_docstring(function)
    assert ">>> " in text
    assert any(source in text for source in SOURCES)
    first = text.splitlines()[0]
    assert first.endswith((".", ":")) or text.split("\n\n")[0].endswith("."), first


def test_every_exported_function_was_looked_at():
    looked_at = {param.id for param in public_functions()}
    exported = {name for name in attention_core.__all__ if name[0].islower()}
    assert exported - looked_at == {"use_language"}
