"""What a cell is made of, declared once per matrix; what it goes into follows from that.

A rule such as ``"Q[r,k] K[c,k]"`` says that the cell in row r, column c is made of row r of Q and
row c of K; k runs over all. `consequences` follows the rules through all matrices. `links.js`
does the same in the browser.
"""

import re
from collections import deque
from itertools import product

_SOURCE = re.compile(r"(\w+)\[([rck*]),([rck*])\]")


def read_rule(rule):
    """Return the sources of a rule as (matrix, row, column).

    Examples
    --------
    >>> read_rule("Q[r,k] K[c,k]")
    [('Q', 'r', 'k'), ('K', 'c', 'k')]
    """
    sources = [match.groups() for match in _SOURCE.finditer(rule)]
    if _SOURCE.sub("", rule).strip():
        raise ValueError(f"links: {rule!r} is not a rule; write it like 'Q[r,k] K[c,k]'")
    return sources


def sources(rules, cell, shapes, hidden=None, toggles=(), fixed=None):
    """Return the cells that change this one when they change.

    Parameters
    ----------
    rules : dict of matrix -> rule
    cell : (matrix, row, column)
    shapes : dict of matrix -> (n_rows, n_cols)
    hidden : dict of matrix -> ndarray of bool, optional
        A hidden cell holds a constant; only the mask itself (`toggles`) reaches it.
    fixed : dict of matrix -> ndarray of bool, optional
        Cells that no number changes, such as the 1 of a row that may look at one key only.
    """
    hidden, fixed = hidden or {}, fixed or {}
    name, i, j = cell
    made = read_rule(rules.get(name, ""))
    found = set()
    for k in range(max((max(shapes[m]) for m, *_ in made), default=0)):
        term = [_term(source, i, j, k, shapes) for source in made]
        dead = [m for m in term if m and _is_hidden(hidden, m) and m[0] not in toggles]
        shared = len(made) > 1 and all("k" in source[1:] for source in made)
        for place in filter(None, term):
            others_dead = shared and any(other != place for other in dead)
            if not others_dead and not (place in dead and place[1:] != (i, j)):
                found.add(place)
    if _is_hidden(hidden, cell) or _is_hidden(fixed, cell):
        found = {m for m in found if m[0] in toggles or _is_hidden(hidden, m)}
    for place in list(found):  # "*" stands for all
        if "*" in place:
            found.remove(place)
            rows, cols = (range(n) for n in shapes[place[0]])
            ranges = (
                range_ if at == "*" else [at]
                for at, range_ in zip(place[1:], (rows, cols), strict=True)
            )
            found |= {(place[0], a, b) for a, b in product(*ranges)}
    return found


def consequences(rules, cell, shapes, hidden=None, toggles=(), fixed=None):
    """Return all cells that change when this one changes, near and far."""
    goes_to = {}
    for name in rules:
        for i, j in product(*map(range, shapes[name])):
            for source in sources(rules, (name, i, j), shapes, hidden, toggles, fixed):
                goes_to.setdefault(source, []).append((name, i, j))
    reached, waiting = set(), deque([cell])
    while waiting:
        for following in goes_to.get(waiting.popleft(), ()):
            if following not in reached:
                reached.add(following)
                waiting.append(following)
    return reached


def _term(source, i, j, k, shapes):
    """The cell that a source names for this k, or None where k is past its end."""
    name, *letters = source
    if "k" not in letters and k:
        return None
    at = tuple({"r": i, "c": j, "k": k, "*": "*"}[letter] for letter in letters)
    inside = all(x == "*" or x < n for x, n in zip(at, shapes[name], strict=True))
    return (name, *at) if inside else None


def _is_hidden(hidden, cell):
    name, i, j = cell
    return name in hidden and "*" not in (i, j) and bool(hidden[name][i][j])
