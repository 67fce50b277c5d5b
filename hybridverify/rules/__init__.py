"""Rules: what can be decided without a model.

In: a sample, its response read once by `hybridverify.answers`. Out: a verdict, correct or incorrect only with a proof,
else undecided. One file a rule (`exact`, `choice`, `gsm8k`, `prime_math`, `sympy_tier`, `grade`, `user`), each on what
`prefilter` settles for all of them; values are compared by `hybridverify.maths`.

Entry points: the rules, by their names in `config.registry`; `base.Checker` for rules of one's own.
"""
