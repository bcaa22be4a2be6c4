"""Lesson 18: what somebody hands in who runs a whole model with it."""

import numpy as np

from attention_core import attention, softmax


def by_loops(q, k, v):
    outputs, weights = [], []
    for head_q, head_k, head_v in zip(q, k, v, strict=True):
        z = head_q @ head_k.T / head_q.shape[-1] ** 0.5
        a = np.exp(z - z.max(axis=1)[:, None])
        a = a / a.sum(axis=1)[:, None]
        weights.append(a)
        outputs.append(a @ head_v)
    return np.array(outputs), np.array(weights)


def with_einsum(q, k, v):
    z = np.einsum("hid,hjd->hij", q, k) / np.sqrt(q.shape[2])
    a = np.exp(z - z.max(axis=2, keepdims=True))
    a /= a.sum(axis=2, keepdims=True)
    return np.einsum("hij,hjd->hid", a, v), a


def with_transpose(q, k, v):
    a = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(k.shape[-1]))
    return [a @ v, a]


def _right(q, k, v):
    return by_loops(q, k, v)


def half_root(q, k, v):
    return attention(q, k, v, scale=q.shape[-1] ** -0.25)


def first_head_for_all(q, k, v):
    output, weights = attention(q, k, v)
    return np.repeat(output[:1], len(output), axis=0), np.repeat(weights[:1], len(weights), axis=0)


def maximum_of_all(q, k, v):
    z = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
    with np.errstate(all="ignore"):
        a = np.exp(z - z.max())
        a = a / a.sum(axis=-1, keepdims=True)
    return a @ v, a


def count_by_loop(asked, offered, answers):
    count = 0
    for vector, answer in zip(asked, answers, strict=True):
        best = max(range(len(offered)), key=lambda j: vector @ offered[j])
        count += best == answer
    return count


def second_best(asked, offered, answers):
    return int((np.argsort(asked @ offered.T)[:, -2] == answers).sum())


def at_most_one_each(asked, offered, answers):
    best = (asked @ offered.T).argmax(axis=-1)
    return len({int(b) for b, a in zip(best, answers, strict=True) if a == b})


def from_the_other_side(asked, offered, answers):
    best = (asked @ offered.T).argmax(axis=0)
    return int(sum(best[a] == i for i, a in enumerate(answers)))


def misses(asked, offered, answers):
    return len(asked) - count_by_loop(asked, offered, answers)


def of_those_offered(asked, offered, answers):
    return count_by_loop(asked, offered, answers) / len(asked)


def in_the_best_two(asked, offered, answers):
    two = np.argsort(-(asked @ offered.T), axis=-1)[:, :2]
    return int((two == np.array(answers)[:, None]).any(axis=-1).sum())


ANSWER = {
    "A": "k_returned",
    "B": "causal",
    "C": "heads_averaged",
    "D": "no_scale",
    "E": "q_k_exchanged",
}

WRONG = {
    "all_heads": {
        "half of the exponent": half_root,
        "one head for all": first_head_for_all,
        "the maximum of all scores": maximum_of_all,
        "no_scale: with softmax": lambda q, k, v: (
            softmax(q @ k.swapaxes(-1, -2)) @ v,
            softmax(q @ k.swapaxes(-1, -2)),
        ),
        "output_alone: by loops": lambda q, k, v: by_loops(q, k, v)[0],
        "exchanged order": lambda q, k, v: _right(q, k, v)[::-1],
        "transposed weights": lambda q, k, v: (
            _right(q, k, v)[0],
            _right(q, k, v)[1].swapaxes(-1, -2),
        ),
        "scores for weights": lambda q, k, v: (
            _right(q, k, v)[0],
            q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]),
        ),
        "rounded": lambda q, k, v: tuple(part.round(2) for part in _right(q, k, v)),
    },
    "count_hits": {
        "the second best": second_best,
        "each sentence once": at_most_one_each,
        "the other side": from_the_other_side,
        "the best two": in_the_best_two,
        "misses": misses,
        "share: by a loop": of_those_offered,
        "all": lambda asked, offered, answers: len(asked),
        "absolute": lambda asked, offered, answers: int(
            (np.abs(asked @ offered.T).argmax(axis=-1) == answers).sum()
        ),
        "distance": lambda asked, offered, answers: int(
            (np.abs(asked[:, None] - offered).sum(-1).argmax(axis=-1) == answers).sum()
        ),
    },
    "five_faults": {
        "all alike": dict.fromkeys("ABCDE", "causal"),
        "a_exchanged: and e": {**ANSWER, "A": "q_k_exchanged", "E": "k_returned"},
        "b and d": {**ANSWER, "B": "no_scale", "D": "causal"},
        "c uniform": {**ANSWER, "C": "uniform"},
        "d divided": {**ANSWER, "D": "divided_by_d_k"},
        "e transposed": {**ANSWER, "E": "weights_transposed"},
        "a nothing": {**ANSWER, "A": "nothing"},
        "b itself": {**ANSWER, "B": "only_itself"},
    },
}

RIGHT = {
    "all_heads": {"by loops": by_loops, "einsum": with_einsum, "a list": with_transpose},
    "count_hits": {
        "by a loop": count_by_loop,
        "a NumPy number": lambda asked, offered, answers: np.sum(
            np.argmax(offered @ asked.T, axis=0) == answers
        ),
        "distances": lambda asked, offered, answers: int(
            (((asked[:, None] - offered) ** 2).sum(-1).argmin(axis=-1) == answers).sum()
        ),
    },
    "five_faults": {
        "as it is": ANSWER,
        "in another order": dict(reversed(ANSWER.items())),
        "capitals": {key: name.upper() for key, name in ANSWER.items()},
    },
}
