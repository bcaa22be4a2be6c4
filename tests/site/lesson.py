"""One lesson of the site, open in JupyterLite."""

from tests.browser.lesson import Lesson

READY = """async () => {
  const panel = window.jupyterapp.shell.currentWidget;
  // The kernel answers once Pyodide and all packages are there; one that cannot start is silent.
  const answer = panel.sessionContext.session.kernel.requestExecute({ code: 'None' }).done;
  const silence = new Promise(
    (_, give_up) => setTimeout(() => give_up(new Error('the kernel never answered')), 120000));
  await Promise.race([answer, silence]);
}"""
CHANGE = """([explorer, was]) => explorer.innerHTML !== was"""
# Controls of any explorer, the first that is there: a slider, a choice, a box, a cell to click.
CONTROLS = (
    "input[type=range]:not([disabled])",
    "[role=radio][aria-checked=false]:not([disabled])",
    "input[type=checkbox]",
    "td button",
    "button:not([disabled])",
)
PATIENCE_MS = 30_000


class SiteLesson(Lesson):
    """A lesson in the browser edition: opened, run, moved."""

    def __init__(self, page, address):
        self.address = address
        super().__init__(page, None)

    def open(self, name, lang=None):
        """Open a lesson and wait until its kernel answers."""
        self.page.goto(f"{self.address}lab/index.html?path=notebooks/{lang}/{name}.ipynb")
        return self.when_open()

    def when_open(self):
        """Wait until the lesson that is being opened can be worked with."""
        self.page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.sessionContext")
        self.listen()
        self.page.evaluate(READY)
        return self

    def move_an_explorer(self):
        """Use the first control of the first explorer; wait until the explorer shows a change."""
        explorer = self.explorers().first
        explorer.scroll_into_view_if_needed()
        kind = next(kind for kind in CONTROLS if explorer.locator(kind).count())
        control = explorer.locator(kind).first
        was = explorer.evaluate("explorer => explorer.innerHTML")
        if "range" in kind:
            control.focus()
            control.press("ArrowRight")
        else:
            control.click(timeout=PATIENCE_MS)
        handle = explorer.element_handle()
        self.page.wait_for_function(CHANGE, arg=[handle, was], timeout=PATIENCE_MS)

    def said_wrong(self):
        """What stands on the page as an error or a warning of Python."""
        wrong = "[data-mime-type*=stderr], [data-mime-type*=error]"
        return self.page.locator(f".jp-OutputArea :is({wrong})").all_text_contents()
