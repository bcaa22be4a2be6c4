"""Read what the caller hands over: numbers in, floats to compute with, or one clear sentence."""

import math
import operator

import numpy as np


def as_floats(where, **arrays):
    """Read arrays as floats of one type, and say which type the results have.

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
    read = [_numbers(where, name, x) for name, x in arrays.items()]
    result_type = np.result_type(*(x if x.dtype.kind == "f" else np.float64 for x in read))
    compute_type = np.float32 if result_type == np.float16 else result_type
    return [x.astype(compute_type, copy=False) for x in read], result_type


def require_finite(where, name, x):
    """Refuse NaN and infinity, naming the first place where one stands.

    Raises
    ------
    ValueError
        Naming the array, the index and the value.

    Examples
    --------
    >>> require_finite("attention", "q", np.array([[1.0, np.nan]]))
    Traceback (most recent call last):
        ...
    ValueError: attention: q[0, 1] is nan; every entry must be a finite number
    """
    # The squared length is finite only if every entry is; most calls end here.
    if not math.isfinite(np.vdot(x, x)) and not np.isfinite(x).all():
        refuse_entry(where, name, x, ~np.isfinite(x), "every entry must be a finite number")


def refuse_entry(where, name, x, bad, rule):
    """Raise the ValueError for the first entry of `x` that `bad` marks."""
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    place = ", ".join(map(str, index))
    raise ValueError(f"{where}: {name}[{place}] is {x[index]}; {rule}")


def common_shape(where, *shapes):
    """Find the shape that all these shapes broadcast to, or say that there is none."""
    different = set(shapes) - {()}
    if len(different) <= 1:  # nothing to compare: most calls
        return different.pop() if different else ()
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        listed = " and ".join(map(str, shapes))
        raise ValueError(f"{where}: the sizes {listed} do not fit together") from None


def whole_number(where, name, n, least=0):
    """Read a size: a whole number that is not too small."""
    try:
        size = operator.index(n)
    except TypeError:
        size = None
    if size is None or isinstance(n, bool):
        raise TypeError(f"{where}: {name} must be a whole number, not {n!r}")
    if size < least:
        raise ValueError(f"{where}: {name} is {size}; it must be at least {least}")
    return size


def _numbers(where, name, x):
    try:
        array = np.asarray(x)
    except ValueError as error:
        raise TypeError(f"{where}: {name} must be an array of numbers ({error})") from None
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{where}: {name} must hold real numbers, not {array.dtype}")
    return array
