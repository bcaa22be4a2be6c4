"""One lesson, open in JupyterLab: what a test or an author does with it."""

from pathlib import Path

import numpy as np
from playwright.sync_api import TimeoutError as PlaywrightTimeout

# A kernel start on a busy two-core machine.
PATIENCE_MS = 120_000

OPEN = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  const panel = app.shell.currentWidget;
  await panel.context.ready;
  await panel.revealed;
  await panel.sessionContext.ready;
  const session = panel.sessionContext;
  while (session.session?.kernel?.status !== 'idle')
    await new Promise(done => setTimeout(done, 50));
  window.complaints = [];
  session.iopubMessage.connect((_, message) => {
    const { header: { msg_type }, content } = message;
    if (msg_type === 'error')
      window.complaints.push(`${content.ename}: ${content.evalue}`);
    // A widget that the browser closed and the kernel had closed before: harmless.
    const stderr = msg_type === 'stream' && content.name === 'stderr';
    if (stderr && !content.text.includes('No such comm'))
      window.complaints.push(content.text);
  });
}"""

# Press "show" at every open prediction; true once each one is there and hides nothing.
SHOW_ALL = """() => [...document.querySelectorAll('.jp-Notebook .jp-CodeCell')]
  .filter(cell => /\\bpredict\\(.\\d\\d\\.\\d/.test(
    cell.querySelector('.jp-InputArea-editor')?.textContent))
  .map(cell => {
    cell.querySelector('.prediction .show:not([hidden])')?.click();
    return cell.querySelector('.prediction')?.dataset.veils === '0';
  }).every(Boolean)"""

READ_VALUES = """grid => [...grid.querySelectorAll("tbody tr")].map(row =>
  [...row.querySelectorAll("[data-row]")].map(cell =>
    cell.dataset.value === "" ? null : Number(cell.dataset.value)))"""


class Lesson:
    """A page with one notebook in it. Complaints of the kernel are collected from the start."""

    def __init__(self, page, server):
        self.page, self.server = page, server
        page.set_default_timeout(PATIENCE_MS)

    def open(self, name, lang=None):
        """Open work/LANG/NAME.ipynb (without a language NAME.ipynb) and wait for its kernel."""
        path = f"{f'work/{lang}/' if lang else ''}{name}.ipynb"
        if not (self.server.root / path).exists():
            raise FileNotFoundError(f"{path} is not among the served lessons")
        self.page.goto(self.server.lesson_address(path))
        self.page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.sessionContext")
        self.listen()
        return self

    def listen(self):
        """Wait for the kernel; from then on its complaints are kept."""
        self.page.evaluate(OPEN)

    def run_all(self, veiled=False):
        """Run every cell; nothing may fail, complain or show a broken widget.

        What predictions hide is shown, as by a reader who presses "show" at each of them.
        """
        done = self.page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        assert done is True, f"a cell failed: {self.complaints()}"
        self.assert_well()
        if not veiled:
            self.page.wait_for_function(SHOW_ALL)
        return self

    def complaints(self):
        """Return the errors and stderr texts the kernel sent so far."""
        return self.page.evaluate("window.complaints")

    def assert_well(self):
        """Nothing complained, also not a callback, whose errors JupyterLab shows nowhere."""
        complaints = self.complaints()
        assert not complaints, f"the kernel complained: {complaints}"
        broken = self.page.locator(".jupyter-widgets-error-widget").all_text_contents()
        assert not broken, f"broken widgets: {broken}"

    def execute(self, code):
        """Run code in the lesson's kernel and return what it printed."""
        return self.page.evaluate(
            """async code => {
              const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
              const future = kernel.requestExecute({ code, store_history: false });
              let text = '';
              future.onIOPub = message => {
                if (message.header.msg_type === 'stream') text += message.content.text;
              };
              const reply = await future.done;
              if (reply.content.status !== 'ok') throw new Error(reply.content.evalue);
              return text.trim();
            }""",
            code,
        )

    def theme(self, name):
        """Switch JupyterLab to "dark" or "light"."""
        full = {"dark": "JupyterLab Dark", "light": "JupyterLab Light"}[name]
        self.page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", full
        )
        self.page.wait_for_function(
            "light => document.body.dataset.jpThemeLight === light",
            arg=str(name == "light").lower(),
        )
        return self

    def explorers(self):
        """Return a locator for every explorer on the page."""
        return self.page.locator(".attn-explorer")

    def matrix(self, name, explorer=0):
        """Return a matrix of an explorer (a number, first 0) by its name, such as "WQ"."""
        body = self.explorers().nth(explorer).locator(f'[data-m="{name}"]')
        return Matrix(body.get_by_role("grid").first)

    def screenshot(self, path, element=None):
        """Write a picture of one element, or of the page, and return its path."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        if element is None:
            self.page.screenshot(path=path)
        else:
            element.scroll_into_view_if_needed()
            element.screenshot(path=path)
        return path

    def shutdown(self):
        """End the lesson's kernel."""
        self.page.evaluate(
            """async () => {
              const panel = window.jupyterapp?.shell?.currentWidget;
              if (panel?.sessionContext) await panel.sessionContext.shutdown();
            }"""
        )


class Matrix:
    """A matrix on the page: its numbers, its cells, and waiting for other numbers."""

    def __init__(self, grid):
        self.grid = grid

    def values(self):
        """Return the numbers as an array; an infinite one stands as NaN."""
        return np.array(self.grid.evaluate(READ_VALUES), dtype=float)

    def cell(self, row, column):
        """Return one cell."""
        return self.grid.locator(f"[data-row='{row}'][data-col='{column}']")

    def wait_for(self, expected):
        """Wait until the page shows these numbers; say what it shows if it never does."""
        wanted = np.asarray(expected, dtype=float)
        try:
            self.grid.page.wait_for_function(
                f"([grid, wanted]) => {{ const shown = ({READ_VALUES})(grid);"
                " return shown.length === wanted.length && shown.every((row, i) =>"
                " row.length === wanted[i].length && row.every((x, j) => x === null"
                " ? wanted[i][j] === null : Math.abs(x - wanted[i][j]) < 1e-6)); }",
                arg=[self.grid.element_handle(), to_json(wanted)],
                timeout=15_000,
            )
        except PlaywrightTimeout:
            raise AssertionError(f"shown {self.values()}, expected {wanted}") from None


def to_json(array):
    """Return nested lists in which a number that is not finite is None."""
    return [[x if np.isfinite(x) else None for x in row] for row in array.tolist()]
