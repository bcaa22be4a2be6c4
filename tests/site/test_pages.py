"""The reading edition: pages, paper and slides; and a lesson exported by its learner."""

import json
import re

import pytest

from notebooks.site import export
from notebooks.site.lessons import LANGUAGES, lessons
from notebooks.site.pages import whole_page
from tests.browser.chromium import find_chromium

# In Chromium as on paper: what would be cut at the right edge, and headings alone at a page's foot.
CUT = """() => {
  const edge = document.documentElement.clientWidth + 1;
  return [...document.querySelectorAll("main table, main img, main pre, main .katex-display")]
    .filter((e) => e.getClientRects().length && e.getBoundingClientRect().right > edge)
    .map((e) => `${e.tagName} ${e.textContent.slice(0, 40)}`);
}"""
# Slides whose content is larger than their room, all of them shown at once.
TOO_LARGE = """() => {
  const all = [...document.querySelectorAll(".slides section")];
  for (const one of all) {
    one.hidden = false;
    one.style.setProperty("display", "block", "important");
  }
  return all.filter((one) => !one.querySelector("section"))
    .filter((one) => one.scrollHeight > 750 || one.scrollWidth > 1200)
    .map((one) => [one.textContent.slice(0, 60), one.dataset.explorer === "yes",
      getComputedStyle(one).overflowY === "auto" && one.scrollWidth <= 1200]);
}"""
LOOKS = """() => ["td", "th"].map((tag) => {
  const style = getComputedStyle(document.querySelector(`.attn-explorer .attn-mat ${tag}`));
  return ["padding", "borderBottomWidth", "fontWeight"].map((name) => style[name]);
})"""
# Lessons whose explorer is taller than a slide.
TALL = {"15"}
RAW = re.compile(r"\\(?:frac|begin|sqrt|text|boxed|in|cdot)\b|\$[^$]{1,60}\$")


def every(language):
    return [f"{language}/{lesson.name}" for lesson in lessons(language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lesson_is_a_page_with_answers_and_nothing_foreign_or_raw(page, address, language):
    faults = []
    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
    page.on("response", lambda r: r.status >= 400 and faults.append(f"{r.status} {r.url}"))
    for name in every(language):
        page.goto(f"{address}read/{name}.html")
        page.wait_for_function("document.documentElement.dataset.ready === 'yes'")
        shown = page.locator("main .prose").all_inner_texts()
        faults += [f"{name}: {raw}" for text in shown for raw in RAW.findall(text)]
        if page.locator("details:not([open])").count():
            faults.append(f"{name}: something is folded away")
        links = page.locator("main a[href^='#answer']").evaluate_all(
            "links => links.filter(a => !document.querySelector(a.getAttribute('href'))).length"
        )
        if links or not page.locator(".answer").count():
            faults.append(f"{name}: answers are missing")
    assert faults == []
    assert not page.foreign


@pytest.mark.parametrize(("paper", "width"), [("A4", 673), ("Letter", 695)])
def test_nothing_is_cut_on_paper(page, address, paper, width):
    """The width of a line on each paper, in CSS pixels, is what print has left of the margins."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": width, "height": 900})
    faults = []
    for name in (*every("en"), *every("zh")):
        page.goto(f"{address}read/{name}.html")
        page.wait_for_function("document.documentElement.dataset.ready === 'yes'")
        faults += [f"{name} on {paper}: {what}" for what in page.evaluate(CUT)]
    assert faults == []


def test_an_explorer_lives_in_a_page_without_python(page, address):
    page.goto(f"{address}read/en/08_causal_mask.html")
    page.wait_for_function("document.documentElement.dataset.ready === 'yes'")
    explorer = page.locator(".live .attn-explorer").first
    assert not page.locator("[data-live] > .still").first.is_visible()
    before = explorer.inner_text()
    explorer.get_by_role("radio", name="causal", exact=True).click()
    page.wait_for_function(
        "([explorer, was]) => explorer.innerText !== was", arg=[explorer.element_handle(), before]
    )
    page.emulate_media(media="print")
    assert page.locator("[data-live] > .still").first.is_visible()
    assert not explorer.is_visible()


def test_slides_have_columns_reveals_and_notes(page, address):
    page.goto(f"{address}read/zh/08_causal_mask.html?slides")
    page.wait_for_function("document.documentElement.dataset.slides === 'yes'")
    columns = page.locator(".slides > section")
    assert columns.count() > 5
    assert page.locator(".fragment").count() > 0
    assert page.locator("aside.notes").count() > columns.count()
    assert page.locator(".slides .output.fragment").count() > 2, (
        "answers stand beside the questions"
    )
    assert "check(" not in page.locator(".slides").text_content()
    answer = "没有掩码时全都变"  # to the explorer's question, folded away in the lesson
    noted = page.locator("aside.notes").all_text_contents()
    assert any(answer in text for text in noted)
    assert "use_language" not in page.locator(".slides").text_content()
    first = page.evaluate("location.hash")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("was => location.hash !== was", arg=first)
    assert not page.foreign


def test_an_explorer_looks_in_a_slide_as_on_its_page(page, address):
    looks = []
    for talk in ("", "?slides"):
        page.goto(f"{address}read/en/02_parameters.html{talk}")
        page.wait_for_function("document.documentElement.dataset.ready === 'yes'")
        if talk:
            page.wait_for_function("document.documentElement.dataset.slides === 'yes'")
        looks.append(page.evaluate(LOOKS))
    assert looks[0] == looks[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_slide_is_cut_off(page, address, language):
    """At 1280 x 720 everything fits; an explorer that is very tall scrolls, still large enough."""
    page.set_viewport_size({"width": 1280, "height": 720})
    faults, scrolled = [], set()
    for name in every(language):
        page.goto(f"{address}read/{name}.html?slides")
        page.wait_for_function("document.documentElement.dataset.slides === 'yes'")
        for text, is_explorer, can_scroll in page.evaluate(TOO_LARGE):
            if is_explorer and can_scroll:
                scrolled.add(name.split("/")[1][:2])
            else:
                faults.append(f"{name}: {text}")
    assert faults == []
    assert scrolled <= TALL


def a_notebook(tmp_path):
    """A notebook of a learner: an answer, an output, a formula, a script in a name."""
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": "# Mine\n\n$d_k \\le 7$, a_b and c_d."},
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": 1,
            "source": "print('<img src=x onerror=alert(1)>')",
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": "<img onerror=1> 41.5\n"}
            ],
        },
    ]
    path = tmp_path / "mine.ipynb"
    path.write_text(json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5}), "utf-8")
    return path


def test_an_exported_lesson_is_one_file_with_the_learners_work(page, tmp_path):
    target = tmp_path / "mine.html"
    target.write_text(whole_page(a_notebook(tmp_path), "en", None), "utf-8")
    asked = []
    page.on("request", lambda r: asked.append(r.url))
    page.goto(target.as_uri())
    assert "41.5" in page.locator(".output").inner_text()
    assert page.locator("img").count() == 0, "text of an output became a picture"
    assert page.locator(".katex").count() == 1
    assert "a_b and c_d" in page.locator("main").inner_text()
    assert [url for url in asked if not url.startswith(("data:", target.as_uri()))] == []


def test_export_writes_html_and_pdf(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("CHROMIUM", find_chromium())
    assert export.main(["09", "--lang", "zh", "--out", str(tmp_path)]) == 0
    written = capsys.readouterr().out.split()
    assert [name.rsplit(".", 1)[1] for name in written] == ["html", "pdf"]
    assert (tmp_path / "09_by_hand.zh.pdf").read_bytes().startswith(b"%PDF")


def test_export_says_what_it_does_not_know(capsys):
    assert export.main(["no_such"]) == 1
    assert "names no lesson" in capsys.readouterr().err
