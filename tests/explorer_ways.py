"""Every explorer, and how its missions are reached."""

from attention_core import explorers

EXPLORERS = [getattr(explorers, name) for name in explorers.__all__]


def changes(**settings):
    """A way to a goal: these controls get these values, one after the other."""

    def act(explorer):
        for name, value in settings.items():
            explorer.controls[name].value = value

    return act


def _edit(name, i, j, number):
    return lambda explorer: explorer.controls[name].set_cell(i, j, number)


def _press(name):
    return lambda explorer: explorer._on_message(None, {"do": "press", "name": name}, [])


# factory name -> {number of the mission: what reaches its goal}. Guesses are not listed.
WAYS = {
    "overview_explorer": {
        1: changes(mask="causal"),
        2: _edit("WQ", 3, 1, -2),
        3: lambda e: [_edit("WQ", 3, 0, 0)(e), _edit("WQ", 3, 1, 0)(e)],
    },
    "trained_explorer": {
        0: changes(heads=(2, 6)),
        1: changes(text="小鸟离开了窝，它饿了。"),
        2: changes(heads=(2, 5)),
    },
    "roles_explorer": {
        1: _edit("K", 1, 1, 3),
        2: _edit("V", 2, 2, 1),
        3: changes(handed="K"),
    },
    "causal_mask_explorer": {
        0: changes(mask="causal"),
        2: lambda e: e.controls["M"].set_cells([(0, j, False) for j in range(4)]),
        3: changes(mask="causal", loud="loud"),
    },
    "scores_explorer": {
        1: lambda e: [_edit("Q", 0, 1, 1)(e), _edit("KT", 1, 0, -1)(e)],
        2: lambda e: [_edit("KT", 0, 1, -1)(e), _edit("KT", 1, 1, -2)(e)],
        3: changes(numbers="sentence"),
    },
    "cross_explorer": {1: changes(sources="self"), 2: changes(sources="swapped")},
    "gradients_explorer": {
        0: lambda e: [changes(rate=1.0)(e), *(_press("step")(e) for _ in range(12))],
        1: changes(rate=3.0),
    },
    "dot_product_explorer": {
        0: changes(k_angle=120),
        1: changes(k_length=0.75, k_angle=30, q_length=3),
        2: changes(q_length=3, k_length=3, q_angle=0, k_angle=180),
    },
    "match_explorer": {1: _edit("WQ", 1, 1, -1), 2: changes(matrices="shared")},
    "clinic_explorer": {
        0: changes(variant="p6"),
        1: changes(variant="p11"),
        2: changes(variant="p3"),
    },
    "scaling_explorer": {
        1: changes(d_k=4),
        2: changes(d_k=4096),
        3: changes(d_k=4096, scaled=True),
    },
    "closing_explorer": {
        1: lambda e: e.controls["M"].set_cells([(2, j, False) for j in range(4)]),
        2: _edit("Q", 0, 0, 2000),
    },
    "by_hand_explorer": {
        1: lambda e: [changes(mask="none")(e), _edit("K", 0, 0, 20)(e)],
        2: lambda e: [changes(example="second")(e), *(_edit("Q", 0, j, 0)(e) for j in range(3))],
    },
    "softmax_explorer": {
        1: changes(T=0.25),
        2: _edit("Z", 3, 2, 2.814),
        3: changes(axis=0),
    },
    "parameters_explorer": {
        1: changes(sentence="first"),
        2: _edit("WV2", 0, 0, 3),
        3: changes(sentence="twice"),
    },
    "heads_explorer": {1: changes(heads="with_rows"), 2: changes(heads="alike")},
    "head_shapes_explorer": {
        1: changes(d_model=576, h=9),
        2: changes(n=500),
        3: changes(n=2000),
    },
    "long_explorer": {
        1: changes(step=8),
        2: changes(causal=True, quarter=2),
        3: changes(text=1024),
    },
    "project_explorer": {
        1: changes(n=5),
        2: changes(d_v=5),
        3: changes(d_model=8),
    },
    "search_explorer": {
        0: changes(fault="causal"),
        1: changes(fault="uniform"),
        2: changes(own="I want to keep a parrot.", ask="我想养一只鹦鹉。"),
    },
}
