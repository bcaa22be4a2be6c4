"""What each cell of a lesson is in a talk: by what it holds, unless its tags in the source say."""

import re

MARKS = ("slide", "subslide", "follows", "fragment", "notes", "skip")


def slide_of(cell):
    """Return one of MARKS.

    slide     begins a column: a title or a heading
    subslide  a slide below the one before: code with its output, a prediction
    follows   what is seen in an output: comes to the slide before it, at the next key
    fragment  as subslide, its output at the next key; it is also given after a prediction
    notes     an answer that is folded away: for the speaker alone
    skip      not in the talk: set-up, the ways to other lessons, cells for the learners' own code
    """
    tags, source = cell.get("metadata", {}).get("tags", []), cell["source"]
    tagged = [mark for mark in MARKS if mark in tags]
    if tagged:
        return tagged[0]
    own_work = re.search(r"^(check|progress|use_language)\(", source, re.M)
    if cell.get("id") in ("set-up", "neighbours") or own_work:
        return "skip"
    if cell["cell_type"] != "markdown":
        return "subslide"
    if re.match(r"#{1,2} ", source):
        return "slide"
    return "notes" if source.startswith("<details>") else "follows"


def slides_of(cells):
    """Return the mark of every cell; after a prediction the next output is a reveal."""
    marks, is_asked = [], False
    for cell in cells:
        mark = slide_of(cell)
        if mark == "subslide" and cell["cell_type"] == "code":
            if is_asked:
                mark = "fragment"
            is_asked = bool(re.search(r"^predict\(", cell["source"], re.M))
        marks.append(mark)
    return marks
