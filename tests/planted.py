"""Planted mistakes: copies of the code with one text replaced, which a check must turn red."""

import importlib
import importlib.abc
import importlib.util
import inspect
import itertools
import sys
import types
from typing import NamedTuple

PACKAGE = "attention_core"
_numbers = itertools.count()


class Mutant(NamedTuple):
    """One planted mistake and the check that must notice it."""

    name: str
    module: str  # below the package: "inputs.masks"
    old: str
    new: str
    noticed_by: str


def replaced(module, old, new):
    """The source of a module with one text replaced."""
    source = inspect.getsource(module)
    assert old in source, f"{module.__name__} no longer says {old!r}: mend the mutant"
    return source.replace(old, new)


def planted(module, old, new, **names):
    """A copy of one module with a mistake, beside the real one.

    Keyword arguments replace names that the copy imported, for mistakes planted further down.
    """
    copy = types.ModuleType(module.__name__ + "_planted")
    exec(compile(replaced(module, old, new), module.__file__, "exec"), copy.__dict__)
    vars(copy).update(names)
    return copy


class _Copy(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of a second package: those of the first, but for one text."""

    def __init__(self, name, changed, text):
        self.name, self.changed, self.text = name, changed, text

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] != self.name:
            return None
        original = importlib.util.find_spec(PACKAGE + name.removeprefix(self.name))
        is_package = original.submodule_search_locations is not None
        return importlib.util.spec_from_loader(name, self, is_package=is_package)

    def exec_module(self, module):
        real = importlib.import_module(PACKAGE + module.__name__.removeprefix(self.name))
        source = self.text if real is self.changed else inspect.getsource(real)
        code = compile(source.replace(PACKAGE, self.name), real.__file__, "exec")
        exec(code, module.__dict__)


def planted_package(module, old="", new=""):
    """A copy of the whole package, in which a mistake in one module is felt everywhere."""
    changed = importlib.import_module(f"{PACKAGE}.{module}")
    finder = _Copy(f"{PACKAGE}_copy_{next(_numbers)}", changed, replaced(changed, old, new))
    sys.meta_path.insert(0, finder)
    try:
        return importlib.import_module(finder.name)
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.split(".")[0] == finder.name]:
            del sys.modules[name]


# What a check may meet in a broken copy; a NaN warning is as good as a wrong number.
SLIPS = NameError, AttributeError, SyntaxError, ImportError


def unnoticed(mutants, checks, copy_with):
    """Complaints about mutants that their check lets pass, and checks that notice none."""
    complaints = []
    for mutant in mutants:
        copy = copy_with(mutant)
        try:
            checks[mutant.noticed_by](copy)
        except SLIPS as error:
            complaints.append(f"{mutant.name}: {mutant.noticed_by} stumbled over {error!r}")
        except BaseException as error:  # pytest.fail is none of the Exceptions
            if isinstance(error, KeyboardInterrupt):
                raise
        else:
            complaints.append(f"{mutant.name}: {mutant.noticed_by} noticed nothing")
    never_red = sorted(set(checks) - {mutant.noticed_by for mutant in mutants})
    return complaints + [f"{check} was never red" for check in never_red]
