"""Lesson 00: the whole route at once."""

from attention_core.explorers.chain import chain_explorer

# The three tokens of section 9 of the document.
Q = K = [[1, 0], [0, 1], [1, 1]]
V = [[1, 0], [0, 2], [3, 1]]


def overview_explorer(q=None, k=None, v=None):
    """Play with the whole chain: Q and K say from where and how much, V what is taken.

    Parameters
    ----------
    q, k, v : array_like, optional
        Starting values (n_q, d_k), (n_k, d_k), (n_k, d_v); default: section 9 of the document.
    """
    return chain_explorer(
        Q if q is None else q, K if k is None else k, V if v is None else v, preset="none"
    )
