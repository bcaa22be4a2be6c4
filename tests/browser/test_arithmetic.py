"""The line under an explorer's matrices: what it writes out, computed again, gives the number."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest

from attention_core import explorers
from tests.browser.stage import every_explorer
from tests.test_explorer_links import matrices

# The line as plain text: a fraction as ((a)/(b)), what stands low after _, what is raised as ^( ).
LINE = """() => {
  const plain = (node) => {
    if (node.nodeType === 3) return node.data;
    const parts = [...node.childNodes].map(plain);
    if (node.classList.contains("frac")) return `((${parts[0]})/(${parts[1]}))`;
    const inner = parts.join("");
    return node.tagName === "SUB" ? `_${inner}` : node.tagName === "SUP" ? `^(${inner})` : inner;
  };
  return plain(document.querySelector(".attn-calc .eqn"));
}"""
LITERAL = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")
# Worked out on paper from the running example, and from the example of lesson 09.
ON_PAPER = {
    "overview_explorer": {
        ("S", 3, 1): "S_42 = q_4·k_2 = 1·1 + 2·(−1) = −1",
        ("Q", 3, 1): "Q_42 = x_4·w_2 = 0·0 + 0·0 + 0·0 + 1·2 + 0·(−2) = 2",
    },
    "roles_explorer": {("S", 0, 1): "S_12 = q_1·k_2 = 1·1 + 2·(−1) = −1"},
    "match_explorer": {("L", 3, 1): "(XX^(T))_42 = x_4·x_2 = 0·1 + 0·(−1) + 0·0 + 1·0 + 0·0 = 0"},
    "softmax_explorer": {
        ("A", 3, 1): (
            "A_42 = ((e^(−0.71))/(e^(2.12) + e^(−0.71) + e^(0.71) + e^(0)))"
            " = ((0.49)/(11.86)) = 0.04"
        )
    },
    "causal_mask_explorer": {
        ("Z", 3, 1): "((S_42)/(√d_k)) + M_42 = ((−1)/(√2)) + 0 = −0.71",
    },
    "by_hand_explorer": {
        ("S", 2, 1): "S_32 = q_3·k_2 = 1·0 + 1·1 = 1",
        ("A", 2, 1): (
            "A_32 = ((e^(0.71))/(e^(0.71) + e^(0.71) + e^(1.41))) = ((2.03)/(8.17)) = 0.25"
        ),
        ("O", 2, 1): "O_32 = 0.25·0 + 0.25·2 + 0.50·1 = 1",
    },
    "closing_explorer": {
        ("Z", 3, 1): "((q_4·k_2)/(√d_k)) + M_42 = ((1·1 + 2·(−1))/(√2)) + 0 = −0.71",
    },
    "gradients_explorer": {
        ("dA", 3, 1): "dA_42 = 0.70·0 + (−0.96)·1 + 0.08·0 = −0.96",
        ("dO", 3, 1): "dO_42 = 0.04 − 1 = −0.96",
    },
}


def computed(side):
    """The value of one side of a line and how far rounding may have moved it.

    None if there is nothing to compute: words, a covered number, terms left out.
    """
    text = (
        side.replace("−", "-")
        .replace("\u2009", "")
        .replace("·", "*")
        .replace("√", "sqrt ")
        .replace("e^(", "exp(")
    )
    text = re.sub(r"sqrt (\d+)", r"sqrt(\1)", text)
    if (
        text == "*"
        or "…" in text
        or re.search(r"[^\W\d_]", re.sub(r"sqrt|exp|max|\de-?\d", "", text))
    ):
        return None
    names = {"sqrt": math.sqrt, "exp": math.exp, "max": max}

    def value(expression):
        return eval(expression, {"__builtins__": {}}, names)

    exact, slack = value(text), 1e-9
    for found in LITERAL.finditer(text):
        digits = found.group()
        decimals = len(digits.split("e")[0].partition(".")[2])
        if decimals:
            half = 0.5 * 10.0 ** (int((digits + "e0").split("e")[1]) - decimals)
            moved = f"({digits}+{half})"
            slack += abs(value(text[: found.start()] + moved + text[found.end() :]) - exact)
    return exact, slack


def complaints(line):
    """Sides of a line that do not give the same number, and how many sides were compared."""
    sides = [computed(side) for side in line.split(" = ")]
    numbers = [side for side in sides if side is not None]
    wrong = [
        line for (one, near), (two, far) in pairwise(numbers) if abs(one - two) > 1.2 * (near + far)
    ]
    return wrong, len(numbers) - 1


def lines_of(stage):
    """The line of two cells of every matrix: the last, and one from the first column."""
    for name in matrices(stage.explorer):
        rows, cols = np.atleast_2d(stage.explorer.shown.frames[name].values).shape
        for i, j in sorted({(rows - 1, cols - 1), (rows // 2, 0)}):
            stage.cell(name, i, j).hover()
            yield stage.page.evaluate(LINE)


@every_explorer
def test_what_is_written_out_gives_the_number(show, make):
    wrong, compared, lines = [], 0, list(lines_of(show(make)))
    for line in lines:
        found, sides = complaints(line)
        wrong, compared = wrong + found, compared + max(0, sides)
    assert wrong == []
    # Blocks without numbers, and cells that are made of hundreds of terms: only their value.
    without_a_sum = ("head_shapes_explorer", "search_explorer", "trained_explorer")
    assert compared > 1 or make.__name__ in without_a_sum, lines


@pytest.mark.parametrize("name", ON_PAPER)
def test_single_cells_are_as_on_paper(show, name):
    stage = show(getattr(explorers, name))
    for (matrix, i, j), line in ON_PAPER[name].items():
        stage.cell(matrix, i, j).hover()
        assert stage.page.evaluate(LINE) == line


@pytest.mark.parametrize(
    "change",
    [
        ("terms.push(values.includes(0)", "if (k) terms.push(values.includes(0)"),
        ("const total = sizes.reduce((a, b) => a + b, 0);", "const total = sizes[0];"),
        ("const [i, j] = this.at(source, r, c, k);", "const [j, i] = this.at(source, r, c, k);"),
    ],
    ids=["a term is left out", "the sum is another", "row and column exchanged"],
)
def test_a_wrong_line_is_noticed(show, change):
    def changed():
        explorer = explorers.overview_explorer()
        explorer._esm = explorer._esm.replace(*change)
        return explorer

    stage = show(changed)
    assert change[1] in stage.explorer._esm
    assert any(complaints(line)[0] for line in lines_of(stage))
