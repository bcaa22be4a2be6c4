"""Variants of attention, each with one line changed, for lesson 13.

The reference is six lines long. Every variant has one of these lines replaced; what it then
computes, and how its weights and output differ, is for the learner to find out.
"""

import numpy as np

from attention_core.softmax import softmax

REFERENCE = """\
def attention(q, k, v, allowed):
    scores = q @ k.mT
    scores = scores / np.sqrt(q.shape[-1])
    scores = np.where(allowed, scores, -np.inf)
    weights = softmax(scores, axis=-1)
    output = weights @ v
    return output, weights
"""

# variant -> (the line of the reference, the line that stands there instead)
VARIANTS = {
    "p1": ("scores = scores / np.sqrt(q.shape[-1])", "scores = scores * 1"),
    "p2": ("scores = scores / np.sqrt(q.shape[-1])", "scores = scores / q.shape[-1] ** 1 / 2"),
    "p3": ("weights = softmax(scores, axis=-1)", "weights = softmax(scores, axis=-2)"),
    "p4": ("np.where(allowed, scores, -np.inf)", "np.where(allowed, -np.inf, scores)"),
    "p5": ("np.where(allowed, scores, -np.inf)", "np.where(allowed, scores, 0)"),
    "p6": ("output = weights @ v", "output = weights @ k"),
    "p7": ("scores = q @ k.mT", "scores = k @ q.mT"),
    "p8": ("softmax(scores, axis=-1)", "np.exp(scores) / np.exp(scores).sum()"),
    "p9": ("weights = softmax(scores, axis=-1)", "weights = softmax(softmax(scores))"),
    "p10": ("output = weights @ v", "output = v + weights @ v"),
    "p11": ("scores = np.where(allowed, scores, -np.inf)", "scores = scores + 0"),
    "p12": ("scores = q @ k.mT", "scores = q @ q.mT"),
}


def changed_line(variant):
    """The one line of a variant that differs, without saying what should stand there.

    Parameters
    ----------
    variant : str
        One of "p1" … "p12".

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there is no such variant.

    Notes
    -----
    Lesson 13 lists the beliefs behind such lines.

    Examples
    --------
    >>> changed_line("p12")
    'scores = q @ q.mT'
    """
    original, changed = VARIANTS[_known(variant)]
    lines = REFERENCE.replace(original, changed).splitlines()
    return next(line.strip() for line in lines if line not in REFERENCE.splitlines())


def run_variant(variant, q, k, v, allowed):
    """Output and weights of a variant: the same call as attention, with one line changed.

    Parameters
    ----------
    variant : str
        One of "p1" … "p12", or "reference".
    q, k, v : ndarray, shapes (n, d_k), (n, d_k), (n, d_v)
    allowed : ndarray of bool, shape (n, n)
        True = may look.

    Returns
    -------
    output, weights : ndarray, shapes (n, d_v) and (n, n)

    Raises
    ------
    ValueError
        If there is no such variant.

    Notes
    -----
    Lesson 13; the lines of the reference are equation 1 of Vaswani et al. 2017.

    Examples
    --------
    >>> one = np.eye(2)
    >>> output, weights = run_variant("p3", one, 2 * one, one, one > -1)
    >>> weights.sum(axis=0).round(2)
    array([1., 1.])
    """
    source = REFERENCE if variant == "reference" else REFERENCE.replace(*VARIANTS[_known(variant)])
    names = {"np": np, "softmax": softmax}
    exec(source, names)  # our own six lines, with one of them replaced
    return names["attention"](q, k, v, allowed)


def _known(variant):
    if variant not in VARIANTS:
        listed = ", ".join(VARIANTS)
        raise ValueError(f"variants: there is no variant {variant!r}; choose from {listed}")
    return variant
