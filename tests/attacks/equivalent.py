"""Small mistakes that are none: nothing that anybody could call would come out otherwise.

Each is written as the generator (mutation.py) names it: module, line as it stands, what is written
in its place; and why no test can notice it.
"""

EQUIVALENT = {
    (
        "softmax.py",
        "return unchecked_softmax(scores, axis).astype(kind, copy=False)",
        "True",
    ): "a copy more of an array that nobody else holds: the same numbers",
    (
        "heads.py",
        "return x.reshape(*leading, n, h, d_head).swapaxes(-3, -2)",
        "x.reshape(*leading, n, h, d_head).swapaxes(-2, -3)",
    ): "two axes change places, whichever is named first",
    (
        "heads.py",
        "return x.swapaxes(-3, -2).reshape(*leading, n, h * d_head)",
        "x.swapaxes(-2, -3)",
    ): "two axes change places, whichever is named first",
    (
        "heads.py",
        'mask = mask_for_heads("multi_head_attention", mask, axes=max(np.ndim(q), np.ndim(k)))',
        "max(np.ndim(k), np.ndim(q))",
    ): "the larger of two numbers, whichever is named first",
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
