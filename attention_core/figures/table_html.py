"""Grids as HTML: a real table with headings, readable where styles are stripped."""

import re
from functools import cache
from html import escape
from pathlib import Path

from attention_core.drawing.screen import TOKENS

STYLE = Path(__file__).with_name("table.css")


def page(grids):
    """All grids side by side, with their style sheet."""
    return f'<div class="attn-t"><style>{_style()}</style>{"".join(map(_grid, grids))}</div>'


@cache
def _style():
    rules = re.sub(r"\s+", " ", STYLE.read_text(encoding="utf-8")).strip()
    light, dark = (_tokens(theme, rules) for theme in ("light", "dark"))
    return f'.attn-t {{ {light} }} body[data-jp-theme-light="false"] .attn-t {{ {dark} }} {rules}'


def _tokens(theme, rules):
    """The colours of a theme that the rules use; the page has the theme's own colour."""
    page = "" if theme == "dark" else "--page: var(--jp-layout-color0, #fff); "
    used = (name for name in TOKENS[theme] if f"var(--{name})" in rules and name != "page")
    return page + " ".join(f"--{name}: {TOKENS[theme][name]};" for name in used)


def _grid(grid):
    role = grid.roles[0] if grid.title else "n"
    head = f"<b>{symbol(grid.title)}</b>" if grid.title else ""
    rest = escape(grid.heading.removeprefix(grid.title))
    caption = f'<caption class="{role}">{head}{rest}</caption>' if grid.heading else ""
    names = "".join(f'<th scope="col">{symbol(name)}</th>' for name in grid.cols)
    top = f"<thead><tr><th>{symbol(grid.corner)}</th>{names}</tr></thead>" if grid.cols else ""
    rows = zip(grid.rows, grid.cells, strict=True)
    body = "".join(
        f'<tr><th scope="row">{symbol(label)}</th>{"".join(map(_cell, cells))}</tr>'
        for label, cells in rows
    )
    return f'<table class="g">{caption}{top}<tbody>{body}</tbody></table>'


def _cell(cell):
    look = f"{cell.look} strong" if cell.is_strong else cell.look
    share = f' style="--T:{cell.share:.0%}"' if cell.share else ""
    return f'<td class="{look}"{share}>{symbol(cell.text)}</td>'


def symbol(text):
    """A label as HTML: the index of a symbol is set low.

    Examples
    --------
    >>> symbol("W_Q"), symbol("√d_k"), symbol("it")
    ('<i>W</i><sub>Q</sub>', '√<i>d</i><sub>k</sub>', 'it')
    """
    marked = re.sub(
        r"(?<![A-Za-z0-9_])([A-Za-zα-ω])_([A-Za-z0-9]+)", r"<i>\1</i><sub>\2</sub>", escape(text)
    )
    return f"<i>{marked}</i>" if re.fullmatch(r"[A-Za-zα-ω]", text) else marked
