"""One small file in the learner's folder, which several kernels may write at the same time."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from attention_core.exercises.checking.sentences import tell

__all__ = ["place", "put", "read"]

NAME = "results.json"
UNDER_TEST = ("PYTEST_VERSION", "PYTEST_CURRENT_TEST")


@cache
def place() -> Path | None:
    """Where this kernel keeps results: in ``work/``, beside the course's launcher.

    A notebook that runs elsewhere, or under a test, keeps nothing: None.
    """
    if any(name in os.environ for name in UNDER_TEST):
        return None
    try:
        here = Path.cwd()
    except OSError:  # the folder is gone
        return None
    for folder in (here, *here.parents):
        launcher, manifest = folder.parent / "course.py", folder / ".lessons.json"
        if folder.name == "work" and manifest.is_file() and launcher.is_file():
            return folder / NAME
    return None


def read(path: Path) -> dict:
    """What the file holds; nothing where there is no file yet.

    A damaged file is set aside, with a sentence that says where it is now.
    """
    with _alone(path):
        return _content(path)


def put(path: Path, entries: dict) -> None:
    """Add entries to the file or replace them; entries under other keys stay as they are."""
    with _alone(path):
        text = json.dumps(_content(path) | entries, ensure_ascii=False, indent=1, sort_keys=True)
        fresh = path.with_name(".results.part")  # under the lock nobody else writes it
        fresh.write_text(text + "\n", encoding="utf-8")
        os.replace(fresh, path)


def _content(path: Path) -> dict:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError:  # not JSON, or not even text
        content = None
    if isinstance(content, dict):
        return content
    aside = _free(path.with_name("results-damaged.json"))
    os.replace(path, aside)
    print(tell("results_damaged", old=_short(path), new=_short(aside)))
    return {}


def _free(path: Path) -> Path:
    """This path, or one with a number behind its name where it is taken."""
    number, free = 1, path
    while free.exists():
        number, free = number + 1, path.with_stem(f"{path.stem}-{number + 1}")
    return free


def _short(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a lock that no other process holds; the system frees it when a process ends."""
    with open(path.with_name(".results.lock"), "ab") as file:
        if os.name == "nt":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            try:
                yield
            finally:
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)  # freed when the file is closed
            yield
