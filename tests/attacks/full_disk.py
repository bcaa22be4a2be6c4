"""Start the course on disks that are too small; print every complaint. Needs a mount namespace."""

import subprocess
import sys
from pathlib import Path

from tests.launcher.killed import answer, lost, not_mended, ship
from tests.launcher.launched import House, build_house

MEGABYTES = (17, 22, 28, 34, 40, 44, 48, 52)  # the course itself takes 16
ENOUGH = "400m"


def mount(folder, size, *options):
    """Give a folder a disk of its own, or another size."""
    options = ",".join([*options, f"size={size}"])
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)


def start_on_full_disk(house, what):
    """Start once; return what is wrong with how it ends."""
    temporary = house.root.parent / "tmp"
    temporary.mkdir(exist_ok=True)
    with house.start(TMPDIR=str(temporary)) as started:
        try:
            started.served()
            return []  # it was large enough
        except AssertionError:
            pass
    said = [line for line in started.printed().splitlines() if line.startswith("course.py: ")]
    if len(said) == 1 and said[0].startswith("course.py: The disk is full ("):
        return []
    return [f"{what}: {started.printed()}"]


def fill(folder):
    """Take all the space that is left."""
    with (folder / "filler").open("wb") as file:
        try:
            while True:
                file.write(bytes(2**16))
                file.flush()
        except OSError:
            pass


def attack(folder):
    """Return every complaint."""
    small, complaints = folder / "small", []
    small.mkdir()
    first = build_house(folder)
    for size in MEGABYTES:
        mount(small, f"{size}m")
        house = first.moved(small / str(size), keep=True)
        answers = answer(house)
        complaints += start_on_full_disk(house, f"{size} MB")
        complaints += [f"{size} MB: {fault}" for fault in lost(answers)]
        mount(small, ENOUGH, "remount")
        ship(house, size)
        complaints += [f"after {size} MB: {fault}" for fault in not_mended(house, answers, size)]
        # Everything is installed, but there is no room for newer lessons.
        fill(small)
        ship_elsewhere(house, size + 1)
        complaints += start_on_full_disk(house, f"{size} MB, filled")
        complaints += [f"{size} MB, filled: {fault}" for fault in lost(answers)]
        (small / "filler").unlink()
        complaints += [
            f"{size} MB, room again: {fault}" for fault in not_mended(house, answers, size + 1)
        ]
        subprocess.run(["umount", small], check=True)
    return complaints


def ship_elsewhere(house, edition):
    """Put newer lessons on another disk, and a link where the course keeps them."""
    other = House(house.home.parent / f"newer-{edition}", house.home, house.wheels)
    ship(other, edition)
    here = house.root / "notebooks"
    for language in ("en", "zh"):
        for path in (here / language).iterdir():
            path.unlink()
        (here / language).rmdir()
        (here / language).symlink_to(other.root / "notebooks" / language)


if __name__ == "__main__":
    for complaint in attack(Path(sys.argv[1])):
        print(complaint)
