"""The explorer of lesson 03: who moves when q, K or V alone is changed."""

import itertools
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_core import use_language
from attention_core.explorers import roles_explorer
from tests import reference

Q = [[2.0, 1.0]]
K = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [-1.0, 1.0]]
V = [[10.0, 0.0, 5.0], [0.0, 20.0, 0.0], [30.0, 10.0, 0.0], [0.0, 0.0, 40.0]]


def put(explorer, **settings):
    for name, value in settings.items():
        explorer.controls[name].value = value
    return explorer


def moved(explorer):
    return {name for name in ("q", "K", "V", "α", "o") if explorer.result["moved"][name]}


def framed(explorer, view):
    """Whether the cells on screen have a frame."""
    frame = explorer.views[view].frames[explorer._frame_number()]
    return np.array(frame["outlined"])


def test_weights_and_output_at_all_extremes():
    explorer = roles_explorer()
    extremes = [
        (Q, [[0, 0]], [[-30, 30]]),
        (K, np.zeros((4, 2)), np.full((4, 2), -30)),
        (V, np.zeros((4, 3)), np.arange(12).reshape(4, 3) - 30),
        ("V", "K"),
    ]
    for q, k, v, handed in itertools.product(*extremes):
        put(explorer, q=q, K=k, V=v, handed=handed)
        assert explorer.message.frames == [""]
        returned = v if handed == "V" else k
        lists = [np.asarray(x, dtype=float).tolist() for x in (q, k, returned)]
        wanted, weights = reference.attention(*lists)
        assert_allclose(explorer.result["α"], weights, atol=1e-12)
        assert_allclose(explorer.result["o"], wanted, atol=1e-9)


def test_the_start_is_the_hand_calculation_of_the_lesson():
    explorer = roles_explorer()
    assert_allclose(explorer.result["scores"], [[2, 1, 3, -1]])
    assert_allclose(explorer.result["α"], [[0.2746, 0.1354, 0.5570, 0.0329]], atol=1e-4)
    assert moved(explorer) == set()


def test_only_v_moves_the_output_and_not_the_weights():
    explorer = put(roles_explorer(), V=10 * np.array(V))
    assert moved(explorer) == {"V", "o"}
    assert not framed(explorer, "weights").any() and framed(explorer, "output").all()


def test_only_k_moves_the_weights_and_not_v():
    explorer = put(roles_explorer(), K=np.array(K)[[2, 1, 0, 3]])
    assert moved(explorer) == {"K", "α", "o"}
    assert framed(explorer, "weights").all() and framed(explorer, "output").all()
    assert_allclose(explorer.controls["V"].value, V)


def test_only_q_moves_weights_and_output():
    assert moved(put(roles_explorer(), q=[[0, 1]])) == {"q", "α", "o"}


def test_the_same_shift_of_all_keys_moves_neither_weights_nor_output():
    explorer = put(roles_explorer(), K=np.array(K) + np.array([7, -3]))
    assert moved(explorer) == {"K"}
    put(explorer, handed="K")
    assert moved(explorer) == {"K", "o"}


def test_handing_over_keys_gives_an_output_as_wide_as_a_key():
    explorer = put(roles_explorer(), handed="K")
    assert explorer.result["o"].shape == (1, 2)
    assert explorer.views["output"].frames[1]["cols"] == ["1", "2"]
    assert moved(explorer) == {"o"}


def test_going_back_to_the_start_is_seen():
    explorer = put(roles_explorer(), V=np.zeros((4, 3)), q=[[5, 5]])
    assert moved(explorer) == {"q", "V", "α", "o"}
    explorer.reset()
    assert moved(explorer) == set()


def test_the_largest_weight_has_the_thickest_line():
    picture = put(roles_explorer(), q=[[50, 50]]).views["route"].frames[0]
    widths = [float(w) for w in re.findall(r'stroke="#009e73" stroke-width="([\d.]+)"', picture)]
    assert widths == [0.5, 0.5, 13.5, 0.5]


def test_arithmetic_of_selected_cells():
    explorer = roles_explorer()
    explorer.views["scores"].selected = [0, 3]
    assert "S₄ = q · k₄ = 2·(−1) + 1·1 = −1" in explorer.detail.frames[0]
    explorer.views["weights"].selected = [0, 2]
    text = explorer.detail.frames[0]
    assert "α₃ = e^2.1213 /" in text and "= 0.5570" in text
    explorer.views["output"].selected = [0, 1]
    text = explorer.detail.frames[0]
    assert "o₂ = 0.2746·0 + 0.1354·20 + 0.5570·10 + 0.0329·0 = 8.2785" in text
    put(explorer, handed="K")
    assert "0.2746·0 + 0.1354·1 + 0.5570·1 + 0.0329·1 = 0.7254" in explorer.detail.frames[0]


def test_text_form_in_both_languages():
    english = repr(put(roles_explorer(), V=np.zeros((4, 3))))
    use_language("zh")
    chinese = repr(put(roles_explorer(), V=np.zeros((4, 3))))
    assert english == (
        "Weights α = [0.275, 0.135, 0.557, 0.033]; output o = [0.00, 0.00, 0.00]. "
        "Changed since the start: V, o. Unchanged: q, K, α."
    )
    assert "变了的有：V、o。" in chinese and "没变的有：q、K、α。" in chinese


def test_other_sizes_and_two_instances():
    rng = np.random.default_rng(3)
    q, k, v = rng.normal(size=(1, 3)), rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    other, own = roles_explorer(q, k, v), roles_explorer()
    put(other, q=2 * q)
    output, weights = reference.attention((2 * q).tolist(), k.tolist(), v.tolist())
    assert_allclose(other.result["α"], weights)
    assert_allclose(other.result["o"], output)
    assert moved(own) == set()


def test_an_error_is_shown_in_words():
    explorer = roles_explorer()
    with pytest.raises(Exception, match="must be finite"):
        put(explorer, V=np.full((4, 3), np.nan))
    put(explorer, q=[[1e200, 0]], K=np.full((4, 2), 1e200))
    assert explorer.message.frames[0] and "Traceback" not in explorer.message.frames[0]
