"""Words with open places, and choices between named values: written once for every explorer."""

import re

from attention_core.explorers.widgets import Preset
from attention_core.language import Words, say


def say_open(words, **known):
    """Return words in the language in use; their {places} stay open but for those known here.

    Examples
    --------
    >>> say_open(Words("{row} in head {head}", "{row}，头 {head}"), head=1)
    '{row} in head 1'
    """
    text = say(Words(*(line.replace("{", "{{").replace("}", "}}") for line in words)))
    return re.sub(r"\{(\w+)\}", lambda place: str(known.get(place[1], place[0])), text)


def named_values(label, names, values):
    """Return the choice between named values of other controls.

    Parameters
    ----------
    label : Words
    names : dict of name -> Words
    values : dict of name -> {control: value}
        In the order in which they are offered; see `Preset`.
    """
    return Preset(say(label), values, [say(names[name]) for name in values])
