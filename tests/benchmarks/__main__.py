"""Print the tables of all parts, or of those that are named."""

import importlib
import sys

from tests.benchmarks.measure import machine

# part -> module with a function table() that yields lines of Markdown
PARTS = {
    "attention": "tests.benchmarks.speed",
    "heads": "tests.benchmarks.heads",
    "memory": "tests.benchmarks.memory",
    "model": "tests.benchmarks.model",
    "import": "tests.benchmarks.imports",
    "lessons": "tests.benchmarks.lessons",
    "screen": "tests.benchmarks.screen",
}


def main(names):
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.exit(f"benchmarks: there is no part {unknown[0]!r}; choose from {', '.join(PARTS)}")
    for line in machine():
        print(line)
    for name in names or PARTS:
        print(f"\n### {name}\n", flush=True)
        try:
            for line in importlib.import_module(PARTS[name]).table():
                print(line, flush=True)
        except ModuleNotFoundError as error:
            if error.name != "torch":
                raise
            print('torch is missing; only these tables need it: pip install -e ".[bench]"')


if __name__ == "__main__":
    main(sys.argv[1:])
