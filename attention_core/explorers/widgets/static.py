"""An explorer without a kernel: its sentence and its matrices as plain tables."""

import re
from base64 import b64encode
from html import escape

from attention_core.drawing.screen import TOKENS, fill, ink, on_both
from attention_core.drawing.svg.canvas import standalone
from attention_core.explorers.widgets import frames as frames_
from attention_core.explorers.widgets.matrix import Matrix
from attention_core.explorers.widgets.settings import Setting
from attention_core.explorers.widgets.typeset import plain
from attention_core.explorers.widgets.vocabulary import RUN_ME
from attention_core.language import say

_CELL = "padding:3px 7px;text-align:center;"
_HATCH = "background:repeating-linear-gradient(45deg,#8a8f98 0 1px,transparent 1px 6px);"


def static_html(parts, picture):
    """Return the sentence and every matrix and panel as they stand."""
    end = frames_.scale_of(picture.frames.values())
    boxes = [f"<p>{escape(say(RUN_ME, sentence=picture.sentence))}</p>"]
    settings = [
        f"{escape(plain(part.label))}: {escape(plain(part.texts[part.index]))}"
        for part in parts.values()
        if isinstance(part, Setting)
    ]
    boxes.append(f"<p>{' · '.join(settings)}</p>" if settings else "")
    for name, part in parts.items():
        if isinstance(part, Matrix) and name in picture.frames:
            boxes.append(_box(_table(part, picture.frames[name], end)))
        elif name in picture.panels:
            boxes.append(_box(_panel(picture.panels[name])))
    return "".join(boxes)


def _box(html):
    return f'<div style="display:inline-block;margin:4px 10px">{html}</div>'


def _table(part, frame, end):
    sent = frames_.to_browser(frame, end)
    rows, cols = frame.rows or part.rows, frame.cols or part.cols
    head = "".join(f'<th style="{_CELL}">{escape(str(col))}</th>' for col in cols)
    lines = [f"<tr><th></th>{head}</tr>"]
    for i, label in enumerate(rows):
        cells = "".join(_cell(sent, i, j) for j in range(len(cols)))
        notes = f'<td style="{_CELL}">{escape(sent["notes"][i])}</td>' if sent["notes"] else ""
        lines.append(f'<tr><th style="{_CELL}">{escape(str(label))}</th>{cells}{notes}</tr>')
    title = frame.title or part.texts["symbol"]
    return f"<table><caption>{_lowered(title)}</caption>{''.join(lines)}</table>"


def _cell(sent, i, j):
    share, look = sent["t"][i][j], _CELL
    if sent["h"] and sent["h"][i][j]:
        look += _HATCH
    elif share:
        kind = "weight" if sent["kind"] == "weight" else "signed"
        look += f"background-color:{fill(share, kind=kind)};color:{ink(share, kind=kind)};"
    return f'<td style="{look}">{escape(sent["x"][i][j])}</td>'


def _panel(html):
    """A picture as an image that follows the theme, and is seen on a page of the other one, too."""
    if not html.lstrip().startswith("<svg"):
        return html
    names = sorted(set(re.findall(r"var\(--([\w-]+)", html)))
    light, dark = ("".join(f"--{name}:{_seen(name, theme)};" for name in names) for theme in TOKENS)
    rules = f"<style>svg{{{light}}}@media (prefers-color-scheme: dark){{svg{{{dark}}}}}"
    packed = b64encode(standalone(html).replace("<style>", rules, 1).encode()).decode()
    title = re.search(r"<title[^>]*>(.*?)</title>", html, re.DOTALL)
    return f'<img alt="{title.group(1)}" src="data:image/svg+xml;base64,{packed}">'


def _seen(name, theme):
    colour = TOKENS[theme][name]
    return colour if name == "page" else on_both(colour, theme)


def _lowered(html):
    """Titles keep lowered letters and nothing else."""
    return re.sub(r"</?(?!sub|/sub|sup|/sup)[^>]*>", "", html)
