"""Where the site takes Pyodide's compiled wheels from, and what it says when one is not right."""

import hashlib
import http.server
import json
import threading

import pytest

from notebooks.site import parts
from tests.__main__ import UNAVAILABLE

NAMES = parts.VERSIONS["native"]["packages"]
WHEELS = {f"{name}-1-cp314.whl": f"the wheel of {name}".encode() for name in NAMES}
LOCK = {
    name: {"file_name": file, "sha256": hashlib.sha256(data).hexdigest()}
    for name, (file, data) in zip(NAMES, WHEELS.items(), strict=True)
}
LAST = list(WHEELS)[-1]


class StandIn(http.server.BaseHTTPRequestHandler):
    """Pyodide's releases, as they stand in `server.files`; `server.cut` breaks off half-way."""

    def do_GET(self):
        name = self.path.rpartition("/")[2]
        data = self.server.files.get(name)
        if data is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if name == self.server.cut else data)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def release(monkeypatch, tmp_path):
    """A stand-in for the network's releases, and an empty folder to keep what comes."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    server.files, server.cut = dict(WHEELS), None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/v{{version}}/"
    monkeypatch.setattr(parts, "RELEASE", address)
    monkeypatch.setattr(parts, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(parts, "BESIDE", tmp_path / "nothing-beside")
    yield server
    server.shutdown()
    server.server_close()


def test_wheels_are_fetched_once_and_kept(release):
    first = parts.native_wheels(None, LOCK)
    assert {path.name: path.read_bytes() for path in first} == WHEELS
    release.files.clear()
    assert parts.native_wheels(None, LOCK) == first


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [("other", "is not the file"), ("missing", "cannot be reached"), ("half", "cannot be reached")],
)
def test_a_wrong_download_is_refused_in_words_and_not_kept(release, fault, sentence):
    if fault == "other":
        release.files[LAST] = b"something else"
    elif fault == "missing":
        del release.files[LAST]
    else:
        release.cut = LAST
    with pytest.raises(parts.SiteError, match=sentence) as refusal:
        parts.native_wheels(None, LOCK)
    assert refusal.value.code == (1 if fault == "other" else UNAVAILABLE)
    del refusal  # it would keep the connection open
    release.files, release.cut = dict(WHEELS), None
    again = parts.native_wheels(None, LOCK)  # the same command again mends it
    assert again[-1].read_bytes() == WHEELS[LAST]


@pytest.fixture
def folder(tmp_path):
    """An unpacked Pyodide release with nothing wrong."""
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "pyodide-lock.json").write_text(json.dumps({"packages": LOCK}), "utf-8")
    for file, data in WHEELS.items():
        (tmp_path / file).write_bytes(data)
    return tmp_path


def test_a_folder_named_by_the_user_is_taken(folder):
    wheels = parts.native_wheels(folder, LOCK)
    assert [path.parent for path in wheels] == [folder] * len(NAMES)


def test_a_folder_with_a_wrong_or_missing_wheel_is_refused(folder):
    (folder / LAST).write_bytes(b"something else")
    with pytest.raises(parts.SiteError, match=f"{LAST} is not the file"):
        parts.native_wheels(folder, LOCK)
    (folder / LAST).unlink()
    with pytest.raises(parts.SiteError, match=f"holds no {LAST}"):
        parts.native_wheels(folder, LOCK)


@pytest.mark.parametrize("name", ["pyodide.asm.wasm", "pyodide-lock.json"])
def test_a_folder_that_is_no_release_is_refused(folder, tmp_path, name):
    (folder / name).unlink()
    with pytest.raises(parts.SiteError, match="is not a Pyodide release"):
        parts.lay_out_pyodide(tmp_path / "out", folder)
