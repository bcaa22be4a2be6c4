"""Refuse a file that hides a library: a numpy.py beside a lesson is found before NumPy itself."""

from importlib.util import find_spec

LIBRARIES = {
    "numpy": "NumPy",
    "matplotlib": "Matplotlib",
    "ipywidgets": "ipywidgets",
    "anywidget": "anywidget",
}


def refuse_hidden_libraries():
    """Each of these libraries is a folder of files; a single file of its name is something else.

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
        if found is not None and found.submodule_search_locations is None:
            raise ImportError(
                f"{found.origin} hides {title}: give that file another name and restart the kernel"
            )
