"""The loop over many values fails as loudly as many tests would."""

import pytest

from attention_core.language import language, use_language
from tests.loops import for_each


@for_each("a, b", [(1, 1), (1, 2), pytest.param(3, 4, id="named"), (5, 5)])
def equal(a, b):
    assert a == b


@for_each("x", [0, 1])
@for_each("y", [1, 2])
def divides(x, y):
    use_language("zh")
    assert y / x > 0


def test_every_failure_is_told():
    with pytest.raises(BaseExceptionGroup, match="2 of 4 fail") as caught:
        equal()
    assert [error.__notes__ for error in caught.value.exceptions] == [
        ["with {'a': 1, 'b': 2}"],
        ["with {'a': 3, 'b': 4}"],
    ]


def test_loops_stand_in_each_other_and_leave_no_language_behind():
    with pytest.raises(BaseExceptionGroup, match="1 of 2 fail") as caught:
        divides()
    (inner,) = caught.value.exceptions
    assert {type(error) for error in inner.exceptions} == {ZeroDivisionError}
    assert len(inner.exceptions) == 2
    assert language() == "en"


def test_what_is_not_raised_is_told_too():
    @for_each("x", [1])
    def raises(x):
        with pytest.raises(ValueError):
            int(x)

    with pytest.raises(BaseExceptionGroup):
        raises()


def test_a_loop_over_nothing_is_refused():
    with pytest.raises(ValueError, match="nothing to try"):
        for_each("x", [])


@for_each("x", [1, 2])
def test_fixtures_are_handed_on(x, tmp_path):
    assert x and tmp_path.exists()
