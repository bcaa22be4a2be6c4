"""How long each lesson runs on a fresh kernel, its slowest cell, and what its kernel holds then."""

import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[2] / "notebooks" / "en"
# Linux counts a process's memory in pages of 4 KiB; the second number of statm is what it holds.
HELD = "print(int(open('/proc/self/statm').read().split()[1]) * 4096)"


def table():
    """One line a lesson: seconds of Run All with the kernel's start, slowest cell, memory."""
    yield "| lesson | Run All, s | slowest cell, s | kernel, MB |"
    yield "|---|--:|--:|--:|"
    whole = 0.0
    for path in sorted(FOLDER.glob("*.ipynb")):
        seconds, slowest, held = _run(nbformat.read(path, as_version=4))
        whole += seconds
        yield f"| {path.stem} | {seconds:.1f} | {slowest:.1f} | {held / 1e6:.0f} |"
    yield f"| all | {whole:.1f} | | |"


def _run(notebook):
    notebook.cells.append(nbformat.v4.new_code_cell(HELD))
    client = NotebookClient(
        notebook, kernel_name="python3", resources={"metadata": {"path": FOLDER}}
    )
    cells, begin = [], time.perf_counter()
    with client.setup_kernel():
        for index, cell in enumerate(notebook.cells):
            start = time.perf_counter()
            client.execute_cell(cell, index)
            cells.append(time.perf_counter() - start)
        seconds = time.perf_counter() - begin
    return seconds, max(cells[1:]), int(notebook.cells[-1].outputs[0]["text"])
