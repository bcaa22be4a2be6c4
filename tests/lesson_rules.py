"""The rules of a lesson: each takes a lesson and returns its complaints, none if all is well."""

import ast
import re
from collections import Counter
from decimal import Decimal
from statistics import median
from urllib.parse import unquote

from attention_core.explorers.trained import EXAMPLES
from attention_core.figures.wording import vocabulary
from attention_core.trained import annotated, near_twins, questions, sentence_pairs
from notebooks.building import files, reading, running
from tests.claims import LESSONS
from tests.lessons import (
    CJK,
    FENCE,
    IMAGE,
    LANGUAGES,
    LINK,
    NOTEBOOKS,
    count_words,
    fixed_headings,
    formulas,
    headings,
    plain_words,
    terms,
    without_code,
)

LONGEST_CODE, MEDIAN_CODE = 15, 5
LONGEST_PROSE = {"en": 120, "zh": 240}
LONGEST_TABLE = 14
MOST_CELLS = 60
LARGEST_FILE = 500_000

# Data a lesson may work on: whole, split into tokens, or token by token.
SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    "动物没有过马路，因为它太累了。",
)
# What the whole model of lessons 15 and 18 reads: data, in either language.
READ = {
    text for part in (sentence_pairs(), near_twins(), questions()) for text in part[0] + part[1]
}
READ |= {one.text for language in ("en", "zh") for one in annotated(language)} | set(EXAMPLES)
# Names that mathematics has anyway, beside the lesson's own identifiers.
SYMBOLS = set(
    "n n_q n_k d_model d_k d_v h d_head softmax exp log ln max min sum sqrt cos sin Var Std "
    "std var mean argmax inf nan T1 T2 T3 QK PE dQ dK dV dO dX tok float32 float64 en zh".split()
)
PRINTING = {"print", "Markdown", "HTML", "Math", "Latex", "display", "format", "join"}


# ---------------------------------------------------------------- size


def budgets(lesson):
    """Short cells: code by lines, prose by words, the lesson by cells."""
    lengths = []
    complaints = []
    for position, cell in enumerate(lesson.cells, start=1):
        if cell.kind == "code":
            lengths.append(sum(bool(line.strip()) for line in cell.text["en"].splitlines()))
            if lengths[-1] > LONGEST_CODE:
                complaints.append(f"cell {position}: {lengths[-1]} lines > {LONGEST_CODE}")
            continue
        for language, most in LONGEST_PROSE.items():
            length = count_words(cell.text[language], language)
            if length > most:
                complaints.append(f"cell {position} ({language}): length {length} > {most}")
            rows = sum(line.lstrip().startswith("|") for line in cell.text[language].splitlines())
            if rows > LONGEST_TABLE:
                complaints.append(f"cell {position} ({language}): {rows} table rows")
    if lengths and median(lengths) > MEDIAN_CODE:
        complaints.append(f"half of the code cells have more than {MEDIAN_CODE} lines")
    if len(lesson.cells) + 2 > MOST_CELLS:  # the build adds the set-up and the links
        complaints.append(f"{len(lesson.cells) + 2} cells > {MOST_CELLS}")
    return complaints


def file_size(lesson):
    """Notebooks stay small enough to read on a code host."""
    return [
        f"{language}: {len(files.dumps(notebook))} characters > {LARGEST_FILE}"
        for language, notebook in lesson.notebooks.items()
        if notebook is not None and len(files.dumps(notebook).encode()) >= LARGEST_FILE
    ]


# ---------------------------------------------------------------- code


def no_words_in_code(lesson):
    """Code cells hold symbols, tokens and listed words, since both languages share them.

    No docstrings; comments are written in both languages. A string is fine when it is
    * a word of tables and plots that `words.toml` translates: ``"largest weight"``;
    * a name: small letters, digits and ``_ . - > ,`` without a blank (or capitals only), given to
      a function that does not print, or as a key or in a comparison: ``check("split_heads", …)``;
    * symbols and identifiers: every word in it is a name this lesson's code uses, or one that
      mathematics has (SYMBOLS), or a single letter with or without an index: ``f"d_k {d_k}"``;
    * data: a sentence of SENTENCES, or tokens of one; a text of READ.
    """
    complaints = []
    identifiers = set().union(*map(_identifiers, lesson.code), SYMBOLS)
    tokens = {token for sentence in SENTENCES for token in _tokens(sentence)}
    for source in lesson.code:
        begin = source.strip().split("\n", 1)[0]
        try:
            tree = ast.parse(source)
        except SyntaxError:
            complaints.append(f"'{begin}' is not plain Python (a % or ! line?)")
            continue
        names = _name_like(tree)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            text = node.value
            if id(node) in names and re.fullmatch(r"[a-z0-9_.,>\-]*|[A-Z]+", text):
                continue
            if text in SENTENCES or text in READ or text in tokens or text in vocabulary():
                continue
            strange = [word for word in _words(text) if word not in identifiers | tokens]
            if strange:
                complaints.append(f"words in code: {text!r} ({', '.join(strange)})")
    return complaints


def _tokens(sentence):
    """A sentence cut in the ways a lesson may: blanks, words and points, single characters."""
    pieces = {*sentence.split(), *re.findall(r"[A-Za-z']+|[^\sA-Za-z]", sentence)}
    if CJK.search(sentence):
        pieces |= {sentence[i : i + k] for k in (1, 2, 3) for i in range(len(sentence) - k + 1)}
    return pieces


def _words(text):
    """The words of a string: runs of letters that are not a single letter with an index."""
    words = re.findall(r"[^\W\d_][\w']*|[\u3400-\u9fff]+", text)
    return [word for word in words if not re.fullmatch(r"[^\W\d_\u3400-\u9fff](_?\w)?\d*", word)]


def _identifiers(source):
    """Every name in a piece of code; none if it does not parse."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    names = set()
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name", "asname"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                names.add(value)
    return names


def _name_like(tree):
    """ids of string nodes in a place where a string names something and is not shown."""
    found = set()

    def mark(node):
        if isinstance(node, ast.Constant):
            found.add(id(node))
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            for element in node.elts:
                mark(element)
        elif isinstance(node, ast.Starred):
            mark(node.value)

    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            name = getattr(called, "id", getattr(called, "attr", ""))
            for value in (*node.args, *(keyword.value for keyword in node.keywords)):
                if name not in PRINTING or isinstance(value, ast.Starred):
                    mark(value)
            for keyword in node.keywords:
                if keyword.arg in ("sep", "end"):
                    mark(keyword.value)
        elif isinstance(node, ast.Subscript):
            mark(node.slice)
        elif isinstance(node, ast.Dict):
            for key in node.keys:
                mark(key)
        elif isinstance(node, ast.Compare):
            for value in (node.left, *node.comparators):
                mark(value)
        elif isinstance(node, ast.For | ast.comprehension):
            mark(node.iter)
    return found


def tidy_code(lesson):
    """No magics, no clocks, no global seeds, no solution or hint that opens by itself."""
    complaints = []
    for source in lesson.code:
        for line in source.splitlines():
            if line.lstrip().startswith(("%", "!", "?")) or line.rstrip().endswith("?"):
                complaints.append(f"magic: {line.strip()}")
        identifiers = _identifiers(source)
        for name in sorted(identifiers & {"time", "timeit", "perf_counter", "datetime", "sleep"}):
            complaints.append(f"{name}: a lesson shows no timings")
        if re.search(r"random\.(seed|rand|randn|normal|uniform|randint|shuffle)\(", source):
            complaints.append("numpy's global random state; use np.random.default_rng(seed)")
        if "interact" in identifiers or "Output" in identifiers:
            complaints.append("interact and Output break the regression test; use an explorer")
        if "filterwarnings" in identifiers or "simplefilter" in identifiers:
            complaints.append("warnings are met, not hidden")
        if re.search(r"\.T\b", source):
            complaints.append(".T turns every axis; .mT turns a matrix, whatever stands in front")
        for name in ("solution", "hint"):
            if re.search(rf"^{name}\(", source, re.M):
                complaints.append(f"{name}(...) in a code cell shows itself on Run All")
    return complaints


def same_code(lesson):
    """Both languages run the same code: only comments and the language line differ."""
    if None in lesson.notebooks.values():
        return [f"not built: run python notebooks/build.py {lesson.number}"]
    english, chinese = (
        [reading.without_comments(cell.source) for cell in files.code_cells(notebook)]
        for notebook in map(lesson.notebooks.get, LANGUAGES)
    )
    complaints = []
    if english[0].replace('use_language("en")', 'use_language("zh")') != chinese[0]:
        complaints.append("the set-up cells differ in more than the language")
    if english[1:] != chinese[1:]:
        complaints.append("the code cells differ between the languages")
    return complaints


# ---------------------------------------------------------------- outline


def outline(lesson):
    """The fixed headings, in order and in both languages; one title, with the lesson's number."""
    complaints = []
    found = {
        language: [h for _, text in lesson.prose(language) for h in headings(text)]
        for language in LANGUAGES
    }
    if [level for level, _ in found["en"]] != [level for level, _ in found["zh"]]:
        complaints.append("the headings of the two languages differ in number or level")
    for language in LANGUAGES:
        titles = [text for level, text in found[language] if level == 1]
        if len(titles) != 1 or found[language][0][0] != 1:
            complaints.append(f"{language}: one level-one heading, at the top; found {titles}")
        elif not re.match(rf"{lesson.number} · \S", titles[0]):
            complaints.append(f"{language}: the title is '# {lesson.number} · …', not {titles[0]}")
        elif lesson.listed and titles[0] != lesson.listed.heading(language):
            complaints.append(f"{language}: lessons.toml says {lesson.listed.heading(language)}")
        complaints += _order(language, [text for level, text in found[language] if level == 2])
        lower = [text for level, text in found[language] if level > 2]
        for text in set(lower) & set(fixed_headings(language)):
            complaints.append(f"{language}: '{text}' is a level-two heading")
    if not complaints:
        complaints += _translated(found)
    return complaints


def _order(language, texts):
    """Complaints about the level-two headings of one language."""
    fixed = fixed_headings(language)
    counts = Counter(texts)
    many = fixed[2]  # Try it may come again
    complaints = [
        f"{language}: '{text}' stands {counts[text]} times"
        for text in fixed
        if counts[text] == 0 or (counts[text] > 1 and text != many)
    ]
    if complaints:
        return complaints
    places = [texts.index(text) for text in fixed]
    if places != sorted(places):
        complaints.append(f"{language}: the order is {', '.join(fixed)}")
    elif places[0] != 0 or places[1] != 1:
        complaints.append(f"{language}: '{fixed[0]}' and '{fixed[1]}' come first")
    elif places[2] == 2:
        complaints.append(f"{language}: no step between '{fixed[1]}' and '{fixed[2]}'")
    elif places[5] != len(texts) - 1:
        complaints.append(f"{language}: '{fixed[5]}' comes last")
    return complaints


def _translated(found):
    """Fixed headings stand at the same places in both languages."""
    places = {
        language: [
            fixed_headings(language).index(text) if text in fixed_headings(language) else None
            for _, text in found[language]
        ]
        for language in LANGUAGES
    }
    return [] if places["en"] == places["zh"] else ["a heading is translated by another one"]


def sections(lesson):
    """The lesson cut at level-two headings: {English heading: [cells]}, in order, as pairs."""
    parts = [("", [])]
    for position, cell in enumerate(lesson.cells, start=1):
        if cell.kind == "prose":
            for level, text in headings(cell.text["en"]):
                if level == 2:
                    parts.append((text, []))
        parts[-1][1].append((position, cell))
    return parts


def question_first(lesson):
    """Every *Try it* asks, then shows an explorer, then answers in a fold (or is a prediction)."""
    complaints = []
    for heading, cells in sections(lesson):
        if heading != fixed_headings("en")[2]:
            continue
        shows = [
            index
            for index, (position, cell) in enumerate(cells)
            if cell.kind == "code" and _is_figure(cell, lesson.shown(position))
        ]
        predictions = [i for i, (_, cell) in enumerate(cells) if _calls(cell, "predict")]
        if not shows:
            complaints.append(f"'{heading}' shows no explorer and no figure")
            continue
        for language, mark in (("en", "?"), ("zh", "？")):
            asked = [
                index
                for index, (_, cell) in enumerate(cells)
                if cell.kind == "prose" and mark in plain_words(_unfolded(cell.text[language]))
            ]
            if not any(index < shows[0] for index in asked + predictions):
                complaints.append(f"{language}: '{heading}' asks nothing before it shows")
            folded = any(
                cell.kind == "prose" and "<details" in cell.text[language]
                for _, cell in cells[shows[0] :]
            )
            if not folded and not predictions:
                complaints.append(f"{language}: '{heading}' has no folded answer after it")
    return complaints


def _unfolded(markdown):
    """Prose without what <details> hides."""
    return re.sub(r"<details.*?</details>", "", markdown, flags=re.S)


def _calls(cell, name):
    """Whether a code cell calls a function of this name (or with this ending)."""
    return cell.kind == "code" and re.search(rf"{name}\(", cell.text["en"]) is not None


def _is_figure(cell, outputs):
    """Whether a code cell shows an explorer, a picture or a matrix."""
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    pictures = {"image/png", "image/svg+xml", "text/html"}
    return _calls(cell, "_explorer") or (not _calls(cell, "predict") and bool(kinds & pictures))


def exercises_checked(lesson):
    """*Exercises* has a stub that returns ... and a check, and every check has something to try."""
    for heading, cells in sections(lesson):
        if heading == fixed_headings("en")[3]:
            code = "\n".join(cell.text["en"] for _, cell in cells if cell.kind == "code")
            complaints = [] if re.search(r"\bcheck\(", code) else ["no check(...) in the exercises"]
            if not re.search(r"(return|=) \.\.\.", code):
                complaints.append("no stub in the exercises: 'return ...' or 'name = ...'")
            return complaints
    return []


# ---------------------------------------------------------------- numbers


NUMBER = re.compile(r"(?<![\w.§])([-−]?)(\d+\.\d+)(?!\.?\d)\s?(\\?%)?")
SHOWN = re.compile(r"(?<![\w.])([-−]?)(\d+\.?\d*(?:[eE][-+]?\d+)?)")


def decimals(lesson):
    """Every decimal in prose is a number of this lesson's code or outputs, rounded right."""
    complaints = []
    for language in LANGUAGES:
        known = _numbers_shown(lesson, language)
        for position, markdown in lesson.prose(language):
            text = LINK.sub(r"\1", IMAGE.sub(r"\1", FENCE.sub("", markdown)))
            text = re.sub(r"`[^`\n]*\.\.\.[^`\n]*`", " ", text)
            text = re.sub(r"\b[a-z_]+\(\"\d\d(\.\d)?\"\)", " ", text)  # predict("07.1")
            for minus, digits, percent in NUMBER.findall(text):
                value = Decimal(digits) * (-1 if minus else 1)
                half = Decimal(5) * Decimal(10) ** -(len(digits.split(".")[1]) + 1)
                factors = (1, 100) if percent else (1,)
                if not any(
                    abs(number * factor - value) <= half for number in known for factor in factors
                ):
                    complaints.append(f"cell {position} ({language}): {minus}{digits} is not shown")
    return complaints


def _numbers_shown(lesson, language):
    """All numbers in the code cells and in the texts of their outputs."""
    texts = list(lesson.code)
    for outputs in lesson.outputs[language]:
        for output in outputs:
            texts += files.output_texts(output)
    found = set()
    for text in texts:
        plain = re.sub(r"<(style|script)\b.*?</\1>", " ", text, flags=re.S)
        plain = re.sub(r"<[^>]*>", " ", plain)
        for minus, digits in SHOWN.findall(plain):
            found.add(Decimal(digits.rstrip(".")) * (-1 if minus else 1))
    return found


# ---------------------------------------------------------------- formulas and links


def formulas_sound(lesson):
    """Dollars, braces and environments balance; words stand upright; no bare _ in \\text."""
    complaints = []
    for language in LANGUAGES:
        for position, markdown in lesson.prose(language):
            where = f"cell {position} ({language})"
            text = without_code(markdown)
            displayed, inline = formulas(markdown)
            if text.replace("\\$", "").count("$") != 4 * len(displayed) + 2 * len(inline):
                complaints.append(f"{where}: a $ has no partner")
            for formula in (*displayed, *inline):
                complaints += [
                    f"{where}: {fault} in {formula}" for fault in formula_faults(formula)
                ]
    return complaints


UPRIGHT = r"\\(?:text|textbf|mathrm|mathbf|mathit|operatorname|begin|end|class|htmlClass)\*?"


def formula_faults(formula):
    """What is wrong with one formula.

    >>> formula_faults(r"QK^T")
    []
    >>> formula_faults(r"d_{model}")
    ["'model' without \\\\mathrm{}"]
    """
    faults = []
    bare = re.sub(r"\\[{}]", "", formula)
    if bare.count("{") != bare.count("}"):
        faults.append("unequal braces")
    if formula.count("\\left") - formula.count("\\leftarrow") != formula.count(
        "\\right"
    ) - formula.count("\\rightarrow"):
        faults.append("\\left without \\right")
    begins = re.findall(r"\\begin\{(\w+)\}", formula)
    if sorted(begins) != sorted(re.findall(r"\\end\{(\w+)\}", formula)):
        faults.append("\\begin without \\end")
    for text in re.findall(r"\\text(?:bf)?\{([^{}]*)\}", formula):
        if re.search(r"(?<!\\)_", text):
            faults.append("bare _ in \\text")
    plain = re.sub(UPRIGHT + r"\s*\{[^{}]*\}", " ", formula)
    if CJK.search(plain):
        faults.append("Chinese outside \\text{}")
    plain = re.sub(r"\\[a-zA-Z]+", " ", plain)
    for word in re.findall(r"[A-Za-z]{3,}", plain):
        if not word.isupper() and not re.fullmatch(r"[ijmnkhqv]+", word):
            faults.append(f"'{word}' without \\mathrm{{}}")
    return faults


def same_formulas(lesson):
    """Displayed formulas are the same in both languages, words in \\text aside."""
    complaints = []
    for position, cell in enumerate(lesson.cells, start=1):
        if cell.kind == "prose":
            shown = [
                [re.sub(r"\\text\{[^{}]*\}|\s", "", formula) for formula in formulas(text)[0]]
                for text in (cell.text["en"], cell.text["zh"])
            ]
            if shown[0] != shown[1]:
                complaints.append(f"cell {position}: the displayed formulas differ")
    return complaints


def links_resolve(lesson):
    """Relative links lead to files; pictures are local, the same in both languages, described."""
    complaints = []
    planned = {f"{name}.ipynb" for name in LESSONS}
    for position, cell in enumerate(lesson.cells, start=1):
        if cell.kind != "prose":
            continue
        pictures = {}
        for language in LANGUAGES:
            where = f"cell {position} ({language})"
            text = without_code(cell.text[language])
            pictures[language] = [target for _, target in IMAGE.findall(text)]
            for alt, target in IMAGE.findall(text):
                if not alt.strip():
                    complaints.append(f"{where}: {target} has no alternative text")
                if "://" in target:
                    complaints.append(f"{where}: {target} would be fetched")
            if "<img" in text or "<script" in text or "<iframe" in text:
                complaints.append(f"{where}: raw HTML picture or script")
            for target in [t for _, t in IMAGE.findall(text)] + [t for _, t in LINK.findall(text)]:
                if re.match(r"https://", target) or target.startswith("#"):
                    continue
                path = unquote(target.split("#", 1)[0])
                if path not in planned and not (NOTEBOOKS / language / path).exists():
                    complaints.append(f"{where}: {target} leads nowhere")
        if pictures["en"] != pictures["zh"]:
            complaints.append(f"cell {position}: the pictures differ between the languages")
    return complaints


def title_picture(lesson):
    """The title cell shows one picture."""
    counts = {
        language: len(IMAGE.findall(lesson.cells[0].text[language])) for language in LANGUAGES
    }
    return [f"{code}: {n} pictures in the title cell" for code, n in counts.items() if n != 1]


# ---------------------------------------------------------------- language


UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|TBD|lorem ipsum)\b|待补充|待完成|待写|未完待续", re.I)


def finished(lesson):
    """No words of unfinished work."""
    texts = [text for language in LANGUAGES for _, text in lesson.prose(language)] + lesson.code
    return [f"unfinished: {m.group()}" for text in texts for m in UNFINISHED.finditer(text)]


def glossary_words(lesson):
    """The glossary's terms: no forbidden wording, no English term in Chinese without its own."""
    complaints = []
    for term in terms():
        for word in term.never:
            language = "zh" if CJK.search(word) else "en"
            for position, text in lesson.prose(language):
                if word.lower() in plain_words(text).lower():
                    complaints.append(f"cell {position} ({language}): '{word}'; write {term.zh}")
        if not CJK.search(term.zh) or re.search(r"[A-Za-z]", term.zh):
            continue
        english = re.compile(rf"(?<![\w-]){re.escape(term.en)}s?(?![\w-])", re.I | re.A)
        for position, text in lesson.prose("zh"):
            if english.search(_outside_brackets(plain_words(text))):
                complaints.append(f"cell {position} (zh): '{term.en}'; write {term.zh}")
    return complaints


def _outside_brackets(text):
    """Text without what stands in brackets, quotation marks or title marks."""
    return re.sub(r"（[^）]*）|\([^)]*\)|《[^》]*》|“[^”]*”|\"[^\"]*\"", " ", text)


def right_language(lesson):
    """English prose is English, Chinese prose is Chinese, and no cell is left untranslated."""
    complaints = []
    for position, cell in enumerate(lesson.cells, start=1):
        if cell.kind != "prose":
            continue
        english = plain_words(cell.text["en"])
        for sentence in SENTENCES:
            english = english.replace(sentence, "")
        chinese = plain_words(cell.text["zh"])
        if re.findall(r"[\u3400-\u9fff]{4,}", english):
            complaints.append(f"cell {position} (en): Chinese in English prose")
        if re.search(r"[A-Za-z]{3,}", english) and not CJK.search(chinese):
            complaints.append(f"cell {position} (zh): not translated")
        if re.search(r"[\u3400-\u9fff] ?[,;:?!](?!\d)", chinese):
            complaints.append(f"cell {position} (zh): half-width punctuation after Chinese")
    return complaints


# ---------------------------------------------------------------- notebooks


def notebooks_clean(lesson):
    """Kernel python3, outputs without errors, warnings, addresses or dead widgets."""
    complaints = []
    for language, notebook in lesson.notebooks.items():
        if notebook is None:
            complaints.append(f"{language}: not built")
            continue
        if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
            complaints.append(f"{language}: the kernel is not python3")
        if "widgets" in notebook.metadata:
            complaints.append(f"{language}: widget state is stored")
        for position, cell in enumerate(files.code_cells(notebook), start=1):
            where = f"{language}, code cell {position}"
            for output in cell.outputs:
                if output.output_type == "error" or output.get("name") == "stderr":
                    complaints.append(f"{where}: an error or a warning is stored")
                if running.WIDGET_VIEW in output.get("data", {}):
                    complaints.append(f"{where}: a widget view is stored")
                for text in files.output_texts(output):
                    found = running.UNSTABLE.search(text)
                    if found:
                        complaints.append(f"{where}: shows '{found.group()}'")
    return complaints


def comments_translated(lesson):
    """A comment is in the language of its notebook."""
    complaints = []
    for position, cell in enumerate(lesson.cells, start=1):
        if cell.kind == "code":
            for language in LANGUAGES:
                for comment in reading.comments(cell.text[language]):
                    if CJK.search(comment) and language == "en":
                        complaints.append(f"cell {position} (en): Chinese comment: {comment}")
                    elif re.search(r"[A-Za-z]{3,}", comment) and language == "zh":
                        if not CJK.search(comment):
                            complaints.append(f"cell {position} (zh): not translated: {comment}")
    return complaints


RULES = (
    budgets,
    file_size,
    no_words_in_code,
    tidy_code,
    same_code,
    comments_translated,
    outline,
    question_first,
    exercises_checked,
    decimals,
    formulas_sound,
    same_formulas,
    links_resolve,
    title_picture,
    finished,
    glossary_words,
    right_language,
    notebooks_clean,
)
