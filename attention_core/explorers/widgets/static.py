"""An explorer without a kernel: its sentence and its matrices as plain tables."""

import re
from base64 import b64encode
from html import escape

from attention_core.drawing.screen import fill, ink
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
    if not html.lstrip().startswith("<svg"):
        return html
    title = re.search(r"<title[^>]*>(.*?)</title>", html, re.DOTALL)
    ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
    for theme_free in re.findall(r"var\(--[\w-]+(?:, ?(#\w+))?\)", html):
        html = re.sub(r"var\(--[\w-]+(?:, ?#\w+)?\)", theme_free or "#1b1f26", html, count=1)
    head, rest = html.split(">", 1)
    packed = b64encode(f'{head} color="#1b1f26">{ground}{rest}'.encode()).decode()
    alt = title.group(1) if title else ""
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{packed}">'


def _lowered(html):
    """Titles keep lowered letters and nothing else."""
    return re.sub(r"</?(?!sub|/sub|sup|/sup)[^>]*>", "", html)
