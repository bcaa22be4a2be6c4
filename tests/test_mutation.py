"""The generator of small mistakes, and its list of those that are none."""

from tests.attacks.equivalent import EQUIVALENT
from tests.attacks.mutation import mutants_of
from tests.loops import for_each


@for_each("module, before, after", EQUIVALENT)
def test_what_is_called_equivalent_is_still_made(module, before, after):
    assert (before, after) in {(each.before, each.after) for each in mutants_of(module)}
