"""The masks one can choose by name, and "yours" for the one clicked together."""

import numpy as np

from attention_core.explorers.controls import Choice
from attention_core.language import Words, say
from attention_core.masks import causal_mask, combine_masks, padding_mask

MINE = "yours"
_LABEL = Words("mask", "掩码")
_NAMES = {
    "none": Words("none", "无"),
    "causal": Words("causal", "因果"),
    "padding": Words("padding", "填充"),
    "causal+padding": Words("causal + padding", "因果 + 填充"),
    "window": Words("window", "窗口"),
    MINE: Words("yours", "自定义"),
}


def preset_masks(n_q, n_k, padded=1, width=2):
    """Every named mask for these sizes: `padded` keys at the end, a window of `width` keys."""
    causal = causal_mask(n_q, n_k)
    padding = np.broadcast_to(padding_mask([max(n_k - padded, 0)], n_k)[0], (n_q, n_k))
    near = np.triu(np.ones((n_q, n_k), bool), k=n_k - n_q - width + 1)
    return {
        "none": np.ones((n_q, n_k), bool),
        "causal": causal,
        "padding": padding,
        "causal+padding": combine_masks(causal, padding),
        "window": combine_masks(causal, near),
    }


def preset_choice(start="none", names=tuple(_NAMES)):
    """Radio buttons with the names of the masks."""
    return Choice(say(_LABEL), names, start, [say(_NAMES[name]) for name in names])


def follow_preset(masks):
    """Settings with the mask that belongs to the chosen preset; "yours" is left alone."""

    def prepare(settings):
        if settings["preset"] == MINE:
            return settings
        return {**settings, "mask": masks[settings["preset"]]}

    return prepare
