"""Answers to what a lesson asks: predictions, questions that were folded away, exercises."""

import html
import re

from attention_core.exercises.checking.lessons import lesson_numbers, of_lesson

from .prose import code, prose

FOLDED = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.S)
WORDS = {
    "en": {
        "all": "Answers and solutions",
        "predict": "Prediction {key}",
        "exercise": "Exercise {name}",
        "see": "The answer is at the end: {link}.",
    },
    "zh": {
        "all": "答案与参考解法",
        "predict": "预测 {key}",
        "exercise": "练习 {name}",
        "see": "答案在文末：{link}。",
    },
}


def unfold(markdown, language, folded):
    """Return the prose with each folded answer replaced by a link; the answers go to `folded`."""

    def away(found):
        folded.append((found[1].strip(), found[2].strip()))
        number = len(folded)
        link = f"[{found[1].strip()} {number}](#answer-{number})"
        return WORDS[language]["see"].format(link=link)

    return FOLDED.sub(away, markdown)


def answers(number, language, folded):
    """Return the HTML of the last part of a page: every answer of the lesson."""
    words = WORDS[language]
    parts = [
        f'<section class="cell prose"><h2>{words["all"]}</h2></section>',
        *(
            _part(f"{title} {place}", prose(text), f"answer-{place}")
            for place, (title, text) in enumerate(folded, start=1)
        ),
    ]
    exercises, questions = of_lesson(number) if number in lesson_numbers() else ((), ())
    for question in questions:
        right = question.options[question.answer]
        texts = (getattr(text, language) for text in (question.text, right, question.why))
        asked, chosen, why = map(_plain, texts)
        body = f"{asked}\n\n**{'ABCDEFGH'[question.answer]}** · {chosen}\n\n{why}"
        parts.append(_part(words["predict"].format(key=question.key), prose(body)))
    for exercise in exercises:
        title = words["exercise"].format(name=exercise.name)
        parts.append(_part(title, code(exercise.source())))
    return "\n".join(parts) if len(parts) > 1 else ""


def _part(title, body, anchor=""):
    name = f' id="{anchor}"' if anchor else ""
    return f'<section class="cell answer"{name}><h3>{html.escape(title)}</h3>{body}</section>'


def _plain(text):
    """Plain text of a question as Markdown: its stars, underscores and dollars are themselves."""
    kept = re.split(r"(`[^`]*`|\$[^$]*\$)", text)
    return "".join(
        re.sub(r"([*_<])", r"\\\1", part) if n % 2 == 0 else part for n, part in enumerate(kept)
    )
