"""Equality by sympy, for what our own reader leaves open; it runs in a worker that can be killed.

In: two answers as the reader read them. Out: equal, or undecided. `bounds` and `steps` limit the work, `latex` reads
sums, integrals and limits through math-verify's parser, `equality` builds and compares, `proof` puts them in order.
"""
