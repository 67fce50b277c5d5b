"""Notation: from a text to tokens.

In: a text in LaTeX or program notation. Out: tokens, or `Unread` where something has no rule here. `clean` and
`spelling` bring many spellings to one (`whole_spelling`, `spoken_relations`, `sexagesimal`, `unit_vectors`,
`counting`); `scanner` and `tokenizer` cut it, with the words of `vocabulary`; `tokenlists` cuts the tokens further.

Entry points: `clean.clean`, `tokenizer.tokenize`.
"""
