"""Parts of `ablation.py`: what can be taken away (entries, alternatives), and how verdicts are looked at without it.

`parts.py` takes a regular expression apart, `entries.py` the constants of a module, `loading.py` loads a package
with some of them removed, `hearing.py` tells which expressions match, `cases.py` runs a case or grades rows,
`trials.py` does so in processes of their own, `search.py` finds what is needed,
`alone.py` what each expression is needed for alone.
"""
