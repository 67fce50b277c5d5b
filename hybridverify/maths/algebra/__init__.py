"""Expressions, and whether two of them are equal.

`nodes` is the whitelist of what an expression may be. A number at chosen points (`numeric`) can say "different"; a
normal form (`normal`, over `polynomials`, `ratios` and `special`) or a proof about roots (`algebraic`) says "same".

Entry point: `equality`.
"""
