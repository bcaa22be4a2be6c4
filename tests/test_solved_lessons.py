"""A lesson whose stubs were replaced by the solutions runs to its end, and every check says so."""

import re

import pytest
from nbclient import NotebookClient

from attention_core.exercises.checking.lessons import find_exercise
from tests.lessons import NOTEBOOKS, build, names

CALL = re.compile(r'check\("(\w+)", \w+\)')


def solved(name):
    """The solution as a learner would write it; where a value is asked for, the value."""
    exercise = find_exercise(name)
    source = exercise.source()
    is_function = exercise.wants_value and callable(exercise.solution)
    return f"{source}\n\n\n{name} = {name}()" if is_function else source


def replace_stub(cells, name):
    """Put the solution where the stub stands: from its first line to the call of `check`."""
    start = re.compile(rf"^(?:def {name}\(|{name} = )", re.MULTILINE)
    (cell,) = [cell for cell in cells if start.search(cell.source)]
    place = start.search(cell.source).start()
    call = CALL.search(cell.source, place)
    rest = cell.source[call.start() :] if call else ""
    assert "..." in cell.source[place:], f"{name} is no stub: {cell.source}"
    cell.source = f"{cell.source[:place]}{solved(name)}\n\n\n{rest}".rstrip()


def text_of(cell):
    """Everything that a cell printed."""
    return "".join(output.get("text", "") for output in cell.outputs)


@pytest.mark.parametrize("name", names())
def test_a_solved_lesson_runs_and_is_correct(name):
    notebook = build.read(NOTEBOOKS / "en" / f"{name}.ipynb")
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    tasks = [task for cell in cells for task in CALL.findall(cell.source)]
    assert tasks, "a lesson without an exercise"
    for task in tasks:
        replace_stub(cells, task)
    place = {"metadata": {"path": NOTEBOOKS / "en"}}
    NotebookClient(notebook, kernel_name="python3", resources=place).execute()
    printed = "".join(text_of(cell) for cell in cells)
    assert [task for task in tasks if f"✓ {task}: correct" not in printed] == []
