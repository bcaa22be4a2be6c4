"""Lessons as pages: to read, to print, to show as slides; in the site or as one file."""

import hashlib
import html
import re
import shutil
from collections import Counter
from pathlib import Path

from . import formulas, live
from .answers import answers, unfold
from .lessons import LANGUAGES, NOTEBOOKS, lessons, read, title
from .prose import CODE_STYLE, code, data_address, output, prose
from .talk import slides_of

HERE = Path(__file__).resolve().parent
WORDS = {
    "en": {"all": "All lessons", "run": "Run it in the browser", "slides": "Slides"},
    "zh": {"all": "全部课程", "run": "在浏览器里运行", "slides": "幻灯片"},
}


def cells_html(notebook, number, language, picture, picture_of, alive):
    """Return the cells of a lesson and its answers as HTML, formulas still marked."""
    parts, folded = [], []
    for cell, mark in zip(notebook["cells"], slides_of(notebook["cells"]), strict=True):
        slide = f' data-slide="{mark}"'
        if cell["cell_type"] == "markdown":
            text = unfold(cell["source"], language, folded)
            parts.append(f'<section class="cell prose"{slide}>{prose(text, picture)}</section>')
        elif cell["cell_type"] == "code":
            shown = "".join(output(stored, picture_of) for stored in cell["outputs"])
            shown = alive(cell["source"], shown) if alive else shown
            shown = f'<div class="output">{shown}</div>' if shown else ""
            body = code(cell["source"]) + shown
            parts.append(f'<section class="cell code-cell"{slide}>{body}</section>')
    parts.append(answers(number, language, folded))
    return "\n".join(parts)


ONLY_STYLED = re.compile(r'<(td|th|div|p) style="([^"]*)">')


def styled_once(page):
    """A page in which styles that many cells of tables share stand once, as classes."""
    often = Counter(style for _, style in ONLY_STYLED.findall(page)).most_common(200)
    names = {style: f"t{place}" for place, (style, count) in enumerate(often) if count > 3}
    rules = "".join(f".{name}{{{html.unescape(style)}}}" for style, name in names.items())

    def shorter(found):
        name = names.get(found[2])
        return f'<{found[1]} class="{name}">' if name else found[0]

    return ONLY_STYLED.sub(shorter, page).replace("<body ", f"<style>{rules}</style>\n<body ", 1)


# What the slides' theme shall not bring: a web font, and its looks of tables, which would reach
# into the matrices of explorers.
NOT_OURS = re.compile(r"@import url\([^)]*\);?|(?:\.reveal table[^{},]*,?\s*)+\{[^}]*\}")


def write_pages(out):
    """Write read/en, read/zh and what they share into the site."""
    folder = out / "read"
    folder.mkdir()
    pages = {}
    for language in LANGUAGES:
        for lesson in lessons(language):
            pages[folder / language / f"{lesson.name}.html"] = _site_page(lesson, folder)
    for path in sorted(NOTEBOOKS.glob("*.md")):
        body = f'<section class="cell prose">{prose(path.read_text("utf-8"))}</section>'
        pages[folder / f"{path.stem}.html"] = _page(path.stem, "en", ".", body, "")
    drawn = formulas.draw(pages.values())
    for path, page in zip(pages, drawn, strict=True):
        path.parent.mkdir(exist_ok=True)
        path.write_text(styled_once(page), "utf-8")
    write_shared(folder)


def write_shared(folder):
    """Write the scripts, style sheets and fonts that all pages share."""
    from .parts import npm_package

    for name in ("fit.js", "page.js", "slides.js", "slides.css"):
        shutil.copyfile(HERE / name, folder / name)
    (folder / "page.css").write_text(page_style(), "utf-8")
    (folder / "explorer.js").write_text(live.script(), "utf-8")
    (folder / "katex.css").write_text(formulas.style(inline=False), "utf-8")
    shutil.copytree(formulas.KATEX / "fonts", folder / "fonts")
    reveal, to = npm_package("reveal.js"), folder / "reveal"
    to.mkdir()
    for source, name in (
        ("dist/reveal.css", "reveal.css"),
        ("dist/theme/white.css", "theme.css"),
        ("dist/reveal.esm.js", "reveal.esm.js"),
        ("plugin/notes/notes.esm.js", "notes.esm.js"),
        ("LICENSE", "LICENSE"),
    ):
        text = (reveal / source).read_text("utf-8")
        (to / name).write_text(NOT_OURS.sub("", text), "utf-8")


def page_style():
    """The style of a page: its own, the code's colours, the explorers'."""
    code_style = CODE_STYLE.get_style_defs(".code").replace("background: #f8f8f8;", "")
    return "\n".join([code_style, live.style(), (HERE / "page.css").read_text("utf-8")])


def _site_page(lesson, folder):
    """One lesson in the site; its pictures are files, each once."""

    def keep(content, ending):
        name = f"{hashlib.sha256(content).hexdigest()[:16]}.{ending}"
        (folder / "pictures").mkdir(exist_ok=True)
        (folder / "pictures" / name).write_bytes(content)
        return f"../pictures/{name}"

    def alive(source, shown):
        name = live.called(source)
        state = name and live.state(name, lesson.language)
        if not state:
            return shown
        data = f'<script type="application/gzip">{state}</script>'
        return f'<div data-live="no">{data}<div class="still">{shown}</div></div>'

    notebook = read(lesson.path)
    language, words = lesson.language, WORDS[lesson.language]
    address = f"../../lab/index.html?path=notebooks/{language}/{lesson.name}.ipynb"
    links = [
        ("../../index.html", words["all"]),
        (address, words["run"]),
        ("?slides", words["slides"]),
    ]
    body = cells_html(notebook, lesson.number, language, lambda url: url, keep, alive)
    return _page(title(notebook), language, "..", body, links)


def _page(heading, language, up, body, links):
    """A whole page of the site."""
    anchors = "".join(f'<a href="{url}">{text}</a>' for url, text in links)
    return f"""<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(heading)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{up}/katex.css">
<link rel="stylesheet" href="{up}/page.css">
<body data-jp-theme-light="true">
<nav class="top">{anchors}</nav>
<main>
{body}
</main>
<script src="{up}/fit.js"></script>
<script type="module" src="{up}/page.js"></script>
</html>
"""


def whole_page(path, language, number):
    """Return a lesson as one HTML file that needs nothing else."""
    notebook = read(path)
    base = path.parent

    def picture(url):
        file = (base / url).resolve()
        known = file.suffix in (".svg", ".png") and file.exists()
        return data_address(file.read_bytes(), file.suffix[1:]) if known else url

    body = cells_html(notebook, number, language, picture, data_address, None)
    drawn = formulas.draw([body])
    script = "" if drawn else f"<script>{formulas.script()}</script>"
    fit = (HERE / "fit.js").read_text("utf-8")
    return f"""<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title(notebook))}</title>
<link rel="icon" href="data:,">
<style>{formulas.style(inline=True)}
{page_style()}</style>
<body data-jp-theme-light="true">
<main>
{drawn[0] if drawn else body}
</main>
{script}<script>{fit}</script>
</html>
"""
