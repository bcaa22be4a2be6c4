"""The first page of the site: the lessons in both languages, and what the first load does."""

import hashlib
import html
import json
import re
import string
from pathlib import Path

from .lessons import lessons

PAGE = string.Template((Path(__file__).parent / "landing.html").read_text("utf-8"))

# One half of the page a language. {mb} is what the first lesson loads.
WORDS = {
    "en": {
        "heading": "Lessons in English",
        "read": "read or print",
        "slides": "slides",
        "lead": "Click a lesson and change it: Python runs inside your browser.",
        "steps": [
            "The first lesson you open loads {mb} MB, once; the progress is shown here.",
            "The lesson opens. Wait until the round sign at its top right is an empty circle "
            "(about ten seconds), then choose <b>Run › Run All Cells</b>.",
            "What you write is kept in this browser and nowhere else; <b>File › Download</b> "
            "takes it along. Nothing you type leaves your machine.",
        ],
    },
    "zh": {
        "heading": "中文课程",
        "read": "阅读与打印",
        "slides": "幻灯片",
        "lead": "点开一课就能动手改：Python 直接在浏览器里运行。",
        "steps": [
            "第一次打开课程要加载 {mb} MB，只加载一次，进度显示在本页上方。",
            "课程打开后，等右上角的圆形标志变成空心圆（约十秒），再选菜单 "
            "<b>Run › Run All Cells</b>，运行全部单元格。",
            "你写的内容只保存在这个浏览器里，可用 <b>File › Download</b> 下载带走；"
            "输入的任何内容都不会离开你的电脑。",
        ],
    },
}


def write_landing(out):
    """Write index.html over the one that JupyterLite put there."""
    files = first_load(out)
    size = sum(bytes_ for _, bytes_ in files)
    stamp = hashlib.sha256((out / "static/pyodide/pyodide-lock.json").read_bytes()).hexdigest()
    page = PAGE.substitute(
        halves="\n".join(half(language, words, size) for language, words in WORDS.items()),
        first_load=json.dumps({"stamp": stamp, "files": files}),
    )
    (out / "index.html").write_text(page, "utf-8")


def first_load(out):
    """Return [(address, bytes)]: the large files that the first lesson needs, largest first."""
    found = [*(out / "static/pyodide").iterdir(), *(out / "build").glob("jlab_core.*.js")]
    sizes = [(path.relative_to(out).as_posix(), path.stat().st_size) for path in found]
    return sorted((pair for pair in sizes if pair[1] > 50_000), key=lambda pair: -pair[1])


def half(language, words, size):
    """The half of the page in one language: what happens, then the lessons."""
    steps = "".join(f"<li>{step.format(mb=round(size / 1e6))}</li>" for step in words["steps"])
    rows = "".join(row(lesson) for lesson in lessons(language))
    return (
        f'<section lang="{language}"><div class="about"><h2>{words["heading"]}</h2>'
        f'{words["lead"]}<ol>{steps}</ol></div><ul class="lessons">{rows}</ul></section>'
    )


def row(lesson):
    """One lesson: its title opens it in JupyterLite, and it can be read or shown as slides."""
    address = f"lab/index.html?path=notebooks/{lesson.language}/{lesson.name}.ipynb"
    page = f"read/{lesson.language}/{lesson.name}.html"
    words = WORDS[lesson.language]
    return (
        f'<li><a data-lab href="{address}">{lowered(lesson.title)}</a><span>'
        f'<a href="{page}">{words["read"]}</a> · <a href="{page}?slides">{words["slides"]}</a>'
        "</span></li>"
    )


def lowered(title):
    """A title as HTML, its indices lowered: d_k becomes d<sub>k</sub>."""
    return re.sub(r"\b([A-Za-z])_([A-Za-z])\b", r"\1<sub>\2</sub>", html.escape(title))
