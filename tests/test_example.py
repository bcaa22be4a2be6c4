"""The running example gives the numbers of its table, computed by `attention` and by hand."""

import math

import numpy as np
import pytest

from attention_core import attention, example, multi_head_attention, use_language
from attention_core.masks import causal_mask

# The table of the example: 4 decimals.
TIRED_ROW = [0.7032, 0.0416, 0.1710, 0.0843]
WIDE_ROW = [0.0416, 0.7032, 0.1710, 0.0843]
IT_ROW = [0.2863, 0.2863, 0.2863, 0.1412]
EVEN = [0.25] * 4


def close(found, expected):
    return np.allclose(found, expected, rtol=0, atol=6e-5)


@pytest.fixture(autouse=True)
def english_again():
    yield
    use_language("en")


def test_queries_keys_and_values_are_those_of_the_table():
    q, k, v = example.qkv("tired")
    assert q.tolist() == [[0, 0], [0, 0], [1, 0], [1, 2]]
    assert k.tolist() == [[1, 1], [1, -1], [1, 0], [0, 0]]
    assert v.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert (q @ k.mT)[3].tolist() == [3, -1, 1, 0]


def test_the_weights_by_attention():
    for last, row in (("tired", TIRED_ROW), ("wide", WIDE_ROW)):
        output, weights = attention(*example.qkv(last))
        assert close(weights, [EVEN, EVEN, IT_ROW, row])
        assert close(output[3], [row[0], row[1], row[3]])


def test_the_row_of_tired_by_hand():
    exponentials = [math.exp(score / math.sqrt(2)) for score in (3, -1, 1, 0)]
    assert close([e / sum(exponentials) for e in exponentials], TIRED_ROW)


def test_the_causal_rows_and_the_row_without_scaling():
    third = 1 / 3
    rows = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [third, third, third, 0], TIRED_ROW]
    assert close(attention(*example.qkv(), causal_mask(4))[1], rows)
    assert close(attention(*example.qkv(), scale=1)[1][3], [0.8310, 0.0152, 0.1125, 0.0414])


def test_one_word_changes_only_the_last_rows_of_x_and_q():
    assert np.argwhere(example.hidden("tired") != example.hidden("wide"))[:, 0].tolist() == [3, 3]
    (q, k, v), (q_wide, k_wide, v_wide) = example.qkv("tired"), example.qkv("wide")
    assert np.array_equal(k, k_wide) and np.array_equal(v, v_wide)
    assert np.flatnonzero((q != q_wide).any(axis=1)).tolist() == [3]


def test_the_second_head_is_undecided_about_it():
    weights = attention(*example.qkv("tired", head=1))[1]
    assert close(weights[2], [0.4465, 0.4465, 0.0535, 0.0535])


def test_both_heads_and_the_output_projection():
    for last, sign in (("tired", 1), ("wide", -1)):
        x, params = example.hidden(last), example.multi_head_weights()
        output, weights = multi_head_attention(x, params, h=2)
        for head in (0, 1):
            assert close(weights[head], attention(*example.qkv(last, head))[1])
        assert close(output[3], [1.2447, sign * 0.6616, 0, 0, 0])


def test_all_sizes_differ():
    q, _, v = example.qkv()
    assert len({*example.hidden().shape, q.shape[1], v.shape[1]}) == 4


def test_the_translation_reads_its_own_counterparts():
    _, y = example.translation()
    x, (w_q, w_k, w_v) = example.hidden(), example.CROSS
    _, weights = attention(y @ w_q, x @ w_k, x @ w_v)
    assert weights.argmax(axis=1).tolist() == [0, 2, 3]
    assert len({*weights.shape, w_v.shape[1]}) == 3


def test_words_follow_the_language():
    assert example.tokens("wide") == ["animal", "street", "it", "wide"]
    assert example.translation("wide")[0] == ["动物", "它", "宽"]
    use_language("zh")
    assert example.tokens("tired") == ["动物", "马路", "它", "累"]
    assert example.translation("tired")[0] == ["animal", "it", "tired"]
    assert example.sentence("wide").endswith("太宽了。")
    assert [len(example.features(of)) for of in "xqkv"] == [5, 2, 2, 3]
    assert example.features()[0] == "事物"


def test_nobody_changes_it_by_mistake():
    for matrix in (example.W_Q, example.W_K, example.W_V, example.W_O, *example.CROSS):
        with pytest.raises(ValueError, match="read-only"):
            matrix[0, 0] = 9
    example.hidden()[0, 0] = 9
    assert example.hidden()[0, 0] == 1


def test_another_word_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match=r"tokens: the last word is 'old' but must be .tired. or"):
        example.tokens("old")
