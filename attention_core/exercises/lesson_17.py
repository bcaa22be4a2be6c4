"""Lesson 17: attend to long sequences."""

import numpy as np

from attention_core.exercises.framework import Exercise, Mistake, Question
from attention_core.language import Words

__all__ = ["EXERCISES", "QUESTIONS"]


def merge_blocks(m1, l1, o1, m2, l2, o2):
    m = max(m1, m2)
    fade1, fade2 = np.exp(m1 - m), np.exp(m2 - m)
    return m, l1 * fade1 + l2 * fade2, o1 * fade1 + o2 * fade2


def bytes_held():
    n, block, size = 4096, 64, 4
    return {"plain": n * n * size, "chunks": block * n * size, "tiles": block * block * size}


def tiles_needed(n, block):
    side = -(-n // block)
    return side * (side + 1) // 2


def cache_mask(n_new, n_cached):
    return np.tri(n_new, n_cached + n_new, k=n_cached, dtype=bool)


def _pieces():
    """Two blocks as the learner may get them: either may hold the higher peak."""
    return [
        (3.0, 2.0, np.array([10.0]), 3.0, 1.0, np.array([5.0])),
        (1.0, 1.5, np.array([4.0, 2.0]), 3.0, 1.25, np.array([1.0, 6.0])),
        (1000.0, 1.5, np.array([4.0, 2.0]), 1002.0, 1.25, np.array([1.0, 6.0])),
        (5.0, 1.75, np.array([7.0, -2.0, 3.0]), 2.0, 2.5, np.array([1.0, 4.0, -6.0])),
    ]


def _sizes():
    return [(8, 2), (8, 4), (8, 8), (13, 4), (64, 8)]


def _lengths():
    return [(1, 4), (2, 3), (3, 0), (3, 5)]


def _not_rescaled(m1, l1, o1, m2, l2, o2):
    return max(m1, m2), l1 + l2, o1 + o2


def _only_the_sum(m1, l1, o1, m2, l2, o2):
    m, total, _ = merge_blocks(m1, l1, o1, m2, l2, o2)
    return m, total, o1 + o2


def _wrong_way(m1, l1, o1, m2, l2, o2):
    m = max(m1, m2)
    up1, up2 = np.exp(m - m1), np.exp(m - m2)
    return m, l1 * up1 + l2 * up2, o1 * up1 + o2 * up2


def _first_only(m1, l1, o1, m2, l2, o2):
    fade = np.exp(m1 - max(m1, m2))
    return max(m1, m2), l1 * fade + l2, o1 * fade + o2


def _normalised_first(m1, l1, o1, m2, l2, o2):
    m, total, _ = merge_blocks(m1, l1, o1, m2, l2, o2)
    return m, total, o1 / l1 + o2 / l2


def _divided(m1, l1, o1, m2, l2, o2):
    m, total, o = merge_blocks(m1, l1, o1, m2, l2, o2)
    return m, total, o / total


def _absolute(m1, l1, o1, m2, l2, o2):
    _, total, o = _no_maximum(m1, l1, o1, m2, l2, o2)
    return max(m1, m2), total, o


def _no_maximum(m1, l1, o1, m2, l2, o2):
    e1, e2 = np.exp(m1), np.exp(m2)
    return 0.0, l1 * e1 + l2 * e2, o1 * e1 + o2 * e2


MERGE_BLOCKS = Exercise(
    name="merge_blocks",
    lesson="17",
    claims=("C17.2",),
    solution=merge_blocks,
    cases=_pieces,
    mistakes=(
        Mistake(
            _not_rescaled,
            Words(
                "The sums were added as they are, but each is relative to the maximum of its own "
                "block. Bring both to the common maximum first.",
                "这里把两个和直接相加了，可它们各自以自己那一块的最大值为基准。"
                "先换算到共同的最大值。",
            ),
        ),
        Mistake(
            _only_the_sum,
            Words(
                "l is right, o is not: the mixture is relative to the old maximum too and needs "
                "the same factors.",
                "l 对了，o 不对：混合的结果同样以旧的最大值为基准，要乘上同样的系数。",
            ),
        ),
        Mistake(
            _wrong_way,
            Words(
                "The sign in the exponent is turned round. The block with the lower maximum must "
                "shrink: e to the power m_old − m.",
                "指数里的符号反了。最大值较低的那一块应当缩小：e 的 m_old − m 次方。",
            ),
        ),
        Mistake(
            _first_only,
            Words(
                "Only the first block fades. The second has to when the first one holds the "
                "higher maximum.",
                "只缩小了第一块。如果最大值在第一块里，该缩小的是第二块。",
            ),
        ),
        Mistake(
            _normalised_first,
            Words(
                "Each mixture was divided by its own sum before merging. Then a block counts the "
                "same however large its sum is. Divide once, after the last block.",
                "合并之前就各自除以了自己的和。这样不管一块的和是大是小，分量都一样。"
                "应当在最后一块之后只除一次。",
            ),
        ),
        Mistake(
            _divided,
            Words(
                "o was divided by l already. There may be more blocks to come: hand on the sum and "
                "the mixture undivided.",
                "o 已经除以 l 了。后面可能还有别的块：和与混合结果都要原样传下去，先不除。",
            ),
        ),
        Mistake(
            _absolute,
            Words(
                "The sums are relative to 0 now, but m says otherwise. Multiply each by e to the "
                "power m_old − m, not m_old.",
                "现在的和以 0 为基准，与返回的 m 不符。各自要乘以 e 的 m_old − m 次方，"
                "而不是 m_old 次方。",
            ),
        ),
        Mistake(
            _no_maximum,
            Words(
                "Everything was brought back to m = 0. That is right on paper, but e to the power "
                "1000 is inf. Keep the larger of the two maxima.",
                "这里把一切都换算回了 m = 0。公式上没错，但 e 的 1000 次方是 inf。"
                "应当保留两个最大值中较大的一个。",
            ),
        ),
    ),
    hints=(
        Words(
            "The new m is the larger of m1 and m2. What must a sum relative to m1 be multiplied "
            "by to be relative to m?",
            "新的 m 是 m1 和 m2 中较大的一个。以 m1 为基准的和，乘上什么才是以 m 为基准？",
        ),
        Words(
            "l1 · e^(m1 − m) + l2 · e^(m2 − m), and the same for o.",
            "l1 · e^(m1 − m) + l2 · e^(m2 − m)，o 也一样。",
        ),
    ),
)

BYTES_HELD = Exercise(
    name="bytes_held",
    lesson="17",
    claims=("C17.1", "C17.3"),
    solution=bytes_held,
    mistakes=(
        Mistake(
            {"plain": 4096**2, "chunks": 64 * 4096, "tiles": 64 * 64},
            Words(
                "Those are numbers, not bytes. A float32 takes 4 bytes.",
                "这是数的个数，不是字节数。一个 float32 占 4 个字节。",
            ),
        ),
        Mistake(
            {"plain": 8 * 4096**2, "chunks": 8 * 64 * 4096, "tiles": 8 * 64 * 64},
            Words(
                "That would be float64, with 8 bytes each. A float32 takes 4.",
                "那是 float64，每个 8 字节。float32 是 4 个字节。",
            ),
        ),
        Mistake(
            {"chunks": 4 * 64 * 64},
            Words(
                "Query chunks still meet all keys: 64 rows, each as long as the whole sequence.",
                "按查询切段时，每段仍要面对所有的键：64 行，每行和整个序列一样长。",
            ),
        ),
        Mistake(
            {"tiles": 4 * 64 * 4096},
            Words(
                "A tile has only 64 keys, too: 64 rows and 64 columns.",
                "一个小块里键也只有 64 个：64 行、64 列。",
            ),
        ),
        Mistake(
            {"plain": 4 * 4096},
            Words(
                "That is one row of scores. In the plain form every query has a row.",
                "这只是一行分数。直接计算时，每个查询都有一行。",
            ),
        ),
    ),
    hints=(
        Words(
            "Rows times columns times 4 bytes. How many rows and columns of scores exist at once?",
            "行数 × 列数 × 4 字节。同一时刻有几行、几列分数？",
        ),
        Words(
            "plain: n × n; chunks: block × n; tiles: block × block.",
            "plain 是 n × n；chunks 是 block × n；tiles 是 block × block。",
        ),
    ),
)

TILES_NEEDED = Exercise(
    name="tiles_needed",
    lesson="17",
    claims=("C17.3",),
    solution=tiles_needed,
    cases=_sizes,
    mistakes=(
        Mistake(
            lambda n, block: (-(-n // block)) ** 2,
            Words(
                "Those are all tiles. The ones above the diagonal hold only the future and can be "
                "skipped.",
                "这是全部的小块。对角线上方的只有未来，可以跳过。",
            ),
        ),
        Mistake(
            lambda n, block: (-(-n // block)) ** 2 // 2,
            Words(
                "Half of all tiles leaves half of the diagonal out. Tiles on the diagonal are "
                "needed, all of them.",
                "取全部的一半，会漏掉一半对角线上的小块。对角线上的每一块都要算。",
            ),
        ),
        Mistake(
            lambda n, block: -(-n // block) * (-(-n // block) - 1) // 2,
            Words(
                "The tiles on the diagonal are missing: there every token reads itself.",
                "漏了对角线上的小块：每个词元就是在那里读到自己的。",
            ),
        ),
        Mistake(
            lambda n, block: (n // block) * (n // block + 1) // 2,
            Words(
                "The last tokens are lost when block does not divide n. Round up: -(-n // block).",
                "block 不能整除 n 时，末尾的词元丢了。应当向上取整：-(-n // block)。",
            ),
        ),
        Mistake(
            lambda n, block: n / block * (n / block + 1) / 2,
            Words(
                "There are only whole tiles. The last one may be partly filled, and it counts: "
                "round n / block up first.",
                "小块只有整块。最后一块可以不满，但也算一块：先把 n / block 向上取整。",
            ),
        ),
        Mistake(
            lambda n, block: n * (n + 1) // 2,
            Words(
                "Those are pairs of tokens, not tiles. A tile is block tokens wide and high.",
                "这是词元对的个数，不是小块的个数。一个小块的宽和高都是 block 个词元。",
            ),
        ),
    ),
    hints=(
        Words(
            "How many tiles stand side by side? The first row of tiles needs one, the second two …",
            "一行有几个小块？第一行要算一个，第二行要算两个……",
        ),
        Words(
            "side = -(-n // block) rounds up; then 1 + 2 + … + side.",
            "side = -(-n // block) 是向上取整；然后求 1 + 2 + … + side。",
        ),
    ),
)

CACHE_MASK = Exercise(
    name="cache_mask",
    lesson="17",
    claims=("C17.4",),
    solution=cache_mask,
    cases=_lengths,
    mistakes=(
        Mistake(
            lambda n_new, n_cached: np.tri(n_new, n_cached + n_new, dtype=bool),
            Words(
                "The diagonal starts at the top left: the first new token reads only the very "
                "first key. Shift it by n_cached, so that it ends at the bottom right.",
                "对角线从左上角开始：第一个新词元只读得到最前面的那个键。"
                "要把它右移 n_cached，让它在右下角结束。",
            ),
        ),
        Mistake(
            lambda n_new, n_cached: np.tri(n_new, n_cached + n_new, k=n_cached - 1, dtype=bool),
            Words(
                "One too few: a new token reads itself, too.",
                "少了一个：新词元也要读到自己。",
            ),
        ),
        Mistake(
            lambda n_new, n_cached: np.tri(n_new, n_cached + n_new, k=n_cached + 1, dtype=bool),
            Words(
                "One too many: a new token reads the one after it.",
                "多了一个：新词元读到了它后面的词元。",
            ),
        ),
        Mistake(
            lambda n_new, n_cached: np.ones((n_new, n_cached + n_new), dtype=bool),
            Words(
                "Everything is open. With more than one new token the earlier ones would read the "
                "later ones.",
                "全部放开了。新词元不止一个时，前面的就会读到后面的。",
            ),
        ),
        Mistake(
            lambda n_new, n_cached: ~np.tri(n_new, n_cached + n_new, k=n_cached, dtype=bool),
            Words(
                "Upside down: True means that a query may look.",
                "反了：True 表示可以看。",
            ),
        ),
        Mistake(
            lambda n_new, n_cached: np.ones((n_new, n_cached), dtype=bool),
            Words(
                "The new tokens bring keys of their own: n_cached + n_new columns.",
                "新词元自己也带来键：一共 n_cached + n_new 列。",
            ),
        ),
    ),
    hints=(
        Words(
            "Start with a single new token: it may read every cached key and itself.",
            "先想只有一个新词元的情形：它可以读所有缓存的键和它自己。",
        ),
        Words(
            "Row i may look at columns 0 … n_cached + i. np.tri has a parameter k.",
            "第 i 行可以看第 0 到 n_cached + i 列。np.tri 有一个参数 k。",
        ),
    ),
)

EXERCISES = (MERGE_BLOCKS, BYTES_HELD, TILES_NEEDED, CACHE_MASK)

QUESTIONS = (
    Question(
        key="17.1",
        text=Words(
            "A text becomes twice as long. How many times as many scores are there?",
            "文本长度变为两倍。分数的个数变为几倍？",
        ),
        options=("2", "4", "8"),
        answer=1,
        why=Words(
            "Twice as many queries, and each meets twice as many keys: 2 · 2 = 4.",
            "查询是两倍，每个查询遇到的键也是两倍：2 · 2 = 4。",
        ),
    ),
    Question(
        key="17.2",
        text=Words(
            "The keys come in two blocks. Attend to each block alone and take the mean of both "
            "outputs. Is that the output of attention?",
            "键分成两块。对每一块单独做注意力，再把两个输出取平均。这就是注意力的输出吗？",
        ),
        options=(
            Words("Yes, always.", "是，总是这样。"),
            Words("Yes, if both blocks are of the same size.", "是，只要两块一样大。"),
            Words(
                "No: one block may hold the better matches.", "不是：匹配得好的键可能集中在一块里。"
            ),
        ),
        answer=2,
        why=Words(
            "Each softmax shares out a whole 1 within its own block. But the blocks must share one "
            "1 between them, by the sums of their exponentials.",
            "每个 softmax 都在自己那一块里分掉一整份 1。可是两块应当合分一份 1，"
            "按各块的指数项之和来分。",
        ),
    ),
    Question(
        key="17.3",
        text=Words(
            "The first block has largest score 3 and sum l, both relative to 3. The second block "
            "brings a 5. What becomes of l?",
            "第一块的最大分数是 3，和为 l（以 3 为基准）。第二块里出现了 5。l 要怎样变？",
        ),
        options=(
            Words("It stays.", "不变。"),
            Words("It is multiplied by e².", "乘以 e²。"),
            Words("It is multiplied by e⁻².", "乘以 e⁻²。"),
        ),
        answer=2,
        why=Words(
            "Every term was e to the power s − 3 and must become e to the power s − 5: the factor "
            "is e to the power 3 − 5.",
            "每一项原来是 e 的 s − 3 次方，现在要变成 e 的 s − 5 次方：系数是 e 的 3 − 5 次方。",
        ),
    ),
    Question(
        key="17.4",
        text=Words(
            "Eight tokens, tiles of 2 × 2, causal mask. How many of the 16 tiles must be computed?",
            "八个词元，每块 2 × 2，因果掩码。16 个小块里有几个必须计算？",
        ),
        options=("6", "8", "10", "16"),
        answer=2,
        why=Words(
            "1 + 2 + 3 + 4 = 10. The four on the diagonal are partly hidden and still needed.",
            "1 + 2 + 3 + 4 = 10。对角线上的四块虽然有一部分被屏蔽，仍然要算。",
        ),
    ),
    Question(
        key="17.5",
        text=Words(
            "Four keys are cached. Token 5 arrives with its query and its own key. Which keys may "
            "this one query read?",
            "缓存里有四个键。第 5 个词元带着自己的查询和键来了。这个查询可以读哪些键？",
        ),
        options=(
            Words("key 1 only", "只有第 1 个键"),
            Words("keys 1 to 4", "第 1 到第 4 个键"),
            Words("keys 1 to 5", "第 1 到第 5 个键"),
        ),
        answer=2,
        why=Words(
            "It is the fifth token: it reads everything before it, and itself.",
            "它是第五个词元：读前面的全部，也读自己。",
        ),
    ),
)
