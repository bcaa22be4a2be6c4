"""Lesson 05's arrows, dragged with the mouse in JupyterLab."""

import math
import re

EDGE, REACH = 12, 3.3


def where(picture):
    """Return a function: where the point (x, y) of the vectors is on the page."""
    box = picture.bounding_box()
    size = int(picture.get_attribute("viewBox").split()[2])
    unit = (size / 2 - EDGE) / REACH * box["width"] / size
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return lambda x, y: (middle[0] + x * unit, middle[1] - y * unit)


def test_an_arrow_follows_the_mouse(lesson):
    lesson.open("05_dot_product", "en").run_all()
    explorer, mouse = lesson.explorers().first, lesson.page.mouse
    explorer.scroll_into_view_if_needed()
    place = where(explorer.locator("svg"))
    mouse.move(*place(0, 1.5))  # the head of k
    mouse.down()
    for degrees in range(90, 211, 10):
        angle = math.radians(degrees)
        mouse.move(*place(2 * math.cos(angle), 2 * math.sin(angle)))
    explorer.get_by_text(re.compile(r"2 · 2 · \(−1\) = −4")).wait_for()
    mouse.up()
    mouse.move(*place(1, 1))  # not held any more
    explorer.get_by_text(re.compile(r"2 · 2 · \(−1\) = −4")).wait_for()
    assert explorer.get_by_text("210°", exact=True).count() == 1
    assert explorer.get_by_text("30°", exact=True).count() == 1
    lesson.assert_well()
