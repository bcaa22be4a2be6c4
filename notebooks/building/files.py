"""A notebook as a file: written in one way, signed, read again; and what stands in its cells."""

import copy
import hashlib

import nbformat


def code_cells(notebook):
    """The code cells of a notebook, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def output_texts(output):
    """Every text that an output carries: streams, text/plain, text/html, SVG."""
    if output.output_type == "stream":
        return [output.text]
    if output.output_type == "error":
        return ["\n".join(output.traceback)]
    kinds = ("text/plain", "text/html", "text/markdown", "text/latex", "image/svg+xml")
    return [output.data[kind] for kind in kinds if kind in output.data]


def dumps(notebook):
    """The one way a notebook is written: sorted keys, one space, no escapes, a last newline."""
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n"


def digest(notebook):
    """A fingerprint of everything in a notebook, outputs included, but the fingerprint itself."""
    bare = copy.deepcopy(notebook)
    bare.metadata.pop("digest", None)
    return hashlib.sha256(dumps(bare).encode()).hexdigest()


def write(notebook, path):
    """Sign and write a notebook; a reader never meets half a file."""
    notebook.metadata["digest"] = digest(notebook)
    nbformat.validate(notebook)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(dumps(notebook), encoding="utf-8", newline="\n")
    part.replace(path)


def read(path):
    """A committed notebook, or None when there is no such file or it is not a notebook."""
    try:
        return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    except (OSError, ValueError, nbformat.ValidationError):
        return None
