"""Every question of the course: complete, in both languages, told by nothing, evenly spread."""

import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from attention_core.exercises.checking.lessons import all_questions
from attention_core.exercises.checking.sentences import as_written
from attention_core.exercises.predictions.prediction import Prediction
from attention_core.exercises.results.memory import forget
from attention_core.language import Words, use_language

QUESTIONS = all_questions()
LANGUAGES = ("en", "zh")
each_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(autouse=True)
def fresh_memory():
    """Every test starts like a restarted kernel."""
    forget()
    yield
    forget()
    use_language("en")


def complaints_of(rule):
    """All questions that break a rule, in one list."""
    return [f"{one.key}: {found}" for one in QUESTIONS for found in rule(one)]


# --- every question of the course -----------------------------------------------------------


def test_a_question_is_complete():
    """At least three options, all different, none more than four; clean words; a key in order."""

    def rule(one):
        if not re.fullmatch(r"\d\d\.\d+", one.key):
            yield "no such key"
        if not 3 <= len(one.options) <= 4:
            yield f"{len(one.options)} options"
        for language in LANGUAGES:
            options = [getattr(option, language) for option in one.options]
            if len(set(options)) < len(options):
                yield f"two options are the same: {options}"

    assert complaints_of(rule) == []


def test_questions_are_numbered_one_by_one():
    keys = [one.key for one in QUESTIONS]
    count = Counter(one.lesson for one in QUESTIONS)
    wanted = [f"{lesson}.{n}" for lesson in sorted(count) for n in range(1, count[lesson] + 1)]
    assert keys == wanted


def test_both_languages_speak_for_themselves():
    def rule(one):
        replies = [reply for reply in one.replies if reply is not None]
        for words in (one.text, one.why, *replies):
            if not re.search("[\u4e00-\u9fff]", words.zh):
                yield f"not Chinese: {words.zh}"
        for words in (one.text, one.why, *replies, *one.options):
            if re.search("[\u3000-\u9fff\uff00-\uffef]", words.en):
                yield f"not English: {words.en}"

    assert complaints_of(rule) == []


def test_each_wrong_option_has_a_reply_of_its_own():
    def rule(one):
        for index, reply in enumerate(one.replies):
            if (reply is None) != (index == one.answer):
                yield f"option {index}: a reply for each wrong option and for no other"
        for language in LANGUAGES:
            said = [getattr(reply, language) for reply in one.replies if reply is not None]
            if len(set(said)) < len(said):
                yield f"two replies are the same: {said}"

    assert complaints_of(rule) == []


def test_a_reply_does_not_give_the_answer_away():
    """Before the second try neither the right option nor the reason is spelled out."""

    def rule(one):
        for language in LANGUAGES:
            right = getattr(one.options[one.answer], language).strip(".。")
            why = getattr(one.why, language)
            sentences = [part for part in re.split(r"(?<=[.。！!?？])\s*", why) if len(part) > 8]
            for reply in filter(None, one.replies):
                text = getattr(reply, language)
                if re.search(rf"(?<!\w){re.escape(right)}(?!\w)", text):
                    yield f"the right option stands in a reply: {text}"
                if any(sentence in text for sentence in sentences):
                    yield f"a reply repeats the reason: {text}"

    assert complaints_of(rule) == []


def test_right_answers_are_spread_evenly():
    """Over A to D in every lesson of four and more, and over the course."""
    lessons = {}
    for one in QUESTIONS:
        lessons.setdefault(one.lesson, []).append(one.answer)
    uneven = []
    for lesson, answers in lessons.items():
        found = Counter(answers)
        if len(answers) >= 4 and max(found.values()) > -(-len(answers) // 4) + (len(answers) > 4):
            uneven.append(f"{lesson}: {answers}")
        if len(answers) >= 4 and len(found) < 3:
            uneven.append(f"{lesson}: {answers}")
    whole = Counter(one.answer for one in QUESTIONS)
    assert uneven == []
    assert set(whole) == {0, 1, 2, 3}
    assert max(whole.values()) - min(whole.values()) <= len(QUESTIONS) // 20, whole


def test_the_right_option_is_not_told_by_its_length():
    """Who always takes the longest option must not be right much more often than by chance."""
    longest = sum(
        len(one.options[one.answer].en) == max(len(option.en) for option in one.options)
        for one in QUESTIONS
    )
    assert longest <= len(QUESTIONS) * 0.4, longest


# --- what the page shows of it ---------------------------------------------------------------


def sent(view):
    """Everything that goes to the browser, and everything that is stored in the notebook."""
    bundle, _ = view._repr_mimebundle_()
    return json.dumps([view.get_state(), bundle], default=str, ensure_ascii=False)


def comparable(view):
    return {key: value for key, value in view.get_state().items() if key != "layout"}


@each_language
def test_nothing_is_revealed_before_an_answer(language):
    """The state is the same whichever option is right: nothing in it can depend on the answer."""
    use_language(language)

    def rule(one):
        view = Prediction(one)
        if (view.state, view.verdict, view.choice, view.lifted) != ("open", "", -1, False):
            yield "not open"
        if any(as_written(told) in sent(view) for told in (one.why, *filter(None, one.replies))):
            yield "a reply or the reason is in the page"
        other = replace(
            one,
            answer=(one.answer + 1) % len(one.options),
            why=Words("-", "-"),
            replies=tuple(Words("-", "-") for _ in one.options),
        )
        if comparable(Prediction(other)) != comparable(view):
            yield "the state depends on the answer"

    assert complaints_of(rule) == []


@each_language
def test_every_option_gets_its_verdict(language):
    """A first wrong answer gets its reply without the reason; the second try brings the reason."""
    use_language(language)

    def rule(one):
        why = as_written(one.why)
        for choice in range(len(one.options)):
            forget()
            view = Prediction(one)
            view.choice = choice
            right = choice == one.answer
            if view.state != ("right" if right else "wrong"):
                yield f"option {choice}: {view.state}"
            if (why in view.verdict) != right:
                yield f"option {choice}, first try: the reason comes with the right answer only"
            if not right and as_written(one.replies[choice]) not in view.verdict:
                yield f"option {choice}: without its reply"
            again = next(i for i in range(len(one.options)) if i not in (choice, one.answer))
            view.choice = again
            if why not in view.verdict or view.state != "wrong":
                yield f"option {choice}, then {again}: the second try brings the reason"
            if re.search(r"\{[a-z_]+\}|  ", view.verdict):
                yield f"option {choice}: {view.verdict}"

    assert complaints_of(rule) == []


@each_language
def test_prediction_can_be_read_without_a_kernel(language):
    """Beside the widget: text and HTML with letters, the same each time."""
    use_language(language)

    def rule(one):
        (bundle, _), (again, _) = (Prediction(one)._repr_mimebundle_() for _ in range(2))
        if "application/vnd.jupyter.widget-view+json" not in bundle:
            yield "no widget"
        for kind in ("text/plain", "text/html"):
            if bundle[kind] != again[kind]:
                yield f"{kind} changes"
        for index, option in enumerate(one.options):
            letter = "ABCD"[index]
            if f"\n  {letter}  {as_written(option)}\n" not in bundle["text/plain"]:
                yield f"{letter} is not in the text"
            if f"<b>{letter}</b>" not in bundle["text/html"]:
                yield f"{letter} is not in the HTML"

    assert complaints_of(rule) == []
