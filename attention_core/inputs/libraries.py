"""Refuse a file that hides a library: a numpy.py beside a lesson is found before NumPy itself."""

from importlib.util import find_spec
from pathlib import Path

LIBRARIES = {
    "numpy": "NumPy",
    "matplotlib": "Matplotlib",
    "ipywidgets": "ipywidgets",
    "anywidget": "anywidget",
}


def refuse_hidden_libraries():
    """None of these libraries is a single file, or a folder beside the lesson.

    Raises
    ------
    ImportError
        One sentence with the path of the file.

    Examples
    --------
    >>> refuse_hidden_libraries()
    """
    for name, title in LIBRARIES.items():
        found = find_spec(name)
        if found is None:
            continue
        folders = list(found.submodule_search_locations or ())
        hiding = folders[0] if folders else found.origin
        if not folders or Path(hiding).parent == Path.cwd():
            raise ImportError(
                f"{hiding} hides {title}: give it another name and restart the kernel"
            )
