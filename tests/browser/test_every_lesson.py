"""Every lesson in both languages: Run All in real JupyterLab, without an error or a warning."""

import pytest

from course import LANGUAGES
from tests.browser.server import ROOT

LESSONS = [
    (language, path.stem)
    for language in LANGUAGES
    for path in sorted((ROOT / "notebooks" / language).glob("*.ipynb"))
]


@pytest.mark.parametrize(("language", "name"), LESSONS)
def test_runs(lesson, language, name):
    lesson.open(name, language).run_all()
    # Nothing was reached over the network, so every picture is the course's own and has loaded.
    broken = lesson.page.evaluate(
        "[...document.querySelectorAll('.jp-Notebook img')]"
        ".filter(img => img.complete && img.naturalWidth === 0).map(img => img.src)"
    )
    assert broken == []
