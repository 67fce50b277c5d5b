"""A judge whose model only translates: each side of a row, alone, into standard notation. Equality is proved by rules.

In: subjects that the rules leave open. Out: "correct" where the translations are proved equal, else undecided. A model
that never sees both sides cannot be talked into a yes; what it writes is checked against the text it was shown.
"""
