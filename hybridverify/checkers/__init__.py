"""Rules: what can be decided without a model.

In: a sample, its response read once (`extract`, `stated`). Out: a verdict, correct or incorrect only with a proof,
else undecided. One file a rule (`exact`, `choice`, `gsm8k`, `prime_math`, `sympy_tier`, `grade`, `user`); values are
read and compared by `reader`, and `gate` says whether a judge may see what rules leave open.

Entry points: the rules, by their names in `config.registry`.
"""
