"""What attention costs: multiplications, and every shape on the way through the heads."""

from typing import NamedTuple

from attention_core.inputs.arrays import whole_number
from attention_core.inputs.heads import head_size


class Step(NamedTuple):
    """One step of multi-head attention: what it makes, and what that takes."""

    name: str
    shape: tuple
    parameters: int
    multiplications: int


def matrix_product(rows, inner, columns):
    """The multiplications in a product of a (rows, inner) and an (inner, columns) matrix.

    Examples
    --------
    >>> matrix_product(2, 3, 5)
    30
    """
    return rows * inner * columns


def head_steps(n, d_model, h):
    """What h heads make of n tokens, in order, with parameters and multiplications.

    Counted are the matrix products, for queries, keys and values from the same n tokens, without
    biases; scaling and softmax are left out.

    Parameters
    ----------
    n, d_model, h : int

    Returns
    -------
    tuple of Step

    Raises
    ------
    ValueError, TypeError
        If a size is not a whole number from 1 up, or `h` does not divide `d_model`.

    Notes
    -----
    Lesson 12; Vaswani et al. 2017, section 3.2.2.

    Examples
    --------
    >>> steps = head_steps(n=100, d_model=512, h=8)
    >>> [(step.name, step.shape) for step in steps[2:5]]
    [('Q_i, K_i, V_i', (8, 100, 64)), ('Q_i K_iᵀ', (8, 100, 100)), ('A_i', (8, 100, 100))]
    >>> sum(step.parameters for step in steps), sum(step.multiplications for step in steps)
    (1048576, 115097600)
    """
    for name, size in {"n": n, "d_model": d_model}.items():
        whole_number("head_steps", name, size, least=1)
    d_head = head_size("head_steps", "d_model", d_model, h)
    matrix, product = d_model * d_model, matrix_product(n, d_model, d_model)
    matching = h * matrix_product(n, d_head, n)
    return (
        Step("X", (n, d_model), 0, 0),
        Step("Q, K, V", (n, d_model), 3 * matrix, 3 * product),
        Step("Q_i, K_i, V_i", (h, n, d_head), 0, 0),
        Step("Q_i K_iᵀ", (h, n, n), 0, matching),
        Step("A_i", (h, n, n), 0, 0),
        Step("head_i = A_i V_i", (h, n, d_head), 0, matching),
        Step("Concat", (n, d_model), 0, 0),
        Step("O = Concat W_O", (n, d_model), matrix, product),
    )
