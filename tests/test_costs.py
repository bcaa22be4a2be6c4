"""Sizes and costs, against arrays that were really made and products that were really counted."""

import numpy as np
import pytest

from attention_core import attention_steps, init_multi_head, split_heads
from attention_core.measures import costs as module
from attention_core.measures import head_steps
from tests.loops import for_each
from tests.planted import planted

CASES = [(5, 6, 2), (3, 12, 4), (7, 5, 1), (2, 9, 9), (1, 1, 1)]
each_case = pytest.mark.parametrize(("n", "d_model", "h"), CASES)


class Counter:
    """Matrix products in three loops that count what they multiply."""

    def __init__(self):
        self.products = 0

    def matmul(self, a, b):
        out = np.zeros((len(a), b.shape[1]))
        for i, j, c in np.ndindex(len(a), b.shape[1], len(b)):
            out[i, j] += a[i, c] * b[c, j]
            self.products += 1
        return out


def counted(n, d_model, h):
    """Products in the projections, in the scores, in the mixtures and in W_O, head by head."""
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(n, d_model)), init_multi_head(rng, d_model, h)
    counters = [Counter() for _ in range(4)]
    heads = []
    for mine in np.arange(d_model).reshape(h, -1):
        q, k, v = (counters[0].matmul(x, matrix[:, mine]) for matrix in w[:3])
        scores = counters[1].matmul(q, k.mT)
        heads.append(counters[2].matmul(scores, v))
    counters[3].matmul(np.hstack(heads), w.w_o)
    return [counter.products for counter in counters]


def costs(steps):
    return [step.multiplications for step in steps if step.multiplications]


@each_case
def test_multiplications_are_those_that_happen(n, d_model, h):
    assert costs(head_steps(n, d_model, h)) == counted(n, d_model, h)


@each_case
def test_parameters_are_those_that_exist(n, d_model, h):
    weights = init_multi_head(np.random.default_rng(0), d_model, h)
    *w_qkv, w_o = (w.size for w in weights)
    kept = [step.parameters for step in head_steps(n, d_model, h) if step.parameters]
    assert kept == [sum(w_qkv), w_o]


@each_case
def test_shapes_are_those_of_the_arrays(n, d_model, h):
    x = np.zeros((n, d_model))
    q = split_heads(x, h)
    steps = attention_steps(q, q, q)
    arrays = [x, x, q, steps.scores, steps.weights, steps.output, x, x]
    assert [step.shape for step in head_steps(n, d_model, h)] == [a.shape for a in arrays]


def test_parameters_and_multiplications_do_not_depend_on_h():
    totals = {
        tuple(sum(step[k] for step in head_steps(7, 12, h)) for k in (2, 3))
        for h in (1, 2, 3, 4, 6, 12)
    }
    assert totals == {(4 * 144, 4 * 7 * 144 + 2 * 49 * 12)}


@for_each(
    ("old", "new"),
    [
        ("h * matrix_product(n, d_head, n)", "matrix_product(n, d_head, n)"),
        ("3 * matrix, 3 * product", "3 * matrix, product"),
        ("matrix_product(n, d_model, d_model)", "matrix_product(n, n, d_model)"),
    ],
)
def test_a_wrong_count_is_seen(old, new):
    broken = planted(module, old, new)
    assert costs(broken.head_steps(5, 6, 2)) != counted(5, 6, 2)


@for_each(
    ("arguments", "error", "words"),
    [
        ((5, 6, 4), ValueError, "d_model is 6 and h is 4"),
        ((0, 6, 2), ValueError, "n is 0"),
        ((5, 0, 1), ValueError, "d_model is 0"),
        ((5, 6, 0), ValueError, "h is 0"),
        ((5.0, 6, 2), TypeError, "n must be a whole number"),
    ],
)
def test_sizes_that_do_not_fit(arguments, error, words):
    with pytest.raises(error, match=words):
        head_steps(*arguments)
