"""An explorer in a bare page: Python in this process stands for the kernel. No JupyterLab."""

import json

import pytest

from attention_core.explorers.widgets import Matrix
from tests.explorer_ways import EXPLORERS

every_explorer = pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.__name__)

TRAITS = (
    "lang",
    "spec",
    "pool",
    "pictures",
    "first",
    "axes",
    "at",
    "limits",
    "closed",
    "history",
    "done",
    "round",
    "note",
    "stamp",
)

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>explorer</title><style>
:root { --jp-layout-color0: #fff; --jp-brand-color1: #1976d2; }
body[data-jp-theme-light="false"] { --jp-layout-color0: #111; --jp-brand-color1: #2196f3; }
body { margin: 0; background: var(--jp-layout-color0); }
</style><style id="css"></style></head>
<body data-jp-theme-light="true"><main>
<h1 style="position:absolute;opacity:0;pointer-events:none">explorer</h1>
<div id="here"></div></main></body></html>"""

MODEL = """async ([code, css, state]) => {
  document.getElementById("css").textContent = css;
  const module = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const { default: widget } = await import(module);
  const listeners = {};
  const dirty = new Set();
  window.calls = 0;
  window.isDead = false;
  const model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; dirty.add(name); },
    save_changes: () => {
      window.calls += 1;
      const changed = Object.fromEntries([...dirty].map((name) => [name, state[name]]));
      dirty.clear();
      if (!window.isDead) window.kernel({ changed });
    },
    send: (message) => { window.calls += 1; if (!window.isDead) window.kernel({ message }); },
    on: (event, act) => (listeners[event] ??= new Set()).add(act),
    off: (event, act) => listeners[event]?.delete(act),
  };
  window.apply = (news) => {
    Object.assign(state, news);
    for (const name of Object.keys(news)) listeners[`change:${name}`]?.forEach((act) => act());
  };
  window.stage = widget.render({ model, el: document.getElementById("here") });
}"""


class StagePage:
    """One explorer on a page of its own."""

    def __init__(self, page, explorer, theme="light"):
        self.page, self.explorer, self.complaints = page, explorer, []
        self._sent = {}
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda m: m.type == "error" and self.complaints.append(m.text))
        page.expose_function("kernel", self._hear)
        page.set_content(PAGE)
        self.theme(theme)
        page.evaluate(MODEL, [explorer._esm, explorer._css, self._news()])

    def theme(self, name):
        """Switch to the "light" or the "dark" theme."""
        light = str(name == "light").lower()
        self.page.evaluate("light => { document.body.dataset.jpThemeLight = light; }", light)

    def _news(self):
        """The traits that changed since they were sent last, as plain JSON."""
        news = {}
        for name in TRAITS:
            text = json.dumps(getattr(self.explorer, name))
            if self._sent.get(name) != text:
                self._sent[name] = text
                news[name] = json.loads(text)
        return news

    def _hear(self, said):
        try:
            for name, value in said.get("changed", {}).items():
                self._sent[name] = json.dumps(value)
                setattr(self.explorer, name, value)
            if "message" in said:
                self.explorer._on_message(None, said["message"], [])
        except Exception as error:  # as a kernel: the page must hear of it
            self.complaints.append(repr(error))
        self.push()

    def push(self):
        """Send to the page what Python has changed."""
        self.page.evaluate("news => { window.apply(news); }", self._news())

    def cell(self, name, i, j):
        """Return a cell of a matrix."""
        return self.page.locator(f'[data-m="{name}"] [data-row="{i}"][data-col="{j}"]')

    def lit(self, kinds):
        """Return the cells inside the bands of these kinds, as (matrix, row, column)."""
        found = self.page.evaluate(
            """kinds => [...document.querySelectorAll(".attn-band.on")]
              .filter(band => kinds.some(kind => band.classList.contains(kind)))
              .map(({ style, parentElement }) => [parentElement.parentElement.dataset.m,
                ...["r0", "nr", "c0", "nc"].map(x => Number(style.getPropertyValue("--" + x)))])
            """,
            list(kinds),
        )
        return {
            (m, i, j)
            for m, r0, nr, c0, nc in found
            for i in range(r0, r0 + nr)
            for j in range(c0, c0 + nc)
        }


def edited(explorer):
    """The first matrix whose numbers can be edited, or None."""
    for name, part in explorer.controls.items():
        if isinstance(part, Matrix) and not part.toggles:
            return name
    return None


def wait_for_change(stage, act):
    """Do something that Python must answer, and wait for the answer to be drawn."""
    before = stage.explorer.stamp
    act()
    stage.page.wait_for_function(
        "before => Number(document.querySelector('.attn-explorer').dataset.stamp) > before",
        arg=before,
    )
