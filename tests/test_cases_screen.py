"""Faults that others met with widgets, stored outputs and courses: each kind looked for once."""

import ast
import json
import re
import subprocess
import sys
import tracemalloc
from base64 import b64decode
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path

from attention_core import explorers
from attention_core.drawing.screen import contrast
from attention_core.exercises.checking.lessons import all_exercises
from tests.loops import for_each

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "attention_core"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[ez]*/*.ipynb"))
MODULES = sorted([*PACKAGE.glob("explorers/*.py"), *PACKAGE.glob("exercises/*.py")])


def names_used(text):
    """Every name and attribute in a piece of Python."""
    nodes = list(ast.walk(ast.parse(text)))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


REDRAWING = {
    "Output",
    "interact",
    "interactive",
    "clear_output",
    "hold_trait_notifications",
    "pyplot",
}


def test_the_scan_sees_what_it_looks_for():
    assert REDRAWING & names_used("from ipywidgets import Output\nwith Output(): pass")


@for_each("path", MODULES)
def test_flicker_backlog_and_double_display_have_no_source(path):
    """Kept nodes instead of redrawn outputs: nothing flickers, doubles, lags or goes stale."""
    assert not REDRAWING & names_used(path.read_text("utf-8"))


def test_importing_makes_no_widget():
    """Widgets made at import would be shared, and the second display of one is dead."""
    program = (
        "import attention_core.explorers, attention_core.exercises\n"
        "from ipywidgets.widgets.widget import _instances\n"
        "print(len(_instances))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "0"


def test_two_hundred_updates_hold_no_more_memory():
    explorer = explorers.overview_explorer()
    tracemalloc.start()
    try:
        held = []
        for step in range(200):
            explorer.controls["X"].set_cell(0, 0, float(step))
            if step in (49, 199):
                held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert held[1] - held[0] < 1_000_000


@for_each("name", explorers.__all__)
def test_the_still_form_survives_an_untrusted_page(name):
    """No script, no bare SVG: an untrusted notebook would show nothing in their place."""
    still = getattr(explorers, name)().static_html()
    assert "<script" not in still
    assert "<svg" not in still
    assert "javascript:" not in still


@for_each("name", explorers.__all__)
def test_the_pictures_of_the_still_form_stand_on_either_page(name):
    """No white ground; each colour has a partner for the dark page, seen on the other page, too."""
    still = getattr(explorers, name)().static_html()
    for packed in re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', still):
        svg = b64decode(packed).decode()
        assert not re.search(r'<rect width="100%"|fill="#fff(fff)?"', svg)
        used = set(re.findall(r"var\(--([\w-]+)", svg))
        light, dark = (
            dict(re.findall(r"--([\w-]+):(#\w{6});", rules))
            for rules in re.findall(r"svg\{((?:--[\w-]+:#\w{6};)*)\}", svg)[:2]
        )
        assert set(light) == set(dark) == used
        for colours in (light, dark):
            for token in used - {"page"}:
                assert min(contrast(colours[token], page) for page in ("#ffffff", "#111111")) > 3


def test_widgets_of_kernel_and_page_belong_together():
    """ipywidgets 8 in the kernel needs jupyterlab_widgets 3 in the page, from the same place."""
    assert version("ipywidgets").startswith("8.")
    assert version("jupyterlab_widgets").startswith("3.")


def outputs(path):
    """The text forms stored in a notebook, cell by cell."""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            yield "".join(output.get("text", output.get("data", {}).get("text/plain", "")))


@for_each("path", NOTEBOOKS)
def test_stored_numbers_do_not_depend_on_the_machine(path):
    """Rounded, without the type around a scalar, without "-0."; no progress bar, no address."""
    for text in outputs(path):
        assert not re.search(r"np\.(float|int)\d+\(|(?<![\d.])-0\.?0*(?![\d.])| at 0x", text), text
        assert not re.search(r"\d\.\d{7,}|\r|%\|", text), text


@for_each("path", NOTEBOOKS)
def test_no_solution_leaks_into_a_lesson(path):
    """What `solution` shows stands nowhere in the lesson that asks for it."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells) + "\n".join(outputs(path))
    for exercise in all_exercises():
        if exercise.lesson == path.stem[:2] and callable(exercise.solution):
            body = exercise.source().split("\n", 1)[1]
            assert body not in text, exercise.name


IGNORED = [".git", *(ROOT / ".gitignore").read_text("utf-8").replace("/", "").split()]


def shipped(folder):
    """Every file below a folder, as git would list them: also where there is no git."""
    for path in folder.iterdir():
        if not any(fnmatch(path.name, name) for name in IGNORED):
            yield from shipped(path) if path.is_dir() else [path]


def test_the_course_stays_small():
    sizes = {path: path.stat().st_size for path in shipped(ROOT)}
    assert len(sizes) > 200
    assert max(size for path, size in sizes.items() if path.suffix == ".ipynb") < 500_000
    # The whole model of lessons 15 and 18 is the one large file; its size is in its notice.
    assert (
        sum(sizes.values()) - sizes[ROOT / "attention_core/trained/data/e5_enzh.npz"] < 10_000_000
    )


def test_the_readme_never_installs_outside_the_environment():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "--break-system-packages" not in readme
    assert not re.search(r"^\s*(sudo )?pip3? install", readme, re.MULTILINE)
