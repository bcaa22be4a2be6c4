"""The engine behind `check`: try an answer, compare, find the likely cause, say it.

`exercise` and `question` say what there is, `lessons` finds it and joins it with its words,
`trial` calls an answer, `compare` tells values apart, `diagnose` judges, `show` turns values into
text, `results` remembers, `commands` are what a learner types. Every sentence stands in
``sentences.toml``.
"""
