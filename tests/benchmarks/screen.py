"""From the control to the changed picture, in JupyterLab in headless Chromium."""

import random
import statistics
import tempfile
from pathlib import Path

import nbformat

from tests.benchmarks import screen_cells
from tests.browser.chromium import browser, find_chromium
from tests.browser.lesson import Lesson
from tests.browser.server import jupyterlab

# Wait until the picture inside `root` has changed after the next key, then until it is painted.
WATCH = """root => {
  const state = { keys: [], changes: [], blanks: 0 };
  window.watched = state;
  root.addEventListener('keydown', () => state.keys.push(performance.now()), true);
  const seen = () => requestAnimationFrame(() => state.changes.push(performance.now()));
  const picture = root.querySelector('.picture') || root;
  const shows = () => picture.querySelector('img, table, svg');
  new MutationObserver(records => {
    if (!shows()) state.blanks += 1;
    const controls = '.attn-controls, .widget-slider, .noUi-target';
    const changed = records.filter(record => !record.target.closest?.(controls));
    if (!changed.length) return;
    const image = picture.querySelector('img');
    if (image && !image.complete) image.addEventListener('load', seen, { once: true });
    else seen();
  }).observe(picture, { childList: true, subtree: true, characterData: true, attributes: true,
                        attributeFilter: ['src', 'data-value', 'points', 'd'] });
}"""


def table(presses=40):
    """Medians over single presses, each after the last picture had settled; then a held key."""
    executable = find_chromium()
    names = ["OURS_FRAMES", "OURS_EDITS", "OURS_HISTOGRAM", "PEER_MATRICES", "PEER_HISTOGRAM"]
    with (
        tempfile.TemporaryDirectory() as folder,
        jupyterlab(Path(folder)) as server,
        browser(executable) as chromium,
    ):
        _write_notebook(server.root / "screen.ipynb", names)
        page = chromium.new_page(viewport={"width": 1300, "height": 1600})
        lesson = Lesson(page, server).open("screen").run_all()
        page.wait_for_timeout(2000)
        times, held = {}, {}
        for number, name in enumerate(names):
            output = page.locator(".jp-Cell").nth(number).locator(".jp-Cell-outputWrapper")
            control = _control(output, name)
            output.evaluate(WATCH)
            times[name] = _presses(page, control, name, presses)
            held[name] = _hold(page, output, control) if name != "OURS_EDITS" else None
        lesson.shutdown()
    yield "| picture | median ms | p95 ms | of the peer | held key: steps behind, blanks |"
    yield "|---|--:|--:|--:|---|"
    peers = {"OURS_HISTOGRAM": "PEER_HISTOGRAM"}
    for name in names:
        peer = statistics.median(times[peers.get(name, "PEER_MATRICES")])
        if name == "PEER_HISTOGRAM":
            peer = statistics.median(times[name])
        middle = statistics.median(times[name])
        worst = sorted(times[name])[int(0.95 * len(times[name]))]
        line = f"{name} | {middle:.0f} | {worst:.0f} | 1/{peer / middle:.1f}"
        yield f"| {line} | {held[name] or '-'} |"


def _write_notebook(path, names):
    notebook = nbformat.v4.new_notebook()
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    notebook.cells = [nbformat.v4.new_code_cell(getattr(screen_cells, n).strip()) for n in names]
    nbformat.write(notebook, path)


def _control(output, name):
    if name == "OURS_EDITS":
        return output.locator('[data-m="Q"] [data-row="0"][data-col="0"]')
    if name.startswith("OURS"):
        return output.get_by_role("slider").first
    return output.locator(".noUi-handle").first


def _presses(page, control, name, presses):
    control.scroll_into_view_if_needed()
    control.focus()
    page.wait_for_timeout(500)
    waits, moment = [], random.Random(0)
    for i in range(presses):
        key = (
            "Shift+ArrowUp" if name == "OURS_EDITS" else "ArrowLeft" if i % 10 < 5 else "ArrowRight"
        )
        page.evaluate("watched.keys = []; watched.changes = []")
        page.keyboard.press(key)
        page.wait_for_function("watched.changes.length > 0", timeout=20_000)
        keys, changes = page.evaluate("[watched.keys, watched.changes]")
        waits.append(changes[0] - keys[-1])
        # At a random moment of the screen's next frame: a fixed pause would always meet the same.
        page.wait_for_timeout((150 if name.startswith("OURS") else 600) + moment.uniform(0, 17))
    return waits


def _hold(page, output, control):
    """Hold an arrow key at 30 Hz for 40 steps: pictures that never came, and blank moments."""
    page.evaluate("watched.keys = []; watched.changes = []; watched.blanks = 0")
    behind = 0
    for i in range(40):
        page.keyboard.down(_back_and_forth(i))
        page.wait_for_timeout(33)
        keys, changes = page.evaluate("[watched.keys.length, watched.changes.length]")
        behind = max(behind, keys - changes)
    for key in ("ArrowLeft", "ArrowRight"):
        page.keyboard.up(key)
    page.wait_for_timeout(1500)
    return f"{behind}, {page.evaluate('watched.blanks')}"


def _back_and_forth(i):
    """Five steps one way, five the other: every key changes the picture."""
    return "ArrowLeft" if i % 10 < 5 else "ArrowRight"
