"""Long attacks on the launcher: killed, out of space, many at once. course.py test attacks"""

import random
import shutil
import subprocess
import sys

import pytest

from tests.launcher.killed import attack
from tests.launcher.launched import ROOT, build_house


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A course that nobody has started yet."""
    return build_house(tmp_path_factory.mktemp("house"))


def test_next_start_mends_what_120_kills_broke_and_no_answer_is_lost(house):
    seed = random.SystemRandom().randrange(10**6)
    print("seed", seed)
    assert attack(house, 120, seed) == []


def test_many_starts_at_once_set_up_once_and_all_open(house):
    complaints = []
    for number in range(5):
        shutil.rmtree(house.root / ".venv", ignore_errors=True)
        with house.start() as a, house.start() as b, house.start() as c:
            addresses = {started.served().address for started in (a, b, c)}
            made = sum(started.printed().count("Making the") for started in (a, b, c))
        if len(addresses) != 3 or made != 1:
            complaints.append(f"{number}: {made} environments made, addresses {addresses}")
    assert complaints == []


def test_full_disk_is_told_and_loses_nothing(tmp_path):
    """In a file system of its own, from too small to start to nearly large enough."""
    script = [sys.executable, "-m", "tests.attacks.full_disk", tmp_path]
    apart = ["unshare", "--map-root-user", "--mount", *script]
    done = subprocess.run(apart, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
