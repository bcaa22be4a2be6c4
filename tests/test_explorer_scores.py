"""The explorer of lesson 04: the scores, the picked entry, what is framed, what is spelled out."""

import numpy as np
import pytest

from attention_core import use_language
from attention_core.explorers import scores_explorer
from attention_core.explorers.scores import K, Q
from tests import reference


def frame(explorer, name):
    return explorer._everything[name].frames[explorer._frame_number()]


def outlined(explorer, name):
    return np.argwhere(frame(explorer, name)["outlined"]).tolist()


def test_scores_and_entry_for_every_pick():
    explorer = scores_explorer()
    slow = np.array(reference.matmul(Q, np.transpose(K).tolist()))
    assert slow.tolist() == [[1, 0, 3, 2], [5, 6, 9, 1], [2, 4, 2, -2]]
    for i, j in np.ndindex(3, 4):
        explorer.controls["query"].value, explorer.controls["key"].value = i, j
        np.testing.assert_array_equal(explorer.result["scores"], slow)
        assert explorer.result["entry"] == slow[i, j]
        assert f"Query {i + 1}, key {j + 1}" in repr(explorer)


def test_row_of_q_column_of_kt_and_cell_are_framed():
    explorer = scores_explorer()
    explorer.controls["query"].value, explorer.controls["key"].value = 2, 0
    assert outlined(explorer, "Q") == [[2, 0], [2, 1]]
    assert outlined(explorer, "K") == [[0, 0], [0, 1]]
    assert outlined(explorer, "keys") == [[0, 0], [1, 0]]
    assert outlined(explorer, "scores") == [[2, 0]]


def test_picking_a_cell_moves_the_sliders():
    explorer = scores_explorer()
    explorer.views["scores"].selected = [0, 3]
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (0, 3)
    assert explorer.views["scores"].selected == []
    assert explorer.result["entry"] == 2
    explorer.views["keys"].selected = [1, 1]  # a cell of Kᵀ: feature 2 of key 2
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (0, 1)
    explorer.controls["Q"].selected = [2, 1]  # what is edited is not picked
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (0, 1)


def test_arithmetic_is_spelled_out_for_any_numbers():
    explorer = scores_explorer()
    assert "S₂₃ = q₂ · k₃ = 2·3 + 3·1 = 9" in frame(explorer, "arithmetic")
    explorer.controls["Q"].set_cell(1, 0, -0.5)
    explorer.controls["K"].set_cell(2, 1, -2)
    assert "S₂₃ = q₂ · k₃ = −0.5·3 + 3·(−2) = −7.5" in frame(explorer, "arithmetic")
    assert explorer.result["entry"] == -7.5
    assert "(3, 2) · Kᵀ (2, 4) → S (3, 4)" in frame(explorer, "arithmetic")


def test_the_answers_given_in_the_lesson():
    explorer = scores_explorer()
    explorer.controls["K"].value = [K[0], [-1, -2], *K[2:]]
    assert explorer.result["scores"][:, 1].tolist() == [-1, -8, -4]
    explorer.controls["Q"].value = [[1, 1], *Q[1:]]
    explorer.controls["K"].value = [[1, -1], *K[1:]]
    assert explorer.result["scores"][0, 0] == 0


@pytest.mark.parametrize(("n_q", "n_k", "d_k"), [(1, 1, 1), (2, 5, 3), (11, 3, 7)])
def test_other_sizes(n_q, n_k, d_k):
    rng = np.random.default_rng(n_q)
    q, k = rng.integers(-3, 4, (n_q, d_k)), rng.integers(-3, 4, (n_k, d_k))
    explorer = scores_explorer(q, k)
    slow = reference.matmul(q.tolist(), k.T.tolist())
    np.testing.assert_array_equal(explorer.result["scores"], slow)
    explorer.controls["query"].value = n_q - 1
    explorer.controls["key"].value = n_k - 1
    assert explorer.result["entry"] == slow[-1][-1]
    assert explorer.message.frames == [""]


def test_sizes_that_do_not_fit_are_refused_in_words():
    with pytest.raises(ValueError, match=r"q is \(1, 2\) but k is \(1, 3\)"):
        scores_explorer([[1, 2]], [[1, 2, 3]])


def test_an_entry_that_is_no_number_is_refused():
    explorer = scores_explorer()
    with pytest.raises(Exception, match="every entry must be finite"):
        explorer.controls["Q"].set_cell(0, 0, float("inf"))
    assert explorer.result["scores"][0, 0] == 1


def test_text_form_in_both_languages():
    use_language("zh")
    chinese = scores_explorer()
    use_language("en")
    assert "查询 2，键 3：S₂₃ = q₂ · k₃ = 2·3 + 3·1 = 9" in repr(chinese)
    assert "Query 2, key 3: S₂₃ = q₂ · k₃ = 2·3 + 3·1 = 9" in repr(scores_explorer())
    assert "中间那条长为 2 的边" in frame(chinese, "arithmetic")
