"""The stored lessons on a code host: cleaned of styles, scripts and data addresses."""

import base64
import io
import json
import re
from pathlib import Path

import bleach
from markdown_it import MarkdownIt
from PIL import Image

from tests.loops import for_each

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = {f"{file.parent.name}/{file.stem}": file for file in FOLDER.glob("[ez][nh]/*.ipynb")}
TAGS = {"b", "br", "caption", "code", "div", "em", "i", "img", "p", "pre", "span", "strong", "sub",
        "sup", "table", "tbody", "td", "th", "thead", "tr"}  # fmt: skip
KEPT = {"img": ["alt", "src", "width", "height"], "td": ["colspan"], "th": ["scope", "colspan"]}


def cells(name, kind):
    stored = json.loads(NOTEBOOKS[name].read_text(encoding="utf-8"))
    return [cell for cell in stored["cells"] if cell["cell_type"] == kind]


def cleaned(html):
    """What a strict host leaves: a list of tags, no inline styles, and addresses of the web."""
    html = re.sub(r"<(script|style).*?</\1>", "", html, flags=re.DOTALL)
    return bleach.clean(html, tags=TAGS, attributes=KEPT, protocols={"https"}, strip=True)


def results(name):
    """The code and the data of every output that holds some."""
    for cell in cells(name, "code"):
        for output in cell["outputs"]:
            if "data" in output:
                data = {kind: "".join(text) for kind, text in output["data"].items()}
                yield "".join(cell["source"]), data, output["metadata"]


def broken_formulas(markdown):
    """Formulas in which a reader of Markdown that knows no formulas sees emphasis."""
    html = re.sub(r"<code>.*?</code>", "", MarkdownIt().render(markdown), flags=re.DOTALL)
    return [found for found in re.findall(r"\$\$?[^$]+\$\$?", html) if "em>" in found]


def test_a_broken_formula_is_found():
    assert broken_formulas(r"$$\mathrm{softmax}_j(M_{ij})$$")
    assert not broken_formulas(r"$$\mathrm{softmax}_ j(M_{ij})$$ and `a_b` _c_ $q_i$")


@for_each("name", sorted(NOTEBOOKS))
def test_no_underscore_of_a_formula_is_taken_for_emphasis(name):
    for cell in cells(name, "markdown"):
        assert not broken_formulas("".join(cell["source"]))


@for_each("name", sorted(NOTEBOOKS))
def test_an_explorer_keeps_its_numbers_and_its_sentence(name):
    seen = 0
    for source, data, _ in results(name):
        if re.search(r"_explorer\(", source) and "text/html" in data:
            left, seen = cleaned(data["text/html"]), seen + 1
            assert "style=" not in left and "{" not in re.sub(r"<[^>]+>", "", left)
            assert left.index("<p>") < left.index("<table>"), "the sentence comes first"
            assert len(re.findall(r"<td>[^<]*\d", left)) >= 4
            assert all(alt for alt in re.findall(r'<img alt="([^"]*)"', left))
    assert seen, "the lesson shows no explorer"


@for_each("name", sorted(NOTEBOOKS))
def test_a_table_is_a_table_without_its_style(name):
    for _, data, _ in results(name):
        if 'class="attn-t"' in data.get("text/html", ""):
            left = cleaned(data["text/html"])
            assert "<table>" in left and "var(" not in left and left.count("<td>") >= 1


@for_each("name", sorted(NOTEBOOKS))
def test_a_figure_is_a_picture_without_a_ground_on_every_host(name):
    """PNG for a host that shows no SVG; neither stands on a white card."""
    for _, data, look in results(name):
        if "image/png" in data:
            assert "prefers-color-scheme" in data["image/svg+xml"] and "text/html" not in data
            image = Image.open(io.BytesIO(base64.b64decode(data["image/png"]))).convert("RGBA")
            assert image.getpixel((0, 0))[3] == 0
            assert look["image/png"]["alt"] == data["text/plain"].splitlines()[0]


@for_each("name", sorted(NOTEBOOKS))
def test_the_title_picture_is_a_file_beside_with_alternative_text(name):
    alt, path = re.search(r"!\[([^\]]+)\]\(([^)]+\.svg)\)",
                          "".join(cells(name, "markdown")[0]["source"])).groups()  # fmt: skip
    assert len(alt) > 5 and (NOTEBOOKS[name].parent / path).resolve().is_file()
