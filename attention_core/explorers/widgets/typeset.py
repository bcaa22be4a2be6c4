"""Words with symbols in them: "$W_Q$" becomes HTML with the letter lowered and in its colour."""

import re
from html import escape

ROLE_OF = {
    **dict.fromkeys(("Q", "q", "W_Q", "w_Q"), "q"),
    **dict.fromkeys(("K", "k", "W_K", "w_K"), "k"),
    **dict.fromkeys(("V", "v", "W_V", "w_V"), "v"),
    **dict.fromkeys(("O", "o", "W_O"), "o"),
    **dict.fromkeys(("X", "x", "Y", "y", "S", "Z", "M"), "n"),
    **dict.fromkeys(("A", "α"), "a"),
}
_ROOT = '<span class="rad">√<span class="over">{}</span></span>'
_PART = re.compile(
    r"√(?:\{([^{}]*)\}|(\w(?:_\w)?))"  # 1, 2: what stands under a root
    r"|(d[A-Z](?![a-z])|[A-Za-zα-ωℓ])(?:_(?:\{([^{}]*)\}|(\w+)))?(?:\^(?:\{([^{}]*)\}|(\w|−)))?(?![a-z])"
)


def typeset(text):
    """Return HTML: what stands between dollar signs is set as a formula, the rest is escaped.

    Examples
    --------
    >>> typeset("change $W_Q$ <now>")
    'change <span class="m r-q">W<sub>Q</sub></span> &lt;now&gt;'
    """
    parts = text.split("$")
    return "".join(formula(part) if i % 2 else escape(part) for i, part in enumerate(parts))


def plain(text):
    """Return the same words without markup, for names that are read aloud.

    Examples
    --------
    >>> plain("change $W_Q$")
    'change W_Q'
    """
    return re.sub(r"[{}]", "", text.replace("$", ""))


def formula(text):
    """Return the HTML of a formula such as "S/√d_k + M"; names of roles take their colour.

    Examples
    --------
    >>> formula("q_4")
    '<span class="m r-q">q<sub>4</sub></span>'
    """
    done, at = [], 0
    for match in _PART.finditer(text):
        if match.start() and text[match.start() - 1].islower():
            continue  # inside a word such as softmax
        done.append(_upright(text[at : match.start()]))
        under = match[1] or match[2]
        done.append(_ROOT.format(formula(under)) if under else _symbol(match))
        at = match.end()
    return "".join([*done, _upright(text[at:])])


def role_of(symbol):
    """Return the role letter of a symbol, or "n" for what has no colour of its own."""
    return ROLE_OF.get(symbol, ROLE_OF.get(symbol[:1], "n") if symbol[1:2] in ("_", "") else "n")


def _symbol(match):
    letter, low, high = match[3], match[4] or match[5] or "", match[6] or match[7] or ""
    name = f"{letter}_{low}"
    role = ROLE_OF.get(name) or ROLE_OF.get(letter[-1] if letter not in "Ww" else "", "")
    sub = f"<sub>{escape(low)}</sub>" if low else ""
    sup = f"<sup>{escape(high)}</sup>" if high else ""
    return f'<span class="m{f" r-{role}" if role else ""}">{escape(letter)}{sub}{sup}</span>'


def _upright(text):
    return f'<span class="u">{escape(text)}</span>' if text.strip() else escape(text)
