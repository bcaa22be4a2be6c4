"""Five attentions without a name, each with one fault: to be found by measuring (lesson 18)."""

from attention_core.trained.broken import BROKEN

_ORDER = ("k_returned", "causal", "heads_averaged", "no_scale", "q_k_exchanged")


def _without_name(function):
    def mystery(q, k, v):
        return function(q, k, v)

    return mystery


MYSTERY = {
    letter: _without_name(BROKEN[name]) for letter, name in zip("ABCDE", _ORDER, strict=True)
}
