"""Build the whole site into one folder and write down what it is made of."""

import importlib.metadata
import json
import shutil

from .landing import write_landing
from .lite import build_lite
from .pages import write_pages
from .parts import VERSIONS, SiteError, sha256


def build_site(out, release=None):
    """Build everything into `out`, from nothing; return the size in bytes."""
    check_tools()
    part = out.with_name(out.name + ".part")
    for folder in (part, out):
        shutil.rmtree(folder, ignore_errors=True)
    build_lite(part, release)
    write_pages(part)
    write_landing(part)
    write_versions(part)
    part.replace(out)
    return sum(path.stat().st_size for path in out.rglob("*") if path.is_file())


def check_tools():
    """Refuse other versions of JupyterLite than the tested ones."""
    for name, wanted in VERSIONS["python"].items():
        found = importlib.metadata.version(name)
        if found != wanted:
            raise SiteError(f"{name} is {found}, but the site is tested with {wanted}.")


def write_versions(out):
    """Record in versions.json what the site holds: exact versions, and the hash of each file."""
    lock = json.loads((out / "static/pyodide/pyodide-lock.json").read_text("utf-8"))
    wheels = {
        name: {key: entry[key] for key in ("version", "file_name", "sha256")}
        for name, entry in sorted(lock["packages"].items())
    }
    names = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
    record = {
        "jupyterlite": VERSIONS["python"],
        "npm": VERSIONS["npm"],
        "pyodide": {name: sha256(out / "static/pyodide" / name) for name in names},
        "wheels": wheels,
    }
    (out / "versions.json").write_text(json.dumps(record, indent=1), "utf-8")
