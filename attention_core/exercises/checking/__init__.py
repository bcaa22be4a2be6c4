"""The engine behind `check`: try an answer, compare, find the likely cause, say it.

`exercise` and `question` say what there is, `lessons` finds it and joins it with its words.
`trial` calls an answer within the `time_limit`; `values`, `compare` and `difference` look at what
came back; `causes` finds where it comes from, `reading` what the code reads; `diagnose` judges,
`show` turns values into text. `commands` are what a learner types; every sentence stands in
``sentences.toml``.
"""
