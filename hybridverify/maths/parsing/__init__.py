"""From tokens to a typed value.

`reading` tries what the text may be in order: expressions (`atoms`, `expressions`), single values with what stands
around them (`scalars`), amounts and words, relations, lists, sets, matrices, functions in pieces. What is not read to
the end is no value.

Entry point: `reading`.
"""
