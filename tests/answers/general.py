"""Wrong answers that every exercise for a function has: the solution, misread or handed on wrongly.

One argument is changed on the way in (cut to whole numbers, its signs dropped, a first or last row
or column counted twice, a size too large by one), or the result on the way out.
"""

import numpy as np

# Where such a change is none: shares and masks have no signs, some sizes are not asked for.
UNCHANGED = {
    "cross_read": ["argument 2, rows reversed"],  # keys and values move together
    "read_values": ["argument 1, without signs"],
    "qkv_shapes": ["argument 2, too large by 1", "argument 2, too small by 1"],
    "row_weights": [
        "argument 3, cut to whole numbers",
        "argument 3, in half precision",
        "result without signs",
    ],
    "score_shape": [
        "argument 3, too large by 1",
        "argument 3, too small by 1",
        "argument 4, too large by 1",
        "argument 4, too small by 1",
    ],
    "row_jacobian": ["argument 1, without signs"],
    "softmax_rows": ["result without signs"],
    "masked_weights": ["result without signs"],
    "future_share": [
        "argument 1, first column of it",
        "argument 1, without signs",
        "result without signs",
    ],
    "rounded_output": ["argument 1, without signs"],
    "is_mixture": ["argument 2, without signs"],
    "my_softmax": ["result without signs"],
    "previous_token_head": [
        "argument 1, last column of it",
        "argument 1, without signs",
        "argument 1, in half precision",
    ],
    "value_gradient": ["argument 1, without signs"],
    "through_softmax": ["argument 1, without signs"],
}


def _changed(x, place, change):
    x = np.array(x)
    x[place] = change(x[place])
    return x


def _double(part):
    return ~part if part.dtype == bool else 2 * part + 1


EDGES = {
    "first row": 0,
    "last row": -1,
    "first column": (..., 0),
    "last column": (..., -1),
}


def _of_array(x):
    """Ways to misread an array."""
    for edge, place in EDGES.items():
        if x.ndim > 1 or edge.endswith("row"):
            yield f"{edge} of it", lambda x, place=place: _changed(x, place, _double)
    yield "rows reversed", lambda x: x[::-1]
    yield "last row left out", lambda x: x[:-1]
    if x.ndim > 1:
        yield "columns reversed", lambda x: x[..., ::-1]
        yield "columns sorted", lambda x: np.sort(x, axis=-1)
    if x.dtype.kind == "f":
        yield "in half precision", lambda x: x.astype(np.float16)
        yield "cut to whole numbers", np.trunc
        yield "without signs", np.abs


def misread(exercise):
    """The solution, called with one argument misread."""
    first = next(iter(exercise.cases()))
    for index, argument in enumerate(first):
        if isinstance(argument, np.ndarray):
            ways = dict(_of_array(argument))
        elif isinstance(argument, bool):
            ways = {"turned round": lambda x: not x}
        elif isinstance(argument, int):
            ways = {"too large by 1": lambda x: x + 1, "too small by 1": lambda x: x - 1}
        else:
            ways = {}
        for label, way in ways.items():
            yield f"argument {index + 1}, {label}", _with_argument(exercise.solution, index, way)


def _with_argument(solution, index, way):
    def answer(*inputs):
        inputs = list(inputs)
        inputs[index] = way(inputs[index])
        return solution(*inputs)

    return answer


def handed_on(exercise):
    """The solution's result, changed a little."""
    result = exercise.solution(*next(iter(exercise.cases())))
    if not isinstance(result, np.ndarray | float) or np.asarray(result).dtype.kind != "f":
        return
    for label, way in {
        "cut to whole numbers": np.trunc,
        "without signs": np.abs,
        "too large by a thousandth at the end": lambda x: _at_the_end(x, 1e-3),
        "too small by a thousandth at the end": lambda x: _at_the_end(x, -1e-3),
        "rounded to three decimals": lambda x: np.round(x, 3),
    }.items():
        yield f"result {label}", lambda *inputs, way=way: way(exercise.solution(*inputs))


def _at_the_end(x, step):
    x = np.array(x, dtype=float)
    x.reshape(-1)[-1:] += step
    return x


def general(exercise):
    """All of them, by their labels."""
    if exercise.wants_value:
        return {}
    found = {**dict(misread(exercise)), **dict(handed_on(exercise))}
    unchanged = UNCHANGED.get(exercise.name, ())
    return {label: answer for label, answer in found.items() if label not in unchanged}
