"""A notebook made of a lesson's cells, in one language, not yet executed."""

import copy
import hashlib

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from notebooks.building.reading import LANGUAGES, in_language
from notebooks.lesson_list import NOTEBOOKS, read_list

SET_UP = """\
# en: Not found? Start with python3 course.py  # zh: 找不到？请用 python3 course.py 启动
import numpy as np
from attention_core.lesson import check, hint, predict, progress, solution, table, use_language

use_language("{language}")"""

KERNEL = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}


def titles(root=NOTEBOOKS):
    """Name -> {language: title}, as the list of lessons has them."""
    return {
        lesson.name: {language: lesson.heading(language) for language in LANGUAGES}
        for lesson in read_list(root)
    }


def navigation(name, language, known):
    """Links to the lesson before and the lesson after, with the titles they give themselves."""
    names = [*known] if name in known else [*known, name]
    place = names.index(name)
    links = []
    if place > 0:
        before = names[place - 1]
        links.append(f"← [{known[before][language]}]({before}.ipynb)")
    if place + 1 < len(names):
        after = names[place + 1]
        links.append(f"[{known[after][language]}]({after}.ipynb) →")
    return " &nbsp; · &nbsp; ".join(links)


def set_up(language):
    """The first code cell: two imports and the language."""
    return in_language(SET_UP, language).format(language=language)


def make_notebook(lesson, language, known):
    """The notebook of a lesson in one language, not yet executed."""
    first = new_code_cell(set_up(language), id="set-up")
    cells = []
    seen = {}
    for cell in lesson.cells:
        make = new_code_cell if cell.kind == "code" else new_markdown_cell
        metadata = {"tags": list(cell.tags)} if cell.tags else {}
        cells.append(make(cell.text[language], id=_stable_id(cell, seen), metadata=metadata))
    cells.insert(1, first)
    links = navigation(lesson.name, language, known)
    if links:
        cells.append(new_markdown_cell(links, id="neighbours"))
    notebook = new_notebook(cells=cells, metadata=copy.deepcopy(KERNEL))
    notebook.nbformat_minor = 5
    return notebook


def _stable_id(cell, seen):
    """An id made of the code or the English text: both languages share it, and it never drifts."""
    digest = hashlib.sha256(f"{cell.kind}\n{cell.text['en']}".encode()).hexdigest()[:12]
    seen[digest] = seen.get(digest, 0) + 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
