"""Small mistakes in every line of the mathematics and of the checks: does a test turn red?

    python -m tests.attacks.mutation                      all modules, a sample of each
    python -m tests.attacks.mutation softmax.py --all     one module, every mistake

The mistakes are generated from the syntax tree, not picked. Each is written into a copy of the
project, in which the tests of that module then run. What no test notices is printed and is a
failure, unless it stands in the list of equivalents (equivalent.py): a test is missing.
"""

import argparse
import ast
import copy
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.attacks.equivalent import EQUIVALENT
from tests.copies import copied_project
from tests.lessons import ROOT

PACKAGE = ROOT / "attention_core"
EACH = 9  # mistakes in a module, unless --all
SECONDS = 300
SWAPS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
# Where a mistake in these files must be noticed.
CORE = ["softmax", "attention", "masks", "heads", "mutants", "contract"]
CORE += ["cases_inputs", "cases_numerics"]
CHECKS = ["checking", "questions", "variants", "results", "every_exercise"]
TESTS = {
    "blockwise": ["blockwise", "running", "costs", *CORE[:2]],
    "gradients": ["gradients"],
    "measures": ["costs", "tasks", "whatever_comes"],
    "inputs": [*CORE, "gradients", "blockwise", "language", "whatever_comes"],
    "exercises": CHECKS,
}
MODULES = [
    *(f"{name}.py" for name in ("softmax", "masks", "attention", "heads", "projections")),
    "gradients.py",
    *sorted(
        str(path.relative_to(PACKAGE))
        for folder in ("blockwise", "inputs", "measures", "exercises/checking")
        for path in (PACKAGE / folder).glob("*.py")
        if path.name != "__init__.py"
    ),
]


class Mutant(NamedTuple):
    """One mistake: the file, the line, what stood there and what stands there now."""

    module: str
    line: int
    before: str
    after: str
    source: str

    @property
    def is_equivalent(self):
        """Whether it stands in the list of mistakes that nothing can notice."""
        return (self.module, self.before, self.after) in EQUIVALENT

    def __str__(self):
        return f"{self.module}:{self.line}: {self.before}  ->  {self.after}"


def changed(node):
    """Each way to get one node wrong, as a new node; None takes a statement away."""
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in SWAPS:
        yield _with(node, op=SWAPS[type(node.op)]())
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        yield _with(node, ops=[SWAPS[type(node.ops[0])](), *node.ops[1:]])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
        yield node.operand
    if isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
        wrong = (not node.value) if isinstance(node.value, bool) else node.value + 1
        yield _with(node, value=wrong)
    if isinstance(node, ast.IfExp | ast.If):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.Attribute) and node.attr == "mT":
        yield node.value
    if isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords:
        yield _with(node, args=node.args[::-1])
    if isinstance(node, ast.AugAssign | ast.Raise):
        yield ast.Pass()
    if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant | ast.Yield):
        yield ast.Pass()


def _with(node, **fields):
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def is_prose(node, parents):
    """Docstrings, texts of errors, annotations: a mistake there is no mistake of mathematics."""
    while node in parents:
        parent = parents[node]
        if isinstance(parent, ast.JoinedStr | ast.Raise) and not isinstance(node, ast.stmt):
            return True
        if isinstance(parent, ast.arg | ast.AnnAssign):
            return True
        node = parent
    return False


def mutants_of(module):
    """Every mistake of this kind in one module."""
    text = (PACKAGE / module).read_text(encoding="utf-8")
    lines = text.splitlines()
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    for index, node in enumerate(nodes):
        if not hasattr(node, "lineno") or is_prose(node, parents):
            continue
        for number, _ in enumerate(changed(node)):
            whole = ast.parse(text)
            target = list(ast.walk(whole))[index]
            wrong = list(changed(target))[number]
            source = ast.unparse(ast.fix_missing_locations(_Put(target, wrong).visit(whole)))
            after = ast.unparse(wrong) or "pass"
            yield Mutant(module, node.lineno, lines[node.lineno - 1].strip(), after, source)


class _Put(ast.NodeTransformer):
    """Puts another node in the place of one."""

    def __init__(self, target, wrong):
        self.target, self.wrong = target, wrong

    def visit(self, node):
        return self.wrong if node is self.target else super().visit(node)


def tests_for(module):
    """The tests in which a mistake in this module must show, and the module's own examples."""
    names = TESTS.get(module.split("/")[0].removesuffix(".py"), CORE)
    return [f"attention_core/{module}", *(f"tests/test_{name}.py" for name in names)]


def is_noticed(mutant, folder):
    """Whether a test turns red in a copy of the project that holds the mistake."""
    path = folder / "attention_core" / mutant.module
    right = path.read_text(encoding="utf-8")
    path.write_text(mutant.source, encoding="utf-8")
    environment = os.environ | {
        "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "CI": "true",
        "OPENBLAS_NUM_THREADS": "1",
    }  # fmt: skip
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider"]
    command += ["-k", "not planted_mistakes"]  # these plant their own, and look for the text
    try:
        done = subprocess.run(
            [*command, *tests_for(mutant.module)], cwd=folder, env=environment,
            capture_output=True, timeout=SECONDS,
        )  # fmt: skip
        return done.returncode != 0
    except subprocess.TimeoutExpired:
        return True  # a loop without an end is noticed, too
    finally:
        path.write_text(right, encoding="utf-8")


def unbroken(module):
    """The module as the syntax tree says it: without a mistake, so that no test may turn red."""
    text = (PACKAGE / module).read_text(encoding="utf-8")
    return Mutant(module, 0, "", "", ast.unparse(ast.parse(text)))


def sample(module, every):
    """All mistakes of a module, or the same few each time."""
    found = list(mutants_of(module))
    return found if every else random.Random(module).sample(found, min(EACH, len(found)))


def survivors(modules, every=False, workers=2, say=print):
    """Try the mistakes; how many there were, and those that no test noticed."""
    mutants = [mutant for module in modules for mutant in sample(module, every)]
    with tempfile.TemporaryDirectory() as temporary:
        folders = [copied_project(Path(temporary) / str(number)) for number in range(workers)]
        for module in {tuple(tests_for(name)[1:]): name for name in modules}.values():
            assert not is_noticed(unbroken(module), folders[0]), f"{module}: red without a mistake"

        def work(number):
            left = []
            for mutant in mutants[number::workers]:
                if not is_noticed(mutant, folders[number]):
                    left.append(mutant)
                    if not mutant.is_equivalent:
                        say(mutant, flush=True)
            return left

        with ThreadPoolExecutor(workers) as pool:
            left = [mutant for part in pool.map(work, range(workers)) for mutant in part]
    return len(mutants), left


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    modules = [
        module for module in MODULES
        if not asked.modules or module in asked.modules
    ]  # fmt: skip
    tried, left = survivors(modules, asked.all, asked.workers)
    equivalent = sum(mutant.is_equivalent for mutant in left)
    print(f"{tried} mistakes, {tried - len(left)} noticed, {equivalent} equivalent")
    return 1 if len(left) > equivalent else 0


if __name__ == "__main__":
    sys.exit(main())
