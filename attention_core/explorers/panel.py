"""A place for a picture (SVG) or a few words beside the matrices."""

import re

import traitlets

from attention_core.drawing.svg import data_uri
from attention_core.explorers.frames import FramedView, script


class Panel(FramedView):
    """Shows one HTML or SVG string per frame; `live` ones are read aloud when they change."""

    _esm = script("panel.js")
    live = traitlets.Bool(False).tag(sync=True)

    def __init__(self, html="", *, live=False):
        super().__init__(frames=[html], live=live)

    def static_html(self, number=0):
        """The same without a kernel; a picture becomes an image with its alternative text."""
        html = self.frames[min(number, len(self.frames) - 1)]
        if not html.lstrip().startswith("<svg"):
            return html
        title = re.search(r"<title[^>]*>(.*?)</title>", html, re.DOTALL)
        return f'<img alt="{title.group(1) if title else ""}" src="{data_uri(html)}">'
