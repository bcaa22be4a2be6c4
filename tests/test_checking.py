"""The engine of the exercises on a toy exercise, with expectations written out by hand."""

import builtins
import sys
import time
import warnings
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from attention_core.exercises import check, hint, solution
from attention_core.exercises.checking import commands, lessons
from attention_core.exercises.checking.compare import Rule, altered, same
from attention_core.exercises.checking.diagnose import CORRECT, NOT_STARTED, NOT_YET, diagnose
from attention_core.exercises.checking.difference import difference
from attention_core.exercises.checking.exercise import Exercise
from attention_core.exercises.checking.show import fold, show, show_pair
from attention_core.exercises.checking.time_limit import TimeLimit, TooSlow
from attention_core.language import use_language
from tests.hearing import TOY, double, heard, squeezed, toy_value, with_mistakes


@pytest.fixture
def toy(monkeypatch):
    """The toy exercise is one of the course."""
    find = lessons.find_exercise
    monkeypatch.setattr(commands, "find_exercise", lambda name: find(name) or TOY_BY_NAME.get(name))


TOY_BY_NAME = {"double": TOY}


def test_check_says_what_stands_here(toy):
    """The whole message, word for word, in both languages."""
    assert heard(check, "double", lambda x: x + 2) == (
        "✗ double: not yet.\n"
        "  First difference at [0, 0]: expected 2, got 3.\n"
        "  Smallest input that fails:\n"
        "    x = [[ 1, -2]]\n"
        "  Expected:\n"
        "    [[ 2, -4]]\n"
        "  Got:\n"
        "    [[3, 0]]\n"
        "  Likely cause: added\n"
        '  hint("double") helps one step further.\n'
    )
    use_language("zh")
    assert heard(check, "double", lambda x: x + 2) == (
        "✗ double：还不对。\n"
        "  第一个不同之处在 [0, 0]：应为 2，得到 3。\n"
        "  出错的最小输入：\n"
        "    x = [[ 1, -2]]\n"
        "  应为：\n"
        "    [[ 2, -4]]\n"
        "  得到：\n"
        "    [[3, 0]]\n"
        "  可能的原因：加了\n"
        '  hint("double") 会给出下一步提示。\n'
    )


FAULTS = [
    (lambda: 1, "It is called with 1 argument: x."),
    (lambda x, y: 1, "It is called with 1 argument: x."),
    (np.ones(3), "Hand over the function itself"),
    (lambda x: None, "is a `return` missing?"),
    (lambda x: "2", "Wrong type: expected ndarray, got str."),
    (lambda x: (i for i in x), "Wrong type: expected ndarray, got generator."),
    (lambda x: x > 0, "Wrong type: expected numbers, got True and False."),
    (lambda x: x.sum(), "Wrong shape: expected (1, 2), got ()."),
    (lambda x: (x * 2)[..., None], "Wrong shape: expected (1, 2), got (1, 2, 1)."),
    (lambda x: x * [[2, np.nan]], "There is a NaN at [0, 1], where a number belongs."),
    (lambda x: 1 / 0, "It raised ZeroDivisionError: division by zero"),
    (lambda x: sys.exit(), "It raised SystemExit."),
    (lambda x: x.__imul__(2), "It changes its input `x`."),
    (lambda x: ... if len(x) > 1 else x * 2, "There is still a `...` in the answer."),
    (lambda x: x * 2 + 1e-5, "expected 2, got 2.00001."),
    (lambda x: [[2, "four"]], "At [0, 1] stands 'four', of type str, where a number"),
    (lambda x: [[2, -4], [1]], "The lists inside do not have the same length everywhere."),
]


def test_every_fault_has_its_sentence():
    complaints = []
    for answer, part in FAULTS:
        verdict = diagnose(TOY, answer)
        if verdict.state != NOT_YET or part not in "\n".join(verdict.lines):
            complaints.append(f"{part}: {verdict}")
    assert complaints == []


def test_a_list_where_one_number_is_asked_for():
    said = difference(7, [7])
    assert said == "One single number is asked for; the answer has the shape (1,)."


def test_the_failing_line_is_shown():
    """The last line of the answer's own file, also where another function called it."""

    def inner(x):
        return x @ x  # the failing line

    lines = diagnose(TOY, lambda x: np.asarray(inner(x))).lines
    number_of_line = inner.__code__.co_firstlineno + 1
    assert lines[1] == f"In line {number_of_line}: return x @ x  # the failing line"


def test_what_is_printed_is_shown_for_the_first_failing_case_only():
    """Not more than a few lines, and nothing of stderr."""

    def talking(x):
        print(f"seen {x.shape}")
        print("noise", file=sys.stderr)
        return x * 2 if len(x) == 1 else x * 3

    lines = diagnose(TOY, talking).lines
    place = lines.index("It printed:")
    assert lines[place + 1 :] == ("  seen (2, 3)",)
    many = diagnose(TOY, lambda x: [print(i) for i in range(10**4)]).lines
    assert many[-2:] == ("  7", "  ...")


# --- likely causes ----------------------------------------------------------------------------


def named(exercise, answer):
    """The likely cause that is named, or None."""
    causes = [
        line for line in diagnose(exercise, answer).lines if line.startswith("Likely cause: ")
    ]
    return causes[0].removeprefix("Likely cause: ") if causes else None


def test_a_cause_is_named_only_when_it_holds_on_all_cases():
    """Wrong as a known mistake in one case, right or otherwise wrong in another: no cause."""
    assert named(TOY, lambda x: x**2) == "squared"
    assert named(TOY, lambda x: x * 2 if len(x) == 1 else x**2) is None
    assert named(TOY, lambda x: x + 2 if len(x) == 1 else x**2) is None
    assert named(TOY, lambda x: x * 3) is None


def test_of_two_causes_that_explain_alike_the_first_is_named():
    def added(x):
        return x + 2

    exercise = with_mistakes(TOY, elsewhere=lambda x: x, wholly=added, again=added)
    assert named(exercise, added) == "wholly"


def test_an_error_counts_as_a_known_mistake_only_with_the_same_text():
    exercise = with_mistakes(TOY, matmul=lambda x: x @ x)
    assert named(exercise, lambda x: int("x")) is None
    square = replace(exercise, cases=lambda: list(TOY.cases())[:1])
    assert named(square, lambda x: np.matmul(x, x)) == "matmul"


def test_a_dictionary_s_cause_explains_every_wrong_entry():
    """And of several that do, the narrowest; the wrong entry and an unknown word are named."""
    right = {"W_Q": "parameter", "W_K": "parameter", "Q": "activation", "K": "activation"}
    qk = {"Q": "parameter", "K": "parameter"}
    exercise = toy_value(right, both=qk, q={"Q": "parameter"}, w={"W_Q": "activation"})
    assert diagnose(exercise, dict(right)).state == CORRECT
    assert diagnose(exercise, dict.fromkeys(right, ...)).state == NOT_STARTED
    assert diagnose(exercise, {**right, "K": ...}).lines == ("Still missing: 'K'.",)
    missing = diagnose(exercise, {"W_Q": "parameter", "W_K": "parameter"}).lines
    assert missing == ("Still missing: 'Q', 'K'.",)
    assert diagnose(exercise, {**right, "V": 1}).lines == ("Not asked for: 'V'.",)
    assert diagnose(exercise, {**right, **qk}).lines == (
        "2 of 4 are right. In 'Q': 'parameter' is not right.",
        "Likely cause: both",
    )
    assert named(exercise, {**right, "Q": "parameter"}) == "q"
    assert named(exercise, {**right, "K": "parameter"}) == "both"
    assert named(exercise, {**right, **qk, "W_Q": "activation"}) is None
    assert diagnose(exercise, {**right, "K": "an activation"}).lines == (
        "In 'K': 'an activation' is not one of 'activation', 'parameter'.",
    )


def test_a_notebook_variable_is_a_cause_only_where_it_stands_for_a_parameter():
    """An unread parameter, or the variable bears a parameter's name or a size's."""

    def answer(code, **outside):
        namespace = dict(outside)
        exec(code, namespace)
        return namespace["f"]

    ones = np.ones((1, 2))
    assert "reads `A`" in named(TOY, answer("def f(x): return A * 3", A=ones))
    assert "reads `X`" in named(TOY, answer("def f(x): return X + x", X=ones))
    assert "reads `d_k`" in named(TOY, answer("def f(x): return [i * d_k for i in x]", d_k=7))
    assert named(TOY, answer("def f(x): return x * TWICE", TWICE=3)) is None
    assert named(TOY, answer("def f(x): return g(x)", g=lambda x: x * 3)) is None
    assert named(TOY, answer("def f(y): return y * 3")) is None


# --- what counts as equal ---------------------------------------------------------------------


RIGHT_ANSWERS = [
    ((3, 2), [3, 2], Rule()),
    (np.array([[2.0, 4.0]]), [(2, 4)], Rule()),
    (np.array([0.125, 0.5]), [Fraction(1, 8), Decimal("0.5")], Rule()),
    (5, Fraction(10, 2), Rule()),
    (np.array([5, 7]), [5.0, 7.0], Rule()),
    (True, 1, Rule()),
    ([True, False], [1, 0.0], Rule()),
    ("parameter", " Parameters", Rule()),
    ("query", "Queries", Rule()),
    ({"w_q": "x", "k": 1}, {"W_Q": "X", "K": 1.0}, Rule()),
    (2**62, float(2**62), Rule()),
    (0.0, 1e-9, Rule()),
    (0.0, -0.0, Rule(exact_zeros=True)),
    (np.array([0.5, np.nan]), [0.5, np.nan], Rule()),
]
WRONG_ANSWERS = [
    (np.zeros((2, 3)), np.zeros((3, 2)), Rule()),
    (np.zeros(2), np.array([0, 1e-3]), Rule()),
    (np.array([1, 0]), np.array([True, False]), Rule()),
    (np.array([True, False]), np.array([1, 0]), Rule(is_mask=True)),
    (np.array([True, False]), np.array([1, 0.5]), Rule()),
    (np.array([-np.inf, 0]), np.array([np.inf, 0]), Rule()),
    (np.array([-np.inf, 0]), np.array([-1e9, 0]), Rule()),
    (1.0, np.array([1.0]), Rule()),
    (1.0, 1 + 1j, Rule()),
    ("a", 1, Rule()),
    ("no_scale", "no scale", Rule()),
    ((1, "a"), (1, "b"), Rule()),
    ((1, "a"), (1,), Rule()),
    ({"a": 1}, {"a": 2}, Rule()),
    ({"a": 1}, {"a": 1, "A": 2}, Rule()),
    ({"a": 1}, [("a", 1)], Rule()),
    ((np.ones(2), np.ones(3)), (np.ones(2), np.zeros(3)), Rule()),
    (262144, 262145, Rule()),
    (262144, 262144.01, Rule()),
    (2**62, 2**62 + 1, Rule()),
    (7, 10**400, Rule()),
    (np.array([0.0, 1.0]), np.array([1e-22, 1.0]), Rule(exact_zeros=True)),
]


def test_values_that_are_the_same_and_values_that_differ():
    """`same` and `difference` agree, and neither takes a thing for different from itself."""
    refused = [(a, b) for a, b, rule in RIGHT_ANSWERS if not same(a, b, rule)]
    refused += [(a, b) for a, b, rule in RIGHT_ANSWERS if difference(a, b, rule)]
    accepted = [(a, b) for a, b, rule in WRONG_ANSWERS if same(a, b, rule)]
    accepted += [(a, b) for a, b, rule in WRONG_ANSWERS if not difference(a, b, rule)]
    with_itself = [a for a, _, rule in WRONG_ANSWERS if difference(a, a, rule)]
    assert (refused, accepted, with_itself) == ([], [], [])


def test_lists_of_the_right_numbers_are_right():
    assert diagnose(TOY, lambda x: (x * 2).tolist()).state == CORRECT
    assert diagnose(TOY, lambda x: (x * 2).astype(np.float32)).state == CORRECT


def test_a_text_that_allows_more_than_one_answer():
    """Any shift is right here; what cannot be shifted is wrong, not an error."""
    exercise = replace(
        toy_value(np.array([0, 1]), no=np.array([1, 0])),
        also_right=lambda row: np.isclose(row[1] - row[0], 1),
    )
    assert diagnose(exercise, [5, 6]).state == CORRECT
    assert diagnose(exercise, [5, 7]).state == NOT_YET
    assert diagnose(exercise, "row").state == NOT_YET
    assert named(exercise, [1, 0]) == "no"


def test_a_value_is_judged_without_giving_it_away():
    """Where a value is asked for, the right one never stands in the message."""
    exercise = toy_value((3, 2), swapped=(2, 3))
    assert diagnose(exercise, (3, 2)).state == CORRECT
    assert diagnose(exercise, lambda: (3, 2)).state == CORRECT
    assert diagnose(exercise, (..., ...)).state == NOT_STARTED
    assert diagnose(exercise, (2, 3)).lines == ("At [0], 2 is not right.", "Likely cause: swapped")
    assert diagnose(exercise, (3, 2, 1)).lines == ("Expected 2 things, got 3.",)
    assert diagnose(exercise, len).lines == ("The answer here is a value, not a function.",)
    assert diagnose(toy_value(0.25), 0.5).lines == ("0.5 is not right.",)
    assert diagnose(toy_value("row"), "column").lines == ("'column' is not right.",)


def test_tolerance_is_for_numbers_typed_by_hand():
    assert diagnose(toy_value(1 / 3, tolerance=0.01), 0.33).state == CORRECT
    assert diagnose(toy_value(1 / 3), 0.33).state == NOT_YET


def test_results_of_several_parts():
    def both(x):
        return x, x + 1

    exercise = Exercise(both, lambda: [(np.array([1.0, 2.0]),)])
    assert diagnose(exercise, lambda x: [x, x + 1]).state == CORRECT
    assert diagnose(exercise, lambda x: x).state == NOT_YET
    lines = diagnose(exercise, lambda x: (x, x)).lines
    assert lines[0].startswith("In part 2 of the answer: First difference at [0]: expected 2")
    assert diagnose(exercise, lambda x: (x, x, x)).lines[0] == "Expected 2 things, got 3."


def test_altered_looks_into_containers():
    before = ({"a": np.zeros(2)}, [np.ones(2)], None, object())
    assert not altered(before, before)
    assert altered(before, ({"a": np.ones(2)}, *before[1:]))


# --- the commands -----------------------------------------------------------------------------


def test_whatever_a_command_is_called_with_one_sentence_answers(toy):
    name_first = 'Name the exercise, in quotes: check("double", double)\n'
    assert heard(check, double) == name_first
    assert heard(check, double, "double") == name_first
    usual = name_first.replace("double", "softmax_rows")
    for arguments in ((), (None,), (3,), (lambda x: x, 1), ({}, {}, {})):
        assert heard(check, *arguments) == usual
    assert heard(check, "double") == 'The answer is missing: check("double", double)\n'
    assert heard(check, "double", 1, 2) == 'One name and one answer: check("double", double)\n'
    assert heard(hint) == 'Name the exercise, in quotes: hint("softmax_rows")\n'
    assert heard(solution, double) == 'Name the exercise, in quotes: solution("double")\n'
    close = "There is no exercise called 'mix_value'. Did you mean 'mix_values'?\n"
    assert heard(check, "mix_value", 1) == close
    for command in (hint, solution, check):
        said = heard(command, "{x}")
        assert (
            said
            == "There is no exercise called '{x}'; progress(\"07\") lists those of lesson 07.\n"
        )
    assert heard(check, " double ", double) == "✓ double: correct.\n"


def test_an_interruption_is_one_line(toy):
    def stopped(x):
        raise KeyboardInterrupt

    assert heard(check, "double", stopped) == "Interrupted: double was not checked to the end.\n"


def test_learners_prints_and_warnings_are_dropped_when_all_is_right(toy):
    def noisy(x):
        builtins.print("noise")
        print("noise", file=sys.stderr)
        np.log(-x)
        warnings.warn("noise", stacklevel=1)
        return x * 2

    assert heard(check, "double", noisy) == "✓ double: correct.\n"


# --- the time limit ---------------------------------------------------------------------------


def test_a_block_in_time_runs_to_its_end_and_nothing_comes_after():
    with TimeLimit(60):
        total = sum(range(1000))
    assert total == 499500


def test_the_limit_leaves_nothing_behind():
    """Stopped again and again; what follows the block is never hit."""
    reached = 0
    for _ in range(50):
        with pytest.raises(TooSlow), TimeLimit(0.001):
            while True:
                reached += 1
        time.sleep(0)
        reached += sum(range(100)) * 0
    assert reached > 0


def test_without_threads_there_is_no_limit(monkeypatch):
    """In the browser: the block runs all the same."""

    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refuse)
    with TimeLimit(60):
        total = 1 + 1
    assert total == 2


# --- values and lines as text -----------------------------------------------------------------


SHOWN = [
    (np.array([[0.12345678, -1e-9]]), "[[0.1235,      0]]"),
    (np.array([True, False]), "[True, False]"),
    (np.array([-np.inf, np.nan, -0.0]), "[-inf, nan, 0]"),
    (np.array(1.50), "1.5"),
    (np.arange(8).reshape(2, 2, 2), "[[[0, 1],\n  [2, 3]],\n [[4, 5],\n  [6, 7]]]"),
    (np.zeros((0, 3)), "an array of shape (0, 3)"),
    ((2,), "(2,)"),
    ({"Q": 1.0}, "{'Q': 1}"),
    ("x" * 100, repr("x" * 57 + "...")),
    ((np.ones((2, 2)), 3), "([[1, 1],\n  [1, 1]],\n 3)"),
    (100000, "100000"),
    (1e300, "1e+300"),
    (0.0, "0"),
    (1 + 2j, "1+2j"),
    (Fraction(1, 8), "0.125"),
    (object(), "object"),
]


def test_values_as_text():
    assert [(show(value), text) for value, text in SHOWN if show(value) != text] == []


def test_lines_are_folded_between_words_in_both_languages():
    """No line too long, no word cut, no line that starts with a closing mark."""
    english = "Each column sums to 1, not each row. " * 5
    chinese = "现在是每一列的和为 1，而不是每一行（axis=-1）。" * 5
    for text in (english, chinese):
        lines = fold(text, "  ", 40).split("\n")
        assert squeezed(" ".join(lines)) == squeezed(text)
        assert all(line.startswith("  ") and len(line.encode("gbk")) <= 42 for line in lines)
        assert not any(line.strip()[0] in "，。）" for line in lines)
    assert fold(english, "  ", 40).split() == english.split()
    assert fold("a\n    code", "") == "a\n    code"


def test_numbers_show_enough_decimals_to_differ():
    assert show_pair(1.0, 1.0 + 1e-9) == ("1", "1.000000001")
    assert show_pair(0.0, 1e-22) == ("0", "1.00e-22")
