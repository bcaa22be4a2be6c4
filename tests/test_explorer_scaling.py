"""The explorer of lesson 06: what is shown against numbers computed another way."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_core import use_language
from attention_core.explorers import scaling_explorer
from tests import reference


def put(d_k, scaled):
    explorer = scaling_explorer()
    explorer.controls["d_k"].value, explorer.controls["scaled"].value = d_k, scaled
    return explorer


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("d_k", [1, 64, 4096])
def test_scores_weights_and_jacobian_of_the_query(d_k, scaled):
    result = put(d_k, scaled).result
    z = result["S"][0] / (math.sqrt(d_k) if scaled else 1)
    assert_allclose(result["Z"], [z])
    assert_allclose(result["A"], [reference.softmax(z.tolist())], atol=1e-12)
    for j in range(len(z)):  # the Jacobian is what a small change of a score does
        up, down = (reference.softmax((z + step * np.eye(6)[j]).tolist()) for step in (1e-5, -1e-5))
        assert_allclose(result["J"][:, j], (np.array(up) - down) / 2e-5, atol=1e-8)


def test_every_score_is_in_view_at_any_size():
    for d_k in (1, 4096):
        for scaled in (False, True):
            result = put(d_k, scaled).result
            inside = result["density"] @ np.diff(result["edges"])
            assert inside > 0.97, (d_k, scaled)
            assert result["edges"][-1] < 5 * result["predicted"], "the spread fills the picture"


def test_the_spread_grows_with_the_root_and_division_takes_it_back():
    assert_allclose(put(4096, False).result["std"], 64, rtol=0.05)
    assert_allclose(put(4096, True).result["std"], 1, rtol=0.05)


def test_the_text_form_in_both_languages():
    assert repr(scaling_explorer()).startswith("d_k = 64, divided by 1: standard deviation")
    use_language("zh")
    assert "除以 1：标准差" in repr(scaling_explorer())
