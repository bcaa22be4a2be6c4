"""Colours of the screen, measured in both themes: text at least 4.5:1, frames and focus 3:1."""

import numpy as np
import pytest

from attention_core.drawing.screen import (
    DARK,
    LIGHT,
    ROLES,
    TOKENS,
    contrast,
    fill,
    ink,
    scale_end,
    signed_share,
    tokens_css,
)

both_themes = pytest.mark.parametrize("theme", TOKENS)


def mixed(over, under, share):
    """A colour laid over another in sRGB; enough to judge frames."""
    pairs = ((int(over[i : i + 2], 16), int(under[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def test_contrast_against_figures_of_the_standard():
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast("#ffffff", "#000000") == pytest.approx(21)


@both_themes
def test_every_text_is_read_on_the_page_and_on_soft_ground(theme):
    tokens = TOKENS[theme]
    weak = [
        (name, ground, round(contrast(tokens[name], tokens[ground]), 2))
        for name in (*ROLES, "text", "muted", "quiet", "error")
        for ground in ("page", "soft")
        if contrast(tokens[name], tokens[ground]) < 4.5
    ]
    weak += [(n, "on-chip") for n in ROLES if contrast(tokens["on-chip"], tokens[n]) < 4.5]
    weak += [("tag",)] if contrast(tokens["tag-ink"], tokens["tag"]) < 4.5 else []
    weak += [("segment",)] if contrast(tokens["page"], tokens["text"]) < 4.5 else []
    weak += [("badge",)] if contrast("#000000", tokens["new"]) < 4.5 else []
    assert not weak


@both_themes
def test_every_number_is_read_on_its_fill(theme):
    worst = min(
        (contrast(fill(share, theme, kind), ink(share, theme, kind)), share, kind)
        for kind, low in (("signed", -1), ("weight", 0))
        for share in np.linspace(low, 1, 401)
    )
    assert worst[0] >= 4.5, worst


@both_themes
def test_what_carries_a_state_is_three_to_one(theme):
    """Focus, selection, bands of every role, marks and the edge of an old value."""
    tokens = TOKENS[theme]
    weak = [
        (name, round(contrast(tokens[name], tokens["page"]), 2))
        for name in ("ring", *ROLES, "text", "muted", "error", "new-edge")
        if contrast(tokens[name], tokens["page"]) < 3
    ]
    # Frames of settings, and the hatching of hidden cells (55 % of --n).
    hatch = mixed(tokens["n"], tokens["page"], 0.78)
    assert contrast(hatch, tokens["page"]) >= 3
    assert not weak


@both_themes
def test_zero_is_the_page_and_strength_grows_with_size(theme):
    page = TOKENS[theme]["page"]
    assert fill(0, theme) == fill(0, theme, "weight") == page
    for kind, signs in (("signed", (1, -1)), ("weight", (1,))):
        for sign in signs:
            against = [contrast(fill(sign * t, theme, kind), page) for t in np.linspace(0, 1, 21)]
            assert (np.diff(against) > 0).all(), (kind, sign)


def test_the_scale_holds_the_largest_and_is_odd():
    for largest in (1e-9, 0.3, 1, 2.0001, 7, 99, 1e300, 1.79e308):
        end = scale_end(largest)
        assert end >= largest * (1 - 1e-9) and end <= 10 * largest
        shares = signed_share([largest, -largest, 0, largest / 2], end)
        assert np.isfinite(shares).all() and abs(shares).max() <= 1 + 1e-12
        assert shares[0] == -shares[1] and shares[2] == 0 < shares[3] < shares[0]
    assert scale_end(0) == scale_end(np.nan) == scale_end(np.inf) == 1


def test_no_two_roles_have_one_colour_and_both_themes_name_the_same_tokens():
    assert LIGHT.keys() == DARK.keys()
    for tokens in TOKENS.values():
        assert len({tokens[role] for role in ROLES}) == len(ROLES)
    css = tokens_css()
    assert css.count("--page: var(--jp-layout-color0") == 2
    for name in LIGHT:
        assert css.count(f"--{name}:") == 2
