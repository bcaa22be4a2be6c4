"""A notebook executed in a fresh kernel, and its outputs cleaned or refused."""

import copy
import os
import re
import subprocess
import sys
import tempfile

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from notebooks.building.files import code_cells, output_texts
from notebooks.building.making import KERNEL
from notebooks.building.reading import begin

SECONDS_PER_CELL = 120
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
UNSTABLE = re.compile(r"\bat 0x[0-9a-f]{4,}|model not found|\b\w*Box\(children")


class BuildError(RuntimeError):
    """A lesson's code did not run cleanly."""


def execute(notebook, folder, where):
    """Run all cells in a fresh kernel that starts in `folder`; BuildError if one complains."""
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=SECONDS_PER_CELL,
        record_timing=False,
        store_widget_state=False,
        shutdown_kernel="immediate",
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(folder)}},
    )
    with tempfile.TemporaryDirectory() as profile:  # nobody's start-up files, no shared history
        try:
            client.execute(env={**os.environ, "IPYTHONDIR": profile})
        except CellExecutionError as error:
            message = f"{error.ename}: {error.evalue}"
            raise BuildError(f"{where}, {_failing(notebook)}: {message}") from None
        except (CellTimeoutError, DeadKernelError) as error:
            message = str(error).split("\n", 1)[0]
            raise BuildError(f"{where}, {_failing(notebook)}: {message}") from None
    for position, cell in enumerate(code_cells(notebook), start=1):
        cell.outputs = clean_outputs(cell.outputs)
        place = f'{where}, code cell {position} ("{begin(cell.source)}")'
        for output in cell.outputs:
            _refuse_noise(output, place)
    notebook.metadata = nbformat.from_dict(copy.deepcopy(KERNEL))


def _failing(notebook):
    """Which code cell stopped a run: the one with an error, or the first without a count."""
    for position, cell in enumerate(code_cells(notebook), start=1):
        failed = any(output.output_type == "error" for output in cell.outputs)
        if failed or cell.execution_count is None:
            return f'code cell {position} ("{begin(cell.source)}")'
    return "after the last cell"


def clean_outputs(outputs):
    """Join neighbouring streams and drop widget views, so that what stays is the still form."""
    cleaned = []
    for output in copy.deepcopy(outputs):
        if output.output_type == "stream":
            last = cleaned[-1] if cleaned else None
            if last is not None and last.output_type == "stream" and last.name == output.name:
                last.text += output.text
                continue
        elif "data" in output:
            output.data.pop(WIDGET_VIEW, None)
            output.metadata.pop(WIDGET_VIEW, None)
            if not output.data:
                continue
        cleaned.append(output)
    return cleaned


def _refuse_noise(output, place):
    """BuildError for what no reader should see: warnings, memory addresses, dead widgets."""
    if output.output_type == "stream" and output.name == "stderr":
        raise BuildError(f"{place} writes to stderr: {output.text.strip()}")
    for text in output_texts(output):
        found = UNSTABLE.search(text)
        if found:
            raise BuildError(f"{place} shows '{found.group()}', which no reader can use")


def warm_up():
    """Build matplotlib's font cache now: the first import on a machine reports it on stderr."""
    subprocess.run(
        [sys.executable, "-c", "import matplotlib.font_manager"], capture_output=True, check=False
    )
