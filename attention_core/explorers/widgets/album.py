"""The pictures of an explorer that are ready: one for each combination of its framed settings."""

from itertools import product

import numpy as np

from attention_core.explorers.widgets import frames
from attention_core.explorers.widgets.matrix import Matrix
from attention_core.explorers.widgets.missions import Mission
from attention_core.explorers.widgets.settings import MINE, Preset, same_settings
from attention_core.explorers.widgets.typeset import typeset


class Album:
    """Settings, results and pictures, computed at once.

    Parameters
    ----------
    explorer : Explorer
        Its hooks compute and draw; its controls say what is offered now.
    framed : sequence of names
    """

    def __init__(self, explorer, framed):
        self._controls = explorer.controls
        self.axes = {name: _offered(self._controls[name]) for name in framed}
        computed = [self._page(explorer, choice) for choice in product(*self.axes.values())]
        self.settings, self.results, self.shown = map(list, zip(*computed, strict=True))

    def number(self):
        """The number of the picture that fits the controls."""
        number = 0
        for name, offered in self.axes.items():
            number = number * len(offered) + offered.index(self._controls[name].index)
        return number

    def holds(self, settings):
        """Whether there is a picture of these settings."""
        return any(same_settings(settings, one) for one in self.settings)

    def _page(self, explorer, choice):
        settings = explorer.settings
        for name, index in zip(self.axes, choice, strict=True):
            part = self._controls[name]
            settings[name] = part.values[index]
            if isinstance(part, Preset):
                settings = part.applied(settings, settings[name])
        presets = {n: p for n, p in self._controls.items() if isinstance(p, Preset)}
        for name, part in presets.items():
            settings[name] = part.matching(settings)
        result = explorer.compute(**{n: v for n, v in settings.items() if n not in presets})
        picture = explorer.picture(result, settings)
        return settings, result, complete(picture, self._controls, settings)

    def to_browser(self, missions):
        """Return the pool of frames and the pictures; a frame that several show is sent once."""
        pool, pictures, places = [], [], {}
        for settings, result, shown in zip(self.settings, self.results, self.shown, strict=True):
            end = frames.scale_of(shown.frames.values())
            picture = {"scale": end, "frames": {}, **_words_of(shown)}
            for name, frame in shown.frames.items():
                key = _key(frame, end)
                if key not in places:
                    places[key] = len(pool)
                    pool.append(frames.to_browser(frame, end))
                picture["frames"][name] = places[key]
            picture["goals"] = [
                bool(isinstance(m, Mission) and m.goal(result, settings)) for m in missions
            ]
            pictures.append(picture)
        return pool, pictures


def complete(picture, controls, settings):
    """Return the picture with the matrices that the learner edits: they show their own values."""
    own = {}
    for name, part in controls.items():
        if isinstance(part, Matrix) and name not in picture.frames:
            frame = frames.mask_frame if part.toggles else frames.Frame
            own[name] = frame(settings[name])
    return picture._replace(frames={**picture.frames, **own})


def _offered(part):
    indices = list(range(len(part.values)))
    if isinstance(part, Preset) and part.value != MINE:
        indices.pop()
    return indices


def _words_of(shown):
    """What a picture says beside its matrices."""
    lines = shown.summary or shown.sentence
    lines = [lines] if isinstance(lines, str) else lines
    return {
        "panels": shown.panels,
        "data": shown.data,
        "summary": [typeset(line) for line in lines],
        "facts": {name: typeset(text) for name, text in shown.facts.items()},
    }


def _key(frame, end):
    """What makes two frames look the same."""
    parts = []
    for value in frame:
        parts.append(
            value.tobytes() + str(value.shape).encode()
            if isinstance(value, np.ndarray)
            else repr(value)
        )
    return (*parts, end if frame.kind == "signed" else 0)
