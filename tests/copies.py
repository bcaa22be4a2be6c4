"""A copy of the project, in which something may be changed or broken."""

import shutil

from tests.lessons import ROOT

LEFT_OUT = (
    ".git", ".venv*", "work", "build", "__pycache__", ".pytest_cache", "*.npz",
)  # fmt: skip


def copied_project(root):
    """Copy the project as git would hand it over, but without its history; big files are links."""
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for path in ROOT.rglob("*.npz"):
        target = root / path.relative_to(ROOT)
        if target.parent.exists():
            target.symlink_to(path)
    return root
