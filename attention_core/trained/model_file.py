"""Read e5_enzh.npz: multilingual-e5-small with its English and Chinese word pieces.

Weights are stored as small whole numbers; w[i, j] = code[i, j] * in_step[i] * out_step[j].
Source and licence: data/NOTICE.md.
"""

import hashlib
import io
from functools import cache
from importlib.resources import files

import numpy as np

from attention_core.trained.encoder import Encoder
from attention_core.trained.layers import Layer
from attention_core.trained.pieces import WordPieces

FILE = files("attention_core.trained") / "data" / "e5_enzh.npz"
SHA256 = "2af3df166d1bfb6d917ccb1c90f4e34886835a9c159e4612849edb81b9318684"
_MATRICES = ("w_q", "w_k", "w_v", "w_o", "w_up", "w_down")


@cache
def load_model():
    """The whole model; the second call gives the same one at once.

    Returns
    -------
    Encoder

    Raises
    ------
    FileNotFoundError
        If the package was installed without the file, saying where to get it.
    ValueError
        If the file is damaged or another one.

    Examples
    --------
    >>> model = load_model()
    >>> len(model.layers), len(model.pieces)
    (12, 33280)
    """
    return read_model(checked_bytes(FILE))


def checked_bytes(file):
    """The bytes of the file, their checksum compared.

    >>> len(checked_bytes(FILE))
    12311598
    """
    where = "attention_core/trained/data/ in the course's repository"
    if not file.is_file():
        raise FileNotFoundError(
            f"load_model: {file} is missing; copy {file.name} (12.3 MB) from {where} there"
        )
    raw = file.read_bytes()
    found = hashlib.sha256(raw).hexdigest()
    if found != SHA256:
        raise ValueError(
            f"load_model: {file} is damaged or another file: its SHA-256 begins {found[:8]}, "
            f"not {SHA256[:8]}; copy it again from {where}"
        )
    return raw


def read_model(raw):
    """An Encoder that computes in float32, from the bytes of the file.

    >>> read_model(checked_bytes(FILE)).layers[0].w_up.shape
    (384, 1536)
    """
    with np.load(io.BytesIO(raw), allow_pickle=False) as stored:
        data = {name: stored[name] for name in stored.files}
    small = {name for name in data if name.startswith(("b_", "norm"))}
    numbers = {name: data[name].astype(np.float32) for name in small}
    numbers |= {name: _decoded(data, name) for name in _MATRICES}
    layers = [
        Layer(**{name: numbers[name][i] for name in Layer._fields})
        for i in range(len(numbers["w_q"]))
    ]
    pieces = WordPieces(bytes(data["pieces"]).decode().split("\n"), data["scores"].tolist())
    codes, steps = data["word"], data["word_step"].astype(np.float32)
    return Encoder(
        pieces,
        lambda rows: codes[rows] * steps[rows],
        data["place"].astype(np.float32),
        (numbers["norm0_gain"], numbers["norm0_shift"]),
        layers,
    )


def _decoded(data, name):
    """The matrices of all layers: code times the step of its row times the step of its column."""
    rows = data[f"{name}_in"].astype(np.float32)[:, :, None]
    columns = data[f"{name}_out"].astype(np.float32)[:, None, :]
    return data.pop(name) * rows * columns
