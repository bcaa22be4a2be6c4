"""The machinery below all explorers: one scale, written infinities, history, starting again."""

import math

import numpy as np
import pytest

from attention_core.explorers import by_hand_explorer, overview_explorer, trained_explorer
from attention_core.explorers.widgets import Frame, mask_frame
from attention_core.explorers.widgets.frames import to_browser
from attention_core.explorers.widgets.history import History
from attention_core.explorers.widgets.settings import MINE
from tests.explorer_ways import EXPLORERS


def test_an_infinite_score_is_written_as_one_beside_any_numbers():
    sent = to_browser(Frame([[-np.inf, 2.5], [0.0, np.inf]]), 3)
    assert sent["x"] == [["−∞", "2.50"], ["0", "∞"]]
    assert sent["v"] == [[None, 2.5], [0.0, None]]
    assert to_browser(mask_frame([[True, False]]), 1)["x"] == [["0", "−∞"]]


def test_noise_of_rounding_is_written_as_zero():
    assert to_browser(Frame([[1e-17, 1.0, -1e-17]]), 1)["v"] == [[0.0, 1.0, 0.0]]


@pytest.mark.parametrize("make", [overview_explorer, by_hand_explorer])
def test_a_causal_mask_adds_minus_infinity_on_screen(make):
    explorer = make()
    explorer.controls["mask"].value = "causal"
    texts = explorer.pool[explorer.pictures[explorer._number]["frames"]["Z"]]["x"]
    future = np.triu(np.ones((len(texts), len(texts[0])), bool), 1)
    assert all(
        (text == "−∞") == is_future
        for text, is_future in zip(np.ravel(texts), future.ravel(), strict=True)
    )


def end_of_scale(largest):
    """The smallest of 1, 2, 3, 5, 10 times a power of ten that holds the largest number."""
    if not largest:
        return 1
    power = 10.0 ** math.floor(math.log10(largest))
    return next(n * power for n in (1, 2, 3, 5, 10) if n * power >= largest * (1 - 1e-12))


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.__name__)
def test_all_signed_matrices_of_an_explorer_share_one_scale(make):
    explorer = make()
    for picture, shown in zip(explorer.pictures, explorer._album.shown, strict=True):
        signed = {n: np.array(f.values, float) for n, f in shown.frames.items()
                  if f.kind == "signed"}  # fmt: skip
        sizes = [np.abs(x[np.isfinite(x)]).max(initial=0) for x in signed.values()]
        least = 0.5 if make is trained_explorer else 0  # a small difference there stays pale
        end = end_of_scale(max([*sizes, least]))
        assert picture["scale"] == pytest.approx(end)
        for name, values in signed.items():
            sent = np.array(explorer.pool[picture["frames"][name]]["t"])
            finite = np.where(np.isfinite(values), values, 0)
            wanted = np.arcsinh(2 * finite) / np.arcsinh(2 * end)
            np.testing.assert_allclose(sent, np.atleast_2d(wanted), atol=6e-4, err_msg=name)


def test_history_goes_back_and_forth_and_forgets_what_was_not_taken():
    history = History({"x": 0})
    for x in (1, 1, 2):
        history.go_on({"x": x})
    assert history.steps == [2, 0], "a change that changes nothing is no step"
    assert history.back() == {"x": 1} and history.back() == {"x": 0} and history.back() is None
    assert history.forward() == {"x": 1} and history.steps == [1, 1]
    history.go_on({"x": 9})
    assert history.forward() is None and history.back() == {"x": 1}


def test_start_again_opens_the_missions_and_is_one_step_of_undo():
    explorer = overview_explorer()
    explorer.reveal(0)
    explorer.controls["mask"].value = "causal"
    assert set(explorer.done) >= {0, 1} and explorer.controls["word"].value == "wide"
    rounds = explorer.round
    explorer.reset()
    assert explorer.done == [] and explorer.round == rounds + 1
    assert explorer.controls["mask"].value == "none" != MINE
    explorer.undo()
    assert explorer.controls["mask"].value == "causal" and explorer.done == [1]


class Line:
    """A comm that keeps what is sent over it."""

    kernel = True

    def __init__(self, **opened):
        self.opened, self.sent, self.comm_id = opened, [], opened.get("comm_id", "")

    def send(self, **message):
        self.sent.append(message)

    def on_msg(self, _):
        pass


def test_one_message_tells_the_browser_all(monkeypatch):
    """The page draws from the first message; nothing that comes later is needed."""
    lines = []
    monkeypatch.setattr("comm.create_comm", lambda **o: lines.append(Line(**o)) or lines[-1])
    explorer = by_hand_explorer()
    [line] = [one for one in lines if one.comm_id == explorer.me]
    state = line.opened["data"]["state"]
    for name in ("spec", "pool", "pictures", "first", "at", "stamp"):
        assert state[name] == getattr(explorer, name) != type(state[name])(), name
    assert line.sent == []
