"""The veil for lessons that have not been run yet, as an extension that JupyterLab loads.

Before a lesson runs, no code of a prediction is in the page, but stored results are. So the
server that opens the course hands the same veil to JupyterLab itself.
"""

import json
import os
from hashlib import sha256
from pathlib import Path

from attention_core.exercises.checking.sentences import SENTENCES

__all__ = ["write_extension"]

_HERE = Path(__file__).parent
NAME = "attention-veil"


def _script() -> str:
    """One script that defines nothing but the extension."""
    words = {
        language: {key: getattr(SENTENCES[key], language) for key in ("show", "veiled")}
        for language in ("en", "zh")
    }
    style, veil, at_rest = (
        (_HERE / name).read_text("utf-8") for name in ("prediction.css", "veil.js", "at_rest.js")
    )
    given = f"const WORDS = {json.dumps(words)};\nconst STYLE = {json.dumps(style)};"
    return "\n".join(["(() => {", given, veil, at_rest, "})();", ""])


def write_extension(jupyter_data: Path) -> None:
    """Put the extension where JupyterLab looks for it.

    Parameters
    ----------
    jupyter_data : Path
        A data folder of Jupyter; ``labextensions`` is made in it.
    """
    folder = jupyter_data / "labextensions" / NAME
    script = _script()
    entry = f"static/veil.{sha256(script.encode()).hexdigest()[:12]}.js"  # never an old one cached
    package = {
        "name": NAME,
        "version": "1.0.0",
        "jupyterlab": {"extension": True, "_build": {"load": entry, "extension": "./extension"}},
    }
    (folder / "static").mkdir(parents=True, exist_ok=True)
    for old in (folder / "static").iterdir():
        if old != folder / entry:
            old.unlink(missing_ok=True)  # two starts at once may meet here
    half = folder / f"{os.getpid()}.part"  # what another server reads is never half
    for path, text in ((folder / entry, script), (folder / "package.json", json.dumps(package))):
        half.write_text(text, "utf-8")
        os.replace(half, path)
