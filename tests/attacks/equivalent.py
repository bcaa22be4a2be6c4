"""Small mistakes that are none: nothing that anybody could call would come out otherwise.

Each is written as the generator (mutation.py) names it: module, line as it stands, what is written
in its place; and why no test can notice it.
"""

EQUIVALENT = {
    (
        "projections.py",
        "return (x @ w).astype(kind, copy=False)",
        "True",
    ): "a copy more of an array that nobody else holds: the same numbers",
    (
        "blockwise/powers.py",
        'return {kind[0] for kind, found in kinds.items() if "baseline" not in found["current"]}',
        "1",
    ): "NumPy names exp2 by its types in and out, and they are one letter twice: ee, ff, dd",
}
