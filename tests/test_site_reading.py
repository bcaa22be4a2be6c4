"""Lessons on paper: no output invites to run something, none is blank, also half-way through."""

import json

import pytest

from attention_core.exercises.checking.sentences import tell
from attention_core.explorers.widgets.vocabulary import RUN_ME
from attention_core.language import use_language
from notebooks.site.lessons import LANGUAGES, lessons, read
from notebooks.site.pages import whole_page
from notebooks.site.prose import output

VIEW = "application/vnd.jupyter.widget-view+json"


def invitations(language):
    """The sentences that only make sense where a cell can be run."""
    use_language(language)
    return getattr(RUN_ME, language).partition("{")[0].strip(), tell("run_to_answer")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_output_on_a_page_says_run_this_cell(language):
    said = invitations(language)
    stored = [
        (lesson.name, one)
        for lesson in lessons(language)
        for cell in read(lesson.path)["cells"]
        for one in cell.get("outputs", ())
    ]
    everything = json.dumps(stored, ensure_ascii=False)
    assert all(text in everything for text in said)
    shown = [(name, output(one, lambda content, ending: "picture")) for name, one in stored]
    assert [name for name, html in shown if any(text in html for text in said)] == []


def learners(path, language):
    """A lesson as JupyterLab saves it half-way: widgets beside what they look like, a failure."""
    notebook = json.loads(path.read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        for one in cell["outputs"]:
            if "text/html" in one.get("data", {}):
                one["data"][VIEW] = {"model_id": "0", "version_major": 2, "version_minor": 0}
    for cell in cells[len(cells) // 2 :]:
        cell["outputs"] = []
    cells[1]["outputs"] = [
        {"output_type": "error", "traceback": ["\u001b[31mNameError\u001b[0m: Q"]}
    ]
    return notebook


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_half_done_lesson_is_exported_with_its_predictions_and_explorer(language, tmp_path):
    lesson = next(one for one in lessons(language) if one.number == "08")
    path = tmp_path / lesson.path.name
    notebook = learners(lesson.path, language)
    path.write_text(json.dumps(notebook), "utf-8")
    page = whole_page(path, language, lesson.number)
    asked = [
        one["data"]["text/html"]
        for cell in notebook["cells"]
        for one in cell.get("outputs", ())
        if VIEW in one.get("data", {})
    ]
    assert asked
    for html in asked:
        html = "".join(html)
        start = html.index("<strong>") if "<strong>" in html else html.index("<table")
        assert html[start : start + 60] in page
    assert "NameError: Q" in page
    assert "model_id" not in page
