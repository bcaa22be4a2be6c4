"""Repack wheels for the browser: compiled, so that a lesson starts sooner, and without what no
lesson can use. Runs inside Pyodide; PATTERNS are those of versions.toml."""

import fnmatch
import importlib._bootstrap_external as bootstrap
import zipfile
from pathlib import Path

OLD = (1980, 1, 1, 0, 0, 0)  # the same files give the same wheel
PATTERNS = globals().get("PATTERNS", {"left_out": [], "not_compiled": []})


def matches(name, kind):
    """Whether a file is one that versions.toml lists."""
    return any(fnmatch.fnmatch(name, pattern) for pattern in PATTERNS[kind])


def bytecode(source, name):
    """The bytes of a .pyc that is never compared with its source."""
    code = compile(source, "/lib/python3.14/site-packages/" + name, "exec", dont_inherit=True)
    return bootstrap._code_to_hash_pyc(code, b"\0" * 8, checked=False)


def repacked(name, data):
    """What becomes of a file: [(name, data)]. The course's own code keeps its source, which
    `solution` shows."""
    if matches(name, "left_out"):
        return []
    if not name.endswith(".py") or matches(name, "not_compiled"):
        return [(name, data)]
    try:
        compiled = bytecode(data, name)
    except (SyntaxError, ValueError):  # a template, or a test of bad code
        return [(name, data)]
    if name.startswith("attention_core/"):
        folder, _, file = name.rpartition("/")
        return [(name, data), (f"{folder}/__pycache__/{file[:-3]}.cpython-314.pyc", compiled)]
    return [(name + "c", compiled)]


def repack(wheel, target):
    """Write one wheel anew."""
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(target, "w") as new:
        for info in sorted(old.infolist(), key=lambda info: info.filename):
            if info.is_dir():
                continue
            for name, data in repacked(info.filename, old.read(info)):
                made = zipfile.ZipInfo(name, OLD)
                new.writestr(made, data, zipfile.ZIP_DEFLATED, 9)


for path in sorted(Path("/from").glob("*.whl")):
    repack(path, Path("/to") / path.name)
