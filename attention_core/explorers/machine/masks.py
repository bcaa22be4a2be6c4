"""Named masks, and the frames of what a mask hides."""

import numpy as np

from attention_core.explorers.machine.words import named_values
from attention_core.explorers.widgets import Check, Frame
from attention_core.explorers.widgets.typeset import formula
from attention_core.language import Words, say
from attention_core.masks import causal_mask, combine_masks, padding_mask


def alone(allowed):
    """Return the cells of rows that may look at one key only: their share is 1 in any case."""
    return allowed & (allowed.sum(axis=-1, keepdims=True) == 1)


def weights_frame(weights, allowed=None, **more):
    """Return the frame of attention weights; what the mask hides is hatched."""
    if allowed is None:
        return Frame(weights, "weight", **more)
    return Frame(weights, "weight", hidden=~allowed, fixed=alone(allowed), **more)


def masked_frame(scores, allowed, **more):
    """Return the frame of scores with the mask added."""
    return Frame(scores, hidden=~allowed, **more)


def logits_title(scaled):
    """Return the symbol of what softmax gets, with or without the division."""
    return formula("S/√d_k + M" if scaled else "S + M")


def _window(n_q, n_k):
    return combine_masks(causal_mask(n_q, n_k), np.triu(np.ones((n_q, n_k), bool), n_k - n_q - 1))


def _padding(n_q, n_k):
    return np.broadcast_to(padding_mask([n_k - 1], n_k)[0], (n_q, n_k))


MASKS = {
    "none": (lambda n_q, n_k: np.ones((n_q, n_k), bool), Words("none", "无")),
    "causal": (causal_mask, Words("causal", "因果")),
    "padding": (_padding, Words("padding", "填充")),
    "causal+padding": (
        lambda *n: combine_masks(causal_mask(*n), _padding(*n)),
        Words("causal + padding", "因果 + 填充"),
    ),
    "window": (_window, Words("window", "窗口")),
}


def mask_preset(names=("none", "causal"), control="M"):
    """Return the choice between named masks; their size follows the mask on screen.

    Parameters
    ----------
    names : sequence of str
        Of `MASKS`; padding hides the last key, a window is two keys wide.
    control : str
        The matrix that is set.
    """
    options = {
        name: {control: lambda settings, make=MASKS[name][0]: make(*settings[control].shape)}
        for name in names
    }
    written = {name: words for name, (_, words) in MASKS.items()}
    return named_values(Words("mask", "掩码"), written, options)


def scaling_check(value=True):
    """Return the switch for the division by √d_k."""
    return Check(say(Words("divide by $√d_k$", "除以 $√d_k$")), value)
