"""Arrays and sizes from the caller: floats to compute with, or one clear sentence."""

import math
import operator

import numpy as np

from attention_core.inputs.real import real_numbers

LONGEST = np.iinfo(np.intp).max // 64  # no array holds as many rows
COMPUTED_IN = {np.dtype(np.float32), np.dtype(np.float64)}


def as_floats(where, **arrays):
    """Arrays as floats of one type, and the type that the results will have.

    Integers compute as float64, float32 stays float32, and float16 computes in float32:
    half precision is for storing numbers, not for adding many of them.

    Parameters
    ----------
    where : str
        The function that was called; it opens the error sentence.
    **arrays : array_like
        The arrays by the names the caller knows.

    Returns
    -------
    floats : list of ndarray
        In the order given, in the type to compute with. The inputs are never changed.
    result_type : dtype
        The type the caller gets back.

    Raises
    ------
    TypeError
        If an array does not hold real numbers.

    Examples
    --------
    >>> (q,), kind = as_floats("softmax", scores=[1, 2])
    >>> q, kind
    (array([1., 2.]), dtype('float64'))
    """
    read = [real_numbers(where, name, x) for name, x in arrays.items()]
    kinds = {x.dtype for x in read}
    if len(kinds) == 1 and kinds <= COMPUTED_IN:  # nothing to convert: most calls
        return read, kinds.pop()
    result_type = np.result_type(*(x if x.dtype.kind == "f" else np.float64 for x in read))
    compute_type = np.float32 if result_type == np.float16 else result_type
    return [x.astype(compute_type, copy=False) for x in read], result_type


def require_finite(where, name, x):
    """The length of all entries together; refused if one is NaN or infinite.

    Returns
    -------
    float
        The root of the sum of squares; infinity where that sum is too large for a float.

    Raises
    ------
    ValueError
        Naming the array, the first such index and the value.

    Examples
    --------
    >>> require_finite("attention", "q", np.array([[3.0, 4.0]]))
    5.0
    >>> require_finite("attention", "q", np.array([[1.0, np.nan]]))
    Traceback (most recent call last):
        ...
    ValueError: attention: q[0, 1] is nan; every entry must be a finite number
    """
    length = math.sqrt(np.vdot(x, x))
    # It is finite only if every entry is; most calls end here.
    if not math.isfinite(length) and not np.isfinite(x).all():
        refuse_entry(where, name, x, ~np.isfinite(x), "every entry must be a finite number")
    return length


def refuse_entry(where, name, x, bad, rule):
    """Raise the ValueError for the first entry of `x` that `bad` marks."""
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    place = ", ".join(map(str, index))
    raise ValueError(f"{where}: {name}[{place}] is {x[index]}; {rule}")


def read_scores(where, scores):
    """Scores as floats, each a number or −∞, and the type of their weights."""
    (scores,), kind = as_floats(where, scores=scores)
    if not scores.max(initial=-np.inf) < np.inf:  # NaN is not smaller either
        bad = np.isnan(scores) | (scores == np.inf)
        refuse_entry(where, "scores", scores, bad, "a score must be a number or -inf")
    return scores, kind


def common_shape(where, *shapes):
    """The shape that all these shapes broadcast to; refused if there is none."""
    different = set(shapes) - {()}
    if len(different) <= 1:  # nothing to compare: most calls
        return different.pop() if different else ()
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        listed = " and ".join(str(shape) for shape in shapes if shape)
        raise ValueError(f"{where}: the sizes {listed} do not fit together") from None


def whole_number(where, name, n, least=0):
    """A size as an int: a whole number that is not too small."""
    try:
        size = operator.index(n)
    except TypeError:
        size = None
    if size is None or isinstance(n, bool):
        raise TypeError(f"{where}: {name} must be a whole number, not {n!r}")
    if size < least:
        raise ValueError(f"{where}: {name} is {size}; it must be at least {least}")
    if size > LONGEST:
        raise ValueError(f"{where}: {name} is larger than any array; it must be at most {LONGEST}")
    return size


def whole_numbers(where, least=0, **sizes):
    """Several sizes as ints, in the order given.

    Examples
    --------
    >>> whole_numbers("causal_mask", n_q=2, n_k=5)
    [2, 5]
    """
    return [whole_number(where, name, n, least) for name, n in sizes.items()]


def in_type(kind, *results):
    """Results in the type that the caller gets back; what has it already is not copied.

    Examples
    --------
    >>> in_type(np.float16, np.float32([1.5]))
    [array([1.5], dtype=float16)]
    """
    return [x.astype(kind, copy=False) for x in results]
