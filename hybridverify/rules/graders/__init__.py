"""Graders of others, for the same numbers as theirs: never in a chain that nobody asked for.

In: the response and the reference as they are, unread by us. Out: correct or incorrect as the other system says,
mistakes included. What can be called safely is called, in a worker that can be stopped: `math_verify`, and the string
graders of an installed verl (`installed`). What is missing, or would run the model's text, is described anew: `gsm8k`,
`hendrycks`, `dapo`, `prime_math`. Where the original evaluates text, our bounded reader compares, and may leave a row
undecided.

Entry points: the functions of `rules`, by their names in `config.registry`.
"""
