"""Each lesson in one kernel, as learners use it: run, run again, backwards, asked, solved.

A stub that is not solved breaks no cell, whatever the order; every call that a text or a message
names answers in words; and with the solutions in place every check says *correct*.
"""

import re

import pytest
from nbclient import NotebookClient
from nbformat import v4

from attention_core.exercises.checking.lessons import find_exercise
from notebooks.building import files
from tests.lessons import CODE_SPAN, NOTEBOOKS, names, study

CHECK = re.compile(r'check\("(\w+)", \w+\)')
CALL = re.compile(r'\b(?:check|hint|solution|progress|predict)\((?:"[\w.]*")?\)')
MISUSED = [
    "check()",
    'check("no_such_name")',
    "check(print)",
    "hint()",
    "hint(print)",
    "solution()",
    "progress()",
    "progress(None)",
    "predict()",
    'predict("7.1")',
]
LONGEST_REPLY = 1500  # characters: one sentence, not a list of all exercises


def solved(name):
    """The solution as a learner would write it; where a value is asked for, the value."""
    exercise = find_exercise(name)
    source = exercise.source()
    is_function = exercise.wants_value and callable(exercise.solution)
    return f"{source}\n\n\n{name} = {name}()" if is_function else source


def with_solution(cells, name):
    """The cell of a stub, with the solution from the stub's first line to the call of `check`."""
    start = re.compile(rf"^(?:def {name}\(|{name} = )", re.MULTILINE)
    (cell,) = [cell for cell in cells if start.search(cell)]
    place = start.search(cell).start()
    call = CHECK.search(cell, place)
    assert "..." in cell[place:], f"{name} is no stub: {cell}"
    rest = cell[call.start() :] if call else f'check("{name}", {name})'
    return f"{cell[:place]}{solved(name)}\n\n\n{rest}".rstrip()


def named_calls(lesson):
    """Every call that the prose of a lesson names, and those that a message may name."""
    prose = "\n".join(text for language in ("en", "zh") for _, text in lesson.prose(language))
    calls = {call for span in CODE_SPAN.findall(prose) for call in CALL.findall(span)}
    tasks = CHECK.findall("\n".join(lesson.code))
    told = {f'{helper}("{task}")' for helper in ("hint", "solution") for task in tasks}
    return sorted(calls | told) + MISUSED


def text_of(cell):
    """Everything that a cell printed."""
    return "".join(output.get("text", "") for output in cell.outputs)


def errors_of(cells):
    """What went wrong in these cells, a line for each."""
    return [
        f"{cell.source.splitlines()[0]}: {output.ename}: {output.evalue}"
        for cell in cells
        for output in cell.outputs
        if output.output_type == "error"
    ]


@pytest.mark.parametrize("name", names())
def test_a_lesson_is_used_in_any_order(name):
    lesson = study(name)
    codes = [cell.source for cell in files.code_cells(lesson.notebooks["en"])]
    tasks = CHECK.findall("\n".join(codes))
    assert tasks, "a lesson without an exercise"
    calls, answers = named_calls(lesson), [with_solution(codes, task) for task in tasks]
    queue = [*codes, *codes[::-1], *codes, *calls, *answers]
    notebook = v4.new_notebook(cells=[v4.new_code_cell(code) for code in queue])
    place = {"metadata": {"path": NOTEBOOKS / "en"}}
    client = NotebookClient(notebook, kernel_name="python3", resources=place, allow_errors=True)
    client.execute()
    ran, n = notebook.cells, len(codes)
    assert errors_of(ran[:n] + ran[2 * n :]) == []
    # Backwards, a name may hold what a later cell put there; a stub's ... is never to blame.
    assert [error for error in errors_of(ran[n : 2 * n]) if "ellipsis" in error.lower()] == []
    replies = ran[3 * n : 3 * n + len(calls)]
    assert [cell.source for cell in replies if not cell.outputs] == []
    long = [cell.source for cell in replies if len(text_of(cell)) > LONGEST_REPLY]
    assert [one for one in long if not one.startswith("solution(")] == []
    printed = "".join(map(text_of, notebook.cells))
    assert [task for task in tasks if f"✓ {task}: correct" not in printed] == []
