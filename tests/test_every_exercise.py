"""Every exercise of the course: solutions pass, mistakes are named, nothing escapes.

Each test goes through all exercises and collects its complaints.
"""

import ast
import re
import warnings
from copy import deepcopy
from importlib import import_module

import numpy as np

import attention_core
from attention_core.exercises import check, hint, solution
from attention_core.exercises.checking import diagnose as diagnosing
from attention_core.exercises.checking import lessons
from attention_core.exercises.checking.compare import Rule, same
from attention_core.exercises.checking.diagnose import CORRECT, NOT_YET, diagnose
from attention_core.exercises.checking.lessons import all_exercises, all_questions
from attention_core.exercises.checking.sentences import SENTENCES, as_written
from attention_core.language import use_language
from tests import answers
from tests.hearing import heard, heard_afresh, squeezed, unclean
from tests.loops import for_each
from tests.silly_answers import silly_answers

EXERCISES = all_exercises()
FUNCTIONS = [one for one in EXERCISES if not one.wants_value]
LANGUAGES = ("en", "zh")
HAN = "[\u4e00-\u9fff]"


def spoken():
    """Each exercise in each language, which is in use meanwhile."""
    for language in LANGUAGES:
        use_language(language)
        yield from EXERCISES
    use_language("en")


def test_names_are_unique_and_can_stand_in_code():
    """One name, one exercise, a Python name; for a function it is the function's own."""
    names = [one.name for one in EXERCISES] + [one.key for one in all_questions()]
    assert len(names) == len(set(names))
    assert [one.name for one in EXERCISES if not one.name.isidentifier()] == []
    others = [one.name for one in EXERCISES if one.solution.__name__ != one.name]
    assert others == []


def test_every_function_has_its_words_and_the_reverse():
    """One check for all lessons; every exercise names at least three mistakes."""
    assert lessons.complaints() == []
    assert [one.name for one in EXERCISES if len(one.mistakes) < 3] == []


def test_missing_and_left_over_words_are_named(monkeypatch):
    """Take a message, a hint, a language and a right option away: each is said."""
    table = deepcopy(lessons.tables("07"))
    mistakes = table["exercise"]["mix_values"]["mistakes"]
    mistakes["other"] = mistakes.pop("transposed")
    del table["exercise"]["safe_row"]["hints"][1:]
    del table["exercise"]["mixed_by_hand"]["hints"][0]["zh"]
    for option in table["question"][0]["options"]:
        option.pop("right", None)
    table["question"][1]["options"][0]["reply"] = {"en": "no"}
    del table["question"][2]["options"][0]["reply"]
    table["exercise"]["mix"] = table["exercise"].pop("softmax_rows")
    monkeypatch.setattr(lessons, "tables", lambda lesson: table)
    monkeypatch.setattr(lessons, "lesson_numbers", lambda: ["07"])
    said = "\n".join(lessons.complaints())
    for part in (
        "lesson_07.toml: mix_values: no message for 'transposed'",
        "mix_values: no mistake 'other'",
        "safe_row: at least two hints",
        "mixed_by_hand: en and zh, or text for both",
        "question 07.1: one option has right = true",
        "question 07.1: a reply for each wrong option, and only there",
        "question 07.2: en and zh, or text for both: {'en': 'no'}",
        "question 07.3: a reply for each wrong option, and only there",
        "softmax_rows: no words for this exercise",
        "mix: words without an exercise",
    ):
        assert part in said
    assert said.count("\n") == 9


def test_no_chinese_in_the_code_and_no_sentence_left_over():
    """Words stand in TOML files, and each sentence of the engine is said somewhere."""
    code = {path: path.read_text("utf-8") for path in lessons.FOLDER.rglob("*.py")}
    chinese = [path.name for path, text in code.items() if re.search(HAN, text)]
    assert chinese == []
    everything = "".join(code.values())
    assert [key for key in SENTENCES if f'"{key}"' not in everything] == []


def test_solution_is_accepted():
    complaints = []
    for exercise in spoken():
        if diagnose(exercise, exercise.solution) != (CORRECT, ()):
            complaints.append(exercise.name)
        text = heard(check, exercise.name, exercise.solution)
        if not text.startswith("✓") or text.count("\n") != 1 or unclean(text):
            complaints.append(text)
    assert complaints == []


def test_untouched_stub_is_not_started():
    complaints = []
    for exercise in spoken():
        stubs = [..., None]
        if not exercise.wants_value:
            stubs += [lambda *arguments: ..., lambda *arguments: (..., ...)]
        texts = {heard(check, exercise.name, stub) for stub in stubs}
        if len(texts) != 1 or not texts.pop().startswith("○"):
            complaints.append(exercise.name)
    assert complaints == []


def test_planted_mistake_is_named():
    """Each mistake is rejected with its own message, and with no other."""
    complaints = []
    for exercise in spoken():
        messages = {one.key: squeezed(as_written(one.message)) for one in exercise.known_mistakes}
        for key, wrong in exercise.mistakes.items():
            text = heard(check, exercise.name, exercise.planted(wrong))
            named = [one for one, message in messages.items() if message in squeezed(text)]
            if not text.startswith("✗") or named != [key] or unclean(text):
                complaints.append(f"{exercise.name}: {key} is taken for {named}")
    assert complaints == []


def test_answers_beside_the_known_mistakes_are_judged_rightly():
    """None accepted though wrong, none refused though right; causes hardly ever wrong."""
    assert [one for lesson in lessons.lesson_numbers() for one in answers.complaints(lesson)] == []


def test_there_are_enough_answers():
    """At least eight wrong ones and three right ones for each exercise."""
    assert [one for lesson in lessons.lesson_numbers() for one in answers.few(lesson)] == []


def test_every_text_is_there_in_both_languages():
    complaints = []
    for exercise in EXERCISES:
        texts = [*exercise.hints, *exercise.messages.values()]
        for words in texts:
            complaints += filter(None, map(unclean, words))
            if re.search(HAN, words.en):
                complaints.append(f"Chinese in the English of {exercise.name}: {words.en}")
            if re.search("[a-z]{3} [a-z]{2}", words.en) and not re.search(HAN, words.zh):
                complaints.append(f"no Chinese in {exercise.name}: {words.zh}")
        for one in (
            *zip(*exercise.messages.values(), strict=True),
            *zip(*exercise.hints, strict=True),
        ):
            if len(set(one)) < len(one):
                complaints.append(f"two texts of {exercise.name} are the same")
    assert complaints == []


def test_hints_go_step_by_step():
    """One more each time; the last is repeated and says so; none is the whole solution."""
    complaints = []
    for exercise in spoken():
        texts = [heard_afresh(hint, exercise.name)]
        texts += [heard(hint, exercise.name) for _ in exercise.hints]
        hinted = all(
            squeezed(as_written(words)) in squeezed(text)
            for words, text in zip(exercise.hints, texts, strict=False)
        )
        ends = [f'solution("{exercise.name}")' in text for text in texts]
        once_more = texts[-1] == texts[-2] != texts[-3] and ends[-1] and not ends[0]
        given_away = any(squeezed(exercise.source()) in squeezed(text) for text in texts)
        if not hinted or not once_more or given_away or any(map(unclean, texts)):
            complaints.append(exercise.name)
    assert complaints == []


def test_solution_is_short_and_the_same_code_in_both_languages():
    """No docstrings and no comments: they are words. A lesson's code cell has 15 lines."""
    complaints = []
    for exercise in EXERCISES:
        shown = heard(solution, exercise.name)
        use_language("zh")
        again = heard(solution, exercise.name)
        use_language("en")
        tree = ast.parse(shown)
        strings = [n for n in ast.walk(tree) if isinstance(n, ast.Expr) and _is_text(n.value)]
        if again != shown or strings or "#" in shown or len(shown.splitlines()) > 15:
            complaints.append(exercise.name)
    assert complaints == []


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_solution_shown_works_in_a_lesson():
    """What `solution` shows needs nothing but NumPy and the package's own names."""
    public = {name: getattr(attention_core, name) for name in attention_core.__all__}
    complaints = []
    for exercise in EXERCISES:
        namespace = {"np": np, **public}
        exec(exercise.source(), namespace)
        if diagnose(exercise, namespace[exercise.name]).state != CORRECT:
            complaints.append(exercise.name)
    assert complaints == []


def test_cases_are_fixed_and_grow():
    """The same cases each time, the smallest first, and not only square ones."""
    complaints = []
    for exercise in EXERCISES:
        cases = list(exercise.cases())
        if not same(tuple(cases), tuple(exercise.cases()), Rule(0)):
            complaints.append(f"{exercise.name}: other cases the second time")
        sizes = [sum(np.size(x) for x in inputs if isinstance(x, np.ndarray)) for inputs in cases]
        if sizes != sorted(sizes):
            complaints.append(f"{exercise.name}: sizes {sizes}")
        shapes = [x.shape[-2:] for one in cases for x in one if np.ndim(x) >= 2]
        if shapes and all(rows == columns for rows, columns in shapes):
            complaints.append(f"{exercise.name}: only square arrays")
    assert complaints == []


def test_solutions_give_numbers_on_their_own_cases():
    """Not even a row that may look nowhere makes a NaN."""
    complaints = []
    for exercise in FUNCTIONS:
        for inputs in exercise.cases():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = exercise.solution(*deepcopy(inputs))
            parts = result if isinstance(result, tuple) else (result,)
            if any(np.isnan(np.asarray(part, float)).any() for part in parts):
                complaints.append(f"{exercise.name}: NaN for {inputs}")
    assert complaints == []


@for_each("language", LANGUAGES)
def test_check_never_raises(language):
    """Whatever is handed in: one message, never an error, never a word on stderr."""
    use_language(language)
    complaints = []
    for exercise in EXERCISES if language == "en" else EXERCISES[::6]:
        for answer in silly_answers():
            text = heard(check, exercise.name, answer)
            shown = text.replace("{broken}", "").replace("{name}", "")
            first = text.splitlines()[0]
            if text[0] not in "○✗✓" or exercise.name not in first or len(text) > 4000:
                complaints.append(text)
            if "stderr" in text or unclean(shown):
                complaints.append(text)
    use_language("en")
    assert complaints == []


# --- causes that every exercise knows ---------------------------------------------------------


def written(exercise, body, **outside):
    """A function as a learner writes it; `{0}` stands for its first parameter, `{all}` for all."""
    names = [f"x{i}" for i in range(len(next(iter(exercise.cases()))))]
    everything = ", ".join(names)
    code = f"def answer({everything}):\n" + body.format(*names, all=everything)
    namespace = {"np": np, "solve": exercise.solution, **outside}
    exec(code, namespace)
    return namespace["answer"]


# Parameters that a solution may leave aside, because the answer does not depend on them.
IDLE = {("qkv_shapes", 1), ("score_shape", 2), ("score_shape", 3)}


def test_a_notebook_variable_in_place_of_the_parameter_is_named():
    """For each exercise and each parameter; a known mistake that does the same may be named too."""
    complaints = []
    for exercise in FUNCTIONS:
        first = next(iter(exercise.cases()))
        known = [squeezed(as_written(message)) for message in exercise.messages.values()]
        for place in range(len(first)):
            names = [f"{{{i}}}" for i in range(len(first))]
            names[place] = "outside"
            body = f"    return solve({', '.join(names)})\n"
            answer = written(exercise, body, outside=first[place])
            said = squeezed(heard(check, exercise.name, answer))
            named = "reads`outside`fromthenotebook" in said or any(one in said for one in known)
            if not named and (exercise.name, place) not in IDLE:
                complaints.append(f"{exercise.name}, parameter {place}: {said}")
    assert complaints == []


CATCHES_ALL = """\
    while True:
        try:
            for i in range(1000):
                pass
        except:
            pass
        for i in range(1000):
            pass
"""


def test_an_endless_loop_is_stopped(monkeypatch):
    """A plain Python loop, also one that catches what reaches its first half."""
    monkeypatch.setattr(diagnosing, "SECONDS", 0.05)
    complaints = []
    for index, exercise in enumerate(FUNCTIONS):
        for body in ("    while True:\n        pass\n", CATCHES_ALL)[: 2 if index < 5 else 1]:
            lines = diagnose(exercise, written(exercise, body)).lines
            if not lines[0].startswith("It was stopped after 0.05 seconds"):
                complaints.append(f"{exercise.name}: {lines}")
    assert complaints == []


def test_the_line_of_an_error_and_what_was_printed_are_shown():
    complaints = []
    for exercise in FUNCTIONS:
        body = "    print('seen')\n    x = 1\n    return undefined_thing\n"
        said = heard(check, exercise.name, written(exercise, body))
        for part in ("NameError", "In line 4.", "It printed:\n    seen\n"):
            if part not in said:
                complaints.append(f"{exercise.name}: {part} is not in {said}")
    assert complaints == []


BLOCKWISE = ("attention_core.blockwise.running", "attention_core.blockwise.costs")
PLACES = ("attention_core", "attention_core.gradients", *BLOCKWISE)


def course_function(name):
    """One of the course's own functions."""
    modules = [import_module(place) for place in PLACES]
    return next(getattr(module, name) for module in modules if hasattr(module, name))


def test_calling_the_course_s_own_function_is_said_and_still_judged():
    """In an answer that is right and in one that is wrong; not where something else is called."""
    complaints = []
    for exercise in FUNCTIONS:
        for name in exercise.stands_for:
            known = {name: course_function(name)}
            right = written(exercise, f"    {name}\n    return solve({{all}})\n", **known)
            wrong = written(exercise, f"    {name}\n    return 'no'\n", **known)
            for answer, state in ((right, CORRECT), (wrong, NOT_YET)):
                verdict = diagnose(exercise, answer)
                if verdict.state != state or f"It calls `{name}`" not in str(verdict):
                    complaints.append(f"{exercise.name}, {name}: {verdict}")
    assert complaints == []
