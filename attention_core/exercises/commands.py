"""What a learner calls in a lesson: check, hint, solution, progress, predict."""

from collections import Counter
from typing import Any

from attention_core.exercises.diagnose import (
    CORRECT,
    NOT_STARTED,
    NOT_YET,
    Verdict,
    diagnose,
)
from attention_core.exercises.framework import (
    Exercise,
    Question,
    all_exercises,
    as_written,
    close_names,
    find_exercise,
    find_question,
    lesson_numbers,
    of_lesson,
)
from attention_core.exercises.show import fold, type_name
from attention_core.exercises.trial import quiet
from attention_core.language import Words, say

__all__ = ["check", "forget", "hint", "predict", "progress", "solution"]

RIGHT, WRONG, OPEN = "right", "wrong", "open"

_NOT_STARTED = Words(
    "○ {name}: not started. Replace the ... and check again.",
    "○ {name}：还没开始。把 ... 换成你的答案，再检查一次。",
)
_NOT_YET = Words("✗ {name}: not yet.", "✗ {name}：还不对。")
_CORRECT = Words("✓ {name}: correct.", "✓ {name}：正确。")
_UNREADABLE = Words(
    "The answer, of type {kind}, cannot be compared with the solution.",
    "答案的类型是 {kind}，无法与参考解比较。",
)
_MORE = Words('hint("{name}") helps one step further.', 'hint("{name}") 会给出下一步提示。')
_NAME_FIRST = Words(
    'The name of the exercise comes first, in quotes: check("softmax_rows", softmax_rows)',
    '先写练习的名字，并加引号：check("softmax_rows", softmax_rows)',
)
_UNKNOWN = Words("There is no exercise called {name!r}.", "没有名为 {name!r} 的练习。")
_CLOSE = Words("Did you mean {name!r}?", "是不是想写 {name!r}？")
_LESSON_NAMES = Words("Lesson {lesson}: {names}", "第 {lesson} 课：{names}")
_UNKNOWN_QUESTION = Words(
    "There is no prediction called {key!r}. There are: {keys}",
    "没有编号为 {key!r} 的预测题。现有：{keys}",
)
_HINT = Words("Hint {step} of {total}: {text}", "提示 {step} / {total}：{text}")
_LAST_HINT = Words(
    'That was the last hint. solution("{name}") shows one way to do it.',
    '这是最后一条提示。solution("{name}") 会给出一种写法。',
)
_PROGRESS = Words(
    "Lesson {lesson}: {done} of {exercises} exercises correct, "
    "{right} of {questions} predictions right.",
    "第 {lesson} 课：练习 {exercises} 题，做对 {done} 题；预测 {questions} 题，答对 {right} 题。",
)
_NO_LESSON = Words(
    "Lesson {lesson} has no exercises. These have some: {lessons}",
    "第 {lesson} 课没有练习。有练习的课：{lessons}",
)
_STATES = {
    NOT_STARTED: Words("○ not started", "○ 还没开始"),
    NOT_YET: Words("✗ not yet", "✗ 还不对"),
    CORRECT: Words("✓ correct", "✓ 正确"),
    OPEN: Words("○ not answered", "○ 还没回答"),
    WRONG: Words("✗ not right yet", "✗ 还没答对"),
    RIGHT: Words("✓ right", "✓ 答对了"),
}

# What this kernel remembers: the last state of each exercise and prediction, the hints given.
_states: dict[str, str] = {}
_hints_given: Counter[str] = Counter()


def forget() -> None:
    """Start afresh, as a restarted kernel does."""
    _states.clear()
    _hints_given.clear()


def remember(key: str, state: str) -> None:
    """Keep the state of an exercise or a prediction for `progress`."""
    _states[key] = state


def check(name: str, answer: Any) -> None:
    """Try an answer on growing inputs and say: not started, not yet (and why), or correct.

    Never raises, so that running all cells always reaches the end.

    Parameters
    ----------
    name : str
        The name of the exercise, as it stands in the lesson.
    answer : callable or value
        The function itself, not a call of it; or a value, where a value is asked for.

    Examples
    --------
    >>> check("softmax_rows", ...)
    ○ softmax_rows: not started. Replace the ... and check again.
    """
    exercise = _known(name)
    if exercise is None:
        return
    verdict = _verdict(exercise, answer)
    remember(name, verdict.state)
    lines = {NOT_STARTED: _NOT_STARTED, NOT_YET: _NOT_YET, CORRECT: _CORRECT}
    text = [fold(say(lines[verdict.state], name=name))]
    for line in verdict.lines:  # sentences are folded, values stay as they are
        text.append("  " + line if line.startswith(" ") else fold(line, "  "))
    if verdict.state == NOT_YET:
        text.append("  " + say(_MORE, name=name))
    print("\n".join(text))


def _verdict(exercise: Exercise, answer: Any) -> Verdict:
    try:
        with quiet():
            return diagnose(exercise, answer)
    except Exception:  # an answer so odd that it cannot even be looked at
        return Verdict(NOT_YET, (say(_UNREADABLE, kind=type_name(answer)),))


def hint(name: str) -> None:
    """Help one step further, each time it is called; the last step is repeated.

    Parameters
    ----------
    name : str
        The name of the exercise.
    """
    exercise = _known(name)
    if exercise is None:
        return
    total = len(exercise.hints)
    step = min(_hints_given[name] + 1, total)
    _hints_given[name] = step
    lines = [say(_HINT, step=step, total=total, text=as_written(exercise.hints[step - 1]))]
    if step == total:
        lines.append(say(_LAST_HINT, name=name))
    print("\n".join(map(fold, lines)))


def solution(name: str) -> None:
    """Show one way to do it: the very code that answers are compared with.

    Parameters
    ----------
    name : str
        The name of the exercise.
    """
    exercise = _known(name)
    if exercise is not None:
        print(exercise.source())


def progress(lesson: str) -> None:
    """Say how far a lesson's exercises and predictions are, in this kernel.

    Parameters
    ----------
    lesson : str
        The lesson's number: "07".
    """
    lesson = f"{lesson:0>2}"
    exercises, questions = of_lesson(lesson)
    if not exercises and not questions:
        print(say(_NO_LESSON, lesson=lesson, lessons=", ".join(lesson_numbers())))
        return
    states = {one.name: _states.get(one.name, NOT_STARTED) for one in exercises}
    states |= {one.key: _states.get(one.key, OPEN) for one in questions}
    found = Counter(states.values())
    counts = {"done": found[CORRECT], "exercises": len(exercises)}
    counts |= {"right": found[RIGHT], "questions": len(questions)}
    width = max(map(len, states))
    print(say(_PROGRESS, lesson=lesson, **counts))
    for key, state in states.items():
        print(f"  {key:<{width}}  {say(_STATES[state])}")


def predict(key: str) -> Any:
    """Ask a question before the lesson shows the result; the explanation follows an answer.

    Parameters
    ----------
    key : str
        The lesson's number, a dot, and the question's number: "07.1".

    Returns
    -------
    Prediction, or None when there is no such question
        Put it last in a cell; it shows itself.
    """
    question = find_question(key)
    if question is None:
        print(fold(say(_UNKNOWN_QUESTION, key=key, keys=", ".join(_neighbours(key)))))
        return None
    from attention_core.exercises.prediction import Prediction  # only here: widgets are slow

    return Prediction(question, on_answer=lambda state: _answered(question, state))


def _answered(question: Question, state: str) -> None:
    """A prediction once answered right stays right, whatever is tried afterwards."""
    if _states.get(question.key) != RIGHT:
        remember(question.key, state)


def _neighbours(key: object) -> list[str]:
    """The questions of the same lesson, or of all lessons where it has none."""
    lesson = key.partition(".")[0] if isinstance(key, str) else ""
    questions = of_lesson(lesson)[1]
    lessons = [lesson] if questions else lesson_numbers()
    return [one.key for number in lessons for one in of_lesson(number)[1]]


def _known(name: Any) -> Exercise | None:
    """The exercise called `name`; otherwise say which names there are."""
    if not isinstance(name, str):
        print(say(_NAME_FIRST))
        return None
    exercise = find_exercise(name)
    if exercise is None:
        print("\n".join(map(fold, _names_offered(name))))
    return exercise


def _names_offered(name: str) -> list[str]:
    close = close_names(name)[:1]
    lessons = [one.lesson for one in close] or sorted({one.lesson for one in all_exercises()})
    lines = [say(_UNKNOWN, name=name), *(say(_CLOSE, name=one.name) for one in close)]
    for lesson in lessons:
        names = ", ".join(one.name for one in of_lesson(lesson)[0])
        lines.append(say(_LESSON_NAMES, lesson=lesson, names=names))
    return lines
