"""A judge whose model only translates each side of a row into standard notation. The rules prove the equality.

In: subjects that the rules leave open. Out: "correct" if the translations are proved equal, else undecided. The model
never sees both sides together, so it cannot be talked into a yes, and its translation is checked against the text
that it was shown.
"""
