"""The browser edition: JupyterLite with the Pyodide kernel, everything in one folder."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .lessons import LANGUAGES, lessons, read
from .parts import EXTENSION, ROOT, VERSIONS, SiteError, lay_out_pyodide

KERNEL = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
KERNEL_PLUGIN = "@jupyterlite/pyodide-kernel-extension:kernel"
EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension")
EXTENSIONS += ("anywidget", "jupyterlab_pygments")


def build_lite(out, release=None):
    """Build JupyterLite with all lessons into an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        packages = lay_out_pyodide(root / "static" / "pyodide", release)
        lay_out_lessons(root / "files")
        write(root / "jupyter-lite.json", site_settings(packages))
        write(root / "overrides.json", lab_settings())
        write(root / "jupyter_lite_config.json", build_settings(root, out))
        # Always into an empty folder: a build on top of another loses the address of Pyodide.
        command = [sys.executable, "-m", "jupyterlite_core", "build", "--no-libarchive"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines() or ["nothing"]
        raise SiteError(f"JupyterLite could not be built: {said[-1]}")
    shutil.copyfile(out / "icon-120x120.png", out / "lab" / "favicon.ico")  # its own has 319 kB
    # A browser asks for a lesson's picture here too, before JupyterLite looks among its files.
    lay_out_pictures(out / "images")
    for pattern in VERSIONS["left_out"]["jupyterlite"]:
        for path in out.glob(pattern):
            path.unlink()


def lay_out_lessons(files):
    """Copy lessons and pictures in the order of the project, so that links between them hold."""
    lay_out_pictures(files / "images")
    for path in ROOT.glob("notebooks/*.md"):  # the tables that lessons link to
        (files / "notebooks").mkdir(exist_ok=True)
        (files / "notebooks" / path.name).write_bytes(path.read_bytes())
    for language in LANGUAGES:
        for lesson in lessons(language):
            notebook = read(lesson.path)
            notebook["metadata"]["kernelspec"] = KERNEL
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":  # the reading edition has the outputs
                    cell.update(outputs=[], execution_count=None)
            write(files / "notebooks" / language / lesson.path.name, notebook)


def lay_out_pictures(folder):
    """Copy the pictures; JupyterLite shows only SVG whose text is ASCII, which it can always be."""
    folder.mkdir(parents=True, exist_ok=True)
    for picture in sorted((ROOT / "images").glob("*.svg")):
        text = picture.read_text("utf-8")
        (folder / picture.name).write_bytes(text.encode("ascii", "xmlcharrefreplace"))


def site_settings(packages):
    """What every page of JupyterLite reads when it starts."""
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": {"packages": packages}}
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "Attention",
            "exposeAppInBrowser": True,
            "litePluginSettings": {KERNEL_PLUGIN: kernel},
        },
    }


def lab_settings():
    """JupyterLab's own settings: a lesson opens with its explorers at their full width."""
    return {"@jupyterlab/notebook-extension:tracker": {"windowingMode": "defer"}}


def build_settings(root, out):
    """How JupyterLite is built: the lab alone, and only the extensions that lessons use."""
    labextensions = EXTENSION.parents[1]
    return {
        "LiteBuildConfig": {
            "lite_dir": str(root),
            "output_dir": str(out),
            "contents": [str(root / "files")],
            "apps": ["lab"],
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
            "ignore_sys_prefix": ["federated_extensions"],
            "federated_extensions": [str(labextensions / name) for name in EXTENSIONS],
        }
    }


def write(path, value):
    """Write a JSON file, with its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), "utf-8")
