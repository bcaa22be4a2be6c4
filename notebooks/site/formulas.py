"""Formulas: drawn by KaTeX while the page is built, or by the page itself where Node is missing."""

import base64
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

KATEX = Path(__file__).resolve().parent / "katex"
MARK = re.compile(r'<span class="formula" data-display="(true|false)">(.*?)</span>', re.S)

# Reads [[tex, isDisplay], ...] and writes the HTML of each.
DRAW = """
const katex = require(process.argv[1]);
const wanted = JSON.parse(require("fs").readFileSync(0, "utf-8"));
process.stdout.write(JSON.stringify(wanted.map(([tex, displayMode]) =>
  katex.renderToString(tex, { displayMode, throwOnError: true, strict: false, output: "html" }))));
"""
# The same in the page.
DRAW_HERE = """for (const one of document.querySelectorAll(".formula")) {
  const displayMode = one.dataset.display === "true";
  katex.render(one.textContent, one, { displayMode, strict: false });
}
"""


def mark(tex, display):
    """The place of a formula in a page that is not finished yet."""
    return f'<span class="formula" data-display="{str(display).lower()}">{html.escape(tex)}</span>'


def draw(pages):
    """Return the pages with every marked formula drawn, or None where there is no Node."""
    node = shutil.which("node")
    if node is None:
        return None
    wanted = {}
    for page in pages:
        for display, tex in MARK.findall(page):
            wanted.setdefault((html.unescape(tex), display == "true"))
    done = subprocess.run(
        [node, "-e", DRAW, str(KATEX / "katex.min.js")],
        input=json.dumps(list(wanted)),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise ValueError(f"KaTeX cannot draw a formula: {done.stderr.strip()[-300:]}")
    drawn = dict(zip(wanted, json.loads(done.stdout), strict=True))

    def put(found):
        tex = html.unescape(found[2])
        shown = drawn[tex, found[1] == "true"]
        return f'<span role="math" aria-label="{html.escape(tex)}">{shown}</span>'

    return [MARK.sub(put, page) for page in pages]


def style(inline):
    """The style sheet of drawn formulas; inline, with the fonts inside it."""
    text = (KATEX / "katex.min.css").read_text("utf-8")
    if not inline:
        return text

    def font(found):
        data = base64.b64encode((KATEX / "fonts" / found[1]).read_bytes()).decode()
        return f"url(data:font/woff2;base64,{data})"

    return re.sub(r"url\(fonts/([^)]+)\)", font, text)


def script():
    """The script that draws the formulas in the page itself."""
    return (KATEX / "katex.min.js").read_text("utf-8") + DRAW_HERE
