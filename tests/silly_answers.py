"""What learners and cats hand in."""

import sys
import warnings

import numpy as np


def silly_answers():
    """What learners and cats hand in."""

    class Unreadable:
        def __array__(self, *arguments, **options):
            raise RuntimeError("no")

        def __eq__(self, other):
            raise RuntimeError("no")

        def __repr__(self):
            raise RuntimeError("no")

        __hash__ = None
        __len__ = __iter__ = __repr__

    class BadText(Exception):
        def __str__(self):
            raise RuntimeError("no")

    def raising(*arguments):
        raise ValueError("{broken} 100% of \n the time")

    def leaving(*arguments):
        sys.exit(3)

    def bad_text(*arguments):
        raise BadText

    def endless(*arguments):
        return endless(*arguments)

    def shouting(*arguments):
        print("stdout")
        print("stderr", file=sys.stderr)
        warnings.warn("warning", stacklevel=1)
        return np.float64(1) / np.float64(0)

    def writing(*arguments):
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                argument[...] = 0
        return arguments[0] if arguments else 0

    async def later(*arguments):
        return 1

    loop = []
    loop.append(loop)
    values = ["", "text", b"bytes", 0, -1, 1e300, 1j, True, float("nan"), np.nan, np.inf, (), []]
    values += [{}, {"a": ...}, {1, 2}, [[1], [2, 3]], loop, object(), Unreadable(), Ellipsis, type]
    values += [np.zeros((0, 3)), np.zeros((40, 60)), np.array("x"), np.array([None, {}])]
    values += [np.ma.masked_array([1.0], [True]), np.datetime64("2020"), range(3), iter([1])]
    values += [(..., 1), "{name}", np.zeros(2, dtype="U3"), 10**400, np.array([1 + 1j])]
    functions = [lambda: 1, lambda a, b, c, d, e, f: 1, raising, leaving, bad_text, endless]
    functions += [shouting, writing, later, print, len, int, dict, np.add, Unreadable]
    functions += [lambda *a, value=value: value for value in values]
    functions += [lambda *a: (x for x in a), lambda *a: np.zeros((300, 300)), lambda *a: a]
    return values + functions
