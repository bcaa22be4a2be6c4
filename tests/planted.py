"""Copies of one module with a planted mistake, for tests that must be seen red."""

import inspect
import types


def planted(module, old, new, **replaced):
    """Run the source of `module` again with one text replaced, beside the real module.

    Keyword arguments replace names that the copy imported, for mistakes planted further down.
    """
    source = inspect.getsource(module)
    assert old in source, f"{module.__name__} no longer says {old!r}: mend the mutant"
    copy = types.ModuleType(module.__name__ + "_planted")
    exec(compile(source.replace(old, new), module.__file__, "exec"), copy.__dict__)
    vars(copy).update(replaced)
    return copy
