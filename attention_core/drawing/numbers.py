"""Numbers as text, and text as numbers: the one place for every view, figure and exercise.

Nothing here is cut and nothing is "−0". What a rounded text would hide is either written with an
exponent (`cell_text`) or with more digits (`apart`). `numbers.js` says the same in the browser.
"""

import math
import re
from decimal import Decimal

import numpy as np

from attention_core.language import Words, say

LONGEST = 7  # characters that `cell_text` may need, as in −1.23e6

_PATTERN = re.compile(r"[+\-−]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+\-−]?[0-9]+)?")
REASONS = {
    "empty": Words("The cell is empty: type a number.", "格子是空的：请输入一个数。"),
    "comma": Words(
        "“{text}” is not a number here: write the decimal point as a point, 1.5.",
        "“{text}”在这里不是数：小数点请写成点，例如 1.5。",
    ),
    "word": Words(
        "“{text}” is not a number. Write digits, as in −2, 0.5 or 1e6.",
        "“{text}”不是数。请写数字，例如 −2、0.5 或 1e6。",
    ),
    "huge": Words(
        "“{text}” is not finite: the largest number here is about 1.8e308.",
        "“{text}”不是有限的数：这里最大约为 1.8e308。",
    ),
}


def number_text(x, decimals=2):
    """Return a number with a fixed count of decimals: a real minus, "−∞", never "−0.0".

    Examples
    --------
    >>> number_text(-0.5), number_text(-0.001), number_text(-math.inf), number_text(2)
    ('−0.50', '0.00', '−∞', '2.00')
    """
    x = float(x)
    return _odd(x) or _minus(f"{round(x, decimals) + 0.0:.{decimals}f}")


def cell_text(x):
    """Return a number for a cell, at most `LONGEST` characters and never cut.

    Whole numbers below 10⁴ are plain, others have two decimals, one from 100 on, and an
    exponent where decimals would hide them.

    Examples
    --------
    >>> [cell_text(x) for x in (3, -0.5, 123.456, -1234567, 0.00042, -0.0)]
    ['3', '−0.50', '123.5', '−1.23e6', '4.2e−4', '0']
    """
    x = float(x)
    size = abs(x)
    if _odd(x) or x == 0:
        return _odd(x) or "0"
    if x == round(x) and size < 1e4:
        return _minus(str(int(x)))
    if size < 0.005 or size >= 9999.5:
        return _with_exponent(x)
    return _minus(_fixed(x, 2 if size < 99.995 else 1 if size < 999.95 else 0))


def short(x):
    """Return a number with three significant digits, as the ticks of an axis have it.

    Examples
    --------
    >>> [short(x) for x in (0.26894, -2.0, 4096, 0.0000454, -0.0)]
    ['0.269', '−2', '4096', '4.54e−5', '0']
    """
    x = float(x)
    if _odd(x):
        return _odd(x)
    plain = f"{round(x):d}" if 1000 <= abs(x) < 1e6 else f"{x + 0.0:.3g}"
    return _minus(re.sub(r"e([+-])0?", lambda e: "e" + e[1].strip("+"), plain))


def weight_text(w):
    """Return an attention weight: two decimals; "0" and "1" only for exactly 0 and 1.

    Examples
    --------
    >>> weight_text(0.7032), weight_text(0), weight_text(1e-4), weight_text(1)
    ('0.70', '0', '0.00', '1')
    """
    return cell_text(w) if w in (0, 1) or not 0 <= w <= 1 else _fixed(w, 2)


def whole(x):
    """Return a number with all its digits, as a field shows it while it is edited.

    Examples
    --------
    >>> whole(-0.1), whole(3.0), whole(1e308), whole(-1e-05), whole(1234567.25)
    ('−0.1', '3', '1e308', '−1e−5', '1234567.25')
    """
    x = float(x)
    if _odd(x) or x == 0:
        return _odd(x) or "0"
    if 1e-4 <= abs(x) < 1e15:
        text = format(Decimal(repr(x)), "f")
        return _minus(text.removesuffix(".0"))
    digits, exponent = _scientific(repr(x))
    return _minus(f"{digits}e{exponent}")


def code_text(x, decimals=4):
    """Return a number as it can be copied into a cell: a plain minus, no trailing zeros, no "-0".

    With more than 15 decimals nothing is rounded away: what is not 0 does not read as 0.

    Examples
    --------
    >>> code_text(0.5), code_text(-0.00001), code_text(-math.inf), code_text(1e-22, 17)
    ('0.5', '0', '-inf', '1.00e-22')
    """
    if isinstance(x, bool | np.bool_):
        return str(bool(x))
    if isinstance(x, int | np.integer):
        return str(int(x)) if abs(int(x)) < 10**15 else f"{float(x):.6g}"
    if not np.isrealobj(x):
        return f"{complex(x):.{decimals}g}"
    x = float(x)
    if not math.isfinite(x) or abs(x) >= 10**9:
        return f"{x:.{decimals}g}"
    if decimals > 15 and 0 < abs(x) < 10**-decimals:
        return f"{x:.2e}"
    text = f"{x:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def apart(old, new):
    """Return the texts of two numbers, with as many digits as it takes to tell them apart.

    Examples
    --------
    >>> apart(0.7032, 0.7034), apart(3, 2.6), apart(1, 1)
    (('0.7032', '0.7034'), ('3', '2.60'), ('1', '1'))
    """
    if cell_text(old) != cell_text(new) or old == new:
        return cell_text(old), cell_text(new)
    for digits in range(3, 17):
        texts = tuple(whole(float("{}e{}".format(*_rounded(x, digits - 1)))) for x in (old, new))
        if texts[0] != texts[1]:
            return texts
    return whole(old), whole(new)


def parse(text):
    """Return the number that a learner has typed.

    Parameters
    ----------
    text : str
        Digits, a decimal point, an exponent; "-" or "−".

    Raises
    ------
    ValueError
        For anything else, with the reason in the language in use.

    Examples
    --------
    >>> parse(" −1e−05 "), parse(".5"), parse("-0")
    (-1e-05, 0.5, 0.0)
    """
    text = text.strip()
    reason = _reason(text)
    if reason:
        raise ValueError(say(REASONS[reason], text=text))
    return float(text.replace("−", "-")) + 0.0


def _reason(text):
    if not text:
        return "empty"
    if not _PATTERN.fullmatch(text):
        return "comma" if _PATTERN.fullmatch(text.replace(",", ".", 1)) else "word"
    return None if math.isfinite(float(text.replace("−", "-"))) else "huge"


def _odd(x):
    """The text of what is no finite number, else nothing."""
    if math.isnan(x):
        return "·"
    return ("∞" if x > 0 else "−∞") if math.isinf(x) else ""


def _minus(text):
    return text.replace("-", "−")


def _fixed(x, decimals):
    """Decimals of the number's exact value, halves away from zero, as browsers round them."""
    return f"{Decimal(float(x)).quantize(Decimal(1).scaleb(-decimals), 'ROUND_HALF_UP'):f}"


def _scientific(text):
    """The shortest digits and the exponent of a number written by `repr`."""
    number = Decimal(text).normalize()
    exponent = number.adjusted()
    return format(number.scaleb(-exponent), "f"), exponent


def _with_exponent(x):
    """As many decimals (at most two) as there is room for."""
    for decimals in (2, 1, 0):
        mantissa, exponent = _rounded(x, decimals)
        text = _minus(f"{mantissa}e{exponent}")
        if len(text) <= LONGEST:
            return text
    return text


def _rounded(x, decimals):
    number = Decimal(float(x))
    exponent = number.adjusted()
    step = Decimal(1).scaleb(-decimals)
    mantissa = number.scaleb(-exponent).quantize(step, "ROUND_HALF_UP")
    if abs(mantissa) >= 10:
        exponent, mantissa = exponent + 1, (mantissa / 10).quantize(step)
    text = f"{mantissa:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text), exponent
