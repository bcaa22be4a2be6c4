"""Kill the launcher at random moments and see that the next start mends it."""

import json
import random
import shutil
import signal
import time

import course
from tests.launcher.launched import write_lesson

LESSONS = ("00_overview", "01_project", "02_parameters", "03_roles")
ANSWERED = "01_project"  # by the learner, in both languages
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def ship(house, edition):
    """Put an edition of every lesson where the course keeps them."""
    for language in course.LANGUAGES:
        for lesson in LESSONS:
            write_lesson(house.root, language, f"edition = {edition}", "...", name=lesson)


def copies(house, name):
    """Return the learner's copies of a lesson."""
    return [house.root / "work" / language / f"{name}.ipynb" for language in course.LANGUAGES]


def answer(house):
    """Answer one lesson, as a learner saves it; return the bytes of each copy."""
    for language in course.LANGUAGES:
        write_lesson(house.root, language, "mine = 1", "42", folder="work", name=ANSWERED)
    return {path: path.read_bytes() for path in copies(house, ANSWERED)}


def before_first_start(house):
    """Nothing is there yet but what the learner copied from an older course."""
    shutil.rmtree(house.root / ".venv", ignore_errors=True)


def before_renewal(house):
    """Everything is there; only the lessons are newer."""


def before_update(house):
    """Everything is there, but it needs another package than it did."""
    requirements = house.root / "requirements.txt"
    lines = requirements.read_text("utf-8").splitlines(keepends=True)
    requirements.write_text("".join(lines[1:] + lines[:1]), "utf-8")


SCENES = (before_first_start, before_renewal, before_update)


def times(house):
    """Return how long each scene takes when nobody disturbs it."""
    lasted = {}
    for edition, scene in enumerate(SCENES):
        scene(house)
        ship(house, edition)
        begun = time.monotonic()
        with house.start() as started:
            started.served()
            lasted[scene] = time.monotonic() - begun
        house.wait_until_empty()
    return lasted


def attack(house, kills, seed):
    """Kill the launcher so many times; return every complaint about what came after."""
    chance = random.Random(seed)
    lasted, complaints = times(house), []
    for number in range(kills):
        scene = SCENES[number % len(SCENES)]
        sent, moment = chance.choice(SIGNALS), chance.uniform(0, lasted[scene])
        scene(house)
        answers = answer(house)
        ship(house, 1000 + number)
        with house.start() as started:
            time.sleep(moment)
            started.end(sent)
        what = f"{number}: {scene.__name__}, {sent.name} after {moment:.2f} s: "
        complaints += [what + fault for fault in lost(answers)]
        complaints += [what + fault for fault in not_mended(house, answers, 1000 + number)]
    return complaints


def lost(answers):
    """Return the answers that are not what the learner saved."""
    return [
        f"{path.name} was changed" for path, text in answers.items() if path.read_bytes() != text
    ]


def not_mended(house, answers, edition):
    """Start once more; return what is not as it should be."""
    faults = []
    with house.start() as started:
        try:
            started.served()
        except AssertionError as error:
            return [f"the next start fails: {error}"]
        if "Traceback" in started.printed():
            faults.append("the next start prints a traceback")
        if started.ask("/lab/tree/work/en/00_overview.ipynb")[0] != 200:
            faults.append("the next start shows no page")
        kept = started.printed().count("holds your changes")
        if kept != len(answers):
            faults.append(f"{kept} lessons are said to hold changes")
    faults += [f"left behind: {path}" for path in house.wait_until_empty()]
    faults += [f"half a file: {path.name}" for path in (house.root / "work").rglob("*.part")]
    for lesson in LESSONS:
        if lesson != ANSWERED:
            for path in copies(house, lesson):
                source = json.loads(path.read_text("utf-8"))["cells"][0]["source"]
                if source != f"edition = {edition}":
                    faults.append(f"{path.name} is not renewed but {source!r}")
    return faults + lost(answers)
