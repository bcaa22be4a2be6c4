"""Lesson 09: the five steps by hand, in two worked examples and for any numbers typed in."""

from html import escape
from types import SimpleNamespace

import ipywidgets

from attention_core.explorers import spell
from attention_core.explorers.chain import chain_explorer
from attention_core.explorers.controls import Choice
from attention_core.words import Words, say, speaking

# The example of section 9 of the document, and one in which no two sizes are equal.
EXAMPLES = {
    "document": {
        "q": [[1, 0], [0, 1], [1, 1]],
        "k": [[1, 0], [0, 1], [1, 1]],
        "v": [[1, 0], [0, 2], [3, 1]],
        "preset": "causal",
    },
    "second": {
        "q": [[1, 0, 2], [0, 1, 1]],
        "k": [[1, 1, 0], [0, 2, 1], [2, 0, 1], [1, 0, 0]],
        "v": [[1, 0, 2, 0, 1], [0, 3, 1, 1, 0], [2, 1, 0, 0, 4], [1, 0, 0, 5, 2]],
        "preset": "none",
    },
}
DECIMALS = 4

_EXAMPLE = Words("example", "例子")
_NAMES = {
    "document": Words("the document's: Q = K, all sizes alike", "原文的例子：Q = K，尺寸都一样"),
    "second": Words("the second: Q ≠ K, all sizes different", "第二个例子：Q ≠ K，尺寸各不相同"),
}
_STEPS = {
    "scores": Words("1 · Scores", "第 1 步 · 分数"),
    "scaled": Words("2 · Scaling", "第 2 步 · 缩放"),
    "masked": Words("3 · Mask", "第 3 步 · 掩码"),
    "weights": Words("4 · Softmax", "第 4 步 · softmax"),
    "output": Words("5 · Mix the values", "第 5 步 · 聚合值"),
}


class ByHand(ipywidgets.VBox):
    """Worked examples of different sizes, one of them on screen; works like an `Explorer`."""

    def __init__(self, example):
        self._chains = {
            name: chain_explorer(**numbers, decimals=DECIMALS, board=blackboard)
            for name, numbers in EXAMPLES.items()
        }
        names = [say(name) for name in _NAMES.values()]
        self._choice = Choice(say(_EXAMPLE), list(EXAMPLES), example, names)
        self._speak = speaking()
        super().__init__(children=[self._choice, *self._chains.values()])
        self.add_class("attn-explorer")
        for chain in self._chains.values():
            chain.remove_class("attn-explorer")
        self._choice.observe(lambda _: self._show(), "value")
        self._show()

    def _show(self):
        for name, chain in self._chains.items():
            chain.layout.display = None if name == self._choice.value else "none"

    @property
    def chain(self):
        """The explorer of the example on screen."""
        return self._chains[self._choice.value]

    @property
    def controls(self):
        """The choice of the example, and the controls of the one on screen."""
        return {"example": self._choice, **self.chain.controls}

    @property
    def views(self):
        """The views of the example on screen."""
        return self.chain.views

    @property
    def result(self):
        """The arrays of the example on screen."""
        return self.chain.result

    @property
    def message(self):
        """Where the example on screen says what is wrong."""
        return self.chain.message

    @property
    def detail(self):
        """Where the example on screen spells out a selected cell."""
        return self.chain.detail

    @property
    def sentence(self):
        """The result of the example on screen in one sentence."""
        return self.chain.sentence

    def __repr__(self):
        return self.sentence

    def static_html(self):
        """What a reader sees without a kernel: the example on screen."""
        return self._choice.static_html() + self.chain.static_html()

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle["text/plain"] = self.sentence
        bundle["text/html"] = self.static_html()
        return bundle


def by_hand_explorer(example="document"):
    """Follow the five steps for numbers that the learner types, each cell written out.

    Parameters
    ----------
    example : {"document", "second"}
        The one to begin with: section 9 of the document (Q = K, causal mask), or one with
        Q ≠ K, n_q = 2, n_k = 4, d_k = 3, d_v = 5.

    Returns
    -------
    ByHand
        With `.controls` and `.result` of the example on screen.
    """
    return ByHand(example)


def blackboard(result, settings):
    """The five steps of one query, every cell of its row written out."""
    q, k, v = settings["Q"], settings["K"], settings["V"]
    steps, i = SimpleNamespace(**result), settings["query"]
    columns = []
    for step, title in _STEPS.items():
        width = v.shape[1] if step == "output" else len(k)
        lines = [
            spell.chain_cell(step, i, j, steps, q, k, v, settings["scaled"]) for j in range(width)
        ]
        text = "\n".join(escape(line) for line in lines)
        columns.append(
            f'<div style="margin:0 18px 8px 0"><b>{escape(say(title))}</b>'
            f'<p class="arithmetic">{text}</p></div>'
        )
    return f'<div style="display:flex;flex-flow:row wrap">{"".join(columns)}</div>'
