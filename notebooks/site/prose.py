"""A notebook's cells as HTML: prose with marked formulas, code, outputs as they are stored."""

import base64
import html
import re

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from attention_core.explorers.widgets.vocabulary import RUN_ME

from .formulas import mark

CODE_STYLE = HtmlFormatter(nowrap=False, cssclass="code", style="default")
UNCOLOURED = re.compile(r'<span class="(?:n|p|w)">([^<]*)</span>')
RUN_TO_ANSWER = re.compile(r"<p><em>[^<]*</em></p>(?=</div>$)")
INVITATIONS = "|".join(re.escape(html.escape(text.partition("{")[0])) for text in RUN_ME)
RUN_TO_MOVE = re.compile(rf"(?<=<p>)(?:{INVITATIONS})")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Prose(IPythonRenderer):
    """Markdown of a lesson; links go to pages, not to notebooks."""

    def __init__(self, picture):
        super().__init__(escape=False, exclude_anchor_links=True)
        self.picture = picture

    def block_math(self, body):
        """A formula on a line of its own."""
        return mark(body.strip(), True)

    def inline_math(self, body):
        """A formula in the text."""
        return mark(body.strip(), False)

    def link(self, text, url, title=None):
        """Lessons and tables of the course are pages beside this one."""
        return super().link(text, re.sub(r"\.(ipynb|md)(?=#|$)", ".html", url), title)

    def image(self, text, url, title=None):
        """A picture of the lesson, from where the page has it."""
        return super().image(text, self.picture(url), title)


def prose(markdown, picture=lambda url: url):
    """Return Markdown as HTML; `picture` says where a picture's address leads."""
    return MarkdownWithMath(renderer=Prose(picture))(markdown)


def code(source):
    """Return Python source as HTML with classes for its colours."""
    return UNCOLOURED.sub(r"\1", highlight(source, PythonLexer(), CODE_STYLE))


def output(stored, picture_of):
    """Return one stored output as HTML; `picture_of(bytes, ending)` keeps a picture."""
    kind = stored["output_type"]
    if kind == "stream":
        return _text("".join(stored["text"]))
    if kind == "error":
        return _text("\n".join(stored["traceback"]))
    data = {name: "".join(value) for name, value in stored["data"].items()}
    said = html.escape(data.get("text/plain", ""), quote=True)
    if "text/html" in data:
        return f"<div>{to_read(data['text/html'])}</div>"
    if "image/svg+xml" in data:
        address = picture_of(data["image/svg+xml"].encode(), "svg")
        return f'<img src="{address}" alt="{said}">'
    if "image/png" in data:
        address = picture_of(base64.b64decode(data["image/png"]), "png")
        return f'<img src="{address}" alt="{said}">'
    return _text(data.get("text/plain", ""))


def to_read(shown):
    """HTML of an output for a reader who can run nothing: no invitations to, nothing folded."""
    shown = RUN_TO_MOVE.sub("", RUN_TO_ANSWER.sub("", shown))
    return shown.replace("<details>", "<details open>")


def data_address(content, ending):
    """A picture inside the page itself."""
    kind = {"svg": "image/svg+xml", "png": "image/png"}[ending]
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _text(text):
    return f"<pre>{html.escape(COLOURS.sub('', text))}</pre>"
